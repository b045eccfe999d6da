"""Boosting by hand: AdaBoost's weights and votes of three stumps, and six stumps that fit residuals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import sqrt

import numpy as np

from explorer.drawing.pictures.chart import Axis, Chart, Mark, Panel, Place, across, dot, line, rect, stairs, text
from explorer.ensembles.adaboost import vote_of
from explorer.ensembles.formulas.leaf_values import leaf_formula
from explorer.ensembles.formulas.votes import vote_formula
from explorer.messages import message, plural
from pages.learn.vocabulary.words import Derived, Here, add, word
from pages.results.lessons import boosting
from pages.text import typeset

_SIGNS = ("−", "+")


def _x_axis(x: Sequence[float], has_ticks: bool = True) -> Axis:
    """An axis of whole numbers with half a step free at both ends."""
    ticks = tuple((value, f"{value:g}") for value in x) if has_ticks else ()
    return Axis(low=min(x) - 0.5, high=max(x) + 0.5, ticks=ticks)


def _short(value: float) -> str:
    return f"{value:.3f}".removeprefix("0")


def _weighted(here: Here, round: int, chosen: float, stumps: Sequence[boosting.Stump], hides: bool) -> Chart:
    """Points of two classes whose area is their weight, and a threshold that is moved over bars of its errors."""
    rows, weights = boosting.points(), boosting.weights_before(round)
    x, codes = rows.frame["x"].astype(float).tolist(), rows.y.tolist()
    axis, most = _x_axis(x), max(stump.error for stump in stumps)
    texts = (
        text(f"weight {at}", value, 0.0, f"{w:.3f}", dy=-8)
        for at, (value, w) in enumerate(zip(x, weights, strict=True))
    )
    plot = Panel(x=axis, y=Axis(low=0.0, high=1.0, ticks=()), marks=tuple(texts), share=1.3)
    errors = []
    for at, (threshold, _, _, error) in enumerate(stumps):
        place = (threshold - 0.33, threshold + 0.33)
        errors.append(rect(f"error {at}", place, (0.0, error), opacity=0.6, to=at, hovers=True, wide=40))
        errors.append(text(f"error text {at}", threshold, error, _short(error), dy=-6))
    bars = Panel(
        x=replace(_x_axis(x, False), is_drawn=True),
        y=Axis(low=0.0, high=1.2 * most, ticks=()),
        marks=tuple(errors),
        title=message("Weighted error of each threshold"),
    )
    places = []
    for at, stump in enumerate(stumps):
        fields = {"threshold": f"{stump.threshold:g}", "error": f"{stump.error:.4f}"}
        said = message("x ≤ {threshold}: weighted error {error}", **fields)
        said = f"x ≤ {stump.threshold:g}" if hides else said
        bar = rect(
            f"error {at}",
            (stump.threshold - 0.33, stump.threshold + 0.33),
            (0.0, stump.error),
            "primary",
            wide=40,
            to=at,
        )
        upper = tuple(_voted(axis, stump, x, codes, weights))
        places.append(Place(said=said, reading=said, at=stump.threshold, marks=(upper, (bar,))))
    return Chart(
        says=here.says,
        title=here.heading,
        columns=((plot,) if hides else (plot, bars),),
        places=tuple(places),
        shown=[stump.threshold for stump in stumps].index(chosen),
        slider=message("Threshold"),
    )


def _voted(
    axis: Axis, stump: boosting.Stump, x: Sequence[float], codes: Sequence[int], weights: Sequence[float]
) -> Iterator[Mark]:
    """The two sides of a stump in the colours of their classes, and the points, the wrong ones ringed."""
    yield rect("left", (axis.low, stump.threshold), (0.0, 1.0), stump.left, opacity=0.13, round=0)
    yield rect("right", (stump.threshold, axis.high), (0.0, 1.0), stump.right, opacity=0.13, round=0)
    yield across("threshold", stump.threshold, 0.0, 1.0, dash="5 4")
    for at, (value, code, weight) in enumerate(zip(x, codes, weights, strict=True)):
        side, share = stump.left if value <= stump.threshold else stump.right, sqrt(weight / max(1 / 6, *weights))
        size = {"r": 34 * share, "size": 0.46 * share, "of": "x"}
        yield dot(f"point {at}", value, 0.55, code, hollow="thick", sign=_SIGNS[code], ring=side != code, **size)


@word
def weighted_points(here: Here, round: int, at: float | None = None, hides: bool = False) -> Chart:
    """The points with the weights before a round, and a threshold, by default that of the round's stump."""
    threshold = boosting.member_stumps()[round - 1].threshold if at is None else at
    return _weighted(here, round, threshold, boosting.stumps_of(round), hides)


@word
def first_stump_again(here: Here) -> Chart:
    """The first stump on the weights that it leaves: it predicts as before, now with half of the weight wrong."""
    first = boosting.member_stumps()[0]
    again = first._replace(error=wrong_share(here))
    stumps = [again if stump.threshold == first.threshold else stump for stump in boosting.stumps_of(2)]
    return _weighted(here, 2, first.threshold, stumps, False)


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
def weighted_vote(here: Here) -> Chart:
    """The three stumps, and the sum of their votes."""
    rows, stumps, sums = boosting.points(), boosting.member_stumps(), boosting.vote_sums()
    x, codes = rows.frame["x"].astype(float).tolist(), rows.y.tolist()
    votes, axis = [member.vote for member in boosting.voting().members], _x_axis(x)
    alphas = [
        text(f"alpha {at}", axis.high, -at - 0.5, f"α = {vote:.4f}", dx=10, dy=4, anchor="start")
        for at, vote in enumerate(votes)
    ]
    upper = Panel(x=_x_axis(x, False), y=Axis(low=-3.0, high=0.0, ticks=()), marks=tuple(alphas), most=150)
    zero = line("zero", ((axis.low, 0.0), (axis.high, 0.0)), "quiet", width=1)
    lower = Panel(x=axis, y=Axis(low=-sum(votes), high=sum(votes), ticks=((0.0, "0"),), has_lines=False), marks=(zero,))
    places = []
    for stage, scores in enumerate(sums):
        wrong = [score == 0 or (score > 0) != code for score, code in zip(scores, codes, strict=True)]
        points = zip(x, scores, codes, wrong, strict=True)
        said = plural(sum(wrong), "{n} point wrong", "{n} points wrong") if stage else message("no vote yet")
        name = plural(stage, "{n} tree", "{n} trees")
        reading = message("{name}: {value}", name=name, value=said)
        dots = [
            dot(f"point {at}", value, score, code, r=11, hollow="thick", sign=_SIGNS[code], ring=is_wrong)
            for at, (value, score, code, is_wrong) in enumerate(points)
        ]
        marks = tuple(_voters(axis, stumps, stage)), (stairs("sum", x, scores), *dots)
        places.append(Place(said=str(stage), reading=reading, marks=marks))
    return Chart(
        says=here.says,
        title=here.heading,
        columns=((upper, lower),),
        places=tuple(places),
        shown=len(stumps),
        slider=message("Trees in the vote"),
        right=110,
    )


def _voters(axis: Axis, stumps: Sequence[boosting.Stump], stage: int) -> Iterator[Mark]:
    """What each stump votes on either side; those that do not vote yet are pale."""
    for at, stump in enumerate(stumps):
        y, opacity = (-at - 0.88, -at - 0.12), 0.75 if at < stage else 0.15
        yield rect(f"left {at}", (axis.low, stump.threshold), y, stump.left, opacity=opacity)
        yield rect(f"right {at}", (stump.threshold, axis.high), y, stump.right, opacity=opacity)


@word
def fit_at(here: Here, stage: int, rate: str = "1", next: bool = False) -> Chart:
    """The fit of a stage and its residuals, with the next stump; beside them the loss of every stage."""
    fits, losses = boosting.fits(float(rate)), boosting.squared_losses(float(rate))
    x, y = here.data.frame["x"].astype(float).tolist(), np.asarray(here.data.y, dtype=float)
    least, most = min(y.min(), np.min(fits[1:])) - 0.3, max(y.max(), np.max(fits[1:])) + 0.3
    points = tuple(dot(f"point {at}", *point, r=5) for at, point in enumerate(zip(x, y.tolist(), strict=True)))
    upper = Panel(x=_x_axis(x), y=Axis(low=least, high=most), marks=points, share=1.2)
    zero = line("zero", ((min(x) - 0.5, 0.0), (max(x) + 0.5, 0.0)), "quiet", width=1)
    places = []
    for at, fit in enumerate(fits):
        left, said = (y - fit).tolist(), message("Stage {stage}", stage=at)
        marks = tuple(_fitted(x, y.tolist(), fit, least)), tuple(_left(x, left)), tuple(_losses(losses, at))
        if next and at + 1 < len(fits):
            step = stairs("next", x, (np.array(fits[at + 1]) - fit).tolist(), "text", dash="6 4")
            marks = (marks[0], (*marks[1], step), marks[2])
        places.append(Place(said=said, reading=said, marks=marks))
    high = 1.2 * float(np.abs(y - fits[1 if stage else 0]).max())  # of the first tree, so that bars shrink
    residuals = message("Residuals: what the next tree fits")
    lower = Panel(x=_x_axis(x, False), y=Axis(low=-high, high=high, ticks=()), marks=(zero,), title=residuals)
    beside = Panel(
        x=Axis(low=0.0, high=1.05 * losses[1], ticks=()),
        y=Axis(low=1.0 - len(losses), high=0.0, ticks=()),
        title=message("Squared loss"),
        most=46.0 * (len(losses) - 1),
    )
    return Chart(
        says=here.says,
        title=here.heading,
        columns=((upper, lower), (beside,)),
        places=tuple(places),
        shown=stage,
        slider=message("Stage"),
        shares=(3.2, 1.0),
        wraps=False,
    )


def _fitted(x: Sequence[float], y: Sequence[float], fit: Sequence[float], least: float) -> Iterator[Mark]:
    """The fit as a staircase, and how far it is from every point."""
    kept = [max(value, least) for value in fit]
    yield stairs("fit", x, kept)
    for at, (value, target, near) in enumerate(zip(x, y, kept, strict=True)):
        yield across(f"gap {at}", value, target, near, 1, width=2)


def _left(x: Sequence[float], residuals: Sequence[float]) -> Iterator[Mark]:
    for at, (value, residual) in enumerate(zip(x, residuals, strict=True)):
        yield rect(f"bar {at}", (value - 0.25, value + 0.25), (0.0, residual), 1, round=2)
        yield text(
            f"residual {at}", value, residual, typeset(f"{residual:.2f}"), dy=-6 if residual > 0 else 15, yields=1
        )


def _losses(losses: Sequence[float], stage: int) -> Iterator[Mark]:
    """The loss of every stage but the start, whose loss is too large to compare; those to come are pale."""
    for at, loss in enumerate(losses[1:], start=1):
        is_now, is_reached = at == stage, at <= stage
        opacity = 1.0 if is_reached else 0.25
        yield rect(
            f"loss {at}",
            (0.0, loss),
            (-at + 0.05, -at + 0.42),
            "primary" if is_now else "quiet",
            opacity=opacity,
            to=at,
            round=2,
        )
        kind = "pic-number" if is_now else "pic-small"
        yield text(
            f"text {at}", 0.0, -at + 0.5, f"{at}: {loss:.4f}" if is_reached else f"{at}", anchor="start", kind=kind
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
