"""Every score of a tree as a card with its baseline, and every class by itself."""

from __future__ import annotations

import pandas as pd
import streamlit as st

import explorer as ex
from explorer.drawing.figures.data_figures import count_text
from explorer.evaluation.evaluation import Score
from pages.text import number, score_text
from pages.widgets import tables

NAMES = {
    "accuracy": ("Accuracy", "Share of the rows that are answered rightly."),
    "error": ("Wrong answers", "Share of the rows that are answered wrongly."),
    "log_loss": ("Log loss", "Mean of −ln(share that the leaf gives to the true class), in nats. 0 is best."),
    "auc": ("AUC", "Area under the ROC curve, the mean over the classes. 0.5 tells nothing apart, 1 is best."),
    "expected_cost": ("Cost per row", "What the answers cost on average, by the costs of mistakes of the Grow page."),
    "mse": ("Mean squared error", "Mean of (true − predicted)². 0 is best."),
    "mae": ("Mean absolute error", "Mean of |true − predicted|, in the target’s own unit. 0 is best."),
    "r2": ("R²", "Share of the spread that is explained: 1 is best, 0 is as good as the mean of these rows."),
}
_SHARES = ("accuracy", "error")
_WIDTH = 232


def cards(result: ex.Evaluation) -> None:
    """One card per score: the value, the baseline, and whether the tree is better."""
    with st.container(horizontal=True):
        for score in result.scores.values():
            name, meaning = NAMES[score.name]
            with st.container(border=True, width=_WIDTH):
                st.metric(name, _text(score, score.value), help=meaning)
                st.caption(f"baseline {_text(score, score.baseline)}, {verdict(score)}")


def _text(score: Score, value: float) -> str:
    return score_text(value, False) if score.name in _SHARES else number(value, 3)


def verdict(score: Score) -> str:
    """Whether the tree beats its baseline.

    >>> verdict(Score("accuracy", 0.5, 0.6, "largest"))
    'not beaten'
    """
    if score.improvement == 0:
        return "matched"
    return "beaten" if score.improvement > 0 else "not beaten"


def each_class(result: ex.Evaluation) -> None:
    """Precision, recall and AUC of every class; undefined scores are left empty."""
    frame = pd.DataFrame(
        {
            "class": [str(scores.name) for scores in result.classes],
            "rows": [count_text(scores.weight) for scores in result.classes],
            "precision": [scores.precision for scores in result.classes],
            "recall": [scores.recall for scores in result.classes],
        }
    )
    if "auc" in result.scores:
        frame["AUC"] = [scores.area for scores in result.classes]
    tables.numbers_table(frame, [False] * len(frame), key="each_class", right=["rows"])
    st.caption(
        "Precision: of the rows answered so, the share that is so. Recall: of the rows that are so, the share answered "
        "so. A dash: no row is answered so, or no row is so."
    )
