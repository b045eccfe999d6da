"""The tree or ensemble in a folder of YDF, or of TensorFlow Decision Forests, or in a zip of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.errors import InputError
from explorer.foreign.assembly import trees_of
from explorer.foreign.content import Content
from explorer.foreign.limits import (
    MOST_CLASSES,
    MOST_FEATURES,
    MOST_TREES,
    check_members_and_features,
    unknown_objective,
)
from explorer.foreign.record import Model, ReadEnsemble, averaged, members_of, named
from explorer.foreign.ydf_files.trees import Column, Trees, model_nodes, no_model, refuse, trees_from
from explorer.foreign.ydf_files.wire import Message
from explorer.messages import message
from explorer.ranges import LARGEST_SUMMED
from explorer.recipe.columns import FeatureEncoding
from explorer.tree.tree import Tree
from explorer.values import Value

Array = NDArray[Any]
DATA, HEADER, FOREST, BOOSTED = (
    "data_spec.pb",
    "header.pb",
    "random_forest_header.pb",
    "gradient_boosted_trees_header.pb",
)
TASKS = ("undefined", "classification", "regression", "ranking", "categorical uplift", "numerical uplift",
         "anomaly detection", "survival analysis")  # fmt: skip
CLASSIFICATION, REGRESSION, RANKING = 1, 2, 3
TYPES = ("unknown", "numerical", "numerical set", "numerical list", "categorical", "categorical set",
         "categorical list", "boolean", "string", "discretized numerical", "hash", "vector sequence")  # fmt: skip
NUMERICAL, CATEGORICAL, BOOLEAN, DISCRETIZED = 1, 4, 7, 9
LOSSES = {
    1: ("BINOMIAL_LOG_LIKELIHOOD", "sum_sigmoid"),
    2: ("SQUARED_ERROR", "sum"),
    3: ("MULTINOMIAL_LOG_LIKELIHOOD", "sum_softmax"),
    4: ("LAMBDA_MART_NDCG5", "sum"),
    5: ("XE_NDCG_MART", "sum"),
    6: ("BINARY_FOCAL_LOSS", "sum_sigmoid"),
    7: ("POISSON", "sum_exponential"),
    8: ("MEAN_AVERAGE_ERROR", "sum"),
    9: ("LAMBDA_MART_NDCG", "sum"),
}
"""How the trees add up, by the number of the loss."""


def is_ydf(content: Content) -> bool:
    """Whether a folder, or a zip, has the files of YDF."""
    if not content.folder and not (content.data.startswith(b"PK\x03\x04") and DATA.encode() in content.data):
        return False
    return any(name.endswith(DATA) for name in content.files)


def model_from_ydf(content: Content, target: str) -> Tree | ReadEnsemble:
    """The tree or ensemble; InputError for anything else."""
    start = min((name for name in content.files if name.endswith(DATA)), key=len).removesuffix(DATA)
    files = {name.removeprefix(start): data for name, data in content.files.items() if name.startswith(start)}
    kind = next((name for name in (FOREST, BOOSTED) if name in files), None)
    if kind is None or HEADER not in files:
        raise InputError(
            message("The folder of YDF holds no random forest, CART or gradient boosted trees: save one of these.")
        )
    header = Message(files[HEADER], no_model)
    task = header.whole(2)
    if task not in (CLASSIFICATION, REGRESSION, RANKING):
        raise unknown_objective(TASKS[task] if 0 <= task < len(TASKS) else str(task), [TASKS[k] for k in (1, 2, 3)])
    return _read(header, Message(files[kind], no_model), files, kind == BOOSTED)


def _read(header: Message, own: Message, files: Mapping[str, bytes], boosts: bool) -> Tree | ReadEnsemble:
    columns = Message(files[DATA], no_model).parts(1)
    label = header.whole(3)
    places = [int(place) for place in header.wholes(5)]
    if not 0 <= label < len(columns) or len(places) > MOST_FEATURES or not set(places) <= set(range(len(columns))):
        refuse(message("its feature names are too few, or two of them are the same"))
    read = {place: _column(columns[place]) for place in dict.fromkeys(places)}
    features = tuple(column.encoding for column in read.values())
    if len({feature.name for feature in features}) < len(features):
        refuse(message("its feature names are too few, or two of them are the same"))
    classes = _labels(columns[label])[0] if header.whole(2) == CLASSIFICATION else ()
    if len(classes) > MOST_CLASSES or len(classes) == 1:
        refuse(message("its classes are not different"))
    n_shards = own.whole(1)
    names = [f"nodes-{number:05d}-of-{n_shards:05d}" for number in range(min(max(n_shards, 0), len(files)))]
    if not names or not set(names) <= set(files):
        refuse(message("a file of numbers is missing"))
    n_classes = 0 if boosts else len(classes)
    trees = trees_from([files[name] for name in names], read, list(read), n_classes)
    if len(trees.starts) != own.whole(2) or len(trees.starts) > MOST_TREES:
        refuse(message("it has {n:,} trees, and up to {most:,} can be read", n=len(trees.starts), most=MOST_TREES))
    check_members_and_features(len(trees.starts), len(features))
    counts = all(weight == rows and weight for weight, rows in zip(trees.weight, trees.rows, strict=True))
    name = columns[label].text(2)[:200]
    model = Model("YDF", features, name, () if boosts else classes, is_strict=True, counts_rows=counts)
    if boosts:
        return _boosted(own, trees, model, classes)
    return _forest(own, trees, model)


def _column(told: Message) -> Column:
    """A column by its type."""
    name, kind = told.text(2)[:200], told.whole(1)
    if kind == NUMERICAL:
        return Column(FeatureEncoding(name, "numeric", "threshold"))
    if kind == DISCRETIZED:
        edges = told.part(8).reals(1, 4)
        if not np.isfinite(edges).all():
            refuse(message("a split has no threshold, or one on categories"))
        return Column(FeatureEncoding(name, "numeric", "threshold"), edges=tuple(edges.tolist()))
    if kind == BOOLEAN:
        return Column(FeatureEncoding(name, "categorical", "subset", (False, True)), (0, 1))
    if kind == CATEGORICAL:
        labels, bits = _labels(told)
        return Column(FeatureEncoding(name, "categorical", "subset", labels), bits)
    raise InputError(
        message(
            "Column '{column}' of the model of YDF is of type '{type}', which cannot be read: fit on numbers, "
            "categories and truth values.",
            column=name,
            type=TYPES[kind] if 0 <= kind < len(TYPES) else str(kind),
        )
    )


def _labels(told: Message) -> tuple[tuple[Value, ...], tuple[int, ...]]:
    """The categories of a column in the order of their numbers, and these numbers; that of unseen values is 0."""
    spec = told.part(6)
    if spec.whole(5):
        raise InputError(
            message(
                "The categories of '{column}' are numbers without names in the model of YDF: fit it with texts.",
                column=told.text(2)[:200],
            )
        )
    pairs = sorted((item.part(2).whole(1), item.text(1)) for item in spec.parts(7))
    pairs = [pair for pair in pairs if pair[0] > 0]
    labels, bits = named([text for _, text in pairs]), tuple(bit for bit, _ in pairs)
    if len(set(map(str, labels))) < len(labels) or bits != tuple(range(1, len(bits) + 1)):
        refuse(message("two categories have the same name"))
    return tuple(labels), bits


def _forest(own: Message, trees: Trees, model: Model) -> Tree | ReadEnsemble:
    """A forest, whose trees vote or are averaged, or the one tree of CART."""
    votes = bool(own.whole(3, 1)) and bool(model.classes)
    if not model.classes:
        value = np.array(trees.top)
    else:
        value = np.array(trees.counts)
        if votes:  # the class that a leaf names is the one that it votes for
            top = np.array(trees.top, dtype=np.int64)
            value[value.argmax(axis=1) != top] = 0.0
            value[np.arange(len(top)), top] += (value.sum(axis=1) == 0) * 1.0
    with_impurity = not model.classes and all(weight > 0 for weight in trees.weight)
    if with_impurity and not np.isfinite(trees.impurity + trees.top).all():
        refuse(message("the value of a leaf is no finite number"))
    found = trees_of(model_nodes(trees, value, with_impurity), model, refuse)
    if len(found) == 1 and not votes:
        return found[0]
    forest = averaged(found, "YDF", model.target, model.features)
    return replace(forest, combination="votes") if votes else forest


def _boosted(own: Message, trees: Trees, model: Model, classes: tuple[Value, ...]) -> ReadEnsemble:
    """A start, and the trees of every round."""
    if own.whole(3) not in LOSSES:
        raise unknown_objective(str(own.whole(3)), [name for name, _ in LOSSES.values()])
    combination, width = LOSSES[own.whole(3)][1], own.whole(5, 1)
    expected = {"sum_sigmoid": (1, 2), "sum_softmax": (len(classes), len(classes))}.get(combination, (1, 0))
    start = own.reals(4, 4)
    if (width, len(classes)) != expected or len(start) != width or len(trees.starts) % width:
        refuse(message("its number of trees does not fit its classes"))
    if not (np.abs(start) <= LARGEST_SUMMED).all():
        refuse(message("the value of a leaf is no finite number"))
    found = trees_of(model_nodes(trees, np.array(trees.top), False), model, refuse)
    return ReadEnsemble(
        origin="YDF",
        method="gradient_boosting",
        combination=combination,
        members=members_of(found, width),
        start=start,
        constant=None,
        target=model.target,
        classes=classes,
        features=model.features,
    )
