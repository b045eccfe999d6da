"""A tree in DOT, Graphviz's language. Every name becomes a plain quoted string, so nothing in it is interpreted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from explorer.formatting import class_counts, name_text, number, shortened, visible
from explorer.messages import message
from explorer.tree.tree import Node, Tree
from explorer.tree.truncation import expanded, hidden_text, nodes_below, refuse_hidden

NAME_LENGTH = 24
"""Longer names end in an ellipsis; the tooltip has them whole."""
FONT = "Helvetica,Arial,sans-serif"
"""Fonts that Graphviz and browsers measure alike."""


def quoted(text: str) -> str:
    r"""A DOT string that shows exactly this text, line breaks as `\n`.

    The lexer ends a string at a bare quote; label strings then read a backslash as the start of an escape (`\N` is the
    node's name) and `&…;` as an HTML entity. A quoted string is never taken for an HTML label, whatever it holds.

    >>> print(quoted('say "hi" \\N &lt; <b>'))
    "say \"hi\" \\N &amp;lt; <b>"
    """
    safe = text.replace("\\", "\\\\").replace('"', '\\"').replace("&", "&amp;").replace("\n", "\\n")
    return f'"{safe}"'


def attributes(**values: str | None) -> str:
    """An attribute list; None leaves one out.

    >>> attributes(label="a", color=None)
    '[label="a"]'
    """
    return "[" + " ".join(f"{name}={quoted(value)}" for name, value in values.items() if value is not None) + "]"


def to_dot(
    tree: Tree,
    colours: Sequence[str] | None = None,
    text_colours: Sequence[str] | None = None,
    max_nodes: int | None = None,
    max_depth: int | None = None,
    highlight: int | None = None,
    background: str | None = None,
    foreground: str | None = None,
    direction: str = "TB",
) -> str:
    r"""DOT source of the tree: the tested feature, class counts (or mean ± spread), label and rows of every node.

    `colours` and `text_colours` are in class order and fill the nodes by label. `max_nodes` and `max_depth` cut lower
    nodes off, and a small node counts them; the path to the node `highlight`, which is outlined in bold, is always
    shown. `direction` is "TB" (top to bottom) or "LR". Raises InputError if that node is pruned away.

    >>> from explorer import ID3, Dataset, grow
    >>> from explorer.data.samples import load_sample
    >>> play_tennis = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> print(to_dot(grow(play_tennis, ID3), max_depth=0))
    digraph tree {
    graph [rankdir="TB" bgcolor="transparent" nodesep="0.25" ranksep="0.45"]
    node [shape="box" style="rounded" fontname="Helvetica,Arial,sans-serif" fontsize="11" margin="0.18,0.08"]
    edge [fontname="Helvetica,Arial,sans-serif" fontsize="10" arrowsize="0.6"]
    n0 [label="Outlook\n5 No · 9 Yes\nYes, 14 rows" tooltip="Outlook\n5 No · 9 Yes\nYes, 14 rows"]
    h0 [label="… 7 nodes below" tooltip="… 7 nodes below" shape="plaintext" style="" fontsize="9"]
    n0 -> h0 [style="dashed" arrowhead="none"]
    }
    """
    refuse_hidden(tree, highlight)
    painter = _Painter(tree, colours, text_colours, highlight, foreground)
    expanded_nodes = expanded(tree, max_nodes, max_depth, highlight)
    return "\n".join(
        [
            "digraph tree {",
            "graph "
            + attributes(rankdir=direction, bgcolor=background or "transparent", nodesep="0.25", ranksep="0.45"),
            "node " + painter.node_defaults(),
            "edge " + painter.edge_defaults(),
            *painter.statements(expanded_nodes),
            "}",
        ]
    )


@dataclass(frozen=True)
class _Painter:
    """Turns nodes and branches into DOT statements."""

    tree: Tree
    colours: Sequence[str] | None
    text_colours: Sequence[str] | None
    highlight: int | None
    foreground: str | None

    def node_defaults(self) -> str:
        """Attributes that all nodes share."""
        style = "rounded,filled" if self.fills else "rounded"
        style_of_all = {"shape": "box", "style": style, "fontname": FONT, "fontsize": "11", "margin": "0.18,0.08"}
        return attributes(**style_of_all, color=self.foreground, fontcolor=self.foreground)

    def edge_defaults(self) -> str:
        """Attributes that all branches share."""
        style_of_all = {"fontname": FONT, "fontsize": "10", "arrowsize": "0.6"}
        return attributes(**style_of_all, color=self.foreground, fontcolor=self.foreground)

    @property
    def fills(self) -> bool:
        """Whether nodes are filled by their label."""
        return self.colours is not None and not self.tree.is_regression

    def statements(self, expanded_nodes: set[int]) -> Iterator[str]:
        """One line per shown node, branch and cut, from the root down."""
        below = nodes_below(self.tree)
        level = [0]
        while level:
            following: list[int] = []
            for node in map(self.tree.node, level):
                yield self.node(node)
                if node.id in expanded_nodes:
                    children = node.children
                    yield from (self.branch(node, branch, child) for branch, child in enumerate(children))
                    following.extend(children)
                elif not node.is_leaf:
                    yield from self.cut(node.id, hidden_text(int(below[node.id])))
            level = following

    def node(self, node: Node) -> str:
        """The statement of one node."""
        fill = text = None
        if self.fills and self.colours is not None:
            label = int(self.tree.labels[node.id])
            fill = self.colours[label]
            text = self.text_colours[label] if self.text_colours is not None else None
        marked = node.id == self.highlight
        style = ("rounded,filled,bold" if self.fills else "rounded,bold") if marked else None
        return f"n{node.id} " + attributes(
            label="\n".join(node_lines(node, NAME_LENGTH)),
            tooltip="\n".join(node_lines(node, None)),
            fillcolor=fill,
            fontcolor=text,
            style=style,
            penwidth="4" if marked else None,
        )

    def branch(self, node: Node, branch: int, child: int) -> str:
        """The statement of one branch with its text, and room beside it."""
        condition = node.condition
        assert condition is not None, "a node with children has a test"
        text = visible(condition.branch_word(branch))
        whole = visible(condition.word(branch))
        labels = attributes(label=f"   {shortened(text, NAME_LENGTH)}   ", tooltip=whole, labeltooltip=whole)
        return f"n{node.id} -> n{child} {labels}"

    def cut(self, node: int, text: str) -> Iterator[str]:
        """The statements in place of the nodes below a node."""
        small = attributes(label=text, tooltip=text, shape="plaintext", style="", fontsize="9")
        yield f"h{node} {small}"
        yield f"n{node} -> h{node} " + attributes(style="dashed", arrowhead="none")


def node_lines(node: Node, limit: int | None) -> list[str]:
    """The lines in a node: the tested feature, its class counts or mean, its prediction, and manual decisions."""
    by_hand = [node.by_hand] if node.by_hand else []
    return [*_grown_lines(node, limit), *by_hand]


def _grown_lines(node: Node, limit: int | None) -> list[str]:
    condition = node.condition
    behind = node.tree.rows_text(node.weight)
    heading = [] if condition is None else [name_text(condition.feature, limit)]
    if node.tree.is_regression:
        digits = 6 if limit is None else 4
        mean = number(float(node.label), digits)
        middle = [] if node.deviation is None else [f"{mean} ± {number(node.deviation, digits)}"]
        last = behind if middle else message("{prediction}, {rows}", prediction=mean, rows=behind)
        return [*heading, *middle, last]
    counts = [] if node.weight == 0 else [class_counts(node.stats, node.tree.classes, limit)]
    label = name_text(node.label, limit)
    return [*heading, *counts, message("{prediction}, {rows}", prediction=label, rows=behind)]
