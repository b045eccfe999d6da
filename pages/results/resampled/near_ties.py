"""Splits of the grown tree that were nearly decided otherwise, cached; few, so that the first picture does not wait.

Those of a large table are worked out in the job that grows its tree.
"""

from __future__ import annotations

import numpy as np

import explorer as ex
from pages.results import jobs, trees
from pages.results.cache import kept
from pages.settings.settings import Settings

MOST_NODES, LARGEST = 60, 24
"""A tree with more internal nodes is looked at only where the reader is; of a smaller one, the largest so many."""
_LEAST_ROWS, _LEAST_SHARE = 5, 0.01
"""A single row decides the split of nearly every small node; with fewer rows only a close rival is worth a sign."""


def marked(settings: Settings, selected: int) -> dict[int, ex.NearTie]:
    """The near ties worth a sign, by node: of the whole tree, or in a large tree that of the selected node."""
    if settings.connected:
        return {}  # a near tie is about single rows, and of these a sample has few
    tree, train = trees.grown(settings).tree, trees.parts(settings).train
    if np.count_nonzero(tree.is_inner) <= MOST_NODES:
        ties = _of_tree(trees.grown_key(settings), tree, train)
    else:
        tie = at_node(settings, selected)
        ties = {} if tie is None else {selected: tie}
    return {node: tie for node, tie in ties.items() if _is_worth_a_sign(tie, train.n_rows)}


def at_node(settings: Settings, node: int) -> ex.NearTie | None:
    """The near tie of one node, if its split is one."""
    tree, train = trees.grown(settings).tree, trees.parts(settings).train
    if settings.connected or not tree.is_inner[node]:
        return None
    return _of_node(trees.grown_key(settings), node, tree, train, trees.decision(settings, node))


def _is_worth_a_sign(tie: ex.NearTie, n_rows: int) -> bool:
    return tie.is_close or tie.n_rows >= max(_LEAST_ROWS, _LEAST_SHARE * n_rows)


@kept()
def _of_tree(key: str, _tree: ex.Tree, _train: ex.Dataset) -> dict[int, ex.NearTie]:
    return ex.near_ties(_tree, _train, LARGEST, jobs.reporting())


@kept()
def _of_node(key: str, node: int, _tree: ex.Tree, _train: ex.Dataset, _decision: ex.Decision) -> ex.NearTie | None:
    return ex.near_tie(_tree, _train, node, _decision)
