"""The learning curve: would more rows help? On demand, in the background."""

from __future__ import annotations

import streamlit as st

import explorer as ex
from explorer.drawing.figures import score_figures
from explorer.evaluation.learning_curve import SHARES
from explorer.messages import message
from pages.evaluate import class_curves, row_set
from pages.results import cross_validation, jobs, trees
from pages.settings.settings import Settings
from pages.text import score_name
from pages.widgets import job_button, page_frame


def key(settings: Settings) -> str:
    """A text for everything that the curve depends on."""
    train, how = trees.parts(settings).train, trees.how_grown(trees.grown(settings).tree)
    return f"learning {train.fingerprint} {how} {cross_validation.n_folds(settings)} {settings.fold_seed}"


def show(settings: Settings) -> None:
    """Controls, progress, and the curve once it is there."""
    st.caption(
        message(
            "Would more rows help? Trees are grown without pruning on growing shares of the training rows and scored "
            "on these rows and on a held-out fold. If the two curves are still converging, more rows would help."
        )
    )
    if settings.choices:
        st.caption(row_set.decided_by_hand())
    train, recipe = trees.parts(settings).train, trees.recipe(settings)
    if recipe.prepruning:
        st.markdown(message("Pre-pruning needs validation rows, which folds lack. Switch it off on the Grow page."))
        return

    folds, seed = cross_validation.n_folds(settings), settings.fold_seed

    def work(progress: jobs.Progress) -> object:
        return ex.learning_curve(train, recipe, folds=folds, seed=seed, progress=progress, choices=settings.choices)

    steps, label = (message("Tree"), folds * len(SHARES)), message("Compute the learning curve")
    curve = job_button.on_folds("learning", label, steps, key(settings), work, settings)
    if isinstance(curve, ex.LearningCurve):
        figure = score_figures.learning_figure(curve, score_name(train.is_regression), page_frame.colours())
        st.plotly_chart(class_curves.low(figure), key="learning.curve", config=page_frame.STILL)
