"""A member opened: its tree on the stage, like any tree, with the way back to the ensemble above it."""

from __future__ import annotations

import streamlit as st

from explorer.drawing.tree_view import colour_themes
from explorer.ensembles.members import Ensemble
from explorer.messages import message
from pages.results import ensembles
from pages.results.class_colours import palette
from pages.settings.settings import Settings
from pages.widgets import tree_panels, tree_view
from pages.widgets.tree_view import Shown

NAME = "ensembles_member"


def show(settings: Settings, made: Ensemble, position: int) -> None:
    """The tree of the member at this position."""
    tree = made.members[position].tree
    with st.container(key="member_stage"):
        _head(made, position)
        node = ensembles.member_node(settings, made, position)
        tree_view.view(
            NAME,
            ensembles.member_payload(settings, made, position),
            Shown(node),
            colour_themes(len(tree.classes), palette(settings)),
            _take,
            rule=tree_panels.rule(tree, node),
            path_nodes=ensembles.path_of_row(settings, made, position),
            presenter=settings.view.presenter,
            layout=settings.view.layout or None,
            on_command=tree_panels.take_command,
        )


def _head(made: Ensemble, position: int) -> None:
    """Which member it is, the ones beside it, and the way back."""
    member, last = made.members[position], len(made.members) - 1
    with st.container(key="member_head", horizontal=True, vertical_alignment="center", gap="small"):
        st.button(
            message("Ensemble"),
            key="en.back",
            icon=":material/arrow_back:",
            on_click=ensembles.keep,
            kwargs={"member": None, "node": 0},
        )
        _step("en.previous", ":material/chevron_left:", message("Previous tree"), position - 1, position == 0)
        st.markdown(_title(made, position), width="content")
        _step("en.next", ":material/chevron_right:", message("Next tree"), position + 1, position == last)
        if member.of_class is not None:
            st.caption(message("adds to the score of {name}", name=str(made.classes[member.of_class])), width="content")


def _title(made: Ensemble, position: int) -> str:
    return message("**Tree {n:,}** of {of:,}", n=position + 1, of=len(made.members))


def _step(key: str, icon: str, label: str, to: int, is_off: bool) -> None:
    st.button(
        "",
        key=key,
        icon=icon,
        help=label,
        disabled=is_off,
        on_click=ensembles.keep,
        kwargs={"member": to, "node": 0},
        type="tertiary",
    )


def _take(now: Shown) -> None:
    ensembles.keep(node=max(now.selected, 0))
