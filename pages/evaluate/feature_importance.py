"""Which features the tree rests on: by impurity, and by shuffled columns, which takes long for many rows."""

from __future__ import annotations

import streamlit as st

import explorer as ex
from explorer.drawing.figures import score_figures
from explorer.evaluation.feature_importance import features_used
from pages.evaluate import class_curves
from pages.results import evaluation, jobs
from pages.results.trees import KEPT
from pages.settings.settings import Settings
from pages.widgets import job_button, page_frame

SHUFFLES = 5
"""How often each column is shuffled."""
QUICK = 100_000
"""So many shuffled cells are predicted while a reader waits."""
_LEFT = "Each feature’s share in what the tests take off the impurity of the training rows."


def show(settings: Settings, tree: ex.Tree) -> None:
    """Impurity taken off, feature by feature, and beside it what shuffling costs, as soon as that is known."""
    losses = _shuffling_losses(settings, tree)
    named = "growth of the mean squared error" if tree.is_regression else "more wrong answers (share)"
    figure = score_figures.importance_figure(ex.importance(tree), losses, named, class_curves.colours(settings))
    with st.container(width="stretch" if losses else class_curves.HALF):
        st.plotly_chart(figure, key="importance", config=page_frame.STILL)
    if losses is None:
        st.caption(_LEFT)
        return
    st.caption(
        f"Left: {_LEFT[0].lower()}{_LEFT[1:]} Right: what is lost when its column is shuffled among the "
        f"{_rows_name(settings)}, the mean of {SHUFFLES} shufflings with its standard deviation. A feature that looks "
        "important on the left and costs nothing on the right was learnt by heart."
    )


def key(settings: Settings) -> str:
    """A text for everything that the losses depend on."""
    return f"shuffled {evaluation.evaluation_key(settings)}"


def _shuffling_losses(settings: Settings, tree: ex.Tree) -> dict[str, ex.PermutationImportance] | None:
    """What shuffling each column of the rows in force costs; None until long work is started and done."""
    rows = evaluation.rows(settings)
    if rows.n_rows * len(features_used(tree)) * SHUFFLES <= QUICK:
        return _shuffled(key(settings), tree, rows)

    def work(progress: jobs.Progress) -> object:
        return ex.permutation_importance(tree, rows, SHUFFLES, progress=progress)

    label, steps = f"Shuffle the columns of the {_rows_name(settings)}", ("Column", len(tree.features))
    result = job_button.run("shuffled", label, steps, key(settings), work)
    return result if isinstance(result, dict) else None


def _rows_name(settings: Settings) -> str:
    """The rows whose columns are shuffled: held-out predictions come from many trees, so training rows replace them."""
    which = evaluation.chosen(settings)
    return evaluation.choices(settings)["train" if which == "held_out" else which].lower()


@st.cache_resource(ttl=KEPT, max_entries=24, show_spinner="Shuffling columns …")
def _shuffled(key: str, _tree: ex.Tree, _rows: ex.Dataset) -> dict[str, ex.PermutationImportance]:
    return ex.permutation_importance(_tree, _rows, SHUFFLES)
