"""Which subtree of a sequence to take, and why, in two sentences (DEFINITIONS section 7)."""

from dataclasses import dataclass, replace
from math import inf, isfinite

import numpy as np
from numpy.typing import ArrayLike

from explorer.data.division import way_text
from explorer.errors import InputError
from explorer.formatting import METRIC_NAMES, with_percent_sign
from explorer.formatting import leaves as leaves_words
from explorer.messages import listing, message, plural
from explorer.tree.metrics import METRICS, TIE

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

    `how` is "validation" (`count` rows), or what `way_of_folds` calls `count` folds.
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
    With α from 0.0133 up to 0.26: 3 leaves, accuracy 94.1 % by 10-fold cross-validation (majority baseline 33.3 %);
    it is the smallest within one standard error (1.7 points) of the best, which has 5 leaves and 95.3 %.
    The full tree has 9 leaves and 94.7 %, a difference of 0.6 points that is within one standard error, so the smaller tree is simpler but not shown to be worse.
    """  # noqa: E501 - the sentences are as long as they are
    if facts.mine not in MINE or facts.metric not in METRICS:
        raise InputError(
            message(
                "A size is explained as one of {reasons} under a metric of {metrics}.",
                reasons=listing(MINE),
                metrics=listing(METRICS),
            )
        )
    return message(
        "{which}: {leaves}, {metric} {score} {how} ({baseline}); {rank}. {full}",
        which=_which(facts),
        leaves=leaves_words(facts.leaves),
        metric=METRIC_NAMES[facts.metric],
        score=_score(facts, facts.score),
        how=_how(facts),
        baseline=_baseline(facts),
        rank=_rank(facts),
        full=_against_the_full_tree(facts),
    )


def size_lines(facts: SizeFacts) -> tuple[str, ...]:
    """What the scores are, then a line each for the best tree, the 1-SE tree where there is one, and this one.

    >>> facts = SizeFacts(leaves=9, score=0.947, metric="accuracy", how="validation", count=150, baseline=0.333,
    ...     best_leaves=5, best_score=0.953, full_leaves=9, full_score=0.947, mine="neither")
    >>> for line in size_lines(facts):
    ...     print(line)
    accuracy on 150 validation rows (majority baseline 33.3 %)
    ★ best: 5 leaves, 95.3 %
    ○ mine: 9 leaves, 94.7 %
    >>> of_folds = replace(facts, how="cross-validation", count=10)
    >>> size_lines(replace(of_folds, one_se_leaves=3, one_se_score=0.941, standard_error=0.0172))[2]
    '◇ 1-SE: 3 leaves, 94.1 %, within one standard error (1.7 points) of ★'
    """
    facts = replace(facts, full_score=facts.score)  # no difference is shown, so that one decimal is enough
    shown = {"metric": METRIC_NAMES[facts.metric], "how": _how(facts), "baseline": _baseline(facts)}
    lines = [message("{metric} {how} ({baseline})", **shown)]
    trees = [("best", facts.best_leaves, facts.best_score)]
    if facts.one_se_leaves is not None and facts.one_se_score is not None:
        trees.append(("one_se", facts.one_se_leaves, facts.one_se_score))
    trees.append(("by_hand" if facts.mine == "by_hand" else "mine", facts.leaves, facts.score))
    for name, leaves, score in trees:
        error = _difference(facts, facts.standard_error or 0.0)
        fields = {"leaves": leaves_words(leaves), "score": _score(facts, score), "error": error}
        lines.append(_LINES[name](fields))
    return tuple(lines)


_LINES = {
    "best": lambda fields: message("★ best: {leaves}, {score}", **fields),
    "one_se": lambda fields: message("◇ 1-SE: {leaves}, {score}, within one standard error ({error}) of ★", **fields),
    "mine": lambda fields: message("○ mine: {leaves}, {score}", **fields),
    "by_hand": lambda fields: message("◆ by hand: {leaves}, {score}", **fields),
}


def _which(facts: SizeFacts) -> str:
    """The tree, by how it was chosen."""
    if facts.mine == "by_hand":
        return message("Pruned by hand")
    if facts.alpha_to == 0:
        return message("Unpruned, with the splits that reduce no risk")
    if not isfinite(facts.alpha_to):
        return message("With α from {least} on", least=_number(facts.alpha_from))
    return message("With α from {least} up to {most}", least=_number(facts.alpha_from), most=_number(facts.alpha_to))


def _baseline(facts: SizeFacts) -> str:
    """The score without a tree, and whether the tree is better or worse."""
    score, gain = _score(facts, facts.baseline), _gain(facts, facts.score, facts.baseline)
    if gain > 0:
        if facts.metric == "mse":
            return message("mean baseline {score}", score=score)
        return message("majority baseline {score}", score=score)
    if gain < -TIE * abs(facts.baseline):
        if facts.metric == "mse":
            return message("worse than the mean baseline, {score}", score=score)
        return message("worse than the majority baseline, {score}", score=score)
    if facts.metric == "mse":
        return message("no better than the mean baseline, {score}", score=score)
    return message("no better than the majority baseline, {score}", score=score)


def _how(facts: SizeFacts) -> str:
    if facts.how == "validation":
        return plural(facts.count, "on {n:,} validation row", "on {n:,} validation rows")
    return message("by {folds}", folds=way_text(facts.how, facts.count))


def _size_and_score(facts: SizeFacts, leaves: int, score: float) -> str:
    return message("{leaves} and {score}", leaves=leaves_words(leaves), score=_score(facts, score))


def _rank(facts: SizeFacts) -> str:
    """How the tree compares with the best and the 1-SE tree of its sequence."""
    best = _size_and_score(facts, facts.best_leaves, facts.best_score)
    error, smallest = facts.standard_error, facts.one_se_leaves
    if facts.mine == "one_se" and error is not None and facts.leaves != facts.best_leaves:
        return message(
            "it is the smallest within one standard error ({error}) of the best, which has {best}",
            error=_difference(facts, error),
            best=best,
        )
    if facts.mine in ("best", "one_se"):
        return _against_smaller_trees(facts)
    if error is None or smallest is None or facts.one_se_score is None:
        if facts.mine == "by_hand":  # evaluated on validation rows alone, whatever else evaluates the sequence
            return message("the best of the sequence on these rows has {best}", best=best)
        return message("the best of the sequence has {best}", best=best)
    return message(
        "the best of the sequence has {best}, the smallest within one standard error of it {smallest}",
        best=best,
        smallest=_size_and_score(facts, smallest, facts.one_se_score),
    )


def _against_smaller_trees(facts: SizeFacts) -> str:
    """What the standard error says about trees smaller than the best."""
    if facts.standard_error is None or facts.one_se_leaves is None or facts.one_se_score is None:
        return message("no tree of the sequence scores better, and it is the smallest with this score")
    error = _difference(facts, facts.standard_error)
    if facts.one_se_leaves == facts.leaves:
        return message(
            "no tree of the sequence scores better, and no smaller one comes within one standard error ({error})",
            error=error,
        )
    return message(
        "no tree of the sequence scores better, though one with {smaller} is within one standard error ({error})",
        smaller=_size_and_score(facts, facts.one_se_leaves, facts.one_se_score),
        error=error,
    )


def _against_the_full_tree(facts: SizeFacts) -> str:
    if facts.leaves == facts.full_leaves:
        return message(
            "This is the full tree with all its {leaves}, so nothing was pruned.",
            leaves=leaves_words(facts.full_leaves),
        )
    gain = _gain(facts, facts.score, facts.full_score)
    full = _size_and_score(facts, facts.full_leaves, facts.full_score)
    if abs(gain) <= TIE * max(abs(facts.score), abs(facts.full_score)):
        return message("The full tree has {full} as well, so the smaller tree loses nothing on these rows.", full=full)
    difference = _difference(facts, abs(gain))
    if facts.standard_error is None:
        return _without_error(full, difference, gain > 0)
    if abs(gain) <= facts.standard_error * (1.0 + TIE):
        return _within_error(full, difference, gain > 0)
    return _beyond_error(full, difference, _difference(facts, facts.standard_error), gain > 0)


def _without_error(full: str, difference: str, is_better: bool) -> str:
    if is_better:
        return message(
            "The full tree has {full}, so this one is {difference} better, but one validation set does not show how "
            "much of that is chance.",
            full=full,
            difference=difference,
        )
    return message(
        "The full tree has {full}, so this one is {difference} worse, but one validation set does not show how much of "
        "that is chance.",
        full=full,
        difference=difference,
    )


def _within_error(full: str, difference: str, is_better: bool) -> str:
    if is_better:
        return message(
            "The full tree has {full}, a difference of {difference} that is within one standard error, so the smaller "
            "tree is simpler but not shown to be better.",
            full=full,
            difference=difference,
        )
    return message(
        "The full tree has {full}, a difference of {difference} that is within one standard error, so the smaller tree "
        "is simpler but not shown to be worse.",
        full=full,
        difference=difference,
    )


def _beyond_error(full: str, difference: str, error: str, is_better: bool) -> str:
    if is_better:
        return message(
            "The full tree has {full}, so the smaller tree is better by {difference}, where one standard error of the "
            "best score is {error}.",
            full=full,
            difference=difference,
            error=error,
        )
    return message(
        "The full tree has {full}, so the smaller tree is worse by {difference}, where one standard error of the best "
        "score is {error}.",
        full=full,
        difference=difference,
        error=error,
    )


def _gain(facts: SizeFacts, score: float, other: float) -> float:
    """By how much a score is better than another."""
    return score - other if METRICS[facts.metric] == "largest" else other - score


def _score(facts: SizeFacts, value: float) -> str:
    return with_percent_sign(f"{100 * value:.{_decimals(facts)}f}") if facts.metric in SHARES else _number(value)


def _difference(facts: SizeFacts, value: float) -> str:
    if facts.metric not in SHARES:
        return _number(value)
    return message("{points} points", points=f"{100 * value:.{_decimals(facts)}f}")


def _decimals(facts: SizeFacts) -> int:
    """Decimals of shares: one, or more where the difference from the full tree would not be that of the scores shown.

    79.66 and 79.54 differ by 0.12; with one decimal, 79.7 and 79.5 would differ by 0.1.
    """
    score, full = 100 * facts.score, 100 * facts.full_score
    return next((digits for digits in (1, 2, 3) if _agree(score, full, digits)), 1)


def _agree(score: float, full: float, digits: int) -> bool:
    """Whether the difference of two numbers, rounded, is that of the rounded numbers."""
    shown = abs(round(score, digits) - round(full, digits))
    return abs(shown - round(abs(score - full), digits)) < 0.5 * 10.0**-digits


def _number(value: float) -> str:
    """Four significant digits, and no power of ten for large or small numbers."""
    if abs(value) >= 10_000:
        return f"{value:,.0f}"
    return np.format_float_positional(value + 0.0, precision=4, fractional=False, trim="-")
