"""Three losses on the same rows, in numbers: the start, each round's split and leaves, and both sums of errors."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from explorer.ensembles.members import Ensemble
from explorer.ensembles.picture.of_ensemble import root_text
from explorer.messages import message
from pages.ensembles import controls
from pages.results import ensembles, trees
from pages.settings.ensemble_settings import LOSSES
from pages.settings.settings import Settings
from pages.text import number
from pages.widgets import tables


def show(settings: Settings) -> None:
    """A line per loss at the stage shown, then what each row is predicted as."""
    stage = ensembles.stage_of(settings, ensembles.ensemble(settings))
    made = {loss: ensembles.ensemble(ensembles.with_loss(settings, loss)) for loss in ensembles.COMPARED_LOSSES}
    st.markdown(message("**Stage {n}**", n=stage))
    frame = pd.DataFrame([_line(loss, each, stage) for loss, each in made.items()])
    tables.numbers_table(frame, [False] * len(frame), "en.losses_table")
    st.markdown(message("**Errors on the training rows**"))
    train = trees.parts(settings).train
    errors = pd.DataFrame(
        [
            {
                message("loss"): LOSSES[loss],
                message("MSE"): each.staged_scores(train, "mse")[min(stage, each.n_stages)],
                message("MAE"): each.staged_scores(train, "absolute_error")[min(stage, each.n_stages)],
            }
            for loss, each in made.items()
        ]
    )
    tables.numbers_table(errors, [False] * len(errors), "en.losses_errors")
    st.caption(
        message(
            "Squared error follows an outlier, since its gradient is the residual. The gradient of absolute error is "
            "±1 for every row; that of Huber is at most δ."
        )
    )
    st.button(message("One loss alone"), key="en.one_loss", on_click=controls.switch_losses)


def _line(loss: str, made: Ensemble, stage: int) -> dict[str, object]:
    line: dict[str, object] = {message("loss"): LOSSES[loss], message("F₀"): number(float(made.start[0]), 2)}
    members = [member for member in made.members if member.stage == stage]
    if members:
        tree = members[0].tree
        line[message("split")] = root_text(tree)
        line[message("leaves")] = " | ".join(number(float(tree.values[leaf]), 2) for leaf in tree.leaves())
    return line
