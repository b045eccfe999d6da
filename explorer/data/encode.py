"""Columns → rank codes: a feature's values in order, and the code of each row's value.

A *code* is a position in the feature's own list of values: ascending numbers, or categories in order of first
appearance. A missing cell has the code one past the end. Types are inferred here when they are not given.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from queue import Empty, SimpleQueue
from typing import Protocol

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from explorer.data.cells import (
    ALL_TEXTS,
    alike,
    clean_value,
    distinct_cells,
    factorize_few,
    is_mark,
    is_missing,
    positions_of,
)
from explorer.data.codes.feature import Feature
from explorer.data.codes.late_values import LateValues, floats_of
from explorer.data.codes.ranks import rank_codes, rank_codes_of_all
from explorer.data.codes.scale import Ordered, order_of
from explorer.data.source_column import SourceColumn, rows_text
from explorer.errors import InputError
from explorer.messages import listing, message, plural
from explorer.scratch import give_back_text, scratch
from explorer.threads import by_all_threads, side_by_side
from explorer.values import EXACT_WHOLE, Value, as_number, is_quantity, is_rounded

Kind = str | Sequence[Value] | Ordered
ROWS_TO_ENCODE_IN_THREADS = 50_000
"""Rows from which encoding a column is worth handing to another thread."""
CELLS_AT_ONCE = 16_000
"""Cells that are encoded by the same few calls: so few that their room is soon used again, and stays in a cache."""
CELLS_TO_COPY = 200_000
"""Cells up to which a frame is copied whole: that takes less time than to look at a part of it."""


class Heading(Protocol):
    """What is known of a table without its rows: a data set has it, and a table that an engine counts."""

    @property
    def target(self) -> Feature:
        """Name, kind and classes of the target."""

    @property
    def features(self) -> tuple[Feature, ...]:
        """Name, kind and values of every feature."""

    @property
    def classes(self) -> tuple[Value, ...]:
        """The classes in order; empty for a numeric target."""

    @property
    def is_regression(self) -> bool:
        """Whether the target is numeric."""

    @property
    def weight_column(self) -> str | None:
        """The column with the weights of the rows; None without one."""

    @property
    def date_columns(self) -> tuple[str, ...]:
        """The numeric features whose numbers are days since 1970-01-01."""


def encode_columns(
    columns: Sequence[pd.Series],
    kinds: Mapping[str, Kind],
    rows: NDArray[np.intp] | None = None,
    *,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[list[Feature], NDArray[np.int32]]:
    """Features and codes [F, n] of some columns; `kinds` may give the kind of a column.

    `rows` are the positions of the cells in the table, which errors name; None for 0 to n − 1. `progress(columns done,
    columns in all)` may raise `Stopped`. Raises ColumnError.
    """
    n = len(columns[0]) if columns else 0
    codes, rooms = np.empty((len(columns), n), dtype=np.int32), SimpleQueue[NDArray[np.float64]]()

    def encode(i: int) -> Feature:
        source = SourceColumn(columns[i], rows)
        kind, room = kinds.get(source.name), None
        if not rooms.empty():
            with suppress(Empty):
                room = rooms.get_nowait()
        if _is_plain_number(columns[i], kind):
            room = scratch((3, n)) if room is None else room
            feature = _encode_column_of_numbers(source, codes[i], room)
            rooms.put(room)
            return feature
        room = None  # text begins, which needs memory of its own
        feature, codes[i] = _encode_other(source, kind)
        if n >= ROWS_TO_ENCODE_IN_THREADS:
            give_back_text()
        return feature

    if n < ROWS_TO_ENCODE_IN_THREADS:
        return [encode(i) for i in range(len(columns))], codes
    features = list[Feature]()
    with closing(side_by_side(encode, range(len(columns)))) as encoded:
        for feature in encoded:
            features.append(feature)
            if progress is not None:
                progress(len(features), len(columns))
    return features, codes


def encode_frame(
    frame: pd.DataFrame,
    names: Sequence[str],
    kinds: Mapping[str, Kind],
    rows: NDArray[np.intp] | None = None,
    cells: NDArray[np.generic] | None = None,
    *,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[list[Feature], NDArray[np.int32]]:
    """As `encode_columns` for some rows of a frame (None for all) and its columns of these names.

    Where the table is not large, its numbers are encoded without the cost of taking out every column. `cells` are its
    `cells_of_numbers`.
    """
    known, codes = _encode_numbers_of_frame(frame, names, kinds, rows, cells)
    if names and len(known) == len(names):
        return list(known.values()), codes
    others = [i for i in range(len(names)) if i not in known]
    columns = [frame[names[i]] if rows is None else frame[names[i]].iloc[rows] for i in others]
    features, codes_of_others = encode_columns(columns, kinds, rows, progress=progress)
    if not known:
        return features, codes_of_others
    position = {i: at for at, i in enumerate([*known, *others])}
    in_order, all_features = [position[i] for i in range(len(names))], [*known.values(), *features]
    return [all_features[at] for at in in_order], np.concatenate([codes, codes_of_others])[in_order]


def cells_of_numbers(frame: pd.DataFrame) -> NDArray[np.generic] | None:
    """All cells [F, n] of a table that has numbers only, if it is not large."""
    is_small = 0 < len(frame) < ROWS_TO_ENCODE_IN_THREADS and frame.size <= CELLS_TO_COPY
    return frame.to_numpy().T if is_small and all(_are_numbers(frame)) else None


def _are_numbers(frame: pd.DataFrame) -> list[bool]:
    """Which columns are numbers."""
    return [isinstance(dtype, np.dtype) and dtype.kind in "iuf" for dtype in frame.dtypes.tolist()]


def _encode_numbers_of_frame(
    frame: pd.DataFrame,
    names: Sequence[str],
    kinds: Mapping[str, Kind],
    rows: NDArray[np.intp] | None,
    cells: NDArray[np.generic] | None,
) -> tuple[dict[int, Feature], NDArray[np.int32]]:
    """The numeric features by position among the names, and their codes; none where a table is large.

    Nor any where one number is infinite, or is whole and too long for a float.
    """
    nothing = dict[int, Feature](), np.empty((0, 0), dtype=np.int32)
    if not 0 < len(frame) < ROWS_TO_ENCODE_IN_THREADS:
        return nothing
    place_of = {name: place for place, name in enumerate(frame.columns.tolist())}
    is_number = _are_numbers(frame) if cells is None else [True] * len(cells)
    chosen = [
        i for i, name in enumerate(names) if is_number[place_of[name]] and kinds.get(name, "numeric") == "numeric"
    ]
    if not chosen:
        return nothing
    places = [place_of[names[i]] for i in chosen]
    is_side_by_side = places == list(range(places[0], places[-1] + 1))
    wanted = slice(places[0], places[-1] + 1) if is_side_by_side else places
    cells = frame.iloc[:, wanted].to_numpy().T if cells is None else cells[wanted]
    codes = np.empty((len(chosen), len(frame) if rows is None else len(rows)), dtype=np.int32)
    step = max(1, CELLS_AT_ONCE // len(frame))

    def encode_some(first: int) -> list[NDArray[np.float64]]:
        some = cells[first : first + step]
        numbers = some.astype(np.float64) if rows is None else some[:, rows].astype(np.float64, copy=False)
        return rank_codes_of_all(np.ascontiguousarray(numbers), codes[first : first + step])

    parts = by_all_threads(encode_some, range(0, len(chosen), step), step * len(frame))
    values = [known for part in parts for known in part]
    if any(known.size and max(-known[0], known[-1]) >= EXACT_WHOLE for known in values):
        return nothing
    return {i: Feature(names[i], "numeric", known) for i, known in zip(chosen, values, strict=True)}, codes


def encode_target(
    frame: pd.DataFrame,
    target: str,
    kind: Kind | None,
    rows: NDArray[np.intp] | None = None,
    cells: NDArray[np.generic] | None = None,
) -> tuple[Feature, NDArray[np.int32]]:
    """The target as a feature and codes; a few whole numbers are taken as classes unless `kind` is given.

    `rows` None stands for all; `cells` are the `cells_of_numbers` of the frame.
    """
    if cells is not None and rows is None and kind in (None, "categorical"):
        few = factorize_few(cells[frame.columns.tolist().index(target)])
        if few is not None and _are_classes(few[1], kind, int(np.count_nonzero(few[0] >= 0))):
            codes, numbers = few[0].astype(np.int32), few[1]
            codes[codes < 0] = len(numbers)
            return Feature(target, "categorical", categories=tuple(map(int, numbers))), codes
    if kind == "ordered":
        kind = declared_order(frame[target])
    kind = kind.levels if isinstance(kind, Ordered) else kind
    column = frame[target] if rows is None else frame[target].iloc[rows]
    if kind is None and _is_plain_number(column, None) and _few_whole_numbers(column):
        kind = "categorical"
    features, codes_of = encode_columns([column], {} if kind is None else {target: kind}, rows)
    if kind is None and _holds_classes_as_text(features[0], codes_of[0], column):
        features, codes_of = encode_columns([column], {target: "categorical"}, rows)
    return features[0], codes_of[0]


def _holds_classes_as_text(feature: Feature, codes: NDArray[np.int32], column: pd.Series) -> bool:
    """Whether numbers that are written as text are classes, by the rule of numbers."""
    if feature.kind != "numeric" or _measured(column) is not None:
        return False
    return _are_classes(feature.values, None, int(np.count_nonzero(codes < feature.n_values)))


def _few_whole_numbers(column: pd.Series) -> bool:
    if len(column) > 1000 and column.iloc[:1000].nunique() > 10:
        return False  # without a look at all rows
    known = column.dropna()
    return _are_classes(known.unique(), None, len(known))


def _are_classes(distinct: Sequence[float] | NDArray[np.generic], kind: Kind | None, n_known: int) -> bool:
    """Whether these are whole numbers, and few beside so many cells, if the column is not known to be categorical."""
    whole = len(distinct) > 0 and all(float(value).is_integer() for value in distinct[:1000])
    return whole and (kind is not None or len(distinct) <= max(2, min(10, n_known // 2)))


def _is_plain_number(column: pd.Series, kind: Kind | None) -> bool:
    number = getattr(column.dtype, "kind", "") in ("i", "u", "f")
    return number and (kind == "numeric" or (kind is None and not _beyond_float(column)))


def _beyond_float(column: pd.Series) -> bool:
    """Whether whole numbers are too long for a float (19-digit ids): they are then names, not quantities."""
    if column.dtype.kind not in ("i", "u"):
        return False
    known = column.dropna()
    if not len(known) or max(abs(int(known.max())), abs(int(known.min()))) <= EXACT_WHOLE:
        return False
    return any(is_rounded(int(number)) for number in known.unique())


def rounded_example(column: pd.Series) -> Value | None:
    """A value of a column that is a number too long for a float, None without any.

    >>> rounded_example(pd.Series(["12345678901234567890", "12345678901234567891"]))
    '12345678901234567890'
    """
    if column.dtype.kind in ("i", "u"):
        values = [int(number) for number in column.dropna().unique()] if _beyond_float(column) else []
        return next(filter(is_rounded, values), None)
    if column.dtype.kind in ("f", "b", "M"):
        return None
    return next(filter(is_rounded, distinct_cells(SourceColumn(column))[1]), None)


def refuse_infinite(numbers: NDArray[np.float64], source: SourceColumn) -> None:
    """ColumnError for ±infinity, naming the first row."""
    bad = np.isinf(numbers)
    if bad.any():
        text = message(
            "Column '{column}' has an infinite number (row {row:,}): correct it or leave the cell empty.",
            column=source.name,
            row=source.row(int(np.flatnonzero(bad)[0])),
        )
        raise source.error(text, bad)


def _encode_column_of_numbers(source: SourceColumn, codes: NDArray[np.int32], room: NDArray[np.float64]) -> Feature:
    """As `_encode_numbers` in this room [3, n]; a long list of values is left to be made when it is asked for."""
    room[0] = floats_of(source.column)
    feature = _encode_numbers(room[0], source, codes, room[1:])
    is_long = ROWS_TO_ENCODE_IN_THREADS <= len(codes) < 2 * feature.n_values
    if is_long and source.rows is None:
        return replace(feature, listed=LateValues(source.column, codes, feature.n_values))
    return replace(feature, listed=feature.values.copy())


def _encode_numbers(
    numbers: NDArray[np.float64],
    source: SourceColumn,
    codes: NDArray[np.int32],
    room: NDArray[np.float64] | None = None,
) -> Feature:
    """A numeric feature, its codes written into `codes`."""
    refuse_infinite(numbers, source)
    return Feature(source.name, "numeric", rank_codes(numbers, codes, room))


def _encode_other(source: SourceColumn, kind: Kind | None) -> tuple[Feature, NDArray[np.int32]]:
    """Text, truth values, dates, durations, mixed cells, and numbers that are to be categories or levels."""
    if kind == "ordered":
        kind = declared_order(source.column)
    if isinstance(kind, Ordered):
        codes, cells = distinct_cells(source, kind.levels)
        codes, _ = _reorder(*alike(codes, cells), kind.levels, source)
        ranks = np.append(np.arange(1.0, len(kind.levels) + 1.0), np.nan)
        feature, codes = _encode_single_numbers(ranks[codes], source)
        return replace(feature, scale=kind), codes
    if kind in (None, "numeric") and (measured := _measured(source.column)) is not None:
        return _encode_single_numbers(measured, source)
    order = None if kind is None or isinstance(kind, str) else kind
    codes, values = distinct_cells(source, ALL_TEXTS if order is None else order)
    if kind == "numeric" or (kind is None and not _is_declared(source.column)):
        numbers = _as_numbers(values, kind)
        if numbers is not None:
            bad = [i for i in np.flatnonzero(np.isnan(numbers)) if not is_mark(values[i])]
            _refuse_text(np.isin(codes, bad), source)
            return _encode_single_numbers(np.append(numbers, np.nan)[codes], source)
    elif isinstance(kind, str) and kind != "categorical":
        raise InputError(
            message(
                "The type of column '{column}' is {type!r}: use 'numeric', 'categorical', 'ordered' or a list of "
                "values.",
                column=source.name,
                type=kind,
            )
        )
    if order is None and any(map(is_mark, values)) and _as_numbers(values, None) is not None:
        codes, values = distinct_cells(source)  # a mark among numbers is a missing cell
    codes, categories = alike(codes, values)
    if order is not None:
        codes, categories = _reorder(codes, categories, order, source)
    elif levels := _ordered_levels(source.column, categories):
        codes, categories = _reorder(codes, categories, levels, source)
    return Feature(source.name, "categorical", categories=tuple(categories)), codes


def declared_order(column: pd.Series) -> Ordered:
    """The levels that a column's type puts in order. Raises InputError where it has no order."""
    levels = order_of(column)
    if not levels:
        text = message(
            "Column '{column}' has no order of its own: give its levels, the lowest first.", column=column.name
        )
        raise InputError(text)
    return Ordered(level for name in levels if (level := clean_value(name, ALL_TEXTS)) is not None)


def ranks_of_levels(column: pd.Series, order: Ordered) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
    """The ranks of a new table's cells, ascending, inf for levels that are unknown, and the place [n] of every cell's.

    Missing cells have the place after all.

    >>> ranks, places = ranks_of_levels(pd.Series(["low", "low?", None, "high"]), Ordered(["low", "high"]))
    >>> ranks.tolist(), places.tolist()
    ([1.0, 2.0, inf], [0, 2, 3, 1])
    """
    codes, cells = distinct_cells(SourceColumn(column), order.levels)
    known = [order.rank(cell) for cell in cells]
    ranks, place = np.unique(np.array([np.inf if rank is None else rank for rank in known]), return_inverse=True)
    return ranks, np.append(place, len(ranks)).astype(np.int32)[codes]


def _is_declared(column: pd.Series) -> bool:
    """Whether a column's type lists its categories, which are then no numbers, whatever they look like."""
    return isinstance(column.dtype, pd.CategoricalDtype)


def _ordered_levels(column: pd.Series, categories: Sequence[Value]) -> list[Value]:
    """The categories in the order that the column's type gives them; none where it gives no order."""
    present = set(map(str, categories))
    levels = [clean_value(level, ALL_TEXTS) for level in order_of(column)]
    return [level for level in levels if level is not None and str(level) in present]


def dates_among(features: Sequence[Feature], frame: pd.DataFrame) -> tuple[str, ...]:
    """The numeric features whose numbers are days since 1970-01-01, in the order of the frame they were made from."""
    numeric = {feature.name for feature in features if feature.kind == "numeric"}
    may_be = [name for name, dtype in zip(frame.columns, frame.dtypes, strict=True) if dtype.kind not in "biuf"]
    return tuple(str(name) for name in may_be if name in numeric and holds_dates(frame[name]))


def holds_dates(column: pd.Series) -> bool:
    """Whether the numbers of a numeric column are days since 1970-01-01."""
    if pd.api.types.is_datetime64_any_dtype(column.dtype):
        return True
    return column.dtype == object and pd.api.types.infer_dtype(column, skipna=True) in _DATES


_DATES = ("date", "datetime", "datetime64")
"""What pandas calls a column of objects that are dates."""


def _measured(column: pd.Series) -> NDArray[np.float64] | None:
    """Dates as days since 1970-01-01 and durations as seconds; None for a column of anything else."""
    if pd.api.types.is_datetime64_any_dtype(column.dtype):
        return _days(column)
    if pd.api.types.is_timedelta64_dtype(column.dtype):
        return _seconds(column)
    if column.dtype != object:
        return None
    first = next((cell for cell in column if not is_missing(cell)), None)
    if not isinstance(first, datetime.date | datetime.timedelta | np.datetime64 | np.timedelta64):
        return None
    inferred = pd.api.types.infer_dtype(column, skipna=True)
    if inferred in _DATES:
        return _days(column)
    return _seconds(column) if inferred in ("timedelta", "timedelta64") else None


def _as_numbers(values: Sequence[Value], kind: Kind | None) -> NDArray[np.float64] | None:
    """The values as numbers, nan for text; None where a column of unknown kind holds names.

    Such a column is numeric if all its values are plain numbers, but for marks of missing cells. Where numbers are
    asked for, truth values are 1 and 0.
    """
    if kind is None:
        known = [value for value in values if not is_mark(value)]
        if not known or not is_quantity(known[0]) or not all(map(is_quantity, known)):
            return None
    numbers = [float(value) if isinstance(value, bool) and kind == "numeric" else as_number(value) for value in values]
    return np.array(numbers, dtype=np.float64)


def _days(column: pd.Series) -> NDArray[np.float64]:
    """Dates as days since 1970-01-01, to the microsecond, which is less than a float tells apart today."""
    stamps = pd.to_datetime(column, utc=True).dt.as_unit("us")
    days = (stamps - pd.Timestamp("1970-01-01", tz="UTC")) / pd.Timedelta(days=1)
    return np.asarray(days, dtype=np.float64)


def _seconds(column: pd.Series) -> NDArray[np.float64]:
    """Durations as seconds."""
    return np.asarray(pd.to_timedelta(column) / pd.Timedelta(seconds=1), dtype=np.float64)


def _encode_single_numbers(numbers: NDArray[np.float64], source: SourceColumn) -> tuple[Feature, NDArray[np.int32]]:
    codes = np.empty(len(numbers), dtype=np.int32)
    return _encode_numbers(numbers, source, codes), codes


def _refuse_text(bad: NDArray[np.bool_], source: SourceColumn) -> None:
    """ColumnError for cells that are not numbers."""
    if not bad.any():
        return
    cells, count = source.cells(bad), int(bad.sum())
    text = plural(
        count,
        "Column '{column}' has {n:,} value that is not a number (row {rows}: '{example}'). Correct it, or make the "
        "column categorical.",
        "Column '{column}' has {n:,} values that are not numbers (rows {rows}; the first is '{example}'). Correct "
        "them, or make the column categorical.",
        column=source.name,
        rows=rows_text(cells, count),
        example=cells[0][1][:40],
    )
    raise source.error(text, bad)


def _reorder(
    codes: NDArray[np.int32], categories: Sequence[Value], order: Sequence[Value], source: SourceColumn
) -> tuple[NDArray[np.int32], list[Value]]:
    """Codes by a given order of categories, which may list values that no row has."""
    given = list(dict.fromkeys(value for name in order if (value := clean_value(name, order)) is not None))
    _, wanted = alike(np.arange(len(given), dtype=np.int32), given)
    position = positions_of(wanted)
    to = [position(value) for value in categories]
    unknown = [i for i, which in enumerate(to) if which is None]
    if unknown:
        named = listing(f"'{categories[i]}'" for i in unknown[:5])
        text = message(
            "Column '{column}' has {values}, not in the order given for it: add the value or correct it.",
            column=source.name,
            values=named,
        )
        raise source.error(text, np.isin(codes, unknown))
    return np.array([*to, len(wanted)], dtype=np.int32)[codes], wanted


def with_text_names(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame with names of columns as text (a frame made of an array numbers its columns)."""
    if all(isinstance(name, str) for name in frame.columns.tolist()):
        return frame
    return frame.set_axis([str(name) for name in frame.columns], axis=1)
