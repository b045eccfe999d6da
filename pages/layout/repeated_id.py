"""The warning that several rows are about one person, and the button that divides the rows by it."""

from __future__ import annotations

import streamlit as st

import explorer as ex
from explorer.data.codes.repeated_ids import RepeatedId, repeated_ids
from explorer.messages import message
from pages.results import trees
from pages.results.cache import kept
from pages.settings import session
from pages.settings.settings import Settings
from pages.text import escape_markdown
from pages.widgets.controls import quiet_button


def found(settings: Settings) -> RepeatedId | None:
    """The column of ids that repeat, where rows are divided at random."""
    if settings.connected or settings.divide != "rows":
        return None
    overview = trees.all_columns(settings)
    repeated = _found(f"{trees.source(settings).key} {overview.target.name} {trees.kinds(settings)!r}", overview)
    return next((each for each in repeated if each.column != settings.weight), None)


@kept()
def _found(key: str, _overview: ex.Dataset) -> list[RepeatedId]:
    return repeated_ids(*_overview.encoded)


def warn(settings: Settings) -> None:
    """The warning in a line of its own with the button; nothing where no id repeats."""
    repeated = found(settings)
    if repeated is not None:
        with st.container(key="repeated_id", horizontal=True, vertical_alignment="center"):
            st.markdown(f":material/warning: {_text(repeated)}", width="content")
            st.button(_label(repeated), key="repeated_id.split", on_click=divide, args=("groups", repeated.column))


def offer(settings: Settings) -> None:
    """The button alone, beside a score; its help has the warning."""
    repeated = found(settings)
    if repeated is not None:
        quiet_button(
            _label(repeated), "summary.split_by_id", "warning", divide, "groups", repeated.column, about=_text(repeated)
        )


def _label(repeated: RepeatedId) -> str:
    return message("Split by {column}", column=escape_markdown(repeated.column))


def _text(repeated: RepeatedId) -> str:
    return message(
        "{values:,} values of {column} in {rows:,} rows. A random split puts rows of one value into both sets, so "
        "scores are too good.",
        values=repeated.n_values,
        column=escape_markdown(repeated.column),
        rows=repeated.n_rows,
    )


def divide(kind: str, column: str) -> None:
    """Divide the rows by a column, which is no feature then, if the data allow it."""
    settings = session.read()
    features = settings.features
    if features is not None:
        features = tuple(name for name in features if name != column) or None
    session.attempt(trees.check_rows, divide=kind, divide_by=column, features=features)
