"""A tree as an icon: its shape alone, without a word, small enough for a list of tables.

The *shape* is a text: an internal node is its children in parentheses, in branch order, and a leaf is one digit, the
code of its class, or in a regression tree the tenth of the range of means in which its own lies.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.errors import InputError
from explorer.messages import message
from explorer.tree.tree import Tree

WIDTH, HEIGHT = 64, 40
MOST_LEAVES, MOST_LEVELS = 16, 5
_MARGIN, _DIGITS = 3.0, 10


def tree_shape(tree: Tree) -> str:
    """The shape of the tree, cut at the deepest level that leaves at most 16 leaves; nodes there count as leaves.

    >>> from explorer import ID3, Dataset, grow
    >>> from explorer.data.samples import load_sample
    >>> tree_shape(grow(Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis"), ID3))
    '((01)1(10))'
    """
    digits = _leaf_digits(tree)

    def shape(node: int, levels: int) -> str:
        children = tree.children_of(node)
        if not levels or tree.is_leaf[node]:
            return str(digits[node])
        return f"({''.join(shape(child, levels - 1) for child in children)})"

    for levels in range(MOST_LEVELS, 0, -1):
        text = shape(0, levels)
        if sum(sign.isdigit() for sign in text) <= MOST_LEAVES:
            return text
    return shape(0, 1)


def _leaf_digits(tree: Tree) -> NDArray[np.int64]:
    """The digit of every node, [n]."""
    if not tree.is_regression:
        return tree.labels.astype(np.int64) % _DIGITS
    values, kept = tree.values, tree.values[tree.is_kept]
    spread = float(np.ptp(kept)) or 1.0
    return np.clip((values - kept.min()) / spread * _DIGITS, 0, _DIGITS - 1).astype(np.int64)


@dataclass
class _Placed:
    """A node of the icon: its digit (None for an internal node), its place, and its children."""

    digit: int | None
    level: int
    x: float
    children: list[_Placed]


def tree_icon(shape: str, colours: Sequence[str], line: str) -> str:
    """The icon of a shape as an SVG document; `colours` are those of the digits, `line` that of the branches.

    Raises InputError for a text that is no shape.

    >>> tree_icon("(01)", ["#111111", "#222222"], "#333333").count("<circle")
    3
    """
    signs = iter(shape)
    root, after = _read(signs), list(signs)
    if root is None or after:
        raise InputError(message("{shape} is not the shape of a tree.", shape=repr(shape)))
    nodes = list(_nodes(root))
    leaves = [node for node in nodes if node.digit is not None]
    step = (WIDTH - 2 * _MARGIN) / len(leaves)
    for slot, leaf in enumerate(leaves):
        leaf.x = _MARGIN + (slot + 0.5) * step
    for node in reversed(nodes):  # preorder reversed: children before their parent
        if node.children:
            node.x = (node.children[0].x + node.children[-1].x) / 2
    height = (HEIGHT - 2 * _MARGIN - 2) / (max(node.level for node in nodes) or 1)
    parts = [_branches(node, height, line) for node in nodes if node.children]
    parts += [_dot(node, height, min(3.2, step * 0.45), colours, line) for node in nodes]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
        f'viewBox="0 0 {WIDTH} {HEIGHT}">{"".join(parts)}</svg>'
    )


def _read(signs: Iterator[str], level: int = 0) -> _Placed | None:
    """The next node of a shape; None at a closing parenthesis."""
    sign = next(signs, "")
    if sign == ")":
        return None
    if sign.isdigit() and sign.isascii():
        return _Placed(int(sign), level, 0.0, [])
    if sign != "(":
        raise InputError(message("The shape of a tree needs a node here, not {sign}.", sign=repr(sign)))
    children = []
    while (child := _read(signs, level + 1)) is not None:
        children.append(child)
    if not children:
        raise InputError(message("An internal node of a shape has no children."))
    return _Placed(None, level, 0.0, children)


def _nodes(node: _Placed) -> Iterator[_Placed]:
    """All nodes, every parent before its children."""
    yield node
    for child in node.children:
        yield from _nodes(child)


def _y(node: _Placed, height: float) -> float:
    return _MARGIN + 1 + node.level * height


def _branches(node: _Placed, height: float, line: str) -> str:
    start, end = f"{node.x:.1f} {_y(node, height):.1f}", node.children
    path = "".join(f"M{start}L{child.x:.1f} {_y(child, height):.1f}" for child in end)
    return f'<path d="{path}" fill="none" stroke="{line}" stroke-width="1"/>'


def _dot(node: _Placed, height: float, radius: float, colours: Sequence[str], line: str) -> str:
    at = f'cx="{node.x:.1f}" cy="{_y(node, height):.1f}"'
    if node.digit is None:
        return f'<circle {at} r="1.4" fill="{line}"/>'
    return f'<circle {at} r="{radius:.1f}" fill="{colours[node.digit % len(colours)]}"/>'
