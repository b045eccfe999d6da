"""How good the pruned tree is, on which rows, beside which baseline, and where it is wrong."""

import streamlit as st

import explorer as ex
from explorer.drawing.figures import score_figures
from explorer.evaluation.evaluation import RowPredictions
from pages.evaluate import (
    class_curves,
    errors,
    feature_importance,
    leaf_quality,
    learning_curve,
    row_set,
    score_cards,
)
from pages.results import evaluation, pruned_tree, tree_size
from pages.settings.settings import Settings
from pages.widgets import page_frame, test_set


def show_predictions(settings: Settings, result: ex.Evaluation, predictions: RowPredictions) -> None:
    """The confusion matrix, or the residuals, and the rows behind them."""
    rows, has_paths = evaluation.rows(settings), evaluation.chosen(settings) != "held_out"
    if result.labels:
        st.header("Right and wrong answers", anchor=False)
        table = errors.confusion_cells(result, predictions)
        with st.container(horizontal=True, gap="medium"):
            with st.container(width="content"):
                errors.show_matrix(settings, table)
            with st.container(width=480):
                score_cards.each_class(result)
        shown = errors.pick_rows(settings, table, predictions)
    else:
        st.header("Errors", anchor=False)
        figure = score_figures.residual_figure(
            predictions.predictions, predictions.residuals, class_curves.colours(settings)
        )
        st.plotly_chart(figure, key="residuals", config=page_frame.STILL)
        st.markdown("**The largest errors**")
        shown = predictions.worst
    errors.show_rows(settings, rows, predictions, shown, has_paths)


def show_pictures(settings: Settings, tree: ex.Tree, result: ex.Evaluation, predictions: RowPredictions) -> None:
    """Curves of a class, and the calibration of the leaves."""
    code = None
    if not tree.is_regression:
        st.header("Telling one class from the others", anchor=False)
        code = class_curves.choose_class(settings, result, tree)
        if code is None:
            st.markdown("All these rows are of one class, so there is nothing to tell it from.")
        else:
            class_curves.show_curves(settings, tree, code)
    st.header("The leaves", anchor=False)
    leaf_quality.show(settings, tree, code, predictions)


def show_all(settings: Settings, tree: ex.Tree) -> None:
    """All that can be said on the rows in force."""
    row_set.choose_rows(settings)
    evaluated = row_set.evaluated(settings)
    if evaluated is not None:
        score_cards.cards(evaluated[0])
        show_predictions(settings, *evaluated)
        if class_curves.can_rank(settings):
            show_pictures(settings, tree, *evaluated)
    st.header("Which features matter", anchor=False)
    feature_importance.show(settings, tree)
    st.header("Would more rows help?", anchor=False)
    learning_curve.show(settings)
    st.header("The test part", anchor=False)
    test_set.show(settings, tree, tree_size.tree_words(settings, tree))


settings = page_frame.start("Evaluate", "How good is the tree, on which rows, and where is it wrong?")
with page_frame.errors_shown():
    page_frame.context_line(settings)
    tree = pruned_tree.pruned(settings)
    page_frame.tree_line(settings, tree, "Judged")
    show_all(settings, tree)
