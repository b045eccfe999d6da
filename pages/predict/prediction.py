"""The prediction for the row: its probabilities, its reason, its decision path, and the true value."""

from __future__ import annotations

import pandas as pd
import streamlit as st

import explorer as ex
from explorer.data.values import Value
from explorer.drawing.figures.data_figures import prediction_bars
from explorer.explaining import Visit
from explorer.formatting import amount, leaves, number_text, percent, visible
from pages.results import prediction, pruned_tree, tree_size, trees
from pages.results.prediction import FilledForm
from pages.settings import session
from pages.settings.settings import Settings
from pages.text import escape_markdown, value_text
from pages.widgets import page_frame, tree_panels
from pages.widgets.controls import feed

_TREES = {False: "As pruned", True: "Full tree"}
_NOTE = 530
"""Pixels for why a row goes down every branch: more than a table gives a column by itself."""
_BARS = 460
"""Pixels for the shares of the classes, which go under a long prediction where there is no room beside it."""


def which_tree(settings: Settings) -> None:
    """Which tree predicts; where the Prune page has pruned it, a switch to the full one."""
    full, pruned = trees.grown(settings).tree, pruned_tree.pruned(settings)
    if pruned.n_leaves == full.n_leaves:
        st.markdown(f"The full tree of {leaves(full.n_leaves)} answers: nothing is pruned on the Prune page.")
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.segmented_control(
            "Tree",
            list(_TREES),
            key=feed("ask.tree", settings.predict.is_full),
            format_func=lambda is_full: _TREES[is_full],
            required=True,
            label_visibility="collapsed",
            on_change=_tree_changed,
            width="content",
        )
        if settings.predict.is_full:
            st.markdown(f"The full tree of {leaves(full.n_leaves)} answers, as if nothing were pruned.")
        else:
            words = escape_markdown(tree_size.tree_words(settings, pruned))
            st.markdown(f"From the Prune page: {words} answers (the full tree has {full.n_leaves:,}).")


def _tree_changed() -> None:
    prediction.take(session.read().predict.with_full_tree(st.session_state["ask.tree"]))


def show(settings: Settings, form: FilledForm) -> None:
    """The prediction with its bars and its reason, and the tree with the row's path highlighted."""
    path = form.path
    _prediction(settings, form, path)
    st.markdown(escape_markdown(visible(path.sentence)))
    _truth(settings, form, path.prediction)
    tree_panels.show_pruned(settings, "predict", form.tree, [(visit.node, visit.part) for visit in path.visits])


def _prediction(settings: Settings, form: FilledForm, path: ex.RowPath) -> None:
    """The prediction in large type; beside it the class probabilities, or the range of the training values."""
    tree = form.tree
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        st.metric(escape_markdown(visible(tree.target)), escape_markdown(value_text(path.prediction)), width="content")
        if tree.is_regression:
            low, high = float(form.train.target.values[0]), float(form.train.target.values[-1])
            st.caption(f"Values in the table go from {number_text(low, 6)} to {number_text(high, 6)}.")
            return
        shares = tree.predict_proba(form.row)[0]
        colours = page_frame.colours()
        with st.container(width=_BARS):
            st.plotly_chart(prediction_bars(tree.classes, shares, colours), key="answer.bars", config=page_frame.STILL)


def _truth(settings: Settings, form: FilledForm, predicted: Value) -> None:
    """What the table says of the row that the form began with."""
    if form.start is None:
        return
    rows = {"valid": "a validation row", "train": "a training row"}[form.start.row_set]
    text = f"Row {form.start.number:,}, {rows}, has the true answer **{escape_markdown(value_text(form.start.truth))}**"
    if settings.predict.cells:
        st.markdown(f"{text} as it stands in the table, without your changes.")
    elif form.tree.is_regression:
        st.markdown(f"{text}.")
    else:
        verdict = "right" if predicted == form.start.truth else "wrong"
        st.markdown(f"{text}: the tree is {verdict}.")


def show_steps(form: FilledForm) -> None:
    """The decision path test by test, with the prediction at each node."""
    path = form.path
    in_parts = len(path.ends) > 1
    lines = [_step(visit, in_parts) for visit in path.visits]
    frame = pd.DataFrame(lines)
    with st.expander("Its way, test by test", icon=":material/route:"):
        empty = [name for name in ("note", "share there") if (frame[name] == "").all()]
        wide = {"note": st.column_config.Column(width=_NOTE)} if in_parts else {}
        st.dataframe(frame.drop(columns=empty), hide_index=True, key="way", column_config=wide)


def _step(visit: Visit, in_parts: bool) -> dict[str, object]:
    """One line of the table; ends are marked where the row has several."""
    reached = visible(visit.reached or "all rows")
    line: dict[str, object] = {"node": visit.node, "reached by": reached, "note": visible(visit.remark)}
    if in_parts:
        line |= {"part": percent(visit.part), "ends": "✓" if visit.ends else ""}
    return line | {
        "answer there": value_text(visit.prediction),
        "share there": "" if visit.share is None else percent(visit.share),
        "training rows": amount(visit.weight),
    }
