"""Trees without some rows, and the search for the shortest tree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np

import explorer as ex
from explorer.drawing.pictures.lesson_tree import LessonTree, searched_tree
from explorer.optimal import check
from pages.results.cache import kept
from pages.results.lessons import trees
from pages.settings.growing_options import RECIPES


@kept()
def stability(sample: str, left_out: int) -> ex.Stability:
    """ID3's tree of a built-in table beside those with so many rows left out, in all ways."""
    return ex.stability(trees.rows(sample), ex.ID3, f"leave-{left_out}-out")


@kept()
def gains_without(sample: str, row: int | None) -> tuple[tuple[float, ...], int]:
    """Every feature's information gain at the root without this row (None: with all), and the position of ID3's."""
    rows = trees.rows(sample)
    times = np.ones(rows.n_rows)
    if row is not None:
        times[row] = 0.0
    fewer = rows.with_weights(times)
    decision = ex.decide(ex.grow(fewer, ex.ID3), fewer, 0)
    features = [feature.name for feature in rows.features]
    gains = tuple(decision.best[feature].gain if feature in decision.best else 0.0 for feature in features)
    assert decision.chosen is not None
    return gains, features.index(decision.chosen.feature)


def roots_of_pairs(sample: str) -> tuple[tuple[tuple[str, int], ...], tuple[int, ...]]:
    """The root features without two rows with how often each comes, and for every pair which of them it is."""
    result = stability(sample, 2)
    return counted([picture.root_feature for picture in result.pictures])


def counted(outcomes: Sequence[str]) -> tuple[tuple[tuple[str, int], ...], tuple[int, ...]]:
    """The distinct outcomes with their numbers, the most frequent first, and the position of each outcome in them."""
    counts = tuple(Counter(outcomes).most_common())
    position = {name: index for index, (name, _) in enumerate(counts)}
    return counts, tuple(position[outcome] for outcome in outcomes)


@kept()
def stump(sample: str, feature: str) -> ex.Tree:
    """ID3's tree that may ask for one feature only."""
    return ex.grow(trees.rows(sample, (feature,)), ex.ID3)


@kept()
def pairs_parted(sample: str, first: str, second: str) -> tuple[bool, ...]:
    """For every pair of rows, whether the stumps of two features disagree on keeping it together."""
    rows = trees.rows(sample)
    leaves = [stump(sample, feature).apply(rows) for feature in (first, second)]
    return tuple(
        bool((leaves[0][i] == leaves[0][j]) != (leaves[1][i] == leaves[1][j]))
        for i, j in combinations(range(rows.n_rows), 2)
    )


@kept()
def shortest(sample: str, by: str = "depth") -> ex.ShortestTree:
    """The shortest consistent tree of a built-in table."""
    return ex.shortest_tree(trees.rows(sample), by)  # type: ignore[arg-type]


@kept()
def trees_of_depth(sample: str, depth: int) -> tuple[tuple[LessonTree, ...], int]:
    """All trees of a built-in table up to a depth, the consistent ones first, and how many these are."""
    found = shortest(sample)
    listed = sorted(found.all_trees(depth), key=lambda entry: not entry[1])
    return tuple(searched_tree(found, shape) for shape, _ in listed), sum(is_consistent for _, is_consistent in listed)


@kept()
def price_of_greed(sample: str, recipe: str, depth: int) -> ex.PriceOfGreed:
    """What greedy growth loses within a depth on a built-in table beside the best trees."""
    return ex.price_of_greed(trees.grown(sample, recipe), trees.rows(sample), 0, depth)


@kept()
def best_tree(sample: str, recipe: str, depth: int) -> tuple[ex.Tree, dict[str, Any]]:
    """The best tree of a depth of a built-in table, and the certificate that proves it."""
    best = ex.best_subtree(trees.rows(sample), depth, RECIPES[recipe])
    return best.tree, best.certificate


@kept()
def bounds_of_thresholds(sample: str, recipe: str, depth: int, feature: str) -> tuple[list[float], list[float]]:
    """The thresholds of a feature at the root, and the errors that no tree with each of them is below."""
    _, certificate = best_tree(sample, recipe, depth)
    thresholds, bounds = check.bounds_of_thresholds(trees.rows(sample), certificate, feature, RECIPES[recipe])
    return thresholds.tolist(), bounds.tolist()
