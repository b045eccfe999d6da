#!/usr/bin/env bash
# DuckDB 2.0.1: the sum of a BIGINT column is exact in SQL and in Arrow, and rounded in the Parquet file of the same query.
#
# Expected: `COPY (SELECT k, sum(n) … GROUP BY k) TO 'sums.parquet'` writes the sums that the query shows. They are whole
# numbers, the type of the result (HUGEINT) is exact, and Parquet has DECIMAL(38, 0), which holds them all.
# Seen: the column becomes DOUBLE without a word. Two groups whose sums differ by 1 beyond 2^53 are equal in the file, and
# only the column's type tells. to_arrow_table() gives decimal128(38, 0) for the same query, and so does the file where
# the sum is cast to DECIMAL(38, 0).
# Ends with 1 where that is no longer so.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet duckdb==2.0.1 pyarrow==26.0.1 2>/dev/null
cd "$folder"
env/bin/python - <<'PYTHON'
import duckdb
import pyarrow.parquet as pq

base = duckdb.connect()
base.execute("CREATE TABLE sales (k VARCHAR, n BIGINT)")
base.execute("INSERT INTO sales VALUES ('a', 9007199254740992), ('a', 1), ('b', 9007199254740992)")
query = "SELECT k, sum(n) AS total FROM sales GROUP BY k ORDER BY k"
shown = [total for _, total in base.sql(query).fetchall()]
arrow = base.sql(query).to_arrow_table()
base.execute(f"COPY ({query}) TO 'sums.parquet'")
base.execute(f"COPY (SELECT k, CAST(total AS DECIMAL(38, 0)) AS total FROM ({query})) TO 'cast.parquet'")
file, cast = pq.read_table("sums.parquet"), pq.read_table("cast.parquet")
print("query  ", shown)
print("Arrow  ", arrow.schema.field("total").type, [int(v) for v in arrow["total"].to_pylist()])
print("Parquet", file.schema.field("total").type, file["total"].to_pylist())
print("cast   ", cast.schema.field("total").type, [int(v) for v in cast["total"].to_pylist()])
assert shown == [9007199254740993, 9007199254740992]
assert [int(v) for v in arrow["total"].to_pylist()] == shown
assert str(file.schema.field("total").type) == "double"
assert len(set(file["total"].to_pylist())) == 1
assert [int(v) for v in cast["total"].to_pylist()] == shown
PYTHON
