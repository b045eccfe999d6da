"""The columns of the table: which one is the target, which are features, their types and what is in them.

The settings alone hold what was chosen. The editor shows it and reports what the reader edits; edits that it holds
beside that, of a refused or undone change, end with the editor, in whose place a new one comes.
"""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

import explorer as ex
from explorer.data.codes.dates import EPOCH
from explorer.data.distribution import column_distribution
from explorer.data.notes import ColumnInfo, many_missing_text
from explorer.messages import clauses, message
from pages.data import leaks
from pages.layout import repeated_id
from pages.results import trees
from pages.results.cache import kept
from pages.results.divided.division import changes, dividing, named
from pages.results.fit_to_target import fit_target
from pages.results.of_table import guessed_target
from pages.settings import session
from pages.settings.settings import Settings, changed
from pages.widgets import page_frame
from pages.widgets.controls import feed

PLACE = "columns"
"""Where messages about columns are shown: right above their table."""
_ROUND = "columns.round"
_TARGET, _FEATURE, _WEIGHT, _UNUSED = "target", "feature", "weight", "not used"
_GROUPS, _TIME, _SETS = "groups", "time", "sets"
_MOST_LINES, _MOST_CELLS = 20, 5
_LINE, _LOW_LINE = 35, 28
"""Heights in pixels: of a usual line, and of a line of the columns, so that more of them are in view."""
_NAME, _LONGEST_NAME, _LETTER, _NOTE = 170, 340, 8, 580
"""Widths in pixels."""


def choose_target(settings: Settings) -> None:
    """The column to predict."""
    source = trees.source(settings)
    st.selectbox(
        message("Target"),
        [str(column) for column in source.table.frame.columns],
        width=300,
        key=feed("target", source.target),
        on_change=_target_changed,
        help=message("The column that the tree predicts. The role in the table below is the same choice."),
    )


def edit_columns(settings: Settings) -> None:
    """The table of columns; a change is taken when the data allow it."""
    with st.container(key="columns"):
        for notice in session.take_notices(PLACE):
            page_frame.show_notice(notice.level, notice.text)
            if notice.cells:
                _show_cells(notice.cells)
        lines = _column_frame(settings)
        key = _editor_key(settings, lines)
        st.data_editor(
            lines,
            key=key,
            hide_index=True,
            height=_LINE + _LOW_LINE * min(len(lines), _MOST_LINES) + 3,
            row_height=_LOW_LINE,
            disabled=["column", "distribution", "distinct", "missing", "note"],
            column_config=_wide_enough(
                settings, _looks(_n_sample(settings), bool(settings.connected)), lines["column"]
            ),
            on_change=_edited,
            args=(key,),
        )


def _wide_enough(settings: Settings, looks: dict[str, Any], names: pd.Series) -> dict[str, Any]:
    """Columns as wide as their words: names take room from the notes; wider in presenter mode but for the notes.

    The names are not pinned: a pinned column is drawn pale, and all columns fit from 1280 pixels on.
    """
    of_names = min(max(_NAME, _LETTER * int(names.str.len().max())), _LONGEST_NAME)
    looks["column"]["width"] = of_names
    looks["note"]["width"] = _NOTE + _NAME - of_names
    if not settings.view.presenter:
        return looks
    wide = {name: look | {"width": round(look["width"] * page_frame.PRESENTED)} for name, look in looks.items()}
    return wide | {"note": looks["note"]}


def _show_cells(cells: tuple[tuple[int, str], ...]) -> None:
    """The cells that do not fit, with their rows."""
    st.dataframe(
        pd.DataFrame(cells, columns=["row", "cell"]),
        key="columns.cells",
        hide_index=True,
        width=420,
        height=_LINE * (min(len(cells), _MOST_CELLS) + 1) + 3,
        column_config={
            "row": st.column_config.NumberColumn(message("Row"), width=90),
            "cell": st.column_config.TextColumn(message("Cell"), width=310),
        },
    )


def _n_sample(settings: Settings) -> int:
    """How many rows are looked at for notes and distributions where these are not all; else 0."""
    connected = trees.source(settings).connected
    return len(connected.preview.frame) if connected and connected.preview.is_sample else 0


def _looks(n_sample: int, is_connected: bool) -> dict[str, Any]:
    roles = {
        _TARGET: message("target"),
        _FEATURE: message("feature"),
        _WEIGHT: message("weight"),
        _UNUSED: message("not used"),
    }
    if not is_connected:
        roles |= {_GROUPS: message("group"), _TIME: message("time"), _SETS: message("set")}
    types = {"numeric": message("numeric"), "categorical": message("categorical"), "ordered": message("ordered")}
    config = st.column_config
    return {
        "column": config.TextColumn(message("Column"), width=_NAME),
        "role": config.SelectboxColumn(
            message("Role"),
            options=list(roles),
            format_func=lambda role: roles[str(role)],
            required=True,
            width=100,
            help=message(
                "One column is the target. The tree may split on every feature. “Weight” says how much each row "
                "counts. Rows of one “group” stay together, later ones of a “time” are held out, and a “set” names the "
                "sets."
            ),
        ),
        "type": config.SelectboxColumn(
            message("Type"),
            options=list(types),
            format_func=lambda kind: types[str(kind)],
            required=True,
            width=110,
            help=message(
                "A numeric target gives a regression tree, a categorical one a classification tree. “Ordered” splits "
                "levels by their order (size ≤ medium), which the file has or the tab “Change values” sets."
            ),
        ),
        "distribution": config.BarChartColumn(
            message("Distribution"),
            y_min=0,
            width=130,
            help=message("Numbers: rows in equal intervals. Categories: rows of the 12 most frequent."),
        ),
        **(_counts_of_all_rows(n_sample) if n_sample else _counts()),
    }


def _counts() -> dict[str, Any]:
    config = st.column_config
    return {
        "distinct": config.NumberColumn(message("Distinct"), width=80, help=message("Number of distinct values")),
        "missing": config.NumberColumn(message("Missing"), width=80, help=message("Number of missing values")),
        "note": config.TextColumn(message("Note"), width=_NOTE),
    }


def _counts_of_all_rows(n_sample: int) -> dict[str, Any]:
    """The same where numbers are of all rows, but notes of a sample: each says so itself."""
    config = st.column_config
    distinct = message("About how many distinct values all rows have")
    return {
        "distinct": config.NumberColumn(message("Distinct"), width=80, help=distinct),
        "missing": config.NumberColumn(
            message("Missing"), width=80, help=message("Number of missing values in all rows")
        ),
        "note": config.TextColumn(message("Note on the sample of {n:,} rows", n=n_sample), width=_NOTE),
    }


def _editor_key(settings: Settings, lines: pd.DataFrame) -> str:
    """The key of the editor: a new one where it holds no edits yet, or edits that are not in force."""
    held = st.session_state.get(_key(settings))
    chosen = ["role", "type"]
    if held is None or not _with_edits(lines, held)[chosen].equals(lines[chosen]):
        st.session_state[_ROUND] = st.session_state.get(_ROUND, 0) + 1
    return _key(settings)


def _key(settings: Settings) -> str:
    return f"columns {trees.source(settings).key} {st.session_state.get(_ROUND, 0)}"


def _with_edits(lines: pd.DataFrame, held: dict[str, Any]) -> pd.DataFrame:
    """The lines as the editor shows them."""
    shown = lines.copy()
    for line, edits in held["edited_rows"].items():
        for column, word in edits.items():
            shown.loc[int(line), column] = word
    return shown


def _column_frame(settings: Settings) -> pd.DataFrame:
    """One line per column of the table, in its order."""
    overview, used = trees.all_columns(settings), _features(settings)
    notes = _notes_by_column(settings)
    lines, connected = overview.columns, trees.source(settings).connected
    distinct = {line.name: line.n_values for line in lines} | (connected.preview.n_distinct if connected else {})
    missing = {line.name: line.n_missing for line in lines} | (connected.preview.n_missing if connected else {})
    return pd.DataFrame(
        {
            "column": [line.name for line in lines],
            "role": [_role(settings, line, used) for line in lines],
            "type": [line.kind for line in lines],
            "distribution": _distributions(_encoding(settings), overview, tuple(line.name for line in lines)),
            "distinct": [distinct[line.name] for line in lines],
            "missing": [missing[line.name] for line in lines],
            "note": [_note(settings, line, used, notes) for line in lines],
        }
    )


def _note(settings: Settings, line: ColumnInfo, used: set[str], notes: dict[str, str]) -> str:
    if line.name in dividing(settings):
        return message("divides the rows") if line.name in used else ""
    if line.name not in used and line.name in repeated_id.years_of(settings, *named(settings)[:2]):
        return message("left out: later years are in no training row")
    described = dict(trees.source(settings).table.described).get(line.name, "")
    return clauses(filter(None, (line.reason or notes.get(line.name) or _date_text(settings, line), described)))


def _encoding(settings: Settings) -> str:
    """A text for what the values of all columns depend on."""
    source = trees.source(settings)
    return f"{source.key} {source.target} {trees.kinds(settings)!r}"


@kept()
def _distributions(key: str, _overview: ex.Dataset, _names: tuple[str, ...]) -> list[tuple[int, ...]]:
    return [column_distribution(_overview, name) for name in _names]


def _notes_by_column(settings: Settings) -> dict[str, str]:
    """What the notes say of a column alone, briefly, but for its missing cells, which have a column of their own."""
    by_column: dict[str, list[str]] = {}
    for note in trees.data(settings).notes:
        if len(note.columns) == 1 and note.of_many is not many_missing_text:
            by_column.setdefault(note.columns[0], []).append(note.brief or note.text)
    return {name: clauses(sentences) for name, sentences in by_column.items()}


def _date_text(settings: Settings, line: ColumnInfo) -> str:
    """What the numbers of a date mean; "" for another column."""
    table = trees.source(settings).table
    is_date = pd.api.types.is_datetime64_any_dtype(table.frame[line.name].dtype)
    date = EPOCH if is_date else table.days_since.get(line.name)
    return message("a date, as days since {date}", date=date) if date and line.kind == "numeric" else ""


def _features(settings: Settings) -> set[str]:
    return {feature.name for feature in trees.data(settings).features}


def _features_or_none(settings: Settings) -> set[str]:
    """The features, none where no tree can be grown so."""
    try:
        return _features(settings)
    except ex.ExplorerError:
        return set()


def _role(settings: Settings, line: ColumnInfo, used: set[str]) -> str:
    kind, column, sets = named(settings)
    roles = {column: kind, sets: _SETS, settings.weight: _WEIGHT} | dict.fromkeys(used, _FEATURE)
    return _TARGET if line.role == _TARGET else roles.get(line.name, _UNUSED)


def _edited(key: str) -> None:
    """Take the reader's changes as far as the data allow them."""
    settings = session.read()
    edited = _with_edits(_column_frame(settings), st.session_state[key])
    target = trees.source(settings).target
    roles = dict(zip(edited["column"], edited["role"], strict=True))
    types = _types(settings, edited)
    new_targets = [name for name, role in roles.items() if role == _TARGET and name != target]
    features = tuple(name for name, role in roles.items() if role == _FEATURE)
    aside = _chosen_aside(settings, roles)
    if new_targets:
        guessed_target.take_as_chosen()
        _with_new_target(settings, new_targets[0], types, set(features))
    elif aside and roles[target] == _TARGET:
        _with_new_aside(settings, aside, features, roles)
    elif roles[target] != _TARGET:
        _refuse(message("The table needs one target: set the role of another column to “target” instead."))
    elif not features:
        _refuse(message("A tree needs at least one feature. Nothing was changed."))
    else:
        as_before = set(features) == _features(settings)
        if not as_before:
            gone = leaks.also_left_out(settings, features)
            features = tuple(name for name in features if name not in gone) or features
        _attempt(features=settings.features if as_before else features, kinds=types)


def _with_new_aside(
    settings: Settings, aside: dict[str, object], features: tuple[str, ...], roles: dict[str, str]
) -> None:
    """Take other columns of weights, groups, time or sets; features that follow from the table go on doing so."""
    years = repeated_id.years_of(settings, str(aside.get("divide")), str(aside.get("divide_by")))
    features = tuple(name for name in features if name not in years)
    before = {settings.weight, *dividing(settings)}
    follows = settings.features is None and not years and all(roles.get(name) != _UNUSED for name in before)
    chosen = before.intersection(features)
    if follows and chosen:  # a table may have a reason to leave them out by itself
        follows = chosen <= _features_or_none(changed(settings, **aside))
    if not (features or follows):
        _refuse(message("A tree needs at least one feature. Nothing was changed."))
        return
    _attempt(**aside, features=None if follows else features)


def _chosen_aside(settings: Settings, roles: dict[str, str]) -> dict[str, object]:
    """The changes of what is no feature: weights, and what divides the rows."""
    kind, column, sets = named(settings)
    weight, sets = _only(roles, (_WEIGHT,), settings.weight), _only(roles, (_SETS,), sets)
    if roles.get(column) != _FEATURE or column not in _features(settings):  # else one that is a feature too
        column = _only(roles, (_GROUPS, _TIME), column, kind)
        kind = roles[column] if column else "rows"
    of_weight = {} if weight == settings.weight else {"weight": weight}
    return of_weight | changes(settings, kind, column, sets)


def _only(roles: dict[str, str], wanted: tuple[str, ...], now: str, role: str = "") -> str:
    """The column with a role that one column has: of several the one that is new; "" without any."""
    columns = [name for name, of_column in roles.items() if of_column in wanted]
    is_new = (name for name in columns if name != now or roles[name] != (role or wanted[0]))
    return next(is_new, now if now in columns else "")


def _types(settings: Settings, edited: pd.DataFrame) -> tuple[tuple[str, str], ...]:
    """The types that were chosen: those that differ from what the columns have by themselves."""
    target = trees.data(settings).target
    of_target = {name: kind for name, kind in settings.kinds if name == target.name}
    own = {
        line.name: line.kind for line in trees.all_columns(changed(settings, kinds=tuple(of_target.items()))).columns
    }
    chosen = dict(zip(edited["column"], edited["type"], strict=True))
    if chosen[target.name] != target.kind:
        of_target = {target.name: chosen[target.name]}
    others = {name: kind for name, kind in chosen.items() if name != target.name and kind != own[name]}
    return tuple({**of_target, **others}.items())


def _target_changed() -> None:
    """Take the target chosen, unless the box still names a column of the table before, as a slow browser's may."""
    target = st.session_state["target"]
    if target in map(str, trees.source(session.read()).table.frame.columns):
        guessed_target.take_as_chosen()
        change_target(target)


def change_target(target: str) -> None:
    """Take another target if the data allow it, with the types and features that are chosen."""
    settings = session.read()
    _with_new_target(settings, target, settings.kinds, _features(settings))


def _with_new_target(settings: Settings, target: str, types: tuple[tuple[str, str], ...], features: set[str]) -> None:
    """Take another target if the data allow it; all other columns keep their roles, and the target before gets its own.

    Features that follow from the table go on doing so.
    """
    weight = "" if settings.weight == target else settings.weight
    kind, column, sets = named(settings)
    divided = changes(settings, *((kind, column) if column != target else ("rows", "")), sets if sets != target else "")
    asked: dict[str, object] = {"target": target, "kinds": types, "weight": weight, "features": None, **divided}
    if settings.features is not None or features != _features(settings):
        of_table = _features_or_none(changed(settings, **asked))
        wanted = features | ({trees.source(settings).target} & of_table)
        columns = map(str, trees.source(settings).table.frame.columns)
        asked["features"] = tuple(name for name in columns if name in wanted - {target}) or None
    _attempt(**asked)


def _attempt(**changes: object) -> None:
    if session.attempt(trees.check_rows, PLACE, **changes):
        fit_target()


def _refuse(why: str) -> None:
    session.notify("error", why, PLACE)
