"""The interactive tree as one HTML page that stands alone: it opens without a server and fetches nothing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from explorer.drawing import tree_view
from explorer.drawing.tree_view.payload import collapse_steps, header_of, signature, tree_payload
from explorer.drawing.tree_view.stability_layer import Layer, stability_payload
from explorer.drawing.view_page import view_page
from explorer.explaining.node_rule import every_rule, words_of
from explorer.formatting import leaves, visible
from explorer.messages import message
from explorer.tree.tree import Tree

MOST_RULES = 5000
"""Up to this many nodes, the page holds the rule of every node as text."""
_STYLE = """body {
  padding: 0 1.5rem 1rem;
}
h1 {
  margin: 1rem 0 0;
  font-size: 1.4rem;
}
header p {
  margin: 0.2rem 0 0.8rem;
}
#view {
  --tv-least-height: 24rem;
}"""


def to_html(
    tree: Tree,
    sequence: bytes | None = None,
    palette: str = "safe",
    position: int = 0,
    hand: Iterable[tuple[str, int]] = (),
    stability: Layer | None = None,
) -> str:
    """The tree as one HTML page in the reader's light or dark theme; it can be kept, sent and opened offline.

    Without a `sequence`, the page shows the tree as it is pruned. `sequence` is a payload for a slider, over α
    (`to_slider`) or over the steps of a method (`step_sequence_payload`, `variants_payload`); the page begins at
    its `position`, after the changes by `hand`, as in `prune_by_hand`. `palette` names the colours of the classes.
    `stability` is drawn over the nodes: how often resamples split alike.

    >>> from explorer import ID3, Dataset, grow
    >>> from explorer.data.samples import load_sample
    >>> tree = grow(Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis"), ID3)
    >>> to_html(tree).count("<script")
    2
    """
    payload = tree_payload(tree)
    layer = None if stability is None else stability_payload(stability, signature(payload))
    header = None if sequence is None else header_of(sequence)
    state = {"selected": 0, "position": position, "hand": [list(step) for step in hand]}
    if sequence is None:
        state = {"selected": 0, "position": 0, "hand": collapse_steps(tree)}
    view: dict[str, Any] = {
        "tree": signature(payload),
        "sequence": None if header is None else header["sig"],
        "stability": None if layer is None else signature(layer),
        "state": state,
        "themes": tree_view.colour_themes(len(tree.classes), palette),
        "row_path": [],
        "parts_below": True,
        "by_hand": header is not None and header["steps"] == "alpha",
        "shows_rule": True,
    }
    return view_page(
        tree_view.FILES,
        (content for content in (payload, sequence, layer) if content is not None),
        view,
        title=message("Decision tree for {target}", target=tree.target),
        about=_about(tree, has_slider=sequence is not None),
        noscript=message("This page draws its tree with JavaScript. Turn JavaScript on to see it."),
        style=_STYLE,
        heights={"least": 460, "below": 40},
        rules=_rules(tree) if tree.n_nodes_grown <= MOST_RULES else {},
    )


def _about(tree: Tree, has_slider: bool) -> str:
    """The tree's size; with a slider, the size before pruning."""
    whole = tree.with_pruned(np.zeros(tree.n_nodes_grown, dtype=bool)) if has_slider else tree
    fields = {"leaves": leaves(whole.n_leaves), "depth": whole.max_depth, "rows": tree.rows_text(float(tree.weight[0]))}
    if has_slider:
        return message("{leaves}, depth {depth} before pruning, training set: {rows}", **fields)
    return message("{leaves}, depth {depth}, training set: {rows}", **fields)


def _rules(tree: Tree) -> dict[int, str]:
    """The rule of every grown node as a sentence: the slider also shows the whole tree."""
    whole = tree.with_pruned(np.zeros(tree.n_nodes_grown, dtype=bool))
    return {
        node: message("Node {node}: {rule}", node=node, rule=visible(words_of(terms)))
        for node, terms in every_rule(whole)
    }
