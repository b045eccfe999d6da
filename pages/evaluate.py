"""How good the pruned tree is, on which rows, beside which baseline, and where it is wrong."""

import streamlit as st

import explorer as ex
from explorer.answered import Answered
from explorer.draw import score_figures
from pages.parts import (
    choosing,
    importances,
    in_hand,
    judge,
    judged,
    learning,
    leaves,
    mistakes,
    page,
    ranking,
    reasons,
    scorecards,
    trees,
)
from pages.parts.state import Settings


def show_answers(settings: Settings, found: ex.Evaluation, answered: Answered) -> None:
    """Right and wrong answers, class by class or by the size of the error, and the rows behind them."""
    rows, has_ways = judged.rows(settings), judged.chosen(settings) != "held_out"
    if found.labels:
        st.header("Right and wrong answers", anchor=False)
        table = mistakes.crossed(found, answered)
        with st.container(horizontal=True, gap="medium"):
            with st.container(width="content"):
                mistakes.show_matrix(settings, table)
            with st.container(width=480):
                scorecards.each_class(found)
        shown = mistakes.pick_rows(settings, table, answered)
    else:
        st.header("Errors", anchor=False)
        figure = score_figures.residual_figure(answered.answers, answered.residuals, ranking.colours(settings))
        st.plotly_chart(figure, key="residuals", config=page.STILL)
        st.markdown("**The largest errors**")
        shown = answered.worst
    mistakes.show_rows(settings, rows, answered, shown, has_ways)


def show_pictures(settings: Settings, tree: ex.Tree, found: ex.Evaluation, answered: Answered) -> None:
    """Curves of a class, what the leaves promise, and which features matter."""
    code = None
    if not tree.is_regression:
        st.header("Telling one class from the others", anchor=False)
        code = ranking.choose_class(settings, found, tree)
        if code is None:
            st.markdown("All these rows are of one class, so there is nothing to tell it from.")
        else:
            ranking.show_curves(settings, tree, code)
    st.header("The leaves", anchor=False)
    leaves.show(settings, tree, code, answered)


def show_all(settings: Settings, tree: ex.Tree) -> None:
    """All that can be said on the rows in force."""
    judge.choose_rows(settings)
    found = judge.found(settings)
    if found is not None:
        scorecards.cards(found[0])
        show_answers(settings, *found)
        if ranking.can_rank(settings):
            show_pictures(settings, tree, *found)
    st.header("Which features matter", anchor=False)
    importances.show(settings, tree)
    st.header("Would more rows help?", anchor=False)
    learning.show(settings)
    st.header("The test part", anchor=False)
    choosing.sealed_test(settings, tree, reasons.tree_words(settings, tree))


settings = page.start("Evaluate", "How good is the tree, on which rows, and where is it wrong?")
with page.errors_shown():
    page.context_line(settings)
    tree = trees.pruned(settings)
    in_hand.say(settings, tree, "Judged")
    show_all(settings, tree)
