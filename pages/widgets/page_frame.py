"""What all pages share beside their layout: how errors and notes are shown, and the colours in force."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import streamlit as st

import explorer as ex
from explorer.drawing.figures import data_figures
from explorer.drawing.palette import Theme, theme
from explorer.drawing.palette import class_colours as class_colours_in
from explorer.errors import SourceChangedError
from explorer.messages import message
from explorer.tree import metrics
from pages.results import class_colours, connected_table, trees
from pages.results.connected import opened
from pages.results.fit_to_target import fit_target
from pages.settings import session
from pages.settings.settings import Settings
from pages.text import escape_markdown

STILL = {"displayModeBar": False}
"""Figures without a row of buttons over them."""
TINT = "background-color: rgba(120, 110, 230, 0.25)"
"""How a cell that matters looks, in tables of either theme."""
GREY, FADED = "color: #777784", "opacity: 0.8"
"""How a cell that counts less looks; tables of HTML fade it, which leaves enough contrast in either theme."""
PRESENTED = 1.5
"""How much larger the letters of the presenter mode are."""
_ICONS = {"error": ":material/error:", "warning": ":material/warning:", "info": ":material/info:"}


def show_notice(level: str, text: str) -> None:
    """One message box; the text is shown literally."""
    box = {"error": st.error, "warning": st.warning}.get(level, st.info)
    box(escape_markdown(text), icon=_ICONS.get(level))


def show_notes(notes: Sequence[tuple[str, str]]) -> None:
    """Remarks (level, text) as quiet lines; warnings get a box."""
    for level, text in notes:
        if level == "warning":
            show_notice(level, text)
        else:
            st.markdown(f":material/info: {escape_markdown(text)}")


@contextmanager
def errors_shown() -> Iterator[None]:
    """Show a deliberate error as a message instead of the rest of the block."""
    try:
        yield
    except SourceChangedError as error:
        show_notice("error", str(error))
        if st.button(message("Connect and grow again"), key="connect.again"):
            opened.connect_again()
            st.rerun()  # the whole page, which shows how far the new tree is
    except ex.ExplorerError as error:
        show_notice("error", str(error))


def show_sample(settings: Settings) -> None:
    """On which rows of a connected table the following is; nothing for a table in memory."""
    text = connected_table.sample_text(settings)
    if text:
        st.caption(text)


def colours() -> Theme:
    """The colours of the theme that the reader sees, with the palette and the colours of classes that are chosen."""
    return theme(st.context.theme.type, class_colours.palette(session.read()))


def class_colours_of(n_classes: int, palette: str) -> list[str]:
    """One colour per class in the theme that the reader sees."""
    return class_colours_in(n_classes, st.context.theme.type, palette)


def spread(data: ex.Dataset, key: str) -> None:
    """How the target of these rows is spread: a bar of classes, or a histogram."""
    if data.is_regression:
        figure = data_figures.histogram(data.y, data.target.name, colours())
    else:
        figure = data_figures.share_bar(
            data.classes, metrics.class_weights(data), colours(), data.weight_column is None
        )
    st.plotly_chart(figure, key=key, config=STILL)


def fall_back_if_unusable() -> None:
    """A web address may name columns that the table has not: begin with the table's defaults and say so."""
    problem = _open_with_defaults_if_unusable()
    if problem:
        session.notify("warning", message("This link could not be used as it is: {error}", error=problem))
    fit_target()


def fall_back_if_gone() -> None:
    """A connected table may be gone or have other columns once it is connected again: do the same."""
    problem = _open_with_defaults_if_unusable()
    if problem:
        session.notify("warning", problem)
        fit_target()


def _open_with_defaults_if_unusable() -> str:
    """Keep the table's defaults, or a sample, where the settings cannot be used; what was wrong, and what is open."""
    settings = session.read()
    try:
        trees.check_rows(settings)
    except ex.ExplorerError as error:
        sides = {side: getattr(settings, side) for side in ("grow", "left", "right", "third")}
        if settings.connected and _is_usable(Settings(connected=settings.connected, **sides)):
            session.begin(Settings(connected=settings.connected, **sides))
        else:
            session.begin(Settings(sample=settings.sample, **sides))
        if settings.connected and not session.read().connected:
            return message("{error} A sample is open instead.", error=error)
        return message("{error} The table opens with its defaults.", error=error)
    return ""


def _is_usable(settings: Settings) -> bool:
    try:
        trees.check_rows(settings)
    except ex.ExplorerError:
        return False
    return True
