"""How the rows of a connected table are divided, and how long connecting it and growing the tree take."""

from __future__ import annotations

import streamlit as st

from explorer.messages import message
from pages.data import divided_by, rows
from pages.results import connected_table, jobs, trees
from pages.results.connected import division, estimate
from pages.results.connected.division import Division
from pages.results.connected.estimate import Estimate
from pages.settings import session
from pages.settings.labels import CONNECTED_SPLITS
from pages.settings.settings import Settings
from pages.text import escape_markdown
from pages.widgets import controls, page_frame
from pages.widgets.controls import feed

_EVERY = 0.5
_BY = "connected.by"


def show(settings: Settings) -> None:
    """The split in one line with its controls behind it, and the estimate."""
    with page_frame.errors_shown():
        divided = connected_table.divided(settings)
        with st.popover(_summary(settings, divided), icon=":material/splitscreen_left:", key="split"):
            names = dict(CONNECTED_SPLITS)
            help_text = message("Automatic: a training and a validation set where a column can be the key.")
            controls.choose(message("Split"), "split", names, settings, help_text)
            _controls(settings, divided)
        _show_estimate(settings)


def _summary(settings: Settings, divided: Division) -> str:
    if divided.values:
        parts = " / ".join(map(str, divided.values))
        return message("By {column}: {parts}", column=escape_markdown(divided.column), parts=escape_markdown(parts))
    return rows.summary(settings, divided.how)


def _controls(settings: Settings, divided: Division) -> None:
    if divided.values:
        _by_values(settings, divided)
    elif divided.shares:
        _by_key(settings, divided)
        with st.container(horizontal=True):
            rows.shares(settings, divided.how)
    elif settings.split == "auto":
        st.caption(
            message(
                "No column of text or whole numbers has 1,000 different values, so none is a key by itself. Choose "
                "“Training and validation” and a key column, or the values of a column."
            )
        )


def _by_key(settings: Settings, divided: Division) -> None:
    target, preview = trees.source(settings).target, connected_table.table(settings).preview
    st.selectbox(
        message("Key column"),
        division.keys(preview, target),
        key=feed(_BY, divided.column),
        on_change=_take_column,
        help=message("A hash of this column decides the set of a row: rows with the same key stay together."),
    )


def _by_values(settings: Settings, divided: Division) -> None:
    target, preview = trees.source(settings).target, connected_table.table(settings).preview
    st.selectbox(
        message("Column that names the sets"),
        division.value_columns(preview, target),
        key=feed(_BY, divided.column),
        on_change=_take_column,
        help=message("A column of two or three values. It is no feature then."),
    )
    divided_by.choose_values([*map(str, divided.values)], divided_by.take_values)


def _take_column() -> None:
    session.attempt(trees.check_rows, split_by=st.session_state[_BY], split_values=())


def _show_estimate(settings: Settings) -> None:
    table, wanted = connected_table.table(settings), connected_table.wanted(settings)
    key = estimate.key(table, wanted)
    job = jobs.pool().look(jobs.session(), key)
    if job is None:
        job = jobs.pool().submit(jobs.session(), key, lambda _: estimate.measured(table, wanted))
    if job.is_active:
        _measuring(key)
    elif isinstance(job.result, Estimate):
        st.caption(_text(settings, job.result))


@st.fragment(run_every=_EVERY)
def _measuring(key: str) -> None:
    job = jobs.pool().look(jobs.session(), key)
    if job is None or not job.is_active:
        st.rerun()
    st.caption(message("Measuring on a sample how long the tree takes …"))


def _text(settings: Settings, measured: Estimate) -> str:
    """The estimate as a sentence."""
    source = trees.source(settings)
    return message(
        "{rows:,} rows × {columns:,} columns: about {time}, {space} of temporary space.",
        rows=source.n_rows,
        columns=source.table.frame.shape[1],
        time=time_text(measured.seconds),
        space=space_text(measured.n_bytes),
    )


def time_text(seconds: float) -> str:
    """Seconds with one digit that counts, from two minutes on in minutes.

    >>> time_text(0.4), time_text(43.2), time_text(200)
    ('1 s', '40 s', '3 min')
    """
    if seconds >= 120:
        return message("{n:,.0f} min", n=seconds / 60)
    return message("{n:,.0f} s", n=max(1, round(seconds, -1) if seconds >= 20 else round(seconds)))


def space_text(n_bytes: float) -> str:
    """Bytes in gigabytes with one digit, or in megabytes below one.

    >>> space_text(1.1e9), space_text(42e6), space_text(10)
    ('1.1 GB', '42 MB', '1 MB')
    """
    if n_bytes >= 1e9:
        return message("{n:,.1f} GB", n=n_bytes / 1e9)
    return message("{n:,.0f} MB", n=max(1, n_bytes / 1e6))
