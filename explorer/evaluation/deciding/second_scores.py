"""How good a tree is on the rows of a second table, beside the validation rows, and whether that differs by chance.

DEFINITIONS section 8 defines it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.evaluation.drift import LEVEL
from explorer.evaluation.evaluation import (
    EvaluatedRows,
    Evaluation,
    areas_of,
    class_evaluation,
    evaluate,
    number_evaluation,
)
from explorer.evaluation.leaf_outcomes import p_values_of_means
from explorer.messages import message
from explorer.recipe.class_weights import Floats, heaviest_classes
from explorer.tree import metrics
from explorer.tree.leaf_mixture import Decision
from explorer.tree.tree import Tree


@dataclass(frozen=True)
class ComparedShare:
    """A share of validation rows and of a second table's rows, and the p-value of the difference; NaN if unknown."""

    before: float
    now: float
    p_value: float


@dataclass(frozen=True, eq=False)
class AtThreshold:
    """How validation rows and those of a second table are decided where a threshold decides.

    `recall` and `precision` are those of its class. `outcomes` [2, 4] has the weights of true positives, false
    positives, false negatives and true negatives, of validation rows (0 without any) and of the second table's.
    """

    decision: Decision
    recall: ComparedShare
    precision: ComparedShare
    outcomes: Floats

    def profits(self, profits: tuple[float, float, float, float]) -> Floats:
        """The mean profit of a row [2], by what a row of each outcome brings; NaN without rows."""
        with np.errstate(invalid="ignore"):
            return np.asarray(self.outcomes @ profits / self.outcomes.sum(axis=1))


@dataclass(frozen=True, eq=False)
class SecondScores:
    """The scores of rows whose target is known, of validation rows, and the p-value of their difference.

    It is that of the accuracies, or of the mean squared errors; NaN without validation rows or with too few rows.
    `at_threshold` is there where a threshold decides.
    """

    of_rows: Evaluation
    of_validation: Evaluation | None
    p_value: float
    at_threshold: AtThreshold | None = None

    @property
    def is_beyond_chance(self) -> bool:
        """Whether the difference has p ≤ 0.05."""
        return self.p_value <= LEVEL


def second_scores(tree: Tree, valid: Dataset | None, rows: pd.DataFrame, truth: Floats) -> SecondScores:
    """Score the rows of a second table and compare them with the validation rows.

    `truth` [n] has the code of every row's class, −1 for one that the tree does not know, or its number; NaN where it
    is not known. Baselines are those of the tree's training rows.
    """
    known = np.flatnonzero(np.isfinite(truth))
    rows, truth = rows.iloc[known], truth[known]
    predictions = tree.predict(rows)
    now = _evaluation(tree, rows, truth, predictions)
    these = _Decided(truth, _codes(tree, predictions), np.ones(len(truth)))
    if valid is None:
        none = _Decided(np.empty(0), np.empty(0), np.empty(0))
        return SecondScores(now, None, np.nan, _at_threshold(tree, none, these))
    targets, weights = metrics.targets_of(tree, valid)
    those = _Decided(targets, np.asarray(tree.predict_encoded(valid), dtype=np.float64), weights)
    sums = [_sums(_losses(tree, each.truth, each.predictions), each.weights)[:, None] for each in (those, these)]
    p_value = float(p_values_of_means(sums[0], sums[1], is_share=not tree.is_regression)[0])
    return SecondScores(now, evaluate(tree, valid), p_value, _at_threshold(tree, those, these))


class _Decided(NamedTuple):
    """Codes of the target and of the prediction, and the weight, of each row of a table [n]."""

    truth: Floats
    predictions: Floats
    weights: Floats


def _at_threshold(tree: Tree, before: _Decided, now: _Decided) -> AtThreshold | None:
    """Recall, precision and outcomes of both tables where a threshold decides."""
    decision = tree.decision
    if not isinstance(decision, Decision):
        return None
    code = tree.classes.index(decision.name)
    pairs = [(each.truth == code, each.predictions == code) for each in (before, now)]
    weights = before.weights, now.weights
    outcomes = [
        [float(w[cell].sum()) for cell in (is_own & is_said, ~is_own & is_said, is_own & ~is_said, ~is_own & ~is_said)]
        for (is_own, is_said), w in zip(pairs, weights, strict=True)
    ]
    recall = [(is_said[is_own], w[is_own]) for (is_own, is_said), w in zip(pairs, weights, strict=True)]
    precision = [(is_own[is_said], w[is_said]) for (is_own, is_said), w in zip(pairs, weights, strict=True)]
    return AtThreshold(decision, _compared(recall), _compared(precision), np.array(outcomes))


def _compared(tables: list[tuple[NDArray[np.bool_], Floats]]) -> ComparedShare:
    """The share of the true rows of both tables, each given by its rows and their weights."""
    before, now = (_sums(is_true.astype(np.float64), weights)[:, None] for is_true, weights in tables)
    shares = [float(each[2, 0] / each[0, 0]) if each[0, 0] > 0 else np.nan for each in (before, now)]
    if np.isnan(shares).any():
        return ComparedShare(shares[0], shares[1], np.nan)
    return ComparedShare(shares[0], shares[1], float(p_values_of_means(before, now, is_share=True)[0]))


def _codes(tree: Tree, predictions: NDArray[np.generic]) -> Floats:
    """Predictions as numbers: those of a numeric target, or codes of classes."""
    if tree.is_regression:
        return predictions.astype(np.float64)
    code_of = {str(name): float(code) for code, name in enumerate(tree.classes)}
    return np.array([code_of[name] for name in predictions.astype(str).tolist()])


def _losses(tree: Tree, truth: Floats, predictions: Floats) -> Floats:
    """1 of each row that is wrong, or its squared error [n]."""
    return (truth - predictions) ** 2 if tree.is_regression else (truth != predictions).astype(np.float64)


def _sums(values: Floats, weights: Floats) -> Floats:
    """Σw, Σw², Σwv and Σwv² [4]."""
    return np.array([weights.sum(), (weights**2).sum(), (weights * values).sum(), (weights * values**2).sum()])


def _evaluation(tree: Tree, rows: pd.DataFrame, truth: Floats, predictions: NDArray[np.generic]) -> Evaluation:
    """All scores of these rows, each of weight 1; a class that the tree does not know is one of its own."""
    codes = _codes(tree, predictions)
    if tree.is_regression:
        names = ("mse", "rmse", "mae", *(("r2",) if len(truth) > 1 else ()))
        return number_evaluation(truth, np.ones(len(truth)), codes, np.full(len(truth), tree.values[0]), names)
    n, has_new, known = len(truth), bool((truth < 0).any()), tree.row_stats[0] / tree.row_stats[0].sum()
    labels = (*tree.classes, message("a new class")) if has_new else tree.classes
    shares = np.pad(tree.predict_proba(rows), ((0, 0), (0, int(has_new))))
    majority = np.full(n, heaviest_classes(known[None])[0], dtype=np.intp)
    evaluated = EvaluatedRows(
        labels=labels,
        true=np.where(truth < 0, len(tree.classes), truth).astype(np.intp),
        prediction=codes.astype(np.intp),
        shares=shares,
        weights=np.ones(n),
        majority=majority,
        base_shares=np.broadcast_to(np.pad(known, (0, int(has_new))), shares.shape),
        least_cost=majority,
    )
    return class_evaluation(evaluated, None, areas_of(evaluated, tree))
