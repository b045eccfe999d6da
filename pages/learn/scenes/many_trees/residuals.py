"""Gradient boosting by hand: each stump fits what the stumps before it left over."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from explorer.drawing.pictures.many_trees.boosting import BoostedFit
from explorer.ensembles.formulas.leaf_values import leaf_formula
from explorer.messages import message
from pages.learn.scenes.step import Choice, Chosen, Number, Question, Scene, Step
from pages.results.lessons import boosting, trees
from pages.text import typeset

_RATES = ("0.1", "0.3", "0.5", "1")
_RATE = "0.3"
_PRINTED_LOSS = 0.79
"""The squared loss of two stumps as the book prints it."""


def _source() -> str:
    return message("Li Hang, 统计学习方法 (2nd ed. 2019), example 8.2")


def steps(chosen: Chosen) -> tuple[Step, ...]:
    """The first stump, its residuals, the second stump, all six stages, and a learning rate."""
    rate = chosen.get("rate", _RATE)
    return _first(), _left_over(), _second(), _all_six(), _learning_rate(rate if rate in _RATES else _RATE)


def _fit(stage: int, title: str, rate: float = 1.0, shows_next: bool = False) -> BoostedFit:
    rows, fits = trees.rows("lihang_8_2_regression"), boosting.fits(rate)
    return BoostedFit(
        says=message("Points with the fit of a stage as a staircase, its residuals as bars, and the squared losses."),
        title=title,
        x=tuple(rows.frame["x"].astype(float).tolist()),
        y=tuple(np.asarray(rows.y, dtype=float).tolist()),
        fits=fits,
        steps=tuple(tuple((np.array(after) - np.array(before)).tolist()) for before, after in pairwise(fits)),
        losses=boosting.squared_losses(rate),
        stage=stage,
        shows_next=shows_next,
    )


def _leaves(stage: int) -> dict[str, float]:
    """The threshold and the two leaf values of a stage, and its loss."""
    tree = boosting.fitted().members[stage - 1].tree
    return {
        f"threshold {stage}": boosting.threshold_of(tree),
        f"left {stage}": float(tree.values[1]),
        f"right {stage}": float(tree.values[2]),
        f"loss {stage}": boosting.squared_losses()[stage],
    }


def _first() -> Step:
    ensemble, facts = boosting.fitted(), _leaves(1)
    return Step(
        name="first stump",
        title=message("A first rough fit"),
        text=message(
            "The first stump splits at {threshold} and predicts the mean of each side: {left:.4f} and {right:.4f}.",
            threshold=facts["threshold 1"],
            left=facts["left 1"],
            right=facts["right 1"],
        ),
        picture=_fit(1, message("Stage 1: one stump")),
        before=_fit(0, message("Stage 0: no tree, the fit is 0")),
        number=Number(
            message("Left leaf of the first stump"),
            facts["left 1"],
            4,
            leaf_formula(ensemble, ensemble.members[0], 1),
        ),
        question=Question(
            message("Ten points, one threshold, two means. Where do two means leave the smallest squared loss?"),
            ("x ≤ 3.5", "x ≤ 5.5", "x ≤ 6.5", "x ≤ 8.5"),
            (2,),
            message("The jump between 7.05 and 8.90 is the largest."),
        ),
        numbers=facts,
        source=_source(),
    )


def _left_over() -> Step:
    residuals = boosting.fitted().members[1].target
    assert residuals is not None
    return Step(
        name="residuals",
        title=message("What is left becomes the new target"),
        text=message(
            "The bars are the residuals y − F(x). The next stump, dashed, does not fit y: it fits these bars."
        ),
        picture=_fit(1, message("The residuals of stage 1"), shows_next=True),
        number=Number(message("Residual of the point x = 1"), float(residuals[0])),
        numbers={"first residual": float(residuals[0])},
        source=_source(),
    )


def _second() -> Step:
    ensemble, facts = boosting.fitted(), _leaves(2)
    return Step(
        name="second stump",
        title=message("The second stump is added"),
        text=message(
            "It splits at {threshold} and adds {left} to the left, {right} to the right. "
            "The squared loss falls to {loss:.4f}; the book, rounding its leaves, prints {printed}.",
            threshold=facts["threshold 2"],
            left=typeset(f"{facts['left 2']:.4f}"),
            right=typeset(f"{facts['right 2']:.4f}"),
            loss=facts["loss 2"],
            printed=_PRINTED_LOSS,
        ),
        picture=_fit(2, message("Stage 2: the sum of two stumps")),
        number=Number(
            message("Left leaf of the second stump"), facts["left 2"], 4, leaf_formula(ensemble, ensemble.members[1], 1)
        ),
        numbers=facts | {"printed loss 2": _PRINTED_LOSS},
        source=_source(),
    )


def _all_six() -> Step:
    losses, line = boosting.squared_losses(), boosting.loss_of_line()
    return Step(
        name="six stages",
        title=message("Six stumps, one after the other"),
        text=message(
            "Move the slider: the staircase bends to the points and the bars shrink. "
            "The book prints the losses 1.93, 0.79, 0.47, 0.30, 0.23 and 0.17. "
            "XGBoost’s booster gblinear adds lines and no trees: their sum is one line, and the best line leaves "
            "{line:.2f}.",
            line=line,
        ),
        picture=_fit(6, message("Stage 6: the sum of six stumps")),
        before=_fit(2, message("Stage 2: the sum of two stumps")),
        number=Number(message("Squared loss after six stages"), losses[6], 4),
        question=Question(
            message("Two stumps leave a squared loss of 0.80. What do six leave?"),
            ("0.40", "0.17", "0.02"),
            (1,),
            message("Each stage removes less than the one before."),
        ),
        numbers={f"loss {stage}": losses[stage] for stage in range(1, 7)} | {"loss of the line": line},
        source=_source(),
    )


def _learning_rate(rate: str) -> Step:
    losses = boosting.squared_losses(float(rate))
    return Step(
        name="learning rate",
        title=message("Small steps: the learning rate"),
        text=message(
            "Only the share ν of each stump is added, so that no stump decides alone. "
            "On the training points this is slower; on new points it often predicts better."
        ),
        picture=_fit(6, message("Six stumps with learning rate {rate}", rate=rate), float(rate)),
        number=Number(message("Squared loss after six stages, ν = {rate}", rate=rate), losses[6], 4),
        choices=(Choice("rate", message("Learning rate ν"), {value: value for value in _RATES}, _RATE),),
        numbers={"loss 6": losses[6]},
        source=message("Friedman, Greedy function approximation: a gradient boosting machine (2001)"),
    )


SCENE = Scene(
    name="residuals",
    title=lambda: message("Boosting: fitting what is left"),
    asks=lambda: message("What does gradient boosting fit?"),
    minutes=3,
    steps=steps,
    own_page="ensembles",
    sample="lihang_8_2_regression",
    recipe="CART",
)
