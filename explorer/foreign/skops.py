"""Trees and ensembles of scikit-learn in a file of skops: its schema is read as plain values, and none of it runs."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.errors import InputError
from explorer.foreign.content import Content
from explorer.foreign.limits import refusing
from explorer.foreign.record import ReadEnsemble
from explorer.foreign.scikit_learn_json import METHODS, ensemble_from_sklearn_json
from explorer.json_text import parsed
from explorer.messages import listing, message
from explorer.tree.tree import Tree

SCHEMA = "schema.json"
TREES = ("DecisionTreeClassifier", "DecisionTreeRegressor", "ExtraTreeClassifier", "ExtraTreeRegressor")
_NODES = {
    "children_left": "left_child",
    "children_right": "right_child",
    "feature": "feature",
    "threshold": "threshold",
    "impurity": "impurity",
    "n_node_samples": "n_node_samples",
    "weighted_n_node_samples": "weighted_n_node_samples",
}
_OF_TREE = (
    "criterion", "is_categorical_", "classes_", "feature_names_in_", "n_features_in_", "max_depth",
    "min_samples_split", "min_samples_leaf", "min_impurity_decrease",
)  # fmt: skip
_OF_ENSEMBLE = (
    "learning_rate", "loss", "classes_", "feature_names_in_", "n_features_in_", "estimator_weights_", "algorithm",
    "is_categorical_",
)  # fmt: skip


def no_model(culprit: str) -> InputError:
    """The error of a file that skops has not written."""
    return InputError(
        message(
            "This is not a file of skops that can be read: {culprit}. Write it anew with "
            "skops.io.dump(clf, 'model.skops').",
            culprit=culprit,
        )
    )


refuse = refusing(no_model)


@dataclass(frozen=True, eq=False)
class Stored:
    """One object of the schema; `files` are those of the arrays."""

    node: Mapping[str, Any]
    files: Mapping[str, bytes]

    @property
    def kind(self) -> str:
        """The name of its class."""
        return str(self.node.get("__class__"))[:80]

    def has(self, name: str) -> bool:
        """Whether it has an attribute of this name."""
        return name in self._inner(Mapping)

    def field(self, name: str) -> Stored:
        """One of its attributes."""
        return self._of(self._inner(Mapping).get(name))

    def items(self) -> list[Stored]:
        """The objects of a list, or of an array of objects."""
        return [self._of(each) for each in self._inner(Sequence)]

    def value(self) -> Any:
        """A plain value, or a list of such."""
        if self.node.get("__loader__") == "JsonNode":
            text = self.node.get("content")
            return parsed(text if isinstance(text, str) else "", lambda: no_model(message("the text is not JSON")))
        if "file" in self.node:
            return self.array().tolist()
        found = self.items()
        if any(each.node.get("__loader__") != "JsonNode" for each in found):
            refuse(message("an object of it is of a kind that is not known"))
        return [each.value() for each in found]

    def array(self) -> NDArray[Any]:
        """The numbers of an array, or its records."""
        data = self.files.get(str(self.node.get("file")))
        if data is None:
            refuse(message("a file of numbers is missing"))
        stream = io.BytesIO(data)
        try:
            is_first = np.lib.format.read_magic(stream) == (1, 0)
            header = np.lib.format.read_array_header_1_0 if is_first else np.lib.format.read_array_header_2_0
            shape, is_fortran, dtype = header(stream)
        except (ValueError, TypeError, SyntaxError, EOFError, RecursionError, MemoryError):
            refuse(message("its numbers are damaged"))
        rest = data[stream.tell() :]
        if dtype.hasobject or not dtype.itemsize or len(rest) != dtype.itemsize * int(np.prod(shape, dtype=object)):
            refuse(message("its numbers are damaged"))
        return np.frombuffer(rest, dtype=dtype).reshape(shape, order="F" if is_fortran else "C")

    def _inner(self, kind: type) -> Any:
        """The content, of the object itself or of the record of its attributes."""
        content = self.node.get("content")
        if isinstance(content, Mapping) and "__loader__" in content:
            content = content.get("content")
        if not isinstance(content, kind) or isinstance(content, str):
            refuse(message("an object of it is of a kind that is not known"))
        return content

    def _of(self, node: Any) -> Stored:
        if not isinstance(node, Mapping):
            refuse(message("an object of it is of a kind that is not known"))
        return Stored(node, self.files)


def is_skops(content: Content) -> bool:
    """Whether a zip has the schema of skops."""
    return content.data.startswith(b"PK\x03\x04") and SCHEMA.encode() in content.data and SCHEMA in content.files


def model_from_skops(content: Content, target: str) -> Tree | ReadEnsemble:
    """The tree or ensemble in the file; InputError for anything else."""
    schema = parsed(content.files[SCHEMA], lambda: no_model(message("the text is not JSON")))
    if not isinstance(schema, Mapping):
        refuse(message("it is no record of names and values"))
    stored = Stored(schema, content.files)
    if stored.kind in TREES:
        return Tree.from_sklearn_json(_tree(stored), target)
    if stored.kind not in METHODS:
        raise InputError(
            message(
                "The file of skops holds {type}, which cannot be read: save one of {types}.",
                type=stored.kind,
                types=listing([*TREES, *METHODS]),
            )
        )
    version = _plain(stored, ("_sklearn_version",))["_sklearn_version"]
    return replace(ensemble_from_sklearn_json(_ensemble(stored), target), version=str(version or "")[:20])


def _plain(stored: Stored, names: Sequence[str]) -> dict[str, Any]:
    """Attributes as plain values, None for those that are not there."""
    return {name: stored.field(name).value() if stored.has(name) else None for name in names}


def _tree(stored: Stored) -> dict[str, Any]:
    """What the snippet writes of a tree."""
    inner = stored.field("tree_")
    nodes, values = inner.field("nodes").array(), inner.field("values").array()
    names = nodes.dtype.names or ()
    if not set(_NODES.values()) <= set(names) or nodes.ndim != 1 or len(values) != len(nodes):
        refuse(message("its numbers are damaged"))
    found = {name: nodes[theirs].tolist() for name, theirs in _NODES.items()} | {"value": values.tolist()}
    if "missing_go_to_left" in names:
        found["missing_go_to_left"] = nodes["missing_go_to_left"].tolist()
    return found | _plain(stored, _OF_TREE)


def _ensemble(stored: Stored) -> dict[str, Any]:
    """What the snippet writes of an ensemble."""
    found = {"ensemble": stored.kind, "start": None} | _plain(stored, _OF_ENSEMBLE)
    if METHODS[stored.kind] == "newton_boosting":
        rounds = [[_histogram(tree) for tree in of_round.items()] for of_round in stored.field("_predictors").items()]
        start = stored.field("_baseline_prediction").array().ravel().tolist()
        return found | {"rounds": rounds, "start": start, "categories": _categories(stored)}
    rounds = []
    for of_round in stored.field("estimators_").items():
        rounds.append([_tree(each) for each in ([of_round] if of_round.kind in TREES else of_round.items())])
    if METHODS[stored.kind] == "gradient_boosting":
        found |= {"init": "str" if stored.field("init_").kind == "str" else stored.field("init_").kind}
        found["start"] = _start(stored, len(rounds[0]) if rounds else 0)
    return found | {"rounds": rounds}


def _histogram(tree: Stored) -> dict[str, Any]:
    nodes = tree.field("nodes").array()
    if nodes.ndim != 1 or not nodes.dtype.names:
        refuse(message("its numbers are damaged"))
    return {name: nodes[name].tolist() for name in nodes.dtype.names} | {
        "bitsets": tree.field("raw_left_cat_bitsets").array().tolist()
    }


def _categories(stored: Stored) -> list[Any] | None:
    """The categories of the features that have some; None where there are none."""
    if not stored.has("_preprocessor") or stored.field("_preprocessor").kind != "ColumnTransformer":
        return None
    steps = [step.items() for step in stored.field("_preprocessor").field("transformers_").items()]
    encoders = [step[1] for step in steps if len(step) > 1 and step[1].kind == "OrdinalEncoder"]
    return [each.value() for encoder in encoders for each in encoder.field("categories_").items()]


def _start(stored: Stored, width: int) -> list[float]:
    """The score that gradient boosting begins with: that of the classes' shares, or a number."""
    init = stored.field("init_")
    if init.kind == "str":
        return [0.0] * width
    if init.kind == "DummyRegressor":
        return [float(init.field("constant_").array().ravel()[0])]
    if init.kind != "DummyClassifier":
        return []  # refused by its name
    epsilon = np.finfo(np.float32).eps
    prior = np.clip(init.field("class_prior_").array().ravel().astype(np.float64), epsilon, 1 - epsilon)
    if width > 1:
        return (np.log(prior) - np.log(prior).mean()).tolist()
    log_odds = float(np.log(prior[-1] / (1 - prior[-1])))
    return [log_odds / 2 if stored.field("loss").value() == "exponential" else log_odds]
