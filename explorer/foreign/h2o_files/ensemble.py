"""Gradient boosting (GBM) and random forests (DRF) of H2O from the JSON that our lines over H2OTree write."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.errors import InputError
from explorer.foreign.assembly import trees_of
from explorer.foreign.content import Content
from explorer.foreign.limits import (
    MOST_CLASSES,
    MOST_NODES,
    MOST_NODES_IN_ALL,
    MOST_TREES,
    check_members_and_features,
    check_pairs,
    refusing,
    unknown_objective,
)
from explorer.foreign.record import Model, ModelNodes, ReadEnsemble, averaged, members_of, named
from explorer.messages import message
from explorer.plain_fields import Fields
from explorer.ranges import LARGEST_SUMMED
from explorer.recipe.columns import FeatureEncoding
from explorer.recipe.condition import ABOVE_ALL

Array = NDArray[Any]
LARGEST_THRESHOLD = 3.4e38
COMBINATIONS = {
    **dict.fromkeys(("bernoulli", "quasibinomial"), "sum_sigmoid"),
    "multinomial": "sum_softmax",
    **dict.fromkeys(("gaussian", "laplace", "quantile", "huber"), "sum"),
    **dict.fromkeys(("poisson", "gamma", "tweedie"), "sum_exponential"),
}
"""How the trees of GBM add up, by its distribution."""


def no_model(culprit: str) -> InputError:
    """The error of a text that our lines have not written."""
    return InputError(
        message("This is not a model of H2O: {culprit}. Write it anew with the lines of the snippet.", culprit=culprit)
    )


refuse = refusing(no_model)


def is_h2o(content: Content) -> bool:
    """Whether a JSON file is what our lines write."""
    return {"h2o", "rounds", "domains"} <= content.names()


def ensemble_from_h2o(content: Content, target: str) -> ReadEnsemble:
    """The ensemble behind the file; InputError for anything else."""
    told = Fields(content.plain, no_model)
    target = told.text("target")[:200] if told.has("target") else target
    names, domains = told.items("names"), told.items("domains")
    if len(names) != len(domains) or len(names) < 2 or not all(isinstance(name, str) for name in names):
        refuse(message("its feature names are too few, or two of them are the same"))
    features = tuple(_feature(name, domain) for name, domain in zip(names[:-1], domains[:-1], strict=True))
    if len(set(names)) < len(names):
        refuse(message("its feature names are too few, or two of them are the same"))
    category, boosts = told.choice("category", ("Binomial", "Multinomial", "Regression")), _boosts(told)
    classes = () if category == "Regression" else tuple(named(_labels(domains[-1])))
    if category != "Regression" and (not 2 <= len(classes) <= MOST_CLASSES or len(set(classes)) < len(classes)):
        refuse(message("its classes are not different"))
    width = len(classes) if category == "Multinomial" else 1
    rounds = told.items("rounds")
    if not 1 <= len(rounds) * width <= MOST_TREES:
        refuse(message("it has {n:,} trees, and up to {most:,} can be read", n=len(rounds), most=MOST_TREES))
    if any(not isinstance(each, list) or len(each) != width for each in rounds):
        refuse(message("its number of trees does not fit its classes"))
    check_members_and_features(len(rounds) * width, len(features))
    of_shares = category == "Binomial" and not boosts
    nodes = [_nodes(Fields(each, no_model), features, names[:-1], of_shares) for one in rounds for each in one]
    total = sum(len(each.child_count) for each in nodes)
    if total > MOST_NODES_IN_ALL:
        refuse(message("it has no trees, or more than {most:,} nodes", most=MOST_NODES_IN_ALL))
    version = told.text("h2o")[:20] if told.has("h2o") else ""
    model = Model(
        f"H2O {version}".strip(), features, target, classes if of_shares else (), is_strict=True, counts_rows=False
    )
    if boosts:
        return _added(told, nodes, model, classes, width)
    return averaged(trees_of(nodes, model, refuse), "H2O", target, model.features, version=version)


def _boosts(told: Fields) -> bool:
    """Whether it is GBM, rather than DRF; InputError for a forest with a tree for every class."""
    boosts = told.choice("algo", ("gbm", "drf")) == "gbm"
    if not boosts and (told.content.get("category") == "Multinomial" or told.content.get("double")):
        raise InputError(
            message(
                "The forest of H2O has a tree for every class in each round, which cannot be read: fit one for two "
                "classes (binomial_double_trees=False), or a GBM."
            )
        )
    return boosts


def _labels(domain: object) -> list[str]:
    if not isinstance(domain, list) or not all(isinstance(label, str) for label in domain):
        refuse(message("its categories do not belong to its nodes"))
    return domain


def _feature(name: str, domain: object) -> FeatureEncoding:
    """A number, or a category by its levels; H2O takes an empty text for one too."""
    if domain is None:
        return FeatureEncoding(name[:200], "numeric", "threshold")
    labels = tuple(named(_labels(domain)))
    if len(set(labels)) < len(labels):
        refuse(message("two categories have the same name"))
    return FeatureEncoding(name[:200], "categorical", "subset", labels)


def _nodes(tree: Fields, features: Sequence[FeatureEncoding], names: Sequence[str], of_shares: bool) -> ModelNodes:
    """The nodes of one tree: left where x < threshold, a number of 32 bits, or where the category is listed."""
    left = tree.whole_numbers("left_children", None, -1, MOST_NODES)
    n = len(left)
    right = tree.whole_numbers("right_children", n, -1, MOST_NODES)
    place = {name: number for number, name in enumerate(names)}
    asked = tree.items("features", n)
    if not all(name is None or (isinstance(name, str) and name in place) for name in asked):
        refuse(message("a split names feature {number}, which is not there", number=n))
    feature = np.array([-1 if name is None else place[name] for name in asked], dtype=np.int64)
    split = left >= 0
    if (split != (feature >= 0)).any() or (split != (right >= 0)).any():
        refuse(message("the children of a tree do not form a tree"))
    threshold = tree.numbers("thresholds", n, missing=True)
    by_category = split & np.array([each.test == "subset" for each in features])[feature]
    if (by_category & ~np.isnan(threshold)).any():
        raise InputError(
            message(
                "A split of the model of H2O divides the codes of categories by a threshold, where H2OTree lists the "
                "categories wrongly: fit it with nbins_cats as large as the number of categories."
            )
        )
    sides = tree.items("nas", n)
    if not all(side in (None, "LEFT", "RIGHT") for side in sides if not isinstance(side, (list, dict))):
        refuse(message("a split names feature {number}, which is not there", number=n))
    missing_left = np.array([side == "LEFT" for side in sides], dtype=bool)
    single = np.clip(np.where(np.isnan(threshold), 0.0, threshold), -LARGEST_THRESHOLD, LARGEST_THRESHOLD)
    below = np.nextafter(single.astype(np.float32).astype(np.float64), -np.inf)
    # Without a threshold a number asks only whether there is a value: all of them are on the other side.
    below = np.where(np.isnan(threshold), np.where(missing_left, -ABOVE_ALL, ABOVE_ALL), below)
    leaf = tree.numbers("predictions", n, -LARGEST_SUMMED, LARGEST_SUMMED)
    return ModelNodes.of_two_sides(
        left,
        right,
        feature,
        np.where(by_category, np.nan, below),
        missing_left,
        np.column_stack([leaf, 1.0 - leaf]) if of_shares else leaf,
        np.zeros(n),
        pairs=_pairs(tree, np.flatnonzero(by_category), feature, features, missing_left),
        unseen_branch=np.where(split, 1 - missing_left.astype(np.int64), -1),
    )


def _pairs(
    tree: Fields, nodes: Array, feature: Array, features: Sequence[FeatureEncoding], missing_left: Array
) -> Array | None:
    """Node, code and branch of every category that a side lists; others go where missing values go."""
    sides = [tree.items(name, len(feature)) for name in ("left_cat_split", "right_cat_split")]
    found = list[tuple[int, int, int]]()
    code_of = {
        int(f): {str(label): c for c, label in enumerate(features[f].labels)} for f in set(feature[nodes].tolist())
    }
    for node in nodes.tolist():
        known = code_of[int(feature[node])]
        if not sides[0][node] and not sides[1][node]:  # asks only whether there is a value
            check_pairs(len(found) + len(known))
            found += [(node, code, int(missing_left[node])) for code in known.values()]
            _refuse_below(node, tree, feature, features)
            continue
        for branch, side in enumerate(sides):
            listed = _labels(side[node] or [])
            check_pairs(len(found) + len(listed))
            words = [str(label) for label in named(listed)] if not set(listed) <= set(known) else listed
            if not set(words) <= set(known) or len(set(words)) < len(words):
                refuse(message("its categories do not belong to its nodes"))
            found += [(node, known[word], branch) for word in words]
    return np.array(found, dtype=np.int64).reshape(-1, 3) if found else None


def _refuse_below(node: int, tree: Fields, feature: Array, features: Sequence[FeatureEncoding]) -> None:
    """Refuse a further split on the categories below one on whether there is a value: H2OTree lists none there."""
    children = [tree.items(name, len(feature)) for name in ("left_children", "right_children")]
    waiting, seen = [side[node] for side in children], set[int]()
    while waiting:
        below = waiting.pop()
        if not 0 <= below < len(feature) or below in seen:
            continue
        seen.add(below)
        if feature[below] == feature[node]:
            raise InputError(
                message(
                    "H2OTree does not tell the categories of '{feature}' below a split on whether it is missing: fill "
                    "its missing cells before you fit the model.",
                    feature=features[int(feature[node])].name,
                )
            )
        waiting += [side[below] for side in children]


def _added(
    told: Fields, nodes: Sequence[ModelNodes], model: Model, classes: tuple[Any, ...], width: int
) -> ReadEnsemble:
    """A start, and the trees of every round."""
    distribution = told.text("distribution")
    if distribution not in COMBINATIONS:
        raise unknown_objective(distribution, COMBINATIONS)
    combination = COMBINATIONS[distribution]
    expected = {"sum_sigmoid": (1, 2), "sum_softmax": (len(classes), len(classes))}.get(combination, (1, 0))
    if (width, len(classes)) != expected:
        refuse(message("its number of trees does not fit its classes"))
    members = members_of(trees_of(nodes, model, refuse), width)
    start = np.full(width, told.number("init", LARGEST_SUMMED))
    return ReadEnsemble(
        origin="H2O",
        method="gradient_boosting",
        combination=combination,
        members=members,
        start=start,
        constant=None,
        target=model.target,
        classes=classes,
        features=model.features,
        version=model.library.partition(" ")[2],
    )
