"""The learning curve: would more rows help? On demand, in the background."""

from __future__ import annotations

import streamlit as st

import explorer as ex
from explorer.drawing.figures import score_figures
from explorer.evaluation.learning_curve import SHARES
from pages.evaluate import class_curves, row_set
from pages.results import jobs, trees
from pages.settings.settings import Settings
from pages.text import score_name
from pages.widgets import job_button, page_frame

_STORY = (
    "Trees are grown on more and more of the training rows, without pruning, and scored on these rows and on a fold "
    "that they have not seen. Where the lines still draw together, more rows would help."
)


def key(settings: Settings) -> str:
    """A text for everything that the curve depends on."""
    train, how = trees.parts(settings).train, trees.how_grown(trees.grown(settings).tree)
    return f"learning {train.fingerprint} {how} {settings.folds} {settings.fold_seed}"


def show(settings: Settings) -> None:
    """Controls, progress, and the curve once it is there."""
    st.caption(_STORY + (f" {row_set.DECIDED}" if settings.choices else ""))
    train, recipe = trees.parts(settings).train, trees.recipe(settings)
    if recipe.prepruning:
        st.markdown("Pre-pruning has validation rows of its own, and folds have none: switch it off on the Grow page.")
        return

    def work(progress: jobs.Progress) -> object:
        folds, seed = settings.folds, settings.fold_seed
        return ex.learning_curve(train, recipe, folds=folds, seed=seed, progress=progress, choices=settings.choices)

    steps = "Tree", settings.folds * len(SHARES)
    curve = job_button.on_folds("learning", "Draw the learning curve", steps, key(settings), work, settings)
    if isinstance(curve, ex.LearningCurve):
        figure = score_figures.learning_figure(curve, score_name(train.is_regression), class_curves.colours(settings))
        with st.container(width=820):
            st.plotly_chart(figure, key="learning.curve", config=page_frame.STILL)
