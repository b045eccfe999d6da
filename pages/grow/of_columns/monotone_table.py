"""Monotone constraints as a small editable table: for each numeric feature none, increasing or decreasing."""

from __future__ import annotations

import zlib
from typing import Any

import pandas as pd
import streamlit as st

import explorer as ex
from explorer.messages import message
from pages.results import trees
from pages.settings import growing_options, session
from pages.settings.growing_options import Context
from pages.settings.settings import Settings
from pages.text import escape_markdown

_FEATURE, _PREDICTION = "feature", "prediction"
_SIGNS = {"none": 0, "increasing": 1, "decreasing": -1}


def show(slot: str, settings: Settings, context: Context) -> None:
    """The table where constraints mean something, in an expander that stands open while there are some."""
    option = growing_options.BY_FIELD["monotone"]
    if not option.applies(context):
        return
    in_use = bool(context.recipe.monotone)
    with st.expander(option.label, in_use, key=f"{slot}.constraints", on_change="rerun") as opened:
        if not opened.open:
            return
        frame = frame_of(settings, slot)
        key = f"{slot}.monotone.{zlib.crc32(frame.to_json().encode()):08x}"
        st.data_editor(
            frame,
            key=key,
            hide_index=True,
            width="stretch",
            disabled=[_FEATURE],
            column_config=_looks(),
            on_change=_edited,
            args=(slot, key),
        )
        st.caption(f"{option.help} {_what_rises(trees.data(settings))}".strip())


def _looks() -> dict[str, Any]:
    names = {"none": message("none"), "increasing": message("increasing"), "decreasing": message("decreasing")}
    return {
        _FEATURE: st.column_config.TextColumn(message("Feature")),
        _PREDICTION: st.column_config.SelectboxColumn(
            message("Prediction"), options=list(names), format_func=lambda name: names[str(name)], required=True
        ),
    }


def _what_rises(data: ex.Dataset) -> str:
    """Of two classes, the one whose probability is constrained."""
    if data.is_regression:
        return ""
    return message("Constrained is the probability of {name}.", name=escape_markdown(str(data.classes[-1])))


def frame_of(settings: Settings, slot: str) -> pd.DataFrame:
    """The constraints in force: a line for each numeric feature, and for others that have one."""
    signs = trees.recipe(settings, slot).monotone_signs
    words = {sign: word for word, sign in _SIGNS.items()}
    numeric = [feature.name for feature in trees.data(settings).features if feature.kind == "numeric"]
    names = [*numeric, *(name for name in signs if name not in numeric)]
    return pd.DataFrame({_FEATURE: names, _PREDICTION: [words[signs.get(name, 0)] for name in names]})


def _edited(slot: str, key: str) -> None:
    """Take what was chosen if a tree can be grown by it; else say why."""
    settings = session.read()
    frame = frame_of(settings, slot)
    for line, chosen in st.session_state[key]["edited_rows"].items():
        frame.loc[int(line), _PREDICTION] = chosen[_PREDICTION]
    pairs = zip(frame[_FEATURE], frame[_PREDICTION], strict=True)
    value = tuple((str(name), _SIGNS[word]) for name, word in pairs if _SIGNS[word])
    growing = trees.explicit(settings, slot)
    changed = growing.with_change("monotone", value) if value else growing.without("monotone")
    session.attempt(lambda proposed: trees.check(proposed, slot), **{slot: changed})
