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
from pages.widgets import page, test_set


def show_predictions(settings: Settings, found: ex.Evaluation, answered: RowPredictions) -> None:
    """Right and wrong answers, class by class or by the size of the error, and the rows behind them."""
    rows, has_ways = evaluation.rows(settings), evaluation.chosen(settings) != "held_out"
    if found.labels:
        st.header("Right and wrong answers", anchor=False)
        table = errors.crossed(found, answered)
        with st.container(horizontal=True, gap="medium"):
            with st.container(width="content"):
                errors.show_matrix(settings, table)
            with st.container(width=480):
                score_cards.each_class(found)
        shown = errors.pick_rows(settings, table, answered)
    else:
        st.header("Errors", anchor=False)
        figure = score_figures.residual_figure(answered.predictions, answered.residuals, class_curves.colours(settings))
        st.plotly_chart(figure, key="residuals", config=page.STILL)
        st.markdown("**The largest errors**")
        shown = answered.worst
    errors.show_rows(settings, rows, answered, shown, has_ways)


def show_pictures(settings: Settings, tree: ex.Tree, found: ex.Evaluation, answered: RowPredictions) -> None:
    """Curves of a class, what the leaves promise, and which features matter."""
    code = None
    if not tree.is_regression:
        st.header("Telling one class from the others", anchor=False)
        code = class_curves.choose_class(settings, found, tree)
        if code is None:
            st.markdown("All these rows are of one class, so there is nothing to tell it from.")
        else:
            class_curves.show_curves(settings, tree, code)
    st.header("The leaves", anchor=False)
    leaf_quality.show(settings, tree, code, answered)


def show_all(settings: Settings, tree: ex.Tree) -> None:
    """All that can be said on the rows in force."""
    row_set.choose_rows(settings)
    found = row_set.found(settings)
    if found is not None:
        score_cards.cards(found[0])
        show_predictions(settings, *found)
        if class_curves.can_rank(settings):
            show_pictures(settings, tree, *found)
    st.header("Which features matter", anchor=False)
    feature_importance.show(settings, tree)
    st.header("Would more rows help?", anchor=False)
    learning_curve.show(settings)
    st.header("The test part", anchor=False)
    test_set.sealed_test(settings, tree, tree_size.tree_words(settings, tree))


settings = page.start("Evaluate", "How good is the tree, on which rows, and where is it wrong?")
with page.errors_shown():
    page.context_line(settings)
    tree = pruned_tree.pruned(settings)
    page.say(settings, tree, "Judged")
    show_all(settings, tree)
