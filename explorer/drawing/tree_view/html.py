"""The interactive tree as one HTML page that stands alone: it opens without a server and fetches nothing.

All data of a table go into the page as bytes in base64 or as JSON in which no tag can begin or end.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from explorer.drawing import tree_view
from explorer.drawing.html_document import document, escaped
from explorer.drawing.palette import DARK, LIGHT, Theme, mix
from explorer.drawing.tree_view.payload import collapse_steps, header_of, signature, tree_payload
from explorer.drawing.tree_view.stability_layer import Layer, stability_payload
from explorer.explaining.node_rule import every_rule, words_of
from explorer.formatting import leaves, visible
from explorer.messages import message
from explorer.tree.tree import Tree

MOST_RULES = 5000
"""Up to this many nodes, the page holds the rule of every node as text."""
_STARTER = Path(__file__).with_name("standalone.js")
_BODY = """<header>
<h1>{title}</h1>
<p>{about}</p>
</header>
<div id="tree"></div>
<noscript>{noscript}</noscript>
<script type="application/json" id="tree-data">{data}</script>
<script type="module">{script}</script>"""
_STYLE = """body {
  margin: 0 auto;
  padding: 0 1.5rem 1rem;
  background: var(--st-background-color);
  color: var(--st-text-color);
  font-family: var(--st-font);
}
h1 {
  margin: 1rem 0 0;
  font-size: 1.4rem;
  overflow-wrap: anywhere;
}
header p {
  margin: 0.2rem 0 0.8rem;
  color: var(--quiet);
}
#tree {
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
    script = f"\n{tree_view.script()}\n{_STARTER.read_text('utf-8')}\n".replace("export default function", "function")
    state = {"selected": 0, "position": position, "hand": [list(step) for step in hand]}
    if sequence is None:
        state = {"selected": 0, "position": 0, "hand": collapse_steps(tree)}
    content = {"style": tree_view.style(), **_content(tree, sequence, palette, state, stability)}
    title = message("Decision tree for {target}", target=tree.target)
    style = f"{page_variables()}\n{_STYLE}"
    body = _BODY.format(
        title=escaped(title),
        about=escaped(_about(tree, has_slider=sequence is not None)),
        noscript=escaped(message("This page draws its tree with JavaScript. Turn JavaScript on to see it.")),
        data=json.dumps(content, ensure_ascii=True).replace("<", "\\u003c"),
        script=script,
    )
    return document(title, style, body, script)


def _about(tree: Tree, has_slider: bool) -> str:
    """The tree's size; with a slider, the size before pruning."""
    whole = tree.with_pruned(np.zeros(tree.n_nodes_grown, dtype=bool)) if has_slider else tree
    fields = {"leaves": leaves(whole.n_leaves), "depth": whole.max_depth, "rows": tree.rows_text(float(tree.weight[0]))}
    if has_slider:
        return message("{leaves}, depth {depth} before pruning, training set: {rows}", **fields)
    return message("{leaves}, depth {depth}, training set: {rows}", **fields)


def _content(
    tree: Tree, sequence: bytes | None, palette: str, state: dict[str, Any], stability: Layer | None
) -> dict[str, Any]:
    """The data that `standalone.js` reads."""
    payload = tree_payload(tree)
    layer = None if stability is None else stability_payload(stability, signature(payload))
    header = None if sequence is None else header_of(sequence)
    return {
        "payloads": [
            base64.b64encode(content).decode("ascii") for content in (payload, sequence, layer) if content is not None
        ],
        "rules": _rules(tree) if tree.n_nodes_grown <= MOST_RULES else {},
        "view": {
            "view": "page",
            "tree": signature(payload),
            "sequence": None if header is None else header["sig"],
            "stability": None if layer is None else signature(layer),
            "state": state,
            "themes": tree_view.colour_themes(len(tree.classes), palette),
            "row_path": [],
            "parts_below": True,
            "messages": tree_view.translations(),
            "by_hand": header is not None and header["steps"] == "alpha",
            "shows_rule": True,
        },
    }


def _rules(tree: Tree) -> dict[int, str]:
    """The rule of every grown node as a sentence: the slider also shows the whole tree."""
    whole = tree.with_pruned(np.zeros(tree.n_nodes_grown, dtype=bool))
    return {
        node: message("Node {node}: {rule}", node=node, rule=visible(words_of(terms)))
        for node, terms in every_rule(whole)
    }


def page_variables() -> str:
    """The CSS variables of both themes; the reader's choice of light or dark decides."""
    return f"{_variables(LIGHT)}\n@media (prefers-color-scheme: dark) {{\n{_variables(DARK)}\n}}"


def _variables(ground: Theme) -> str:
    """A theme as the CSS variables that the view's style sheets use."""
    panel, line = mix(ground.background, ground.text, 0.04), mix(ground.background, ground.text, 0.2)
    return f""":root {{
  color-scheme: {ground.name};
  --st-background-color: {ground.background};
  --st-secondary-background-color: {panel};
  --st-text-color: {ground.text};
  --st-border-color: {line};
  --st-primary-color: {ground.accent};
  --st-base-radius: 0.5rem;
  --st-font: system-ui, "Noto Sans", "Noto Sans CJK SC", sans-serif;
  --quiet: {ground.quiet};
}}"""
