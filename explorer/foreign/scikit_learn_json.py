"""Fitted ensembles of scikit-learn from JSON text, which is safe to read, unlike a pickle, from anybody."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.errors import InputError
from explorer.foreign.limits import MOST_TREES, check_members_and_features
from explorer.foreign.record import ReadEnsemble, ReadMember, averaged
from explorer.foreign.scikit_learn import ORIGIN, adaboost_from, refuse_other_start
from explorer.foreign.scikit_learn_histograms import ensemble_from_histograms
from explorer.json_text import parsed
from explorer.messages import listing, message
from explorer.plain_fields import Fields
from explorer.ranges import LARGEST_SUMMED
from explorer.tree.from_sklearn_json import LARGEST_TEXT, encodings_of, fields_from_content
from explorer.tree.tree import Tree
from explorer.values import Value

METHODS = {
    "RandomForestClassifier": "forest",
    "RandomForestRegressor": "forest",
    "ExtraTreesClassifier": "extra_trees",
    "ExtraTreesRegressor": "extra_trees",
    "GradientBoostingClassifier": "gradient_boosting",
    "GradientBoostingRegressor": "gradient_boosting",
    "HistGradientBoostingClassifier": "newton_boosting",
    "HistGradientBoostingRegressor": "newton_boosting",
    "AdaBoostClassifier": "adaboost",
}
"""The classes of scikit-learn that can be read, and the method of each."""

SNIPPET = """\
import json, pathlib, numpy as np
TREE = ("children_left", "children_right", "feature", "threshold", "value", "impurity", "n_node_samples", "weighted_n_node_samples", "missing_go_to_left", "n_categories")
OWN = ("criterion", "is_categorical_", "n_features_in_", "max_depth", "min_samples_split", "min_samples_leaf", "min_impurity_decrease")
def tree(fitted):
    if hasattr(fitted, "tree_"): return {k: getattr(fitted.tree_, k, None) for k in TREE} | {k: getattr(fitted, k, None) for k in OWN}
    return {k: fitted.nodes[k] for k in fitted.nodes.dtype.names} | {"bitsets": fitted.raw_left_cat_bitsets}
start = clf._raw_predict_init(np.zeros((1, clf.n_features_in_), "float32"))[0] if hasattr(clf, "_raw_predict_init") else np.ravel(getattr(clf, "_baseline_prediction", None))
rounds, encoder = getattr(clf, "_predictors", None) or clf.estimators_, getattr(clf, "_preprocessor", None)
whole = {"ensemble": type(clf).__name__, "start": start, "rounds": [[tree(one) for one in np.ravel(of_round)] for of_round in rounds]}
whole |= {k: getattr(clf, k, None) for k in ("learning_rate", "loss", "classes_", "feature_names_in_", "n_features_in_", "estimator_weights_", "algorithm", "is_categorical_")}
whole |= {"init": type(getattr(clf, "init_", None)).__name__, "categories": encoder and encoder.named_transformers_["encoder"].categories_}
pathlib.Path("ensemble.json").write_text(json.dumps(whole, default=lambda array: array.tolist()))
"""  # noqa: E501 - lines to paste into a notebook


def sklearn_ensemble_snippet() -> str:
    """Lines of Python that write a fitted ensemble `clf` to the file ensemble.json, for `Ensemble.from_sklearn_json`.

    >>> "ensemble.json" in sklearn_ensemble_snippet()
    True
    """
    return SNIPPET


def ensemble_from_sklearn_json(text: str | bytes | dict[str, Any], target: str = "target") -> ReadEnsemble:
    """The ensemble behind the text that the snippet writes, or its values; InputError for anything else."""
    if not isinstance(text, dict) and len(text) > LARGEST_TEXT:
        most = LARGEST_TEXT // 1_000_000
        raise InputError(message("The text has more than {most} MB: fit fewer or smaller trees.", most=most))
    content = text if isinstance(text, dict) else parsed(text, _not_json)
    if not isinstance(content, dict) or content.get("ensemble") not in list(METHODS):
        raise InputError(
            message("The JSON holds no ensemble of scikit-learn that can be read: {types}.", types=listing(METHODS))
        )
    try:
        if METHODS[content["ensemble"]] == "newton_boosting":
            _check_classes(content)
            return ensemble_from_histograms(content, _classes(content), encodings_of(content, 0), target)
        return _READERS[METHODS[content["ensemble"]]](content, _rounds(content, target))
    except InputError:
        raise
    except (TypeError, ValueError, KeyError, IndexError, OverflowError):
        raise InputError(message("The ensemble in the JSON is incomplete: write it with the snippet.")) from None


def _classes(content: dict[str, Any]) -> tuple[Value, ...]:
    named = content.get("classes_") or ()
    if not isinstance(named, (list, tuple)) or not all(isinstance(name, (str, int, float)) for name in named):
        raise InputError(message("classes_ must be a list of names or numbers."))
    return tuple(named)


def _not_json() -> InputError:
    return InputError(message("The text is not JSON: write it with the lines of the snippet."))


def _check_classes(content: dict[str, Any]) -> int:
    """How many classes there are: 0 for a regressor; InputError where they do not go with the type of the ensemble."""
    classes = _classes(content)
    if content["ensemble"].endswith("Classifier") == bool(classes) and len(set(map(str, classes))) == len(classes):
        return len(classes)
    raise InputError(
        message(
            "The {type} must have different classes in classes_ if it is a classifier, and none if it is a regressor: "
            "write the file again.",
            type=content["ensemble"],
        )
    )


def _fields(content: dict[str, Any]) -> Fields:
    return Fields(content, lambda why: InputError(message("The JSON holds no ensemble: {culprit}.", culprit=why)))


def _rounds(content: dict[str, Any], target: str) -> list[list[Tree]]:
    """The trees of every round, under the names of the whole ensemble."""
    rounds = content["rounds"]
    if not isinstance(rounds, list) or not 1 <= sum(len(of_round) for of_round in rounds) <= MOST_TREES:
        raise InputError(message("The ensemble must have 1 to {most:,} trees.", most=MOST_TREES))
    features, n_trees = encodings_of(content, 0), sum(map(len, rounds))
    check_members_and_features(n_trees, len(features))
    votes = METHODS[content["ensemble"]] != "gradient_boosting"
    own = {"classes_": content.get("classes_") if votes else None}
    return [
        [Tree(**fields_from_content({**tree, **own}, target, features)) for tree in of_round] for of_round in rounds
    ]


def _mean(content: dict[str, Any], rounds: Sequence[Sequence[Tree]]) -> ReadEnsemble:
    """A forest: the mean of the trees."""
    _check_classes(content)
    trees = [tree for of_round in rounds for tree in of_round]
    forest = averaged(trees, ORIGIN, trees[0].target, trees[0].features)
    return replace(forest, method=METHODS[content["ensemble"]])


def _gradient(content: dict[str, Any], rounds: Sequence[Sequence[Tree]]) -> ReadEnsemble:
    """A start and the trees of every round, times the learning rate."""
    refuse_other_start(content["ensemble"], content.get("init"))
    width, rate = len(rounds[0]), _fields(content).number("learning_rate", LARGEST_SUMMED)
    start = np.asarray(content["start"], dtype=np.float64)
    if start.shape != (width,) or any(len(of_round) != width for of_round in rounds) or not np.isfinite(start).all():
        raise InputError(message("Every round must have as many trees as the start has numbers."))
    members = tuple(
        ReadMember(tree.with_predictions(tree.values), stage, rate, of_class=column if width > 1 else None)
        for stage, of_round in enumerate(rounds, 1)
        for column, tree in enumerate(of_round)
    )
    n_classes = _check_classes(content)
    if width != (n_classes if n_classes > 2 else 1):
        raise InputError(
            message(
                "Every round has {trees} trees, which does not go with {classes} classes: write the file again.",
                trees=width,
                classes=n_classes,
            )
        )
    combination = "sum"
    if n_classes:
        of_two = "sum_sigmoid_of_double" if content.get("loss") == "exponential" else "sum_sigmoid"
        combination = of_two if width == 1 else "sum_softmax"
    return _ensemble(content, members, combination, start, None)


def _votes(content: dict[str, Any], rounds: Sequence[Sequence[Tree]]) -> ReadEnsemble:
    """AdaBoost: votes with weights, or logarithms of shares."""
    _check_classes(content)
    weights = _fields(content).numbers("estimator_weights_", None, -LARGEST_SUMMED, LARGEST_SUMMED).tolist()
    trees = [of_round[0] for of_round in rounds]
    return _ensemble(content, *adaboost_from(trees, weights, content.get("algorithm")))


_READERS: dict[str, Callable[[dict[str, Any], Sequence[Sequence[Tree]]], ReadEnsemble]] = {
    "forest": _mean,
    "extra_trees": _mean,
    "gradient_boosting": _gradient,
    "adaboost": _votes,
}


def _ensemble(
    content: dict[str, Any],
    members: tuple[ReadMember, ...],
    combination: str,
    start: NDArray[np.float64],
    constant: NDArray[np.float64] | None,
) -> ReadEnsemble:
    """The ensemble of these members."""
    first = members[0].tree
    return ReadEnsemble(
        origin=ORIGIN,
        method=METHODS[content["ensemble"]],
        combination=combination,
        members=members,
        start=start,
        constant=constant,
        target=first.target,
        classes=_classes(content),
        features=first.features,
    )
