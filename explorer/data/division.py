"""How rows are divided wherever some are held out: at random, by group, or by time (DEFINITIONS section 8).

Whole groups are dealt out as by scikit-learn's StratifiedGroupKFold, largest differences first; folds by time are those
of its TimeSeriesSplit, with all rows of one time in one fold.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from explorer.data.codes.dates import EPOCH, days_to
from explorer.data.encode import encode_columns, holds_dates
from explorer.data.notes import Note
from explorer.errors import ColumnError, InputError
from explorer.messages import listing, message, plural
from explorer.ranges import checked_seed, is_whole
from explorer.values import Value

NEVER = -1
"""The fold of rows that are never held out: those before the first fold by time."""
GROUPS, TIME = "groups", "time"
MOST_PARTS = 3
"""Training, validation and test set."""
_PART_NAMES = ("tra", "val", "tes")
"""What names of these sets begin with."""


@dataclass(frozen=True, eq=False)
class Division:
    """Rows that stay together: `kind` "groups", or "time", where later rows are held out and earlier ones are trained.

    `units` [n] number the group of each row, or its time among `times`, the times of the whole table in ascending
    order; `column` names them. Dates are days since 1970-01-01. The rows trained on before a fold end `gap` rows before
    it and are at most `max_train_size`; of no time only a part of the rows is taken.
    """

    kind: str
    column: str
    units: NDArray[np.int64]
    times: NDArray[np.float64]
    are_dates: bool = False
    max_train_size: int | None = None
    gap: int = 0

    @cached_property
    def _numbered(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        _, codes, counts = np.unique(self.units, return_inverse=True, return_counts=True)
        return codes.astype(np.int64), counts.astype(np.int64)

    @property
    def name(self) -> str:
        """What sentences call the column."""
        return self.column or self.kind

    @property
    def codes(self) -> NDArray[np.int64]:
        """The group or time of each row among those that these rows have, from 0 on, [n]."""
        return self._numbered[0]

    @property
    def counts(self) -> NDArray[np.int64]:
        """The number of rows of each group, or time."""
        return self._numbered[1]

    def take(self, rows: NDArray[np.intp]) -> Division:
        """The same of some rows."""
        return replace(self, units=self.units[rows])

    def parts(self, y: NDArray[np.int32] | None, shares: Sequence[float], seed: int) -> NDArray[np.int64]:
        """The set of every row, 0 to len(shares), whose classes are `y` (None: numbers)."""
        n_parts = len(shares) + 1
        self.check_count(n_parts)
        if self.kind == TIME:
            targets = np.cumsum(shares) * len(self.codes)
            return self._cut(targets)
        return self._dealt(y, np.array([*shares, 1.0 - sum(shares)]) * n_parts, seed)

    def folds(self, y: NDArray[np.int32] | None, folds: int, seed: int) -> NDArray[np.int64]:
        """The fold of every row, 0 to folds − 1; by time the rows before the first fold are in none (`NEVER`)."""
        self.check_count(folds + (self.kind == TIME))
        if self.kind == GROUPS:
            return self._dealt(y, np.ones(folds), seed)
        n_rows = len(self.codes)
        return self._cut(n_rows - np.arange(folds, 0, -1) * (n_rows // (folds + 1))) - 1

    def with_window(self, max_train_size: int | None, gap: int) -> Division:
        """The same with a window of training rows; raises InputError."""
        if not is_whole(gap, 0) or not (max_train_size is None or is_whole(max_train_size, 1)):
            raise InputError(
                message(
                    "The gap is {gap!r} and the largest training set {size!r}: give whole numbers of rows, from 0 and "
                    "from 1 on.",
                    gap=gap,
                    size=max_train_size,
                )
            )
        return replace(self, max_train_size=max_train_size, gap=gap)

    def trained_before(self, held_out: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """The rows that a fold's tree grows on: all before its first time, or those of the window, [n]."""
        ends = np.cumsum(self.counts)
        first = int(self.codes[held_out].min())
        before = int(ends[first - 1]) if first else 0
        last = int(np.searchsorted(ends, before - self.gap, side="right"))  # times that end before the gap
        most = before if self.max_train_size is None else self.max_train_size
        end = int(ends[last - 1]) if last else 0
        begin = int(np.searchsorted(ends - self.counts, end - most, side="left"))
        if begin >= last:
            raise InputError(
                message(
                    "No row of '{column}' is left to grow on before a fold: make the gap smaller, the training set "
                    "larger, or take fewer folds.",
                    column=self.name,
                )
            )
        return (self.codes >= begin) & (self.codes < last)

    def cut_at(self, values: Sequence[object]) -> NDArray[np.int64]:
        """The set of every row: those before the first value, from it on to before the second, and from that on."""
        cuts = np.array([self._time(value) for value in values])
        if (np.diff(cuts) <= 0).any():
            raise InputError(message("The times to split at do not ascend: give the earlier one first."))
        part = np.searchsorted(cuts, self.times[self.units], side="right")
        for number in range(len(values) + 1):
            if not (part == number).any():
                raise InputError(
                    message(
                        "No row of '{column}' is in set {set} of {sets}: choose another time to split at.",
                        column=self.name,
                        set=number + 1,
                        sets=len(values) + 1,
                    )
                )
        return part.astype(np.int64)

    def check_whole(self, part: NDArray[np.int64]) -> None:
        """InputError where a group has rows in two of these parts [n], or rows of an earlier part come later."""
        first, last = np.full(len(self.counts), np.iinfo(np.int64).max), np.full(len(self.counts), -1)
        np.minimum.at(first, self.codes, part)
        np.maximum.at(last, self.codes, part)
        if self.kind == GROUPS and (first < last).any():
            raise InputError(
                message("A group of '{column}' has rows in two parts: keep its rows together.", column=self.name)
            )
        if self.kind == TIME and (np.maximum.accumulate(last)[:-1] > first[1:]).any() | (first < last).any():
            raise InputError(
                message(
                    "The parts do not follow each other in the time of '{column}': keep earlier rows in earlier parts.",
                    column=self.name,
                )
            )

    def _time(self, value: object) -> float:
        """A time as the column's numbers."""
        try:
            if self.are_dates:
                moment = pd.Timestamp(value)  # type: ignore[arg-type]
                moment = moment if moment.tzinfo is None else moment.tz_convert("UTC").tz_localize(None)
                number = (moment - pd.Timestamp(0)) / pd.Timedelta(days=1)
            else:
                number = float(value)  # type: ignore[arg-type]
        except (ValueError, TypeError, OverflowError):
            number = np.nan
        if not np.isfinite(number):
            raise InputError(
                message("'{value}' is no date, such as 2024-12-31: correct it.", value=value)
                if self.are_dates
                else message("'{value}' is no number, such as 2024: correct it.", value=value)
            )
        return float(number)

    def check_count(self, needed: int) -> None:
        """InputError unless there are so many groups, or times."""
        if len(self.counts) >= needed:
            return
        raise InputError(
            plural(
                len(self.counts),
                "Column '{column}' has {n:,} value in these rows, and {needed:,} are needed: hold out fewer parts, or "
                "choose another column.",
                "Column '{column}' has {n:,} values in these rows, and {needed:,} are needed: hold out fewer parts, or "
                "choose another column.",
                column=self.name,
                needed=needed,
            )
        )

    def _cut(self, targets: NDArray[np.number]) -> NDArray[np.int64]:
        """The rows in order of time, cut where one time ends, as near as possible to these numbers of rows."""
        ends, least = np.cumsum(self.counts), 0
        n_times = len(ends)
        part_of_time = np.zeros(n_times, dtype=np.int64)
        for number, target in enumerate(targets):
            most = n_times - (len(targets) - number)  # one time is left for each part to come
            cut = least + int(np.argmin(np.abs(ends[least:most] - target)))
            part_of_time[cut + 1 :] += 1
            least = cut + 1
        return part_of_time[self.codes]

    def _dealt(self, y: NDArray[np.int32] | None, shares: NDArray[np.float64], seed: int) -> NDArray[np.int64]:
        """Whole groups dealt out to parts of these relative sizes [P] whose mean is 1; no part stays empty."""
        n_groups, n_parts = len(self.counts), len(shares)
        classes = np.zeros(len(self.codes), dtype=np.int64) if y is None else np.unique(y, return_inverse=True)[1]
        n_classes = int(classes.max()) + 1
        counts = np.bincount(self.codes * n_classes + classes, minlength=n_groups * n_classes).astype(np.float64)
        counts = counts.reshape(n_groups, n_classes)
        shuffled = _shuffled(n_groups, seed)
        spread = counts.std(axis=1) if n_classes > 1 else self.counts
        order = shuffled[np.argsort(-spread[shuffled], kind="stable")]
        wanted, in_parts = counts.sum(axis=0) * shares[:, None], np.zeros((n_parts, n_classes))
        part_of_group, each = np.empty(n_groups, dtype=np.int64), np.eye(n_parts)[:, :, None]
        for done, group in enumerate(order):
            spreads = ((in_parts + each * counts[group]) / wanted).std(axis=1).mean(axis=1)
            sizes = in_parts.sum(axis=1)
            if (sizes == 0).sum() == n_groups - done:
                spreads = np.where(sizes == 0, spreads, np.inf)
            best = _best_part(spreads.tolist(), (sizes / shares).tolist())
            in_parts[best] += counts[group]
            part_of_group[group] = best
        return part_of_group[self.codes]


def _best_part(spreads: list[float], sizes: list[float]) -> int:
    """The part with the least spread over the parts, of those alike the emptiest, as StratifiedGroupKFold decides."""
    best, least, size = 0, np.inf, np.inf
    for part, spread in enumerate(spreads):
        is_alike = abs(spread - least) <= 1e-8 + 1e-5 * abs(least) if np.isfinite(least) else False
        if spread < least or (is_alike and sizes[part] < size):
            best, least, size = part, spread, sizes[part]
    return best


def _shuffled(n: int, seed: int) -> NDArray[np.intp]:
    """0 to n − 1 in the random order in which scikit-learn takes groups."""
    from sklearn.utils import check_random_state

    order = np.arange(n)
    check_random_state(checked_seed(seed)).shuffle(order)
    return order


def division_of(kind: str, cells: pd.Series, is_column: bool = True, days_since: str | None = None) -> Division:
    """The division by a column's cells [n]: rows without a group are one group. Raises InputError.

    Times may be days since a date.
    """
    column, cells = str(cells.name), cells if kind == GROUPS else _as_dates(cells)
    (feature,), codes = encode_columns([cells], {column: "categorical"} if kind == GROUPS else {})
    if kind == GROUPS:
        rank = np.append(np.argsort(_in_order(feature.categories)), feature.n_values)
        return Division(kind, column * is_column, rank[codes[0]].astype(np.int64), np.empty(0))
    if feature.kind != "numeric":
        text = message(
            "Column '{column}' holds neither dates nor numbers, so its rows have no order: convert it first.",
            column=column,
        )
        raise ColumnError(text, column)
    _check_filled(column, codes[0] == feature.n_values)
    times, are_dates = feature.values, holds_dates(cells)
    if days_since and not are_dates:
        times, are_dates = times + days_to(datetime.date.fromisoformat(days_since), EPOCH), True
    return Division(kind, column * is_column, codes[0].astype(np.int64), times, are_dates)


def _check_filled(column: str, is_missing: NDArray[np.bool_]) -> None:
    """ColumnError where a row has no value that says in which set it is."""
    n_missing = int(is_missing.sum())
    if n_missing:
        raise ColumnError(
            plural(
                n_missing,
                "Column '{column}' has no value in {n:,} row, which would be in no set: fill it, or choose another "
                "column.",
                "Column '{column}' has no value in {n:,} rows, which would be in no set: fill them, or choose another "
                "column.",
                column=column,
            ),
            column,
        )


def _as_dates(cells: pd.Series) -> pd.Series:
    """Text such as 2024-12-31 as dates, in UTC where it names a zone; anything else as it is."""
    if not (pd.api.types.is_string_dtype(cells.dtype) and pd.api.types.infer_dtype(cells, skipna=True) == "string"):
        return cells
    try:
        return pd.to_datetime(cells, format="ISO8601", utc=True).dt.tz_localize(None)
    except (ValueError, OverflowError):
        return cells


def _in_order(values: Sequence[Value]) -> list[int]:
    """The positions of values of one column in sorted order, numbers before text."""
    try:
        return sorted(range(len(values)), key=lambda place: (isinstance(values[place], str), values[place]))
    except TypeError:  # of several types
        return sorted(range(len(values)), key=lambda place: str(values[place]))


def cells_of(given: ArrayLike, n_rows: int, kind: str) -> pd.Series:
    """Groups or times given as values, one for every row."""
    cells = pd.Series(given, name=kind)
    if len(cells) != n_rows:
        raise InputError(
            message(
                "These are {values:,} values of {name} for {rows:,} rows: give one for every row.",
                values=len(cells),
                name=kind,
                rows=n_rows,
            )
        )
    return cells.reset_index(drop=True)


def way_of_folds(division: Division | None, folds: int | None = None) -> str:
    """What so many folds are called (None: each row, group or time is left out); `way_text` puts it in words.

    >>> groups = division_of(GROUPS, pd.Series(["a", "b", "a"], name="id"))
    >>> way_of_folds(None), way_of_folds(None, 3), way_of_folds(groups, 2)
    ('leave-one-out', 'cross-validation', 'leave-one-group-out')
    """
    if division is not None and division.kind == TIME:
        return "rolling"
    if division is not None and folds in (None, len(division.counts)):
        return "leave-one-group-out"
    return "leave-one-out" if folds is None else "cross-validation"


def way_text(way: str, folds: int) -> str:
    """So many folds, which `way_of_folds` calls so, in a few words."""
    if way == "rolling":
        return plural(folds, "{n:,} rolling fold", "{n:,} rolling folds")
    if way == "leave-one-group-out":
        return message("leave-one-group-out over {n:,} groups", n=folds)
    if way == "leave-one-out":
        return message("leave-one-out over {rows:,} rows", rows=folds)
    return message("{n}-fold cross-validation", n=folds)


def check_shares(shares: Sequence[float], seed: int) -> None:
    """InputError unless the shares leave a rest, for two or three sets, and the seed suits every generator."""
    if not 1 <= len(shares) <= 2 or not all(0 < share < 1 for share in shares) or sum(shares) >= 1:
        raise InputError(
            message(
                "The shares {shares} do not split a table: give one or two that add up to less than 1.",
                shares=shares,
            )
        )
    checked_seed(seed)


def _too_few_text(n_rows: int, share: float) -> str:
    return plural(
        n_rows,
        "{n:,} row cannot be split {first:.0f} % to {second:.0f} %: give more rows.",
        "{n:,} rows cannot be split {first:.0f} % to {second:.0f} %: give more rows.",
        first=100 * share,
        second=100 * (1 - share),
    )


NOT_STRATIFIED = Note(
    lambda: message("A class is too rare to be in every set, so the split is not stratified by class."), "warning"
)


def random_parts(
    n_rows: int, y: NDArray[np.int32] | None, shares: Sequence[float], seed: int
) -> tuple[list[NDArray[np.intp]], bool]:
    """Positions of the sets, and whether they keep the shares of the classes `y` (None: numbers)."""
    parts, rest, remaining, stratified = [], np.arange(n_rows), 1.0, True
    for share in shares:
        part, rest, is_stratified = _two_parts(rest, y, share / remaining, seed)
        stratified = stratified and is_stratified
        parts.append(np.sort(part))
        remaining -= share
    return [*parts, np.sort(rest)], stratified


def _two_parts(
    rows: NDArray[np.intp], y: NDArray[np.int32] | None, share: float, seed: int
) -> tuple[NDArray[np.intp], NDArray[np.intp], bool]:
    """Two random parts of some rows, and whether they keep the shares of the classes (if there are classes)."""
    from sklearn.model_selection import train_test_split

    size = round(share * len(rows))
    labels = None if y is None else y[rows]
    if labels is not None:
        counts = np.bincount(labels)
        if counts[counts > 0].min() < 2 or min(size, len(rows) - size) < np.count_nonzero(counts):
            labels = None  # a class too rare to be in both parts
    if not 0 < size < len(rows):
        raise InputError(_too_few_text(len(rows), share))
    first, second = train_test_split(rows, train_size=size, random_state=seed, stratify=labels)
    return first, second, y is None or labels is not None


def in_order_of_sets(values: Iterable[Value], first: Sequence[str] = ()) -> list[Value]:
    """The values of a column of sets: those with the texts `first`, then the others, train, valid and test in order.

    >>> in_order_of_sets(["test", "train"]), in_order_of_sets([0, 1], ["1"]), names_sets(["Train", "validation"])
    (['train', 'test'], [1, 0], True)
    """
    return sorted(values, key=lambda value: (str(value) not in first, *_by_name(value, first)))


def names_sets(values: Iterable[Value]) -> bool:
    """Whether every value is called like a set."""
    return all(str(value).lower().startswith(_PART_NAMES) for value in values)


def _by_name(value: Value, first: Sequence[str]) -> tuple[int, str]:
    text = str(value)
    if text in first:
        return first.index(text), text
    named = (place for place, name in enumerate(_PART_NAMES) if text.lower().startswith(name))
    return next(named, len(_PART_NAMES)), text


def parts_by_value(column: str, cells: pd.Series, values: Sequence[Value] | None) -> NDArray[np.int64]:
    """The set of every row by the value of a column: in sorted order or that of `values`. Raises InputError."""
    _check_filled(column, cells.isna().to_numpy())
    found = sorted(cells.unique().tolist(), key=lambda value: (isinstance(value, str), value))
    wanted = found if values is None else list(values)
    if not 2 <= len(found) <= MOST_PARTS or len(wanted) != len(found) or any(value not in wanted for value in found):
        raise ColumnError(
            message(
                "Column '{column}' has the values {values}: a column that names the sets has two or three, and each is "
                "named once.",
                column=column,
                values=listing(map(str, found[:8])),
            ),
            column,
        )
    codes = {value: number for number, value in enumerate(wanted)}
    return np.array([codes[value] for value in cells.tolist()], dtype=np.int64)
