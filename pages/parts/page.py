"""What every page begins with: settings, web address, title, messages; and how a deliberate error is shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import streamlit as st

import explorer as ex
from explorer import evaluate
from explorer.draw import figures
from explorer.draw.palette import Theme, theme
from pages.parts import address, arrival, cached, sharing, state
from pages.parts.fitting import fit_target
from pages.parts.state import Settings
from pages.parts.words import escape_markdown

STILL = {"displayModeBar": False}
"""Figures without a row of buttons over them."""
TINT = "background-color: rgba(120, 110, 230, 0.25)"
"""How a cell that matters looks, in tables of either theme."""
_ICONS = {"error": ":material/error:", "warning": ":material/warning:", "info": ":material/info:"}
_SPLIT_WORDS = {
    "all": "grown on all rows",
    "two": "grown on {train:,} rows, {valid:,} kept for validation",
    "three": "grown on {train:,} rows, {valid:,} for validation, {test:,} sealed for the test",
}


def start(title: str, lead: str) -> Settings:
    """Title, one line of help, and the messages left by the last action; gives the settings."""
    if state.is_new():
        address.start_from_address()
        _fall_back_if_unusable()
    arrival.go_round(title)
    address.write()
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        st.title(title, anchor=False, width="content")
        sharing.link()
    st.markdown(lead)
    with st.container(key="notices"):
        for notice in state.take_notices():
            show_notice(notice.level, notice.text)
    return state.read()


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
    except ex.ExplorerError as error:
        show_notice("error", str(error))


def colours() -> Theme:
    """The colours of the theme that the reader sees."""
    return theme(st.context.theme.type)


def context_line(settings: Settings) -> None:
    """Which table, target and rows the page speaks of."""
    data, rows = cached.data(settings), rows_text(cached.parts(settings))
    kind = "a number" if data.is_regression else f"{len(data.classes)} classes"
    with st.container(border=True):
        st.markdown(
            f"**{escape_markdown(cached.source(settings).name)}** · {data.n_rows:,} rows, "
            f"{len(data.features)} features · predicts **{escape_markdown(data.target.name)}** ({kind}) · {rows}"
        )


def rows_text(parts: cached.Parts) -> str:
    """How the rows are shared out."""
    return _SPLIT_WORDS[parts.how].format(
        train=parts.train.n_rows,
        valid=parts.valid.n_rows if parts.valid else 0,
        test=parts.test.n_rows if parts.test else 0,
    )


def spread(data: ex.Dataset, key: str) -> None:
    """How the target of these rows is spread: a bar of classes, or a histogram."""
    if data.is_regression:
        figure = figures.histogram(data.y, data.target.name, colours())
    else:
        figure = figures.share_bar(data.classes, evaluate.class_weights(data), colours())
    st.plotly_chart(figure, key=key, config=STILL)


def _fall_back_if_unusable() -> None:
    """A web address may name columns that the table has not: begin with the table's defaults and say so."""
    settings = state.read()
    try:
        cached.parts(settings)
    except ex.ExplorerError as error:
        state.keep(
            Settings(
                sample=settings.sample,
                grow=settings.grow,
                left=settings.left,
                right=settings.right,
                third=settings.third,
            )
        )
        state.notify("warning", f"The web address could not be used as it is: {error} The sample opens as usual.")
    fit_target()
