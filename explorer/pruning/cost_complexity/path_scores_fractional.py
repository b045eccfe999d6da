"""Rows that go down several branches, at every position of a subtree sequence (DEFINITIONS section 7).

The prediction for such a row averages over the leaves that its parts reach. The average changes only where a node on
one of its decision paths collapses, so a row has a short list of *pieces*: an average and the positions it is used at.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from explorer.pruning.cost_complexity import score_loops
from explorer.pruning.cost_complexity.base_path import BasePath
from explorer.tree.leaf_mixture import Routes, predictions_of_shares
from explorer.tree.metrics import nats_of

AT_ONCE = 4096
"""Rows whose pieces are held in memory together."""


class Pieces(NamedTuple):
    """`value` [m, K] is what row `row` has at the positions from `begin` up to, not including, `end`."""

    row: NDArray[np.int64]
    begin: NDArray[np.int64]
    end: NDArray[np.int64]
    value: NDArray[np.float64]


def mixtures(path: BasePath, routes: Routes, values: NDArray[np.float64]) -> Iterator[Pieces]:
    """The pieces of all rows with several decision paths, a batch at a time; `values` [nodes, K] are predictions."""
    starts = np.flatnonzero(np.diff(routes.rows, prepend=-1))
    for first in range(0, starts.size, AT_ONCE):
        ends = np.append(starts, routes.rows.size)[first : first + AT_ONCE + 1]
        part = slice(int(ends[0]), int(ends[-1]))
        yield Pieces(
            *score_loops.mixed_pieces(
                ends - ends[0], routes.rows[part], routes.nodes[part], routes.parts[part], path.tree.parent,
                path.leaf_from, path.leaf_until, np.ascontiguousarray(values),
            )
        )  # fmt: skip


def added_up_of_mixtures(
    path: BasePath, routes: Routes, targets: NDArray[np.float64], weights: NDArray[np.float64], what: int
) -> NDArray[np.float64]:
    """Weighted sum, under every subtree, of the terms of the rows with several decision paths."""
    tree, steps = path.tree, np.zeros(len(path) + 1)
    values = tree.values[:, None] if tree.is_regression else tree.shares
    for pieces in mixtures(path, routes, values):
        added = weights[pieces.row] * piece_values(pieces.value, targets[pieces.row], what, tree.costs)
        steps += np.bincount(pieces.begin, added, minlength=steps.size)
        steps -= np.bincount(pieces.end, added, minlength=steps.size)
    return np.cumsum(steps[:-1])


def piece_values(
    averages: NDArray[np.float64], targets: NDArray[np.float64], what: int, costs: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """The terms of rows with these averaged predictions [m, K]; `score_loops.row_value` is the same for one node."""
    if what in (score_loops.SQUARED, score_loops.FOURTH):
        squared = (averages[:, 0] - targets) ** 2
        return squared if what == score_loops.SQUARED else squared**2
    if what == score_loops.RIGHT:
        return (predictions_of_shares(averages, costs) == targets).astype(np.float64)
    codes = targets.astype(np.int64)
    if what in (score_loops.COST, score_loops.COST_SQUARED):
        assert costs is not None
        cost = costs[codes, predictions_of_shares(averages, costs)]
        return cost if what == score_loops.COST else cost**2
    share = np.where(codes >= 0, averages[np.arange(codes.size), codes], 0.0)
    nats = nats_of(share)
    return nats if what == score_loops.LOG else nats**2
