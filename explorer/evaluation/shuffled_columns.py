"""Predictions for rows among which one column is shuffled: only rows whose path tests it are sent down again."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.tree.node_loops import first_tests
from explorer.tree.routing import Plan, RowValues, plan_for, predictions_at, route, route_on, routes_to
from explorer.tree.tree import Tree


def shuffled(
    rows: Plan | RowValues, feature: int, order: NDArray[np.intp]
) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
    """The numbers and the codes of these rows, but that row i has the value of a feature that row `order[i]` has."""
    slot, numbers, codes = int(rows.slot[feature]), rows.numbers, rows.codes
    if slot >= 0:
        numbers = numbers.copy()
        numbers[:, slot] = numbers[order, slot]
    else:
        codes = codes.copy()
        codes[:, -slot - 1] = codes[order, -slot - 1]
    return numbers, codes


class ShuffledColumns:
    """A (pruned) tree's predictions for some rows, and for the same rows with the cells of one column exchanged.

    Values are read, and the rows sent down, once. With a shuffled column a row goes the same way down to the first test
    of it. `tested` are the positions of the features that the tree tests, in splits and surrogates: of no other does a
    shuffle change a prediction. Raises InputError where the tree splits on a column that the rows do not have.
    """

    def __init__(self, tree: Tree, data: Dataset) -> None:
        """Send the rows down."""
        self.tree, self.tested = tree, frozenset(tree.tested_features())
        _, self._plan = plan_for(tree, data)
        self._ends = np.asarray(route(self._plan, data.n_rows))
        self._begin = lru_cache(maxsize=2)(self._first_tests)  # shuffles of a feature follow each other

    def predictions(self, feature: int | None = None, order: NDArray[np.intp] | None = None) -> NDArray[Any]:
        """The predicted class code or mean of each row, [n], where row i has the value that row `order[i]` has.

        `feature` is its position among those of the tree; None leaves all as they are.
        """
        plan, ends = self._plan, self._ends.copy()
        if feature is not None and order is not None and feature in self.tested:
            plan, ends = self._with_shuffled(feature, order), self._begin(feature).copy()
            route_on(plan, 0, ends)
        return predictions_at(self.tree, routes_to(plan, ends))

    def _with_shuffled(self, feature: int, order: NDArray[np.intp]) -> Plan:
        """The plan with the values of a feature in this order."""
        numbers, codes = shuffled(self._plan, feature, order)
        return self._plan._replace(numbers=numbers, codes=codes)

    def _first_tests(self, feature: int) -> NDArray[np.int64]:
        """The node on each row's path from which on the feature matters, [n]: its end where it never does."""
        tree, ends = self.tree, self._ends
        is_test = tree.feature == feature
        if tree.surrogates is not None:
            is_test[tree.surrogates.node[tree.surrogates.feature == feature]] = True
        passed = np.where(ends < 0, -1 - ends, ends)  # several paths divide at −1 − end
        first = first_tests(tree.parent, is_test & tree.is_inner)[passed]
        return np.where(first >= 0, first, ends)
