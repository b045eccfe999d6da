"""Errors of DuckDB about one line of a text file, in words that name file, line and column."""

from __future__ import annotations

import re
from pathlib import Path

from explorer.errors import ColumnError, InputError
from explorer.messages import message

_LINE = re.compile(r"CSV Error on Line: (\d+)")
_FILE = re.compile(r"^\s*file = (.+)$", re.MULTILINE)
_CELL = re.compile(
    r"Error when converting column \"(.*)\"\. Could not convert string \"(.*)\" to '(\w+)'\n\nColumn", re.DOTALL
)
_WIDTH = re.compile(r"^Expected Number of Columns: (\d+) Found: (\d+)", re.MULTILINE)


def csv_error(error: Exception) -> InputError | None:
    """The error for a cell of another type or a line of another width than the first lines have; None for others."""
    said = str(error)
    line, file = _LINE.search(said), _FILE.search(said)
    if line is None or file is None:
        return None
    where = {"file": Path(file[1].strip()).name, "line": int(line[1])}
    cell, width = _CELL.search(said), _WIDTH.search(said)
    if cell is not None:
        text = message(
            "Line {line:,} of '{file}' has '{cell}' in column '{column}', of which the first rows have {type}: correct "
            "the cell, or make the column categorical by kinds={kinds}.",
            cell=cell[2][:80],
            column=cell[1],
            type=message("dates") if cell[3] in ("DATE", "TIMESTAMP") else message("numbers"),
            kinds=repr({cell[1]: "categorical"}),
            **where,
        )
        return ColumnError(text, cell[1])
    if width is None:
        return None
    return InputError(
        message(
            "Line {line:,} of '{file}' has another number of cells ({n:,}) than the lines before ({width:,}): correct "
            "that line.",
            n=int(width[2]),
            width=int(width[1]),
            **where,
        )
    )
