"""The cells of one row as a tree reads them: known, missing or unknown to it, and which branch follows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from explorer.candidates.surrogates import Surrogate
from explorer.data.dataset import Dataset
from explorer.data.encode import clean_value, encode_columns
from explorer.data.values import Value
from explorer.errors import InputError
from explorer.tree.routing import MISSING, Plan, plan_for
from explorer.tree.tree import Tree


@dataclass(frozen=True, eq=False)
class Cells:
    """One row, as a frame and as the plan that all prediction follows; features go by their place in `tree.features`.

    Only features that the open tree asks for, in tests or surrogates, can be looked up.
    """

    tree: Tree
    frame: pd.DataFrame
    plan: Plan

    def code(self, feature: int) -> int:
        """The code of a category; −1 where the cell is missing, −2 where the tree does not know it."""
        return int(self.plan.codes[0, -int(self.plan.slot[feature]) - 1])

    def number(self, feature: int) -> float:
        """The number in a numeric column; nan where it is missing."""
        usage = self.tree.features[feature]
        if usage.test == "threshold":
            return float(self.plan.numbers[0, int(self.plan.slot[feature])])
        (encoded,), codes = encode_columns([self.frame[usage.name]], {usage.name: "numeric"})
        return float(np.append(encoded.values, np.nan)[codes[0, 0]])

    def is_missing(self, feature: int) -> bool:
        """Whether the cell is empty."""
        if self.tree.features[feature].test == "threshold":
            return bool(np.isnan(self.number(feature)))
        return self.code(feature) == MISSING

    def shown(self, feature: int) -> Value | None:
        """The value as a reader knows it; None where it is missing."""
        usage = self.tree.features[feature]
        if self.is_missing(feature):
            return None
        return self.number(feature) if usage.kind == "numeric" else clean_value(self.frame[usage.name].iloc[0])

    def branch(self, node: int) -> int | None:
        """The branch that the tested value itself leads to; None where it is missing, or unknown at this node."""
        feature = int(self.plan.feature[node])
        if self.is_missing(feature):
            return None
        if self.tree.features[feature].test == "threshold":
            return 0 if self.number(feature) <= self.plan.threshold[node] else 1
        return pairs_at(self.plan, node).get(self.code(feature))

    def stand_in(self, node: int) -> tuple[Surrogate, int] | None:
        """The surrogate that sends this row, whose tested value is missing, and its own branch; None if there is none.

        The first one whose feature has a value that it knows.
        """
        found = self.tree.surrogates
        if found is None:
            return None
        for place, one in enumerate(found.at(node, self.tree.features), int(found.offset[node])):
            feature = int(found.feature[place])
            if self.is_missing(feature):
                continue
            if one.condition.threshold is not None:
                return one, 0 if self.number(feature) <= one.condition.threshold else 1
            labels = self.tree.features[feature].labels
            known = [labels[self.code(feature)]] if self.code(feature) >= 0 else []
            for branch, group in enumerate(one.condition.branches):
                if any(label in group for label in known):
                    return one, branch
        return None


def pairs_at(plan: Plan, node: int) -> dict[int, int]:
    """The branch of every category code that a node's own test knows."""
    pairs = slice(int(plan.offsets[node]), int(plan.offsets[node + 1]))
    return dict(zip(plan.pair_codes[pairs].tolist(), plan.pair_branches[pairs].tolist(), strict=True))


def cells_of(tree: Tree, rows: pd.DataFrame | Dataset, position: int) -> Cells:
    """One row of some rows; InputError where there is no such row or a column is lacking."""
    count = rows.n_rows if isinstance(rows, Dataset) else len(rows)
    if isinstance(position, bool) or not isinstance(position, (int, np.integer)) or not 0 <= position < count:
        raise InputError(f"There is no row {position!r}: the {count} rows have positions from 0 to {count - 1}.")
    row = rows.take([position]) if isinstance(rows, Dataset) else rows.iloc[[int(position)]]
    return Cells(tree, *plan_for(tree, row))
