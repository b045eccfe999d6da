"""Boosting by hand: ten points, three stumps, and weights that grow where the last stump was wrong."""

from __future__ import annotations

import dataclasses

import numpy as np

from explorer.drawing.pictures.many_trees.boosting import WeightedPoints, WeightedVote
from explorer.ensembles.adaboost import vote_of
from explorer.ensembles.formulas.votes import vote_formula
from explorer.formatting import percent
from explorer.messages import message
from pages.learn.scenes.step import Chosen, Number, Question, Scene, Step
from pages.results.lessons import boosting

_SIGNS = ("−", "+")


def _source() -> str:
    return message("Li Hang, 统计学习方法 (2nd ed. 2019), example 8.1")


def steps(chosen: Chosen) -> tuple[Step, ...]:
    """The first stump, the new weights, two more rounds, and the vote of all three."""
    return _first_stump(), _vote(), _new_weights(), _second_round(), _third_round(), _sum_of_votes()


def _points(before: int, title: str, threshold: float, hides_errors: bool = False) -> WeightedPoints:
    """The points with the weights before a round, and a threshold."""
    rows, stumps = boosting.points(), boosting.stumps_of(before)
    return WeightedPoints(
        says=message("Ten points on a line as circles whose area is their weight; the wrong ones have a ring."),
        title=title,
        x=tuple(rows.frame["x"].astype(float).tolist()),
        codes=tuple(rows.y.tolist()),
        names=_SIGNS,
        weights=boosting.weights_before(before),
        stumps=stumps,
        stump=[stump.threshold for stump in stumps].index(threshold),
        hides_errors=hides_errors,
    )


def _round(stage: int, title: str) -> WeightedPoints:
    return _points(stage, title, boosting.member_stumps()[stage - 1].threshold)


def _alpha(stage: int) -> Number:
    ensemble = boosting.voting()
    member = ensemble.members[stage - 1]
    return Number(message("Vote α of tree {n}", n=stage), member.vote, 4, vote_formula(ensemble, member))


def _facts(stage: int) -> dict[str, float]:
    member = boosting.voting().members[stage - 1]
    return {
        f"threshold {stage}": boosting.threshold_of(member.tree),
        f"error {stage}": member.facts["epsilon"],
        f"alpha {stage}": member.vote,
    }


def _first_stump() -> Step:
    stumps = boosting.stumps_of(1)
    least = min(stump.error for stump in stumps)
    thresholds = ("2.5", "4.5", "5.5", "8.5")
    best = [index for index, text in enumerate(thresholds) if abs(_error_at(1, float(text)) - least) < 1e-9]
    return Step(
        name="first stump",
        title=message("One stump is not enough"),
        text=message(
            "Ten points, two classes, one feature, and trees of a single split. "
            "Move the threshold: ringed points are wrong, and every point weighs 0.1."
        ),
        picture=_round(1, message("Round 1: all weights 1/10")),
        before=_points(1, message("Round 1: all weights 1/10"), 4.5, hides_errors=True),
        number=Number(message("Least weighted error ε of a stump"), least, 1),
        question=Question(
            message("Which threshold has the smallest weighted error?"),
            thresholds,
            tuple(best),
            message("Thresholds 2.5 and 8.5 tie with three points wrong; the first is taken."),
        ),
        numbers={"error 1": least, "threshold 1": boosting.member_stumps()[0].threshold},
        source=_source(),
    )


def _error_at(stage: int, threshold: float) -> float:
    return next(stump.error for stump in boosting.stumps_of(stage) if stump.threshold == threshold)


def _vote() -> Step:
    return Step(
        name="vote",
        title=message("Its error decides its vote"),
        text=message(
            "Three of ten points are wrong: ε = {error:.1f}. The stump gets the vote α = ½ ln((1 − ε)/ε): "
            "the smaller the error, the larger the vote.",
            error=boosting.member_stumps()[0].error,
        ),
        picture=_round(1, message("Round 1: x ≤ 2.5 is +, the rest −")),
        number=_alpha(1),
        numbers=_facts(1),
        source=_source(),
    )


def _first_stump_again() -> WeightedPoints:
    """The first stump on the weights that it leaves: it predicts as before, now with half of the weight wrong."""
    picture, first = _points(2, message("Weights after round 1"), 2.5), boosting.member_stumps()[0]
    weights, rows = np.array(picture.weights), boosting.points()
    wrong = boosting.voting().members[0].tree.predict_encoded(rows) != rows.y
    again = dataclasses.replace(first, error=float(weights[wrong].sum()))
    stumps = tuple(again if index == picture.stump else stump for index, stump in enumerate(picture.stumps))
    return dataclasses.replace(picture, stumps=stumps)


def _new_weights() -> Step:
    weights = boosting.weights_before(2)
    wrong = sum(weight for weight, now in zip(weights, boosting.weights_before(1), strict=True) if weight > now)
    return Step(
        name="new weights",
        title=message("Wrong points grow, right ones shrink"),
        text=message(
            "The weights of wrong points are multiplied by exp(α), those of right ones by exp(−α). "
            "Then all are divided by their sum."
        ),
        picture=_first_stump_again(),
        before=_round(1, message("Round 1: x ≤ 2.5 is +, the rest −")),
        number=Number(message("New weight of each wrong point"), max(weights), 4),
        question=Question(
            message("What share of all weight do the three wrong points have afterwards?"),
            tuple(map(percent, (0.3, 0.4, 0.5, 0.6))),
            (2,),
            message(
                "{share} whatever the error was: the last stump is now no better than a coin.", share=percent(wrong)
            ),
        ),
        numbers={"weight of wrong": max(weights), "weight of right": min(weights)},
        source=_source(),
    )


def _second_round() -> Step:
    return Step(
        name="second round",
        title=message("Round 2 goes for the heavy points"),
        text=message(
            "With the new weights x ≤ {threshold} is best: it gets 6, 7 and 8 right. "
            "Points 3, 4 and 5 are wrong now, but they are light.",
            threshold=boosting.member_stumps()[1].threshold,
        ),
        picture=_round(2, message("Round 2: x ≤ 8.5 is +, the rest −")),
        before=_points(2, message("Weights after round 1"), 2.5, hides_errors=True),
        number=_alpha(2),
        question=Question(
            message("Which threshold is best with the new weights?"),
            ("2.5", "5.5", "8.5"),
            (2,),
            message("Its error is 3/14: three light points."),
        ),
        numbers=_facts(2),
        source=_source(),
    )


def _third_round() -> Step:
    printed = vote_of(round(boosting.member_stumps()[2].error, 3), 2, "half_log")
    return Step(
        name="third round",
        title=message("Round 3 turns the stump round"),
        text=message(
            "Now x ≤ {threshold} is − and the rest +. The book prints α = {printed:.4f}, "
            "since it rounds ε = 2/11 to 0.182 on the way.",
            threshold=boosting.member_stumps()[2].threshold,
            printed=printed,
        ),
        picture=_round(3, message("Round 3: x ≤ 5.5 is −, the rest +")),
        number=_alpha(3),
        numbers=_facts(3) | {"printed alpha 3": round(printed, 4)},
        source=_source(),
    )


def _sum_of_votes() -> Step:
    rows, errors = boosting.points(), boosting.errors_by_stage()
    picture = WeightedVote(
        says=message("The three stumps as bars, and the sum of their weighted votes as a staircase over x."),
        title=message("The weighted vote: its sign is the answer"),
        x=tuple(rows.frame["x"].astype(float).tolist()),
        codes=tuple(rows.y.tolist()),
        names=_SIGNS,
        stumps=boosting.member_stumps(),
        votes=tuple(member.vote for member in boosting.voting().members),
        scores=boosting.vote_sums(),
        stage=3,
    )
    return Step(
        name="sum of votes",
        title=message("Three weak trees make no mistake"),
        text=message(
            "Each stump votes with its α, and the sign of the sum decides. "
            "With 1, 2 and 3 trees the vote gets {first}, {second} and {third} points wrong.",
            first=errors[0],
            second=errors[1],
            third=errors[2],
        ),
        picture=picture,
        before=_round(3, message("Round 3: x ≤ 5.5 is −, the rest +")),
        number=Number(
            message("Bound on the training error after round 3"), boosting.voting().members[2].facts["bound"]
        ),
        question=Question(
            message("Each stump alone gets at least 3 of 10 wrong. How many does the vote of all three?"),
            ("3", "2", "1", "0"),
            (3,),
            message("Wherever one stump is wrong, the other two outvote it."),
        ),
        numbers={f"errors {stage}": float(count) for stage, count in enumerate(errors, start=1)},
        source=_source(),
    )


SCENE = Scene(
    name="boosting",
    title=lambda: message("Boosting by hand"),
    asks=lambda: message("How do three weak trees make a perfect vote?"),
    minutes=3,
    steps=steps,
    own_page="ensembles",
    sample="lihang_8_1",
    recipe="CART",
)
