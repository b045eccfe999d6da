"""A tree as plain lists and values for JSON, and back: what is read is checked first, as compiled loops do not."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.candidates.surrogates import Surrogates
from explorer.data.codes.dates import moment_of
from explorer.data.codes.scale import NUMBERS, Dates, Ordered, Scale
from explorer.errors import InputError
from explorer.messages import message
from explorer.plain_fields import Fields
from explorer.ranges import LARGEST_SUMMED
from explorer.recipe.class_weights import cost_matrix
from explorer.recipe.columns import MOST_BRANCHES, TESTS, FeatureEncoding
from explorer.recipe.parameters import STOP_REASONS
from explorer.recipe.recipe import Recipe
from explorer.recipe.remarks import Remark
from explorer.tree.base_tree import BaseTree, is_action
from explorer.tree.constraints import Choices
from explorer.tree.leaf_mixture import Cutoffs, Decision
from explorer.tree.smoothing import Smoothing

FORMAT = 2
ARRAYS = (
    *("parent", "first_child", "child_count", "depth", "feature", "threshold", "cat_offset", "cat_code", "cat_branch"),
    *("missing_branch", "weight", "stats", "impurity", "stop", "missing_weight", "is_pruned"),
)
SURROGATES = (
    *("offset", "feature", "cut", "below", "above", "agreement", "adjusted", "pair_offset", "code", "branch"),
)
MOST_NODES = 20_000_000
_MOST, _BIGGEST = 2**31 - 1, float(np.finfo(np.float64).max)
Arrays = dict[str, Any]


def tree_to_dict(tree: BaseTree, with_features: bool = True) -> dict[str, Any]:
    """Everything of a tree but its evidence; a node without a threshold has None there."""
    content: dict[str, Any] = {
        "format": FORMAT,
        "target": tree.target,
        "classes": list(tree.classes),
        "recipe": dataclasses.asdict(tree.recipe),
        "notes": [remark.to_plain() for remark in tree.remarks],
    }
    if with_features:
        content["features"] = [plain_encoding(encoding) for encoding in tree.features]
    for name in ARRAYS:
        content[name] = getattr(tree, name).tolist()
    if tree.origin is not None:
        content["origin"] = tree.origin.tolist()
    if tree.unseen_branch is not None:
        content["unseen_branch"] = tree.unseen_branch.tolist()
    if tree.class_factors is not None:
        content["class_factors"] = tree.class_factors.tolist()
    if tree.validation is not None:
        content["validation"] = [None if np.isnan(pair[0]) else pair.tolist() for pair in tree.validation]
    if tree.choices is not None:
        reasons = ["" if remark is None else remark.to_plain() for remark in tree.refusals]
        content["choices"] = {"history": tree.choices.to_plain(), "not_in_force": reasons}
    if tree.forced is not None:
        content["forced"] = np.flatnonzero(tree.forced).tolist()
    if tree.predictions is not None:
        content["predictions"] = tree.predictions.tolist()
    if tree.smoothing is not None:
        content["smoothing"] = tree.smoothing.to_plain()
    if tree.decision is not None:
        content["decision"] = tree.decision.to_plain(tree.classes)
    if tree.actions:
        content["actions"] = [[node, text] for node, text in tree.actions]
    if tree.table_settings is not None:
        content["table_settings"] = dict(tree.table_settings)
    if tree.surrogates is not None:
        content["surrogates"] = {name: getattr(tree.surrogates, name).tolist() for name in SURROGATES}
        content["surrogates"]["cut"] = [None if np.isnan(cut) else cut for cut in content["surrogates"]["cut"]]
    content["threshold"] = [None if np.isnan(number) else number for number in tree.threshold.tolist()]
    return content


def damaged(why: str) -> InputError:
    """The error of a saved tree in which something is not as `to_dict` writes it."""
    return InputError(message("The saved tree is damaged: {why}. Save it again.", why=why))


def fields_from_dict(content: object, features: tuple[FeatureEncoding, ...] | None = None) -> dict[str, Any]:
    """The fields of the tree behind `tree_to_dict`'s result; InputError for anything else.

    `features` are those of the ensemble that it is a member of, where the record has none of its own.
    """
    saved = Fields(content, damaged)
    if saved.content.get("format", FORMAT) != FORMAT:
        raise InputError(
            message(
                "The tree was saved in format {saved:.40}, but this version reads format {own}: save it again.",
                saved=repr(saved.content["format"]),
                own=FORMAT,
            )
        )
    saved.need(("format", "target", "classes", "recipe", *ARRAYS, *(("features",) if features is None else ())))
    if features is None or "features" in saved.content:
        features = encodings_of(saved)
    classes, recipe = classes_of(saved), recipe_of(saved)
    arrays = _nodes(saved, len(classes))
    _check_splits(arrays, features)
    n = len(arrays["parent"])
    if saved.has("smoothing") and not classes:
        raise damaged(message("it smooths the shares of classes, and has none"))
    if recipe.cost_pairs is not None and classes:
        cost_matrix(recipe.cost_pairs, classes)
    return dict(
        target=saved.text("target"),
        classes=classes,
        recipe=recipe,
        features=features,
        remarks=tuple(map(Remark.from_plain, saved.items("notes"))) if saved.has("notes") else (),
        origin=saved.whole_numbers("origin", n, 0, _MOST) if saved.has("origin") else None,
        unseen_branch=_unseen_branch(saved, arrays) if saved.has("unseen_branch") else None,
        class_factors=_class_factors(saved, len(classes)),
        validation=saved.table("validation", n, 2, missing=True) if saved.has("validation") else None,
        predictions=_predictions(saved, n, classes),
        surrogates=_surrogates(saved.record("surrogates"), arrays, features) if saved.has("surrogates") else None,
        smoothing=Smoothing.from_plain(saved.content["smoothing"]) if saved.has("smoothing") else None,
        decision=_decision(saved, classes),
        actions=_actions(saved, n) if saved.has("actions") else (),
        table_settings=saved.texts_by_name("table_settings") if saved.has("table_settings") else None,
        **_choices(saved, arrays["feature"]),
        **arrays,
    )


def _decision(saved: Fields, classes: tuple[Any, ...]) -> Decision | Cutoffs | None:
    """From which probability on classes are predicted; None where that was not chosen."""
    if not saved.has("decision"):
        return None
    decision = saved.record("decision")
    if decision.has("cutoffs"):
        return Cutoffs.of(classes, dict(zip(classes, decision.items("cutoffs", len(classes)), strict=True)))
    decision.need(("name", "threshold"))
    return Decision.of(classes, decision.content["name"], decision.content["threshold"])


def _actions(saved: Fields, n_nodes: int) -> tuple[tuple[int, str], ...]:
    """What to do with rows that end at or below nodes: pairs of a node and a text, by node."""
    pairs = saved.items("actions")
    for pair in pairs:
        is_pair = isinstance(pair, (list, tuple)) and len(pair) == 2
        if not is_pair or type(pair[0]) is not int or not 0 <= pair[0] < n_nodes or not is_action(pair[1]):
            raise damaged(message("an action is no pair of a node and a text"))
    return tuple(sorted(dict(pairs).items()))


def plain_encoding(encoding: FeatureEncoding) -> dict[str, Any]:
    """Its fields, and those of its scale."""
    fields = {each.name: getattr(encoding, each.name) for each in dataclasses.fields(encoding) if each.name != "scale"}
    return fields | encoding.scale.to_plain()


def classes_of(saved: Fields) -> tuple[Any, ...]:
    """The classes, which differ."""
    classes = saved.values("classes")
    if len(set(map(repr, classes))) < len(classes):
        raise saved.refusal(message("its classes are not a list of different values"))
    return classes


def recipe_of(saved: Fields) -> Recipe:
    """The recipe, which checks its own values; InputError for other fields, or types."""
    try:
        recipe = Recipe(**saved.record("recipe").content)
        _ = recipe.name + ""
    except (TypeError, ValueError, KeyError, AttributeError, OverflowError):
        raise saved.refusal(message("its recipe has a field that no recipe has")) from None
    return recipe


def encodings_of(saved: Fields) -> tuple[FeatureEncoding, ...]:
    """The features, each with its test and the values behind its codes."""
    encodings = tuple(map(_encoding, saved.records("features")))
    if len({encoding.name for encoding in encodings}) < len(encodings):
        raise saved.refusal(message("two of its features have the same name"))
    return encodings


def _encoding(saved: Fields) -> FeatureEncoding:
    saved.need(("name", "kind", "test", "labels", "edges"))
    kind, test = saved.choice("kind", ("numeric", "categorical")), saved.choice("test", TESTS)
    labels, edges = saved.values("labels", has_missing=True), saved.numbers("edges", None, -_BIGGEST, _BIGGEST)
    known = labels[:-1] if labels and labels[-1] is None else labels
    is_number = not any(label is None or isinstance(label, (str, bool)) for label in known)
    if test == "threshold":
        fits = kind == "numeric" and not labels and not len(edges)
    elif test == "bins":
        fits = kind == "numeric" and len(known) == len(edges) + 1 and bool((np.diff(edges) > 0).all())
    else:
        fits = not len(edges) and None not in known and (kind == "categorical" or (is_number and _ascends(known)))
    if not fits:
        raise saved.refusal(message("the values of feature {name!r:.40} do not fit its test", name=saved.text("name")))
    return FeatureEncoding(saved.text("name"), kind, test, labels, tuple(edges.tolist()), _scale(saved, kind))


def _scale(saved: Fields, kind: str) -> Scale:
    """What the numbers of a feature stand for."""
    if saved.has("levels"):
        with suppress(InputError):
            if kind == "numeric" and not saved.has("days_since"):
                return Ordered(saved.values("levels"))
        raise saved.refusal(message("the levels of feature {name!r:.40} are no order", name=saved.text("name")))
    since = saved.text("days_since") if saved.has("days_since") else ""
    if since and moment_of(0.0, since) is None:
        raise saved.refusal(message("feature {name!r:.40} counts days from no date", name=saved.text("name")))
    return Dates(since) if since else NUMBERS


def _ascends(numbers: Sequence[Any]) -> bool:
    return all(first < second for first, second in pairwise(numbers))


def _nodes(saved: Fields, n_classes: int) -> Arrays:
    """The arrays of the nodes, which are one tree."""
    n = len(saved.items("parent"))
    if not 1 <= n <= MOST_NODES:
        raise damaged(message("it has {n:,} nodes", n=n))
    arrays: Arrays = {
        "parent": saved.whole_numbers("parent", n, -1, n - 1),
        "first_child": saved.whole_numbers("first_child", n, -1, n - 1),
        "child_count": saved.whole_numbers("child_count", n, 0, MOST_BRANCHES + 1),
        "depth": saved.whole_numbers("depth", n, 0, n - 1),
        "feature": saved.whole_numbers("feature", n, -1, _MOST),
        "threshold": saved.numbers("threshold", n, -_BIGGEST, _BIGGEST, missing=True),
        "cat_offset": saved.whole_numbers("cat_offset", n + 1, 0, _MOST, np.int64),
        "cat_code": saved.whole_numbers("cat_code", None, 0, _MOST),
        "missing_branch": saved.whole_numbers("missing_branch", n, -1, MOST_BRANCHES),
        "weight": saved.numbers("weight", n, 0.0),
        "stats": saved.table("stats", n, n_classes or 3),
        "impurity": saved.numbers("impurity", n),
        "stop": saved.whole_numbers("stop", n, 0, len(STOP_REASONS) - 1, np.int8),
        "missing_weight": saved.numbers("missing_weight", n, 0.0),
        "is_pruned": saved.flags("is_pruned", n),
    }
    arrays["cat_branch"] = saved.whole_numbers("cat_branch", len(arrays["cat_code"]), 0, MOST_BRANCHES)
    _check_shape(arrays)
    if arrays["weight"][0] == 0 or (n_classes and (arrays["stats"] < 0).any()):
        raise damaged(message("its root has no weight, or a class has a negative one"))
    return arrays


def _check_shape(arrays: Arrays) -> None:
    """InputError unless every node but the root is the child of one node before it, which knows it."""
    parent, first, count, depth = (arrays[name] for name in ("parent", "first_child", "child_count", "depth"))
    n, split = len(parent), np.flatnonzero(first >= 0)
    total = int(count[split].sum())
    fits = (
        np.array_equal(first >= 0, arrays["feature"] >= 0)
        and np.array_equal(first >= 0, count > 0)
        and (count[split] > 1).all()
        and total == n - 1
        and (parent[0], depth[0]) == (-1, 0)
    )
    if fits:
        owner = np.repeat(split, count[split])
        children = (
            np.repeat(first[split], count[split])
            + np.arange(total)
            - np.repeat(np.cumsum(count[split]) - count[split], count[split])
        )
        fits = (
            bool((children < n).all() and (children > owner).all())
            and np.array_equal(parent[children], owner)
            and len(np.unique(children)) == total
            and np.array_equal(depth[children], depth[owner] + 1)
            and bool((np.diff(depth) >= 0).all())
        )
    if not fits:
        raise damaged(message("its arrays do not describe one tree"))


def _check_splits(arrays: Arrays, features: tuple[FeatureEncoding, ...]) -> None:
    """InputError unless every split tests a feature that is there, in a way that its test allows."""
    feature, count, offsets = arrays["feature"], arrays["child_count"], arrays["cat_offset"]
    split, n_pairs = feature >= 0, len(arrays["cat_code"])
    if (feature >= len(features)).any() or (arrays["missing_branch"] >= np.maximum(count, 1)).any():
        raise damaged(message("a split names a feature or a branch that is not there"))
    if offsets[0] != 0 or offsets[-1] != n_pairs or (np.diff(offsets) < 0).any():
        raise damaged(message("its categories do not belong to its nodes"))
    sizes = np.array([len(encoding.labels) for encoding in features] or [0])
    by_threshold = np.array([encoding.test == "threshold" for encoding in features] or [False])
    known = by_threshold[np.maximum(feature, 0)] & split
    if np.isnan(arrays["threshold"][known]).any() or (count[known] > 3).any():
        raise damaged(message("a split at a threshold has none, or more than three branches"))
    node = np.repeat(np.arange(len(feature)), np.diff(offsets))
    is_code = split[node] & ~known[node] & (arrays["cat_code"] < sizes[np.maximum(feature[node], 0)])
    if not (is_code & (arrays["cat_branch"] < count[node])).all() or _has_twice(node, arrays["cat_code"]):
        raise damaged(message("its categories do not belong to its nodes"))


def _unseen_branch(saved: Fields, arrays: Arrays) -> NDArray[np.int32]:
    """The branch of unseen values at every node, one that it has."""
    found = saved.whole_numbers("unseen_branch", len(arrays["parent"]), -1, MOST_BRANCHES)
    if (found >= np.maximum(arrays["child_count"], 1)).any():
        raise damaged(message("its branches do not fit its nodes"))
    return found


def _has_twice(group: NDArray[Any], code: NDArray[Any]) -> bool:
    """Whether a group has a code more than once."""
    pairs = group.astype(np.int64) << 32 | code
    return len(np.unique(pairs)) < len(pairs)


def _class_factors(saved: Fields, n_classes: int) -> NDArray[np.float64] | None:
    """The growing weight per row weight of each class, above 0."""
    if not saved.has("class_factors"):
        return None
    factors = saved.numbers("class_factors", n_classes, 1.0 / LARGEST_SUMMED, LARGEST_SUMMED)
    if not n_classes:
        raise damaged(message("its class weights do not fit its classes"))
    return factors


def _predictions(saved: Fields, n_nodes: int, classes: tuple[Any, ...]) -> NDArray[np.float64] | None:
    """The replaced predictions of a tree of numbers."""
    if not saved.has("predictions"):
        return None
    if classes:
        raise damaged(message("its predictions do not fit its nodes"))
    return saved.numbers("predictions", n_nodes)


def _choices(saved: Fields, feature: NDArray[np.int32]) -> dict[str, Any]:
    """The manual constraints."""
    fields: dict[str, Any] = {}
    if saved.has("choices"):
        made = saved.record("choices")
        choices, plain = Choices.from_plain(made.items("history")), made.items("not_in_force", None)
        reasons = tuple(Remark.from_plain(reason) if reason else None for reason in plain)
        if len(choices) != len(reasons):
            raise damaged(message("its choices are not complete"))
        fields = {"choices": choices, "refusals": reasons}
    if saved.has("forced"):
        nodes = saved.whole_numbers("forced", None, 0, len(feature) - 1, np.int64)
        if (feature[nodes] < 0).any():
            raise damaged(message("a split chosen by hand is not at an internal node"))
        fields["forced"] = np.isin(np.arange(len(feature)), nodes)
    return fields


def _surrogates(saved: Fields, arrays: Arrays, features: tuple[FeatureEncoding, ...]) -> Surrogates:
    """The surrogates, each of a node that splits, with branches that it has."""
    saved.need(SURROGATES)
    n_nodes, n = len(arrays["parent"]), len(saved.items("feature"))
    of = {
        "offset": saved.whole_numbers("offset", n_nodes + 1, 0, n, np.int64),
        "feature": saved.whole_numbers("feature", n, 0, len(features) - 1),
        "cut": saved.numbers("cut", n, -_BIGGEST, _BIGGEST, missing=True),
        "below": saved.whole_numbers("below", n, -1, MOST_BRANCHES),
        "above": saved.whole_numbers("above", n, -1, MOST_BRANCHES),
        "agreement": saved.numbers("agreement", n),
        "adjusted": saved.numbers("adjusted", n),
        "pair_offset": saved.whole_numbers("pair_offset", n + 1, 0, _MOST, np.int64),
        "code": saved.whole_numbers("code", None, 0, _MOST),
    }
    of["branch"] = saved.whole_numbers("branch", len(of["code"]), 0, MOST_BRANCHES)
    ends = ((of["offset"], n), (of["pair_offset"], len(of["code"])))
    if not all(o[0] == 0 and o[-1] == end and (np.diff(o) >= 0).all() for o, end in ends):
        raise damaged(message("its surrogates do not fit its nodes"))
    branches = arrays["child_count"][np.repeat(np.arange(n_nodes), np.diff(of["offset"]))]
    by_cut = np.array([encoding.test == "threshold" for encoding in features] or [False])[of["feature"]]
    sizes = np.array([len(encoding.labels) for encoding in features] or [0])[of["feature"]]
    pair = np.repeat(np.arange(n), np.diff(of["pair_offset"]))
    sides = np.stack([of["below"], of["above"]])[:, by_cut]
    fits = (
        not np.isnan(of["cut"][by_cut]).any()
        and ((sides >= 0) & (sides < branches[by_cut])).all()
        and (~by_cut[pair] & (of["code"] < sizes[pair]) & (of["branch"] < branches[pair])).all()
        and not _has_twice(pair, of["code"])
    )
    if not fits:
        raise damaged(message("its surrogates do not fit its nodes"))
    return Surrogates(**of)
