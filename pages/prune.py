"""Pruning: give every leaf a price α, and watch the tree and its scores."""

import streamlit as st

from explorer.draw import figures
from pages.parts import cached, page, price, tables, tree_picture
from pages.parts.state import Settings
from pages.parts.words import number, score_name, score_text


def show_scores(settings: Settings, now: int) -> None:
    """The current subtree in numbers."""
    path, curves = cached.path(settings), cached.curves(settings)
    regression, name = path.tree.is_regression, score_name(path.tree.is_regression)
    upper = number(path.alphas[now + 1]) if now + 1 < len(path.alphas) else "∞"
    shown = [
        ("α", number(path.alphas[now]), f"same tree up to {upper}"),
        ("Leaves", f"{path.n_leaves[now]:,}", f"of {path.n_leaves[0]:,} unpruned"),
        ("Training", score_text(curves.train[now], regression), name),
    ]
    if curves.valid is not None:
        label = "Validation" if curves.how == "validation" else "Leave-one-out"
        base = f"{name}; baseline {score_text(curves.baseline, regression)}"
        shown.append((label, score_text(curves.valid[now], regression), base))
    for column, (label, value, under) in zip(st.columns(len(shown)), shown, strict=True):
        with column.container(border=True):
            st.metric(label, value)
            st.caption(under)


def show_curves(settings: Settings, now: int) -> None:
    """Scores against α and against leaves."""
    path, curves = cached.path(settings), cached.curves(settings)
    scores = {"training": curves.train}
    if curves.valid is not None:
        scores[curves.how] = curves.valid
    marks = {"now": now} if curves.best is None else {"best": curves.best, "now": now}
    label = score_name(path.tree.is_regression)
    left, right = st.columns(2)
    by_alpha = figures.curve_by_alpha(path.alphas, scores, marks, curves.baseline, label, page.colours())
    by_leaves = figures.curve_by_leaves(path.n_leaves, scores, marks, curves.baseline, label, page.colours())
    left.plotly_chart(by_alpha, key="by_alpha", config=page.STILL)
    right.plotly_chart(by_leaves, key="by_leaves", config=page.STILL)
    if curves.valid is None:
        page.show_notice("info", "No rows are kept for validation. Choose a split on the Data page to see how α does.")


settings = page.start("Prune", "Every leaf costs α. The higher the price, the more subtrees collapse into leaves.")
with page.errors_shown():
    page.context_line(settings)
    with st.container(border=True):
        now = price.choose(settings)
    show_scores(settings, now)
    show_curves(settings, now)
    tree_picture.show(cached.path(settings).subtree(position=now))
    st.subheader("The sequence of subtrees", anchor=False)
    tables.sequence(
        cached.path(settings), cached.curves(settings), now, score_name(cached.data(settings).is_regression)
    )
