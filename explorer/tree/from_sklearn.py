"""A fitted decision tree of scikit-learn as a `Tree`, which every row runs through alike (DEFINITIONS section 8).

scikit-learn rounds features to 32 bits before it compares them with a threshold; a `Tree` does not round. So
each threshold is moved to the largest 64-bit number that scikit-learn would still send left.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from explorer.errors import InputError
from explorer.messages import listing, message
from explorer.recipe.columns import FeatureEncoding
from explorer.recipe.parameters import DEPTH, FEW_ROWS, PURE, SPLIT
from explorer.recipe.recipe import CART, Recipe
from explorer.recipe.remarks import Remark
from explorer.values import Value

if TYPE_CHECKING:
    from sklearn.tree import BaseDecisionTree

IMPURITIES = {
    "gini": "gini",
    "entropy": "entropy",
    "log_loss": "entropy",
    "squared_error": "variance",
    "friedman_mse": "variance",
}
"""scikit-learn's criteria, and the impurity of a recipe for each."""
WHOLE = 1e-9
"""Weights this close to whole numbers, relative to the node's, were whole before they were stored as shares.

Shares of 0 and those of a node of weight 1 are told as they are: boosting leaves some that are near 0, but count.
"""

SAME_IMPURITY = 1e-6
"""How far the impurity of a node may be from that of its class shares."""


@dataclass(frozen=True, eq=False)
class FittedNodes:
    """What a fitted tree of scikit-learn consists of, under its own names; node 0 is the root, a leaf has child −1.

    `value` [n, K] are class shares, or means [n, 1]. `classes` is empty for a regressor. The limits are those of the
    estimator.
    """

    children_left: NDArray[np.int64]
    children_right: NDArray[np.int64]
    feature: NDArray[np.int64]
    threshold: NDArray[np.float64]
    missing_go_to_left: NDArray[np.bool_]
    value: NDArray[np.float64]
    impurity: NDArray[np.float64]
    n_node_samples: NDArray[np.int64]
    weighted_n_node_samples: NDArray[np.float64]
    features: tuple[FeatureEncoding, ...]
    classes: tuple[Value, ...]
    criterion: str
    max_depth: int | None = None
    min_samples_split: float = 2
    min_samples_leaf: float = 1
    min_impurity_decrease: float = 0.0


def fields_from_sklearn(fitted: BaseDecisionTree, target: str) -> dict[str, Any]:
    """The fields of a `Tree` with the nodes of a fitted sklearn tree, breadth-first, its feature names and classes.

    Without names, features are x0, x1, …. Raises InputError for anything but a fitted DecisionTreeClassifier or
    DecisionTreeRegressor with one target and a criterion of `IMPURITIES`.
    """
    tree = _checked(fitted)
    nodes = FittedNodes(
        children_left=tree.children_left,
        children_right=tree.children_right,
        feature=tree.feature,
        threshold=tree.threshold,
        missing_go_to_left=tree.missing_go_to_left.astype(bool),
        value=tree.value[:, 0, :],
        impurity=tree.impurity,
        n_node_samples=tree.n_node_samples,
        weighted_n_node_samples=tree.weighted_n_node_samples,
        features=numeric_features(feature_names(fitted)),
        classes=tuple(fitted.classes_.tolist()) if hasattr(fitted, "classes_") else (),
        criterion=fitted.criterion,
        max_depth=fitted.max_depth,
        min_samples_split=fitted.min_samples_split,
        min_samples_leaf=fitted.min_samples_leaf,
        min_impurity_decrease=fitted.min_impurity_decrease,
    )
    return fields_of_nodes(nodes, target)


def fields_of_nodes(nodes: FittedNodes, target: str) -> dict[str, Any]:
    """The fields of a `Tree` with these nodes, which have to be a tree.

    Sample and class weights have become row weights; scikit-learn keeps no reasons for stopping, so only those that
    its numbers show are given.
    """
    order, depth = breadth_first(nodes.children_left, nodes.children_right)
    split = nodes.children_left[order] >= 0
    recipe = _recipe(nodes)
    impurity = nodes.impurity[order]
    counts = np.where(split, 2, 0).astype(np.int32)
    return {
        "features": nodes.features,
        "target": target,
        "classes": nodes.classes,
        "recipe": recipe,
        "parent": _parents(nodes, order),
        "first_child": np.where(split, np.cumsum(counts) - counts + 1, -1).astype(np.int32),
        "child_count": counts,
        "depth": depth,
        "feature": np.where(split, nodes.feature[order], -1).astype(np.int32),
        "threshold": np.where(split, thresholds_before_rounding(nodes.threshold[order]), np.nan),
        "cat_offset": np.zeros(len(order) + 1, dtype=np.int64),
        "cat_code": np.empty(0, dtype=np.int32),
        "cat_branch": np.empty(0, dtype=np.int32),
        "missing_branch": np.where(split, 1 - nodes.missing_go_to_left[order].astype(np.int32), -1).astype(np.int32),
        "weight": nodes.weighted_n_node_samples[order].copy(),
        "stats": _statistics(nodes, order),
        "impurity": impurity,
        "stop": _stops(recipe, split, impurity, depth, nodes.n_node_samples[order]),
        "missing_weight": np.zeros(len(order)),
        "is_pruned": np.zeros(len(order), dtype=bool),
        "remarks": (Remark("from_sklearn"), *_changed_shares(nodes)),
    }


def _changed_shares(nodes: FittedNodes) -> tuple[Remark, ...]:
    """A remark where class shares were changed after fitting (shrinkage, monotone constraints): they are no counts.

    The impurity of a node is then not that of its shares.
    """
    if not nodes.classes:
        return ()
    shares = nodes.value
    if IMPURITIES[nodes.criterion] == "gini":
        impurity = 1.0 - np.square(shares).sum(axis=1)
    else:
        impurity = -(shares * np.log2(np.where(shares > 0, shares, 1.0))).sum(axis=1)
    changed = int((np.abs(impurity - nodes.impurity) > SAME_IMPURITY).sum())
    return (Remark("shares_not_counts", (changed,)),) if changed else ()


def thresholds_before_rounding(thresholds: NDArray[np.float64]) -> NDArray[np.float64]:
    """The largest 64-bit number that is at most each threshold once it is rounded to 32 bits, [n].

    That is halfway to the next 32-bit number, or just below where the half would be rounded up (ties go to even). An
    infinite threshold, which separates missing from known values, becomes the largest number.

    >>> float(np.float32(0.1)) > 0.1, bool(thresholds_before_rounding(np.array([float(np.float32(0.1))]))[0] > 0.1)
    (True, True)
    """
    known = np.where(np.isfinite(thresholds), thresholds, 0.0)
    below = known.astype(np.float32)
    below = np.where(below > known, np.nextafter(below, np.float32(-np.inf)), below)
    above = np.nextafter(below, np.float32(np.inf))
    half = below.astype(np.float64) / 2.0 + above.astype(np.float64) / 2.0
    even = (below.view(np.uint32) & 1) == 0
    largest = np.where(even, half, np.nextafter(half, -np.inf))
    return np.where(np.isfinite(thresholds), largest, np.finfo(np.float64).max)


def refuse_categories() -> NoReturn:
    """Raise the error of a model of another program whose splits are on categories."""
    raise InputError(message("The model splits on categories, which cannot be read: fit it on numeric features only."))


def check_numeric(*marks: object) -> None:
    """InputError where scikit-learn says that features are categories: which ones, or how many each has."""
    numbers = (bool, int, float, np.bool_, np.number)
    values = (value for mark in marks if isinstance(mark, (list, tuple, np.ndarray)) for value in mark)
    if any(isinstance(value, numbers) and value > 0 for value in values):
        refuse_categories()


def _checked(fitted: BaseDecisionTree) -> Any:
    """The arrays of a fitted tree of one target."""
    from sklearn.tree import BaseDecisionTree

    kind = type(fitted).__name__
    if not isinstance(fitted, BaseDecisionTree):
        raise InputError(
            message(
                "{type} is not a decision tree of scikit-learn: give a DecisionTreeClassifier or DecisionTreeRegressor "
                "(of a forest one of its `estimators_`).",
                type=kind,
            )
        )
    if not hasattr(fitted, "tree_"):
        raise InputError(message("The {type} is not fitted: call its fit(X, y) first.", type=kind))
    if fitted.n_outputs_ != 1:
        raise InputError(
            message(
                "The {type} predicts {targets} targets at once: fit one tree for each.",
                type=kind,
                targets=fitted.n_outputs_,
            )
        )
    if fitted.criterion not in IMPURITIES:
        raise InputError(
            message(
                "The {type} uses criterion '{criterion}', which cannot be imported: fit it with one of {criteria}.",
                type=kind,
                criterion=fitted.criterion,
                criteria=listing(IMPURITIES),
            )
        )
    check_numeric(getattr(fitted, "is_categorical_", None), getattr(fitted.tree_, "n_categories", None))
    return fitted.tree_


def breadth_first(left: NDArray[np.int64], right: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """scikit-learn's ids level by level, left before right, and the depth of each."""
    levels = [np.zeros(1, dtype=np.int64)]
    while levels[-1].size:
        above = levels[-1][left[levels[-1]] >= 0]
        levels.append(np.column_stack([left[above], right[above]]).ravel())
    depth = np.repeat(np.arange(len(levels)), [level.size for level in levels])
    return np.concatenate(levels), depth.astype(np.int32)


def _parents(nodes: FittedNodes, order: NDArray[np.int64]) -> NDArray[np.int32]:
    """The new id of the node above each node in the new order; −1 at the root."""
    split = np.flatnonzero(nodes.children_left[order] >= 0)
    return np.concatenate([[-1], np.repeat(split, 2)]).astype(np.int32)


def _statistics(nodes: FittedNodes, order: NDArray[np.int64]) -> NDArray[np.float64]:
    """Class weights [n, K], or (W, mean, M2)."""
    weight, value = nodes.weighted_n_node_samples[order], nodes.value[order]
    if not nodes.classes:
        return np.column_stack([weight, value[:, 0], weight * nodes.impurity[order]])
    stats = value * weight[:, None]
    whole = np.rint(stats)
    was_whole = (np.abs(stats - whole) <= WHOLE * weight[:, None]) & (whole != 0) & (weight[:, None] > 1)
    return np.where(was_whole, whole, stats)


def numeric_features(names: Iterable[str]) -> tuple[FeatureEncoding, ...]:
    """Features of these names, split at thresholds."""
    return tuple(FeatureEncoding(name, "numeric", "threshold") for name in names)


def feature_names(fitted: Any) -> list[str]:
    """The names that a fitted estimator of scikit-learn knows its features by; x0, x1, … where it was given none."""
    names = getattr(fitted, "feature_names_in_", None)
    return [f"x{i}" for i in range(fitted.n_features_in_)] if names is None else [str(name) for name in names]


def _recipe(nodes: FittedNodes) -> Recipe:
    """CART under the limits that the tree was fitted with, where they are whole numbers of rows."""
    limits = {"min_rows_split": nodes.min_samples_split, "min_rows_leaf": nodes.min_samples_leaf}
    changes = {
        "max_depth": nodes.max_depth,
        "min_impurity_decrease": nodes.min_impurity_decrease or None,
        **{field: limit for field, limit in limits.items() if isinstance(limit, (int, np.integer)) and limit > 1},
    }
    if any(isinstance(value, (list, dict)) for value in changes.values()):  # which the recipe refuses
        return CART.replace(**changes)
    return _cart_of(IMPURITIES[nodes.criterion], tuple(changes.items()))


@lru_cache(maxsize=64, typed=True)
def _cart_of(impurity: str, changes: tuple[tuple[str, Any], ...]) -> Recipe:
    """The recipe, made once for the trees of an ensemble."""
    return CART.replace(name="scikit-learn", impurity=impurity, **dict(changes))


def _stops(
    recipe: Recipe,
    split: NDArray[np.bool_],
    impurity: NDArray[np.float64],
    depth: NDArray[np.int32],
    rows: NDArray[np.int64],
) -> NDArray[np.int8]:
    """Why leaves are leaves, as far as their numbers show it, [n]; SPLIT where they do not show it."""
    few, deep = rows < recipe.min_rows_split, depth >= (np.inf if recipe.max_depth is None else recipe.max_depth)
    pure = impurity <= np.finfo(np.float64).eps  # scikit-learn's own test of purity
    return np.select([split, pure, few, deep], [SPLIT, PURE, FEW_ROWS, DEPTH], SPLIT).astype(np.int8)
