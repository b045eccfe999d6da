"""The warning that several rows are about one person, and the button that divides the rows by it."""

from __future__ import annotations

import streamlit as st

import explorer as ex
from explorer.data.codes.repeated_ids import RepeatedId, most_rows_of, repeated_ids
from explorer.data.encode import encode_columns
from explorer.messages import message
from pages.results import trees
from pages.results.cache import kept
from pages.results.divided.division import changes
from pages.settings import session
from pages.settings.settings import Settings
from pages.text import escape_markdown
from pages.widgets.controls import quiet_button


def found(settings: Settings) -> RepeatedId | None:
    """The column of ids that repeat, where rows are divided at random."""
    if settings.connected or settings.divide != "rows":
        return None
    data = trees.data(settings)
    names = [name for name in data.cells.columns if name not in (data.target.name, settings.weight)]
    columns = [name for name in names if most_rows_of(name)]
    return _found(f"{data.fingerprint} {trees.kinds(settings)!r} {columns!r}", columns, trees.kinds(settings), data)


@kept()
def _found(key: str, _columns: list[str], _kinds: tuple[tuple[str, str], ...], _data: ex.Dataset) -> RepeatedId | None:
    """Of all columns only those with the name of an id are encoded: another cannot be one."""
    cells, kinds = _data.cells, {name: kind for name, kind in _kinds if name in _columns}
    repeated = repeated_ids(*encode_columns([cells[name] for name in _columns], kinds))
    return repeated[0] if repeated else None


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


def divide(kind: str, column: str, sets: str = "") -> None:
    """Divide the rows by columns, which are no features then, if the data allow it."""
    settings = session.read()
    features = settings.features
    if features is not None:
        features = tuple(name for name in features if name not in (column, sets)) or None
    asked = changes(settings, kind, column, sets)
    session.attempt(trees.check_rows, **asked, split_values=(), features=features)
