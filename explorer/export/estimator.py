"""A tree as a fitted estimator of scikit-learn, for its pipelines and tools."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from explorer.data.codes.scale import Ordered
from explorer.errors import InputError
from explorer.messages import message
from explorer.tree.routing import branches_for_unknown
from explorer.tree.tree import Tree
from explorer.values import Value

if TYPE_CHECKING:
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor


def to_sklearn(tree: Tree) -> DecisionTreeClassifier | DecisionTreeRegressor:
    """A fitted DecisionTreeClassifier or DecisionTreeRegressor of scikit-learn that predicts as the (pruned) tree does.

    It knows the features by their names and stands for no training run: its parameters are scikit-learn's defaults.
    scikit-learn compares 32-bit numbers, so a cell that differs from a threshold in later digits only may take the
    other side. A row with a missing cell takes the side that the tree has for it; where no training row lacked the
    value, the side with more rows, as in scikit-learn. Raises InputError for what scikit-learn's trees cannot mean:
    tests on categories, more than two branches, rows with missing cells in several branches or decided by surrogates,
    and labels by costs, a threshold or smoothed probabilities.

    >>> from explorer import CART, Dataset, grow, load_sample
    >>> iris = load_sample("iris").frame
    >>> tree = grow(Dataset.from_frame(iris, "class"), CART)
    >>> bool((to_sklearn(tree).predict(iris.drop(columns="class")) == tree.predict(iris)).all())
    True
    """
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    _refuse_other_meanings(tree)
    names = [encoding.name for encoding in tree.features]
    fitted: Any
    target: list[Value]
    if tree.is_regression:
        fitted, target = DecisionTreeRegressor(), [0.0]
    else:
        fitted, target = DecisionTreeClassifier(), [*tree.classes]
    fitted.fit(pd.DataFrame(np.zeros((len(target), len(names))), columns=names), target)
    make, arguments, state = fitted.tree_.__reduce__()
    ids = np.flatnonzero(tree.is_kept)
    nodes = np.zeros(len(ids), dtype=state["nodes"].dtype)
    for name, values in _columns(tree, ids).items():
        nodes[name] = values
    answers = tree.values[ids, None] if tree.is_regression else _shares(tree, ids, fitted.classes_.tolist())
    values = np.ascontiguousarray(answers[:, None, :], dtype=np.float64)
    filled = make(*arguments)
    filled.__setstate__(state | {"max_depth": tree.max_depth, "node_count": len(ids), "nodes": nodes, "values": values})
    fitted.tree_ = filled
    return fitted


def _shares(tree: Tree, ids: NDArray[np.intp], names: list[Value]) -> NDArray[np.float64]:
    """The class shares of the nodes in scikit-learn's order of classes, [n, K].

    Of equal shares scikit-learn predicts the first; the one that the tree predicts is larger by the least that can be.
    """
    place = np.array([tree.classes.index(name) for name in names])
    shares = tree.shares[ids][:, place]
    predicted = np.argsort(place)[tree.labels[ids]]
    other = np.flatnonzero(shares.argmax(axis=1) != predicted)
    shares[other, predicted[other]] = np.nextafter(shares[other].max(axis=1), 2.0)
    return shares


def _columns(tree: Tree, ids: NDArray[np.intp]) -> dict[str, NDArray[Any]]:
    """The fields of scikit-learn's nodes, [n] each."""
    place = np.full(tree.n_nodes_grown + 1, -1)
    place[ids] = np.arange(len(ids))
    inner = tree.is_inner[ids]
    first = np.where(inner, tree.first_child[ids], -1)
    branch = branches_for_unknown(tree)[ids, 0]
    weight = tree.weight
    heavier_left = weight[np.where(inner, first, 0)] >= weight[np.where(inner, first + 1, 0)]
    rows = np.rint(weight[ids]).astype(np.int64)
    return {
        "left_child": np.where(inner, place[first], -1),
        "right_child": np.where(inner, place[np.where(inner, first + 1, -1)], -1),
        "feature": np.where(inner, tree.feature[ids], -2),
        "threshold": np.where(inner, tree.threshold[ids], -2.0),
        "impurity": tree.impurity[ids],
        "n_node_samples": np.maximum(rows, 1),
        "weighted_n_node_samples": weight[ids],
        "missing_go_to_left": (np.where(branch >= 0, branch == 0, heavier_left) & inner).astype(np.uint8),
    }


def _refuse_other_meanings(tree: Tree) -> None:
    """InputError for a tree that scikit-learn's cannot mean."""
    inner = np.flatnonzero(tree.is_inner)
    tested = [tree.features[position] for position in sorted(set(tree.feature[inner].tolist()))]
    listed = next((each.name for each in tested if each.test != "threshold" or isinstance(each.scale, Ordered)), None)
    if listed is not None:
        raise _not_meant(
            message("it tests categories of '{column}', and scikit-learn's tests are thresholds", column=listed)
        )
    if (tree.child_count[inner] != 2).any():
        raise _not_meant(message("a node has more than two branches"))
    if tree.decision is not None or tree.deciding_costs is not None:
        raise _not_meant(message("its labels go by costs or by a threshold, and scikit-learn's by the largest share"))
    if tree.smoothing is not None:
        raise _not_meant(message("its probabilities are smoothed"))
    unknown = branches_for_unknown(tree)[inner, 0] < 0
    if (unknown & (tree.missing_weight[inner] > 0)).any() or tree.surrogates is not None:
        raise _not_meant(message("rows with a missing cell take several branches, none, or that of a surrogate"))


def _not_meant(why: str) -> InputError:
    return InputError(message("The tree cannot be an estimator of scikit-learn: {why}. Use to_python.", why=why))
