"""Which features the members split on, and which the predictions depend on."""

from __future__ import annotations

import streamlit as st

from explorer.drawing.figures import score_figures
from explorer.ensembles.members import Ensemble
from explorer.messages import message
from pages.results import ensembles, trees
from pages.settings.settings import Settings
from pages.text import escape_markdown
from pages.widgets import page_frame

_PERMUTED_AT_ONCE = 20_000_000
"""Rows × features × members up to which columns are permuted while the reader waits."""


def show(settings: Settings, made: Ensemble) -> None:
    """Impurity importance, with what it favours, and permutation importance on rows held out beside it."""
    if not made.members:
        st.caption(message("There is no tree."))
        return
    can_add = ensembles.is_small(settings) and made.origin == ""
    wants = can_add and st.toggle(
        message("Random column as a yardstick"),
        key="en.yardstick",
        help=message("The ensemble is grown again with one more feature of random numbers."),
    )
    shown, name = ensembles.with_yardstick(settings) if wants else (made, "")
    losses = ensembles.permuted(settings, shown, bool(wants)) if _is_permuted(settings, shown) else None
    named = message("increase of the MSE") if made.is_regression else message("increase of the error rate")
    figure = score_figures.importance_figure(shown.importance(), losses, named, page_frame.colours())
    st.plotly_chart(figure, key="en.importance", config=page_frame.STILL)
    if wants:
        text = message("“{name}” holds random numbers: no feature below it is shown to matter.", name=name)
        st.caption(escape_markdown(text))
    st.caption(
        message(
            "Impurity importance favours features with many values: they have more thresholds to fit noise with. "
            "Permutation importance does not."
        )
    )
    _about_permutation(losses is not None, shown.has_oob)


def _is_permuted(settings: Settings, made: Ensemble) -> bool:
    rows = made.train if made.has_oob else trees.parts(settings).valid
    return rows is not None and rows.n_rows * len(rows.features) * len(made.members) <= _PERMUTED_AT_ONCE


def _about_permutation(is_there: bool, has_oob: bool) -> None:
    """On which rows it is measured, or what it needs."""
    if is_there and not has_oob:
        st.caption(
            message(
                "Permutation importance: what the score on the {rows} rows loses when the feature’s column is shuffled "
                "among them, mean of 5 shuffles ± standard deviation.",
                rows=message("validation"),
            )
        )
    elif is_there:
        st.caption(
            message(
                "Permutation importance (Breiman): how much each tree’s error rises when the feature is permuted "
                "among its out-of-bag rows; mean ± standard deviation over the trees."
            )
        )
    else:
        st.caption(
            message(
                "Permutation importance is measured on out-of-bag rows, which bagging and forests have if each tree "
                "draws a bootstrap sample, or else on validation rows. Of many rows and trees it takes too long here."
            )
        )
