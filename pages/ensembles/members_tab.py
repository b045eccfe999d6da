"""The rounds with their formulas, and the members as a table; a member chosen opens on the stage."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import streamlit as st

from explorer.ensembles.members import Ensemble
from explorer.ensembles.picture.of_ensemble import root_text
from explorer.ensembles.picture.round_formulas import round_formula
from explorer.formatting import visible
from explorer.messages import message, plural
from pages.ensembles import stage
from pages.results import ensembles
from pages.settings.settings import Settings
from pages.text import number
from pages.widgets import formula
from pages.widgets.choice_list import choice_list
from pages.widgets.choice_list.choice_list import Column
from pages.widgets.ensembles import view

_MOST = 2_000
"""Lines of the table at most."""


def show_round(settings: Settings, made: Ensemble) -> None:
    """The table follows the slider; the formula is that of the stage where the slider came to rest."""
    shown = ensembles.stage_of(settings, made)
    if shown == 0:
        st.caption(message("Stage 0 has no tree: every row gets the same answer."))
    else:
        st.markdown(message("**Stage {n}**", n=shown))
        st.caption(_meaning(made, shown))
        formula.show(round_formula(made, shown, ensembles.row_rows(settings)), f"round.{made.method}")
    view.part(stage.NAME, "facts", "en.facts")


def _meaning(made: Ensemble, shown: int) -> str:
    """What a stage is, in trees."""
    of_round = len(made.members) // made.n_stages
    if of_round > 1:
        return plural(
            shown,
            "The ensemble after {n:,} round, which grew a tree for each of the {classes} classes.",
            "The ensemble after {n:,} rounds, each of which grew a tree for each of the {classes} classes.",
            classes=of_round,
        )
    return plural(shown, "The ensemble of the first tree alone.", "The ensemble of the first {n:,} trees.")


def show(settings: Settings, made: Ensemble) -> None:
    """One line for each member, in the order of the rounds."""
    table(made, "en.members_table", _open)
    st.caption(message("Choose a tree to open it with its rows, its weights and its candidates."))


def table(made: Ensemble, key: str, on_line: Callable[[int | None], None]) -> None:
    """The members; `on_line` takes the position of one that is chosen."""
    if not made.members:
        st.caption(message("There is no tree."))
        return
    choice_list.show(key, _columns(made), None, on_line)
    if len(made.members) > _MOST:
        st.caption(plural(_MOST, "The first {n:,} tree is listed.", "The first {n:,} trees are listed."))


def _columns(made: Ensemble) -> list[Column]:
    """What the table says of each tree; votes only where they differ, round and class where a round has several."""
    members = made.members[:_MOST]

    def amount(text: str, cells: Iterable[object]) -> Column:
        return Column(text, list(map(str, cells)), is_amount=True)

    columns = [
        amount(message("tree"), range(1, len(members) + 1)),
        Column(message("first split"), [root_text(member.tree) for member in members], names=True),
        amount(message("leaves"), (f"{member.tree.n_leaves:,}" for member in members)),
        amount(message("depth"), (member.tree.max_depth for member in members)),
    ]
    if len({member.vote for member in members}) > 1:
        columns.append(amount(message("vote"), (number(member.vote) for member in members)))
    if any(member.stage != position for position, member in enumerate(members, 1)):
        columns.append(amount(message("round"), (member.stage for member in members)))
    of_classes = [member.of_class for member in members]
    if any(code is not None for code in of_classes):
        names = ["" if code is None else visible(str(made.classes[code])) for code in of_classes]
        columns.append(Column(message("class"), names))
    return columns


def _open(line: int | None) -> None:
    if line is not None:
        ensembles.keep(member=line, node=0)
