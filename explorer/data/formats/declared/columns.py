"""A declared column and its cells as written → the column in its type, or an error that names the line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from explorer.errors import InputError
from explorer.messages import message


@dataclass(frozen=True)
class Declared:
    """A declared column: `kind` is "numeric", "nominal" or "text"; a nominal one has `levels`, in their order.

    Where it `takes_any`, its levels are those that occur, by first appearance.
    """

    name: str
    kind: str
    levels: tuple[str, ...] = ()
    is_ordered: bool = False
    takes_any: bool = False


def declared_column(declared: Declared, cells: Sequence[str | None], lines: Sequence[int], file: str) -> pd.Series:
    """The cells (None: missing) in the declared type; `lines` are their lines in the file.

    Raises `InputError` for a cell that is no number, or none of the levels.
    """
    if declared.kind == "numeric":
        numbers = [number(cell, declared.name, line, file) for cell, line in zip(cells, lines, strict=True)]
        return pd.Series(numbers, dtype=np.float64)
    if declared.kind == "text":
        return pd.Series(cells, dtype="str")
    levels = declared.levels
    if declared.takes_any:
        levels = tuple(dict.fromkeys(cell for cell in cells if cell is not None))
    unknown = set(cells) - set(levels) - {None}
    if unknown:
        line = next(line for cell, line in zip(cells, lines, strict=True) if cell in unknown)
        raise InputError(
            message(
                "Line {line} of '{file}' has '{value}' in column '{column}', which is not one of its levels: "
                "declare it.",
                line=line,
                file=file,
                value=str(min(map(str, unknown)))[:40],
                column=declared.name,
            )
        )
    return pd.Series(pd.Categorical(list(cells), categories=list(levels), ordered=declared.is_ordered))


def number(cell: str | None, column: str, line: int, file: str) -> float:
    """A cell as a number, NaN for a missing one."""
    if cell is None:
        return np.nan
    try:
        return float(cell) if "_" not in cell else float("x")
    except ValueError:
        raise InputError(
            message(
                "Line {line} of '{file}' has '{value}' in the numeric column '{column}': correct it.",
                line=line,
                file=file,
                value=cell[:40],
                column=column,
            )
        ) from None


def declared_frame(columns: Sequence[Declared], series: Sequence[pd.Series]) -> pd.DataFrame:
    """The columns side by side under their names."""
    frame = pd.DataFrame(dict(enumerate(series)))
    frame.columns = pd.Index([column.name for column in columns], dtype=object)
    return frame


def check_width(cells: int, columns: int, line: int, file: str) -> None:
    """Raise `InputError` for a row with more or fewer cells than there are columns."""
    if cells != columns:
        raise InputError(
            message(
                "Line {line} of '{file}' has {cells} cells, but {columns} columns are declared: correct that line.",
                line=line,
                file=file,
                cells=cells,
                columns=columns,
            )
        )


def free_name(wanted: str, columns: Sequence[str]) -> str:
    """The name of a further column, which no other one has."""
    names = (wanted, *(f"{wanted} ({number})" for number in range(2, len(columns) + 3)))
    return next(name for name in names if name not in columns)
