"""A model of XGBoost from its JSON text, without XGBoost: `save_model("model.json")`, or a dump of its trees."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.ensembles.readers.fields import ReadEnsemble, ReadMember
from explorer.ensembles.readers.xgboost_trees import (
    LARGEST,
    MOST_NODES_IN_ALL,
    XgboostNodes,
    nodes_from_arrays,
    nodes_from_dump,
    refuse,
    tree_of,
)
from explorer.errors import InputError
from explorer.messages import listing, message
from explorer.recipe.newton import log_odds

Floats = NDArray[np.float64]
LARGEST_TEXT = 256_000_000
"""The most characters of a text that is read."""
MOST_CLASSES = 1_000
MOST_FEATURES = 100_000
OBJECTIVES = {
    "reg:squarederror": "sum",
    "reg:linear": "sum",
    "reg:absoluteerror": "sum",
    "reg:pseudohubererror": "sum",
    "binary:logistic": "sum_sigmoid",
    "multi:softmax": "sum_softmax",
    "multi:softprob": "sum_softmax",
}
"""The objectives that can be read, and how the scores become a prediction."""


def ensemble_from_xgboost(
    text: str | bytes | Sequence[str],
    target: str,
    objective: str | None = None,
    base_score: float | None = None,
    n_classes: int | None = None,
) -> ReadEnsemble:
    """The ensemble behind the text of `save_model`, or of a dump in JSON (then the list that `get_dump` returns, too).

    A dump knows neither base score nor objective: these come from the arguments. Raises InputError for anything else.
    """
    content = _parsed(text) if isinstance(text, (str, bytes)) else [_parsed(one) for one in text]
    if isinstance(content, Mapping) and "learner" in content:
        return _from_model(content, target)
    trees = content if isinstance(content, list) else [content]
    return _from_dump(trees, target, objective, base_score, n_classes)


def _parsed(text: str | bytes) -> Any:
    if not isinstance(text, (str, bytes)) or len(text) > LARGEST_TEXT:
        most = LARGEST_TEXT // 1_000_000
        refuse(message("it is no text of at most {most} MB", most=most))
    try:
        return json.loads(text)
    except (ValueError, RecursionError):  # also bytes that are no text, and nodes nested too deeply
        refuse(message("the text is not JSON"))


def _object(content: object, name: str) -> Mapping[str, Any]:
    found = content.get(name) if isinstance(content, Mapping) else None
    if not isinstance(found, Mapping):
        refuse(message("'{name}' is missing", name=name))
    return found


def _from_model(content: Mapping[str, Any], target: str) -> ReadEnsemble:
    """A file of `save_model`."""
    learner = _object(content, "learner")
    parameters, booster = _object(learner, "learner_model_param"), _object(learner, "gradient_booster")
    if booster.get("name") != "gbtree":
        raise InputError(
            message(
                "The model's booster is '{name}', which cannot be read: fit it with booster='gbtree'.",
                name=str(booster.get("name"))[:40],
            )
        )
    if any(kind == "c" for kind in _list(learner, "feature_types")):
        raise InputError(
            message("The model splits on categories, which cannot be read: fit it on numeric features only.")
        )
    model = _object(booster, "model")
    nodes = [nodes_from_arrays(tree) for tree in _list(model, "trees")]
    of_class = [_whole(number, "tree_info") for number in _list(model, "tree_info")]
    if len(of_class) != len(nodes):
        refuse(message("'tree_info' has not one entry per tree"))
    objective = str(_object(learner, "objective").get("name"))
    n_classes = _whole(parameters.get("num_class", 0), "num_class")
    parallel = _whole(_object(model, "gbtree_model_param").get("num_parallel_tree", 1), "num_parallel_tree")
    used = max((max(tree.feature, default=0) for tree in nodes), default=0) + 1
    names = _names(_list(learner, "feature_names"), max(used, _whole(parameters.get("num_feature", 0), "num_feature")))
    base = _base_scores(parameters.get("base_score"))
    return _assembled(nodes, of_class, names, target, objective, base, n_classes, max(parallel, 1))


def _from_dump(
    trees: Sequence[object], target: str, objective: str | None, base_score: float | None, n_classes: int | None
) -> ReadEnsemble:
    """A list of dumped trees."""
    if base_score is None:
        raise InputError(
            message("A dump of trees does not hold the base score: give it as base_score=…, or read a saved model.")
        )
    names: dict[str, int] = {}
    nodes = [nodes_from_dump(tree, names) for tree in trees]
    width = n_classes if n_classes is not None and n_classes > 2 else 1
    of_class = [position % width for position in range(len(nodes))]
    given = objective or ("multi:softprob" if width > 1 else "reg:squarederror")
    return _assembled(nodes, of_class, list(names), target, given, [float(base_score)], n_classes or 0, 1)


def _assembled(
    nodes: Sequence[XgboostNodes],
    of_class: Sequence[int],
    names: Sequence[str],
    target: str,
    objective: str,
    base: Sequence[float],
    n_classes: int,
    parallel: int,
) -> ReadEnsemble:
    """The ensemble of these trees."""
    if objective not in OBJECTIVES:
        raise InputError(
            message(
                "The model's objective is '{objective}', which cannot be read. Readable: {objectives}.",
                objective=objective[:40],
                objectives=listing(OBJECTIVES),
            )
        )
    if not nodes or sum(len(tree.left) for tree in nodes) > MOST_NODES_IN_ALL:
        refuse(message("it has no trees, or more than {most:,} nodes", most=MOST_NODES_IN_ALL))
    combination = OBJECTIVES[objective]
    width = n_classes if combination == "sum_softmax" else 1
    if not 1 <= width <= MOST_CLASSES or len(base) not in (1, width):
        refuse(message("its number of classes does not fit its base scores"))
    if not all(0 <= number < width for number in of_class):
        refuse(message("a tree is of a class that is not there"))
    start = np.full(width, base[0]) if len(base) == 1 else np.array(base)
    if combination == "sum_sigmoid":
        start = np.array([_log_odds_of(base[0])])
    per_stage = width * parallel
    members = tuple(
        ReadMember(tree_of(tree, names, target), i // per_stage + 1, 1.0, of_class=k if width > 1 else None)
        for i, (tree, k) in enumerate(zip(nodes, of_class, strict=True))
    )
    classes = tuple(range({"sum": 0, "sum_sigmoid": 2, "sum_softmax": width}[combination]))
    return ReadEnsemble(
        origin="XGBoost",
        method="newton_boosting",
        combination=combination,
        members=members,
        start=start,
        constant=None,
        target=target,
        classes=classes,
        features=members[0].tree.features,
    )


def _log_odds_of(base_score: float) -> float:
    if not 0.0 < base_score < 1.0:
        refuse(message("its base score {value:g} is no probability", value=base_score))
    return log_odds(base_score)


def _base_scores(value: object) -> list[float]:
    """The base score of a saved model: a number as text, or since version 3.1 a list as text."""
    try:
        numbers: Any = json.loads(value) if isinstance(value, str) else value
        listed = [float(number) for number in (numbers if isinstance(numbers, list) else [numbers])]
    except (TypeError, ValueError, RecursionError, OverflowError):
        refuse(message("'{name}' is no finite number", name="base_score"))
    if not listed or not all(abs(number) <= LARGEST for number in listed):
        refuse(message("'{name}' is no finite number", name="base_score"))
    return listed


def _list(content: Mapping[str, Any], name: str) -> list[Any]:
    found = content.get(name) or []
    if not isinstance(found, list):
        refuse(message("'{name}' is no list", name=name))
    return found


def _whole(value: object, name: str) -> int:
    """A whole number, which XGBoost writes as text."""
    is_text = isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 10
    if not is_text and (isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**31):
        refuse(message("'{name}' is no whole number", name=name))
    return int(value)  # type: ignore[call-overload]


def _names(listed: list[Any], n_features: int) -> list[str]:
    """The names of the features; f0, f1, … where it has none."""
    if n_features > MOST_FEATURES:
        refuse(message("it has more than {most:,} features", most=MOST_FEATURES))
    if not listed:
        return [f"f{number}" for number in range(n_features)]
    names = [str(name)[:200] for name in listed]
    if len(names) < n_features or len(set(names)) < len(names):
        refuse(message("its feature names are too few, or two of them are the same"))
    return names
