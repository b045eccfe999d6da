"""HistGradientBoosting of scikit-learn from what the snippet writes: categories by name, missing values by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.errors import InputError
from explorer.foreign.assembly import trees_of
from explorer.foreign.limits import MOST_NODES, MOST_NODES_IN_ALL, check_pairs, refusing, unknown_objective
from explorer.foreign.record import Model, ModelNodes, ReadEnsemble, members_of
from explorer.messages import message
from explorer.plain_fields import Fields
from explorer.ranges import LARGEST_SUMMED
from explorer.recipe.columns import FeatureEncoding
from explorer.recipe.condition import ABOVE_ALL
from explorer.values import Value

Array = NDArray[Any]
MOST_CODES = 256
COMBINATIONS = {
    **dict.fromkeys(("squared_error", "absolute_error", "quantile"), "sum"),
    **dict.fromkeys(("poisson", "gamma"), "sum_exponential"),
    "log_loss": "sum_sigmoid",
}
"""How the trees add up, by the loss that the model was fitted for."""


def no_model(culprit: str) -> InputError:
    """The error of a text that is not what the snippet writes."""
    return InputError(message("The JSON holds no ensemble: {culprit}.", culprit=culprit))


refuse = refusing(no_model)


def ensemble_from_histograms(
    content: Mapping[str, Any], classes: tuple[Value, ...], features: tuple[FeatureEncoding, ...], target: str
) -> ReadEnsemble:
    """The ensemble behind the text; `features` are those of its table, all as numbers."""
    fields = Fields(content, no_model)
    if (loss := str(content.get("loss"))) not in COMBINATIONS:
        raise unknown_objective(loss, COMBINATIONS)
    combination = COMBINATIONS[loss]
    if len(classes) > 2:
        combination = "sum_softmax"
    width = len(classes) if len(classes) > 2 else 1
    start = fields.numbers("start", width, -LARGEST_SUMMED, LARGEST_SUMMED)
    features, places = _columns(fields, features)
    rounds = fields.items("rounds")
    told = [
        Fields(tree, no_model) for of_round in rounds for tree in Fields({"r": of_round}, no_model).items("r", width)
    ]
    if sum(len(tree.items("left")) for tree in told) > MOST_NODES_IN_ALL:
        refuse(message("it has no trees, or more than {most:,} nodes", most=MOST_NODES_IN_ALL))
    nodes = [_nodes(tree, places, features) for tree in told]
    model = Model("scikit-learn", features, target)
    members = members_of(trees_of(nodes, model, refuse), width)
    return ReadEnsemble(
        origin="scikit-learn",
        method="newton_boosting",
        combination=combination,
        members=members,
        start=start,
        constant=None,
        target=target,
        classes=classes,
        features=features,
    )


def _columns(fields: Fields, features: tuple[FeatureEncoding, ...]) -> tuple[tuple[FeatureEncoding, ...], Array]:
    """The features, and the place of each of the trees' features among them.

    scikit-learn moves the columns of categories before all others.
    """
    n = len(features)
    is_category = fields.flags("is_categorical_", n) if fields.has("is_categorical_") else np.zeros(n, dtype=bool)
    if not is_category.any():
        return features, np.arange(n)
    if not fields.has("categories"):
        raise InputError(
            message("The file does not name the categories: fit the model with scikit-learn 1.4 or later.")
        )
    named = fields.items("categories", int(is_category.sum()))
    found = list(features)
    for position, listed in zip(np.flatnonzero(is_category).tolist(), named, strict=True):
        values = listed if isinstance(listed, list) else []
        kept = [each for each in values if each is not None and each == each]
        labels = Fields({"categories": kept}, no_model).values("categories")
        if not 1 <= len(labels) <= MOST_CODES or len(set(map(str, labels))) < len(labels):
            refuse(message("two categories have the same name"))
        is_number = all(type(each) in (int, float) for each in labels)
        kind = "numeric" if is_number else "categorical"
        found[position] = replace(features[position], kind=kind, test="subset", labels=labels)
    return tuple(found), np.concatenate([np.flatnonzero(is_category), np.flatnonzero(~is_category)])


def _nodes(tree: Fields, places: Array, features: Sequence[FeatureEncoding]) -> ModelNodes:
    """The nodes of one tree: left where x ≤ threshold in 64 bits, or where the category is listed."""
    n = len(tree.items("left"))
    if not 1 <= n <= MOST_NODES:
        refuse(message("a tree has {n:,} nodes, and from 1 to {most:,} can be read", n=n, most=MOST_NODES))
    is_leaf = tree.flags("is_leaf", n)
    told = tree.whole_numbers("feature_idx", n, -(2**63), 2**63 - 1, np.int64)
    if (wrong := told[~is_leaf & ((told < 0) | (told >= len(places)))]).size:
        refuse(message("a split names feature {number}, which is not there", number=int(wrong[0])))
    listed = tree.flags("is_categorical", n) & ~is_leaf
    sides = [np.where(is_leaf, -1, tree.whole_numbers(name, n, 0, 2**32 - 1, np.int64)) for name in ("left", "right")]
    told_cuts = zip(tree.items("num_threshold", n), (~is_leaf & ~listed).tolist(), strict=True)
    used = Fields({"num_threshold": [cut if is_used else 0.0 for cut, is_used in told_cuts]}, no_model)
    threshold = np.minimum(used.numbers("num_threshold", n, -ABOVE_ALL, np.inf), ABOVE_ALL)
    missing_left = tree.flags("missing_go_to_left", n)
    feature = np.where(is_leaf, -1, places[np.where(is_leaf, 0, told)])
    return ModelNodes.of_two_sides(
        sides[0],
        sides[1],
        feature,
        np.where(listed, np.nan, threshold),
        missing_left,
        tree.numbers("value", n, -LARGEST_SUMMED, LARGEST_SUMMED),
        tree.whole_numbers("count", n, 0, 2**53, np.int64),
        pairs=_pairs(tree, np.flatnonzero(listed), feature, features) if listed.any() else None,
        unseen_branch=np.where(is_leaf, -1, 1 - missing_left.astype(np.int64)),
    )


def _pairs(tree: Fields, nodes: Array, feature: Array, features: Sequence[FeatureEncoding]) -> Array:
    """Node, code and branch of every category."""
    sets = tree.items("bitsets")
    words = Fields({"bitsets": sets}, no_model).table("bitsets", len(sets), MOST_CODES // 32, most=2**32 - 1)
    row = tree.whole_numbers("bitset_idx", len(feature), 0, 2**32 - 1, np.int64)
    sizes = [len(features[position].labels) for position in feature[nodes].tolist()]
    if (row[nodes] >= len(words)).any() or (words < 0).any() or (words % 1 != 0).any():
        refuse(message("its categories do not belong to its nodes"))
    check_pairs(sum(sizes))
    goes_left = np.unpackbits(words.astype("<u4").view(np.uint8), axis=1, bitorder="little")
    tables = [
        np.column_stack([np.full(size, node), np.arange(size), 1 - goes_left[row[node], :size].astype(np.int64)])
        for node, size in zip(nodes.tolist(), sizes, strict=True)
    ]
    return np.concatenate(tables)
