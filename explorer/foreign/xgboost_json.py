"""A model of XGBoost from its JSON text, without XGBoost: `save_model("model.json")`, or a dump of its trees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from explorer.errors import InputError
from explorer.foreign.assembly import trees_of
from explorer.foreign.limits import (
    MOST_CLASSES,
    MOST_FEATURES,
    MOST_NODES_IN_ALL,
    MOST_TREES,
    check_members_and_features,
)
from explorer.foreign.record import Model, ModelNodes, ReadEnsemble, ReadMember
from explorer.foreign.xgboost_objectives import base_scores, objective_of
from explorer.foreign.xgboost_trees import (
    features_of,
    listed,
    no_model,
    nodes_from_arrays,
    nodes_from_dump,
    optional_numbers,
    refuse,
    used_features,
    whole,
)
from explorer.json_text import parsed
from explorer.messages import message
from explorer.plain_fields import Fields
from explorer.recipe.columns import FeatureEncoding
from explorer.recipe.remarks import Remark
from explorer.tree.from_sklearn import numeric_features

LARGEST_TEXT = 256_000_000
"""The most characters of a text that is read."""


@dataclass(frozen=True)
class Read:
    """What the text of a model says: its trees, each with its round (from 1 on), class and weight, and the rest.

    `best` is the round that early stopping chose, None without.
    """

    nodes: Sequence[ModelNodes]
    rounds: Sequence[int]
    of_class: Sequence[int]
    weights: Sequence[float]
    features: tuple[FeatureEncoding, ...]
    objective: str
    base: Sequence[float]
    n_classes: int
    best: int | None = None
    version: str = ""


def ensemble_from_xgboost(
    text: str | bytes | Sequence[str] | Mapping[str, Any],
    target: str,
    objective: str | None = None,
    base_score: float | Sequence[float] | None = None,
    n_classes: int | None = None,
    num_parallel_tree: int | None = None,
) -> ReadEnsemble:
    """The ensemble behind the text of `save_model`, or of a dump in JSON (then the list that `get_dump` returns, too).

    What a dump does not hold comes from the arguments. Raises InputError for anything else.
    """
    if isinstance(text, Mapping):
        content: Any = text
    else:
        content = _parsed(text) if isinstance(text, (str, bytes)) else [_parsed(one) for one in text]
    if isinstance(content, Mapping) and "learner" in content:
        return _assembled(_from_model(Fields(content, no_model)), target)
    trees = content if isinstance(content, list) else [content]
    return _assembled(_from_dump(trees, objective, base_score, n_classes, num_parallel_tree), target)


def _parsed(text: str | bytes) -> Any:
    if not isinstance(text, (str, bytes)) or len(text) > LARGEST_TEXT:
        most = LARGEST_TEXT // 1_000_000
        refuse(message("it is no text of at most {most} MB", most=most))
    return parsed(text, lambda: refuse(message("the text is not JSON")))


def _checked(trees: Sequence[Any]) -> Sequence[Any]:
    """The trees, if they are not too many."""
    if len(trees) > MOST_TREES:
        refuse(message("it has {n:,} trees, and up to {most:,} can be read", n=len(trees), most=MOST_TREES))
    return trees


def _from_model(content: Fields) -> Read:
    """A file of `save_model`."""
    learner = content.record("learner")
    parameters, booster = learner.record("learner_model_param"), learner.record("gradient_booster")
    if (name := booster.content.get("name")) not in ("gbtree", "dart"):
        raise InputError(
            message(
                "The model's booster is '{name}', which cannot be read: fit it with booster='gbtree'.",
                name=str(name)[:40],
            )
        )
    _refuse_several_targets(_whole_in(parameters, "num_target", 1))
    objective = str(learner.record("objective").content.get("name"))
    objective_of(objective)
    model = (booster.record("gbtree") if booster.has("gbtree") else booster).record("model")
    trees = [Fields(tree, no_model) for tree in _checked(listed(model, "trees"))]
    n_features = max(used_features(trees), _whole_in(parameters, "num_feature", 0))
    names = _names(listed(learner, "feature_names"), n_features)
    features = features_of(names, listed(learner, "feature_types"), model, trees)
    nodes = [nodes_from_arrays(tree, features) for tree in trees]
    of_class = [whole(number, "tree_info") for number in listed(model, "tree_info")]
    if len(of_class) != len(nodes):
        refuse(message("'tree_info' has not one entry per tree"))
    n_classes = _whole_in(parameters, "num_class", 0)
    parallel = _whole_in(model.record("gbtree_model_param"), "num_parallel_tree", 1)
    read = Read(
        nodes=nodes,
        rounds=_rounds(listed(model, "iteration_indptr"), len(nodes), max(n_classes, 1) * max(parallel, 1)),
        of_class=of_class,
        weights=_tree_weights(booster, model, len(nodes)),
        features=features,
        version=".".join(map(str, listed(content, "version")))[:20],
        objective=objective,
        base=base_scores(parameters.content.get("base_score")),
        n_classes=n_classes,
        best=_best_round(learner),
    )
    return _a_tree_for_each_class(read)


def _a_tree_for_each_class(read: Read) -> Read:
    """The same with trees of one class each, where leaves hold a number for every class."""
    if all(tree.value.ndim == 1 for tree in read.nodes):
        return read
    if any(tree.value.ndim == 1 or tree.value.shape[1] != read.n_classes for tree in read.nodes):
        refuse(message("the numbers of its leaves do not fit"))
    per_class = range(read.n_classes)
    return replace(
        read,
        nodes=[replace(tree, value=tree.value[:, k]) for tree in read.nodes for k in per_class],
        rounds=np.repeat(read.rounds, read.n_classes).tolist(),
        of_class=[*per_class] * len(read.nodes),
        weights=np.repeat(read.weights, read.n_classes).tolist(),
    )


def _refuse_several_targets(count: int) -> None:
    if count > 1:
        raise InputError(message("The model predicts {targets} targets at once: fit one for each.", targets=count))


def _tree_weights(booster: Fields, model: Fields, n_trees: int) -> list[float]:
    """What dropout (DART, or any `rate_drop`) has left of every tree; 1 where the model was trained without.

    Up to version 3.3 the list stands beside the trees' record, since 3.4 in it.
    """
    weights = optional_numbers(model if model.content.get("weight_drop") else booster, "weight_drop", n_trees)
    return weights.tolist() if len(weights) else [1.0] * n_trees


def _rounds(ends: Sequence[Any], n_trees: int, per_round: int) -> list[int]:
    """The round of every tree, from 1 on: by the ends of the rounds, or where these are not told, by their size."""
    if not ends:
        return [position // per_round + 1 for position in range(n_trees)]
    ends = [whole(end, "iteration_indptr") for end in ends]
    sizes = np.diff(ends)
    if ends[0] != 0 or ends[-1] != n_trees or (sizes <= 0).any():
        refuse(message("'iteration_indptr' does not number its trees"))
    rounds: list[int] = np.repeat(np.arange(1, len(ends)), sizes).tolist()
    return rounds


def _best_round(learner: Fields) -> int | None:
    """The round that early stopping chose, from 1 on; None where the model was trained without."""
    attributes = learner.record("attributes") if learner.has("attributes") else None
    if attributes is None or not attributes.has("best_iteration"):
        return None
    return _whole_in(attributes, "best_iteration", 0) + 1


def _from_dump(
    trees: Sequence[object],
    objective: str | None,
    base_score: float | Sequence[float] | None,
    n_classes: int | None,
    num_parallel_tree: int | None,
) -> Read:
    """A list of dumped trees."""
    if base_score is None:
        raise InputError(
            message("A dump of trees does not hold the base score: give it as base_score=…, or read a saved model.")
        )
    width = n_classes if n_classes is not None and n_classes > 2 else 1
    if width > 1 and num_parallel_tree is None and len(trees) > width:
        raise InputError(
            message(
                "A dump of several classes does not hold how many trees a round has for each class: give it as "
                "num_parallel_tree=… (1 unless you have set it), or read a saved model."
            )
        )
    parallel = whole(num_parallel_tree or 1, "num_parallel_tree")
    names: dict[str, int] = {}
    nodes = [nodes_from_dump(tree, names) for tree in _checked(trees)]
    if width > 1 and len(nodes) % (width * parallel):
        refuse(message("its number of trees does not fit its classes"))
    return Read(
        nodes=nodes,
        rounds=_rounds([], len(nodes), width * parallel),
        of_class=[position // parallel % width for position in range(len(nodes))],
        weights=[1.0] * len(nodes),
        features=numeric_features(names),
        objective=objective or ("multi:softprob" if width > 1 else "reg:squarederror"),
        base=base_scores(base_score),
        n_classes=n_classes or 0,
    )


def _assembled(read: Read, target: str) -> ReadEnsemble:
    """The ensemble of these trees."""
    objective = objective_of(read.objective)
    combination = objective.combination
    if not read.nodes or sum(len(tree.feature) for tree in read.nodes) > MOST_NODES_IN_ALL:
        refuse(message("it has no trees, or more than {most:,} nodes", most=MOST_NODES_IN_ALL))
    width = read.n_classes if combination == "sum_softmax" else 1
    if not 1 <= width <= MOST_CLASSES or len(read.base) not in (1, width):
        refuse(message("its number of classes does not fit its base scores"))
    if not all(0 <= number < width for number in read.of_class):
        refuse(message("a tree is of a class that is not there"))
    features = read.features
    check_members_and_features(len(read.nodes), len(features))
    model = Model("XGBoost", features, target, is_strict=True, counts_rows=False, remark=Remark("from_xgboost"))
    trees = trees_of(read.nodes, model, refuse)
    members = tuple(
        ReadMember(tree, stage, weight, of_class=k if width > 1 else None)
        for tree, stage, k, weight in zip(trees, read.rounds, read.of_class, read.weights, strict=True)
    )
    classes = {"sum_sigmoid": 2, "sum_softmax": width}.get(combination, 0)
    return ReadEnsemble(
        origin="XGBoost",
        method="newton_boosting",
        combination=combination,
        members=members,
        start=np.broadcast_to([objective.start(score) for score in read.base], width).copy(),
        constant=None,
        target=target,
        classes=tuple(range(classes)),
        features=members[0].tree.features,
        version=read.version,
        ended=None if read.best is None else Remark("best_round", (read.best, read.rounds[-1])),
    )


def _whole_in(fields: Fields, name: str, default: int) -> int:
    return whole(fields.content.get(name, default), name)


def _names(given: list[Any], n_features: int) -> list[str]:
    """The names of the features; f0, f1, … where it has none."""
    if n_features > MOST_FEATURES:
        refuse(message("it has more than {most:,} features", most=MOST_FEATURES))
    if not given:
        return [f"f{number}" for number in range(n_features)]
    names = [str(name)[:200] for name in given]
    if len(names) < n_features or len(set(names)) < len(names):
        refuse(message("its feature names are too few, or two of them are the same"))
    return names
