"""A model of CatBoost without CatBoost: the JSON of `save_model("model.json", format="json", pool=pool)`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.errors import InputError
from explorer.foreign.assembly import trees_of
from explorer.foreign.catboost_trees import Nodes, from_nested, from_symmetric
from explorer.foreign.content import Content
from explorer.foreign.limits import (
    MOST_CLASSES,
    MOST_FEATURES,
    MOST_NODES_IN_ALL,
    MOST_TREES,
    check_members_and_features,
    check_pairs,
    refusing,
    unknown_objective,
)
from explorer.foreign.record import Model, ModelNodes, ReadEnsemble, members_of
from explorer.json_text import parsed
from explorer.messages import message
from explorer.plain_fields import Fields
from explorer.ranges import LARGEST_SUMMED
from explorer.recipe.columns import FeatureEncoding
from explorer.recipe.condition import ABOVE_ALL, BELOW_ALL
from explorer.recipe.remarks import Remark
from explorer.tree.from_sklearn import thresholds_before_rounding
from explorer.values import Value

LARGEST_BORDER = 3.402823e38
"""Borders from here on, the largest 32-bit numbers, are on the side of missing values."""
COMBINATIONS = {
    **dict.fromkeys(("RMSE", "MAE", "Quantile", "MAPE", "Huber", "Lq", "Expectile"), "sum"),
    **dict.fromkeys(("Poisson", "Tweedie"), "sum_exponential"),
    **dict.fromkeys(("Logloss", "CrossEntropy"), "sum_sigmoid"),
    "MultiClass": "sum_softmax",
}
"""How the trees add up, by the loss that the model was trained with."""


def no_model(culprit: str) -> InputError:
    """The error of a file that is no model of CatBoost."""
    return InputError(
        message(
            "This is not a model of CatBoost: {culprit}. Write it anew with model.save_model('model.json', "
            "format='json', pool=train_pool).",
            culprit=culprit,
        )
    )


refuse = refusing(no_model)


def ensemble_from_catboost(content: Content, target: str) -> ReadEnsemble:
    """The ensemble behind the file; InputError for anything else."""
    fields = Fields(content.plain, no_model)
    told = fields.record("features_info")
    floats = told.records("float_features") if told.has("float_features") else []
    kinds = told.records("categorical_features") if told.has("categorical_features") else []
    features, places, codes = _features(floats, kinds, _names_of_hashes(told))
    is_symmetric = fields.has("oblivious_trees")
    trees = fields.records("oblivious_trees" if is_symmetric else "trees")
    if not 1 <= len(trees) <= MOST_TREES:
        refuse(message("it has {n:,} trees, and up to {most:,} can be read", n=len(trees), most=MOST_TREES))
    combination, classes = _combination(fields.record("model_info"))
    scale, bias = _scale_and_bias(fields)
    width = len(bias)
    check_members_and_features(len(trees) * width, len(features))
    found, total = [], 0
    for tree in trees:
        found.append(from_symmetric(tree, width) if is_symmetric else from_nested(tree.content, width, no_model))
        total += len(found[-1].left) * width
        if total > MOST_NODES_IN_ALL:
            refuse(message("it has no trees, or more than {most:,} nodes", most=MOST_NODES_IN_ALL))
    if width != (len(classes) if combination == "sum_softmax" else 1):
        refuse(message("its number of trees does not fit its classes"))
    treatment = np.array([floating.content.get("nan_value_treatment") == "AsTrue" for floating in floats] or [False])
    nodes = [each for tree in found for each in _nodes(tree, places, codes, treatment, width)]
    model = Model("CatBoost", features, target, counts_rows=False, remark=Remark("from_catboost"))
    members = members_of(trees_of(nodes, model, refuse), width, scale)
    release = re.search(r"tags/v([0-9.]{1,16})", str(fields.record("model_info").content.get("catboost_version_info")))
    return ReadEnsemble(
        origin="CatBoost",
        method="newton_boosting",
        combination=combination,
        members=members,
        start=bias,
        constant=None,
        target=target,
        classes=classes,
        features=features,
        version=release[1] if release else "",
    )


def _combination(info: Fields) -> tuple[str, tuple[Value, ...]]:
    """How the trees add up, and the classes."""
    told = info.content.get("params")
    parameters = parsed(told, lambda: no_model(message("the text is not JSON"))) if isinstance(told, str) else told
    loss = Fields(parameters, no_model).record("loss_function").text("type")
    if loss not in COMBINATIONS:
        raise unknown_objective(loss, COMBINATIONS)
    combination = COMBINATIONS[loss]
    if combination not in ("sum_sigmoid", "sum_softmax"):
        return combination, ()
    named = info.record("class_params").values("class_names") if info.has("class_params") else ()
    named = named or ((0, 1) if combination == "sum_sigmoid" else ())
    is_wrong = len(named) != 2 if combination == "sum_sigmoid" else not 2 <= len(named) <= MOST_CLASSES
    if is_wrong or len(set(named)) < len(named):
        refuse(message("its number of trees does not fit its classes"))
    return combination, named


def _scale_and_bias(fields: Fields) -> tuple[float, NDArray[np.float64]]:
    """What every leaf is multiplied by, and the score before the first tree."""
    scale, bias = fields.items("scale_and_bias", 2)
    told = Fields({"scale": scale, "bias": bias}, no_model)
    found = told.numbers("bias", None, -LARGEST_SUMMED, LARGEST_SUMMED)
    if not 1 <= len(found) <= MOST_CLASSES:
        refuse(message("its number of trees does not fit its classes"))
    return told.number("scale", LARGEST_SUMMED), found


def _names_of_hashes(told: Fields) -> dict[int, str]:
    """The texts of the categories by their hashes, without sign; empty where the file was saved without a pool."""
    listed = told.records("cat_features_hash") if told.has("cat_features_hash") else []
    return {each.whole("hash", 0, 2**32 - 1): each.text("value") for each in listed}


def _features(
    floats: Sequence[Fields], kinds: Sequence[Fields], names: Mapping[int, str]
) -> tuple[tuple[FeatureEncoding, ...], tuple[NDArray[Any], NDArray[Any]], list[dict[int, int]]]:
    """The features in the order of the table, the places there of numbers and of categories, and the latter's codes.

    A feature's categories are those that a split names; all others answer each split with no.
    """
    found: list[tuple[int, FeatureEncoding]] = []
    codes: list[dict[int, int]] = []
    for each in [*floats, *kinds]:
        place = each.whole("flat_feature_index", 0, MOST_FEATURES)
        name = str(each.content.get("feature_name") or each.content.get("feature_id") or place)[:200]
        if len(found) < len(floats):
            found.append((place, FeatureEncoding(name, "numeric", "threshold")))
            continue
        hashes = [
            value % 2**32
            for value in (each.whole_numbers("values", None, -(2**31), 2**32, np.int64) if each.has("values") else [])
        ]
        if not set(hashes) <= set(names):
            raise InputError(
                message(
                    "The file does not name the categories of '{feature}': write it anew with "
                    "model.save_model('model.json', format='json', pool=train_pool).",
                    feature=name,
                )
            )
        codes.append({value: code for code, value in enumerate(hashes)})
        labels = tuple(names[value] for value in hashes)
        if len(set(labels)) < len(labels):
            refuse(message("two categories have the same name"))
        found.append((place, FeatureEncoding(name, "categorical", "subset", labels)))
    order = sorted(range(len(found)), key=lambda number: found[number][0])
    features = tuple(found[number][1] for number in order)
    if len({each.name for each in features}) < len(features):
        refuse(message("its feature names are too few, or two of them are the same"))
    rank = np.empty(len(found), dtype=np.int64)
    rank[order] = np.arange(len(found))
    return features, (rank[: len(floats)], rank[len(floats) :]), codes


def _nodes(
    tree: Nodes,
    places: tuple[NDArray[Any], NDArray[Any]],
    codes: Sequence[Mapping[int, int]],
    as_true: NDArray[np.bool_],
    width: int,
) -> list[ModelNodes]:
    """The nodes for every class: right where x > border, both in 32 bits, or where x is the category."""
    is_split = tree.left >= 0
    by_category = is_split & tree.by_category
    by_number = is_split & ~tree.by_category
    feature = np.full(len(tree.left), -1, dtype=np.int64)
    for which, place in ((by_number, places[0]), (by_category, places[1])):
        if (tree.feature[which] >= len(place)).any():
            refuse(message("a split names feature {number}, which is not there", number=int(tree.feature[which].max())))
        feature[which] = place[tree.feature[which]]
    border = np.clip(tree.border, -LARGEST_BORDER, LARGEST_BORDER)
    threshold = thresholds_before_rounding(np.where(by_number, border, 0.0))
    threshold = np.where(tree.border <= -LARGEST_BORDER, BELOW_ALL, threshold)
    threshold = np.where(tree.border >= LARGEST_BORDER, ABOVE_ALL, threshold)
    missing_left = np.ones(len(feature), dtype=bool)
    missing_left[by_number] = ~as_true[tree.feature[by_number]]
    pairs = None
    if by_category.any():
        pairs = _pairs(tree, np.flatnonzero(by_category), codes)
    return [
        ModelNodes.of_two_sides(
            tree.left,
            tree.right,
            feature,
            np.where(by_number, threshold, np.nan),
            missing_left,
            tree.value[:, k],
            tree.weight,
            pairs=pairs,
            unseen_branch=np.where(by_category, 0, np.where(is_split, 1 - missing_left.astype(np.int64), -1)),
        )
        for k in range(width)
    ]


def _pairs(tree: Nodes, nodes: NDArray[Any], codes: Sequence[Mapping[int, int]]) -> NDArray[np.int64]:
    """Node, code and branch of every category that is named: the node's own goes right, the others left."""
    tables = []
    check_pairs(sum(len(codes[f]) for f in tree.feature[nodes].tolist()))
    for node in nodes.tolist():
        known = codes[int(tree.feature[node])]
        own = known.get(int(tree.category[node]))
        if own is None:
            refuse(message("its categories do not belong to its nodes"))
        code = np.arange(len(known))
        tables.append(np.column_stack([np.full(len(known), node), code, code == own]))
    return np.concatenate(tables).astype(np.int64)
