"""Leading zeros are seen in a text, wherever it is cut into parts."""

import csv
import io
import random
import re

import pytest

from explorer.data.text.written_signs import WatchedText

CELLS = [
    *(
        "01067",
        "007",
        "-05",
        "+00",
        "01.5",
        "007e2",
        "00.5E-3",
        "00.",
        "0",
        "0.5",
        "10",
        "1007",
        "0x1",
        "08:15",
        "01/02/2020",
        "01.02.2020",
    ),
    *("2020-01-05", "a 07 b", "1e05", "-0.5", "007 b", "", "x"),
]
NAME = re.compile(r"[+-]?0\d+(\.\d*)?([eE][+-]?\d+)?")


def reads_zero(text: str, delimiter: str, step: int) -> bool:
    watched = WatchedText(io.StringIO(text), delimiter)
    while watched.read(step):
        pass
    return watched.has_leading_zero


@pytest.mark.parametrize("cell", CELLS)
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_one_cell_alone_is_seen(cell, delimiter):
    is_name = NAME.fullmatch(cell) is not None
    for text in (f"{cell}{delimiter}1\n", f"1{delimiter}{cell}", f'1{delimiter}"{cell}"\r\n2{delimiter}3'):
        for step in (1, 2, 3, 1000):
            assert reads_zero(text, delimiter, step) == is_name or " " in cell, text


def test_a_table_of_cells_is_seen_in_parts():
    rng = random.Random(5)
    for _ in range(200):
        cells = [rng.choice(CELLS) for _ in range(6)]
        out = io.StringIO()
        csv.writer(out).writerows([cells[:3], cells[3:]])
        if any(map(NAME.fullmatch, cells)):
            assert reads_zero(out.getvalue(), ",", rng.randint(1, 9)), cells


@pytest.mark.parametrize("before", range(32_756, 32_776))
def test_a_cell_is_seen_wherever_a_long_text_is_cut(before):
    text = "x" * before + ",-05,1\n"
    assert reads_zero(text, ",", 1 << 18)
    assert not reads_zero(text.replace("05", "50"), ",", 1 << 18)
