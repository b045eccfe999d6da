"""The trees and ensembles in an ONNX file, by the package onnx."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.errors import InputError
from explorer.foreign.assembly import trees_of
from explorer.foreign.content import Content
from explorer.foreign.limits import MOST_CLASSES, MOST_NODES_IN_ALL, check_members_and_features
from explorer.foreign.onnx_files.attributes import Attributes, refuse
from explorer.foreign.onnx_files.conversion import encodings, model_nodes
from explorer.foreign.onnx_files.graph import Column, Graph, LeafTables, Link
from explorer.foreign.onnx_files.operators import (
    AGGREGATES,
    LEAF,
    POSTS,
    TreeNodes,
    nodes_by_lists,
    nodes_by_roots,
)
from explorer.foreign.record import Model, ReadEnsemble, ReadMember, averaged
from explorer.messages import message
from explorer.ranges import LARGEST_SUMMED
from explorer.recipe.remarks import Remark
from explorer.tree.tree import Tree
from explorer.values import Value

Array = NDArray[Any]
COMMAND = "pip install onnx"
ROUNDED = 1e-5
"""Shares in 32 bits add up to 1 within this."""
_BEGINS = re.compile(rb"\x08[\x01-\x1f][\x12\x1a\x22\x2a\x32\x3a\x42]")
"""The version of the format, and the tag of any field behind it."""


@dataclass(frozen=True, eq=False)
class Scores:
    """How leaves become a prediction: `table` [n, width] what every node adds, then `start` [width] and the link."""

    table: Array
    start: Array
    link: str
    classes: tuple[Value, ...]


def is_onnx(content: Content) -> bool:
    """Whether a file begins as those of ONNX do, and names its operators."""
    return _BEGINS.match(content.data) is not None and b"ai.onnx" in content.data


def model_from_onnx(content: Content, target: str) -> Tree | ReadEnsemble:
    """The tree or ensemble in the file; InputError for anything else, and where the package onnx is missing."""
    if find_spec("onnx") is None:
        raise InputError(
            message(
                "'{file}' is an ONNX file, which needs the package onnx: run '{command}'.",
                file=content.name,
                command=COMMAND,
            )
        )
    import onnx
    from google.protobuf.message import DecodeError

    try:
        model = onnx.load_model_from_string(content.data)
    except (DecodeError, ValueError, TypeError):
        refuse(message("the file is damaged"))
    return _read(Graph(model.graph), f"{model.producer_name} {model.producer_version}", target)


def _read(graph: Graph, producer: str, target: str) -> Tree | ReadEnsemble:
    told, kind = Attributes(graph.trees), graph.trees.op_type
    if kind == "TreeEnsemble":
        nodes = nodes_by_roots(told)
        aggregate = _named(AGGREGATES, told.whole("aggregate_function", 1))
        post, n_scores = _named(POSTS, told.whole("post_transform", 0)), told.whole("n_targets", 1)
    else:
        nodes = nodes_by_lists(told, "class" if kind == "TreeEnsembleClassifier" else "target")
        aggregate, post = told.text("aggregate_function", "SUM"), told.text("post_transform", "NONE")
        n_scores = told.whole("n_targets", 1)
    classes = told.labels("classlabels")
    n_scores = len(classes) or n_scores
    if kind == "TreeEnsembleRegressor" and n_scores > 1:
        raise InputError(message("The model predicts {targets} targets at once: fit one for each.", targets=n_scores))
    score = graph.trees.output[-1]
    n_trees = int(nodes.tree[-1]) + 1
    if aggregate not in ("SUM", "AVERAGE") and n_trees > 1:
        refuse(message("its trees are combined by '{name}'", name=aggregate[:40]))
    tables = graph.tables(score)
    after = graph.link(score) if tables is None else Link()
    link = _link(post, after)
    if kind != "TreeEnsembleClassifier" and n_scores > 1:
        classes = graph.classes(score, n_scores) or tuple(range(n_scores))
    elif classes:
        classes = _renamed(classes, graph.classes(score, n_scores))
    scores = _scores(nodes, told.numbers("base_values"), n_scores, classes, link)
    factor = after.factor / (n_trees if aggregate == "AVERAGE" else 1)
    scores = replace(scores, table=factor * scores.table, start=after.factor * scores.start + after.summand)
    if tables is not None:
        scores = _looked_up(nodes, scores, tables)
    columns = graph.columns(int(nodes.feature.max(initial=-1)) + 1)
    features = encodings(nodes, columns)
    check_members_and_features(n_trees * scores.table.shape[1], len(features))
    version = re.sub(r"[^\w .+-]", "", producer).strip()[:40]
    remark = Remark("from_onnx", (32 if any(column.is_narrow for column in columns) else 64,))
    model = Model("ONNX", features, target, scores.classes, counts_rows=False, remark=remark)
    return _assembled(nodes, scores, model, columns, f"({version})" if version else "")


def _named(names: Sequence[str], number: int) -> str:
    return names[number] if 0 <= number < len(names) else str(number)


def _renamed(classes: tuple[Value, ...], named: tuple[Value, ...]) -> tuple[Value, ...]:
    """The classes by the names that the graph gives their numbers."""
    return named if named and classes == tuple(range(len(classes))) and len(set(named)) == len(named) else classes


def _link(post: str, after: Link) -> str:
    """The link by the operator's own name and by that of the operator behind it."""
    own = {"NONE": "", "LOGISTIC": "logistic", "SOFTMAX": "softmax"}
    if post not in own or (own[post] and after != Link()):
        refuse(message("its scores are transformed by '{name}'", name=post[:40]))
    return own[post] or after.name


def _scores(nodes: TreeNodes, base: Array, n_scores: int, classes: tuple[Value, ...], link: str) -> Scores:
    """What the leaves add to the scores; InputError where these cannot become a prediction here."""
    if not 1 <= n_scores <= MOST_CLASSES or (nodes.leaf_target >= n_scores).any():
        refuse(message("a leaf is of a class that is not there"))
    if not (np.abs(nodes.leaf_weight) <= LARGEST_SUMMED).all() or not (np.abs(base) <= LARGEST_SUMMED).all():
        refuse(message("the value of a leaf is no finite number"))
    if len(set(classes)) < len(classes) or len(classes) == 1:
        refuse(message("its classes are not different"))
    named = np.unique(nodes.leaf_target)
    is_one_for_two = len(classes) == 2 and len(named) == 1 and bool(classes)
    width = 1 if is_one_for_two or n_scores == 1 else n_scores
    n_told = max(int(nodes.source.max()), int(nodes.leaf_source.max(initial=0))) + 1
    if width * max(n_told, len(nodes.tree)) > 20 * MOST_NODES_IN_ALL:
        refuse(message("it has no trees, or more than {most:,} nodes", most=MOST_NODES_IN_ALL))
    table = np.zeros((n_told, width))
    target = nodes.leaf_target if width > 1 else np.zeros_like(nodes.leaf_target)
    np.add.at(table, (nodes.leaf_source, target), nodes.leaf_weight)
    if base.size not in (0, width, *((2,) if is_one_for_two else ())):
        refuse(message("its number of classes does not fit its base scores"))
    start = base[-width:] if base.size else np.zeros(width)
    return Scores(np.where((nodes.mode == LEAF)[:, None], table[nodes.source], 0.0), start, link, classes)


def _looked_up(nodes: TreeNodes, scores: Scores, tables: LeafTables) -> Scores:
    """The scores where the trees find the number of a leaf, and tables hold what it predicts."""
    is_leaf, place = nodes.mode == LEAF, scores.table[:, 0]
    is_place = (place >= 0) & (place < len(tables.answers)) & (place == np.floor(place))
    if scores.link or scores.classes or scores.start.any() or nodes.tree[-1] > 0 or not is_place.all():
        refuse(message("the graph around its trees is damaged"))
    place = np.where(is_leaf, place, 0).astype(np.int64)
    answers = tables.answers[place].astype(np.float64)
    if tables.labels is None:
        if not (np.abs(answers) <= LARGEST_SUMMED).all():
            refuse(message("the value of a leaf is no finite number"))
        return Scores(answers * is_leaf[:, None], np.zeros(1), "", ())
    n_classes = answers.shape[1]
    classes = tables.classes or tuple(range(n_classes))
    if len(set(classes)) < n_classes or len(classes) != n_classes or len(tables.labels) != len(tables.answers):
        refuse(message("its classes are not different"))
    if (answers.argmax(axis=1) != tables.labels[place])[is_leaf].any():
        refuse(message("its classes are not those of the largest probability"))
    return Scores(answers * is_leaf[:, None], np.zeros(n_classes), "", classes)


def _assembled(
    nodes: TreeNodes, scores: Scores, model: Model, columns: Sequence[Column], version: str
) -> Tree | ReadEnsemble:
    """The tree, or the ensemble, that these scores mean."""
    n_trees = int(nodes.tree[-1]) + 1
    shares = None if scores.link or not scores.classes else _shares(nodes, scores)
    if shares is not None:
        found = model_nodes(nodes, shares[0], columns, model.features)
        trees, votes = trees_of(found, model, refuse), shares[1]
        if n_trees == 1:
            return trees[0]
        return averaged(trees, "ONNX", model.target, model.features, votes, version)
    combination = _combination(scores)
    model = replace(model, classes=())
    width = scores.table.shape[1]
    used = np.zeros((n_trees, width), dtype=bool)
    node, score = np.nonzero(scores.table)
    used[nodes.tree[node], score] = True
    of_class = [(tree, k) for tree in range(n_trees) for k in (np.flatnonzero(used[tree]).tolist() or [0])]
    found = model_nodes(nodes, scores.table, columns, model.features, of_class)
    trees = trees_of(found, model, refuse)
    if len(trees) == 1 and combination == "sum" and not scores.start.any():
        return trees[0]
    members = tuple(
        ReadMember(tree, stage, 1.0, of_class=k if width > 1 else None)
        for tree, (_, k), stage in zip(trees, of_class, _rounds(of_class, width), strict=True)
    )
    return ReadEnsemble(
        origin="ONNX",
        method="gradient_boosting",
        combination=combination,
        members=members,
        start=scores.start,
        constant=None,
        target=model.target,
        classes=scores.classes,
        features=model.features,
        version=version,
    )


def _rounds(of_class: Sequence[tuple[int, int]], width: int) -> list[int]:
    """The round of every tree: where trees are of the classes in turn, a round has one for each."""
    in_turn = [k for _, k in of_class] == [number % width for number in range(len(of_class))]
    return [number // width + 1 if in_turn else number + 1 for number in range(len(of_class))]


def _combination(scores: Scores) -> str:
    """How numbers add up to the prediction."""
    n_classes, width = len(scores.classes), scores.table.shape[1]
    kinds = {(0, ""): "sum", (0, "exponential"): "sum_exponential", (0, "logistic"): "sum_to_share"}
    if n_classes == 2 and width == 1:
        kinds = {(2, "logistic"): "sum_sigmoid"}
    elif n_classes:
        kinds = {(n_classes, "softmax"): "sum_softmax"}
    if (n_classes, scores.link) not in kinds:
        refuse(message("its scores are no class probabilities"))
    return kinds[n_classes, scores.link]


def _shares(nodes: TreeNodes, scores: Scores) -> tuple[Array, Array] | None:
    """Class shares [n, K] of the leaves, and how much each tree counts [T]; None where leaves hold no shares."""
    leaves, n_trees = np.flatnonzero(nodes.mode == LEAF), int(nodes.tree[-1]) + 1
    table, tree = scores.table, nodes.tree[leaves]
    if scores.start.any() or (table < 0).any():
        return None
    if table.shape[1] == 1:
        table = n_trees * table
        shares = np.column_stack([1.0 - table, table])
        if (table > 1.0 + ROUNDED).any():
            return None
        return np.clip(shares, 0.0, 1.0), np.ones(n_trees)
    sums = table[leaves].sum(axis=1)
    votes = np.zeros(n_trees)
    np.maximum.at(votes, tree, sums)
    is_wrong = np.abs(sums - votes[tree]) > ROUNDED * votes[tree]
    if is_wrong.any() or (votes <= 0).any() or abs(votes.sum() - 1.0) > ROUNDED:
        return None
    return table, votes
