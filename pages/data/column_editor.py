"""The target, and the editable table of columns: which ones are features, and of which kind."""

from __future__ import annotations

import pandas as pd
import streamlit as st

import explorer as ex
from pages.results import trees
from pages.results.fit_to_target import fit_target
from pages.settings import session
from pages.settings.settings import Settings, changed
from pages.widgets.controls import feed

_ROUND, _BASE = "columns.round", "columns.base"
_KINDS = {"": "as found", "categorical": "classes", "numeric": "a number"}


def choose_target(settings: Settings) -> None:
    """The column to predict, and whether it counts as classes or as a number."""
    source = trees.source(settings)
    names = [str(column) for column in source.table.frame.columns]
    st.selectbox(
        "Target: the column to predict",
        names,
        width=300,
        key=feed("target", source.target),
        on_change=_target_changed,
        help="The tree learns to tell this column from the others.",
    )
    st.segmented_control(
        "The target is",
        list(_KINDS),
        key=feed("target.kind", dict(settings.kinds).get(source.target, "")),
        format_func=lambda kind: _KINDS[kind],
        required=True,
        on_change=_target_kind_changed,
        args=(source.target,),
        help="Classes give a classification tree, a number a regression tree.",
    )


def edit_columns(settings: Settings) -> None:
    """The table of columns; a change is taken when the data allow it."""
    overview, used = trees.all_columns(settings), {feature.name for feature in trees.data(settings).features}
    base = _base(settings, overview, used)
    edited = st.data_editor(
        base,
        key=_editor_key(settings),
        hide_index=True,
        disabled=["column", "values", "missing", "note"],
        column_config={
            "use": st.column_config.CheckboxColumn("use", width=70, help="Whether a test may ask for it"),
            "column": st.column_config.TextColumn("column", width=170),
            "kind": st.column_config.SelectboxColumn(
                "kind", options=["numeric", "categorical"], required=True, width=130
            ),
            "values": st.column_config.NumberColumn("values", width=80, help="How many different ones"),
            "missing": st.column_config.NumberColumn("missing", width=90, help="How many empty cells"),
            "note": st.column_config.TextColumn("note", width="large"),
        },
    )
    _take(settings, edited, used)


def _base(settings: Settings, overview: ex.Dataset, used: set[str]) -> pd.DataFrame:
    """What the editor began with: it stays the same object while the reader edits, or edits would be lost."""
    key = _editor_key(settings)
    if key not in st.session_state or st.session_state.get(_BASE, ("",))[0] != key:
        st.session_state[_BASE] = (key, _column_frame(overview, used))
    frame: pd.DataFrame = st.session_state[_BASE][1]
    return frame


def _editor_key(settings: Settings) -> str:
    source = trees.source(settings)
    return f"columns {source.key} {source.target} {st.session_state.get(_ROUND, 0)}"


def _column_frame(overview: ex.Dataset, used: set[str]) -> pd.DataFrame:
    """One line per column but the target."""
    lines = [column for column in overview.columns if column.role != "target"]
    return pd.DataFrame(
        {
            "use": [line.name in used for line in lines],
            "column": [line.name for line in lines],
            "kind": [line.kind for line in lines],
            "values": [line.n_values for line in lines],
            "missing": [line.n_missing for line in lines],
            "note": [line.reason for line in lines],
        }
    )


def _take(settings: Settings, edited: pd.DataFrame, used: set[str]) -> None:
    """Take the reader's changes; when they cannot be used, the editor goes back to what is in force."""
    target = trees.source(settings).target
    of_target = {name: kind for name, kind in settings.kinds if name == target}
    default_kinds = {
        line.name: line.kind for line in trees.all_columns(changed(settings, kinds=_pairs(of_target))).columns
    }
    chosen = {
        name: kind for name, kind in zip(edited["column"], edited["kind"], strict=True) if kind != default_kinds[name]
    }
    features = tuple(edited.loc[edited["use"], "column"])
    kinds = _pairs({**of_target, **chosen})
    if set(features) == used and dict(kinds) == dict(settings.kinds):
        return
    if not features:
        session.notify("error", "A tree needs at least one feature. Nothing was changed.")
    if not features or not session.attempt(trees.parts, features=features, kinds=kinds):
        st.session_state[_ROUND] = st.session_state.get(_ROUND, 0) + 1
    st.rerun()


def _pairs(kinds: dict[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple(kinds.items())


def _target_changed() -> None:
    _with_new_target(st.session_state["target"], session.read().kinds)


def _target_kind_changed(target: str) -> None:
    kind = st.session_state["target.kind"]
    others = tuple(pair for pair in session.read().kinds if pair[0] != target)
    _with_new_target(target, (*others, (target, kind)) if kind else others)


def _with_new_target(target: str, kinds: tuple[tuple[str, str], ...]) -> None:
    """Take another target if the data allow it."""
    if session.attempt(trees.parts, target=target, features=None, kinds=kinds):
        fit_target()
