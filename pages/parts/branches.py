"""What the branches of a test hold: rows, classes or mean, and impurity. All numbers are fields."""

from __future__ import annotations

import pandas as pd
import streamlit as st

import explorer as ex
from pages.parts import node_words
from pages.parts.tables import numbers_table
from pages.parts.words import number

_HEADING, _LONG_NAME = 130, 15
"""Pixels for the column of a class whose name has more than so many letters."""
_WORD, _LETTER_WIDTH = 320, 8
"""Pixels for the words of branches at most, and for one letter."""


def show_branches(tree: ex.Tree, candidate: ex.Candidate, key: str) -> None:
    """One line per branch, and what became of rows without a value."""
    frame = branches_frame(tree, candidate)
    narrow = {str(name): _HEADING for name in frame.columns[1:] if len(str(name)) > _LONG_NAME}
    if frame["branch"].str.len().max() > _WORD / _LETTER_WIDTH:
        narrow["branch"] = _WORD
    numbers_table(frame, [False] * len(frame), key, widths=narrow)
    if candidate.filled_weight:
        st.caption(f"{number(candidate.filled_weight)} of these rows have no value; it was filled in.")


def branches_frame(tree: ex.Tree, candidate: ex.Candidate) -> pd.DataFrame:
    """The same as a table; branches are worded without the feature, whose name may be long and is said above."""
    measure, lines = node_words.impurity_name(tree.recipe, tree.is_regression), []
    for branch, (stats, impurity) in enumerate(zip(candidate.branch_stats, candidate.impurities, strict=True)):
        word, weight = candidate.condition.branch_word(branch), float(candidate.weights[branch])
        line: dict[str, object] = {"branch": word, "rows": weight, measure: float(impurity)}
        if tree.is_regression:
            line["mean"] = float(stats[1])
        for name, of_class in zip(tree.classes, stats, strict=False):
            line[str(name) if str(name) not in ("branch", "rows", measure) else f"{name} (class)"] = float(of_class)
        lines.append(line)
    if candidate.missing_weight:
        lines.append({"branch": "no value: not in these numbers", "rows": candidate.missing_weight})
    return pd.DataFrame(lines)
