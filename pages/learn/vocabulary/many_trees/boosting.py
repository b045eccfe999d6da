"""Boosting by hand: AdaBoost's weights and votes of three stumps, and six stumps that fit residuals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise

import numpy as np

from explorer.drawing.pictures.many_trees.boosting import BoostedFit, WeightedPoints, WeightedVote
from explorer.ensembles.adaboost import vote_of
from explorer.ensembles.formulas.leaf_values import leaf_formula
from explorer.ensembles.formulas.votes import vote_formula
from pages.learn.vocabulary.words import Derived, Here, add, word
from pages.results.lessons import boosting
from pages.text import typeset

_SIGNS = ("−", "+")


@word
def weighted_points(here: Here, round: int, at: float | None = None, hides: bool = False) -> WeightedPoints:
    """The points with the weights before a round, and a threshold, by default that of the round's stump."""
    rows, stumps = boosting.points(), boosting.stumps_of(round)
    threshold = boosting.member_stumps()[round - 1].threshold if at is None else at
    return WeightedPoints(
        says=here.says,
        title=here.heading,
        x=tuple(rows.frame["x"].astype(float).tolist()),
        codes=tuple(rows.y.tolist()),
        names=_SIGNS,
        weights=boosting.weights_before(round),
        stumps=stumps,
        stump=[stump.threshold for stump in stumps].index(threshold),
        hides_errors=hides,
    )


@word
def first_stump_again(here: Here) -> WeightedPoints:
    """The first stump on the weights that it leaves: it predicts as before, now with half of the weight wrong."""
    first = boosting.member_stumps()[0]
    picture = weighted_points(here, 2, first.threshold)
    again = replace(first, error=wrong_share(here))
    stumps = tuple(again if index == picture.stump else stump for index, stump in enumerate(picture.stumps))
    return replace(picture, stumps=stumps)


@word
def round_fact(here: Here, round: int, fact: str) -> float:
    """The threshold or error of a round's stump, or the bound on the training error after the round."""
    member = boosting.voting().members[round - 1]
    if fact == "threshold":
        return boosting.threshold_of(member.tree)
    return float(member.facts["epsilon" if fact == "error" else fact])


@word
def round_vote(here: Here, round: int) -> Derived:
    """The vote α of a round's stump."""
    member = boosting.voting().members[round - 1]
    return Derived(member.vote, vote_formula(boosting.voting(), member))


@word
def each_round_fact(here: Here, round: int) -> Mapping[str, float]:
    """Threshold, error and vote of a round, as numbers of their own."""
    facts = {f"{fact} {round}": round_fact(here, round, fact) for fact in ("threshold", "error")}
    return facts | {f"alpha {round}": round_vote(here, round)}


@word
def wrong_share(here: Here) -> float:
    """The share of all weight that the wrong points then have."""
    pairs = zip(boosting.weights_before(2), boosting.weights_before(1), strict=True)
    return sum(after for after, before in pairs if after > before)


@word
def weighted_vote(here: Here) -> WeightedVote:
    """The three stumps, and the sum of their votes."""
    rows = boosting.points()
    return WeightedVote(
        says=here.says,
        title=here.heading,
        x=tuple(rows.frame["x"].astype(float).tolist()),
        codes=tuple(rows.y.tolist()),
        names=_SIGNS,
        stumps=boosting.member_stumps(),
        votes=tuple(member.vote for member in boosting.voting().members),
        scores=boosting.vote_sums(),
        stage=3,
    )


@word
def fit_at(here: Here, stage: int, rate: str = "1", next: bool = False) -> BoostedFit:
    """The fit of a stage and its residuals, with the next stump."""
    fits = boosting.fits(float(rate))
    return BoostedFit(
        says=here.says,
        title=here.heading,
        x=tuple(here.data.frame["x"].astype(float).tolist()),
        y=tuple(np.asarray(here.data.y, dtype=float).tolist()),
        fits=fits,
        steps=tuple(tuple((np.array(after) - np.array(before)).tolist()) for before, after in pairwise(fits)),
        losses=boosting.squared_losses(float(rate)),
        stage=stage,
        shows_next=next,
    )


@word
def stage_fact(here: Here, stage: int, fact: str) -> Derived:
    """The threshold of a stage's stump, or its left or right leaf."""
    member = boosting.fitted().members[stage - 1]
    if fact == "threshold":
        return Derived(boosting.threshold_of(member.tree))
    leaf = ("left", "right").index(fact) + 1
    return Derived(float(member.tree.values[leaf]), leaf_formula(boosting.fitted(), member, leaf))


@word
def each_stage_fact(here: Here, stage: int) -> Mapping[str, float]:
    """Threshold, leaves and loss of a stage, as numbers of their own."""
    facts = {f"{fact} {stage}": stage_fact(here, stage, fact) for fact in ("threshold", "left", "right")}
    return facts | {f"loss {stage}": loss_after(here, stage)}


@word
def first_residual(here: Here) -> float:
    """What the first stump leaves of the first point."""
    target = boosting.fitted().members[1].target
    assert target is not None
    return float(target[0])


@word
def loss_after(here: Here, stage: int, rate: str = "1") -> float:
    """The sum of squared residuals after a stage."""
    return boosting.squared_losses(float(rate))[stage]


add(
    # The vote from the error rounded to three decimals, as the book prints it.
    printed_vote=lambda here, round: vote_of(float(np.round(round_fact(here, round, "error"), 3)), 2, "half_log"),
    # The weight of each wrong or right point after the first round.
    new_weight=lambda here, of: (max if of == "wrong" else min)(boosting.weights_before(2)),
    # How many points the vote of so many stumps gets wrong.
    wrong_after=lambda here, trees: boosting.errors_by_stage()[trees - 1],
    signed=lambda here, value: typeset(f"{value:.4f}"),  # A number with four decimals and the sign of mathematics.
    # The same of all stages, as numbers of their own.
    each_loss=lambda here: {f"loss {stage}": loss for stage, loss in enumerate(boosting.squared_losses()) if stage},
    loss_of_line=lambda here: boosting.loss_of_line(),  # The sum of squared residuals that the best line leaves.
)
