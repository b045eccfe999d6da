"""The head of the inspector: the prediction for the row, its probability, the rows behind it, and the true value."""

from __future__ import annotations

import streamlit as st

import explorer as ex
from explorer.drawing.figures.class_bar import prediction_bars
from explorer.explaining import few_rows_limit
from explorer.formatting import cell_text, leaves, number_text, percent, range_ends, visible
from explorer.messages import message
from explorer.values import Value
from pages.results.prediction import FilledForm
from pages.settings.settings import Settings
from pages.text import escape_markdown, value_text
from pages.widgets import formula, page_frame

_WITH_BARS = 3
"""Of so many classes the head has bars: of two the probability says all, of more the head would grow too high."""


def show(settings: Settings, form: FilledForm) -> None:
    """The prediction at large, with probability and leaf; below, the reason, the classes and the value in the table."""
    tree, path = form.tree, form.path
    with st.container(key="prediction"):
        st.metric(escape_markdown(visible(tree.target)), escape_markdown(value_text(path.prediction)), width="content")
        if not tree.is_regression:
            st.metric(message("Probability"), percent(form.probability), width="content")
        _ends(form, path)
    st.markdown(escape_markdown(visible(path.sentence)))
    action = tree.node_actions[tree.apply(form.row)[0]]
    if action:
        st.markdown(message("Action: **{action}**", action=escape_markdown(visible(action))))
    if tree.is_regression:
        low, high = map(number_text, range_ends(*map(float, form.train.target.values[[0, -1]])))
        st.caption(message("The training values go from {low} to {high}.", low=low, high=high))
    elif has_bars(tree):
        show_probabilities(form)
    if len(path.ends) == 1:
        with st.container(key="behind"):
            if not tree.is_regression:
                formula.show_fraction(tree, path.ends[0].node, tree.classes.index(path.prediction), "answer")
            _few_rows(tree, path.ends[0].weight)
    _truth(settings, form)


def _ends(form: FilledForm, path: ex.RowPath) -> None:
    """The node where the row ends, with its training rows; or how many leaves are averaged."""
    if len(path.ends) > 1:
        st.metric(message("Average of"), leaves(len(path.ends)), width="content")
        return
    end = path.ends[0]
    is_leaf = form.tree.node(end.node).is_leaf
    name = message("Leaf {node}", node=end.node) if is_leaf else message("Node {node}", node=end.node)
    help_text = message("Training rows at the node where the row ends.")
    st.metric(name, form.tree.rows_text(end.weight), width="content", help=help_text)


def _few_rows(tree: ex.Tree, weight: float) -> None:
    """A warning where so few rows are behind the prediction that it is uncertain."""
    if weight < few_rows_limit(tree):
        limit = message("Fewer than {limit}: the prediction is uncertain.", limit=tree.rows_text(few_rows_limit(tree)))
        st.badge(message("only {rows}", rows=tree.rows_text(weight)), color="orange", help=limit)


def show_probabilities(form: FilledForm) -> None:
    """A bar for the predicted probability of each class."""
    st.html(prediction_bars(form.tree.classes, form.probabilities, page_frame.colours()))


def has_bars(tree: ex.Tree) -> bool:
    """Whether the head shows the probability of each class."""
    return not tree.is_regression and len(tree.classes) == _WITH_BARS


def _truth(settings: Settings, form: FilledForm) -> None:
    """What the table says of the row that the form began with."""
    start = form.start
    if start is None:
        return
    fields = {"n": start.number, "truth": escape_markdown(visible(cell_text(start.truth)))}
    is_training = start.row_set == "train"
    if settings.predict.cells:
        text = (
            message("Row {n:,} (training set) is **{truth}** in the table, before your changes.", **fields)
            if is_training
            else message("Row {n:,} (validation set) is **{truth}** in the table, before your changes.", **fields)
        )
    else:
        text = (
            message("Row {n:,} (training set) is **{truth}** in the table.", **fields)
            if is_training
            else message("Row {n:,} (validation set) is **{truth}** in the table.", **fields)
        )
    sentences = " ".join(filter(None, (text, _verdict(settings, form, start.truth))))
    st.markdown(f":small[{sentences}]")


def _verdict(settings: Settings, form: FilledForm, truth: Value) -> str:
    """Whether the row's own class is predicted."""
    if settings.predict.cells or form.tree.is_regression:
        return ""
    return message("Predicted correctly.") if form.path.prediction == truth else message("Misclassified.")
