"""One row above the trees: each side with its settings behind its name, its size and score, and the third side."""

from __future__ import annotations

import dataclasses

import streamlit as st

from explorer.formatting import leaves
from explorer.messages import message
from pages.compare.scores import over_baseline
from pages.compare.side_by_side import keep_compare_value
from pages.grow import growing_controls
from pages.layout import summary_line
from pages.results import evaluation, trees
from pages.results.comparing import compared, comparison
from pages.settings import session
from pages.settings.page_settings import SIDES, GrowSettings
from pages.settings.settings import Settings, changed
from pages.widgets import page_frame
from pages.widgets.controls import feed, quiet_button

_WIDTH = 280
"""Pixels for the settings of a side, so that its tree stays in view."""


def show(settings: Settings) -> None:
    """All sides, and how the rows are shared out."""
    for slot in settings.compare.slots:
        with page_frame.errors_shown():
            _side(settings, slot)
    if settings.compare.has_third:
        st.button(message("Remove C"), icon=":material/close:", key="third.on", on_click=_with_third, args=(False,))
    not_decided = summary_line.not_decided(settings, trees.data(settings).classes)
    st.markdown(" · ".join(filter(None, (summary_line.rows_of(settings), not_decided))))


def show_problems(settings: Settings) -> None:
    """Why a side has no tree."""
    for slot in settings.compare.slots:
        problem = comparison.problem(settings, slot)
        if problem:
            page_frame.show_notice("error", message("{side}: {problem}", side=SIDES[slot], problem=problem))


def show_choices(settings: Settings) -> None:
    """The settings of all sides, as long as their trees are not there."""
    for slot in settings.compare.slots:
        _choices(settings, slot)


def _side(settings: Settings, slot: str) -> None:
    """A side's algorithm, with the settings behind it, and what became of them."""
    with st.container(key=f"side_{slot}", horizontal=True, vertical_alignment="center", gap="small", width="content"):
        _choices(settings, slot)
        if not comparison.problem(settings, slot):
            st.markdown(_facts(settings, slot), width="content")


def _choices(settings: Settings, slot: str) -> None:
    """A side's algorithm, with the settings behind it."""
    label = message("{letter}: {algorithm}", letter=SIDES[slot], algorithm=trees.recipe(settings, slot).name)
    popover = st.popover(label, help=message("Settings of {letter}", letter=SIDES[slot]), key=f"{slot}.settings")
    with popover, st.container(width=_WIDTH):
        growing_controls.show(slot, settings)


def _facts(settings: Settings, slot: str) -> str:
    """Size and held-out score of a side's tree, as the table of the scores has it."""
    tree = compared.tree(settings, slot)
    score = evaluation.held_out_score(settings, tree, slot)
    shown = {"leaves": leaves(tree.n_leaves), "rows": score.name, "score": over_baseline(score, tree.is_regression)}
    if tree.is_regression:
        return message("{leaves} · {rows} MSE {score}", **shown)
    return message("{leaves} · {rows} {score}", **shown)


def offer_third(settings: Settings) -> None:
    """The button for a third side, as long as there is none."""
    if not settings.compare.has_third:
        quiet_button(message("Add a third tree"), "third.on", "add", _with_third, True)


def _with_third(is_on: bool) -> None:
    settings = session.read()
    compare = dataclasses.replace(
        settings.compare, has_third=is_on, pair="AB", cell=None, row=None, has_chosen_node=False
    )
    session.keep(changed(settings, third=GrowSettings(), third_node=0, compare=compare))


def moves_together(settings: Settings) -> None:
    """Whether panning and zooming one tree moves the others."""
    st.toggle(
        message("Pan and zoom the trees together"),
        key=feed("moves_together", settings.compare.moves_together),
        on_change=keep_compare_value,
        args=("moves_together", "moves_together"),
        help=message("A node selected in one tree is always selected in the others too, if they have the same path."),
    )
