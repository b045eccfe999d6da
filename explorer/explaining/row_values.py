"""The cells of one row as a tree reads them: known, missing or unseen, and the branch of each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from explorer.candidates.surrogates import Surrogate
from explorer.data.arrow_frame import as_pandas
from explorer.data.cells import clean_value
from explorer.data.dataset import Dataset
from explorer.errors import InputError
from explorer.messages import message
from explorer.ranges import is_whole
from explorer.tree.routing import MISSING, Plan, numbers_in_tree, plan_for
from explorer.tree.tree import Tree
from explorer.values import Value


@dataclass(frozen=True, eq=False)
class Cells:
    """One row, as a frame and as the plan that all prediction follows; features are indices into `tree.features`.

    Only features that the tree tests, in splits or surrogates, can be read.
    """

    tree: Tree
    frame: pd.DataFrame
    plan: Plan

    def code(self, feature: int) -> int:
        """The code of a category; −1 where the cell is missing, −2 where it is unseen."""
        return int(self.plan.codes[0, -int(self.plan.slot[feature]) - 1])

    def number(self, feature: int) -> float:
        """The number in a numeric column; nan where it is missing."""
        encoding = self.tree.features[feature]
        if encoding.test == "threshold":
            return float(self.plan.numbers[0, int(self.plan.slot[feature])])
        return float(numbers_in_tree(encoding, self.frame, None)[0])

    def is_missing(self, feature: int) -> bool:
        """Whether the cell is empty."""
        if self.tree.features[feature].test == "threshold":
            return bool(np.isnan(self.number(feature)))
        return self.code(feature) == MISSING

    def shown(self, feature: int) -> Value | None:
        """The value as in the table; None where it is missing."""
        encoding = self.tree.features[feature]
        if self.is_missing(feature):
            return None
        if encoding.words is None:
            return self.number(feature)
        return clean_value(self.frame[encoding.name].iloc[0], encoding.words)

    def branch(self, node: int) -> int | None:
        """The branch that the tested value itself leads to; None where it is missing, or unknown at this node."""
        feature = int(self.plan.feature[node])
        if self.is_missing(feature):
            return None
        if self.tree.features[feature].test == "threshold":
            number = self.number(feature)
            return None if np.isinf(number) else int(number > self.plan.threshold[node])
        first, end = self.plan.offsets[node], self.plan.offsets[node + 1]
        pair = int(first + np.searchsorted(self.plan.pair_codes[first:end], self.code(feature)))  # they ascend
        is_there = pair < end and self.plan.pair_codes[pair] == self.code(feature)
        return int(self.plan.pair_branches[pair]) if is_there else None

    def surrogate_used(self, node: int) -> tuple[Surrogate, int] | None:
        """The surrogate that routes this row, whose tested value is missing, and its branch; None if there is none.

        It is the first whose feature has a known value.
        """
        surrogates = self.tree.surrogates
        if surrogates is None:
            return None
        for index, surrogate in enumerate(surrogates.at(node, self.tree.features), int(surrogates.offset[node])):
            feature = int(surrogates.feature[index])
            if self.is_missing(feature):
                continue
            if surrogate.condition.threshold is not None:
                number = self.number(feature)
                if np.isinf(number):
                    continue
                return surrogate, int(number > surrogate.condition.threshold)
            labels = self.tree.features[feature].labels
            own = [labels[self.code(feature)]] if self.code(feature) >= 0 else []
            for branch, group in enumerate(surrogate.condition.branches):
                if any(label in group for label in own):
                    return surrogate, branch
        return None


def pairs_at(plan: Plan, node: int) -> dict[int, int]:
    """The branch of each category code, by the node's own test."""
    pairs = slice(int(plan.offsets[node]), int(plan.offsets[node + 1]))
    return dict(zip(plan.pair_codes[pairs].tolist(), plan.pair_branches[pairs].tolist(), strict=True))


def cells_of(tree: Tree, rows: pd.DataFrame | Dataset, position: int) -> Cells:
    """One row of some rows; InputError where there is no such row or a column is missing."""
    rows = as_pandas(rows)
    count = len(rows) if isinstance(rows, pd.DataFrame) else rows.n_rows
    if not is_whole(position, 0, count - 1):
        raise InputError(
            message(
                "There is no row {position!r}. The positions of the rows are 0 to {last}.",
                position=position,
                last=count - 1,
            )
        )
    row = rows.iloc[[int(position)]] if isinstance(rows, pd.DataFrame) else rows.take([position])
    cells, plan = plan_for(tree, row)
    return Cells(tree, cells if isinstance(cells, pd.DataFrame) else cells.frame, plan)
