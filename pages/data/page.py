"""The table: choose one, name the target, say which columns are features and of which type, and split the rows."""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from explorer.data.codes.date_features import dated
from explorer.data.notes import grouped
from explorer.data.samples import SAMPLES
from explorer.formatting import rows
from explorer.messages import message, paragraph, plural
from pages.data import (
    change_values,
    column_editor,
    connect,
    guessed_target,
    how_read,
    leaks,
    next_step,
    suggestions,
    table_chooser,
)
from pages.layout import bar, growing, repeated_id, repeated_rows, shell
from pages.layout.steps import undo
from pages.results import evaluation, trees
from pages.results.source import Source
from pages.settings import session
from pages.settings.settings import OF_TABLE, Settings
from pages.text import escape_markdown
from pages.uploads import opening
from pages.widgets import open_tabs, page_frame, upload
from pages.widgets.controls import quiet_button

_PREVIEW_ROWS = 200


def show_heading(settings: Settings) -> None:
    """The table in use: its name, its size, where it comes from, and its target."""
    source = trees.source(settings)
    with st.container(key="table_head"):
        _show_name_and_size(settings, source)
        with st.container(key="table_choices"):
            column_editor.choose_target(settings)
            undo.buttons("")
            if _has_choices(settings):
                quiet_button(
                    message("Start over"),
                    "start_over",
                    "restart_alt",
                    opening.start_over,
                    about=message(
                        "Sets all choices about this table back: columns, repairs, split, growing and pruning."
                    ),
                )
    with st.container(key="table_about"):
        own = session.upload()
        if source.connected is not None:
            connect.show_about(settings)
        elif settings.upload and own is not None:
            show_where_kept(own, source.table.notes)
        else:
            sample = SAMPLES[settings.sample]
            st.caption(escape_markdown(sample.story))
            st.caption(
                message(
                    "Source: {source}. Licence: {licence}.",
                    source=escape_markdown(sample.source),
                    licence=escape_markdown(sample.licence),
                )
            )


def _has_choices(settings: Settings) -> bool:
    """Whether anything about the table was chosen; a file always has a target."""
    choices = ("repairs", "choices", *(field for field in OF_TABLE if field != "target"))
    return any(getattr(settings, field) != getattr(Settings(), field) for field in choices)


def _show_name_and_size(settings: Settings, source: Source) -> None:
    columns = source.table.frame.shape[1]
    with st.container(key="table_title", horizontal=True):
        st.subheader(escape_markdown(source.name), anchor=False, width="content")
        counted = plural(columns, "{n:,} column", "{n:,} columns")
        size = message("{rows} × {columns}", rows=rows(source.n_rows), columns=counted)
        left_out = 0 if source.connected else source.n_rows - trees.data(settings).n_rows
        if left_out:
            size = plural(left_out, "{size}, {n:,} row left out", "{size}, {n:,} rows left out", size=size)
        st.caption(escape_markdown(size), width="content")


def show_where_kept(own: session.Upload, notes: Sequence[str]) -> None:
    """How the reader's file was read, where it is kept and until when, and the buttons that change both."""
    with st.container(key="kept", horizontal=True, vertical_alignment="center"):
        st.caption(paragraph([*map(escape_markdown, notes), upload.kept_text(own)]), width="content")
        quiet_button(message("Forget my file"), "forget", "delete", opening.forget, own.fingerprint)
        how_read.show(own)


def show_table(settings: Settings) -> None:
    """Its columns, its first rows, or how its target is distributed."""
    tabs = {
        "columns": (message("Columns"), partial(show_columns, settings)),
        "rows": (message("First rows"), partial(show_rows, settings)),
        "target": (message("Target"), partial(show_target, settings)),
    }
    if not settings.connected:  # what is connected stays as it is
        tabs["values"] = message("Change values"), partial(change_values.show, settings)
    open_tabs.show(tabs, "table.tabs")


def show_columns(settings: Settings) -> None:
    """The columns, and what there is to say of the table."""
    column_editor.edit_columns(settings)
    if not settings.upload:  # above, beside where it is kept
        page_frame.show_notes([("info", text) for text in trees.source(settings).table.notes])
    notes = trees.data(settings).notes
    if settings.upload:  # above the tabs, each beside what can be done
        are_counted = bool(evaluation.repeated_rows(settings)[0])
        is_asked = repeated_id.found(settings) is not None
        notes = tuple(
            note
            for note in notes
            if not (note.is_leak or note.copy_of or (note.counts_repeats and are_counted) or (note.is_id and is_asked))
        )
    page_frame.show_notes([(note.level, note.text) for note in grouped(notes)])


def show_rows(settings: Settings) -> None:
    """The first rows."""
    table = trees.source(settings).table
    st.dataframe(dated(table.frame.head(_PREVIEW_ROWS), table.days_since), hide_index=True, placeholder="")
    if len(table.frame) > _PREVIEW_ROWS:
        st.caption(message("The first {n:,} rows are shown.", n=_PREVIEW_ROWS))
    if not settings.connected:
        change_values.offer_download(settings)


def show_target(settings: Settings) -> None:
    """How the target is distributed."""
    data = trees.data(settings)
    st.markdown(message("Distribution of **{target}**", target=escape_markdown(data.target.name)))
    page_frame.spread(data, "spread")


settings = shell.start(message("Data"))
bar.show(settings)
with shell.scrolling_page(has_settings=True):
    table_chooser.choose_table(settings)
    with page_frame.errors_shown():
        if not settings.connected:  # whose columns show on a sample; it is encoded when a tree is grown
            growing.wait(settings, (growing.ROWS,))
        show_heading(settings)
        guessed_target.ask(settings)
        suggestions.show(settings)
        with st.container(key="asides"):
            leaks.show(settings)
            repeated_id.warn(settings)
            repeated_rows.offer(settings)
        show_table(settings)
with page_frame.errors_shown():
    next_step.show(settings)
