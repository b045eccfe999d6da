"""The texts in the box of each node of a picture, and the size of the box."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from explorer.drawing.svg.text_width import fitted, width
from explorer.formatting import class_counts, number, visible
from explorer.messages import message
from explorer.recipe.condition import Condition
from explorer.tree.tree import Tree
from explorer.tree.truncation import hidden_text

TEXT, SMALL, TITLE = 13.0, 11.5, 15.0
"""Font sizes: in a box, for rows and branch texts, for the legend's title."""
PAD, BAR, BAND, SIGN, GAP = 11.0, 8.0, 25.0, 17.0, 16.0
"""Padding of a box, height of the class bar and of a leaf's prediction, width of a shape, space before the rows."""
INNER_HEIGHT, LEAF_HEIGHT = 72.0, 50.0
_NAME_ROOM, _LEAST_WIDTH = 230.0, 112.0


@dataclass(frozen=True)
class NodeText:
    """The texts of one node, cut to fit, and the size of its box; `whole` has them uncut, line by line."""

    heading: str
    branch: str
    prediction: str
    rows: str
    whole: tuple[str, ...]
    width: float
    branch_width: float
    is_leaf: bool

    @property
    def height(self) -> float:
        """The height of the box; a leaf has no test to show."""
        return LEAF_HEIGHT if self.is_leaf else INNER_HEIGHT


@dataclass(frozen=True, eq=False)
class NodeTexts:
    """The texts of all kept nodes of a tree."""

    tree: Tree
    show_ids: bool
    hidden: NDArray[np.int64]
    """How many nodes below each one the picture leaves out, [n_grown]."""

    @cached_property
    def values(self) -> NDArray[np.float64]:
        """The predicted mean of each node of a regression tree, [n_grown]."""
        return self.tree.values

    @cached_property
    def deviations(self) -> NDArray[np.float64]:
        """Standard deviation of each node of a regression tree, [n_grown]; 0 without rows and without a mean."""
        if not self.tree.has_deviations:
            return np.zeros(self.tree.n_nodes_grown)
        weight, squares = self.tree.stats[:, 0], self.tree.stats[:, 2]
        return np.sqrt(np.maximum(squares, 0.0) / np.where(weight > 0, weight, 1.0))

    @cached_property
    def span(self) -> tuple[float, float]:
        """The ends of the scale of the whiskers: the means of all kept nodes with their standard deviations."""
        shown = self.tree.is_kept & (self.tree.weight > 0)
        means, deviations = self.values[shown], self.deviations[shown]
        return float((means - deviations).min()), float((means + deviations).max())

    def by_node(self) -> dict[int, NodeText]:
        """The texts of every kept node, by id, from the root down."""
        texts = {}
        conditions: dict[int, Condition] = {}
        for node in np.flatnonzero(self.tree.is_kept).tolist():
            own = None if self.tree.is_leaf[node] else self.tree.condition(node)
            if own is not None:
                conditions[node] = own
            texts[node] = self.node_text(node, own, conditions.get(int(self.tree.parent[node])))
        return texts

    def node_text(self, node: int, own: Condition | None, above: Condition | None) -> NodeText:
        """The texts of one node, from its own test and its parent's."""
        branch = node - int(self.tree.first_child[self.tree.parent[node]]) if above else 0
        heading = fitted(own.text, _NAME_ROOM, TEXT, bold=True) if own else ""
        branch_text = fitted(above.branch_word(branch), _NAME_ROOM, SMALL) if above else ""
        prediction = fitted(self.prediction(node), _NAME_ROOM, TEXT)
        facts = [self.tree.rows_text(float(self.tree.weight[node]))]
        facts += [message("node {node}", node=node)] if self.show_ids else []
        facts += [message("by hand")] if self.tree.node(node).by_hand else []
        facts += [hidden_text(int(self.hidden[node]))] if self.hidden[node] else []
        number_of_rows = " · ".join(facts)
        bottom = SIGN + width(prediction, TEXT, bold=own is None) + GAP + width(number_of_rows, SMALL)
        return NodeText(
            heading=heading,
            branch=branch_text,
            prediction=prediction,
            rows=number_of_rows,
            whole=self.whole(node, own, above.word(branch) if above else message("all rows")),
            width=max(_LEAST_WIDTH, width(heading, TEXT, bold=True), bottom) + 2 * PAD,
            branch_width=width(branch_text, SMALL),
            is_leaf=own is None,
        )

    def prediction(self, node: int) -> str:
        """The prediction of a node: its class, or its mean."""
        if self.tree.is_regression:
            return number(float(self.values[node]), 4)
        return str(self.tree.classes[self.tree.labels[node]])

    def whole(self, node: int, own: Condition | None, reached: str) -> tuple[str, ...]:
        """All facts of a node, uncut: how it is reached, its test, its rows, its prediction, and who decided."""
        weight = float(self.tree.weight[node])
        test = (message("split: {condition}", condition=own.text),) if own else ()
        by_hand = self.tree.node(node).by_hand
        decided = (by_hand,) if by_hand else ()
        prediction = message(
            "prediction: {prediction}, {rows}",
            prediction=visible(self.prediction(node)),
            rows=self.tree.rows_text(weight),
        )
        below = (hidden_text(int(self.hidden[node])),) if self.hidden[node] else ()
        return (reached, *test, *self._statistics(node, weight), prediction, *decided, *below)

    def _statistics(self, node: int, weight: float) -> tuple[str, ...]:
        if weight == 0:
            return ()
        if self.tree.is_regression:
            deviation = self.tree.node(node).deviation
            return () if deviation is None else (f"{number(float(self.values[node]))} ± {number(deviation)}",)
        return (class_counts(self.tree.stats[node], self.tree.classes),)
