"""What stands before and after the trees in the graph of an ONNX file: the columns, the link, the classes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.foreign.limits import MOST_FEATURES
from explorer.foreign.onnx_files.attributes import Attributes, no_model, refuse, values_of
from explorer.messages import listing, message
from explorer.values import Value

OPERATORS = ("TreeEnsembleClassifier", "TreeEnsembleRegressor", "TreeEnsemble")
FLOAT, INT32, INT64, STRING, DOUBLE = 1, 6, 7, 8, 11
"""ONNX's numbers of the types that columns may have."""
_PASSED = ("Identity", "Cast", "ZipMap", "Reshape", "Flatten", "Squeeze")
_LINKS = {"Exp": "exponential", "Sigmoid": "logistic", "Softmax": "softmax"}
_SCALES = ("Mul", "Div", "Add", "Sub")
_DECIDES = ("ArgMax", "TopK", "Greater", "Less")
_MOST_STEPS = 50
LONGEST_NAME = 2_000


@dataclass(frozen=True)
class Column:
    """A column that the trees read: numbers, in 32 bits where `is_narrow`, or texts, whose numbers are `codes`.

    The trees read the numbers `instead` has as keys in place of its values.
    """

    name: str
    codes: dict[str, float]
    is_narrow: bool
    instead: dict[float, float]


@dataclass(frozen=True)
class Link:
    """Scores times `factor` plus `summand`, then the function of this name, one of `_LINKS`, or none."""

    name: str = ""
    factor: float = 1.0
    summand: float = 0.0


@dataclass(frozen=True, eq=False)
class LeafTables:
    """By the number of a leaf: its numbers or class shares [n, K], and the place of its class in `classes`."""

    answers: NDArray[Any]
    labels: NDArray[Any] | None
    classes: tuple[Value, ...]


class Graph:
    """The operators of a file and the values between them."""

    def __init__(self, graph: Any) -> None:
        """Refuse a graph without the operator of a tree ensemble, or with several."""
        self.constants = {each.name: each for each in graph.initializer}
        self.inputs = {each.name: each for each in graph.input if each.name not in self.constants}
        self.outputs = {each.name for each in graph.output}
        self.made_by = {name: node for node in graph.node for name in node.output}
        self.used_by: dict[str, list[Any]] = {}
        for node in graph.node:
            for name in dict.fromkeys(node.input):
                self.used_by.setdefault(name, []).append(node)
        found = [node for node in graph.node if node.op_type in OPERATORS and node.domain == "ai.onnx.ml"]
        if not found:
            kinds = sorted({node.op_type[:40] for node in graph.node})
            refuse(message("it holds no trees, but {operators}", operators=listing(kinds[:8])))
        if len(found) > 1:
            refuse(message("it holds {n:,} ensembles of trees", n=len(found)))
        self.trees = found[0]
        if len(self.trees.input) != 1 or not 1 <= len(self.trees.output) <= 2:
            refuse(message("the graph around its trees is damaged"))

    def columns(self, n_used: int) -> list[Column]:
        """The columns in the order of the trees, at least `n_used`."""
        found = self._columns(self.trees.input[0], n_used, 0)
        if not n_used <= len(found) <= MOST_FEATURES:
            refuse(message("a split names feature {number}, which is not there", number=n_used - 1))
        if len({each.name for each in found}) < len(found):
            refuse(message("its feature names are too few, or two of them are the same"))
        return found

    def _columns(self, value: str, n_used: int, depth: int) -> list[Column]:
        is_narrow, codes, instead = False, dict[str, float](), dict[float, float]()
        for _ in range(_MOST_STEPS):
            if value in self.inputs:
                return self._input(value, n_used, depth, Column(value[:LONGEST_NAME], codes, is_narrow, instead))
            node = self.made_by.get(value)
            if node is None or not node.input:
                refuse(message("the graph around its trees is damaged"))
            told = Attributes(node)
            if node.op_type == "Concat" and told.whole("axis", 0) in (1, -1) and depth < 3 and not codes:
                found = [column for each in node.input for column in self._columns(each, 0, depth + 1)]
                return [replace(column, is_narrow=column.is_narrow or is_narrow) for column in found]
            if node.op_type == "Cast" and told.whole("to", 0) in (FLOAT, DOUBLE):
                is_narrow = is_narrow or told.whole("to", 0) == FLOAT
            elif node.op_type == "LabelEncoder" and not codes and (texts := told.texts("keys_strings")):
                codes = dict(zip(texts, told.numbers("values_floats", len(texts)).tolist(), strict=True))
            elif node.op_type == "Where" and not instead and (replaced := self._instead(node)):
                instead, value = replaced, node.input[2]
                continue
            elif node.op_type != "Identity":
                refuse(message("columns pass through '{operator}' before the trees", operator=node.op_type[:40]))
            value = node.input[0]
        raise no_model(message("the graph around its trees is damaged"))

    def _instead(self, node: Any) -> dict[float, float]:
        """Of "where x = a, b, else x", b and the a that it stands for; empty for any other choice."""
        asked = self.made_by.get(node.input[0]) if len(node.input) == 3 else None
        if asked is None or asked.op_type != "Equal" or len(asked.input) != 2 or asked.input[0] != node.input[2]:
            return {}
        found = [self.constants.get(name) for name in (node.input[1], asked.input[1])]
        values = [values_of(each) for each in found if each is not None]
        if len(values) < 2 or any(each.size != 1 or each.dtype.kind != "f" for each in values):
            return {}
        return {float(values[0][0]): float(values[1][0])}

    def _input(self, name: str, n_used: int, depth: int, column: Column) -> list[Column]:
        """The columns of an input of the graph, which the trees read as they read `column`."""
        tensor = self.inputs[name].type.tensor_type
        kind, sizes = tensor.elem_type, tensor.shape.dim
        is_text = kind == STRING
        if kind not in (FLOAT, DOUBLE, INT32, INT64, STRING) or len(sizes) != 2 or is_text != bool(column.codes):
            refuse(message("column '{name}' is of a type that the trees cannot read", name=name[:200]))
        width = max(sizes[1].dim_value, n_used, 1)
        if width > (1 if is_text else MOST_FEATURES):
            refuse(message("it has more than {most:,} features", most=MOST_FEATURES))
        names = [f"x{number}" for number in range(width)]
        if depth:
            names = [column.name] if width == 1 else [f"{column.name} {number}" for number in range(1, width + 1)]
        is_narrow = column.is_narrow or kind not in (DOUBLE, STRING)
        return [replace(column, name=each, is_narrow=is_narrow) for each in names]

    def link(self, score: str) -> Link:
        """What turns the scores into the file's output."""
        link = Link()
        for _ in range(_MOST_STEPS):
            users = [node for node in self.used_by.get(score, []) if node.op_type not in _DECIDES]
            if not users:
                return link
            if len(users) > 1 or not users[0].output:
                refuse(message("the graph around its trees is damaged"))
            kind = users[0].op_type
            if kind in _LINKS and not link.name:
                link = replace(link, name=_LINKS[kind])
            elif kind in _SCALES:
                link = self._scaled(link, users[0], score)
            elif kind not in _PASSED:
                refuse(message("predictions pass through '{operator}' after the trees", operator=kind[:40]))
            score = users[0].output[0]
        raise no_model(message("the graph around its trees is damaged"))

    def _scaled(self, link: Link, node: Any, score: str) -> Link:
        """The link behind which the operator multiplies by a number, or adds one."""
        number = np.nan
        if len(node.input) == 2 and node.input[0] == score and node.input[1] in self.constants:
            values = values_of(self.constants[node.input[1]])
            number = float(values[0]) if values.size == 1 and values.dtype.kind in "fiu" else np.nan
        kind = node.op_type
        factor = {"Mul": number, "Div": 1.0 / number if number else np.nan}.get(kind, 1.0)
        summand = {"Add": number, "Sub": -number}.get(kind, 0.0)
        is_known = np.isfinite(number) and np.isfinite(factor)
        if is_known and not link.name:
            return replace(link, factor=link.factor * factor, summand=link.summand * factor + summand)
        if is_known and link.name == "exponential" and factor > 0 and summand == 0:
            return replace(link, summand=link.summand + float(np.log(factor)))
        raise no_model(message("predictions pass through '{operator}' after the trees", operator=kind))

    def tables(self, score: str) -> LeafTables | None:
        """What is looked up in tables by the score, which then is the number of a leaf; None for any other graph."""
        for _ in range(_MOST_STEPS):
            users = self.used_by.get(score, [])
            found = [self._table(node, score) for node in users]
            if users and all(table is not None for table in found):
                return self._leaf_tables(users, found)
            if len(users) != 1 or users[0].op_type not in _PASSED or not users[0].output:
                return None
            score = users[0].output[0]
        return None

    def _table(self, node: Any, index: str) -> Any:
        """The tensor in which an operator looks up a number; None for any other operator."""
        is_lookup = node.op_type == "Gather" and len(node.input) == 2 and node.input[1] == index and node.output
        return self.constants.get(node.input[0]) if is_lookup else None

    def _leaf_tables(self, users: Sequence[Any], tables: Sequence[Any]) -> LeafTables:
        labels, answers, classes = None, None, tuple[Value, ...]()
        for node, tensor in zip(users, tables, strict=True):
            values, width = values_of(tensor), int(tensor.dims[1]) if len(tensor.dims) == 2 else 1
            if values.dtype.kind == "f" and answers is None and values.size and width > 0:
                answers = values.reshape(-1, width)
            elif values.dtype.kind == "i" and labels is None:
                labels, classes = values, self.classes(node.output[0], 0)
        if answers is None or (labels is None) != (answers.shape[1] == 1):
            raise no_model(message("the graph around its trees is damaged"))
        return LeafTables(answers, labels, classes)

    def classes(self, score: str, n_classes: int) -> tuple[Value, ...]:
        """The names that the graph gives the classes of some scores, any number where 0; empty where it gives none."""
        for _ in range(_MOST_STEPS):
            users = self.used_by.get(score, [])
            for node in users:
                named = self._named(node, score)
                if named and n_classes in (0, len(named)):
                    return named
            following = [node for node in users if node.op_type in (*_DECIDES, *_PASSED) and node.output]
            if not following:
                return ()
            score = min(following, key=lambda node: node.op_type not in _DECIDES).output[0]
        return ()

    def _named(self, node: Any, value: str) -> tuple[Value, ...]:
        """The names in an operator that turns numbers of classes into names."""
        told = Attributes(node)
        if node.op_type == "ZipMap":
            return told.labels("classlabels")
        is_lookup = node.op_type in ("Gather", "ArrayFeatureExtractor") and len(node.input) == 2
        if is_lookup and node.input[1] == value and node.input[0] in self.constants:
            return _plain(values_of(self.constants[node.input[0]]).tolist())
        return ()


def _plain(values: Sequence[Any]) -> tuple[Value, ...]:
    """Texts and numbers of a tensor."""
    plain = (each.decode("utf-8", "replace") if isinstance(each, bytes) else each for each in values)
    return tuple(each for each in plain if isinstance(each, (str, int)) or np.isfinite(each))
