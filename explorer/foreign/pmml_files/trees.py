"""The nodes of a `TreeModel`: what its leaves predict, how many rows they stand for, and their tests by `Routes`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.foreign.limits import MOST_NODES
from explorer.foreign.pmml_files.columns import Column
from explorer.foreign.pmml_files.document import Element, refuse
from explorer.foreign.pmml_files.found import Found, Steps
from explorer.foreign.pmml_files.predicates import TAGS, Predicate, Predicates
from explorer.foreign.pmml_files.routes import Asked, Routes
from explorer.foreign.pmml_files.segments import rescaled
from explorer.foreign.record import ModelNodes
from explorer.messages import message
from explorer.values import Value

Array = NDArray[Any]
MISSING = ("none", "nullPrediction", "lastPrediction", "defaultChild")
"""The strategies for missing values that one path through a tree can mean."""


@dataclass(eq=False)
class ToldTree:
    """A tree as the file tells it: its elements, its tests, and the change of its numbers, factor and constant."""

    nodes: list[Element]
    asked: Asked
    factor: float
    constant: float


@dataclass(eq=False)
class ReadTree:
    """Its nodes for trees here, at how many the file predicts nothing for some rows, and whether it counts rows."""

    nodes: ModelNodes
    n_null: int
    counts_rows: bool


def tests_of(model: Element) -> Iterator[Element]:
    """The predicates of all nodes of a tree."""
    waiting = list(model.all("Node"))
    while waiting:
        node = waiting.pop()
        waiting += node.all("Node")
        yield from node.all(*TAGS)


def told_tree(model: Element, predicates: Predicates) -> ToldTree:
    """A `TreeModel`; InputError for what one path cannot mean."""
    if model.get("isScorable", "true").lower() in ("false", "0"):
        refuse(message("it has {name}='{value}'", name="isScorable", value="false"))
    model.refuse_other("missingValueStrategy", *MISSING)
    model.refuse_other("noTrueChildStrategy", "returnNullPrediction", "returnLastPrediction")
    root = model.first("Node")
    if root is None:
        refuse(message("'{element}' has no '{name}'", element=model.tag, name="Node"))
    nodes: list[Element] = [root]
    predicate, children, default = list[int](), list[list[int]](), list[int]()
    for node in nodes:  # grows, level by level
        if unread := node.first("Regression", "DecisionTree", "EmbeddedModel"):
            refuse(message("a node holds a '{element}'", element=unread.tag))
        tests = list(node.all(*TAGS))
        if len(tests) != 1:
            refuse(message("a node has no test, or several"))
        predicate.append(predicates.add(tests[0]))
        below = list(node.all("Node"))
        children.append(list(range(len(nodes), len(nodes) + len(below))))
        wanted = node.get("defaultChild")
        ids = [child.get("id") for child in below]
        if wanted and wanted not in ids:
            refuse(message("a default child is not among the children"))
        default.append(len(nodes) + ids.index(wanted) if wanted else -1)
        nodes += below
        if len(nodes) > MOST_NODES:
            n = len(nodes)
            refuse(message("a tree has {n:,} nodes, and from 1 to {most:,} can be read", n=n, most=MOST_NODES))
    first = predicates.table[predicate[0]]
    if first.kind != "constant" or first.negated:
        refuse(message("the first node has a test"))
    returns_last = model.get("noTrueChildStrategy") == "returnLastPrediction"
    asked = Asked(predicate, children, default, model.get("missingValueStrategy", "none"), returns_last)
    return ToldTree(nodes, asked, *rescaled(model))


def read_tree(
    tree: ToldTree,
    classes: Mapping[str, Value],
    table: Sequence[Predicate],
    columns: Sequence[Column],
    steps: Steps,
) -> ReadTree:
    """The nodes of a tree; `classes` is empty where it predicts numbers."""
    found = Routes(tree.asked, table, columns, steps).found()
    value, count, is_told = _told(tree, classes)
    source = np.array(found.source)
    leaves = np.array([not children for children in found.children])
    inner_told = is_told[source] | ~np.array(found.stays)
    ends_inside = np.array([bool(below) for below in tree.asked.children])[source]
    if not (is_told[source] | ends_inside)[leaves].all():
        refuse(message("a leaf predicts nothing"))
    counts = count[source[leaves]]
    counts_rows = bool((counts == np.rint(counts)).all() and (counts >= 1).all() and (counts > 1).any())
    counts_rows = counts_rows and not any(found.is_copy)
    weight = np.where(leaves, count[source] if counts_rows else 1.0, 0.0)
    value = value[source]
    _add_up(found, leaves, weight, value)
    total = value.sum(axis=1) if value.ndim == 2 else np.ones(len(value))
    gini = 1.0 - np.square(value / total[:, None]).sum(axis=1) if value.ndim == 2 else np.zeros(len(value))
    nodes = ModelNodes(
        child_count=np.array([len(children) for children in found.children]),
        children=np.array([child for children in found.children for child in children], dtype=np.int64),
        feature=np.array(found.feature),
        threshold=np.array(found.threshold),
        missing_branch=np.array(found.missing),
        value=value,
        weight=weight,
        pairs=np.array(found.pairs, dtype=np.int64).reshape(-1, 3),
        unseen_branch=np.array(found.unseen),
        impurity=gini if counts_rows else np.zeros(len(value)),
    )
    return ReadTree(nodes, found.n_null + int((~inner_told).sum()), counts_rows)


def _add_up(found: Found, leaves: Array, weight: Array, value: Array) -> None:
    """Weight and value of every node above leaves, in place: where rows end there, what the file predicts for them.

    A leaf for rows for which the file predicts nothing gets the value of the node above, of which it is no part.
    """
    above = np.flatnonzero(~leaves).tolist()
    part = np.where(np.isnan(value.reshape(len(value), -1)).any(axis=1), 0.0, weight)
    for node in reversed(above):
        below = np.array(found.children[node])
        weight[node], part[node] = weight[below].sum(), part[below].sum()
        told = below[part[below] > 0]
        if not found.stays[node] or np.isnan(value[node]).any():
            value[node] = (part[told] * value[told].T).T.sum(axis=0) / (part[node] or np.nan)
    for node in above:
        for child in found.children[node]:
            value[child] = value[node] if np.isnan(value[child]).any() else value[child]
    if np.isnan(value[0]).any():
        refuse(message("a leaf predicts nothing"))


def _told(tree: ToldTree, classes: Mapping[str, Value]) -> tuple[Array, Array, Array]:
    """Value [n] or class shares [n, K], number of rows [n] (0 where none is told), whether there is a value [n]."""
    n = len(tree.nodes)
    count = np.array([node.number("recordCount", 0.0) for node in tree.nodes])
    if not classes:
        scores = [node.number("score", np.nan) for node in tree.nodes]
        value = tree.factor * np.array(scores) + tree.constant
        return value, np.maximum(count, 0.0), ~np.isnan(value)
    value, position = np.full((n, len(classes)), np.nan), {text: place for place, text in enumerate(classes)}
    for number, node in enumerate(tree.nodes):
        listed = list(node.all("ScoreDistribution"))
        by_share = all("probability" in each.attributes for each in listed)
        if not listed and not node.get("score"):
            continue
        value[number] = 0.0
        for each in listed:
            told = each.number("probability" if by_share else "recordCount", 0.0)
            value[number, position[each.need("value")]] = max(told, 0.0)
        if not listed:
            value[number, position[node.get("score")]] = 1.0
        total = value[number].sum()
        if not by_share and listed and (value[number] != np.rint(value[number])).any():
            count[number] = 0.5  # shares, which count nothing
        elif not by_share and listed:
            count[number] = total
        if not total > 0:
            refuse(message("the class shares of a leaf are not shares"))
        best = value[number] >= value[number].max() * (1.0 - 1e-12)
        score = position[node.get("score")] if node.get("score") else int(best.argmax())
        if not node.first("Node") and (not best[score] or best[:score].any()):
            refuse(message("its classes are not those of the largest probability"))
        value[number] /= total
    is_told = np.logical_not(np.isnan(value).any(axis=1, keepdims=True))[:, 0]
    return value, np.maximum(count, 0.0), is_told


def scores_of(trees: Sequence[ToldTree]) -> Iterator[str]:
    """The classes that nodes name."""
    for tree in trees:
        for node in tree.nodes:
            if node.get("score"):
                yield node.get("score")
            yield from (each.need("value") for each in node.all("ScoreDistribution"))
