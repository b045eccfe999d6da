#!/usr/bin/env bash
# pyreadstat 1.3.7: asking for Stata's extended missing values turns the plain missing value of whole numbers into 0.
#
# Expected: read_dta(file, user_missing=True) gives .a as "a", and the plain missing value "." stays missing, as it does
# without the option, in columns of fractions, and in whole numbers that have no extended missing value.
# Seen: in a column of whole numbers that has both, every "." is read as 0, a value that looks like an answer: the mean
# of 4, 6, .a, . becomes 10/3 instead of 5. Nothing is said. Ends with 1 where that is no longer so.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet pyreadstat==1.3.7 pandas==3.0.0 2>/dev/null
cd "$folder"
env/bin/python - <<'PYTHON'
import pandas as pd
import pyreadstat


def answers(cells, **options):
    pyreadstat.write_dta(pd.DataFrame({"q": cells}), "q.dta", missing_user_values={"q": ["a"]})
    frame, meta = pyreadstat.read_dta("q.dta", **options)
    read = [None if pd.isna(cell) else cell for cell in frame["q"]]
    numbers = [cell for cell in read if isinstance(cell, (int, float))]
    print(f"{meta.readstat_variable_types['q']:7}{str(options):24} {read}  mean {sum(numbers) / len(numbers):.3f}")
    return read


whole, fractions = [4, 6, "a", None], [4.0, 6.0, "a", None]
assert answers(whole) == [4, 6, None, None]
assert answers(fractions, user_missing=True) == [4, 6, "a", None]
assert answers([4, 6, None, None], user_missing=True) == [4, 6, None, None]
assert answers(whole, user_missing=True) == [4, 6, "a", 0]
PYTHON
