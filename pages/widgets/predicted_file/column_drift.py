"""Which columns of a file differ from the training rows: a table, the largest PSI first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import numpy as np
import pandas as pd
import streamlit as st

import explorer as ex
from explorer.data.codes.scale import Dates
from explorer.formatting import percent, value_text, with_percent_sign
from explorer.messages import message, plural
from explorer.values import Value
from pages.text import escape_markdown, number, readable
from pages.widgets import tables, tree_panels

_MOST_LINES = 12
_KEY = "drift.columns"
_WIDTHS = {"feature": 92, "before": 66, "now": 66, "PSI": 58, "KS": 58, "missing": 66, "splits": 48}
"""Pixels of the columns, together as wide as the panel of a window of 1280."""


def show(tree: ex.Tree, columns: list[ex.ColumnDrift]) -> None:
    """What differs beyond chance, and a line for each column."""
    if not columns:
        return
    st.caption(_sentence(columns))
    shown, (n_splits, firsts) = columns[:_MOST_LINES], _splits_on(tree)
    lines = [_line(each, n_splits) for each in shown]
    tables.numbers_table(
        pd.DataFrame(lines),
        [each.is_marked for each in shown],
        _KEY,
        on_row=lambda: tree_panels.take_of_line(_KEY, [firsts.get(each.feature.name) for each in shown]),
        widths=_WIDTHS,
        right=list(_WIDTHS)[1:],
        by_cell=True,
    )
    st.caption(
        message(
            "Before, now: medians, or shares of the category that changed most. PSI: over ten bins of the training "
            "rows, or the categories; missing cells are one more bin. KS: the largest difference of the distribution "
            "functions. Splits: how many splits of the tree test the column; a click selects the first of them."
        )
    )


def _sentence(columns: list[ex.ColumnDrift]) -> str:
    """How many columns differ beyond chance, and how many are compared."""
    n_marked, first = sum(each.is_marked for each in columns), columns[0]
    if not n_marked:
        return message("**Columns**: none differs beyond chance (level 5 % for all columns together).")
    text = plural(
        n_marked,
        "**Columns**: {n} of {all} differs beyond chance (level 5 % for all columns together), tinted.",
        "**Columns**: {n} of {all} differ beyond chance (level 5 % for all columns together), tinted.",
        all=len(columns),
    )
    most = message(
        "Most: {name}, PSI {psi}.", name=escape_markdown(readable(first.feature.name)), psi=f"{first.psi:.3f}"
    )
    return f"{text} {most}"


def _line(drift: ex.ColumnDrift, n_splits: Mapping[str, int]) -> dict[str, str]:
    name = drift.feature.name
    if drift.feature.kind == "categorical" and drift.now is not None:
        value = message("unseen") if drift.category is None else value_text(drift.category)
        name = f"{name} = {value}"
    return {
        "feature": readable(name),
        "before": _typical(drift, drift.before),
        "now": _typical(drift, drift.now),
        "PSI": f"{drift.psi:.3f}",
        "KS": "–" if np.isnan(drift.ks) else f"{drift.ks:.3f}",
        "missing": _change(*drift.missing),
        "splits": str(n_splits.get(drift.feature.name, 0)),
    }


def _typical(drift: ex.ColumnDrift, value: Value | None) -> str:
    """A share of categories, a median of numbers as cells have it."""
    if value is None:
        return "–"
    if not isinstance(value, float):
        return readable(value_text(value))
    if drift.feature.kind == "categorical":
        return percent(value)
    return drift.feature.scale.text(value) if isinstance(drift.feature.scale, Dates) else number(value)


def _change(before: float, now: float) -> str:
    """Two shares in whole per cent."""
    if before == now == 0:
        return with_percent_sign("0")
    return with_percent_sign(f"{100 * before:.0f} → {100 * now:.0f}")


def _splits_on(tree: ex.Tree) -> tuple[dict[str, int], dict[str, int]]:
    """How many splits test each feature, and the first node of them."""
    inner = np.flatnonzero(tree.is_inner)
    names = [tree.features[position].name for position in tree.feature[inner].tolist()]
    firsts = dict(zip(reversed(names), reversed(inner.tolist()), strict=True))
    return Counter(names), firsts
