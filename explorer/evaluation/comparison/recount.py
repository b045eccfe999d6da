"""A tree from elsewhere on rows of one's own: its tests with these rows' counts, and so with what competed there."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Protocol, TypeVar

import numpy as np

from explorer.candidates.competition import statistics
from explorer.data.cells import positions_of
from explorer.data.dataset import Dataset
from explorer.errors import InputError
from explorer.growing.node_rows import rows_by_node
from explorer.messages import listing, message
from explorer.recipe.class_weights import NONE, class_factors, rows_that_count, with_growing_weights
from explorer.recipe.columns import FeatureEncoding, TrainingColumn, columns_for
from explorer.recipe.complete_rows import training_rows
from explorer.recipe.impurity import impurity_of
from explorer.recipe.parameters import EMPTY, LOCKED, SPLIT, parameters_for, refuse_target
from explorer.recipe.recipe import Recipe
from explorer.recipe.remarks import Remark, is_of_strict_tests
from explorer.tree.routing import branches_for_unknown
from explorer.tree.tree import Tree
from explorer.values import Value

_NUMBERED = re.compile(r"(?:f|x|Column_)?([0-9]{1,6})", re.ASCII)
"""What libraries call features without names."""
_NAMED = 5
"""So many classes an error names."""


def recount(tree: Tree, data: Dataset, recipe: Recipe) -> Tree:
    """The tests of a tree with the counts and the impurity of these rows: what `decide(result, data, node)` asks for.

    The target is that of `data`, the candidates are those of `recipe`, and rows without a value go where the tree sends
    them. A split of the tree counts as one that a person chose: `would_win` is what the recipe would have chosen. The
    result predicts by these rows. Raises InputError where they lack a column that the tree tests, or have it in another
    type.

    >>> from explorer import CART, ID3, decide, grow, load_sample
    >>> data = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> opened = Tree.from_dict(grow(data, ID3).to_dict())
    >>> root = decide(recount(opened, data, CART), data, 0)
    >>> root.chosen.condition.kind, root.would_win.condition.text
    ('each_value', 'Outlook ∈ {Sunny, Rain}')
    """
    tested = [tree.features[position] for position in np.unique(tree.feature[tree.feature >= 0])]
    recipe = _suiting(tree, tested, recipe)
    counted, _ = rows_that_count(data, recipe.class_pairs, recipe.cost_pairs)
    used, remarks = training_rows(counted, recipe)
    refuse_target(recipe, used)
    factors = class_factors(used, recipe.class_pairs, recipe.cost_pairs)
    growing = with_growing_weights(used, factors)
    columns = columns_for(growing, recipe)
    known = {column.encoding.name: column.encoding for column in columns}
    for encoding in tested:
        _check(encoding, known, data)

    if growing.weight_column is not None:
        remarks = (*remarks, Remark("weighted_rows", (growing.weight_column,)))
    sign = "<" if any(map(is_of_strict_tests, tree.remarks)) else ""
    common: dict[str, Any] = {
        "target": used.target.name,
        "classes": used.classes,
        "recipe": recipe,
        "class_factors": factors if factors.size else None,
        "predictions": None,
        "smoothing": None,
        "decision": None,
        "actions": (),
        "validation": None,
        "evidence": None,
        "origin": None,
        "choices": None,
        "refusals": (),
        "remarks": (*remarks, Remark("recounted", (tree.source, sign))),
    }
    routed = replace(tree, **common, **_in_columns(tree, columns), **_surrogates(tree, columns))
    return replace(routed, **_counted(routed, growing, columns))


class _Named(Protocol):
    """A tree or an ensemble: what predicts the classes of a target, or numbers."""

    @property
    def classes(self) -> tuple[Value, ...]: ...
    @property
    def is_regression(self) -> bool: ...


Model = TypeVar("Model", bound=_Named)


def named_as(model: Model, data: Dataset, codes: Sequence[int] = ()) -> Model:
    """A tree, or an ensemble, with the target and the classes as these rows name them: a class is that of its text.

    Where they have no class in common, `codes` [K] are those of the rows' classes that stand for the model's, in its
    order. Raises InputError where one of them predicts numbers, or nothing says which class is which.

    >>> from explorer import CART, grow, load_sample
    >>> data = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> named_as(replace(grow(data, CART), target="target"), data).target
    'PlayTennis'
    """
    own = {str(name): name for name in data.classes}
    if sorted(codes) == list(range(len(data.classes))) and may_stand_for(model.classes, data.classes):
        own = {str(name): data.classes[code] for name, code in zip(model.classes, codes, strict=True)}
    classes = tuple(own.get(str(name), name) for name in model.classes)
    if model.is_regression != data.is_regression or (classes and not set(classes) & set(data.classes)):
        predicted = listing(map(str, model.classes[:_NAMED])) if model.classes else message("numbers")
        if may_stand_for(model.classes, data.classes):
            raise InputError(
                message(
                    "The model predicts {predicted}, which the target '{target}' does not have: say which class is "
                    "which where the model is open, or choose the target that it was fitted to.",
                    predicted=predicted,
                    target=data.target.name,
                )
            )
        raise InputError(
            message(
                "The model predicts {predicted}, which the target '{target}' does not have: choose the target that it "
                "was fitted to.",
                predicted=predicted,
                target=data.target.name,
            )
        )
    changes: dict[str, Any] = {"target": data.target.name, "classes": classes}
    if isinstance(model, Tree) and model.decision is not None:
        changes["decision"] = model.decision.renamed(own)
    return replace(model, **changes)  # type: ignore[type-var]


def may_stand_for(classes: Sequence[Value], others: Sequence[Value]) -> bool:
    """Whether classes can be others under other names: as many, and none of the same name.

    >>> may_stand_for((0, 1), ("no", "yes")), may_stand_for((0, 1), (1, 2)), may_stand_for((0, 1), ("a", "b", "c"))
    (True, False, False)
    """
    return bool(classes) and len(classes) == len(others) and not set(map(str, classes)) & set(map(str, others))


def with_classes_as(data: Dataset, classes: Sequence[Value]) -> Dataset:
    """The rows with their classes in the order of a model's, those that it has not last, so that colours are the same.

    >>> from explorer import load_sample
    >>> data = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> turned = with_classes_as(data, ("Yes", "No"))
    >>> data.classes, turned.classes, bool((data.y + turned.y == 1).all())
    (('No', 'Yes'), ('Yes', 'No'), True)
    """
    place = {str(name): at for at, name in enumerate(classes)}
    order = sorted(range(len(data.classes)), key=lambda code: place.get(str(data.classes[code]), len(place)))
    if order == list(range(len(order))):
        return data
    target = replace(data.target, categories=tuple(data.classes[code] for code in order))
    return replace(data, target=target, y=np.argsort(order).astype(np.int32)[data.y])


def named_by_place(tree: Tree, data: Dataset) -> Tree:
    """The tree with the rows' names of its features, where its file only numbers as many as they have; else as it is.

    >>> from explorer import CART, grow, load_sample
    >>> data = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> tree = grow(data, CART)
    >>> numbered = tuple(replace(feature, name=f"f{i}") for i, feature in enumerate(tree.features))
    >>> named_by_place(replace(tree, features=numbered), data).features == tree.features
    True
    """
    names, own = [feature.name for feature in tree.features], [feature.name for feature in data.features]
    numbers = [int(found[1]) if (found := _NUMBERED.fullmatch(name)) else -1 for name in names]
    if numbers != list(range(len(own))) or set(names) & set(own):
        return tree
    features = (replace(feature, name=name) for feature, name in zip(tree.features, own, strict=True))
    return replace(tree, features=tuple(features))


def _suiting(tree: Tree, tested: Sequence[FeatureEncoding], recipe: Recipe) -> Recipe:
    """The recipe, with thresholds where the tree has some, and missing cells sent as the tree sends them."""
    own = not tree.source or tree.recipe.missing in ("surrogate", "fractional")
    missing = tree.recipe.missing if own else "default_direction"
    changes: dict[str, Any] = {"missing": missing, "unseen": tree.recipe.unseen, "prepruning": False}
    if any(encoding.test == "threshold" for encoding in tested) and recipe.numeric != "threshold":
        changes["numeric"] = "threshold"
    return recipe.replace(**changes)


def _check(encoding: FeatureEncoding, known: dict[str, FeatureEncoding], data: Dataset) -> None:
    """InputError unless the rows have the column, and the recipe tests it as the tree does."""
    own = known.get(encoding.name)
    if own is None and encoding.name not in {feature.name for feature in data.features}:
        raise InputError(
            message(
                "The tree splits on '{column}', which is no feature of these rows: open the table that it was fitted "
                "on, or one with the same columns.",
                column=encoding.name,
            )
        )
    is_number = encoding.test == "threshold"
    if own is None or (own.test == "threshold") != is_number or own.edges != encoding.edges:
        if is_number:
            text = message("The tree compares '{column}' with numbers: make it numeric.", column=encoding.name)
        else:
            text = message("The tree reads '{column}' as categories: make it categorical.", column=encoding.name)
        raise InputError(text)


def _in_columns(tree: Tree, columns: Sequence[TrainingColumn]) -> dict[str, Any]:
    """Features and categories as the columns number them, and where values go that the tree does not know."""
    names = {column.encoding.name: position for position, column in enumerate(columns)}
    place = np.array([*(names.get(feature.name, -1) for feature in tree.features), -1])
    unknown, pairs = branches_for_unknown(tree), list[tuple[int, int, int]]()
    of_categories = np.array([*(feature.test != "threshold" for feature in tree.features), False])[tree.feature]
    for node in np.flatnonzero(of_categories).tolist():
        labels = columns[place[tree.feature[node]]].encoding.labels
        branches = _branches_of(tree, node, labels, *unknown[node].tolist())
        pairs += [(node, code, branch) for code, branch in enumerate(branches) if branch >= 0]
    table = np.array(pairs, dtype=np.int64).reshape(-1, 3)
    return {
        "features": tuple(column.encoding for column in columns),
        "feature": place[tree.feature].astype(np.int32),
        "cat_offset": np.searchsorted(table[:, 0], np.arange(tree.n_nodes_grown + 1)).astype(np.int64),
        "cat_code": table[:, 1].astype(np.int32),
        "cat_branch": table[:, 2].astype(np.int32),
        "unseen_branch": unknown[:, 1],
    }


def _branches_of(tree: Tree, node: int, labels: Sequence[Value | None], missing: int, unseen: int) -> list[int]:
    """The branch of each of these categories at a node, −1 where none is told.

    A tree of another program has two branches, and its file names the categories of one: all others go to the other.
    """
    encoding, pairs = tree.features[tree.feature[node]], slice(*tree.cat_offset[node : node + 2].tolist())
    told = dict(zip(tree.cat_code[pairs].tolist(), tree.cat_branch[pairs].tolist(), strict=True))
    code_of, otherwise = _codes_of(encoding), unseen if tree.source else -1
    code_of_missing = encoding.labels.index(None) if None in encoding.labels else -1
    return [
        told.get(code_of_missing, missing) if label is None else told.get(code_of(label), otherwise) for label in labels
    ]


def _codes_of(encoding: FeatureEncoding) -> Callable[[Value], int | None]:
    """The code of a category: of its text, or of its number where the tree's categories are numbers."""
    if encoding.kind != "numeric" or encoding.test == "bins":
        return positions_of(encoding.labels)
    codes = {float(label): code for code, label in enumerate(encoding.labels) if label is not None}

    def code_of(label: Value) -> int | None:
        with suppress(ValueError):
            return codes.get(float(label))
        return None

    return code_of


def _surrogates(tree: Tree, columns: Sequence[TrainingColumn]) -> dict[str, Any]:
    """The surrogate splits by the rows' columns; InputError where rows need one whose column they do not have."""
    found = tree.surrogates
    if found is None or tree.features == tuple(column.encoding for column in columns):
        return {}
    own = {column.encoding.name: position for position, column in enumerate(columns)}
    place = np.array([own.get(feature.name, -1) for feature in tree.features])
    is_known = [
        at >= 0 and (feature.test == "threshold") == (columns[at].encoding.test == "threshold")
        for at, feature in zip(place.tolist(), tree.features, strict=True)
    ]
    kept = np.flatnonzero(np.array(is_known)[found.feature])
    names = {tree.features[position].name for position in np.unique(tree.feature[tree.feature >= 0])}
    lacks_values = any(column.lacks_values and column.encoding.name in names for column in columns)
    if len(kept) < len(found.feature) and lacks_values:
        raise InputError(
            message(
                "The tree sends rows without a value by surrogate splits, which need the features and categories of "
                "its own table: open that table."
            )
        )
    pairs, ends = list[tuple[int, int]](), [0]
    for which in kept.tolist():
        own_pairs = slice(*found.pair_offset[which : which + 2].tolist())
        told = dict(zip(found.code[own_pairs].tolist(), found.branch[own_pairs].tolist(), strict=True))
        feature = int(found.feature[which])
        labels, code_of = columns[place[feature]].encoding.labels, _codes_of(tree.features[feature])
        branches = [told.get(code_of(label), -1) if label is not None else -1 for label in labels] if told else []
        pairs += [(code, branch) for code, branch in enumerate(branches) if branch >= 0]
        ends.append(len(pairs))
    table = np.array(pairs, dtype=np.int32).reshape(-1, 2)
    per_surrogate = ("cut", "below", "above", "agreement", "adjusted")
    surrogates = replace(
        found,
        offset=np.searchsorted(found.node[kept], np.arange(tree.n_nodes_grown + 1)).astype(np.int64),
        feature=place[found.feature[kept]].astype(np.int32),
        pair_offset=np.array(ends, dtype=np.int64),
        code=table[:, 0].copy(),
        branch=table[:, 1].copy(),
        **{name: getattr(found, name)[kept] for name in per_surrogate},
    )
    return {"surrogates": surrogates if len(kept) else None}


def _counted(tree: Tree, rows: Dataset, columns: Sequence[TrainingColumn]) -> dict[str, Any]:
    """Statistics, impurity and rows without a value of every node, and which of them decide a split."""
    factors = NONE if tree.class_factors is None else tree.class_factors
    parameters, n = parameters_for(tree.recipe, rows, factors=factors), tree.n_nodes_grown
    stats, missing, is_reached = np.zeros((n, parameters.n_stats)), np.zeros(n), np.zeros(n, dtype=bool)
    for node, at_node in rows_by_node(tree, rows):
        stats[node], is_reached[node] = statistics(rows, at_node.rows, at_node.weights, parameters), True
        if tree.feature[node] >= 0:
            column = columns[tree.feature[node]]
            missing[node] = at_node.weights[column.codes[at_node.rows] >= column.missing_code].sum()
    kind, is_split = tree.recipe.impurity_for(rows.is_regression), tree.feature >= 0
    return {
        "stats": stats,
        "weight": stats[:, 0].copy() if rows.is_regression else stats.sum(axis=1),
        "impurity": np.array([impurity_of(kind, of_node) for of_node in stats]),
        "missing_weight": missing,
        "stop": np.where(is_reached, np.where(is_split, SPLIT, LOCKED), EMPTY).astype(np.int8),
        "forced": is_reached & is_split,
    }
