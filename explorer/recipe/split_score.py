"""Which candidate wins: the table of scores, and the one tie rule (DEFINITIONS section 4); called by both layers.

First every feature picks its best candidate by gain, then the features compete by the score. In both competitions the
first candidate in order wins whose score is the largest but for rounding.
"""

import math
from dataclasses import dataclass

import numpy as np

from explorer.jit import borrowing, kernel
from explorer.messages import Worded, message
from explorer.recipe.impurity import POISSON

GAIN, GAIN_RATIO, OWN_SCORE = "gain", "gain ratio", "score"
"""The keys of the number that candidates compete by: the gain, the gain ratio, or a score of its own."""


@dataclass(frozen=True, kw_only=True)
class SplitScore:
    """One score: everything that the package and the pages know of it but its formula.

    `number` is what compiled code knows it by. `compares` is `GAIN`, `GAIN_RATIO`, or `OWN_SCORE` for a formula of its
    own. `unit_power` is the power of the impurity's unit that it is measured in: 0 for a ratio, 2 for gain².
    `by_entropy` says that it is defined by entropy, `any_impurity` that a reader may choose the impurity, and
    `uses_split_information` that the compiled loops have to work that out.
    `needs` is "classes" or "numbers" where it suits only such a target, and `refusal` is the error text for others.
    """

    name: str
    number: int
    label: Worded = Worded()
    compares: str = OWN_SCORE
    unit_power: float = 1
    by_entropy: bool = False
    any_impurity: bool = True
    uses_costs: bool = False
    uses_split_information: bool = False
    needs: str = ""
    refusal: Worded = Worded("")


BY_GAIN, BY_GAIN_RATIO, BY_DECREASE, BY_TAN_SCHLIMMER, BY_NUNEZ, BY_SQUARED_SHARE = range(6)
BY_NEWTON = 6
BY_P_VALUE = 7
SCORES = {
    score.name: score
    for score in (
        SplitScore(
            name="gain",
            number=BY_GAIN,
            label=lambda: message("Information gain"),
            compares=GAIN,
            by_entropy=True,
            any_impurity=False,
        ),
        SplitScore(
            name="gain_ratio",
            number=BY_GAIN_RATIO,
            label=lambda: message("Gain ratio"),
            compares=GAIN_RATIO,
            unit_power=0,
            by_entropy=True,
            any_impurity=False,
            uses_split_information=True,
        ),
        SplitScore(
            name="decrease",
            number=BY_DECREASE,
            label=lambda: message("Impurity decrease"),
            compares=GAIN,
        ),
        SplitScore(
            name="tan_schlimmer",
            number=BY_TAN_SCHLIMMER,
            label=lambda: message("Decrease² / cost"),
            unit_power=2,
            uses_costs=True,
        ),
        SplitScore(
            name="nunez",
            number=BY_NUNEZ,
            label=lambda: message("Gain against cost"),
            unit_power=0,
            any_impurity=False,
            uses_costs=True,
            needs="classes",
            refusal=lambda: message(
                "Núñez's score counts in bits and needs classes, but the target is numeric: use score 'tan_schlimmer'."
            ),
        ),
        SplitScore(
            name="squared_share_weighting",
            number=BY_SQUARED_SHARE,
            label=lambda: message("Squared errors weighed twice"),
            any_impurity=False,
            needs="numbers",
            refusal=lambda: message(
                "Score 'squared_share_weighting' needs a numeric target, but the target is categorical: "
                "use another score."
            ),
        ),
        SplitScore(
            name="newton",
            number=BY_NEWTON,
            label=lambda: message("Newton gain (XGBoost)"),
            any_impurity=False,
        ),
        SplitScore(
            name="p_value",
            number=BY_P_VALUE,
            label=lambda: message("Adjusted p-value (LogWorth)"),
            unit_power=0,
            needs="classes",
            refusal=lambda: message(
                "Score 'p_value' tests branches against classes by χ², but the target is numeric: use score 'decrease'."
            ),
        ),
    )
}
"""The scores by the name that a recipe gives them."""
_IN_UNIT_OF_IMPURITY = tuple(score.number for score in SCORES.values() if score.unit_power == 1)

FILTER_OFF, FILTER_AT_LEAST, FILTER_GREATER = 0, 1, 2
MEAN_GAIN_FILTERS = {"off": FILTER_OFF, "at_least": FILTER_AT_LEAST, "greater": FILTER_GREATER}
ADJUST_NONE, ADJUST_BONFERRONI, ADJUST_SIDAK = range(3)
P_ADJUSTMENTS = {"bonferroni": ADJUST_BONFERRONI, "sidak": ADJUST_SIDAK, "none": ADJUST_NONE}
"""How score "p_value" allows for the number of features, by the name that a recipe gives it."""

TIE = 1e-10
"""What differs by at most this share is equal: scores, of the larger of score and impurity; class weights, of their
sum; expected costs, of one of them."""


@borrowing
def has_own_gain(parameters):
    """Whether the tests of a feature compete by another number than the decrease of variance or of class impurity."""
    return parameters.score in (BY_SQUARED_SHARE, BY_NEWTON) or parameters.impurity >= POISSON


@kernel
def tie_margin(largest, scale):
    """How far below the largest score a score may lie and still be equal to it."""
    return TIE * max(abs(largest), scale)


@kernel
def second_is_better(first, second, scale):
    """Whether the second of two gains is larger but for rounding; of equal ones the first is taken."""
    return second > first + tie_margin(max(abs(first), abs(second)), scale)


@borrowing
def first_best(scores, scale):
    """Position of the first score that equals the largest one (nan = out of the competition); −1 if there is none."""
    largest = -np.inf
    for score in scores:
        if score > largest:  # false for nan
            largest = score
    for position in range(scores.size):
        if scores[position] >= largest - tie_margin(largest, scale):
            return position
    return -1


@borrowing
def has_ratio(split_info):
    """Whether a gain can be divided by this split information: not where (all but) every row takes one branch."""
    return split_info > 1e-12


@borrowing
def mean_gain_of(gains, split_infos, many_values):
    """Mean of the features' best gains, without those that have none (nan), no ratio or many values; nan without any.

    `many_values` [F] says which features have so many values that their gains are left out (`has_many_values`).
    """
    total, count = 0.0, 0
    for feature in range(gains.size):
        if not (np.isnan(gains[feature]) or many_values[feature]) and has_ratio(split_infos[feature]):
            total += gains[feature]
            count += 1
    return total / count if count else np.nan


@borrowing
def passes_mean(gain, mean, rule):
    """Whether a feature's best gain passes the mean-gain filter (Quinlan 1993; "greater" is the literal reading)."""
    if rule == FILTER_AT_LEAST:
        return gain >= mean - 1e-9 * abs(mean)
    if rule == FILTER_GREATER:
        return gain > mean + 1e-12 * abs(mean)
    return not np.isnan(gain)


@borrowing
def score_of(gain, split_info, cost, score, nunez_w):
    """What a candidate competes by (Tan and Schlimmer 1990: gain²/cost; Núñez 1991: (2^gain − 1)/(cost + 1)^w).

    `gain` is in bits, `cost` that of the candidate's feature.
    """
    if score == BY_GAIN_RATIO:
        return gain / split_info
    if score == BY_TAN_SCHLIMMER:
        return gain * abs(gain) / cost
    if score == BY_NUNEZ:
        return math.expm1(gain * math.log(2.0)) / (cost + 1.0) ** nunez_w
    return gain


@kernel
def scores_of(gains, split_infos, cost, score, nunez_w):
    """`score_of` every test of one feature."""
    scores = np.empty(gains.size)
    for i in range(gains.size):
        scores[i] = score_of(gains[i], split_infos[i], cost, score, nunez_w)
    return scores


@borrowing
def fill_scores(gains, split_infos, costs, many_values, score, mean_rule, nunez_w, scores):
    """Write the score of every feature from its best gain into `scores`; nan where it is out of the competition."""
    mean = mean_gain_of(gains, split_infos, many_values) if score == BY_GAIN_RATIO else 0.0
    for feature in range(gains.size):
        scores[feature] = score_of(gains[feature], split_infos[feature], costs[feature], score, nunez_w)
        if score == BY_GAIN_RATIO:
            passed = has_ratio(split_infos[feature]) and passes_mean(gains[feature], mean, mean_rule)
            scores[feature] = scores[feature] if passed else np.nan


@kernel
def less_threshold_penalty(gain, n_thresholds, weight):
    """Gain less Quinlan's (1996) penalty for choosing among thresholds; a feature is out unless something is left."""
    return gain - math.log2(n_thresholds) / weight


@borrowing
def score_limit(score, min_score, weight):
    """The least score that a winner needs at a node of this weight.

    Newton's gain competes per weight here, but it is printed and limited as XGBoost does: for the whole node. A
    negative one would raise the objective, so it makes no split.
    """
    return max(min_score, 0.0) / weight if score == BY_NEWTON else min_score


@kernel
def at_least(weight, minimum):
    """Whether a weight is at least a minimum, but for the rounding of fractional weights."""
    return weight >= minimum - 1e-9 * minimum


@kernel
def scale_of(score, impurity):
    """What a score is compared with in the tie rule: the node's impurity, or nothing for scores of another unit."""
    return impurity if score in _IN_UNIT_OF_IMPURITY else 0.0
