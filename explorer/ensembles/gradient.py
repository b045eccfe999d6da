"""Gradient boosting: every tree is grown on the negative gradients of the loss (DEFINITIONS section 21)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.ensembles.arguments import (
    check_choice,
    check_finite,
    check_positive,
    check_recipe_for_numbers,
    check_share,
    too_uniform,
)
from explorer.ensembles.base_ensemble import Member
from explorer.ensembles.boosting.losses import QUANTILES, Loss, Problem, huber_delta, loss_for, loss_named, residuals
from explorer.ensembles.boosting.node_values import NodeRows
from explorer.ensembles.boosting.replay import Replay
from explorer.ensembles.boosting.score_steps import RoundStep, ScoreStep, is_fitted, nothing_is_left
from explorer.ensembles.members import Ensemble, ensemble_of
from explorer.ensembles.rounds import ChoicesOfMembers, Progress, Round, Rounds, checked_count, run_rounds
from explorer.ensembles.sample import MOST_SEED, times_drawn_once, with_own_draws
from explorer.errors import InputError
from explorer.growing.grow_many import Presorted
from explorer.messages import message
from explorer.ranges import checked_seed
from explorer.recipe.recipe import CART, Recipe
from explorer.recipe.remarks import Remark
from explorer.tree.tree import Tree

Floats = NDArray[np.float64]
THREE_LEVELS = CART.replace(max_depth=3)


def gradient_boost(
    data: Dataset,
    recipe: Recipe = THREE_LEVELS,
    loss: str | None = None,
    n_estimators: int = 100,
    learning_rate: float = 0.1,
    delta: float | None = None,
    alpha: float = 0.9,
    subsample: float = 1.0,
    seed: int = 0,
    base_score: float | None = None,
    quantiles: str = "midpoint",
    validation: Dataset | None = None,
    n_iter_no_change: int | None = None,
    tol: float = 1e-4,
    progress: Progress | None = None,
    choices: ChoicesOfMembers | None = None,
) -> Ensemble:
    """Gradient boosting (Friedman 2001): each round adds a regression tree on the negative gradients of the loss.

    `loss` is a name of `LOSSES`; None takes squared error for numbers, log loss for classes. `delta` is Huber's
    threshold; None takes the α-quantile of |r| anew in each round. `alpha` is also the quantile that loss "quantile"
    predicts. `subsample` is the share of the rows (or groups) that each round draws without replacement. `base_score`
    is F_0; None takes the constant of least loss. `quantiles` "lower" takes scikit-learn's lower median. With
    `n_iter_no_change`, boosting ends when the loss of the `validation` rows has not fallen by `tol` for so many rounds.
    `progress(rounds done, rounds in all)` may raise `Stopped`: the members so far are kept. `choices` are made by hand,
    by the position of the member. Raises InputError.

    >>> import pandas as pd
    >>> frame = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0], "y": [1.0, 1.0, 5.0, 9.0]})
    >>> boosted = gradient_boost(Dataset.from_frame(frame, "y"), CART.replace(max_depth=1), None, 2, 0.5)
    >>> boosted.start.tolist(), boosted.predict(frame, stage=1).tolist()
    ([4.0], [2.5, 2.5, 5.5, 5.5])
    """
    record = loss_for(loss, data)
    check_recipe_for_numbers(recipe)
    check_share("subsample", subsample)
    check_positive("learning_rate", learning_rate)
    _check_options(data, record, delta, alpha, quantiles, base_score)
    _check_early_stopping(data, validation, n_iter_no_change, tol)
    options = {
        "loss": record.name,
        "n_estimators": checked_count("n_estimators", n_estimators),
        "learning_rate": learning_rate,
        "delta": delta,
        "alpha": alpha,
        "subsample": subsample,
        "seed": checked_seed(seed, MOST_SEED),
        "base_score": base_score,
        "quantiles": quantiles,
        "n_iter_no_change": n_iter_no_change,
        "tol": tol,
    }
    return _boosted(data, recipe, record, options, validation, progress, choices or {})


def _boosted(
    data: Dataset,
    recipe: Recipe,
    loss: Loss,
    options: dict[str, Any],
    validation: Dataset | None,
    progress: Progress | None,
    choices: ChoicesOfMembers,
) -> Ensemble:
    """Run the rounds of these options."""
    ended, base_score, of_loss = too_uniform(data), options["base_score"], ("alpha", "delta", "quantiles")
    problem = Problem(
        np.asarray(data.y, np.float64), data.weight_of_rows(), len(data.classes), *(options[name] for name in of_loss)
    )
    start = loss.start(problem) if base_score is None else np.array([float(base_score)])
    valid_problem = None
    if validation is not None:
        valid_problem = replace(problem, y=np.asarray(validation.y, np.float64), weights=validation.weight_of_rows())
    boosting = _Boosting(
        data=data,
        presorted=Presorted(data.with_target(np.zeros(data.n_rows)), recipe),
        loss=loss,
        problem=problem,
        learning_rate=options["learning_rate"],
        subsample=options["subsample"],
        seed=options["seed"],
        validation=validation,
        valid_problem=valid_problem,
        patience=options["n_iter_no_change"],
        tolerance=options["tol"],
        replay=Replay(np.tile(start, (data.n_rows, 1))),
        choices=choices,
    )
    rounds = Rounds((), 0)
    if ended is None:
        valid = None if validation is None else np.tile(start, (validation.n_rows, 1))
        rounds = run_rounds(boosting.round, Scores(boosting.replay.first, valid), options["n_estimators"], progress)
        ended = rounds.ended
    return ensemble_of(
        data, recipe, "gradient_boosting", loss.combination, rounds.members, rounds.n_stages, options, start=start,
        ended=ended,
    )  # fmt: skip


def _check_options(
    data: Dataset, loss: Loss, delta: float | None, alpha: float, quantiles: str, base_score: float | None
) -> None:
    """InputError for parameters of the loss outside their range."""
    if delta is not None:
        check_positive("delta", delta)
    check_share("alpha", alpha, below_one=True)
    check_choice("quantiles", quantiles, QUANTILES)
    if base_score is not None:
        check_finite("base_score", base_score)
        if len(data.classes) > 2:
            raise InputError(
                message(
                    "The target '{target}' has {classes} classes, each with a score of its own: leave base_score out.",
                    target=data.target.name,
                    classes=len(data.classes),
                )
            )


def _check_early_stopping(data: Dataset, validation: Dataset | None, patience: int | None, tolerance: float) -> None:
    """InputError where early stopping has no rows to look at, or rows of another target."""
    check_finite("tol", tolerance)
    if patience is not None:
        checked_count("n_iter_no_change", patience)
        if validation is None:
            raise InputError(
                message("n_iter_no_change looks at the loss of validation rows: give them as validation=….")
            )
    if validation is not None and (validation.n_rows == 0 or validation.classes != data.classes):
        raise InputError(
            message(
                "The validation rows do not have the target of the training rows: split one table with `data.split`."
            )
        )


@dataclass(frozen=True, eq=False)
class TargetOfRound:
    """The negative gradients that a member was grown on, worked out from the scores before its round."""

    replay: Replay[Floats]
    problem: Problem
    loss: str
    stage: int
    column: int

    def __call__(self) -> Floats:
        """The negative gradients of one score, [n]."""
        loss = loss_named(self.loss, self.problem.n_classes)
        return loss.negative_gradient(self.problem, self.replay.before(self.stage))[:, self.column]


@dataclass(frozen=True, eq=False)
class Scores:
    """The raw scores before a round: of the training rows [n, S], of the validation rows, and the losses so far."""

    train: Floats
    valid: Floats | None = None
    valid_losses: tuple[float, ...] = ()


@dataclass(frozen=True, eq=False)
class _Boosting:
    """What stays the same in all rounds."""

    data: Dataset
    presorted: Presorted
    loss: Loss
    problem: Problem
    learning_rate: float
    subsample: float
    seed: int
    validation: Dataset | None
    valid_problem: Problem | None
    patience: int | None
    tolerance: float
    replay: Replay[Floats]
    choices: ChoicesOfMembers

    def round(self, stage: int, scores: Scores, report: Progress) -> Round[Scores]:
        """One round: the gradient, a tree on it for every score, its leaf values by the loss, and the new scores."""
        in_sample = self.rows_of(stage)
        problem = self.problem_of(scores.train, in_sample)

        # 1. Negative gradients at the present scores.
        gradients = self.loss.negative_gradient(problem, scores.train)
        if self.is_done(problem, scores.train, gradients):
            return Round((), scores, Remark("nothing_left_to_fit", (stage - 1,)))

        # 2. A regression tree on them, per score; 3. its leaf values; 4. the new scores.
        trees, steps = list[Tree](), list[ScoreStep]()
        for column in range(gradients.shape[1]):
            tree, ends = self.tree(stage, column, problem, scores.train, gradients[:, column], in_sample, report)
            steps.append(ScoreStep.of(column, self.learning_rate * tree.values, ends))
            trees.append(tree)
        step = RoundStep(tuple(steps))
        self.replay.add(step)
        valid = None if scores.valid is None else scores.valid.copy()
        if valid is not None and self.validation is not None:
            for column, tree in enumerate(trees):
                valid[:, column] += self.learning_rate * tree.predict_encoded(self.validation)
        after, facts = self.facts(scores, Scores(step(scores.train), valid), problem, in_sample)
        members = self.members(stage, trees, facts, problem, in_sample)
        return Round(members, after, self.early_stop(stage, after.valid_losses))

    def is_done(self, problem: Problem, raw: Floats, gradients: Floats) -> bool:
        """Whether every gradient is 0, but for rounding. The signs of absolute and quantile loss never are."""
        if self.loss.needs != "numbers":
            return nothing_is_left(gradients)
        if not self.loss.fades:
            return False
        return is_fitted(residuals(problem, raw), problem.y, self.learning_rate) or not gradients.any()

    def members(
        self,
        stage: int,
        trees: list[Tree],
        facts: dict[str, float],
        problem: Problem,
        in_sample: NDArray[np.bool_] | None,
    ) -> tuple[Member, ...]:
        """The members of a round, one for each score."""
        weights = None if in_sample is None else in_sample * problem.weights
        return tuple(
            Member(
                tree,
                stage,
                self.learning_rate,
                weights,
                TargetOfRound(self.replay, problem, self.loss.name, stage, column),
                column if len(trees) > 1 else None,
                facts,
            )
            for column, tree in enumerate(trees)
        )

    def rows_of(self, stage: int) -> NDArray[np.bool_] | None:
        """Which rows this round draws without replacement, [n]; None for all."""
        if self.subsample == 1.0:
            return None
        n_units = self.data.n_units
        drawn = times_drawn_once(self.seed, stage - 1, n_units, max(1, int(self.subsample * n_units)))
        return self.data.of_units(drawn) > 0

    def problem_of(self, raw: Floats, in_sample: NDArray[np.bool_] | None) -> Problem:
        """The problem of this round: Huber's δ anew from the rows in the sample, unless it is given."""
        if self.loss.name != "huber" or self.problem.delta is not None:
            return self.problem
        rows = np.arange(self.data.n_rows) if in_sample is None else np.flatnonzero(in_sample)
        return replace(self.problem, delta=huber_delta(self.problem.at(rows), raw[rows]))

    def tree(
        self,
        stage: int,
        column: int,
        problem: Problem,
        raw: Floats,
        gradient: Floats,
        in_sample: NDArray[np.bool_] | None,
        report: Progress,
    ) -> tuple[Tree, NodeRows]:
        """The tree of one score, with its leaf values, and where all rows end in it."""
        weights = None if in_sample is None else in_sample * problem.weights
        place = (stage - 1) * raw.shape[1] + column
        recipe = with_own_draws(self.presorted.recipe, self.seed, place)
        tree = self.presorted.grow(weights, gradient, recipe, report, self.choices.get(place))
        ends = NodeRows.of(tree, self.data)
        if self.loss.leaf_values is None:
            return tree, ends
        own = problem if raw.shape[1] == 1 else replace(problem, y=problem.indicators[:, column])
        used = ends if in_sample is None else ends.only(in_sample)
        return tree.with_predictions(self.loss.leaf_values(own, raw[:, column], gradient, used)), ends

    def facts(
        self, before: Scores, after: Scores, problem: Problem, in_sample: NDArray[np.bool_] | None
    ) -> tuple[Scores, dict[str, float]]:
        """The numbers of a round by name, and its scores with the loss of the validation rows."""
        facts = {"loss": self.loss.mean(problem, after.train)}
        if problem.delta is not None:
            facts["delta"] = problem.delta
        if in_sample is not None and not in_sample.all():
            out = np.flatnonzero(~in_sample)
            rest = problem.at(out)
            facts["oob_improvement"] = self.loss.mean(rest, before.train[out]) - self.loss.mean(rest, after.train[out])
        if self.valid_problem is not None and after.valid is not None:
            facts["validation_loss"] = self.loss.mean(replace(self.valid_problem, delta=problem.delta), after.valid)
            after = replace(after, valid_losses=(*before.valid_losses, facts["validation_loss"]))
        return after, facts

    def early_stop(self, stage: int, losses: tuple[float, ...]) -> Remark | None:
        """The remark that no round of the last `patience` improved on the best loss before them."""
        if self.patience is None or len(losses) <= self.patience:
            return None
        best_before, latest = min(losses[: -self.patience]), min(losses[-self.patience :])
        if latest < best_before - self.tolerance:
            return None
        return Remark("no_improvement", (stage, self.patience))
