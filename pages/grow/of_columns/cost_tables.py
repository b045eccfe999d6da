"""Class weights, misclassification costs and feature costs as small editable tables.

A table's key names the value in force, so a change that is taken begins a new table; one that is refused stays in its
table, to be corrected.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

import explorer as ex
from explorer.messages import listing, message
from explorer.recipe.class_weights import Costs, cost_matrix, costs_of, pairs_of
from explorer.tree import metrics
from pages.results import trees
from pages.settings import growing_options, session
from pages.settings.growing_options import Context, Option
from pages.settings.settings import Settings
from pages.text import escape_markdown, number

_ROOM, _COST, _NUMBERED_COST, _LEAST_CLASS = 204, 74, 48, 56
"""Pixels of a table of costs in a rail, and of its columns; those of numbered classes are narrower."""
_EDITED = ("class_weights", "costs", "feature_costs")
_MOST_SHOWN = 8
"""Classes whose weight is shown."""


def show(slot: str, settings: Settings, context: Context) -> None:
    """The tables that mean something now, in an expander that stands open while one of them says something."""
    applying = [table for table in growing_options.TABLES if table.applies(context) and table.field in _EDITED]
    if not applying:
        return
    in_use = any(getattr(context.recipe, table.field) for table in applying)
    with st.expander(message("Weights and costs"), in_use, key=f"{slot}.weights", on_change="rerun") as opened:
        if not opened.open:
            return
        for table in applying:
            editor(slot, table, frame_of(settings, slot, table.field), _edited)
            if table.field == "class_weights":
                st.button(
                    message("Balanced"),
                    key=f"{slot}.balanced",
                    on_click=_balance,
                    args=(slot,),
                    help=message("All training rows / (classes · rows of the class): all classes count alike."),
                )
        if in_use:
            _counting(trees.grown(settings, slot).tree)


def _counting(tree: ex.Tree) -> None:
    """The weight of a row of each class, where that is not 1."""
    if tree.class_factors is None:
        return
    pairs = list(zip(tree.classes, tree.class_factors, strict=True))
    weights = [f"{escape_markdown(name)} {number(float(factor))}" for name, factor in pairs[:_MOST_SHOWN]]
    st.caption(
        message(
            "Weight of one row while growing, from class weights and costs: {weights}. The weights add up to {total}; "
            "the tree shows weighted numbers of rows.",
            weights=listing(weights) + (" …" if len(pairs) > _MOST_SHOWN else ""),
            total=number(float(tree.weight[0])),
        )
    )


def editor(slot: str, table: Option, frame: pd.DataFrame, edited: Callable[[str, str, str], None]) -> None:
    """A table of amounts to type into; `edited` is called with slot, field and the table's key."""
    key = f"{slot}.{table.field}.{zlib.crc32(repr(frame.to_dict('split')).encode()):08x}"
    columns: dict[str, Any] = {name: st.column_config.NumberColumn(format="%g") for name in frame.columns[1:]}
    shown = frame
    if table.field == "costs":  # two classes beside their names have room in a rail, more beside their numbers
        is_numbered = len(columns) > 2
        width = _NUMBERED_COST if is_numbered else _COST
        for place, (column, name) in enumerate(zip(columns, frame["class"], strict=True), 1):
            label = f"{place}" if is_numbered else f"→ {name}"
            columns[column] = st.column_config.NumberColumn(label, width=width, help=column, format="%g")
        if is_numbered:
            shown = frame.assign(**{"class": [f"{line} {name}" for line, name in enumerate(frame["class"], 1)]})
        columns["class"] = st.column_config.Column(width=max(_ROOM - width * len(columns), _LEAST_CLASS))
    st.data_editor(
        shown,
        key=key,
        hide_index=True,
        width="stretch",
        disabled=[str(frame.columns[0])],
        column_config=columns,
        on_change=edited,
        args=(slot, table.field, key),
    )
    st.caption(table.help)


def frame_of(settings: Settings, slot: str, field: str) -> pd.DataFrame:
    """The amounts in force, 1 where nothing is named: a line per class or feature."""
    data, recipe = trees.data(settings), trees.recipe(settings, slot)
    if field == "costs":
        return frame_of_costs(recipe.cost_pairs or (), data.classes, data.classes)
    names = _names(data, field, data.classes)
    amounts = dict(pairs_of(getattr(recipe, field), field) or ())
    first, second = ("class", "weight") if field == "class_weights" else ("feature", "cost")
    return pd.DataFrame({first: [str(n) for n in names], second: [amounts.get(name, 1.0) for name in names]})


def frame_of_costs(costs: Costs, names: Sequence[Any], classes: Sequence[Any]) -> pd.DataFrame:
    """The costs of these names, which are shown as `classes`."""
    matrix = cost_matrix(costs, tuple(names))
    named = {message("predicted {name}", name=name): matrix[:, k] for k, name in enumerate(classes)}
    return pd.DataFrame({"class": [str(name) for name in classes], **named})


def _names(data: ex.Dataset, field: str, classes: Sequence[Any]) -> list[Any]:
    """What the lines of a table are about; `classes` may be those of the file, which the settings name."""
    return [feature.name for feature in data.features] if field == "feature_costs" else list(classes)


def value_of(frame: pd.DataFrame, field: str, names: list[Any]) -> growing_options.Value:
    """What a table says, as the recipe keeps it: only amounts other than 1 (of correct predictions: other than 0)."""
    amounts = frame.iloc[:, 1:].astype(object).to_numpy()
    if field != "costs":
        return pairs_of(
            {n: amount for n, amount in zip(names, amounts[:, 0], strict=True) if amount not in (1, None)}, field
        )
    rows = {}
    for j, true in enumerate(names):
        usual = [0 if k == j else 1 for k in range(len(names))]
        rows[true] = {
            n: amount
            for n, amount, default in zip(names, amounts[j], usual, strict=True)
            if amount not in (default, None)
        }
    return costs_of({true: row for true, row in rows.items() if row})


def typed_into(frame: pd.DataFrame, key: str) -> pd.DataFrame:
    """The table with what the reader has typed into it."""
    frame = frame.astype(object)
    for line, typed in st.session_state[key]["edited_rows"].items():
        for column, amount in typed.items():
            frame.loc[int(line), column] = amount
    return frame


def _edited(slot: str, field: str, key: str) -> None:
    """Take what was typed if a tree can be grown by it; else say why, and leave it in the table."""
    settings = session.read()
    _take(slot, settings, field, typed_into(frame_of(settings, slot, field), key))


def _balance(slot: str) -> None:
    """Take the weights by which every class counts alike, as scikit-learn's "balanced"."""
    settings = session.read()
    rows = metrics.class_weights(trees.parts(settings).train)
    frame = frame_of(settings, slot, "class_weights")
    frame["weight"] = rows.sum() / (np.count_nonzero(rows) * np.where(rows > 0, rows, np.inf))
    frame.loc[rows == 0, "weight"] = 1.0
    _take(slot, settings, "class_weights", frame)


def _take(slot: str, settings: Settings, field: str, frame: pd.DataFrame) -> None:
    """Grow by the amounts of a table if that can be done; else say why."""
    growing = trees.explicit(settings, slot)
    try:
        names = _names(trees.data(settings), field, trees.classes_of_file(settings))
        value = value_of(frame, field, names)
    except ex.InputError as error:
        session.notify("error", message("{error} Nothing was changed.", error=error))
        return
    changed = growing.with_change(field, value) if value else growing.without(field)
    session.attempt(lambda proposed: trees.check(proposed, slot), **{slot: changed})
