"""Sheets, tables or members of one shape, one below the other, with a column that tells where a row is from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pandas as pd
from pandas.api.types import is_numeric_dtype, union_categoricals

from explorer.data.formats.columns import typed_column
from explorer.data.notes import listed_names
from explorer.data.reading import Reading
from explorer.data.source import Source
from explorer.errors import InputError
from explorer.messages import message

MOST_TABLES = 100
"""So many tables are stacked at most: each is read anew from the file."""
_SOURCE = "source"


def read_stacked(source: Source, reading: Reading, read: Callable[[Source, Reading], pd.DataFrame]) -> pd.DataFrame:
    """Return the table that is read by default with all others of the same columns below it, in the file's order.

    Others are left out and named. Raises `InputError` for more tables than `MOST_TABLES`.
    """
    first = read(source, reading)
    if len(reading.sheets) < 2:
        return first
    if len(reading.sheets) > MOST_TABLES:
        raise InputError(
            message(
                "'{file}' holds {n:,} tables, more than the {limit} that are stacked at most: choose one, or load "
                "fewer.",
                file=reading.name,
                n=len(reading.sheets),
                limit=MOST_TABLES,
            )
        )
    frames, others = dict[str, pd.DataFrame](), list[str]()
    for name in reading.sheets:
        frame = first if name == reading.sheet else _other(source, name, reading, read)
        if frame is None or list(frame.columns) != list(first.columns):
            others.append(name)
            continue
        frames[name] = frame
        reading.check(sum(map(len, frames.values())), first.shape[1] + 1)
    _note(list(frames), others, reading)
    return first if len(frames) == 1 else _below(frames)


def _other(
    source: Source, name: str, reading: Reading, read: Callable[[Source, Reading], pd.DataFrame]
) -> pd.DataFrame | None:
    """Another table of the file; None where it is none."""
    try:
        return read(source, replace(reading, wanted_sheet=name, remarks=[], sheets=(), sheet="", recut=None))
    except InputError:
        return None


def _below(frames: dict[str, pd.DataFrame]) -> pd.DataFrame:
    parts = list(frames.values())
    columns = [_joined([part.iloc[:, i] for part in parts]) for i in range(parts[0].shape[1])]
    rows = [name for name, part in frames.items() for _ in range(len(part))]
    frame = pd.DataFrame({**dict(enumerate(columns)), len(columns): pd.Series(rows, dtype="str")})
    frame.columns = pd.Index([*parts[0].columns, _free(list(parts[0].columns))], dtype=object)
    return frame


def _free(columns: Sequence[str]) -> str:
    names = (_SOURCE, *(f"{_SOURCE} ({number})" for number in range(2, len(columns) + 3)))
    return next(name for name in names if name not in columns)


def _joined(parts: Sequence[pd.Series]) -> pd.Series:
    """One column of several tables: levels are joined in order, numbers beside texts become texts."""
    kinds = {str(part.dtype) for part in parts}
    if all(isinstance(part.dtype, pd.CategoricalDtype) for part in parts):
        is_ordered = len(kinds) == 1 and bool(parts[0].cat.ordered)
        return pd.Series(parts[0] if len(parts) == 1 else union_categoricals(list(parts), ignore_order=not is_ordered))
    if len(kinds) == 1 or all(is_numeric_dtype(part.dtype) and part.dtype != bool for part in parts):
        return pd.concat(parts, ignore_index=True)
    known = [part for part in parts if not part.isna().all()]
    if 0 < len(known) < len(parts) and len({str(part.dtype) for part in known}) == 1:
        return pd.concat([part.astype(known[0].dtype, errors="ignore") for part in parts], ignore_index=True)
    return typed_column([None if pd.isna(cell) else cell for part in parts for cell in part.astype(object).tolist()])


def _note(stacked: list[str], others: list[str], reading: Reading) -> None:
    if len(stacked) == 1:
        reading.remarks.append(
            lambda: message("No other table of the file has the columns of '{name}': nothing was stacked.",
                            name=stacked[0])
        )  # fmt: skip
        return
    reading.remarks.append(
        lambda: message(
            "{n:,} tables with the same columns were put below each other: {names}. The last column tells which one a "
            "row is from.",
            n=len(stacked),
            names=listed_names(stacked),
        )
    )
    if others:
        reading.remarks.append(
            lambda: message("Not among them, since their columns differ: {names}.", names=listed_names(others))
        )
