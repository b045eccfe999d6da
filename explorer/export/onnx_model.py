"""A tree as an ONNX file, which ONNX Runtime and other engines run: its tests find the leaf, tables hold the rest."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.errors import InputError
from explorer.export.needed import refuse_without
from explorer.export.python import code_notes
from explorer.messages import message
from explorer.recipe.columns import FeatureEncoding
from explorer.recipe.missing import POLICIES
from explorer.tree.branching import STAY, BranchingRule, branching_rules, ends_of, has_spread_rows
from explorer.tree.tree import Tree
from explorer.values import MISSING_MARKERS, Value

LEQ, MEMBER = 0, 6
VERSION, VERSION_OF_TREES, FORM = 18, 5, 10
"""The versions of ONNX's operators, of those for trees, and of the file."""
ZERO = sys.float_info.min
"""What stands for 0 among the numbers of a set, where 0 ends the set for onnx's reference evaluator."""
UNKNOWN = -1.0
"""The number of a text that no test names."""
_DOC = (
    "A decision tree, written by Decision Tree Explorer. Every column is an input of shape [rows, 1]. Numbers are read "
    "in 64 bits; nan is missing, and dates are days since 1970 (UTC). Texts are compared as they are; an empty text, "
    "and the usual marks such as 'NA' where they are no category, are missing."
)


Target = tuple[str, int]
"""Where a row goes on: to a "test" by its position, to a "node" of the tree, or it has come to its "end" there."""


@dataclass
class _Node:
    """A test on a column: up to `split`, or one of `members`. A missing value stands it where `tracks`."""

    column: int
    mode: int
    split: float
    members: list[float]
    tracks: bool
    true: Target
    false: Target


@dataclass
class _Tests:
    """The tests in order, where those of each node begin, and the numbers of texts by column."""

    columns: list[FeatureEncoding]
    nodes: list[_Node] = field(default_factory=list)
    begin: dict[int, int] = field(default_factory=dict)
    codes: dict[str, dict[str, float]] = field(default_factory=dict)


def to_onnx(tree: Tree) -> bytes:
    """The tree as an ONNX file (`ai.onnx.ml` 5) that predicts every row as the (pruned) tree does.

    Inputs are the columns that the tree tests, [rows, 1] each, numbers in 64 bits or texts; outputs are `label` and
    `probabilities` [rows, classes], or `prediction`. Missing cells and unseen categories take the branches that the
    tree has for them. Raises InputError where the package onnx is missing, and for what one path through tests cannot
    mean: rows that follow several branches, and surrogates.

    >>> from explorer import CART, Dataset, grow, load_sample
    >>> file = to_onnx(grow(Dataset.from_frame(load_sample("iris").frame, "class"), CART))
    >>> b"TreeEnsemble" in file, b"petal" in file
    (True, True)
    """
    refuse_without("ONNX")
    if why := onnx_refusal(tree):
        raise InputError(why)
    rules = branching_rules(tree)
    tests = _Tests([tree.features[position] for position in tree.tested_features()])
    for node, rule in rules.items():
        _add(tests, node, rule)
    return _file(tree, tests, ends_of(tree, rules))


def onnx_refusal(tree: Tree) -> str:
    """Why the tree cannot be an ONNX file; "" where it can."""
    if has_spread_rows(tree):
        return _not_as_grown(message("rows with a missing or unseen cell follow several branches"))
    if tree.surrogates is not None and len(tree.surrogates.feature):
        return _not_as_grown(message("rows with a missing cell follow surrogate splits"))
    if not all(tree.features[position].name for position in tree.tested_features()):
        return _not_meant(message("a column has no name"))
    return ""


def _not_as_grown(why: str) -> str:
    policy = POLICIES["most_common"]
    return message(
        "The tree cannot be an ONNX file: {why}. Take Python, JavaScript or C, or grow it with missing values as "
        "'{policy}' (missing='{name}').",
        why=why,
        policy=policy.label,
        name=policy.name,
    )


def _not_meant(why: str) -> str:
    return message("The tree cannot be an ONNX file: {why}. Take Python, JavaScript or C.", why=why)


def _add(tests: _Tests, node: int, rule: BranchingRule) -> None:
    """The tests of a node behind each other: one for each branch but that of all other rows."""
    names = [each.name for each in tests.columns]
    column, children = names.index(rule.test.encoding.name), rule.children

    def target(branch: int) -> Target:
        return ("end", node) if branch == STAY else ("node", children[branch])

    if rule.test.cut is not None or rule.test.encoding.test == "bins":
        steps, last = _ranges(rule)
    else:
        members, last = _members(tests, column, rule), rule.unseen
        steps = [(MEMBER, 0.0, listed, branch) for branch, listed in members.items() if branch != last]
    # A missing value stands no test: it takes the last target, or that of the test that tracks it.
    tracking = [number for number, step in enumerate(steps) if step[3] == rule.missing != STAY]
    tests.begin[node] = len(tests.nodes)
    if not tracking and rule.missing != last:
        known = ("test", len(tests.nodes) + 1) if steps else target(last)
        tests.nodes.append(_Node(column, LEQ, np.inf, [], False, known, target(rule.missing)))
    for number, (mode, split, listed, branch) in enumerate(steps):
        following = ("test", len(tests.nodes) + 1) if number + 1 < len(steps) else target(last)
        tests.nodes.append(_Node(column, mode, split, listed, number in tracking, target(branch), following))


def _ranges(rule: BranchingRule) -> tuple[list[tuple[int, float, list[float], int]], int]:
    """The upper end and the branch of every range of numbers but the last, and the branch of that."""
    test = rule.test
    ends = list(test.encoding.edges) if test.cut is None else [test.cut]
    bins = range(len(ends) + 1)
    sides = list(test.sides) if test.cut is not None else [test.branch_of.get(one, rule.unseen) for one in bins]
    kept = [number for number in bins if number == len(ends) or sides[number] != sides[number + 1]]
    branches = [sides[number] for number in kept if sides[number] != STAY]
    if len(set(branches)) < len(branches):
        raise InputError(_not_meant(message("a branch has several ranges of numbers")))
    return [(LEQ, float(ends[number]), [], sides[number]) for number in kept[:-1]], sides[-1]


def _members(tests: _Tests, column: int, rule: BranchingRule) -> dict[int, list[float]]:
    """The numbers of the categories of each branch; texts are numbered from 1 as they come."""
    encoding = rule.test.encoding
    if encoding.kind == "numeric":
        return {
            branch: [float(encoding.labels[code]) or ZERO for code in codes]  # type: ignore[arg-type]
            for branch, codes in rule.test.codes_of.items()
        }
    tests.columns[column] = encoding
    known = tests.codes.setdefault(encoding.name, {})
    return {
        branch: [known.setdefault(str(encoding.labels[code]), float(len(known) + 1)) for code in codes]
        for branch, codes in rule.test.codes_of.items()
    }


class _Names:
    """Names of values in the graph, none of them twice."""

    def __init__(self, taken: Sequence[str]) -> None:
        self._taken = set(taken)

    def __call__(self, wanted: str) -> str:
        while wanted in self._taken:
            wanted += "_"
        self._taken.add(wanted)
        return wanted


def _file(tree: Tree, tests: _Tests, ends: list[int]) -> bytes:
    """The graph: columns to numbers, tests to the number of the leaf, and tables of what each leaf predicts."""
    from onnx import TensorProto, helper, numpy_helper

    columns = tests.columns or list(tree.features[:1]) or [FeatureEncoding("row", "numeric", "threshold")]
    named, inputs, parts = _Names([each.name for each in columns]), [], []
    nodes, tables = list[Any](), list[Any]()
    for column in columns:
        kind = TensorProto.DOUBLE if column.words is None else TensorProto.STRING
        inputs.append(helper.make_tensor_value_info(column.name, kind, [None, 1]))
        nodes += _numbers(column, tests, named, tables)
        parts.append(nodes[-1].output[0])
    read, leaf, place, flat = (named(name) for name in ("columns", "leaf", "place", "flat"))
    tables.append(numpy_helper.from_array(np.array([-1], dtype=np.int64), flat))
    nodes.append(helper.make_node("Concat", parts, [read], axis=1))
    nodes.append(_ensemble(tests, {end: number for number, end in enumerate(ends)}, read, leaf))
    nodes.append(helper.make_node("Cast", [leaf], [named("number")], to=TensorProto.INT64))
    nodes.append(helper.make_node("Reshape", [nodes[-1].output[0], flat], [place]))
    outputs = []
    for wanted, by_leaf in _answers(tree, ends).items():
        index = place
        for table in by_leaf[:-1]:
            nodes.append(helper.make_node("Gather", [_constant(table, named, tables), index], [named("class")]))
            index = nodes[-1].output[0]
        output, table = named(wanted), by_leaf[-1]
        nodes.append(helper.make_node("Gather", [_constant(table, named, tables), index], [output], axis=0))
        outputs.append(helper.make_tensor_value_info(output, tables[-1].data_type, [None, *table.shape[1:]]))
    graph = helper.make_graph(nodes, "decision tree", inputs, outputs, tables)
    versions = [helper.make_opsetid("", VERSION), helper.make_opsetid("ai.onnx.ml", VERSION_OF_TREES)]
    model = helper.make_model(graph, opset_imports=versions, ir_version=FORM)
    model.producer_name, model.doc_string = "Decision Tree Explorer", " ".join([_DOC, *code_notes(tree)])
    found: bytes = model.SerializeToString(deterministic=True)
    return found


def _constant(table: NDArray[Any], named: _Names, tables: list[Any]) -> str:
    """The name of a table that the file holds from now on."""
    from onnx import numpy_helper

    tables.append(numpy_helper.from_array(table, named("table")))
    return str(tables[-1].name)


def _numbers(column: FeatureEncoding, tests: _Tests, named: _Names, tables: list[Any]) -> list[Any]:
    """The operators that turn a column into what its tests read, the last one's output.

    Texts become numbers, marks of missing cells nan. Of numbers that a test lists, 0 becomes another.
    """
    from onnx import helper

    found = named("numbers")
    if column.words is not None:
        known = dict.fromkeys(sorted(MISSING_MARKERS), np.nan) | tests.codes.get(column.name, {})
        return [
            helper.make_node(
                "LabelEncoder",
                [column.name],
                [coded := named("codes")],
                domain="ai.onnx.ml",
                keys_strings=list(known),
                values_floats=list(known.values()),
                default_float=UNKNOWN,
            ),
            helper.make_node("Cast", [coded], [found], to=helper.np_dtype_to_tensor_dtype(np.dtype(np.float64))),
        ]
    if column.test in ("threshold", "bins"):
        return [helper.make_node("Identity", [column.name], [found])]
    zero, instead, is_zero = *(_constant(np.array(value), named, tables) for value in (0.0, ZERO)), named("is zero")
    return [
        helper.make_node("Equal", [column.name, zero], [is_zero]),
        helper.make_node("Where", [is_zero, instead, column.name], [found]),
    ]


def _ensemble(tests: _Tests, places: dict[int, int], read: str, leaf: str) -> Any:
    """The operator that finds the number of a row's leaf: every edge to a leaf has a leaf of its own.

    Engines differ where two edges share one. A tree without tests gets one that leads to its leaf either way.
    """
    from onnx import helper, numpy_helper

    nodes = _in_walking_order(tests) or [_Node(0, LEQ, np.inf, [], True, ("end", 0), ("end", 0))]
    leaves: list[float] = []
    edges: dict[str, list[int]] = {name: [] for name in ("truenodeids", "trueleafs", "falsenodeids", "falseleafs")}
    for node in nodes:
        for side, (kind, number) in (("true", node.true), ("false", node.false)):
            edges[f"{side}leafs"].append(int(kind == "end"))
            edges[f"{side}nodeids"].append(len(leaves) if kind == "end" else number)
            if kind == "end":
                leaves.append(float(places[number]))
    sets = [number for node in nodes if node.mode == MEMBER for number in (*node.members, np.nan)]
    return helper.make_node(
        "TreeEnsemble",
        [read],
        [leaf],
        domain="ai.onnx.ml",
        n_targets=1,
        tree_roots=[0],
        nodes_featureids=[node.column for node in nodes],
        nodes_splits=numpy_helper.from_array(np.array([node.split for node in nodes])),
        nodes_modes=numpy_helper.from_array(np.array([node.mode for node in nodes], dtype=np.uint8)),
        nodes_missing_value_tracks_true=[int(node.tracks) for node in nodes],
        nodes_truenodeids=edges["truenodeids"],
        nodes_trueleafs=edges["trueleafs"],
        nodes_falsenodeids=edges["falsenodeids"],
        nodes_falseleafs=edges["falseleafs"],
        membership_values=numpy_helper.from_array(np.array(sets)) if sets else None,
        leaf_targetids=[0] * len(leaves),
        leaf_weights=numpy_helper.from_array(np.array(leaves)),
    )


def _in_walking_order(tests: _Tests) -> list[_Node]:
    """The tests, each before those behind it, true ones first, with places in this order, and ends.

    In this order onnx's reference evaluator reads the sets of values, whatever that of the nodes is.
    """

    def resolved(target: Target) -> Target:
        kind, number = target
        if kind == "node":
            return ("test", tests.begin[number]) if number in tests.begin else ("end", number)
        return target

    order, waiting = dict[int, int](), [0] if tests.nodes else []
    while waiting:
        number = waiting.pop()
        order[number] = len(order)
        sides = (resolved(tests.nodes[number].false), resolved(tests.nodes[number].true))
        waiting += [place for kind, place in sides if kind == "test"]

    def placed(target: Target) -> Target:
        kind, number = resolved(target)
        return (kind, order[number]) if kind == "test" else (kind, number)

    return [
        replace(tests.nodes[number], true=placed(tests.nodes[number].true), false=placed(tests.nodes[number].false))
        for number in order
    ]


def _answers(tree: Tree, ends: list[int]) -> dict[str, list[NDArray[Any]]]:
    """The tables behind each other from the end of a path to an output: a number, a class, all probabilities."""
    if tree.is_regression:
        return {"prediction": [tree.values[ends]]}
    labels = tree.labels[ends].astype(np.int64)
    return {"label": [labels, _typed(tree.classes)], "probabilities": [tree.probabilities[ends]]}


def _typed(classes: Sequence[Value]) -> NDArray[Any]:
    """The classes in the type of all of them, or as texts."""
    for kind, found in ((bool, np.bool_), (int, np.int64), (float, np.float64)):
        if all(type(name) is kind for name in classes) and all(abs(name) < 2**63 for name in classes):  # type: ignore[arg-type]
            return np.array(classes, dtype=found)
    return np.array([str(name) for name in classes], dtype=object)
