"""The inspector of the Evaluate page: one tab for each question; only the open one is worked out."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

import explorer as ex
from explorer.drawing.figures import score_figures
from explorer.messages import message
from pages.evaluate import (
    class_curves,
    decision,
    dependence,
    errors,
    feature_importance,
    leaf_quality,
    learning_curve,
    open_tab,
    row_set,
    score_table,
)
from pages.evaluate.what_it_costs import constraint_costs
from pages.layout import repeated_rows
from pages.results import evaluation, opened_tree, tree_size
from pages.settings.settings import Settings
from pages.text import escape_markdown
from pages.widgets import open_tabs, page_frame, test_set


def show(settings: Settings, tree: ex.Tree) -> None:
    """The tabs."""
    names = open_tab.names(tree.is_regression)
    contents: dict[str, Callable[[Settings, ex.Tree], None]] = {
        open_tab.SCORES: _scores,
        open_tab.ERRORS: _errors,
        open_tab.CURVES: _curves,
        open_tab.LEAVES: _leaves,
        open_tab.IMPORTANCE: _importance,
        open_tab.LEARNING: _learning,
    }
    shown = {tab: (names[tab], partial(content, settings, tree)) for tab, content in contents.items() if tab in names}
    open_tabs.show(shown, open_tab.KEY, open_tab.first(settings))


def _importance(settings: Settings, tree: ex.Tree) -> None:
    page_frame.show_sample(settings)
    parts = [feature_importance.show, dependence.show, constraint_costs.show]
    for show_part in [*parts[-1:], *parts[:-1]] if constraint_costs.come_first(settings) else parts:
        show_part(settings, tree)


def _learning(settings: Settings, tree: ex.Tree) -> None:
    page_frame.show_sample(settings)
    learning_curve.show(settings)


def _scores(settings: Settings, tree: ex.Tree) -> None:
    """What a score on these rows is worth, every score beside its baseline, every class, and the test set."""
    st.caption(row_set.remark(settings))
    if evaluation.chosen(settings) == "valid" and evaluation.repeated_text(settings):
        repeated_rows.button()
    evaluated = row_set.evaluated(settings)
    if evaluated is not None:
        reason = decision.why(settings, tree)
        if reason:
            st.caption(escape_markdown(reason))
        score_table.show(evaluated[0], tree.counts_rows)
        if evaluated[0].labels:
            score_table.each_class(evaluated[0], tree.amount_name)
    if opened_tree.now() is not None:
        return
    st.subheader(message("Test set"), anchor=False)
    test_set.show(settings, tree, tree_size.tree_words(settings, tree))


def _errors(settings: Settings, tree: ex.Tree) -> None:
    """The confusion matrix, or the residuals, and the rows behind them."""
    evaluated = row_set.evaluated(settings)
    if evaluated is None:
        return
    result, predictions = evaluated
    if result.labels:
        table = errors.confusion_cells(result, predictions)
        errors.show_matrix(settings, table)
        page_frame.show_sample(settings)
        shown = errors.pick_rows(settings, table, predictions)
    else:
        figure = score_figures.residual_figure(predictions.predictions, predictions.residuals, page_frame.colours())
        st.plotly_chart(class_curves.low(figure), key="residuals", config=page_frame.STILL)
        shown = predictions.worst
    errors.show_rows(settings, row_set.predicted(settings), predictions, shown)


def _curves(settings: Settings, tree: ex.Tree) -> None:
    """How well the predicted probability of a class ranks rows."""
    evaluated = row_set.of_one_tree(settings)
    if evaluated is None:
        return
    code = class_curves.choose_class(settings, evaluated[0], tree)
    if code is None:
        st.markdown(message("All these rows belong to one class. The curves need rows of at least two classes."))
    else:
        class_curves.show(settings, tree, code)


def _leaves(settings: Settings, tree: ex.Tree) -> None:
    """Calibration and sizes of the leaves."""
    evaluated = row_set.of_one_tree(settings)
    if evaluated is None:
        return
    with st.container(horizontal=True, gap="small"):
        code = None if tree.is_regression else class_curves.choose_class(settings, evaluated[0], tree)
        leaf_quality.choose_leaf(settings, tree)
    leaf_quality.show(settings, tree, code, evaluated[1])
