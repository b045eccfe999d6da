"""What the branches of one split hold: a line for each branch, with its rows by class or its mean."""

from __future__ import annotations

import pandas as pd
import streamlit as st

import explorer as ex
from explorer.messages import message
from explorer.recipe.recipe import predicts_quantiles
from pages.grow import newton_ranking
from pages.text import number
from pages.widgets import node_text
from pages.widgets.tables import numbers_table

_HEADING, _LONG_NAME = 130, 15
"""Pixels for the column of a class whose name has more than so many letters."""
_WORD, _LETTER_WIDTH = 320, 8
"""Pixels for the words of branches at most, and for one letter."""
_MOST_WRAPPED = 12
"""Lines of a table that is as wide as the inspector; a longer one scrolls by itself."""


def show_branches(tree: ex.Tree, candidate: ex.Candidate, key: str) -> None:
    """One line per branch, and what became of rows without a value."""
    frame = branches_frame(tree, candidate)
    widths = {str(name): _HEADING for name in frame.columns[1:] if len(str(name)) > _LONG_NAME}
    if frame["branch"].str.len().max() > _WORD / _LETTER_WIDTH:
        widths["branch"] = _WORD
    numbers_table(frame, [False] * len(frame), key, widths=widths, wraps=len(frame) <= _MOST_WRAPPED)
    if candidate.filled_weight:
        st.caption(
            message(
                "{rows} of these rows have a missing value, which was filled in.", rows=number(candidate.filled_weight)
            )
        )


def branches_frame(tree: ex.Tree, candidate: ex.Candidate) -> pd.DataFrame:
    """The same as a table; branches are worded without the feature, whose name may be long and is said above."""
    measure, lines = node_text.impurity_name(tree.recipe, tree.is_regression), []
    amount = "rows" if tree.counts_rows else "weight"
    for branch, (stats, impurity) in enumerate(zip(candidate.branch_stats, candidate.impurities, strict=True)):
        word, weight = candidate.condition.branch_word(branch), float(candidate.weights[branch])
        line: dict[str, object] = {"branch": word, amount: weight, measure: float(impurity)}
        if tree.is_regression:
            line["quantile" if predicts_quantiles(tree.recipe) else "mean"] = float(stats[1])
        for name, of_class in zip(tree.classes, stats, strict=False):
            is_taken = str(name) in ("branch", amount, measure)
            line[message("{name} (class)", name=name) if is_taken else str(name)] = float(of_class)
        lines.append(line)
    if candidate.missing_weight:
        lines.append({"branch": message("missing: not counted"), amount: candidate.missing_weight})
    return newton_ranking.with_sums(pd.DataFrame(lines), candidate, tree.recipe)
