"""The provenance of a tree: its table, its rows, its pruning, and the scores that chose its size."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from explorer.data.dataset import Dataset
from explorer.data.encode import Kind
from explorer.data.samples import SAMPLES, load_sample
from explorer.data.table import Table
from explorer.errors import InputError
from explorer.evaluation.cross_validation import CrossValidation
from explorer.evaluation.folds import folds_for, one_left_out
from explorer.messages import listing, message
from explorer.pruning.methods import NODE_METHODS
from explorer.tree.tree import Tree
from explorer.values import Value

PART_NAMES = ("Training", "Validation", "Test")
"""The names of the sets in a script, and the keys of `Provenance.scored_sets`."""


@dataclass(frozen=True, eq=False)
class Provenance:
    """A tree and all steps that led to it.

    `data` is the whole `table` and `kinds` the argument of `Dataset.from_frame`. `parts` are the training set, then the
    validation set and the test set, if any, from `data.split(*shares, seed=seed)`; without shares the training set is
    the whole table. With `split_times` they are from `data.split_at(*split_times)`, with `split_values` from
    `data.split_by(split_column, split_values)`. `sample` is the key of a built-in table, None for a file called
    `table.name`.

    The tree was pruned at `alpha` (None: not at all) under `risk`, or by `method` (a key of `NODE_METHODS`) with its
    `options`; then by the changes of `hand`. `steps` has one sentence per decision of the pruning.
    `folded` is the cross-validation of the sequence on the training set under `risk`, if it was run; its folds were
    drawn with `fold_seed`, or each row was left out once (None). `why` explains the size of the tree, `remarks` has
    further notes. Raises InputError for what no script could repeat.
    """

    table: Table
    data: Dataset
    tree: Tree
    parts: tuple[Dataset, ...]
    shares: tuple[float, ...] = ()
    seed: int = 0
    split_times: tuple[str, ...] = ()
    split_column: str = ""
    split_values: tuple[Value, ...] = ()
    kinds: Mapping[str, Kind] = field(default_factory=dict)
    sample: str | None = None
    risk: str = "impurity"
    alpha: float | None = None
    method: str | None = None
    options: Mapping[str, object] = field(default_factory=dict)
    hand: tuple[tuple[str, int], ...] = ()
    steps: tuple[str, ...] = ()
    folded: CrossValidation | None = None
    fold_seed: int | None = None
    why: str = ""
    remarks: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse what a script could not repeat."""
        self._check_table()
        self._check_parts()
        self._check_method()
        self._check_folds()

    def _check_table(self) -> None:
        if self.sample is not None and self.sample not in SAMPLES:
            load_sample(self.sample)  # the error lists the samples
        if self.data.weights is not None and self.data.weight_column is None:
            raise InputError(
                message(
                    "The rows have weights that are in no column of the table, so the tree cannot be reproduced. "
                    "Add them to the table and name the column."
                )
            )

        if self.data.division is not None and not self.data.division.column:
            raise InputError(
                message(
                    "The rows are divided by values that are in no column of the table, so the tree cannot be "
                    "reproduced. Add them to the table and name the column."
                )
            )

    def _check_parts(self) -> None:
        expected = len(self.split_values) or len(self.split_times or self.shares) + 1
        if len(self.parts) != expected:
            raise InputError(
                message(
                    "The shares make {expected} parts, but there are {parts}. "
                    "Give the parts that `data.split` returned for these shares.",
                    expected=expected,
                    parts=len(self.parts),
                )
            )

    def _check_method(self) -> None:
        if self.method is None:
            return
        if self.method not in NODE_METHODS:
            names = listing(NODE_METHODS)
            raise InputError(
                message(
                    "There is no pruning method '{method}'. Choose one of {methods}.", method=self.method, methods=names
                )
            )
        if self.alpha is not None:
            raise InputError(
                message(
                    "Both the pruning method '{method}' and α = {alpha:g} are given. Give only one of them.",
                    method=self.method,
                    alpha=self.alpha,
                )
            )
        if NODE_METHODS[self.method].needs_validation and len(self.parts) < 2:
            raise InputError(
                message(
                    "The pruning method '{method}' needs a validation set. Give shares and parts.", method=self.method
                )
            )

    def _check_folds(self) -> None:
        """Refuse folds that were assigned in another way: no script could repeat them."""
        if self.folded is None:
            return
        folds = one_left_out(self.train) if self.fold_seed is None else self.folded.n_folds
        expected = folds_for(self.train, folds, self.fold_seed or 0).of_row
        if self.folded.path.risk != self.risk or not np.array_equal(self.folded.fold_of_row, expected):
            raise InputError(self._other_folds())

    def _other_folds(self) -> str:
        if self.fold_seed is None:
            return message(
                "The cross-validation is not leave-one-out on the training set with risk '{risk}'. "
                "Give the seed and the risk it was run with.",
                risk=self.risk,
            )
        return message(
            "The cross-validation was not run on the training set with seed {seed} and risk '{risk}'. "
            "Give the seed and the risk it was run with.",
            seed=self.fold_seed,
            risk=self.risk,
        )

    @property
    def train(self) -> Dataset:
        """The training set."""
        return self.parts[0]

    @property
    def scored_sets(self) -> dict[str, Dataset]:
        """The sets that are scored, by name: never the test set, which stays unused."""
        return dict(zip(PART_NAMES[:2], self.parts, strict=False))
