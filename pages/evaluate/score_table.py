"""Every score of a tree beside its baseline, red where it is no better, and the scores of every class."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

import explorer as ex
from explorer.drawing.figures.data_figures import count_text
from explorer.evaluation.evaluation import Score
from explorer.formatting import rows_or_weight
from explorer.messages import message
from explorer.pruning.cost_complexity.choose_size import SHARES
from explorer.tree.metrics import nats_of
from pages.text import number, score_text
from pages.widgets import tables

_LONG_CLASS, _SHORT_CLASS = 150, 9
"""Pixels for classes of which one has more than so many letters."""


def score_name(name: str) -> str:
    """What a score is called."""
    return {
        "accuracy": message("Accuracy"),
        "error": message("Error rate"),
        "log_loss": message("Log loss"),
        "brier": message("Brier score"),
        "auc": message("AUC"),
        "expected_cost": message("Expected cost"),
        "mse": message("Mean squared error (MSE)"),
        "rmse": message("Its root (RMSE)"),
        "mae": message("Mean absolute error (MAE)"),
        "poisson_deviance": message("Mean Poisson deviance"),
        "quantile_loss": message("Mean quantile loss"),
        "r2": message("R²"),
    }[name]


def meaning(name: str) -> str:
    """How a score is defined."""
    return {
        "accuracy": message("share of the rows that are predicted correctly"),
        "error": message("share of the rows that are misclassified"),
        "log_loss": message(
            "mean of −ln(predicted probability of the true class), in nats; 0 is best; a probability of 0 counts as "
            "10⁻¹⁵"
        ),
        "brier": message(
            "mean squared distance between the predicted probabilities and the true class, half of it for two classes; "
            "0 is best"
        ),
        "auc": message("area under the ROC curve, mean over the classes; 0.5 is random order, 1 is best"),
        "expected_cost": message("mean cost of the predictions, by the costs of the Grow page"),
        "mse": message("mean of (true − predicted)²; 0 is best"),
        "rmse": message("root of the mean squared error, in the unit of the target; 0 is best"),
        "mae": message("mean of |true − predicted|, in the unit of the target; 0 is best"),
        "poisson_deviance": message(
            "mean of 2·(y·ln(y/ŷ) − (y − ŷ)) for true y and predicted ŷ; 0 is best; infinite where 0 is predicted for "
            "y > 0"
        ),
        "quantile_loss": message(
            "mean of q·(true − predicted), or of (1 − q)·(predicted − true) where less is true, for the recipe’s "
            "quantile q (½ where it predicts medians); 0 is best"
        ),
        "r2": message("share of the variance that is explained; 1 is best, 0 is as good as the mean of these rows"),
    }[name]


def show(result: ex.Evaluation, counts_rows: bool = True, model: str = "") -> None:
    """One line per score: the value, the baseline, and by how much the tree, or another `model`, is better."""
    heading, better = message("baseline"), message("improvement")
    lines = [
        {
            message("score"): f"**{score_name(score.name)}**",
            model or message("tree"): f"**{value_text(score, score.value)}**",
            heading: value_text(score, score.baseline),
            better: " ".join(filter(None, (improvement(score), _reason(score, result, counts_rows)))),
        }
        for score in result.scores.values()
    ]
    lines = [{name: text.replace(" %", "\N{NO-BREAK SPACE}%") for name, text in line.items()} for line in lines]
    with st.container(key="scores"):
        st.table(pd.DataFrame(lines).set_index(message("score")), border="horizontal")
    st.caption(_baseline_text(result))
    with st.expander(message("What the scores mean")):
        st.markdown(
            "\n".join(
                message("* **{score}**: {meaning}.", score=score_name(name), meaning=meaning(name))
                for name in result.scores
            )
        )


def _reason(score: Score, result: ex.Evaluation, counts_rows: bool) -> str:
    """What a few rows alone make of the log loss; empty where none does, and for other scores."""
    if score.name != "log_loss" or not result.impossible:
        return ""
    return message(
        ":small[({rows} with probability 0: {nats} each)]",
        rows=rows_or_weight(result.impossible, counts_rows),
        nats=number(float(nats_of(np.zeros(1))[0]), 1),
    )


def _baseline_text(result: ex.Evaluation) -> str:
    if result.labels:
        return message("Baseline: the majority class of the training rows, and their class shares as probabilities.")
    return message("Baseline: the mean of the training rows, or the quantile that the tree predicts.")


def value_text(score: Score, value: float) -> str:
    """A score's value as the page shows it."""
    return score_text(value, False) if score.name in SHARES else number(value, 3)


def improvement(score: Score) -> str:
    """By how much the tree is better than its baseline; red and in words where it is no better.

    >>> improvement(Score("accuracy", 0.75, 0.625, "largest")), improvement(Score("mse", 2.0, 4.5, "least"))
    ('+12.5 points', '2.500 lower')
    >>> improvement(Score("accuracy", 0.5, 0.625, "largest")), improvement(Score("auc", 0.5, 0.5, "largest"))
    (':red[worse than the baseline]', ':red[no better than the baseline]')
    """
    if score.improvement < 0:
        return f":red[{message('worse than the baseline')}]"
    if score.improvement == 0:
        return f":red[{message('no better than the baseline')}]"
    if score.name in SHARES:
        points = f"{score.improvement:.1%}".removesuffix("%")
        return (
            message("+{points} points", points=points)
            if score.best == "largest"
            else message("−{points} points", points=points)
        )
    difference = number(score.improvement, 3)
    if score.best == "largest":
        return message("{difference} higher", difference=difference)
    return message("{difference} lower", difference=difference)


def each_class(result: ex.Evaluation, amount: str) -> None:
    """Precision, recall, F1 and AUC of every class, with its `amount` of rows; undefined scores are left empty."""
    columns: dict[str, list[object]] = {
        message("class"): [str(scores.name) for scores in result.classes],
        amount: [count_text(scores.weight) for scores in result.classes],
        message("precision"): [scores.precision for scores in result.classes],
        message("recall"): [scores.recall for scores in result.classes],
        message("F1"): [scores.f1 for scores in result.classes],
    }
    if "auc" in result.scores:
        columns[message("AUC")] = [scores.area for scores in result.classes]
    frame = pd.DataFrame(columns)
    longest = max(len(str(scores.name)) for scores in result.classes)
    widths = {message("class"): _LONG_CLASS} if longest > _SHORT_CLASS else {}
    tables.numbers_table(frame, [False] * len(frame), key="each_class", widths=widths, right=[amount])
    st.caption(
        message(
            "Precision: of the rows predicted as this class, the share that belong to it. Recall: of the rows in this "
            "class, the share predicted as it. F1: their harmonic mean. –: undefined."
        )
    )
