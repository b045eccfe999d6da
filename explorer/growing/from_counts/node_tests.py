"""The best test of a node carried out on counts: its branches, and the same test for the engine's routing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from explorer.candidates.branches import branch_of_missing, branches_of_codes
from explorer.candidates.candidates import FeatureCandidates
from explorer.candidates.counts import Floats
from explorer.growing.from_counts.training_table import TrainingTable
from explorer.recipe.columns import THRESHOLD
from explorer.recipe.parameters import node_weight
from explorer.sources.routing import NodeTest

Ints = NDArray[np.int64]


class NodeBranches(NamedTuple):
    """A test's threshold (nan without one), the branch of every code, that of missing cells, and statistics by branch.

    `missing_weight` is the weight of the rows without a value.
    """

    threshold: float
    of_code: Ints
    missing: int
    missing_weight: float
    stats: list[Floats]


def branches_of(candidates: FeatureCandidates) -> NodeBranches:
    """The branches of a feature's best test."""
    column, counts, best = candidates.column, candidates.counts, candidates.best
    of_code, threshold = branches_of_codes(candidates), candidates.condition(best).threshold
    missing = branch_of_missing(candidates, of_code)
    without_value = counts.missing
    if column.missing_code < column.n_values:
        without_value = counts.table[counts.codes == column.missing_code].sum(axis=0)
    missing_weight = float(node_weight(candidates.parameters, without_value))
    stats = list(candidates.branches(best))
    return NodeBranches(np.nan if threshold is None else threshold, of_code, missing, missing_weight, stats)


def node_test(
    node: int, table: TrainingTable, column: int, branches: NodeBranches, children: Sequence[int]
) -> NodeTest:
    """The test of a node as routing has it, by the engine's column and codes."""
    coding, training = table.codings[column], table.columns[column]
    of_code, edges = np.empty(0, np.int64), np.empty(0)
    if training.test != THRESHOLD:
        of_code = branches.of_code[: training.missing_code]
        edges = edges if coding.edges is None else np.array(coding.edges)
    return NodeTest(node, coding.column, branches.threshold, of_code, edges, branches.missing, tuple(children))


def ancestors_of(nodes: Sequence[int], parent: Sequence[int]) -> list[int]:
    """The nodes above some nodes, parents first."""
    above, waiting = set[int](), [parent[node] for node in nodes]
    while waiting:
        node = waiting.pop()
        if node >= 0 and node not in above:
            above.add(node)
            waiting.append(parent[node])
    return sorted(above)
