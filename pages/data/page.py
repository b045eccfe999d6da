"""The table: choose one, name the target, say which columns count, and split the rows."""

import streamlit as st

from explorer.data.samples import SAMPLES
from pages.data import column_editor, table_chooser
from pages.results import trees
from pages.settings import labels
from pages.settings.settings import Settings
from pages.text import escape_markdown
from pages.widgets import controls, page_frame

_PREVIEW_ROWS = 200


def show_table(settings: Settings) -> None:
    """The table in use: where it comes from, its first rows and how the target is spread."""
    source, data = trees.source(settings), trees.data(settings)
    st.subheader(escape_markdown(source.name), anchor=False)
    if not settings.upload:
        sample = SAMPLES[settings.sample]
        st.markdown(escape_markdown(sample.story))
        st.caption(f"Source: {escape_markdown(sample.source)}. Licence: {escape_markdown(sample.licence)}.")
    st.dataframe(source.table.frame.head(_PREVIEW_ROWS), height=240, hide_index=True)
    st.caption(
        f"{len(source.table.frame):,} rows, {len(source.table.frame.columns)} columns; "
        f"the first {min(_PREVIEW_ROWS, len(source.table.frame))} rows are shown."
    )
    st.markdown(f"**Target: {escape_markdown(data.target.name)}**")
    page_frame.spread(data, "spread")


def show_split(settings: Settings) -> None:
    """Which rows the tree is grown on and which it is evaluated on."""
    parts = trees.parts(settings)
    with st.container(horizontal=True):
        controls.choose("Rows for growing", "split", labels.SPLITS, settings, "Which rows the tree may learn from.")
        if parts.how != "all":
            controls.count("Growing, %", "share", (10, 90), settings, "Share of the rows; the rest judges the tree.")
        if parts.how == "three":
            controls.count("Validation, %", "valid_share", (5, 45), settings, "For choosing α; the rest is the test.")
        if parts.how != "all":
            controls.count("Seed", "seed", (0, 2**31 - 1), settings, "The same seed gives the same split.")
    st.markdown(f"The tree is **{page_frame.rows_text(parts)}**.")
    if parts.how == "all" and settings.split == "auto":
        st.caption(
            "A table of fewer than 100 rows grows on all its rows, so that the numbers are those of the books. "
            "It is then judged by leaving out one row at a time, or by a split of your choice."
        )


settings = page_frame.start("Data", "Pick a table, name the column to predict, and say which columns may be asked for.")
left, right = st.columns([2, 5], gap="large")
with left:
    table_chooser.choose_table(settings)
with right, page_frame.errors_shown():
    show_table(settings)
with page_frame.errors_shown():
    st.subheader("Target and rows", anchor=False)
    with st.container(border=True):
        with st.container(horizontal=True):
            column_editor.choose_target(settings)
        show_split(settings)
    st.subheader("Columns", anchor=False)
    st.caption("Tick the columns that a test may ask for. The kind decides which tests there are.")
    column_editor.edit_columns(settings)
    st.subheader("What to know about this table", anchor=False)
    page_frame.show_notes([("info", text) for text in trees.source(settings).table.notes])
    page_frame.show_notes([(note.level, note.text) for note in trees.data(settings).notes])
