"""What the rows of a file turned out to be in each leaf, beside the training rows there: a table, and rings."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

import explorer as ex
from explorer.data.dataset import Dataset
from explorer.evaluation.leaf_outcomes import LeafOutcomes, leaf_outcomes
from explorer.formatting import amount, percent
from explorer.messages import message, paragraph, plural
from explorer.recipe.class_weights import Floats
from pages.results.cache import kept
from pages.text import chance, number, readable
from pages.widgets import tables, tree_panels
from pages.widgets.tree_view import Mark

_MOST_LINES = 20
_KEY = "drift.outcomes"
_WIDTHS = {"node": 54, "rows": 66, "predicted": 86, "training": 80, "now": 70, "p": 94}
"""Pixels of the columns, together as wide as the panel of a window of 1280."""


@kept()
def of_rows(key: str, _tree: ex.Tree, _train: Dataset, _rows: pd.DataFrame, _truth: Floats) -> LeafOutcomes:
    """The outcomes of rows as a tree reads them; `key` names tree and rows."""
    return leaf_outcomes(_tree, _train, _rows, _truth)


def marks(found: LeafOutcomes) -> list[Mark]:
    """A ring at every leaf whose rows differ from the training rows beyond chance."""
    text = message("These rows turned out otherwise than the training rows here")
    return [Mark(node, "ring", text) for node in found.nodes[found.is_marked].tolist()]


def show(tree: ex.Tree, found: LeafOutcomes) -> None:
    """How many leaves differ, and the leaves, those that differ first, then the largest."""
    st.markdown(message("**Outcomes**: does the target fall out in the leaves as it did in the training rows?"))
    n_marked = int(np.count_nonzero(found.is_marked))
    if n_marked:
        text = plural(
            n_marked,
            "{n} leaf, ringed on the tree, differs beyond chance (level 5 % for all leaves together).",
            "{n} leaves, ringed on the tree, differ beyond chance (level 5 % for all leaves together).",
        )
        st.markdown(f":orange[:material/warning: {text}]")
    else:
        st.caption(message("No leaf differs beyond chance (level 5 % for all leaves together)."))
    order = np.lexsort((-found.rows, ~found.is_marked))[:_MOST_LINES]
    lines = [_line(tree, found, int(at)) for at in order]
    right = [name for name in lines[0] if name != "predicted"]
    tables.numbers_table(
        pd.DataFrame(lines),
        found.is_marked[order].tolist(),
        _KEY,
        on_row=lambda: tree_panels.take_of_line(_KEY, found.nodes[order].tolist()),
        widths=_WIDTHS,
        right=right,
        by_cell=True,
    )
    st.caption(_meaning(tree))


def _meaning(tree: ex.Tree) -> str:
    """What the columns hold."""
    click = message("A click on a line selects its node in the tree.")
    if tree.is_regression:
        return paragraph([message("Training, now: the mean of the target in the leaf, then and in this file."), click])
    shares = message("Training, now: the share of the predicted class in the leaf, then and in this file.")
    return paragraph([shares, click])


def _line(tree: ex.Tree, found: LeafOutcomes, at: int) -> dict[str, str]:
    node, p = int(found.nodes[at]), float(found.p_value[at])
    shown = number if tree.is_regression else percent
    training, observed = (
        "–" if np.isnan(value) else shown(float(value)) for value in (found.training[at], found.observed[at])
    )
    of_class = {} if tree.is_regression else {"predicted": readable(str(tree.classes[int(tree.labels[node])]))}
    return {
        "node": str(node),
        "rows": amount(float(found.rows[at])),
        **of_class,
        "training": training,
        "now": observed,
        "p": "–" if np.isnan(p) else chance(p).removeprefix("= "),
    }
