#!/usr/bin/env bash
# pyarrow 26.0.1: a price in DECIMAL(12, 2) does not become the double that the same price in a CSV file is.
#
# Expected: casting decimals to float64 gives the nearest double, as float("0.35") and every CSV reader do, so that the
# prices of a Parquet file join those of a CSV file.
# Seen: of the prices 0.00 … 999.99 every seventh becomes the double beside it (0.35 is read as 0.35000000000000003), and
# a join by price loses these rows. Polars 2.1.0, DuckDB 2.0.1 and Python's float(Decimal) give the nearest double for
# all of them, from the same Arrow array. Ends with 1 where that is no longer so.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet pyarrow==26.0.1 polars==2.1.0 duckdb==2.0.1 2>/dev/null
"$folder/env/bin/python" - <<'PYTHON'
from decimal import Decimal

import duckdb
import polars as pl
import pyarrow as pa

texts = [f"{cents // 100}.{cents % 100:02d}" for cents in range(100_000)]
prices = pa.array(map(Decimal, texts), pa.decimal128(12, 2))
rows = pa.table({"price": prices})
read = {
    "pyarrow": prices.cast(pa.float64()).to_pylist(),
    "Polars": pl.from_arrow(rows)["price"].cast(pl.Float64).to_list(),
    "DuckDB": [price for (price,) in duckdb.sql("SELECT price::DOUBLE FROM rows").fetchall()],
    "Python": [float(price) for price in prices.to_pylist()],
}
beside = {name: [(t, p) for t, p in zip(texts, column) if p != float(t)] for name, column in read.items()}
for name, found in beside.items():
    print(f"{name:8}{len(found):6} of {len(texts)} prices are another double", *found[:2])

in_csv = pa.table({"price": [float(text) for text in texts], "text": texts})
joined = pa.table({"price": read["pyarrow"]}).join(in_csv, "price", join_type="inner")
print("rows left of", len(texts), "after a join with the CSV file:", joined.num_rows)

assert len(beside.pop("pyarrow")) == len(texts) - joined.num_rows == 13_929
assert not any(beside.values())
PYTHON
