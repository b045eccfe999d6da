"""Ensembles of the textbooks, reachable in one click where their table is in use."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from explorer.messages import message
from pages.results import ensembles
from pages.settings import session
from pages.settings.ensemble_settings import EnsembleSettings
from pages.settings.settings import Settings, changed


@dataclass(frozen=True)
class Preset:
    """A named choice of method and options for one of the built-in tables."""

    label: Callable[[], str]
    chosen: EnsembleSettings


PRESETS: dict[str, tuple[Preset, ...]] = {
    "lihang_8_1": (
        Preset(
            lambda: message("Li Hang 8.1: three rounds"),
            EnsembleSettings(
                method="adaboost", members=3, depth=1, criterion="error", rate=1.0, vote="half_log", stage=0
            ),
        ),
    ),
    "lihang_8_2_regression": (
        Preset(
            lambda: message("Li Hang 8.2: six rounds"),
            EnsembleSettings(
                method="gradient_boosting", members=6, depth=1, loss="squared_error", rate=1.0, start=0.0, stage=0
            ),
        ),
    ),
    "outlier8": (
        Preset(
            lambda: message("Three losses side by side"),
            EnsembleSettings(method="gradient_boosting", members=6, depth=1, rate=1.0, delta=3.0, losses=True, stage=1),
        ),
    ),
    "play_tennis": (
        Preset(
            lambda: message("Boost stumps as Quinlan (1996): 10 rounds"),
            EnsembleSettings(method="c50", members=10, depth=1, update="quinlan96"),
        ),
    ),
    "iris": (
        Preset(
            lambda: message("Boost as C5.0: 10 rounds"),
            EnsembleSettings(method="c50", members=10, update="c50", stage=0),
        ),
    ),
}
"""By the key of the sample."""


def show(settings: Settings) -> None:
    """A button for each of the table's own."""
    if settings.upload:
        return
    for position, preset in enumerate(PRESETS.get(settings.sample, ())):
        st.button(
            preset.label(),
            key=f"en.preset.{position}",
            icon=":material/menu_book:",
            on_click=_take,
            args=(preset.chosen,),
            width="stretch",
        )


def _take(chosen: EnsembleSettings) -> None:
    session.attempt(ensembles.check, ensembles=chosen)


def reset() -> None:
    """Begin again with the table's first ensemble."""
    session.keep(changed(session.read(), ensembles=EnsembleSettings()))
