"""The nodes of the grown tree on validation rows, cached, and which of them are worth a sign."""

from __future__ import annotations

import numpy as np

import explorer as ex
from explorer.evaluation.held_out_nodes import HeldOutNodes, held_out_nodes
from pages.results import trees
from pages.results.cache import kept
from pages.settings.settings import Settings

MOST_SIGNS = 24
_LEAST_ROWS, _LEAST_SHARE = 10, 0.02
"""Fewer validation rows at a node say too little of it for a sign on the tree."""


def of_tree(settings: Settings) -> HeldOutNodes | None:
    """All nodes of the grown tree; None without validation rows, or where an engine counts them."""
    valid = trees.parts(settings).valid
    if valid is None or settings.connected:
        return None
    return _of_tree(f"{trees.grown_key(settings)} {valid.fingerprint}", trees.grown(settings).tree, valid)


def worth_a_sign(nodes: HeldOutNodes) -> list[int]:
    """The largest nodes whose validation rows are mostly of another class, or gain nothing by the split."""
    is_large = nodes.weight >= max(_LEAST_ROWS, _LEAST_SHARE * nodes.weight[0])
    found = np.flatnonzero(is_large & (nodes.differs | nodes.gains_nothing))
    order = np.argsort(-nodes.weight[found], kind="stable")
    return [int(node) for node in found[order][:MOST_SIGNS]]


@kept()
def _of_tree(key: str, _tree: ex.Tree, _valid: ex.Dataset) -> HeldOutNodes:
    return held_out_nodes(_tree, _valid)
