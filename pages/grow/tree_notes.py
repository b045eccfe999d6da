"""What to know about the tree and its table: warnings, and notes of growing."""

from __future__ import annotations

import streamlit as st

import explorer as ex
from explorer.data.notes import grouped, listed_names
from explorer.messages import message
from pages.results import trees
from pages.results.of_table import open_suggestions
from pages.settings import session
from pages.settings.settings import Settings
from pages.widgets import page_frame

_ENOUGH = 2
"""Rows per leaf that stop shares of a row from being split on their own; C4.5's own default."""


def show(settings: Settings) -> None:
    """The warnings; then the notes of growing."""
    tree = trees.grown(settings).tree
    _oversized(settings, tree)
    _open_questions(settings)
    notes = grouped(trees.data(settings).notes)
    page_frame.show_notes([(note.level, note.text) for note in notes if note.level == "warning"])
    page_frame.show_notes([("info", note) for note in tree.notes])


def _oversized(settings: Settings, tree: ex.Tree) -> None:
    """A warning for a tree with more leaves than rows: fractional instances multiply from split to split."""
    n_rows = trees.parts(settings).train.n_rows
    if tree.recipe.missing != "fractional" or tree.n_leaves <= n_rows:
        return
    facts = message(
        "The tree has more leaves ({leaves:,}) than training rows ({rows:,}): rows with a missing value go down every "
        "branch with a fraction of their weight, and these fractions are split again.",
        leaves=tree.n_leaves,
        rows=n_rows,
    )
    is_unlimited = tree.recipe.min_rows_leaf < _ENOUGH
    remedy = (
        message("Set min. samples per leaf to {n}, or prune the tree.", n=_ENOUGH)
        if is_unlimited
        else message("Prune the tree, or raise min. samples per leaf.")
    )
    page_frame.show_notice("warning", f"{facts} {remedy}")
    if is_unlimited:
        label = message("Set min. samples per leaf to {n}", n=_ENOUGH)
        st.button(label, key="oversized", on_click=_set_enough)


def _open_questions(settings: Settings) -> None:
    """A warning about columns of the tree whose cells may mean something else."""
    data = trees.data(settings)
    used = {column.name for column in (data.target, *data.features)}
    found = open_suggestions.found(settings)
    names = [each.column for each in found if each.is_question and each.column in used]
    if names:
        text = message(
            "The Data page has open questions about {columns}. Until they are answered, digits with a point are "
            "decimal numbers there, and other text is a category.",
            columns=listed_names(list(dict.fromkeys(names))),
        )
        page_frame.show_notice("warning", text)


def _set_enough() -> None:
    growing = trees.explicit(session.read()).with_change("min_rows_leaf", _ENOUGH)
    session.attempt(trees.check, grow=growing)
