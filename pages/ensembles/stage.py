"""The ensemble on the stage, with its slider over the stages; or three losses side by side."""

from __future__ import annotations

import dataclasses
from functools import partial

import streamlit as st

from explorer.drawing.ensemble_view import colour_themes
from explorer.ensembles.members import Ensemble
from explorer.messages import message
from pages.results import ensembles
from pages.results.class_colours import palette
from pages.settings import session
from pages.settings.ensemble_settings import LOSSES
from pages.settings.settings import Settings
from pages.widgets.ensembles import view
from pages.widgets.ensembles.view import Shown

NAME = "ensembles"
"""What the view is called; its parts stand in the inspector."""


def show(settings: Settings, made: Ensemble) -> None:
    """The picture; the reader moves the stage in the browser, and the page follows when it comes to rest."""
    if ensembles.shows_losses(settings):
        _side_by_side(settings)
        return
    row = ensembles.row_payload(settings)
    view.view(
        NAME,
        ensembles.picture_payload(settings),
        shown(settings, made),
        colour_themes(len(made.classes), palette(settings)),
        _take,
        row=row,
        presenter=settings.view.presenter,
    )


def shown(settings: Settings, made: Ensemble) -> Shown:
    """What the settings select in the view."""
    chosen = settings.ensembles
    row = -1 if chosen.row is None else chosen.row
    return Shown(ensembles.stage_of(settings, made), -1, row, chosen.picture)


def _take(now: Shown) -> None:
    """Keep what the reader did in the view: another stage, a member opened, a row chosen, another picture."""
    ensembles.keep(
        stage=now.stage,
        member=None if now.member < 0 else now.member,
        node=0,
        row=None if now.row < 0 else now.row,
        picture=now.tab,
    )


def _side_by_side(settings: Settings) -> None:
    """Three losses on the same rows, at the same stage."""
    with st.container(key="stages"):
        for loss in ensembles.COMPARED_LOSSES:
            other = ensembles.with_loss(settings, loss)
            made = ensembles.ensemble(other)
            with st.container(key=f"loss_{loss}"):
                st.markdown(f"**{LOSSES[loss]}**")
                view.view(
                    f"{NAME}_{loss}",
                    ensembles.picture_payload(other),
                    dataclasses.replace(shown(other, made), tab="fit"),
                    colour_themes(len(made.classes), palette(settings)),
                    partial(_take_of, loss),
                    presenter=settings.view.presenter,
                )


def _take_of(loss: str, now: Shown) -> None:
    """Move all three to the stage; a member opened is one of this loss."""
    if now.member >= 0:
        ensembles.keep(loss=loss, losses=False, stage=now.stage, member=now.member, node=0)
        session.notify("info", message("The other losses are left: this is the ensemble of one of them."))
        return
    ensembles.keep(stage=now.stage, row=None if now.row < 0 else now.row)
