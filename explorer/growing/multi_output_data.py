"""One table with several targets: a data set for each of them, all with the same rows and features."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from explorer.data.arrow_frame import as_pandas
from explorer.data.dataset import Dataset
from explorer.data.encode import Kind, with_text_names
from explorer.errors import InputError
from explorer.messages import listing, message
from explorer.values import Value

MOST_TARGETS = 10
"""Every node keeps statistics for each target, and every split is searched for each."""


@dataclass(frozen=True, eq=False)
class MultiOutputData:
    """A data set for each of q targets; rows, features and weights are the same in all of them.

    `n_left_out` are the rows without a value of one of the targets.
    """

    outputs: tuple[Dataset, ...]
    n_left_out: int = 0

    @classmethod
    def from_frame(
        cls,
        frame: pd.DataFrame,
        targets: Sequence[str],
        features: Sequence[str] | None = None,
        kinds: Mapping[str, Kind] | None = None,
        weights: str | None = None,
        groups: str | ArrayLike | None = None,
        time: str | ArrayLike | None = None,
        days_since: Mapping[str, str] | None = None,
    ) -> MultiOutputData:
        """Encode a table with two or more targets (arguments as in `Dataset.from_frame`).

        Rows without a value of one of the targets are left out. Raises InputError.

        >>> frame = pd.DataFrame({"x": [1, 2, 3, 4], "a": [0.5, 0.5, 1.5, 1.5], "b": ["n", "n", "n", "y"]})
        >>> data = MultiOutputData.from_frame(frame, ["a", "b"])
        >>> [(one.target.name, one.is_regression) for one in data.outputs], data.n_rows
        ([('a', True), ('b', False)], 4)
        """
        frame = with_text_names(as_pandas(frame))
        names = [str(name) for name in targets]
        _check_targets(names, [str(name) for name in features or ()])
        divided = {"groups": groups, "time": time}
        since = days_since or {}
        for name in set(names) & {given for given in divided.values() if isinstance(given, str)}:
            raise InputError(message("Column '{column}' is the target, so it cannot divide the rows.", column=name))
        encoded = [_one_target(frame, name, names, features, kinds, weights, divided, since) for name in names]
        rows = reduce(np.intersect1d, [one.row_numbers for one in encoded])
        if not len(rows):
            raise InputError(
                message("No row has a value of every target ({targets}): choose other targets.", targets=listing(names))
            )
        outputs = tuple(one.take(np.searchsorted(one.row_numbers, rows)) for one in encoded)
        return cls(outputs, max(one.n_rows for one in encoded) - len(rows))

    @property
    def targets(self) -> tuple[str, ...]:
        """The names of the targets."""
        return tuple(one.target.name for one in self.outputs)

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return self.outputs[0].n_rows

    def take(self, row_numbers: ArrayLike) -> MultiOutputData:
        """The rows at these positions."""
        return replace(self, outputs=tuple(one.take(row_numbers) for one in self.outputs))

    def split(self, *shares: float, seed: int = 0) -> tuple[MultiOutputData, ...]:
        """Split the rows as `Dataset.split` does, stratified by the first target."""
        return self._parts(lambda first: first.split(*shares, seed=seed))

    def split_at(self, *times: object) -> tuple[MultiOutputData, ...]:
        """Split rows with a time as `Dataset.split_at` does."""
        return self._parts(lambda first: first.split_at(*times))

    def split_by(self, column: str, values: Sequence[Value] | None = None) -> tuple[MultiOutputData, ...]:
        """Split the rows by a column that names the sets, as `Dataset.split_by` does; it is no feature then."""
        parts = self._parts(lambda first: first.split_by(column, values))
        return tuple(
            replace(part, outputs=tuple(one.without_feature(column) for one in part.outputs)) for part in parts
        )

    def _parts(self, split: Callable[[Dataset], tuple[Dataset, ...]]) -> tuple[MultiOutputData, ...]:
        """The parts into which the rows of the first target are split."""
        numbered = replace(self.outputs[0], row_numbers=np.arange(self.n_rows))
        return tuple(self.take(part.row_numbers) for part in split(numbered))


def _one_target(
    frame: pd.DataFrame,
    name: str,
    targets: Sequence[str],
    features: Sequence[str] | None,
    kinds: Mapping[str, Kind] | None,
    weights: str | None,
    divided: Mapping[str, Any],
    days_since: Mapping[str, str],
) -> Dataset:
    """The table with one of the targets; the others are no features."""
    others = [other for other in targets if other != name]
    own_kinds = {column: kind for column, kind in (kinds or {}).items() if column not in others}
    since = {column: date for column, date in days_since.items() if column not in others}
    return Dataset.from_frame(
        frame.drop(columns=others, errors="ignore"), name, features, own_kinds, weights, **divided, days_since=since
    )


def _check_targets(targets: Sequence[str], features: Sequence[str]) -> None:
    """Two to ten different targets, none of them a feature."""
    if not 2 <= len(targets) <= MOST_TARGETS:
        raise InputError(message("{n} targets were given: name from 2 to {most}.", n=len(targets), most=MOST_TARGETS))
    for name in targets:
        if targets.count(name) > 1:
            raise InputError(message("Target '{column}' was named twice: name different columns.", column=name))
        if name in features:
            raise InputError(
                message(
                    "Column '{column}' is a target and a feature at once: take it out of the features.", column=name
                )
            )
