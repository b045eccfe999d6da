"""The nodes of the grown tree on validation rows, cached, and which of them are worth a sign."""

from __future__ import annotations

import numpy as np

import explorer as ex
from explorer.evaluation.held_out_nodes import HeldOutNodes, held_out_nodes
from explorer.messages import message, paragraph
from pages.results import trees
from pages.results.cache import kept
from pages.settings.kept.test_set_log import NotedTestScore
from pages.settings.settings import Settings
from pages.text import prediction_text

MOST_SIGNS = 24
_LEAST_ROWS, _LEAST_SHARE = 10, 0.02
"""Fewer validation rows at a node say too little of it for a sign on the tree."""


def of_tree(settings: Settings) -> HeldOutNodes | None:
    """All nodes of the grown tree; None without validation rows, or where an engine counts them."""
    valid = trees.parts(settings).valid
    if valid is None or settings.connected:
        return None
    return _of_tree(f"{trees.grown_key(settings)} {valid.fingerprint}", trees.grown(settings).tree, valid)


def on_test_set(settings: Settings) -> HeldOutNodes | None:
    """The same on the test set, once the reader has used it; until then None."""
    test = trees.parts(settings).test
    uses = map(NotedTestScore.read, settings.test_set_uses)
    if test is None or settings.connected or settings.seed not in {use.seed for use in uses if use is not None}:
        return None
    return _of_tree(f"{trees.grown_key(settings)} {test.fingerprint}", trees.grown(settings).tree, test)


def worth_a_sign(nodes: HeldOutNodes) -> list[int]:
    """The largest nodes whose validation rows are mostly of another class, or gain nothing by the split."""
    is_large = nodes.weight >= max(_LEAST_ROWS, _LEAST_SHARE * nodes.weight[0])
    found = np.flatnonzero(is_large & (nodes.differs | nodes.gains_nothing))
    order = np.argsort(-nodes.weight[found], kind="stable")
    return [int(node) for node in found[order][:MOST_SIGNS]]


def problem(tree: ex.Tree, nodes: HeldOutNodes, node: int) -> str:
    """Where the validation rows disagree with the node; "" where they do not."""
    return paragraph(list(_problems(tree, nodes, node).values()))


def _problems(tree: ex.Tree, nodes: HeldOutNodes, node: int) -> dict[str, str]:
    """The same by the kind of its mark: a problem of the split is none of a node that is pruned to a leaf."""
    sentences = {}
    if nodes.differs[node]:
        classes = (*map(str, tree.classes), message("a class without training rows"))
        most, own = classes[int(np.argmax(nodes.stats[node]))], prediction_text(tree.node(node), False)
        sentences["held_out"] = message("Most have class {label}, not {predicted}.", label=most, predicted=own)
    if nodes.gains_nothing[node]:
        sentences["held_out_split"] = message("The split predicts them no better.")
    return sentences


def signs(settings: Settings) -> list[tuple[int, str, str]]:
    """The nodes that get a sign, its kind, and why; none while the reader is to guess the splits."""
    nodes, tree = of_tree(settings), trees.grown(settings).tree
    if nodes is None or settings.timeline.asks:
        return []
    return [
        (node, kind, message("Validation: {problem}", problem=text))
        for node in worth_a_sign(nodes)
        for kind, text in _problems(tree, nodes, node).items()
    ]


@kept()
def _of_tree(key: str, _tree: ex.Tree, _valid: ex.Dataset) -> HeldOutNodes:
    return held_out_nodes(_tree, _valid)
