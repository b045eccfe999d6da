"""Fitted ensembles of scikit-learn: forests, bagged trees, gradient boosting and AdaBoost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.errors import InputError
from explorer.foreign.record import ReadEnsemble, ReadMember, averaged
from explorer.messages import listing, message
from explorer.recipe.columns import FeatureEncoding
from explorer.tree.from_sklearn import feature_names
from explorer.tree.tree import Tree
from explorer.values import Value

Floats = NDArray[np.float64]
ORIGIN = "scikit-learn"


def ensemble_from_sklearn(fitted: Any, target: str) -> ReadEnsemble:
    """The same ensemble as a fitted one of scikit-learn; InputError for anything that cannot be read.

    Predictions are the same. Probabilities of AdaBoost are shares of the votes here, as in no version of scikit-learn.
    """
    kind = type(fitted).__name__
    read = _READERS.get(kind)
    if read is None:
        raise InputError(
            message(
                "{type} cannot be read: give one of {types}, fitted for one target.",
                type=kind,
                types=listing(_READERS),
            )
        )
    if not hasattr(fitted, "estimators_"):
        raise InputError(message("The {type} is not fitted: call its fit(X, y) first.", type=kind))
    return read(fitted, target)


def _forest(fitted: Any, target: str) -> ReadEnsemble:
    """A forest averages the shares, or the numbers, of its trees."""
    _need_one_target(fitted)
    method = "extra_trees" if type(fitted).__name__.startswith("Extra") else "forest"
    trees = [_member_tree(fitted, estimator, target) for estimator in fitted.estimators_]
    return _mean_of(fitted, trees, target, method)


def _bagging(fitted: Any, target: str) -> ReadEnsemble:
    """Bagged trees, each on the features that it drew."""
    trees = []
    for estimator, drawn in zip(fitted.estimators_, fitted.estimators_features_, strict=True):
        trees.append(_member_tree(fitted, estimator, target, drawn))
    return _mean_of(fitted, trees, target, "bagging")


def _mean_of(fitted: Any, trees: Sequence[Tree], target: str, method: str) -> ReadEnsemble:
    return replace(averaged(trees, ORIGIN, target, _features(fitted)), method=method)


def _gradient_boosting(fitted: Any, target: str) -> ReadEnsemble:
    """A constant start and the trees of every round, times the learning rate."""
    refuse_other_start(type(fitted).__name__, type(fitted.init_).__name__)
    width = fitted.estimators_.shape[1]
    start = np.asarray(fitted._raw_predict_init(np.zeros((1, fitted.n_features_in_), np.float32)), np.float64)[0]
    members = []
    for stage, of_round in enumerate(fitted.estimators_, 1):
        for column, estimator in enumerate(of_round):
            tree = Tree.from_sklearn(estimator, target)
            tree = replace(tree, features=_features(fitted)).with_predictions(tree.values)
            of_class = column if width > 1 else None
            members.append(ReadMember(tree, stage, float(fitted.learning_rate), of_class=of_class))
    combination = "sum"
    if hasattr(fitted, "classes_"):
        of_two = "sum_sigmoid_of_double" if fitted.loss == "exponential" else "sum_sigmoid"
        combination = of_two if width == 1 else "sum_softmax"
    return _ensemble(fitted, tuple(members), target, "gradient_boosting", combination, start, None)


def _adaboost(fitted: Any, target: str) -> ReadEnsemble:
    """AdaBoost: votes with weights, or logarithms of shares."""
    trees = [_member_tree(fitted, estimator, target) for estimator in fitted.estimators_]
    weights = fitted.estimator_weights_[: len(trees)].tolist()
    members, combination, start, constant = adaboost_from(trees, weights, getattr(fitted, "algorithm", "SAMME"))
    return _ensemble(fitted, members, target, "adaboost", combination, start, constant)


def adaboost_from(
    trees: Sequence[Tree], weights: Sequence[float], algorithm: object
) -> tuple[tuple[ReadMember, ...], str, Floats, Floats | None]:
    """Members, combination, start and constant of AdaBoost.

    SAMME adds votes, each times its weight. SAMME.R, the default up to scikit-learn 1.5, adds the logarithms of shares
    less their mean, and gives all trees the weight 1: a file that names no algorithm, but only weights of 1, is of it.
    SAMME does not give two trees the weight 1.
    """
    is_of_logarithms = algorithm == "SAMME.R" or (algorithm is None and len(weights) > 1 and set(weights) == {1.0})
    if not is_of_logarithms:
        members = tuple(
            ReadMember(tree, stage, weight, facts={"alpha": weight})
            for stage, (tree, weight) in enumerate(zip(trees, weights, strict=True), 1)
        )
        shares = trees[0].shares[0]
        return members, "votes", np.zeros(len(shares)), shares
    n_classes = len(trees[0].classes)
    columns = [(1, 0)] if n_classes == 2 else [(k, -1) for k in range(n_classes)]
    of_logarithms = [
        ReadMember(_of_logarithms(tree, k, against), stage, 1.0 / len(trees), of_class=None if against >= 0 else k)
        for stage, tree in enumerate(trees, 1)
        for k, against in columns
    ]
    combination = "sum_sigmoid" if n_classes == 2 else "sum_softmax"
    return tuple(of_logarithms), combination, np.zeros(len(columns)), None


def _of_logarithms(tree: Tree, k: int, against: int) -> Tree:
    """The same tree with numbers: the logarithm of the share of class k less that of another, or less the mean."""
    logarithms = np.log(np.maximum(tree.shares, np.finfo(np.float64).eps))
    value = logarithms[:, k] - (logarithms[:, against] if against >= 0 else logarithms.mean(axis=1))
    return replace(
        tree,
        classes=(),
        recipe=tree.recipe.replace(impurity="variance"),
        stats=np.column_stack([tree.weight, value, np.zeros(len(value))]),
        impurity=np.zeros(len(value)),
        predictions=value,
    )


_READERS: dict[str, Callable[[Any, str], ReadEnsemble]] = {
    "RandomForestClassifier": _forest,
    "RandomForestRegressor": _forest,
    "ExtraTreesClassifier": _forest,
    "ExtraTreesRegressor": _forest,
    "BaggingClassifier": _bagging,
    "BaggingRegressor": _bagging,
    "GradientBoostingClassifier": _gradient_boosting,
    "GradientBoostingRegressor": _gradient_boosting,
    "AdaBoostClassifier": _adaboost,
}


CONSTANT_STARTS = ("DummyClassifier", "DummyRegressor", "str")
"""The types of `init_` of gradient boosting from a constant; "str" is that of 'zero'."""


def refuse_other_start(kind: str, init: object) -> None:
    """InputError for gradient boosting that starts from a model's predictions; None where a file does not tell."""
    if init is not None and init not in CONSTANT_STARTS:
        raise InputError(
            message(
                "The {type} starts from another model (init={init}): fit it with init=None or init='zero'.",
                type=kind,
                init=f"{init!s:.60}",
            )
        )


def _need_one_target(fitted: Any) -> None:
    if fitted.n_outputs_ != 1:
        raise InputError(
            message(
                "The {type} predicts {targets} targets at once: fit one for each.",
                type=type(fitted).__name__,
                targets=fitted.n_outputs_,
            )
        )


def _features(fitted: Any) -> tuple[FeatureEncoding, ...]:
    return tuple(FeatureEncoding(name, "numeric", "threshold") for name in feature_names(fitted))


def _classes(fitted: Any) -> tuple[Value, ...]:
    return tuple(fitted.classes_.tolist()) if hasattr(fitted, "classes_") else ()


def _member_tree(fitted: Any, estimator: Any, target: str, drawn: NDArray[Any] | None = None) -> Tree:
    """A member with the names and classes of the whole, of which it knows numbers only."""
    tree, features, classes = Tree.from_sklearn(estimator, target), _features(fitted), _classes(fitted)
    if drawn is not None:
        feature = np.where(tree.feature >= 0, np.asarray(drawn)[np.maximum(tree.feature, 0)], -1)
        tree = replace(tree, feature=feature.astype(np.int32))
    if not classes:
        return replace(tree, features=features)
    # A bagged tree that has not drawn a class does not know of it.
    is_number = all(isinstance(name, (int, float)) for name in tree.classes) and tree.classes != classes
    columns = [int(name) if is_number else classes.index(name) for name in tree.classes]
    stats = np.zeros((tree.n_nodes_grown, len(classes)))
    stats[:, columns] = tree.stats
    return replace(tree, features=features, classes=classes, stats=stats)


def _ensemble(
    fitted: Any,
    members: tuple[ReadMember, ...],
    target: str,
    method: str,
    combination: str,
    start: Floats,
    constant: Floats | None,
) -> ReadEnsemble:
    return ReadEnsemble(
        origin=ORIGIN,
        method=method,
        combination=combination,
        members=members,
        start=start,
        constant=constant,
        target=target,
        classes=_classes(fitted),
        features=_features(fitted),
    )
