"""Which features the tree rests on: impurity importance, and permutation importance, which takes long for many rows."""

from __future__ import annotations

import streamlit as st

import explorer as ex
from explorer.drawing.figures import score_figures
from explorer.explaining.row_form import surrogates_alone
from explorer.formatting import visible
from explorer.messages import listing, message, plural
from pages.results import evaluation, jobs
from pages.results.cache import kept
from pages.settings.settings import Settings
from pages.text import escape_markdown
from pages.widgets import job_button, page_frame

SHUFFLES = 5
"""How often each column is shuffled."""
QUICK = 100_000
"""So many shuffled cells are predicted while a reader waits."""


def show(settings: Settings, tree: ex.Tree) -> None:
    """Impurity importance, and below it permutation importance as soon as that is known."""
    losses = _permutation(settings, tree)
    named = message("increase of the MSE") if tree.is_regression else message("increase of the error rate")
    figure = score_figures.importance_figure(ex.importance(tree), losses, named, page_frame.colours())
    st.plotly_chart(figure, key="importance", config=page_frame.STILL)
    st.caption(
        message(
            "**Impurity importance (MDI)**: the share of the total impurity decrease on the training rows that comes "
            "from splits on the feature."
        )
    )
    for name, others in surrogates_alone(tree).items():
        st.caption(
            plural(
                len(others),
                "{name} is a surrogate only: the tree uses it where {features} is missing.",
                "{name} is a surrogate only: the tree uses it where one of {features} is missing.",
                name=escape_markdown(visible(name)),
                features=escape_markdown(visible(listing(others))),
            )
        )
    if losses is not None:
        st.caption(_permutation_text(settings))


def _permutation_text(settings: Settings) -> str:
    if _rows(settings) == "valid":
        return message(
            "**Permutation importance**: what the score loses when the feature’s column is shuffled among the "
            "validation rows, mean of {n} shuffles ± standard deviation. A feature with high impurity importance and "
            "no permutation importance is a sign of overfitting.",
            n=SHUFFLES,
        )
    return message(
        "**Permutation importance**: what the score loses when the feature’s column is shuffled among the training "
        "rows, mean of {n} shuffles ± standard deviation. On training rows it does not reveal overfitting.",
        n=SHUFFLES,
    )


def key(settings: Settings) -> str:
    """A text for everything that permutation importance depends on."""
    return f"shuffled {evaluation.evaluation_key(settings)}"


def _permutation(settings: Settings, tree: ex.Tree) -> dict[str, ex.PermutationImportance] | None:
    """Permutation importance on the rows in force; None until long work is started and done."""
    rows = evaluation.rows(settings)
    if rows.n_rows * len(tree.tested_features()) * SHUFFLES <= QUICK:
        return _shuffled(key(settings), tree, rows)

    def work(progress: jobs.Progress) -> object:
        return ex.permutation_importance(tree, rows, SHUFFLES, progress=progress)

    steps = message("Column"), len(tree.features)
    label = (
        message("Shuffle the columns of the validation rows")
        if _rows(settings) == "valid"
        else message("Shuffle the columns of the training rows")
    )
    result = job_button.run("shuffled", label, steps, key(settings), work)
    return result if isinstance(result, dict) else None


def _rows(settings: Settings) -> str:
    """The rows whose columns are shuffled: held-out rows are predicted by many trees, so training rows replace them."""
    which = evaluation.chosen(settings)
    return "train" if which == "held_out" else which


@kept()
def _shuffled(key: str, _tree: ex.Tree, _rows: ex.Dataset) -> dict[str, ex.PermutationImportance]:
    return ex.permutation_importance(_tree, _rows, SHUFFLES)
