"""What stands in the box of each node of a picture, and how large the box must be for it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from explorer.drawing.svg.text_width import fitted, width
from explorer.formatting import class_counts, number, rows, spread, visible
from explorer.recipe.condition import Condition
from explorer.tree.tree import Tree

TEXT, SMALL, TITLE = 13.0, 11.5, 15.0
"""Font sizes: in a box, for rows and branch words, for the legend's title."""
PAD, BAR, BAND, SIGN, GAP = 11.0, 8.0, 25.0, 17.0, 16.0
"""Space at a box's edge, height of the class bar and of a leaf's answer, width of a shape, space before the rows."""
INNER_HEIGHT, LEAF_HEIGHT = 72.0, 50.0
_NAME_ROOM, _LEAST_WIDTH = 230.0, 112.0


@dataclass(frozen=True)
class NodeText:
    """The texts of one node, cut to their room, and the size of its box; `whole` has them uncut, line by line."""

    heading: str
    word: str
    prediction: str
    rows: str
    whole: tuple[str, ...]
    width: float
    word_width: float
    is_leaf: bool

    @property
    def height(self) -> float:
        """A leaf has no test to show."""
        return LEAF_HEIGHT if self.is_leaf else INNER_HEIGHT


@dataclass(frozen=True, eq=False)
class NodeTexts:
    """The cards of an open tree."""

    tree: Tree
    show_ids: bool

    @cached_property
    def values(self) -> NDArray[np.float64]:
        """The mean that each node of a regression tree answers, [n_grown]."""
        return self.tree.values

    @cached_property
    def deviations(self) -> NDArray[np.float64]:
        """Standard deviation of each node of a regression tree, [n_grown]; 0 where it has no rows."""
        weight, squares = self.tree.stats[:, 0], self.tree.stats[:, 2]
        return np.sqrt(np.maximum(squares, 0.0) / np.where(weight > 0, weight, 1.0))

    @cached_property
    def span(self) -> tuple[float, float]:
        """The ends of the scale that whiskers stand on: all open means with their standard deviations."""
        shown = self.tree.is_kept & (self.tree.weight > 0)
        mean, away = self.values[shown], self.deviations[shown]
        return float((mean - away).min()), float((mean + away).max())

    def cards(self) -> dict[int, NodeText]:
        """The card of every open node, by id, from the root down."""
        made = {}
        conditions: dict[int, Condition] = {}
        for node in np.flatnonzero(self.tree.is_kept).tolist():
            own = None if self.tree.is_leaf[node] else self.tree.condition(node)
            if own is not None:
                conditions[node] = own
            made[node] = self.card(node, own, conditions.get(int(self.tree.parent[node])))
        return made

    def card(self, node: int, own: Condition | None, above: Condition | None) -> NodeText:
        """The card of one node from its own test and its parent's."""
        branch = node - int(self.tree.first_child[self.tree.parent[node]]) if above else 0
        heading = fitted(own.text, _NAME_ROOM, TEXT, bold=True) if own else ""
        word = fitted(above.branch_word(branch), _NAME_ROOM, SMALL) if above else ""
        prediction = fitted(self.prediction(node), _NAME_ROOM, TEXT)
        by_hand = " · by hand" if self.tree.node(node).by_hand else ""
        number_of_rows = rows(float(self.tree.weight[node])) + (f" · node {node}" if self.show_ids else "") + by_hand
        bottom = SIGN + width(prediction, TEXT, bold=own is None) + GAP + width(number_of_rows, SMALL)
        return NodeText(
            heading=heading,
            word=word,
            prediction=prediction,
            rows=number_of_rows,
            whole=self.whole(node, own, above.word(branch) if above else "all rows"),
            width=max(_LEAST_WIDTH, width(heading, TEXT, bold=True), bottom) + 2 * PAD,
            word_width=width(word, SMALL),
            is_leaf=own is None,
        )

    def prediction(self, node: int) -> str:
        """What the node answers: its class, or its mean."""
        if self.tree.is_regression:
            return number(float(self.values[node]), 4)
        return str(self.tree.classes[self.tree.labels[node]])

    def whole(self, node: int, own: Condition | None, way: str) -> tuple[str, ...]:
        """All that is known of a node, uncut: the way in, its test, what its rows are like, its answer, who decided."""
        weight = float(self.tree.weight[node])
        test = (f"test: {own.text}",) if own else ()
        by_hand = self.tree.node(node).by_hand
        decided = (by_hand,) if by_hand else ()
        prediction = f"answer: {visible(self.prediction(node))}, {rows(weight)}"
        return (way, *test, *self._like(node, weight), prediction, *decided)

    def _like(self, node: int, weight: float) -> tuple[str, ...]:
        if weight == 0:
            return ()
        if self.tree.is_regression:
            deviation = spread(float(self.tree.stats[node, 2]), weight)
            return (f"{number(float(self.values[node]))} ± {deviation}",)
        return (class_counts(self.tree.stats[node], self.tree.classes),)
