"""A grown tree: its arrays (see `BaseTree`), its nodes, its predictions, and the forms in which it is kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from explorer.data.dataset import Dataset
from explorer.errors import InputError
from explorer.messages import message
from explorer.recipe.columns import FeatureEncoding
from explorer.recipe.condition import Condition
from explorer.recipe.parameters import EMPTY, LOCKED, STOP_REASONS
from explorer.tree.base_tree import MOST_LETTERS, BaseTree, is_action
from explorer.tree.constraints import NodePath, branch_text
from explorer.tree.from_sklearn import fields_from_sklearn
from explorer.tree.from_sklearn_json import fields_from_sklearn_json
from explorer.tree.leaf_mixture import Cutoffs, Decision, averaged, named
from explorer.tree.routing import RowValues, apply_tree, predictions_of, routes_of, rows_passing
from explorer.tree.serialize import fields_from_dict, tree_to_dict
from explorer.tree.smoothing import Smoothing
from explorer.values import Value

if TYPE_CHECKING:
    from sklearn.tree import BaseDecisionTree


class Tree(BaseTree):
    """All grown nodes, and which of them are pruned to leaves: see `BaseTree` for the arrays."""

    def _repr_svg_(self) -> str | None:
        """The picture that a notebook shows; None for a tree too large to read, for which it shows `repr`."""
        from explorer.drawing.svg.svg import picture_of

        return picture_of(self)

    def node(self, node: int) -> Node:
        """The view of one node."""
        if not 0 <= node < self.n_nodes_grown:
            raise InputError(
                message("There is no node {node}: ids go from 0 to {last}.", node=node, last=self.n_nodes_grown - 1)
            )
        return Node(self, int(node))

    def place(self, node: int) -> NodePath:
        """The path to a node, by which constraints name it: its branches, and their texts."""
        steps = self.path_to(self.node(node).id)
        texts = [branch_text(condition, branch) for step, branch in steps if (condition := self.condition(step))]
        return NodePath(tuple(branch for _, branch in steps), tuple(texts))

    def with_predictions(self, values: ArrayLike) -> Tree:
        """The same tree, in which each node [n] predicts this number; `stats` still describe its training rows.

        Gradient boosting grows a tree on negative gradients, then finds the leaves' values by the loss (section 21).
        Raises InputError for a tree with classes, another length, or numbers that are not finite.

        >>> from explorer import CART, grow
        >>> data = Dataset.from_frame(pd.DataFrame({"x": [1, 2, 3], "y": [0.0, 0.5, 6.0]}), "y")
        >>> grow(data, CART.replace(max_depth=1)).with_predictions([0.0, -1.0, 5.5]).predict(data).tolist()
        [-1.0, -1.0, 5.5]
        """
        numbers = np.array(values, dtype=np.float64)
        if not self.is_regression:
            raise InputError(
                message("This tree predicts classes: only the predicted numbers of a tree can be replaced.")
            )
        if numbers.shape != (self.n_nodes_grown,):
            raise InputError(
                message(
                    "The tree has {nodes:,} nodes, but there are {values:,} predictions: give one per node.",
                    nodes=self.n_nodes_grown,
                    values=numbers.size,
                )
            )
        if not np.isfinite(numbers).all():
            node = int(np.flatnonzero(~np.isfinite(numbers))[0])
            raise InputError(message("The prediction of node {node} is not a finite number.", node=node))
        return replace(self, predictions=numbers)

    def with_smoothing(self, smoothing: Smoothing | str | None) -> Tree:
        """The same tree with class probabilities smoothed by a rule (or "laplace", "m_estimate"); None: not smoothed.

        Labels and `shares` stay as they are. Raises InputError for a tree that predicts numbers.
        """
        rule = Smoothing.of(smoothing)
        if rule is not None and self.is_regression:
            raise InputError(message("This tree predicts numbers and has no class probabilities to smooth."))
        return self if rule == self.smoothing else replace(self, smoothing=rule)

    def with_threshold(self, name: Value, threshold: float | None) -> Tree:
        """The same tree, which predicts one of its two classes from this probability on; None: as it was grown.

        Everything that says a class follows: nodes, predictions, rules, exports, reports. Growing, pruning and the
        class probabilities stay as they are. Raises InputError for a tree without just two classes, a class that it
        has not, and a threshold that is not above 0 and at most 1.

        >>> from explorer import ID3, grow, load_sample
        >>> tennis = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
        >>> tree = grow(tennis, ID3.replace(max_depth=1))                # No: 0 of 4, 2 of 5 and 3 of 5
        >>> [list(tree.with_threshold("No", at_least).predict(tennis)).count("No") for at_least in (0.4, 0.5, 0.7)]
        [10, 5, 0]
        """
        if threshold is None:
            return self if self.decision is None else replace(self, decision=None)
        return replace(self, decision=Decision.of(self.classes, name, threshold))

    def with_cutoffs(self, cutoffs: Mapping[Value, float] | None) -> Tree:
        """The same tree, which predicts the class with the largest probability divided by its cutoff; None: as grown.

        A class without a cutoff has 1. Everything follows as by `with_threshold`. Raises InputError for a class that
        the tree has not, and a cutoff that is no number from 1e-6 to 1e6.

        >>> from explorer import ID3, grow, load_sample
        >>> tennis = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
        >>> tree = grow(tennis, ID3.replace(max_depth=1))                # No: 0 of 4, 2 of 5 and 3 of 5
        >>> [list(tree.with_cutoffs({"No": cutoff}).predict(tennis)).count("No") for cutoff in (0.6, 1, 2)]
        [10, 5, 0]
        """
        return replace(self, decision=None if cutoffs is None else Cutoffs.of(self.classes, cutoffs))

    def with_actions(self, actions: Mapping[int, str]) -> Tree:
        """The same tree with what to do with rows that end at or below nodes, by their ids; {}: nothing.

        Rules, predictions for files, saved trees, and the exports as text, Python and SQL have the text of a row's
        leaf: its own, or that of the nearest node above. Raises InputError for a node that the tree has not, and a text
        that is empty or has more than 200 letters.

        >>> from explorer import ID3, grow, load_sample
        >>> tennis = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
        >>> tree = grow(tennis, ID3).with_actions({0: "book a court", 1: "call first"})
        >>> [tree.node_actions[node] for node in tree.leaves()]
        ['book a court', 'call first', 'call first', 'book a court', 'book a court']
        """
        for node, text in actions.items():
            if isinstance(node, bool) or not isinstance(node, (int, np.integer)) or not 0 <= node < self.n_nodes_grown:
                raise InputError(
                    message(
                        "The tree has no node {node:.40}: its nodes are 0 to {last}.",
                        node=repr(node),
                        last=self.n_nodes_grown - 1,
                    )
                )
            if not is_action(text):
                raise InputError(
                    message(
                        "The action of node {node} must be a text of 1 to {most} letters.", node=node, most=MOST_LETTERS
                    )
                )
        return replace(self, actions=tuple((int(node), actions[node]) for node in sorted(actions)))

    def apply(self, rows: pd.DataFrame | Dataset) -> NDArray[np.int32]:
        """The id of the node where each row ends, [n]; of several nodes (`routes`) that with the largest weight."""
        return apply_tree(self, rows)

    def routes(self, rows: pd.DataFrame | Dataset) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
        """Row, node and weight of every end of every row's decision path; the weights of a row add up to 1.

        A row has several ends where its tested value is missing (or unseen) and it follows every branch (fractional).
        """
        return routes_of(self, rows).all_parts()

    def predict_encoded(self, rows: pd.DataFrame | Dataset | RowValues) -> NDArray[Any]:
        """The predicted class code or mean of each row, [n]; several ends are averaged by their weights."""
        return predictions_of(self, rows)

    def predict(self, rows: pd.DataFrame | Dataset) -> NDArray[Any]:
        """The predicted class (in its own type) or mean of each row, [n]."""
        encoded = self.predict_encoded(rows)
        return encoded if self.is_regression else named(encoded, self.classes)

    def predict_proba(
        self, rows: pd.DataFrame | Dataset | RowValues, smoothing: Smoothing | str | None = None
    ) -> NDArray[np.float64]:
        """Class probabilities of each row in class order, [n, K]; `smoothing` as in `with_smoothing`.

        Without it they are those of the tree. Smoothing changes no prediction.

        >>> from explorer import ID3, grow, load_sample
        >>> tennis = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
        >>> tree = grow(tennis, ID3.replace(max_depth=1))
        >>> tree.predict_proba(tennis, "laplace")[2].round(4).tolist()    # Overcast, no No and 4 Yes: 1/6 and 5/6
        [0.1667, 0.8333]
        """
        if self.is_regression:
            raise InputError(message("This tree predicts numbers and has no class probabilities: use `predict`."))
        tree = self if smoothing is None else self.with_smoothing(smoothing)
        return averaged(routes_of(self, rows), tree.probabilities)

    def rows_at(self, data: Dataset, node: int) -> NDArray[np.intp]:
        """Positions of the rows of `data` that pass a node when they are predicted, wholly or in part, [m]."""
        return rows_passing(self, data, node)

    def to_dict(self) -> dict[str, Any]:
        """Plain lists and values that JSON can hold; `from_dict` reads them back."""
        return tree_to_dict(self)

    @classmethod
    def from_dict(cls, content: dict[str, Any], features: tuple[FeatureEncoding, ...] | None = None) -> Tree:
        """The tree that `to_dict` wrote; InputError for anything else. The record may come from anybody.

        `features` are those of a member whose ensemble keeps them once for all.
        """
        return cls(**fields_from_dict(content, features))

    @classmethod
    def from_sklearn(cls, fitted: BaseDecisionTree, target: str = "target") -> Tree:
        """The same tree as a fitted scikit-learn decision tree: every row gets the same prediction.

        `target` names what it predicts. Raises InputError for anything but one fitted tree of one target.

        >>> from sklearn.tree import DecisionTreeClassifier
        >>> tree = Tree.from_sklearn(DecisionTreeClassifier().fit([[1.0], [2.0], [4.0]], ["a", "a", "b"]))
        >>> tree.condition(0).text[:6], tree.node(2).label, tree.node(0).stats.tolist()
        ('x0 ≤ 3', 'b', [2.0, 1.0])
        """
        return cls(**fields_from_sklearn(fitted, target))

    @classmethod
    def from_sklearn_json(cls, text: object, target: str = "target") -> Tree:
        """The same tree from the JSON that `sklearn_snippet()` writes in a notebook: no pickle, no scikit-learn.

        The text, or its values, may come from anybody. Raises InputError for anything but one tree of up to 200,000
        nodes.
        """
        return cls(**fields_from_sklearn_json(text, target))


@dataclass(frozen=True)
class Node:
    """One node of a tree, read from the tree's arrays."""

    tree: Tree = field(repr=False)
    id: int

    @property
    def is_leaf(self) -> bool:
        """Whether no test follows, by growing or by pruning."""
        return bool(self.tree.feature[self.id] < 0 or self.tree.is_pruned[self.id])

    @property
    def is_empty(self) -> bool:
        """Whether no training row reaches the node."""
        return bool(self.tree.stop[self.id] == EMPTY)

    @property
    def is_forced(self) -> bool:
        """Whether a person chose the node's test; of a leaf made by hand, `stop_reason` says so."""
        return self.tree.forced is not None and bool(self.tree.forced[self.id])

    @property
    def by_hand(self) -> str:
        """The manual decision at the node as text; empty where there is none, or where the split is pruned."""
        if self.is_leaf:
            return message("made a leaf by hand") if self.tree.stop[self.id] == LOCKED else ""
        return message("split by hand") if self.is_forced else ""

    @property
    def condition(self) -> Condition | None:
        """The node's own test; None at a leaf."""
        return None if self.is_leaf else self.tree.condition(self.id)

    @property
    def children(self) -> tuple[int, ...]:
        """Ids in branch order; empty at a leaf."""
        return () if self.is_leaf else tuple(self.tree.children_of(self.id))

    @property
    def parent(self) -> int:
        """Id of the node above; −1 at the root."""
        return int(self.tree.parent[self.id])

    @property
    def depth(self) -> int:
        """Edges from the root."""
        return int(self.tree.depth[self.id])

    @property
    def weight(self) -> float:
        """Weight of the training rows at the node."""
        return float(self.tree.weight[self.id])

    @property
    def row_weight(self) -> float:
        """The same with class weights and costs taken out."""
        return self.weight if self.tree.is_regression else float(self.tree.row_stats[self.id].sum())

    @property
    def stats(self) -> NDArray[np.float64]:
        """Class weights in class order, or (W, mean, M2)."""
        return self.tree.stats[self.id]

    @property
    def impurity(self) -> float:
        """Impurity by the recipe's measure."""
        return float(self.tree.impurity[self.id])

    @property
    def missing_weight(self) -> float:
        """Weight of the rows whose tested value is missing."""
        return float(self.tree.missing_weight[self.id])

    @property
    def stop_reason(self) -> str | None:
        """Why the node was not split; None where it was ("pruned" for a node that pruning made a leaf)."""
        if self.tree.feature[self.id] >= 0:
            return message("pruned") if self.tree.is_pruned[self.id] else None
        return STOP_REASONS[self.tree.stop[self.id]]

    @property
    def label(self) -> Value:
        """The predicted class, or mean."""
        if self.tree.is_regression:
            return float(self.tree.values[self.id])
        return self.tree.classes[self.tree.labels[self.id]]

    @property
    def deviation(self) -> float | None:
        """Standard deviation around the predicted mean; None without rows, and where `has_deviations` is false."""
        if not self.tree.has_deviations or self.weight == 0:
            return None
        return float(np.sqrt(max(self.stats[2], 0.0) / self.weight))

    @property
    def probabilities(self) -> NDArray[np.float64]:
        """Class probabilities in class order, [K]."""
        return self.tree.probabilities[self.id]


def post_order(tree: Tree) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Kept nodes with a test, children before their parent and branches in order, with the nodes still on the stack."""
    inner = tree.is_inner
    stack, entered = [0] if inner[0] else [], np.zeros(tree.n_nodes_grown, dtype=bool)
    while stack:
        node = stack[-1]
        if entered[node]:
            stack.pop()
            yield node, tuple(stack)
        else:
            entered[node] = True
            stack.extend(child for child in reversed(tree.children_of(node)) if inner[child])
