"""The frame that all pages share: settings, address, title and messages at the top, how errors and notes are shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import streamlit as st

import explorer as ex
from explorer.drawing.figures import data_figures
from explorer.drawing.palette import Theme, theme
from explorer.tree import metrics
from pages.results import tree_size, trees
from pages.results.fit_to_target import fit_target
from pages.settings import session, url
from pages.settings.settings import Settings
from pages.text import escape_markdown
from pages.widgets import copy_link

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
    if session.is_new():
        url.start_from_url()
        _fall_back_if_unusable()
    url.write()
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        st.title(title, anchor=False, width="content")
        copy_link.link()
    st.markdown(lead)
    with st.container(key="notices"):
        for notice in session.take_notices():
            show_notice(notice.level, notice.text)
    return session.read()


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
    data, rows = trees.data(settings), rows_text(trees.parts(settings))
    kind = "a number" if data.is_regression else f"{len(data.classes)} classes"
    with st.container(border=True):
        st.markdown(
            f"**{escape_markdown(trees.source(settings).name)}** · {data.n_rows:,} rows, "
            f"{len(data.features)} features · predicts **{escape_markdown(data.target.name)}** ({kind}) · {rows}"
        )


def tree_line(settings: Settings, pruned: ex.Tree, verb: str) -> None:
    """One line that names the pruned tree, with a link to choose another size."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"{verb}: **{escape_markdown(tree_size.tree_words(settings, pruned))}**.", width="content")
        st.page_link("pages/prune/page.py", label="Choose another size", icon=":material/content_cut:", width="content")


def rows_text(parts: trees.Parts) -> str:
    """How the rows are shared out."""
    return _SPLIT_WORDS[parts.how].format(
        train=parts.train.n_rows,
        valid=parts.valid.n_rows if parts.valid else 0,
        test=parts.test.n_rows if parts.test else 0,
    )


def spread(data: ex.Dataset, key: str) -> None:
    """How the target of these rows is spread: a bar of classes, or a histogram."""
    if data.is_regression:
        figure = data_figures.histogram(data.y, data.target.name, colours())
    else:
        figure = data_figures.share_bar(data.classes, metrics.class_weights(data), colours())
    st.plotly_chart(figure, key=key, config=STILL)


def _fall_back_if_unusable() -> None:
    """A web address may name columns that the table has not: begin with the table's defaults and say so."""
    settings = session.read()
    try:
        trees.parts(settings)
    except ex.ExplorerError as error:
        session.keep(
            Settings(
                sample=settings.sample,
                grow=settings.grow,
                left=settings.left,
                right=settings.right,
                third=settings.third,
            )
        )
        session.notify("warning", f"The web address could not be used as it is: {error} The sample opens as usual.")
    fit_target()
