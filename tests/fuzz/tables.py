"""Random tables with the cells that real and hostile files have."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd

CELLS: Sequence[object] = (
    None,
    "",
    " ",
    "?",
    "NA",
    "nan",
    "inf",
    "-inf",
    "1e999",
    "-0",
    "0",
    "1",
    "-1",
    "007",
    "1.5",
    "1,5",
    "1.200,50 €",
    "$40,160",
    "11.4%",
    "(1,200)",
    "12 kg",
    "-999",
    "9999",
    "yes",
    "Yes ",
    " YES",
    "no",
    "true",
    "FALSE",
    "low",
    "medium",
    "high",
    "2024-02-30",
    "2024-02-29",
    "13/02/2024",
    "02/13/2024",
    "01/02/03",
    "12:30",
    "9" * 400,
    "9007199254740993",
    "9223372036854775808",
    "1e-320",
    "=1+1",
    "+A1",
    "@SUM(1)",
    "-2+3|cmd",
    "\tx",
    "\rx",
    "＝1",
    "'",
    '"',
    '""',
    "\\",
    "\\N",
    "\\'",
    "a;b",
    "a,b",
    "a\tb",
    "a\nb",
    "a\r\nb",
    "\u202eabc",
    "\u200b",
    "\ufeff",
    "e\u0301",
    "é",
    "天气",
    "🌲",
    "</script>",
    "<b>",
    "&amp;",
    "{}",
    "%s",
    "x" * 3000,
    "NaT",
    "1970-01-01T00:00:00Z",
)
NAMES = (
    "a",
    "b",
    "A",
    "",
    " ",
    "target",
    "class",
    "n",
    "id",
    "rows of a",
    "tree node",
    "x y",
    '"',
    "'",
    "\\",
    "=a",
    "t",
    "天",
    "\u202ea",
    "a\nb",
    "1",
    "a.1",
    "None",
    "x" * 300,
)
Column = Callable[[np.random.Generator, int], list[object]]


def _categories(rng: np.random.Generator, rows: int) -> list[object]:
    words = [f"{letter}{i}" for i in range(int(rng.integers(1, 30))) for letter in "ab"]
    return [str(word) for word in rng.choice(words, rows)]


def _numbers(rng: np.random.Generator, rows: int) -> list[object]:
    scale = float(10.0 ** rng.integers(-300, 300)) if rng.random() < 0.1 else 10.0
    return [float(number) for number in (rng.normal(size=rows) * scale)]


def _whole_numbers(rng: np.random.Generator, rows: int) -> list[object]:
    return [int(number) for number in rng.integers(-3, int(rng.choice([3, 40, 2**40])), rows)]


def _row_numbers(rng: np.random.Generator, rows: int) -> list[object]:
    return list(range(rows))


def _odd_cells(rng: np.random.Generator, rows: int) -> list[object]:
    some = [CELLS[i] for i in rng.integers(0, len(CELLS), int(rng.integers(1, 9)))]
    return [some[i] for i in rng.integers(0, len(some), rows)]


def _one_value(rng: np.random.Generator, rows: int) -> list[object]:
    return [CELLS[int(rng.integers(0, len(CELLS)))]] * rows


COLUMNS: Sequence[Column] = (
    _categories,
    _categories,
    _numbers,
    _numbers,
    _whole_numbers,
    _row_numbers,
    _odd_cells,
    _odd_cells,
    _one_value,
)


def random_table(rng: np.random.Generator) -> pd.DataFrame:
    """A table of up to 80 rows and 7 columns; some cells of some columns are replaced by odd ones."""
    rows, width = int(rng.integers(0, 80)) if rng.random() < 0.95 else 0, int(rng.integers(1, 8))
    names = [NAMES[i] for i in rng.choice(len(NAMES), width, replace=bool(rng.random() < 0.1))]
    columns = [COLUMNS[int(rng.integers(0, len(COLUMNS)))](rng, rows) for _ in range(width)]
    for cells in columns:
        if rows and rng.random() < 0.4:
            for row in rng.integers(0, rows, int(rng.integers(1, 5))):
                cells[int(row)] = CELLS[int(rng.integers(0, len(CELLS)))]
    frame = pd.DataFrame({position: pd.Series(cells, dtype=object) for position, cells in enumerate(columns)})
    frame.columns = pd.Index(names, dtype=object)
    return frame
