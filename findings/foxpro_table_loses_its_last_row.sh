#!/usr/bin/env bash
# dbf 0.99.11: a new FoxPro table is closed without the last row that was appended to it.
#
# Expected: four rows appended within `with table.open(…)` are four rows when the table is opened again, as they are in
# a dBase III table, and as `len(table)` says before it is closed.
# Seen: in tables of FoxPro and Visual FoxPro the header counts three rows. Opened again by dbf itself, the fourth is
# gone. Its bytes are in the file: dbfread 2.0.7, which does not look at
# the header, still finds them. Nothing is said. Ends with 1 where that is no longer so.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet dbf==0.99.11 dbfread==2.0.7 2>/dev/null
cd "$folder"
env/bin/python - <<'PYTHON'
import dbf
import dbfread


def rows(kind):
    table = dbf.Table(f"{kind}.dbf", "name C(8); n N(5,0)", dbf_type=kind)
    with table.open(mode=dbf.READ_WRITE):
        for i in range(4):
            table.append((f"row {i}", i))
        assert len(table) == 4
    with dbf.Table(f"{kind}.dbf").open() as again:
        own = [row.n for row in again]
    other = [row["N"] for row in dbfread.DBF(f"{kind}.dbf")]
    print(f"{kind:4} appended [0, 1, 2, 3]  dbf reads {own}  dbfread reads {other}")
    return own, other


assert rows("db3") == ([0, 1, 2, 3], [0, 1, 2, 3])
assert rows("fp") == ([0, 1, 2], [0, 1, 2, 3])
assert rows("vfp") == ([0, 1, 2], [0, 1, 2, 3])
PYTHON
