"""A fitted decision tree of scikit-learn from JSON text, which is safe to read, unlike a pickle, from anybody.

`sklearn_snippet()` is the code that writes the text. Whatever the text holds, the result is a tree or an InputError.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.errors import InputError
from explorer.json_text import parsed
from explorer.messages import listing, message
from explorer.plain_fields import Fields
from explorer.ranges import LARGEST_SUMMED
from explorer.recipe.columns import FeatureEncoding
from explorer.tree.from_sklearn import (
    IMPURITIES,
    FittedNodes,
    breadth_first,
    check_numeric,
    fields_of_nodes,
    numeric_features,
)
from explorer.values import Value

MOST_NODES = 200_000
MOST_FEATURES = 100_000
LARGEST_TEXT = 64_000_000
"""The most characters of a text that is read: some 200,000 nodes."""
ROUNDING = 1e-6
"""How exactly, relative to the whole, shares must add up to 1 and branches to their node."""

SNIPPET = """\
import json, pathlib
fields = {k: getattr(clf.tree_, k, None) for k in ("children_left", "children_right", "feature", "threshold", "value", "impurity", "n_node_samples", "weighted_n_node_samples", "missing_go_to_left", "n_categories")} | {k: getattr(clf, k, None) for k in ("criterion", "is_categorical_", "classes_", "feature_names_in_", "n_features_in_", "max_depth", "min_samples_split", "min_samples_leaf", "min_impurity_decrease")}
pathlib.Path("tree.json").write_text(json.dumps(fields, default=lambda array: array.tolist()))
"""  # noqa: E501 - three lines to paste into a notebook


def sklearn_snippet() -> str:
    """Three lines of Python that write a fitted tree `clf` to the file tree.json, for `Tree.from_sklearn_json`.

    >>> len(sklearn_snippet().splitlines())
    3
    """
    return SNIPPET


def fields_from_sklearn_json(text: object, target: str) -> dict[str, Any]:
    """The fields of a `Tree` from the text that the snippet writes, or its values.

    Names of features ("feature_names_in_" or "feature_names") and of classes ("classes_" or "classes"), the limits of
    the estimator, and one of the two counts of samples may be left out. Raises InputError for anything else.
    """
    return fields_from_content(_content(text), target)


def fields_from_content(
    content: dict[str, Any], target: str, features: tuple[FeatureEncoding, ...] | None = None
) -> dict[str, Any]:
    """The same from the object in the text. `features` are those of an ensemble, whose names are read once."""
    return fields_of_nodes(_nodes(content, features), target)


def _content(text: object) -> dict[str, Any]:
    """The object in the text."""
    if isinstance(text, (str, bytes)) and len(text) > LARGEST_TEXT:
        most = LARGEST_TEXT // 1_000_000
        raise InputError(message("The text has more than {most} MB: fit a smaller tree, with max_depth.", most=most))
    content = parsed(text, _not_json) if isinstance(text, (str, bytes)) else text
    if not isinstance(content, dict):
        raise _no_tree(message("it is no record of names and values"))
    return content


def _not_json() -> InputError:
    return InputError(message("The text is not JSON: write it with the three lines of the snippet."))


def _nodes(content: dict[str, Any], features: tuple[FeatureEncoding, ...] | None) -> FittedNodes:
    """The nodes, each field checked by itself and then with the others."""
    check_numeric(content.get("is_categorical_"), content.get("n_categories"))
    fields = Fields(content, _no_tree)
    n = len(fields.items("children_left"))
    if not n:
        raise _no_tree(message("it has no nodes"))
    if n > MOST_NODES:
        raise InputError(
            message(
                "The tree has {n:,} nodes, more than {most:,}: fit a smaller one, with max_depth.", n=n, most=MOST_NODES
            )
        )
    children = _children(*(_whole(fields, f"children_{side}", n) for side in ("left", "right")))
    is_split = children[0] >= 0
    criterion, value = _criterion(content), _values(fields, n)
    classes = _classes(content, criterion, value.shape[1])
    feature = _whole(fields, "feature", n)
    n_tested = int(feature[is_split].max(initial=-1)) + 1
    if features is None:
        features = encodings_of(content, n_tested)
    elif n_tested > len(features):
        raise _other_names(n_tested)
    if (feature[is_split] < 0).any():
        raise InputError(message("Field 'feature' has a negative number at a split: write the file again."))
    rows, weight = _samples(fields, n, children)
    if classes:
        value = _shares(value, weight)
    to_left = np.zeros(n, dtype=bool)  # scikit-learn before 1.3 had no rows without a value
    if fields.has("missing_go_to_left"):
        to_left = fields.flags("missing_go_to_left", n)
    return FittedNodes(
        children_left=children[0],
        children_right=children[1],
        feature=feature,
        threshold=fields.numbers("threshold", n, -np.inf, np.inf),  # an infinite one separates missing from known
        missing_go_to_left=to_left,
        value=value,
        impurity=_numbers(fields, "impurity", n),
        n_node_samples=rows,
        weighted_n_node_samples=weight,
        features=features,
        classes=classes,
        criterion=criterion,
        max_depth=content.get("max_depth"),
        min_samples_split=content.get("min_samples_split") or 2,
        min_samples_leaf=content.get("min_samples_leaf") or 1,
        min_impurity_decrease=content.get("min_impurity_decrease") or 0.0,
    )


def _no_tree(culprit: str) -> InputError:
    return InputError(
        message("The JSON holds no tree: {culprit}. Write it with the three lines of the snippet.", culprit=culprit)
    )


def _numbers(fields: Fields, name: str, n: int) -> NDArray[np.float64]:
    """A field with one finite number per node, [n]."""
    return fields.numbers(name, n, -LARGEST_SUMMED, LARGEST_SUMMED)


def _whole(fields: Fields, name: str, n: int) -> NDArray[np.int64]:
    """A field with one whole number per node, [n]."""
    return fields.whole_numbers(name, n, -(2**53), 2**53, np.int64)


def _children(left: NDArray[np.int64], right: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The ids of the two children, which have to make one tree: every node but the root has one parent."""
    is_leaf = (left < 0) & (right < 0)
    below = np.concatenate([left[~is_leaf], right[~is_leaf]])
    if not np.array_equal(np.sort(below), np.arange(1, len(left))):
        raise InputError(
            message(
                "'children_left' and 'children_right' make no tree: every node but node 0 must be the child of one "
                "node. Write the file again."
            )
        )
    children = tuple(np.where(is_leaf, -1, side) for side in (left, right))
    if len(breadth_first(*children)[0]) != len(left):
        raise InputError(message("Some nodes form a cycle that node 0 does not reach: write the file again."))
    return children[0], children[1]


def _criterion(content: dict[str, Any]) -> str:
    criterion = content.get("criterion")
    if not isinstance(criterion, str) or criterion not in IMPURITIES:
        raise InputError(
            message(
                "The tree uses criterion '{criterion}', which cannot be imported: fit it with one of {known}.",
                criterion=f"{criterion!s:.60}",
                known=listing(IMPURITIES),
            )
        )
    return criterion


def _values(fields: Fields, n: int) -> NDArray[np.float64]:
    """Class shares or counts [n, K], or means [n, 1]; scikit-learn has one more axis, for several targets."""
    lines = fields.items("value", n)
    if all(isinstance(line, list) and line and isinstance(line[0], list) for line in lines):
        targets = max(map(len, lines))
        if targets > 1:
            raise InputError(message("The tree predicts {n} targets at once: fit one tree for each.", n=targets))
        lines = [line[0] for line in lines]
    width = len(lines[0]) if isinstance(lines[0], list) else 0
    if not width:
        raise InputError(message("Field 'value' does not hold a list per node: write the file again."))
    return Fields({"value": lines}, fields.refusal).table("value", n, width, most=LARGEST_SUMMED)


def _classes(content: dict[str, Any], criterion: str, n_classes: int) -> tuple[Value, ...]:
    """The classes, 0, 1, … where they have no names; none for a regressor."""
    given = content.get("classes_") or content.get("classes") or []
    if IMPURITIES[criterion] == "variance":
        if given or n_classes != 1:
            raise InputError(
                message(
                    "A tree fitted with '{criterion}' predicts one number: leave the classes out.", criterion=criterion
                )
            )
        return ()
    names = given or list(range(n_classes))
    if not isinstance(names, list) or not all(_is_name(name) for name in names):
        raise InputError(message("Field 'classes_' is not a list of names or numbers: write the file again."))
    if len(names) != n_classes or len({str(name) for name in names}) != n_classes:
        raise InputError(
            message(
                "There are {n} different classes for {columns} values per node: name every class once.",
                n=len({str(name) for name in names}),
                columns=n_classes,
            )
        )
    return tuple(names)


def _is_name(name: object) -> bool:
    return isinstance(name, (str, bool, int)) or (isinstance(name, float) and bool(np.isfinite(name)))


def encodings_of(content: dict[str, Any], n_tested: int) -> tuple[FeatureEncoding, ...]:
    """The features, named x0, x1, … where they have no names; at least as many as are tested."""
    names = content.get("feature_names_in_") or content.get("feature_names")
    if names is None:
        count = content.get("n_features_in_")
        count = max(n_tested, 1) if count is None else count
        count = max(count, 1) if isinstance(count, int) and not isinstance(count, bool) else 0
        names = [f"x{i}" for i in range(count)] if n_tested <= count <= MOST_FEATURES else []
    if not isinstance(names, list) or not n_tested <= len(names) <= MOST_FEATURES or not names:
        raise _other_names(n_tested)
    texts = [str(name) for name in names]
    if not all(isinstance(name, (str, int)) for name in names) or len(set(texts)) < len(texts):
        raise InputError(message("The feature names are not different texts: give each feature its own name."))
    return numeric_features(texts)


def _other_names(n_tested: int) -> InputError:
    return InputError(
        message(
            "The splits use {n:,} features, but there are fewer names than that or more than {most:,}: "
            "write the file again.",
            n=n_tested,
            most=MOST_FEATURES,
        )
    )


def _samples(
    fields: Fields, n: int, children: tuple[NDArray[np.int64], NDArray[np.int64]]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Rows and weight of every node; the branches of a split add up to it."""
    name = "weighted_n_node_samples" if fields.has("weighted_n_node_samples") else "n_node_samples"
    weight = _numbers(fields, name, n)
    rows = _numbers(fields, "n_node_samples", n) if fields.has("n_node_samples") else weight
    if (weight <= 0).any():
        text = message(
            "Field '{field}' is not above 0 at node {node}: write the file again.",
            field=name,
            node=int(np.flatnonzero(weight <= 0)[0]),
        )
        raise InputError(text)
    split = np.flatnonzero(children[0] >= 0)
    below = weight[children[0][split]] + weight[children[1][split]]
    wrong = split[np.abs(below - weight[split]) > ROUNDING * weight[split]]
    if len(wrong):
        raise InputError(
            message(
                "The samples in the branches of node {node} do not add up: write the file again.", node=int(wrong[0])
            )
        )
    return np.floor(rows).clip(max=2**53).astype(np.int64), weight


def _shares(value: NDArray[np.float64], weight: NDArray[np.float64]) -> NDArray[np.float64]:
    """Class shares [n, K]; scikit-learn before 1.3 stored class weights."""
    total = value.sum(axis=1)
    if (value < 0).any():
        raise InputError(message("Field 'value' has a negative share of a class: write the file again."))
    if (np.abs(total - 1.0) <= ROUNDING).all():
        return value
    if (np.abs(total - weight) <= ROUNDING * weight).all():
        return value / total[:, None]
    raise InputError(message("The shares of the classes in field 'value' do not add up to 1: write the file again."))
