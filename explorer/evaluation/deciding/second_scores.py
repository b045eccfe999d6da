"""How good a tree is on the rows of a second table, beside the validation rows, and whether that differs by chance.

DEFINITIONS section 8 defines it.
"""

from __future__ import annotations

from dataclasses import dataclass

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
from explorer.tree.tree import Tree


@dataclass(frozen=True, eq=False)
class SecondScores:
    """The scores of rows whose target is known, of validation rows, and the p-value of their difference.

    It is that of the accuracies, or of the mean squared errors; NaN without validation rows or with too few rows.
    """

    of_rows: Evaluation
    of_validation: Evaluation | None
    p_value: float

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
    if valid is None:
        return SecondScores(now, None, np.nan)
    losses = _losses(tree, truth, _codes(tree, predictions))
    targets, weights = metrics.targets_of(tree, valid)
    before = _losses(tree, targets, np.asarray(tree.predict_encoded(valid), dtype=np.float64))
    sums = np.stack([_sums(before, weights), _sums(losses, np.ones(len(losses)))])[:, :, None]
    p_value = float(p_values_of_means(sums[0], sums[1], is_share=not tree.is_regression)[0])
    return SecondScores(now, evaluate(tree, valid), p_value)


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
