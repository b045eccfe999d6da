"""The same texts in a text file, a workbook and an OpenDocument sheet are the same values of a tree."""

import csv
import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import explorer as ex
from tests.data.spreadsheets import ods, xlsx

NUMBERS = [
    "0",
    "1",
    "-2",
    "+3",
    "0.5",
    ".5",
    "3.",
    "2.50",
    "1e3",
    "1E-5",
    "-0.0",
    "9007199254740992",
    "1000.0",
    "2.620",
]
NAMES = [
    *("01067", "007", "007e2", "-05", "00.5"),
    *("9007199254740993", "9007199254740993.0", "12345678901234567890", "1234567890123456789"),
]
TEXTS = [
    "a",
    "A b",
    "x,y",
    "p;q",
    "1_000",
    "0x10",
    "1,5",
    "true",
    "1 2",
    'say "x"',
    "two\nlines",
    "東京",
    "-",
    "12a",
    "٣",
]
MISSING = ["", "NA", "?", "null", "NaN"]
PLAIN = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)

POOLS = [NUMBERS, [*NUMBERS, *MISSING], [*NUMBERS, *NAMES], [*NAMES, "1067", "7", *MISSING], [*TEXTS, *MISSING]]
ALL = [*NUMBERS, *NAMES, *TEXTS, *MISSING]


def as_csv(sheets):
    out = io.StringIO()
    csv.writer(out).writerows(["" if cell is None else cell for cell in row] for row in sheets["S"])
    return out.getvalue().encode()


def is_name(text):
    """By section 1: digits with a leading zero, and whole numbers that a float does not hold."""
    if re.fullmatch(r"[+-]?0\d.*", text):
        return True
    return re.fullmatch(r"[+-]?\d+(\.0*)?", text) is not None and int(float(text)) != int(text.split(".")[0])


def expected(cells):
    """The values of a column: numbers, or texts."""
    known = [cell for cell in cells if cell not in MISSING]
    is_numeric = bool(known) and all(PLAIN.fullmatch(cell) and not is_name(cell) for cell in known)
    return [None if cell in MISSING else float(cell) if is_numeric else cell for cell in cells]


def unsigned(value):
    """A value without its plus sign, which columns of whole numbers of 64 bits do not keep."""
    return re.sub(r"^\+(?=\d+$)", "", value) if isinstance(value, str) else value


def values(raw, name):
    """What a data set has in a column, by row."""
    frame = ex.read_table(raw, name="file").frame
    data = ex.Dataset.from_frame(frame, "y", features=[name])
    feature, codes = data.features[0], data.codes[0]
    known = (
        [float(value) for value in feature.values] if feature.kind == "numeric" else list(map(str, feature.categories))
    )
    return [known[code] if code < len(known) else None for code in codes]


COLUMNS = st.sampled_from([*POOLS, ALL]).flatmap(lambda pool: st.lists(st.sampled_from(pool), min_size=2, max_size=9))


@pytest.mark.law
@pytest.mark.parametrize("write", [as_csv, xlsx, ods])
@given(cells=COLUMNS)
def test_texts_are_the_same_values_from_every_file(write, cells):
    if all(cell in MISSING for cell in cells):
        return
    rows = [("c", "n", "y"), *((cell or None, f"r{i}", "ab"[i % 2]) for i, cell in enumerate(cells))]
    assert list(map(unsigned, values(write({"S": rows}), "c"))) == list(map(unsigned, expected(cells)))
