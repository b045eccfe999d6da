"""Which subtree of a sequence to take, and why, in two sentences (DEFINITIONS section 7)."""

from dataclasses import dataclass
from math import inf, isfinite

import numpy as np
from numpy.typing import ArrayLike

from explorer.errors import InputError
from explorer.formatting import leaves as leaves_words
from explorer.tree.metrics import METRICS, TIE

NAMES = {
    "accuracy": "an accuracy",
    "error": "an error rate",
    "log_loss": "a log loss",
    "auc": "an AUC",
    "expected_cost": "an expected cost",
    "mse": "a mean squared error",
}
"""Each metric with its article."""

SHARES = ("accuracy", "error")
"""Metrics shown in per cent; their differences are points."""

MINE = ("best", "one_se", "neither", "by_hand")
"""How a tree of some size was chosen."""


def one_se_position(
    n_leaves: ArrayLike, means: ArrayLike, standard_errors: ArrayLike, higher_is_better: bool = False
) -> int:
    """Position of the fewest leaves whose mean is within one standard error (that of the best) of the best mean.

    The best is itself within it, so the tree is never larger than the best one (of equal means the simpler).

    >>> one_se_position([5, 3, 2, 1], means=[0.20, 0.10, 0.14, 0.30], standard_errors=[0.01, 0.05, 0.09, 0.09])
    2
    """
    leaves, losses = np.asarray(n_leaves), np.asarray(means, dtype=np.float64)
    if higher_is_better:
        losses = -losses
    best = _fewest_leaves(leaves, losses, losses.min())
    return _fewest_leaves(leaves, losses, losses[best] + np.asarray(standard_errors, dtype=np.float64)[best])


def _fewest_leaves(leaves: ArrayLike, losses: ArrayLike, limit: float) -> int:
    """Position of the fewest leaves among the losses up to a limit; of equal ones the last."""
    within = np.flatnonzero(np.asarray(losses) <= limit + TIE * max(abs(limit), 1e-300))
    few = np.asarray(leaves)[within]
    return int(within[np.flatnonzero(few == few.min())[-1]])


@dataclass(frozen=True)
class SizeFacts:
    """The facts about a tree's size: leaves and scores of it, of the best, the 1-SE and the full tree.

    `how` is "validation" (`count` rows), "cross-validation" (`count` folds) or "leave-one-out" (`count` rows).
    `one_se_leaves`, `one_se_score` and `standard_error` (of the best score) are None where there is no standard error,
    as on one validation set. `mine` says what this tree is: "best", "one_se", "neither" or "by_hand"; α counts only
    where the tree was not pruned by hand.
    """

    leaves: int
    score: float
    metric: str
    how: str
    count: int
    baseline: float
    best_leaves: int
    best_score: float
    full_leaves: int
    full_score: float
    mine: str
    alpha_from: float = 0.0
    alpha_to: float = inf
    one_se_leaves: int | None = None
    one_se_score: float | None = None
    standard_error: float | None = None


def why_this_size(facts: SizeFacts) -> str:
    """Why a tree has the size it has, in exactly two sentences ready to quote.

    >>> facts = SizeFacts(leaves=3, score=0.941, metric="accuracy", how="cross-validation", count=10, baseline=0.333,
    ...     best_leaves=5, best_score=0.953, full_leaves=9, full_score=0.947, mine="one_se", alpha_from=0.0133,
    ...     alpha_to=0.26, one_se_leaves=3, one_se_score=0.941, standard_error=0.0172)
    >>> print(why_this_size(facts).replace("; ", ";\\n").replace(". ", ".\\n"))
    With α from 0.0133 up to 0.26 the tree has 3 leaves and an accuracy of 94.1 % by 10-fold cross-validation (33.3 % without a tree);
    it is the smallest within one standard error (1.7 points) of the best, which has 5 leaves and 95.3 %.
    The full tree has 9 leaves and 94.7 %, a difference of 0.6 points that is within one standard error, so the smaller tree is simpler but not shown to be worse.
    """  # noqa: E501 - the sentences are as long as they are
    if facts.mine not in MINE or facts.metric not in METRICS:
        raise InputError(f"A size is explained as one of {', '.join(MINE)} under a metric of {', '.join(METRICS)}.")
    return f"{_this_tree(facts)}; {_rank(facts)}. {_against_the_full_tree(facts)}."


def _this_tree(facts: SizeFacts) -> str:
    start = "Pruned by hand, the tree" if facts.mine == "by_hand" else f"{_interval(facts)} the tree"
    score = f"{NAMES[facts.metric]} of {_score(facts, facts.score)}"
    beaten = _gain(facts, facts.score, facts.baseline) > 0
    level = _score(facts, facts.baseline)
    compared = f"{level} without a tree" if beaten else f"no better than {level} without a tree"
    return f"{start} has {leaves_words(facts.leaves)} and {score} {_how(facts)} ({compared})"


def _interval(facts: SizeFacts) -> str:
    if facts.alpha_to == 0:
        return "Unpruned, before the splits that save nothing are taken back,"
    if not isfinite(facts.alpha_to):
        return f"With α from {_number(facts.alpha_from)} on"
    return f"With α from {_number(facts.alpha_from)} up to {_number(facts.alpha_to)}"


def _how(facts: SizeFacts) -> str:
    if facts.how == "leave-one-out":
        return f"when each of the {facts.count:,} rows is left out once"
    if facts.how == "cross-validation":
        return f"by {facts.count}-fold cross-validation"
    return "on 1 validation row" if facts.count == 1 else f"on {facts.count:,} validation rows"


def _rank(facts: SizeFacts) -> str:
    """How the tree compares with the best and the 1-SE tree of its sequence."""
    best = f"{leaves_words(facts.best_leaves)} and {_score(facts, facts.best_score)}"
    error, smallest = facts.standard_error, facts.one_se_leaves
    if facts.mine == "one_se" and error is not None and facts.leaves != facts.best_leaves:
        near = f"the smallest within one standard error ({_difference(facts, error)})"
        return f"it is {near} of the best, which has {best}"
    if facts.mine in ("best", "one_se"):
        return f"no tree of the sequence scores better{_rival(facts)}"
    if error is None or smallest is None or facts.one_se_score is None:
        return f"the best of the sequence{_on_these_rows(facts)} has {best}"
    within = f"{leaves_words(smallest)} and {_score(facts, facts.one_se_score)}"
    return f"the best of the sequence has {best}, the smallest within one standard error of it {within}"


def _on_these_rows(facts: SizeFacts) -> str:
    """A tree pruned by hand is evaluated on validation rows alone, whatever else evaluates the sequence."""
    return " on these rows" if facts.mine == "by_hand" else ""


def _rival(facts: SizeFacts) -> str:
    """What the standard error says about trees smaller than the best."""
    if facts.standard_error is None or facts.one_se_leaves is None or facts.one_se_score is None:
        return ", and of equal ones it is the smallest"
    error = _difference(facts, facts.standard_error)
    if facts.one_se_leaves == facts.leaves:
        return f", and no smaller one comes within one standard error ({error})"
    smaller = f"{leaves_words(facts.one_se_leaves)} and {_score(facts, facts.one_se_score)}"
    return f", though one with {smaller} is within one standard error ({error})"


def _against_the_full_tree(facts: SizeFacts) -> str:
    if facts.leaves == facts.full_leaves:
        return f"This is the full tree with all its {leaves_words(facts.full_leaves)}, so nothing was pruned"
    gain = _gain(facts, facts.score, facts.full_score)
    full = f"The full tree has {leaves_words(facts.full_leaves)} and {_score(facts, facts.full_score)}"
    if abs(gain) <= TIE * max(abs(facts.score), abs(facts.full_score)):
        return f"{full} as well, so the smaller tree loses nothing by these rows"
    difference, verdict = _difference(facts, abs(gain)), "better" if gain > 0 else "worse"
    if facts.standard_error is None:
        doubt = "one validation part does not tell how much of that is chance"
        return f"{full}, so this one is {difference} {verdict}, but {doubt}"
    if abs(gain) <= facts.standard_error * (1.0 + TIE):
        modest = f"so the smaller tree is simpler but not shown to be {verdict}"
        return f"{full}, a difference of {difference} that is within one standard error, {modest}"
    error = f"where one standard error of the best score is {_difference(facts, facts.standard_error)}"
    return f"{full}, so the smaller tree is {verdict} by {difference}, {error}"


def _gain(facts: SizeFacts, score: float, other: float) -> float:
    """By how much a score is better than another."""
    return score - other if METRICS[facts.metric] == "largest" else other - score


def _score(facts: SizeFacts, value: float) -> str:
    return f"{100 * value:.1f} %" if facts.metric in SHARES else _number(value)


def _difference(facts: SizeFacts, value: float) -> str:
    return f"{100 * value:.1f} points" if facts.metric in SHARES else _number(value)


def _number(value: float) -> str:
    """Four significant digits, and no power of ten for large or small numbers."""
    if abs(value) >= 10_000:
        return f"{value:,.0f}"
    return np.format_float_positional(value + 0.0, precision=4, fractional=False, trim="-")
