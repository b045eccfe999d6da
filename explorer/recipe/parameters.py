"""A recipe as numbers, and when a node is not split (DEFINITIONS section 5); called by both layers."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from explorer.data.dataset import Dataset
from explorer.data.encode import Heading
from explorer.errors import InputError
from explorer.jit import borrowing
from explorer.messages import WordedList, message
from explorer.recipe.class_weights import NONE, Floats
from explorer.recipe.condition import THRESHOLD_AT
from explorer.recipe.feature_draw import number_of_features
from explorer.recipe.impurity import IMPURITIES, node_total_impurity
from explorer.recipe.missing import FRACTIONAL, OWN_BRANCH, POLICIES
from explorer.recipe.newton import default_base, newton_base
from explorer.recipe.recipe import Recipe
from explorer.recipe.split_score import FILTER_OFF, MEAN_GAIN_FILTERS, P_ADJUSTMENTS, SCORES, at_least

STOP_REASONS = WordedList(
    (
        "",
        lambda: message("pure: all rows agree"),
        lambda: message("no feature is left on this path"),
        lambda: message("fewer rows than min. samples to split"),
        lambda: message("maximum depth reached"),
        lambda: message("impurity below the limit"),
        lambda: message("squared error below the limit"),
        lambda: message("no admissible split: no feature separates these rows within the limits"),
        lambda: message("the best score is below the limit"),
        lambda: message("the best decrease is below the limit"),
        lambda: message("empty: no training row reaches this node"),
        lambda: message("the split is not significant: χ² could be that large by chance"),
        lambda: message("the split does not improve the score on the validation set"),
        lambda: message("subtree raising brought other rows here"),
        lambda: message("MDL: the split takes no fewer bits than a leaf with its exceptions"),
        lambda: message("made a leaf by hand"),
        lambda: message("the gain is below γ, and both branches are leaves"),
        lambda: message("maximum number of leaves reached"),
    )
)
"""Why a node is a leaf, by the code that a tree keeps; "" where it is split."""
SPLIT, PURE, NO_FEATURE, FEW_ROWS, DEPTH, LOW_IMPURITY, LOW_ERROR = range(7)
NO_CANDIDATE, LOW_SCORE, LOW_DECREASE, EMPTY, NOT_SIGNIFICANT, NOT_BETTER, RAISED = range(7, 14)
NOT_SHORTER, LOCKED, BELOW_GAMMA, MOST_LEAVES = range(14, 18)


LIMIT_ROUNDING = 1e-12
"""A number that misses a limit by less than this share of it reaches it: 5/12 · 0.12 is 0.05."""


class GrowParameters(NamedTuple):
    """The recipe as numbers, limits that are off as ±infinity."""

    impurity: int
    quantile: float
    score: int
    mean_filter: int
    max_features: int
    feature_seed: int
    random_thresholds: bool
    penalty: bool
    threshold_at: int
    min_leaf: float
    two_branches: bool
    release8_minimum: bool
    min_split: float
    max_depth: int
    max_impurity: float
    min_error: float
    min_score: float
    min_log_worth: float
    p_adjustment: int
    min_decrease: float
    stop_at_one: bool
    empty_branches: bool
    regression: bool
    n_stats: int
    with_info: bool
    nunez_w: float
    row_factor: Floats
    missing: int
    missing_outcome: bool
    monotone: bool
    reg_lambda: float
    gamma: float
    base: float


def parameters_for(recipe: Recipe, data: Heading, with_info: bool = False, factors: Floats = NONE) -> GrowParameters:
    """Translate a recipe; limits given in nats are turned into the bits that the loops count in.

    `with_info` computes split information even where nothing competes by it. `factors` [K] are growing weights per row
    weight, empty where the two are the same; `row_factor` turns class weights back into row weights. Raises InputError
    where recipe and target do not go together: the loops would read classes that are not there.
    """
    if POLICIES[recipe.missing].needs_classes and data.is_regression:
        raise InputError(
            message(
                "The target '{target}' is numeric and has no classes for missing='{policy}': use 'most_common', "
                "'fractional' or 'surrogate'.",
                target=data.target.name,
                policy=recipe.missing,
            )
        )
    unit = recipe.unit(data.is_regression)
    score_unit = recipe.score_unit(data.is_regression)
    return GrowParameters(
        impurity=IMPURITIES[recipe.impurity_for(data.is_regression)].number,
        quantile=float(recipe.quantile) if recipe.impurity == "quantile" else 0.5,
        score=SCORES[recipe.score].number,
        mean_filter=MEAN_GAIN_FILTERS[recipe.mean_gain_filter] if recipe.score == "gain_ratio" else FILTER_OFF,
        max_features=number_of_features(recipe.max_features, _n_columns(recipe, data)),
        feature_seed=int(recipe.feature_seed),
        random_thresholds=recipe.random_thresholds,
        penalty=recipe.release8_penalty,
        threshold_at=THRESHOLD_AT[recipe.threshold_at],
        min_leaf=float(recipe.min_rows_leaf),
        two_branches=recipe.min_rows_in == "two",
        release8_minimum=recipe.release8_numeric_minimum,
        min_split=float(recipe.min_rows_split),
        max_depth=2**31 - 1 if recipe.max_depth is None else recipe.max_depth,
        max_impurity=_limit(recipe.max_impurity, unit),
        min_error=_limit(recipe.min_squared_error),
        min_score=_limit(recipe.min_score, score_unit),
        min_log_worth=_least_log_worth(recipe),
        p_adjustment=P_ADJUSTMENTS[recipe.p_adjustment],
        min_decrease=_limit(recipe.min_impurity_decrease, unit),
        stop_at_one=recipe.stop_at_one_feature,
        empty_branches=recipe.empty_branches,
        regression=data.is_regression,
        n_stats=3 if data.is_regression else len(data.classes),
        with_info=with_info or SCORES[recipe.score].uses_split_information,
        nunez_w=float(recipe.nunez_w),
        row_factor=np.divide(1.0, factors, out=np.zeros(factors.size), where=factors > 0),
        missing=POLICIES[recipe.missing].number,
        missing_outcome=_counts_missing(recipe),
        monotone=bool(recipe.monotone),
        reg_lambda=float(recipe.reg_lambda),
        gamma=float(recipe.gamma),
        base=_base(recipe, data),
    )


def refuse_target(recipe: Recipe, data: Dataset) -> None:
    """InputError where a target is not one of counts, and the impurity is the deviance of counts."""
    if recipe.impurity != "poisson" or not data.is_regression or not data.n_rows:
        return
    least = float(data.y.min())
    if least < 0.0 or not data.y.max() > 0.0:
        raise InputError(
            message(
                "Impurity 'poisson' is for counts, but the target '{target}' {fault}: choose impurity 'variance', or "
                "another target.",
                target=data.target.name,
                fault=message("has the value {value}", value=f"{least:g}")
                if least < 0.0
                else message("is 0 in all rows"),
            )
        )


def _base(recipe: Recipe, data: Heading) -> float:
    """The base score of Newton's gain, which is estimated from rows."""
    if recipe.score != "newton":
        return default_base(data.is_regression)
    assert isinstance(data, Dataset), "score 'newton' needs rows"
    return newton_base(recipe, data)


def _limit(least: float | None, unit: float = 1.0) -> float:
    """A limit in the unit of the loops, −infinity where it is off; what reaches it but for rounding is not below it."""
    return -np.inf if least is None else least / unit * (1.0 - LIMIT_ROUNDING)


def _n_columns(recipe: Recipe, data: Heading) -> int:
    """How many features the recipe uses."""
    return sum(feature.type != "numeric" or recipe.numeric != "leave_out" for feature in data.features)


def _least_log_worth(recipe: Recipe) -> float:
    """−log₁₀ of the level that adjusted p-values must not exceed."""
    if recipe.score != "p_value" or recipe.chi2_level is None:
        return -np.inf
    return -math.log10(recipe.chi2_level) if recipe.chi2_level > 0 else np.inf


def _counts_missing(recipe: Recipe) -> bool:
    """Whether rows without a value are an outcome of their own in the split information."""
    policy = POLICIES[recipe.missing].number
    return policy == OWN_BRANCH or (policy == FRACTIONAL and recipe.missing_ratio == "quinlan")


@borrowing
def leaf_minimum(parameters, weight):
    """Weight that each branch of a threshold needs (release 8 requires more on large nodes)."""
    if parameters.release8_minimum:
        classes = 2 if parameters.regression else parameters.n_stats
        return max(parameters.min_leaf, min(25.0, 0.1 * weight / classes))
    return parameters.min_leaf


@borrowing
def node_weight(parameters, stats):
    """Weight of a node from its statistics."""
    if parameters.regression:
        return stats[0]
    weight = 0.0
    for class_weight in stats:
        weight += class_weight
    return weight


@borrowing
def row_weight(parameters, stats):
    """The same in row weights, which the minima count in: class weights and costs taken out again."""
    if parameters.row_factor.size == 0:
        return node_weight(parameters, stats)
    weight = 0.0
    for k in range(stats.size):
        weight += stats[k] * parameters.row_factor[k]
    return weight


@borrowing
def node_impurity(parameters, stats):
    """Impurity of a node from its statistics."""
    weight = node_weight(parameters, stats)
    if parameters.regression:
        return stats[2] / weight
    return node_total_impurity(parameters.impurity, stats, weight) / weight


@borrowing
def stop_before_search(parameters, stats, pure, depth, n_left):
    """The first reason, in the documented order, not to search for a test; SPLIT if there is none."""
    if pure:
        return PURE
    if n_left == 0 or (parameters.stop_at_one and n_left == 1):
        return NO_FEATURE
    if not at_least(row_weight(parameters, stats), parameters.min_split):
        return FEW_ROWS
    if depth >= parameters.max_depth:
        return DEPTH
    if parameters.max_impurity > -np.inf and node_impurity(parameters, stats) < parameters.max_impurity:
        return LOW_IMPURITY
    if parameters.regression and stats[2] < parameters.min_error:
        return LOW_ERROR
    if not at_least(row_weight(parameters, stats), 2.0 * parameters.min_leaf):
        return NO_CANDIDATE  # whatever the test, two branches need the minimum
    return SPLIT
