"""One test measured by every impurity, whatever the tree was grown by (DEFINITIONS sections 2 and 4)."""

from __future__ import annotations

from functools import partial

import numpy as np

from explorer.candidates.candidates import Candidate
from explorer.candidates.counts import Floats
from explorer.messages import WordedTable, message
from explorer.recipe.impurity import IMPURITIES, between_mean, impurity_of, rounded_to_zero
from explorer.recipe.recipe import Recipe
from explorer.recipe.split_score import GAIN_RATIO, OWN_SCORE, has_ratio

SPLIT_INFORMATION = "split information"
MEASURE_NAMES = WordedTable(
    {impurity.decrease: partial(getattr, impurity, "decrease_label") for impurity in IMPURITIES.values()}
    | {
        SPLIT_INFORMATION: lambda: message("split information"),
        GAIN_RATIO: lambda: message("gain ratio"),
        OWN_SCORE: lambda: message("score"),
    }
)
"""The names of what `measures` returns, and of what candidates compete by, by their keys."""
ALWAYS = ("entropy", "gini")
"""The impurities that every test on classes is measured by."""


def judged_stats(candidate: Candidate, impurity: str) -> Floats:
    """Class weights [K], or (W, mean, total loss), of the rows that a test is evaluated on: those in its branches.

    >>> from explorer import CART, Dataset, decide, grow, load_sample
    >>> data = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> judged_stats(decide(grow(data, CART), data, 0).chosen, "gini").tolist()     # No 5, Yes 9
    [5.0, 9.0]
    """
    stats = candidate.branch_stats
    if candidate.judged is not None:
        return candidate.judged
    if IMPURITIES[impurity].needs_classes:
        return np.asarray(stats.sum(axis=0))
    weights, kind = stats[:, 0], IMPURITIES[impurity].number
    mean = np.average(stats[:, 1], weights=weights)
    deviations = weights * (stats[:, 1] - mean)
    between = sum(between_mean(kind, mean, *branch) for branch in zip(weights, deviations, strict=True))
    return np.array([weights.sum(), mean, stats[:, 2].sum() + between])


def impurity_before(candidate: Candidate, recipe: Recipe, is_regression: bool) -> float:
    """The recipe's impurity of the rows that a test is evaluated on, those whose value is missing left out.

    >>> from explorer import C45, Dataset, decide, grow, load_sample
    >>> data = Dataset.from_frame(load_sample("golf_missing").frame, "class")
    >>> tree = grow(data, C45)                          # 13 of 14 days have an outlook: 8 Play, 5 Don't Play
    >>> round(impurity_before(decide(tree, data, 0).best["outlook"], tree.recipe, False), 3)
    0.961
    """
    kind = recipe.impurity_for(is_regression)
    return impurity_of(kind, judged_stats(candidate, kind)) * recipe.unit(is_regression)


def decrease_by(impurity: str, candidate: Candidate) -> float:
    """Decrease of any impurity by a test, entropy in bits; times the share of rows with a value, no penalty taken off.

    >>> from explorer import ID3, Dataset, decide, grow, load_sample
    >>> data = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> outlook = decide(grow(data, ID3), data, 0).chosen
    >>> round(decrease_by("gini", outlook), 4)          # 45/98 - 10/14 * 12/25
    0.1163
    """
    before = impurity_of(impurity, judged_stats(candidate, impurity))
    branches = [impurity_of(impurity, stats) for stats in candidate.branch_stats]
    after = float(np.dot(candidate.weights, branches) / np.sum(candidate.weights))
    return candidate.known_share * float(rounded_to_zero(before - after, before))


def recorded(candidate: Candidate, recipe: Recipe, is_regression: bool) -> dict[str, float | None]:
    """The gain of the recipe, with split information and ratio where features compete by that, by key as `measures`."""
    gain = {IMPURITIES[recipe.impurity_for(is_regression)].decrease: candidate.gain}
    of_ratio = {SPLIT_INFORMATION: candidate.split_info, GAIN_RATIO: candidate.gain_ratio}
    return gain | (of_ratio if recipe.score == "gain_ratio" else {})


def ratio_of(recipe: Recipe, is_regression: bool) -> str:
    """The impurity whose decrease the gain ratio divides: the recipe's where features compete by it, else entropy."""
    return recipe.impurity_for(is_regression) if is_regression or recipe.score == "gain_ratio" else "entropy"


def measures(candidate: Candidate, recipe: Recipe, is_regression: bool) -> dict[str, float | None]:
    """A test's numbers by key (see `MEASURE_NAMES`): the recipe's as recorded, the others from the same branches.

    For classes: gain, split information, gain ratio and Gini decrease (and that of the recipe's impurity where it is
    another); for numbers the variance decrease, with split information and ratio where features compete by that. A
    ratio to no split information is None.
    """
    own = recipe.impurity_for(is_regression)
    if is_regression:
        return recorded(candidate, recipe, is_regression)
    gain = candidate.gain if own == "entropy" else decrease_by("entropy", candidate)
    ratio = candidate.gain_ratio if own == ratio_of(recipe, is_regression) else None
    if own != ratio_of(recipe, is_regression) and has_ratio(candidate.split_info):
        ratio = gain / candidate.split_info
    gini = candidate.gain if own == "gini" else decrease_by("gini", candidate)
    numbers = {IMPURITIES["entropy"].decrease: gain, SPLIT_INFORMATION: candidate.split_info, GAIN_RATIO: ratio}
    numbers[IMPURITIES["gini"].decrease] = gini
    return numbers if own in ALWAYS else numbers | {IMPURITIES[own].decrease: candidate.gain}
