"""How classes look everywhere: the palette, and the reader's own label and colour for each class."""

from __future__ import annotations

import dataclasses

import streamlit as st

from explorer.drawing.palette import PALETTES
from explorer.messages import message, plural
from pages.layout import shell
from pages.results import class_colours, trees
from pages.settings import session
from pages.settings.settings import Settings
from pages.text import escape_markdown
from pages.widgets import page_frame
from pages.widgets.controls import feed, keep_value

_MOST = 20
"""Classes that can be given labels and colours of one's own."""


def show(settings: Settings) -> None:
    """The palette, and one line per class."""
    _choose_palette(settings)
    names = trees.class_names(settings)
    if not names:
        st.caption(message("The target is a number: its colours are a scale from the lowest to the highest mean."))
        return
    if len(names) > _MOST:
        st.caption(plural(_MOST, "Up to {n:,} class can be named.", "Up to {n:,} classes can be named and coloured."))
        return
    labels, colours = trees.class_labels(settings), _colours(settings, len(names))
    for code, name in enumerate(names):
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            st.color_picker(
                message("Colour of {name}", name=escape_markdown(name)),
                value=colours[code],
                key=f"colour.{name}.{colours[code]}",
                on_change=_coloured,
                args=(name, f"colour.{name}.{colours[code]}"),
                label_visibility="collapsed",
            )
            if settings.connected:
                st.markdown(escape_markdown(name))
            else:
                _label_field(name, labels.get(name, name))
    if settings.connected:
        st.caption(message("The classes of a connected table keep the names that they have there."))
    if settings.view.class_labels or settings.view.class_colours:
        st.button(message("Reset labels and colours"), key="looks.reset", on_click=_reset)


def _label_field(name: str, label: str) -> None:
    st.text_input(
        message("Label of {name}", name=escape_markdown(name)),
        value=label,
        key=f"label.{name}.{label}",
        max_chars=60,
        on_change=_labelled,
        args=(name, f"label.{name}.{label}"),
    )


def _choose_palette(settings: Settings) -> None:
    st.selectbox(
        message("Palette"),
        list(PALETTES),
        key=feed("palette", settings.palette),
        format_func=lambda name: PALETTES[name](),
        on_change=keep_value,
        args=("palette", "palette"),
        help=message("Every class also has a shape and its name, so no fact depends on colour alone."),
    )


def _colours(settings: Settings, n_classes: int) -> list[str]:
    return page_frame.class_colours_of(n_classes, class_colours.palette(settings))


def _coloured(name: str, key: str) -> None:
    own = {**dict(session.read().view.class_colours), name: str(st.session_state[key]).lower()}
    shell.keep_view(class_colours=tuple(own.items()))


def _labelled(name: str, key: str) -> None:
    """Take a label; an empty one, or what the class is called without one, takes the label away."""
    settings, label = session.read(), str(st.session_state[key]).strip()
    own = {other: text for other, text in settings.view.class_labels if other != name}
    if label not in ("", dict(trees.source(settings).labels).get(name, name)):
        own[name] = label
    view = dataclasses.replace(settings.view, class_labels=tuple(own.items()))
    session.attempt(trees.data, view=view)


def _reset() -> None:
    shell.keep_view(class_labels=(), class_colours=())
