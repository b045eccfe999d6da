"""What a reader says about the values of a column: merged, in order, in intervals, missing, or whose rows are kept.

Each becomes a repair, listed with the others above the table, where it is undone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import streamlit as st

import explorer as ex
from explorer.data.codes.date_features import dated
from explorer.data.suggestions.cells import Cells, folded, is_number, is_text
from explorer.export.plain_csv import plain_csv
from explorer.messages import message
from explorer.values import is_plain_number
from pages.data import suggestions
from pages.results import trees
from pages.settings import session
from pages.settings.settings import Settings

_FEW_VALUES, _MOST_VALUES, _MOST_LEVELS = 12, 500, 40
Repair = ex.Repair | None
"""What is to be done, once that is complete."""


@dataclass(frozen=True)
class _Values:
    """A column and its distinct cells as text, the most frequent first, with their counts."""

    name: str
    column: pd.Series
    counts: Mapping[str, int]
    is_target: bool = False

    def label(self, text: str) -> str:
        """A value with its count; one that was typed has none."""
        return f"{text} ({self.counts[text]:,})" if text in self.counts else text


def show(settings: Settings) -> None:
    """Choose a column and what to say about it; the button is off until that is complete."""
    frame = trees.source(settings).table.frame
    with st.container(key="change_values"):
        with st.container(horizontal=True, vertical_alignment="bottom"):
            names, first = list(map(str, frame.columns)), _first_column(settings)
            name = st.selectbox(message("Column"), names, index=names.index(first), key="change.column", width=220)
            values = _values_of(name, frame[name])
            ways = {way: label for way, (label, fits, _) in _WAYS.items() if fits(values)}
            way = st.segmented_control(
                message("What to change"),
                list(ways),
                format_func=lambda way: ways[way](),
                key=f"change.what.{name}",
                default=next(iter(ways)),
                required=True,
            )
        with st.container(horizontal=True, vertical_alignment="bottom"):
            repair = _WAYS[way or next(iter(ways))][2](replace(values, is_target=name == trees.source(settings).target))
            st.button(message("Apply"), key="change.apply", on_click=_apply, args=(repair,), disabled=repair is None)
        if len(values.counts) == _MOST_VALUES:
            st.caption(message("The {n:,} most frequent values can be chosen.", n=_MOST_VALUES))


def _first_column(settings: Settings) -> str:
    """The target where it has more than two classes, which may be merged; else the first column."""
    target = trees.data(settings).target
    return target.name if len(target.categories) > 2 else str(trees.source(settings).table.frame.columns[0])


def offer_download(settings: Settings) -> None:
    """The table as it is now, with all repairs, as a file."""
    table = trees.source(settings).table
    st.download_button(
        message("Download this table (CSV)"),
        lambda: plain_csv(dated(table.frame, table.days_since)),
        file_name="table.csv",
        mime="text/csv",
        icon=":material/download:",
        key="table.download",
        on_click="ignore",
    )


def _values_of(name: str, column: pd.Series) -> _Values:
    cells = Cells.of(column)
    order = np.argsort(-cells.counts, kind="stable")[:_MOST_VALUES]
    return _Values(name, column, {cells.texts[i]: int(cells.counts[i]) for i in order})


def _chosen(values: _Values, label: str, way: str, typed: bool = False) -> list[str]:
    return st.multiselect(
        label,
        list(values.counts),
        format_func=values.label,
        placeholder=message("Choose …"),
        accept_new_options=typed,
        key=f"change.{way}.{values.name}",
        width=440,
    )


def _merged(values: _Values) -> Repair:
    """Some values as one, and all others as another if that has a name; a few values are chosen by a click each."""
    chosen = _clicked(values) if len(values.counts) <= _FEW_VALUES else _chosen(values, message("Values"), "merged")
    joined, key = " + ".join(chosen), f"change.call.{values.name}"
    new = st.text_input(message("Call them"), key=key, placeholder=joined, width=180).strip() or joined
    is_of_classes = values.is_target and len(values.counts) > 2
    rest = st.text_input(
        message("Call all others"),
        message("other") if is_of_classes else "",
        key=f"change.others.{values.name}.{is_of_classes}",
        placeholder=message("as they are"),
        width=180,
    ).strip()
    merged = [[old, new] for old in chosen]
    if rest:
        merged += [[old, rest] for old in Cells.of(values.column).texts if old not in chosen]
    merged = [[old, name] for old, name in merged if old != name]
    return ex.Repair("recoded", values.name, {"values": merged}) if chosen and merged else None


def _clicked(values: _Values) -> list[str]:
    """Some of a few values, each by one click; other values are another choice."""
    of_values = hashlib.sha256(repr([*values.counts]).encode()).hexdigest()[:12]
    return st.pills(
        message("Values"),
        list(values.counts),
        selection_mode="multi",
        format_func=values.label,
        key=f"change.merged.{values.name}.{of_values}",
    )


def _ordered(values: _Values) -> Repair:
    chosen = _chosen(values, message("All values, the lowest first"), "ordered")
    is_whole = len(chosen) == len(values.counts) and len({folded(text) for text in chosen}) == len(chosen)
    return ex.Repair("levels", values.name, {"levels": [[text] for text in chosen]}) if is_whole else None


def _in_intervals(values: _Values) -> Repair:
    label = message("Upper ends, such as 18; 65")
    typed = st.text_input(label, key=f"change.ends.{values.name}", width=440).replace(";", " ").split()
    is_complete = bool(typed) and all(map(is_plain_number, typed))
    return ex.Repair("intervals", values.name, {"edges": list(map(float, typed))}) if is_complete else None


def _missing(values: _Values) -> Repair:
    chosen = _chosen(values, message("Values that mean “missing”"), "missing", typed=True)
    numbers = [float(text) for text in chosen if is_plain_number(text.strip())]
    options = {"codes": sorted({folded(text) for text in chosen}), "numbers": sorted(set(numbers))}
    return ex.Repair("missing_codes", values.name, options) if chosen else None


def _kept_rows(values: _Values) -> Repair:
    chosen, low, high = list[str](), None, None
    if is_number(values.column):
        low, high = (
            st.number_input(label, value=None, format="%g", key=f"change.{end}.{values.name}", width=180)
            for end, label in (("low", message("At least")), ("high", message("At most")))
        )
    else:
        chosen = _chosen(values, message("Keep only rows with"), "kept")
    options = {"column": values.name, "values": chosen, "low": low, "high": high}
    return ex.Repair("kept_rows", "", options) if chosen or low is not None or high is not None else None


_WAYS: dict[str, tuple[Callable[[], str], Callable[[_Values], bool], Callable[[_Values], Repair]]] = {
    "merged": (lambda: message("Merge"), lambda values: True, _merged),
    "ordered": (
        lambda: message("Order"),
        lambda values: is_text(values.column) and 2 < len(values.counts) <= _MOST_LEVELS,
        _ordered,
    ),
    "intervals": (lambda: message("Intervals"), lambda values: is_number(values.column), _in_intervals),
    "missing": (lambda: message("Missing"), lambda values: True, _missing),
    "kept": (lambda: message("Keep rows"), lambda values: True, _kept_rows),
}
"""What can be said: its name, of which columns, and what asks for it."""


def _apply(repair: ex.Repair) -> None:
    suggestions.take((*session.read().repairs, repair))
