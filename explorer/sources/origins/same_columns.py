"""Files of one table have the same columns: what is said where one of them lacks a column."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from explorer.errors import ColumnError
from explorer.messages import message


def check_same_columns(columns: Sequence[tuple[Path, Collection[str]]]) -> None:
    """ColumnError that names column and file where some file lacks a column that another one has.

    >>> check_same_columns([(Path("a.csv"), ["x", "y"]), (Path("b.csv"), ["y"])])
    Traceback (most recent call last):
    explorer.errors.ColumnError: Column 'x' is missing in 'b.csv', but 'a.csv' has it: write the files with the same...
    """
    for file, names in columns[1:]:
        first, expected = columns[0]
        for name in (*expected, *names):
            if name not in names or name not in expected:
                other, without = (first, file) if name in expected else (file, first)
                text = message(
                    "Column '{column}' is missing in '{file}', but '{other}' has it: write the files with the same "
                    "columns.",
                    column=name,
                    file=without.name,
                    other=other.name,
                )
                raise ColumnError(text, name)
