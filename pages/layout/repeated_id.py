"""What the rows could be divided by: ids of several rows, named sets or a date, and the button that does so."""

from __future__ import annotations

import streamlit as st

import explorer as ex
from explorer.data.codes.repeated_ids import RepeatedId, most_rows_of, needs_others, repeated_ids
from explorer.data.codes.target_names import are_sets
from explorer.data.encode import encode_columns
from explorer.messages import message
from pages.results import trees
from pages.results.cache import kept
from pages.results.divided.columns import candidates, dates
from pages.results.divided.division import changes, named
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
    columns = names if needs_others(names, data.features) else [name for name in names if most_rows_of(name)]
    if not columns:
        return None
    return _found(f"{data.fingerprint} {trees.kinds(settings)!r} {columns!r}", columns, trees.kinds(settings), data)


@kept()
def _found(key: str, _columns: list[str], _kinds: tuple[tuple[str, str], ...], _data: ex.Dataset) -> RepeatedId | None:
    cells, kinds = _data.cells, {name: kind for name, kind in _kinds if name in _columns}
    repeated = repeated_ids(*encode_columns([cells[name] for name in _columns], kinds))
    return repeated[0] if repeated else None


def warn(settings: Settings) -> None:
    """The warning in a line of its own with the button, or the offer to split by sets or a date; else nothing."""
    repeated, sets, date = found(settings), _sets(settings), _date(settings)
    if repeated is not None:
        _line(":material/warning:", _text(repeated), "groups", repeated.column)
    elif sets:
        text = message("The values of {column} say which rows are for training.", column=escape_markdown(sets))
        _line(":material/call_split:", text, "rows", "", sets)
    elif date:
        text = message("A random split predicts days between training days; a split by date predicts later ones.")
        _line(":material/schedule:", text, "time", date)


def _line(icon: str, text: str, kind: str, column: str, sets: str = "") -> None:
    with st.container(key="repeated_id", horizontal=True, vertical_alignment="center"):
        st.markdown(f"{icon} {text}", width="content")
        st.button(_label(column or sets), key="repeated_id.split", on_click=divide, args=(kind, column, sets))


def _sets(settings: Settings) -> str:
    """The column of training and other sets, one in every row, where rows are divided at random."""
    if settings.connected or named(settings) != ("rows", "", ""):
        return ""
    overview = trees.all_columns(settings)
    called_so = {feature.name for feature in overview.encoded[0] if are_sets(feature.categories)}
    return next((name for name in candidates("sets", overview) if name in called_so and name != settings.weight), "")


def _date(settings: Settings) -> str:
    """The first column of the reader's own table with a date in every row, where rows are divided at random."""
    if settings.connected or not settings.upload or settings.divide != "rows":
        return ""
    return next((name for name in dates(trees.all_columns(settings)) if name != settings.weight), "")


def offer(settings: Settings) -> None:
    """The button alone, beside a score; its help has the warning."""
    repeated = found(settings)
    if repeated is not None:
        quiet_button(
            _label(repeated.column),
            "summary.split_by_id",
            "warning",
            divide,
            "groups",
            repeated.column,
            about=_text(repeated),
        )


def _label(column: str) -> str:
    return message("Split by {column}", column=escape_markdown(column))


def _text(repeated: RepeatedId) -> str:
    return message(
        "{values:,} values of {column} in {rows:,} rows. A random split puts rows of one value into both sets, so "
        "scores are too good.",
        values=repeated.n_values,
        column=escape_markdown(repeated.column),
        rows=repeated.n_rows,
    )


def divide(kind: str, column: str, sets: str = "") -> None:
    """Divide the rows by columns, which are no features then, if the data allow it.

    The year of a date by which they are divided is none either: held-out rows have later ones.
    """
    settings = session.read()
    features, years = settings.features, years_of(settings, kind, column)
    if features is None and years:
        features = tuple(feature.name for feature in trees.data(settings).features)
    if features is not None:
        features = tuple(name for name in features if name not in (column, sets, *years)) or None
    asked = changes(settings, kind, column, sets)
    session.attempt(trees.check_rows, **asked, split_values=(), features=features)


def years_of(settings: Settings, kind: str, column: str) -> set[str]:
    """The column with the year of a date that divides the rows by time, if there is one."""
    dates = [date for date in trees.source(settings).table.dates if (kind, date.column) == ("time", column)]
    return {name for date in dates for part, name in date.parts if part == "year"}
