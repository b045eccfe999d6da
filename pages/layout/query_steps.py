"""What was asked of the engine of a connected table: every query as text, with its time and its rows."""

from __future__ import annotations

import streamlit as st

from explorer.messages import message, plural, worded
from pages.results import connected_table
from pages.settings.settings import Settings
from pages.text import escape_markdown

_SHOWN = 40
"""Queries that are listed at most, the newest first."""
_LONGEST = 4_000
"""Characters of a query that are shown."""


def show(settings: Settings) -> None:
    """The queries, the newest first, each folded away."""
    steps = connected_table.steps(settings)
    if not steps:
        st.markdown(message("No query has been run yet."))
        return
    seconds = sum(step.seconds for step in steps)
    st.caption(
        plural(
            len(steps),
            "{n:,} query in {seconds:,.1f} s. The tree is grown from what the queries return.",
            "{n:,} queries in {seconds:,.1f} s. The tree is grown from what the queries return.",
            seconds=seconds,
        )
    )
    for number in range(len(steps), max(0, len(steps) - _SHOWN), -1):
        _step(number, steps[number - 1])
    if len(steps) > _SHOWN:
        st.caption(message("The last {shown:,} of {n:,} queries.", shown=_SHOWN, n=len(steps)))


def show_newest(settings: Settings) -> None:
    """The newest query, while the engine works."""
    steps = connected_table.steps(settings)
    if steps:
        with st.expander(message("SQL of each step"), key="growing.sql"):
            _code(len(steps), steps[-1])


def _step(number: int, step: connected_table.QueryStep) -> None:
    time = message("{seconds:,.2f} s", seconds=step.seconds)
    with st.expander(f"{number}. {escape_markdown(worded(step.what))} · {time}"):
        _code(number, step)


def _code(number: int, step: connected_table.QueryStep) -> None:
    st.caption(
        plural(
            step.rows,
            "Step {number}: {what}. {n:,} row returned.",
            "Step {number}: {what}. {n:,} rows returned.",
            number=number,
            what=escape_markdown(worded(step.what)),
        )
    )
    text = step.sql if len(step.sql) <= _LONGEST else f"{step.sql[:_LONGEST]} …"
    st.code(text, language="sql", wrap_lines=True)
