"""The end of the bar: the link to share, and a menu of downloads, colours and labels of classes, and presenting."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

import explorer as ex
from explorer.messages import message
from pages.layout import class_looks, share, shell
from pages.results.provenance import Slider
from pages.settings.settings import Settings
from pages.widgets import downloads
from pages.widgets.controls import feed


def show(
    settings: Settings,
    provenance: Callable[[], ex.Provenance] | None = None,
    slider: Callable[[], Slider] | None = None,
    files: Callable[[], downloads.Files] | None = None,
) -> None:
    """Share and the menu; `provenance` is what the downloads are made of, and without it there are none.

    A page without a single tree gives its own `files`.
    """
    with st.container(key="bar"):
        share.link()
        menu = st.popover("⋯", key="menu", on_change="rerun")
        if menu.open:
            with menu:
                _menu(settings, _offer(settings, provenance, slider, files))


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


def _menu(settings: Settings, offer: Callable[[], None] | None) -> None:
    names = [message("Colours and labels"), message("Presenter mode")]
    if offer is not None:
        files, *tabs = st.tabs([message("Download"), *names])
        with files:
            offer()
    else:
        tabs = list(st.tabs(names))
    with tabs[0]:
        class_looks.show(settings)
    with tabs[1]:
        st.toggle(
            message("Presenter mode"),
            key=feed("presenter", settings.view.presenter),
            on_change=_switch_presenter,
            help=message("Larger type, the tree and its inspector alone. The key P switches it too."),
        )
        st.caption(message("Keys: P switches the mode; space plays; ← and → step through the timeline."))


def _switch_presenter() -> None:
    shell.keep_view(presenter=st.session_state["presenter"])
