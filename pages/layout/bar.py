"""The end of the bar: the link to share, and a menu: language, downloads, project, colours of classes, presenting."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

import explorer as ex
from explorer.messages import LANGUAGES, message
from pages.layout import class_looks, project, share, shell
from pages.layout.steps import undo
from pages.results.provenance import Slider
from pages.settings import language, session
from pages.settings.settings import Settings
from pages.widgets import downloads
from pages.widgets.controls import feed


def show(
    settings: Settings,
    provenance: Callable[[], ex.Provenance] | None = None,
    slider: Callable[[], Slider] | None = None,
    files: Callable[[], downloads.Files] | None = None,
    has_lessons: bool = False,
) -> None:
    """Share and the menu; `provenance` is what the downloads are made of, and without it there are none.

    A page without a single tree gives its own `files`. A page that `has_lessons` shares links to them.
    """
    with st.container(key="bar"):
        if has_lessons:
            share.lesson_link(settings)
        else:
            share.link()
        lock = ":material/lock:" if settings.view.frozen else None  # pages without a rail show no other sign
        menu = st.popover("⋯", key="menu", on_change="rerun", icon=lock)
        if menu.open:
            with menu.container(key="menu_body"):
                _choose_language()
                with st.container(horizontal=True):
                    undo.buttons("menu.")
                _menu(settings, _offer(settings, provenance, slider, files), has_tree=provenance is not None)


def _offer(
    settings: Settings,
    provenance: Callable[[], ex.Provenance] | None,
    slider: Callable[[], Slider] | None,
    files: Callable[[], downloads.Files] | None,
) -> Callable[[], None] | None:
    """What shows the downloads; None where there are none."""
    if files is not None:
        return lambda: downloads.offer(files())
    if provenance is not None:
        return lambda: downloads.downloads(settings, provenance, slider)
    return None


def _choose_language() -> None:
    st.segmented_control(
        message("Language"),
        list(LANGUAGES),
        key=feed("language.chosen", language.current()),
        required=True,
        format_func=lambda code: LANGUAGES[code],
        on_change=lambda: language.choose(st.session_state["language.chosen"]),
        label_visibility="collapsed",
    )


def _menu(settings: Settings, offer: Callable[[], None] | None, has_tree: bool) -> None:
    names = [message("Project"), message("Colours and labels"), message("Presenting")]
    if offer is not None:
        files, *tabs = st.tabs([message("Download"), *names])
        with files:
            offer()
    else:
        tabs = list(st.tabs(names))
    with tabs[0]:
        project.show(settings, has_tree)
    with tabs[1]:
        if settings.view.frozen:
            st.markdown(session.frozen_text())
        else:
            class_looks.show(settings)
    with tabs[2]:
        _modes(settings)


def _modes(settings: Settings) -> None:
    """For a lecture: the presenter mode, and settings that nobody changes by accident."""
    st.toggle(
        message("Freeze the settings"),
        key=feed("frozen", settings.view.frozen),
        on_change=lambda: shell.keep_view(frozen=st.session_state["frozen"]),
        help=message("Steps, nodes and timelines still move. Table, algorithm and other settings stay as they are."),
    )
    st.toggle(
        message("Presenter mode"),
        key=feed("presenter", settings.view.presenter),
        on_change=_switch_presenter,
        help=message("Larger type, the tree and its inspector alone. The key P switches it too."),
    )
    st.caption(message("Keys: P switches the mode; space plays; ← and → step through the timeline."))


def _switch_presenter() -> None:
    shell.keep_view(presenter=st.session_state["presenter"])
