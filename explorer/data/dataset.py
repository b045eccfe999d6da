"""A table → typed, encoded columns with a target and weights, split into sets (DEFINITIONS sections 1 and 9)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from explorer.data.arrow_frame import as_pandas
from explorer.data.class_labels import ClassLabels, renamed_classes
from explorer.data.codes.date_features import with_days_since
from explorer.data.codes.dates import EPOCH
from explorer.data.codes.feature import Feature
from explorer.data.codes.scale import Dates
from explorer.data.codes.target import check_range, check_target
from explorer.data.column_names import check_names
from explorer.data.division import (
    GROUPS,
    NOT_STRATIFIED,
    TIME,
    Division,
    cells_of,
    check_shares,
    division_of,
    parts_by_value,
    random_parts,
)
from explorer.data.encode import Kind, cells_of_numbers, dates_among, encode_frame, encode_target, with_text_names
from explorer.data.notes import ColumnInfo, Note, without_target_text, without_weight_text
from explorer.data.quality import left_out_reason, quality_notes, repeated_id_notes
from explorer.data.row_weights import check_total, row_weights
from explorer.data.source_column import FrameRows
from explorer.errors import InputError
from explorer.formatting import rows as rows_text
from explorer.messages import listing, message
from explorer.ranges import LARGEST_SUMMED
from explorer.values import Value

_Given = str | ArrayLike | None


@dataclass(frozen=True, eq=False)
class Dataset:
    """Rows ready for growing: rank codes [F, n] per feature, a target, and a weight per row (None: all 1).

    `row_numbers` are the rows' positions in the frame they came from.
    """

    target: Feature
    features: tuple[Feature, ...]
    codes: NDArray[np.int32]
    y: NDArray[np.int32] | NDArray[np.float64]
    weights: NDArray[np.float64] | None
    cells: FrameRows = field(repr=False)
    row_numbers: NDArray[np.intp]
    encoded: tuple[tuple[Feature, ...], NDArray[np.int32]] = field(repr=False)
    """All columns that were encoded, those left out too, with the codes of the whole table."""
    weight_column: str | None = None
    dropped: tuple[Note, ...] = ()
    class_labels: ClassLabels = ()
    """The classes that have a label: (value in the table, label) pairs."""
    division: Division | None = None
    """The groups or times of the rows, which every split, fold and resample keeps to; None: each row by itself."""

    @classmethod
    def from_frame(
        cls,
        frame: pd.DataFrame,
        target: str,
        features: Sequence[str] | None = None,
        kinds: Mapping[str, Kind] | None = None,
        weights: str | ArrayLike | None = None,
        classes: Sequence[Value] | None = None,
        progress: Callable[[int, int], None] | None = None,
        groups: str | ArrayLike | None = None,
        time: str | ArrayLike | None = None,
        days_since: Mapping[str, str] | None = None,
    ) -> Dataset:
        """Encode a table once. `frame` may also be a Polars or Arrow table.

        `features` None takes every column that is neither id-like nor constant (if there is one), but for those of
        weights, groups and time. `kinds` maps a column (the target too) to "numeric", "categorical", its
        categories in order, `Ordered` levels, which thresholds split, or "ordered" where its type has their order.
        `weights` is a column's name or n numbers. `groups` or `time` is a column's name or n values: see
        `with_groups` and `with_time`. `days_since` has the date that a numeric column counts days from, as which its
        tests are worded (`Table.days_since`). Rows without a target or of weight 0 are left out, and `notes` says so.
        In a large table `progress(columns done, columns in all)` is called at times and may raise `Stopped`.
        Raises InputError.
        """
        target, given_kinds = str(target), {str(name): kind for name, kind in (kinds or {}).items()}
        features = None if features is None else [str(name) for name in features]
        frame = with_text_names(as_pandas(frame))
        if classes is not None:
            given_kinds[target] = list(classes)
        names = frame.columns.tolist()
        given_names = [name for name in (weights, groups, time) if isinstance(name, str)]
        check_names(names, [target, *(features or ()), *given_kinds, *given_names])
        weight_of_row = row_weights(frame, weights)
        cells = cells_of_numbers(frame)
        target_feature, y = encode_target(frame, target, given_kinds.get(target), cells=cells)
        rows, notes = _usable_rows(y < target_feature.n_values, target, weight_of_row)
        kept = FrameRows(frame)
        if len(rows) < len(frame):
            kept = kept.take(rows)
            target_feature, y = encode_target(frame, target, given_kinds.get(target, target_feature.kind), rows)
        check_target(target_feature)
        others = [name for name in names if name not in (target, *given_names)]
        named = others if features is None else list(dict.fromkeys(features))
        if target in named:
            twice = message(
                "Column '{column}' is the target and a feature at once: take it out of the features.", column=target
            )
            raise InputError(twice)
        columns, codes = encode_frame(kept.whole, named, given_kinds, kept.rows, cells, progress=progress)
        dates = dict.fromkeys(dates_among(columns, kept.whole), EPOCH) | dict(days_since or {})
        encoded = with_days_since(columns, dates) if dates else tuple(columns)
        chosen = _choose(encoded, codes, target, features is not None)
        data = cls(
            target=target_feature,
            features=tuple(encoded[i] for i in chosen),
            codes=codes if len(chosen) == len(encoded) else codes[chosen],
            y=target_feature.values[y] if target_feature.kind == "numeric" else y,
            weights=None if weight_of_row is None else weight_of_row[rows],
            cells=kept,
            row_numbers=rows,
            encoded=(encoded, codes),
            weight_column=weights if isinstance(weights, str) else None,
            dropped=notes,
        )
        return data._divided(groups, time, len(frame), days_since or {})

    def _divided(self, groups: _Given, time: _Given, n_rows: int, since: Mapping[str, str]) -> Dataset:
        """The same with groups or times, given for the whole table of so many rows."""
        if groups is not None and time is not None:
            raise InputError(message("Rows are divided by groups or by time, not by both: give one of them."))
        given, kind = (groups, GROUPS) if time is None else (time, TIME)
        if given is None:
            return self
        if isinstance(given, str):
            return self._with_division(kind, given, since.get(given))
        return self._with_division(kind, cells_of(given, n_rows, kind).to_numpy()[self.row_numbers])

    @property
    def frame(self) -> pd.DataFrame:
        """The rows as they are in the table."""
        return self.cells.frame

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return len(self.y)

    @property
    def is_regression(self) -> bool:
        """Whether the target is numeric."""
        return self.target.kind == "numeric"

    @property
    def classes(self) -> tuple[Value, ...]:
        """The target's classes in order; empty for a numeric target."""
        return self.target.categories

    @cached_property
    def date_columns(self) -> tuple[str, ...]:
        """The numeric features whose numbers are days since 1970-01-01."""
        return dates_among(self.features, self.cells.whole)

    @property
    def days_since(self) -> dict[str, str]:
        """The date that each other feature counts days from, as `from_frame` takes it."""
        counted = {each.name: each.scale.since[:10] for each in self.features if isinstance(each.scale, Dates)}
        return {name: since for name, since in counted.items() if name not in self.date_columns}

    @cached_property
    def columns(self) -> tuple[ColumnInfo, ...]:
        """The facts of every column of the table: its role, and why it was left out, if it was."""
        used = {feature.name for feature in self.features}
        roles = {self.weight_column: "weight"} | ({self.division.column: self.division.kind} if self.division else {})
        encoded = {feature.name: (feature, codes) for feature, codes in zip(*self.encoded, strict=True)}
        lines = []
        for name in self.cells.columns:
            role = "feature" if name in used else roles.get(name, "left out")
            if name == self.target.name:
                lines.append(ColumnInfo(name, "target", self.target.kind, self.target.n_values, 0))
            elif name in encoded:
                feature, codes = encoded[name]
                missing, reason = int((codes == feature.n_values).sum()), left_out_reason(feature, codes) or ""
                lines.append(ColumnInfo(name, role, feature.type, feature.n_values, missing, reason))
            else:
                lines.append(ColumnInfo(name, role, "", 0, 0, _not_chosen_text if role == "left out" else ""))
        return tuple(lines)

    @cached_property
    def notes(self) -> tuple[Note, ...]:
        """What a reader should know of the table: rows and columns left out, duplicates, suspicious features."""
        found = quality_notes(self.target, self.features, self.codes, self.y, self.columns, self.cells)
        if self.division is None:
            found += repeated_id_notes(*self.encoded)
        return (*self.dropped, *self._label_notes(), *found)

    def _label_notes(self) -> tuple[Note, ...]:
        """A note on the labels of the classes, if there are any."""
        if not self.class_labels:
            return ()
        listed = listing(f"{value} → {label}" for value, label in self.class_labels)
        text = message("The classes of '{target}' have labels: {labels}.", target=self.target.name, labels=listed)
        return (Note(text, "info", (self.target.name,)),)

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of everything a tree can depend on: names, kinds, values, codes, target, weights."""
        digest = hashlib.sha256()
        for feature in (self.target, *self.features):
            digest.update(repr((feature.name, feature.kind, feature.categories)).encode())
            digest.update(np.ascontiguousarray(feature.listed).data)
            digest.update(str(feature.scale.to_plain() or "").encode())
        for array in (self.codes, self.y, self.row_numbers, self.weights):
            if array is not None:
                digest.update(repr(array.shape).encode())
                digest.update(np.ascontiguousarray(array).data)
        if self.division is not None:
            digest.update(self.division.kind.encode())
            digest.update(np.ascontiguousarray(self.division.units).data)
            window = (self.division.max_train_size, self.division.gap)
            digest.update(repr(window).encode() if window != (None, 0) else b"")
        if self.class_labels:
            digest.update(repr(self.class_labels).encode())
        return digest.hexdigest()

    def weight_of_rows(self) -> NDArray[np.float64]:
        """The weight of every row, [n]."""
        return np.ones(self.n_rows) if self.weights is None else self.weights

    def with_class_labels(self, labels: Mapping[Value, str]) -> Dataset:
        """The same rows with classes renamed: {class, or its text: label}; order and codes stay.

        Trees grown on it predict the labels, and a recipe's class weights and costs name them. `class_labels` keeps
        the values of the table, which the target of a second table is read by. Raises InputError for a class that the
        target does not have, and for a label that two classes would share.

        >>> frame = pd.DataFrame({"sex": ["male", "female", "male"], "survived": [0, 1, 0]})
        >>> data = Dataset.from_frame(frame, "survived").with_class_labels({"0": "died", "1": "survived"})
        >>> data.classes, data.y.tolist(), data.class_labels
        (('died', 'survived'), [0, 1, 0], ((0, 'died'), (1, 'survived')))
        """
        name = self.target.name
        if self.is_regression:
            raise InputError(
                message("The target '{target}' is numeric and has no classes: make it categorical.", target=name)
            )
        classes, class_labels = renamed_classes(name, self.classes, labels, self.class_labels)
        frame = self.frame.copy(deep=False)
        frame[name] = np.array(classes, dtype=object)[self.y]
        target = replace(self.target, categories=classes)
        return replace(self, target=target, cells=FrameRows(frame), class_labels=class_labels)

    def take(self, row_numbers: ArrayLike) -> Dataset:
        """The rows at these positions, or where a mask is true; classes, categories and values keep their order."""
        rows = _positions(row_numbers, self.n_rows)
        return replace(
            self,
            codes=np.take(self.codes, rows, axis=1),  # column by column, as loops read them
            y=self.y[rows],
            weights=None if self.weights is None else self.weights[rows],
            cells=self.cells.take(rows),
            row_numbers=self.row_numbers[rows],
            division=None if self.division is None else self.division.take(rows),
        )

    def with_weights(self, weights: ArrayLike) -> Dataset:
        """The same rows with other weights [n]; rows of weight 0 are left out, as by `take`.

        Weights that are all 1 are none: the rows count as they do in a table without weights.
        Raises InputError unless all weights are finite, none is negative, one is above 0, and the sum is not huge.

        >>> data = Dataset.from_frame(pd.DataFrame({"x": [1, 2, 3], "y": ["a", "b", "a"]}), "y")
        >>> twice = data.with_weights([2, 1, 0])
        >>> twice.weights.tolist(), twice.row_numbers.tolist()
        ([2.0, 1.0], [0, 1])
        """
        numbers = _finite_numbers(weights, self.n_rows, message("weights"))
        if (numbers < 0).any() or not (numbers > 0).any():
            raise InputError(message("Weights must not be negative, and one must be above 0: correct them."))
        check_total(numbers)
        used = numbers > 0
        rows, used_weights = self if used.all() else self.take(used), numbers[used]
        return replace(rows, weights=None if (used_weights == 1).all() else used_weights)

    def with_target(self, values: ArrayLike, name: str | None = None) -> Dataset:
        """The same rows and features with a numeric target of these values [n], such as the residuals of boosting.

        `name` None keeps the name of the target. Raises InputError for values that are not finite or too large.

        >>> data = Dataset.from_frame(pd.DataFrame({"x": [1, 2, 3], "y": ["a", "b", "a"]}), "y")
        >>> residuals = data.with_target([0.5, -1.0, 0.5])
        >>> residuals.is_regression, residuals.y.tolist()
        (True, [0.5, -1.0, 0.5])
        """
        numbers = _finite_numbers(values, self.n_rows, message("target values"))
        target = Feature(self.target.name if name is None else name, "numeric", np.unique(numbers))
        if target.n_values and np.abs(target.values[[0, -1]]).max() > LARGEST_SUMMED:
            check_range(target)
        return replace(self, target=target, y=numbers, class_labels=())

    def with_groups(self, groups: str | ArrayLike) -> Dataset:
        """The same rows in groups, such as customers: a column's name, or a value for every row.

        From then on no group is in two parts: of `split`, of folds, of a bootstrap sample and the rows out of bag. Rows
        without a value are one group. Raises InputError.

        >>> visits = pd.DataFrame({"x": [1, 2, 3, 4], "id": [7, 7, 8, 8], "ill": ["no", "yes", "no", "yes"]})
        >>> data = Dataset.from_frame(visits, "ill", groups="id")
        >>> [feature.name for feature in data.features], [part.n_rows for part in data.split(0.3)]
        (['x'], [2, 2])
        """
        return self._with_division(GROUPS, groups)

    def with_time(self, time: str | ArrayLike, *, max_train_size: int | None = None, gap: int = 0) -> Dataset:
        """The same rows in order of time: a column's name (dates or numbers), or a value for every row.

        From then on sets and folds are held out that come after the rows trained on. `gap` rows before a fold are left
        out of its training rows, of which at most the last `max_train_size` are taken, as by scikit-learn's
        TimeSeriesSplit. Raises InputError.

        >>> sales = pd.DataFrame({"x": [1, 2, 3, 4], "year": [2024, 2021, 2023, 2022], "y": [5.5, 6.0, 7.0, 8.0]})
        >>> [part.frame["year"].tolist() for part in Dataset.from_frame(sales, "y").with_time("year").split(0.5)]
        [[2021, 2022], [2024, 2023]]
        """
        timed = self._with_division(TIME, time)
        assert timed.division is not None
        return replace(timed, division=timed.division.with_window(max_train_size, gap))

    def _with_division(self, kind: str, given: str | ArrayLike, since: str | None = None) -> Dataset:
        if isinstance(given, str):
            since = since or self.days_since.get(given)
            return replace(self, division=division_of(kind, self._dividing_cells(given), days_since=since))
        return replace(self, division=division_of(kind, cells_of(given, self.n_rows, kind), is_column=False))

    def _dividing_cells(self, column: str) -> pd.Series:
        """The cells of a column that is to divide the rows, which the target cannot."""
        check_names(self.cells.columns.tolist(), [column])
        if column == self.target.name:
            raise InputError(message("Column '{column}' is the target, so it cannot divide the rows.", column=column))
        return self.cells[column]

    @property
    def _groups(self) -> Division | None:
        return self.division if self.division is not None and self.division.kind == GROUPS else None

    @property
    def n_units(self) -> int:
        """What samples are drawn from: the number of groups, or of rows where there are none."""
        return self.n_rows if self._groups is None else len(self._groups.counts)

    def of_units(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """A value for every row from one for every group, or the same where rows are in no groups."""
        return values if self._groups is None else values[self._groups.codes]

    def split(self, *shares: float, seed: int = 0) -> tuple[Dataset, ...]:
        """Split the rows into sets of the given shares and a last set of the rest, stratified and seeded.

        `split(0.7)` gives a training and a validation set, `split(0.6, 0.2)` a training, a validation and a test set.
        Groups stay whole, and rows with a time are split in its order: see `with_groups` and `with_time`.
        """
        check_shares(shares, seed)
        y = None if self.is_regression else np.asarray(self.y, dtype=np.int32)
        if self.division is not None:
            return self._parts(self.division.parts(y, shares, int(seed)))
        parts, is_stratified = random_parts(self.n_rows, y, shares, int(seed))
        parent = self if is_stratified else replace(self, dropped=(*self.dropped, NOT_STRATIFIED))
        return tuple(parent.take(part) for part in parts)

    def split_at(self, *times: object) -> tuple[Dataset, ...]:
        """Split rows with a time into those before a date (or number) and those from it on; two give three sets.

        >>> sales = pd.DataFrame({"x": [1, 2, 3, 4], "year": [2024, 2021, 2023, 2022], "y": [5.5, 6.0, 7.0, 8.0]})
        >>> [part.frame["year"].tolist() for part in Dataset.from_frame(sales, "y", time="year").split_at(2024)]
        [[2021, 2023, 2022], [2024]]
        """
        if self.division is None or self.division.kind != TIME:
            raise InputError(message("The rows have no time to split at: name a column by `with_time`."))
        if not 1 <= len(times) <= 2:
            raise InputError(message("Split at one time or two, not at {n}.", n=len(times)))
        return self._parts(self.division.cut_at(times))

    def split_by(self, column: str, values: Sequence[Value] | None = None) -> tuple[Dataset, ...]:
        """Split the rows by a column of two or three values: one set per value, in sorted order or that of `values`.

        The column is no feature then. Raises InputError, also where a group has rows in two sets.

        >>> frame = pd.DataFrame({"x": [1, 1, 2, 2], "set": ["new", "old", "old", "old"], "y": ["a", "b", "a", "b"]})
        >>> train, valid = Dataset.from_frame(frame, "y").split_by("set", ["old", "new"])
        >>> train.n_rows, valid.n_rows, [feature.name for feature in train.features]
        (3, 1, ['x'])
        """
        part = parts_by_value(column, self._dividing_cells(column), values)
        if self.division is not None:
            self.division.check_whole(part)
        return self.without_feature(column)._parts(part)

    def without_feature(self, column: str) -> Dataset:
        """The same without one of the features, if it is one. Raises InputError where none would be left."""
        kept = [position for position, feature in enumerate(self.features) if feature.name != column]
        if not kept:
            raise InputError(message("No feature is left beside '{column}': choose another column.", column=column))
        if len(kept) == len(self.features):
            return self
        return replace(self, features=tuple(self.features[i] for i in kept), codes=self.codes[kept])

    def _parts(self, part: NDArray[np.int64]) -> tuple[Dataset, ...]:
        return tuple(self.take(part == number) for number in range(int(part.max()) + 1))


def _not_chosen_text() -> str:
    return message("not chosen")


def _positions(rows: ArrayLike, n: int) -> NDArray[np.intp]:
    """Row positions from positions or a mask; InputError where they are neither."""
    positions = np.asarray(rows)
    if positions.dtype == bool and positions.shape == (n,):
        return np.flatnonzero(positions)
    is_list = positions.dtype.kind in "iu" and positions.ndim == 1
    if positions.size and not (is_list and positions.min() >= 0 and positions.max() < n):
        raise InputError(
            message(
                "These are not row positions of a table with {rows}: give whole numbers from 0 to {last}.",
                rows=rows_text(n),
                last=n - 1,
            )
        )
    return positions.astype(np.intp).reshape(-1)


def _finite_numbers(values: ArrayLike, n: int, what: str) -> NDArray[np.float64]:
    """A copy of n finite numbers; InputError for anything else, `what` names them."""
    numbers = np.array(values, dtype=np.float64)
    if numbers.shape != (n,) or not np.isfinite(numbers).all():
        raise InputError(
            message("These are not {rows:,} {what}: give one finite number for every row.", rows=n, what=what)
        )
    return numbers


def _usable_rows(
    known: NDArray[np.bool_], target: str, weights: NDArray[np.float64] | None
) -> tuple[NDArray[np.intp], tuple[Note, ...]]:
    """Positions of the rows with a known target and a positive weight, and notes on the others."""
    notes, n_unknown = [], len(known) - int(np.count_nonzero(known))
    if n_unknown == len(known):
        raise InputError(
            message(
                "Column '{column}' has no usable value in {rows}: choose another target.",
                column=target,
                rows=rows_text(len(known)),
            )
        )
    if n_unknown:
        notes.append(Note(without_target_text(n_unknown, target), "warning", (target,)))
    if weights is not None and (weights == 0).any():
        notes.append(Note(without_weight_text(int((weights == 0).sum()))))
        known = known & (weights > 0)
        if not known.any():
            raise InputError(
                message("No row with a value of '{column}' has a weight above 0: give some rows weight.", column=target)
            )
    return np.flatnonzero(known), tuple(notes)


def _choose(encoded: Sequence[Feature], codes: NDArray[np.int32], target: str, named: bool) -> list[int]:
    """Positions of the features to use: those named, else those with no reason to leave out, else those that vary."""
    if named:
        chosen = list(range(len(encoded)))
    else:
        chosen = [i for i, feature in enumerate(encoded) if left_out_reason(feature, codes[i]) is None]
    chosen = chosen or [i for i, feature in enumerate(encoded) if feature.n_values > 1]
    if not chosen:
        raise InputError(
            message("No feature is left beside '{target}': every other column is empty or constant.", target=target)
        )
    return chosen
