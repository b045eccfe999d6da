"""Forests of R's randomForest and ranger, from the text of our lines of R: votes, shares or numbers, averaged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.errors import InputError
from explorer.foreign.assembly import trees_of
from explorer.foreign.limits import (
    MOST_CLASSES,
    MOST_FEATURES,
    MOST_NODES,
    MOST_NODES_IN_ALL,
    MOST_TREES,
    check_members_and_features,
    check_pairs,
)
from explorer.foreign.r_files.fields import levels_of, refuse, word_of
from explorer.foreign.record import Model, ModelNodes, ReadEnsemble, averaged
from explorer.messages import message
from explorer.plain_fields import Fields
from explorer.ranges import LARGEST_SUMMED
from explorer.recipe.columns import FeatureEncoding
from explorer.recipe.remarks import Remark
from explorer.values import Value

Array = NDArray[Any]
MOST_BITS = 53
"""So many categories a number that lists those on the left can hold."""


def forest_from_random_forest(fields: Fields, target: str) -> ReadEnsemble:
    """The forest of randomForest; InputError for what is none."""
    forest, is_class = fields.record("forest"), word_of(fields, "type") == "classification"
    names, n_trees = _names(fields.items("split")), int(forest.whole_numbers("ntree", 1, 1, MOST_TREES)[0])
    n_rows = int(forest.whole_numbers("nrnodes", 1, 1, MOST_NODES)[0])
    _check_sizes(n_trees, n_rows, len(names))
    features = _features_of_random_forest(fields, forest, names)
    classes = _classes(fields.items("classes")) if is_class else ()
    if is_class and np.ptp(forest.numbers("cutoff", len(classes), 0.0, 1.0)) > 1e-9:
        raise InputError(
            message("The forest has a cutoff for each class, which cannot be read: fit it without the argument cutoff.")
        )
    size, shape = n_trees * n_rows, (n_trees, n_rows)
    if is_class:
        sides = forest.whole_numbers("treemap", 2 * size, 0, n_rows).reshape(n_trees, 2, n_rows)
        left, right = sides[:, 0], sides[:, 1]
    else:
        left, right = (forest.whole_numbers(f"{s}Daughter", size, 0, n_rows).reshape(shape) for s in ("left", "right"))
    feature = forest.whole_numbers("bestvar", size, 0, len(names)).reshape(shape) - 1
    split = forest.numbers("xbestsplit", size).reshape(shape)
    value = forest.numbers("nodepred", size, -LARGEST_SUMMED, LARGEST_SUMMED).reshape(shape)
    counts = forest.whole_numbers("ndbigtree", n_trees, 1, n_rows)
    nodes = []
    for tree, count in enumerate(counts.tolist()):
        at = (tree, slice(0, count))
        pairs = _pairs_of_masks(features, feature[at], split[at], left[at] > 0)
        answers = _votes(value[at], left[at] == 0, len(classes)) if is_class else value[at]
        nodes.append(_nodes(features, left[at] - 1, right[at] - 1, feature[at], split[at], answers, pairs))
    return _read(fields, "randomForest", nodes, features, classes, target)


def forest_from_ranger(fields: Fields, target: str) -> ReadEnsemble:
    """The forest of ranger; InputError for what is none."""
    forest = fields.record("forest")
    kind = word_of(forest, "treetype")
    if kind not in ("Classification", "Probability estimation", "Regression"):
        raise InputError(message("The forest is of ranger's type '{kind}', which cannot be read.", kind=kind[:40]))
    names, n_trees = _names(forest.items("independent.variable.names")), len(forest.items("split.varIDs"))
    if not 1 <= n_trees <= MOST_TREES:
        refuse(message("it has {n:,} trees, and up to {most:,} can be read", n=n_trees, most=MOST_TREES))
    features = _features_of_ranger(forest, names)
    classes, order = tuple[str, ...](), np.empty(0, dtype=np.int64)
    if kind != "Regression":
        levels = _classes(forest.items("levels"))
        codes = forest.whole_numbers("class.values", None, 1, len(levels), np.int64) - 1
        order = np.argsort(codes) if kind == "Probability estimation" else order
        classes = tuple(levels[code] for code in codes[order].tolist()) if order.size else levels
    nodes, total = [], 0
    for number in range(n_trees):
        parts = {
            name: forest.items(name, n_trees)[number] for name in ("split.varIDs", "split.values", "child.nodeIDs")
        }
        tree = Fields(parts, forest.refusal)
        n = len(tree.items("split.varIDs"))
        total += n
        _check_sizes(1, max(total, 1), len(names))
        children = dict(zip("lr", tree.items("child.nodeIDs", 2), strict=True))
        left, right = (Fields(children, forest.refusal).whole_numbers(side, n, 0, max(n - 1, 0)) for side in "lr")
        split = tree.numbers("split.values", n, -LARGEST_SUMMED, LARGEST_SUMMED)
        feature = tree.whole_numbers("split.varIDs", n, 0, len(names) - 1)
        is_leaf = (left == 0) & (right == 0)
        answers: Array = split
        if kind == "Classification":
            answers = _votes(split, is_leaf, len(classes))
        elif classes:
            answers = _shares(forest.items("terminal.class.counts", n_trees)[number], is_leaf, order, forest)
        left, right = np.where(is_leaf, -1, left), np.where(is_leaf, -1, right)
        pairs = _pairs_of_ranks(features, feature, split, ~is_leaf)
        nodes.append(_nodes(features, left, right, feature, split, answers, pairs))
    return _read(fields, "ranger", nodes, features, classes, target)


def _names(listed: Sequence[Any]) -> list[str]:
    if not 1 <= len(listed) <= MOST_FEATURES or not all(isinstance(name, str) for name in listed):
        refuse(message("it has more than {most:,} features", most=MOST_FEATURES))
    return list(listed)


def _classes(listed: Sequence[Any]) -> tuple[str, ...]:
    is_text = all(isinstance(name, str) for name in listed)
    if not is_text or not 1 <= len(listed) <= MOST_CLASSES or len(set(listed)) < len(listed):
        refuse(message("its classes are not a list of different values"))
    return tuple(listed)


def _check_sizes(n_trees: int, n_nodes: int, n_features: int) -> None:
    check_members_and_features(n_trees, n_features)
    if n_trees * n_nodes > 3 * MOST_NODES_IN_ALL:
        refuse(message("it has no trees, or more than {most:,} nodes", most=MOST_NODES_IN_ALL))


def _features_of_random_forest(fields: Fields, forest: Fields, names: Sequence[str]) -> tuple[FeatureEncoding, ...]:
    """The columns: a factor has its levels, an ordered one only their number, so it is refused."""
    counts, levels = forest.whole_numbers("ncat", len(names), 1, MOST_BITS), forest.record("xlevels")
    types = fields.record("types") if fields.content.get("types") else Fields({}, fields.refusal)
    features = []
    for name, count in zip(names, counts.tolist(), strict=True):
        kind = word_of(types, name) if types.has(name) else "numeric"
        if kind == "ordered":
            _refuse_factor(name)
        labels: tuple[Value, ...] = (False, True) if kind == "logical" else ()
        if count > 1:
            labels = levels_of(levels, name)
            if len(labels) != count:
                refuse(message("its categories do not belong to its nodes"))
        features.append(_feature(name, labels))
    return tuple(features)


def _features_of_ranger(forest: Fields, names: Sequence[str]) -> tuple[FeatureEncoding, ...]:
    is_ordered = forest.flags("is.ordered", len(names))
    listed = forest.content.get("covariate.levels")
    levels = forest.record("covariate.levels") if listed else Fields({}, forest.refusal)
    for name, has_order in zip(names, is_ordered.tolist(), strict=True):
        if not has_order:
            _refuse_factor(name)
    return tuple(_feature(name, levels_of(levels, name) if levels.content.get(name) else ()) for name in names)


def _refuse_factor(name: str) -> None:
    raise InputError(
        message(
            "R's forest does not hold the names of the levels of '{column}': fit ranger with "
            "respect.unordered.factors = 'order', or make an ordered factor a number before.",
            column=name[:40],
        )
    )


def _feature(name: str, labels: tuple[Value, ...]) -> FeatureEncoding:
    if labels:
        return FeatureEncoding(name, "categorical", "subset", labels)
    return FeatureEncoding(name, "numeric", "threshold")


def _votes(value: Array, is_leaf: Array, n_classes: int) -> Array:
    """One vote for the class [1 … K] of each leaf, [n, K]."""
    codes = np.where(is_leaf, value, 1.0)
    if not ((codes >= 1) & (codes <= n_classes) & (codes == np.rint(codes))).all():
        refuse(message("a leaf is of a class that is not there"))
    return np.asarray(np.eye(n_classes)[codes.astype(np.int64) - 1])


def _shares(listed: Any, is_leaf: Array, order: Array, forest: Fields) -> Array:
    """Class shares of each leaf in this order of ranger's classes, [n, K]; other nodes have none."""
    told = Fields({"shares": listed}, forest.refusal).items("shares", len(is_leaf))
    leaves = [shares for shares, leaf in zip(told, is_leaf.tolist(), strict=True) if leaf]
    shares = np.zeros((len(is_leaf), len(order)))
    shares[is_leaf] = Fields({"shares": leaves}, forest.refusal).table("shares", len(leaves), len(order))[:, order]
    return shares


def _pairs_of_masks(features: Sequence[FeatureEncoding], feature: Array, split: Array, inner: Array) -> Array:
    """(node, code, branch): a split's number has a bit for every category on the left; FALSE and TRUE are 0 and 1."""
    found = []
    for node in np.flatnonzero(inner).tolist():
        labels = features[feature[node]].labels if feature[node] >= 0 else ()
        if labels == (False, True):
            found += [(node, code, int(code > split[node])) for code in (0, 1)]
        elif labels:
            mask = split[node]
            if not 0 <= mask < 2.0**MOST_BITS or mask != int(mask):
                refuse(message("its categories do not belong to its nodes"))
            found += [(node, code, 1 - (int(mask) >> code & 1)) for code in range(len(labels))]
    check_pairs(len(found))
    return np.array(found, dtype=np.int64).reshape(-1, 3)


def _pairs_of_ranks(features: Sequence[FeatureEncoding], feature: Array, split: Array, inner: Array) -> Array:
    """(node, code, branch): the levels, in the order that ranger put them in, count from 1 on."""
    sizes = np.array([len(each.labels) for each in features])
    found = [
        (node, code, int(code + 1 > split[node]))
        for node in np.flatnonzero(inner & (sizes[feature] > 0)).tolist()
        for code in range(int(sizes[feature[node]]))
    ]
    check_pairs(len(found))
    return np.array(found, dtype=np.int64).reshape(-1, 3)


def _nodes(
    features: Sequence[FeatureEncoding],
    left: Array,
    right: Array,
    feature: Array,
    split: Array,
    value: Array,
    pairs: Array,
) -> ModelNodes:
    by_number = np.array([each.test == "threshold" for each in features])
    return ModelNodes.of_two_sides(
        left,
        right,
        feature,
        np.where(by_number[feature], split, np.nan),
        np.full(len(left), 2),  # no branch: R's forests refuse rows without a value
        value,
        np.zeros(len(left)),
        pairs=pairs,
    )


def _read(
    fields: Fields,
    library: str,
    nodes: Sequence[ModelNodes],
    features: tuple[FeatureEncoding, ...],
    classes: tuple[str, ...],
    target: str,
) -> ReadEnsemble:
    version, name = word_of(fields, "version")[:20], word_of(fields, "target") or target
    remark = Remark("from_r_forest", (f"{library} {version}", "≤"))
    model = Model(library, features, name, classes, counts_rows=False, remark=remark)
    return averaged(trees_of(nodes, model, refuse), library, name, features, version=version)
