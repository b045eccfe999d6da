"""Where each box of a picture stands, and the curve that leads to it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.drawing.class_shapes import short
from explorer.drawing.svg.layout import places
from explorer.drawing.svg.node_text import PAD, SMALL, NodeText
from explorer.tree.tree import Tree

_BESIDE, _CURVE = 16.0, 50.0
"""Space between neighbours, and the length of a branch before its word."""
_WORD = SMALL + 9.0
"""Height of the line that holds a branch's word."""


@dataclass(frozen=True)
class PlacedBox:
    """A box, the place of the word on its branch, and the branch's curve (a path's `d`)."""

    x: float
    y: float
    width: float
    height: float
    word_x: float
    word_y: float
    curve: str


def framed(
    tree: Tree, cards: dict[int, NodeText], direction: str, thickness: NDArray[np.float64]
) -> tuple[dict[int, PlacedBox], float, float]:
    """The frame of every open node, and the width and height of the whole; branches are `thickness` [n] wide."""
    if direction == "LR":
        return _sideways(tree, cards, thickness)
    return _downwards(tree, cards, thickness)


def _downwards(
    tree: Tree, cards: dict[int, NodeText], thickness: NDArray[np.float64]
) -> tuple[dict[int, PlacedBox], float, float]:
    """The root on top; a branch's word stands on its child's box, where the curve ends."""
    room = _by_node(tree, {node: max(card.width, card.word_width) + _BESIDE for node, card in cards.items()})
    middle, total = places(tree, room)
    tallest = _largest_by_depth(tree, {node: card.height for node, card in cards.items()})
    tops = np.concatenate([[0.0], np.cumsum(tallest[:-1] + _CURVE + _WORD)])
    frames: dict[int, PlacedBox] = {}
    departure = _departures(tree, thickness, {node: card.width - 4 * PAD for node, card in cards.items()})
    for node, card in cards.items():
        x, y = float(middle[node]), float(tops[tree.depth[node]])
        curve = ""
        if node:
            above = frames[int(tree.parent[node])]
            start = above.x + above.width / 2.0 + departure[node]
            curve = _falling(start, above.y + above.height, x, y - _WORD, y - _WORD - _CURVE)
        frames[node] = PlacedBox(x - card.width / 2.0, y, card.width, card.height, x, y - 7.0, curve)
    return frames, total, float(tops[-1] + tallest[-1])


def _sideways(
    tree: Tree, cards: dict[int, NodeText], thickness: NDArray[np.float64]
) -> tuple[dict[int, PlacedBox], float, float]:
    """The root at the left; a branch's word lies on the level stretch before its child's box."""
    room = _by_node(tree, {node: card.height + _BESIDE for node, card in cards.items()})
    middle, total = places(tree, room)
    widest = _largest_by_depth(tree, {node: card.width for node, card in cards.items()})
    words = _largest_by_depth(tree, {node: card.word_width for node, card in cards.items()}) + PAD
    lefts = np.concatenate([[0.0], np.cumsum(widest[:-1] + _CURVE + words[1:])])
    frames: dict[int, PlacedBox] = {}
    departure = _departures(tree, thickness, {node: card.height - 2 * PAD for node, card in cards.items()})
    for node, card in cards.items():
        x, y, depth = float(lefts[tree.depth[node]]), float(middle[node]), int(tree.depth[node])
        curve = ""
        if node:
            above = frames[int(tree.parent[node])]
            start = above.y + above.height / 2.0 + departure[node]
            bend = x - float(words[depth])
            curve = _rising(above.x + above.width, start, x, y, bend - _CURVE, bend)
        frames[node] = PlacedBox(
            x,
            y - card.height / 2.0,
            float(widest[depth]),
            card.height,
            x - PAD / 2.0 - card.word_width / 2.0,
            y - thickness[node] / 2.0 - 5.0,
            curve,
        )
    return frames, float(lefts[-1] + widest[-1]), total


def _falling(x: float, y: float, to_x: float, to_y: float, bend: float) -> str:
    """Straight down to the end of the level, then in a curve to the child."""
    half = (bend + to_y) / 2.0
    return (
        f"M{short(x)} {short(y)}V{short(bend)}"
        f"C{short(x)} {short(half)} {short(to_x)} {short(half)} {short(to_x)} {short(to_y)}"
    )


def _rising(x: float, y: float, to_x: float, to_y: float, start: float, bend: float) -> str:
    """Level to the end of the column, in a curve to the child's height, and level again below its word."""
    half = (start + bend) / 2.0
    return (
        f"M{short(x)} {short(y)}H{short(start)}"
        f"C{short(half)} {short(y)} {short(half)} {short(to_y)} {short(bend)} {short(to_y)}H{short(to_x)}"
    )


def _departures(tree: Tree, thickness: NDArray[np.float64], room: dict[int, float]) -> dict[int, float]:
    """How far from the middle of its parent's side each branch leaves: side by side, closer where they are many."""
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
