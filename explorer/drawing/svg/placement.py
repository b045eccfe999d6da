"""The position of each box of a picture, and the curve of its branch."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.drawing.class_shapes import short
from explorer.drawing.svg.layout import node_centres
from explorer.drawing.svg.node_text import PAD, SMALL, NodeText
from explorer.tree.tree import Tree

_BESIDE, _CURVE = 16.0, 50.0
"""Space between neighbours, and the length of a branch before its text."""
_BRANCH_LINE = SMALL + 9.0
"""Height of the line with a branch's text."""


@dataclass(frozen=True)
class PlacedBox:
    """A box, the position of its branch's text, and the branch's curve (a path's `d`)."""

    x: float
    y: float
    width: float
    height: float
    text_x: float
    text_y: float
    curve: str


def placed_boxes(
    tree: Tree, node_texts: dict[int, NodeText], direction: str, thickness: NDArray[np.float64]
) -> tuple[dict[int, PlacedBox], float, float]:
    """The box of every kept node, and the width and height of the picture; branches are `thickness` [n] wide."""
    if direction == "LR":
        return _sideways(tree, node_texts, thickness)
    return _downwards(tree, node_texts, thickness)


def _downwards(
    tree: Tree, node_texts: dict[int, NodeText], thickness: NDArray[np.float64]
) -> tuple[dict[int, PlacedBox], float, float]:
    """The root on top; a branch's text is above its child's box, where the curve ends."""
    room = _by_node(
        tree, {node: max(node_text.width, node_text.branch_width) + _BESIDE for node, node_text in node_texts.items()}
    )
    middle, total = node_centres(tree, room)
    tallest = _largest_by_depth(tree, {node: node_text.height for node, node_text in node_texts.items()})
    tops = np.concatenate([[0.0], np.cumsum(tallest[:-1] + _CURVE + _BRANCH_LINE)])
    boxes: dict[int, PlacedBox] = {}
    departure = _departures(
        tree, thickness, {node: node_text.width - 4 * PAD for node, node_text in node_texts.items()}
    )
    for node, node_text in node_texts.items():
        x, y = float(middle[node]), float(tops[tree.depth[node]])
        curve = ""
        if node:
            above = boxes[int(tree.parent[node])]
            start = above.x + above.width / 2.0 + departure[node]
            curve = _falling(start, above.y + above.height, x, y - _BRANCH_LINE, y - _BRANCH_LINE - _CURVE)
        boxes[node] = PlacedBox(x - node_text.width / 2.0, y, node_text.width, node_text.height, x, y - 7.0, curve)
    return boxes, total, float(tops[-1] + tallest[-1])


def _sideways(
    tree: Tree, node_texts: dict[int, NodeText], thickness: NDArray[np.float64]
) -> tuple[dict[int, PlacedBox], float, float]:
    """The root at the left; a branch's text is on the horizontal stretch before its child's box."""
    room = _by_node(tree, {node: node_text.height + _BESIDE for node, node_text in node_texts.items()})
    middle, total = node_centres(tree, room)
    widest = _largest_by_depth(tree, {node: node_text.width for node, node_text in node_texts.items()})
    branch_widths = (
        _largest_by_depth(tree, {node: node_text.branch_width for node, node_text in node_texts.items()}) + PAD
    )
    lefts = np.concatenate([[0.0], np.cumsum(widest[:-1] + _CURVE + branch_widths[1:])])
    boxes: dict[int, PlacedBox] = {}
    departure = _departures(
        tree, thickness, {node: node_text.height - 2 * PAD for node, node_text in node_texts.items()}
    )
    for node, node_text in node_texts.items():
        x, y, depth = float(lefts[tree.depth[node]]), float(middle[node]), int(tree.depth[node])
        curve = ""
        if node:
            above = boxes[int(tree.parent[node])]
            start = above.y + above.height / 2.0 + departure[node]
            bend = x - float(branch_widths[depth])
            curve = _rising(above.x + above.width, start, x, y, bend - _CURVE, bend)
        boxes[node] = PlacedBox(
            x,
            y - node_text.height / 2.0,
            float(widest[depth]),
            node_text.height,
            x - PAD / 2.0 - node_text.branch_width / 2.0,
            y - thickness[node] / 2.0 - 5.0,
            curve,
        )
    return boxes, float(lefts[-1] + widest[-1]), total


def _falling(x: float, y: float, to_x: float, to_y: float, bend: float) -> str:
    """Straight down to the end of the level, then in a curve to the child."""
    half = (bend + to_y) / 2.0
    return (
        f"M{short(x)} {short(y)}V{short(bend)}"
        f"C{short(x)} {short(half)} {short(to_x)} {short(half)} {short(to_x)} {short(to_y)}"
    )


def _rising(x: float, y: float, to_x: float, to_y: float, start: float, bend: float) -> str:
    """Horizontal to the end of the column, in a curve to the child's height, and horizontal again below its text."""
    half = (start + bend) / 2.0
    return (
        f"M{short(x)} {short(y)}H{short(start)}"
        f"C{short(half)} {short(y)} {short(half)} {short(to_y)} {short(bend)} {short(to_y)}H{short(to_x)}"
    )


def _departures(tree: Tree, thickness: NDArray[np.float64], room: dict[int, float]) -> dict[int, float]:
    """The distance of each branch's start from the middle of its parent's side: side by side, closer where many."""
    offsets: dict[int, float] = {}
    for node, space in room.items():
        children = tree.children_of(node)
        if tree.is_leaf[node] or not len(children):
            continue
        widths = thickness[children.start : children.stop]
        total = float(widths.sum())
        squeeze = min(1.0, max(space, 0.0) / total)
        middles = (np.cumsum(widths) - widths / 2.0 - total / 2.0) * squeeze
        offsets.update(zip(children, middles.tolist(), strict=True))
    return offsets


def _by_node(tree: Tree, values: dict[int, float]) -> NDArray[np.float64]:
    array = np.zeros(tree.n_nodes_grown)
    array[list(values)] = list(values.values())
    return array


def _largest_by_depth(tree: Tree, values: dict[int, float]) -> NDArray[np.float64]:
    largest = np.zeros(tree.max_depth + 1)
    np.maximum.at(largest, tree.depth[list(values)], list(values.values()))
    return largest
