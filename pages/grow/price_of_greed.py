"""For every candidate of a node how good the tree below it can become, and where greed was paid."""

from __future__ import annotations

import pandas as pd
import streamlit as st

import explorer as ex
from explorer.messages import listing, message
from pages.grow import candidates_table, split_by_hand
from pages.grow.of_columns import column_widths
from pages.results import jobs, pruned_tree, trees
from pages.results.many_trees import greed
from pages.settings import session
from pages.settings.settings import Settings, changed
from pages.text import escape_markdown, number, readable
from pages.widgets import job_button, page_frame, tables
from pages.widgets.controls import feed
from pages.widgets.tree_view import Mark

_BOX, _DEPTH = "greed.box", "greed.depth.choice"
_AMOUNTS = ["best below", "greedy below"]
_ROOM, _WIDTHS = 160, (88, 62)
"""Pixels for a test and for the amounts, in the inspector of a small window."""


def toggle() -> None:
    """Turns the part on and off."""
    st.toggle(
        message("Best below"),
        key=feed(_BOX, bool(st.session_state.get(greed.IS_ASKED))),
        on_change=_keep,
        args=(greed.IS_ASKED, _BOX),
        help=message("How good the best tree after each candidate is, beside what greedy growth makes of it: proven."),
    )


def _keep(name: str, widget: str) -> None:
    st.session_state[name] = st.session_state[widget]


def show(settings: Settings, node: int) -> None:
    """The depth, and the result or how far the search is; nothing until it is asked for."""
    if not st.session_state.get(greed.IS_ASKED):
        return
    st.segmented_control(
        message("Levels of splits below this node, at most"),
        greed.DEPTHS,
        key=feed(_DEPTH, greed.depth()),
        on_change=_keep,
        args=(greed.DEPTH, _DEPTH),
        required=True,
    )
    tree = trees.grown(settings).tree
    problem = greed.refusal(settings, tree.recipe)
    if problem and not greed.refusal(settings, tree.recipe.replace(missing="drop")):
        st.markdown(message("The search needs a value in every cell of the columns in use."))
        if st.button(message("Leave out rows with missing cells"), key="greed.drop"):
            growing = trees.explicit(settings, "grow").with_change("missing", "drop").consistent(tree.recipe)
            session.keep(changed(settings, grow=growing))
            st.rerun()
        return
    if problem:
        page_frame.show_notice("info", problem)
        return
    key = greed.key(settings, node)
    if jobs.pool().look(jobs.session(), key) is None:
        greed.submit(settings, node)
    price = job_button.outcome(
        jobs.pool().look(jobs.session(), key), key, (message("Percent proven:"), 100), "greed.stop"
    )
    if isinstance(price, ex.PriceOfGreed):
        _result(settings, tree, node, price)


def marks(settings: Settings) -> list[Mark]:
    """A sign at every node at which greed was paid, below the selected one."""
    node = pruned_tree.selected_node(settings, "grow") or 0
    return [Mark(at, "greed", text) for at, text in greed.signs(settings, node).items()]


def _result(settings: Settings, tree: ex.Tree, node: int, price: ex.PriceOfGreed) -> None:
    st.markdown(_sentence(tree, price))
    decision = trees.decision(settings, node)
    found = {candidate: price.of_feature(candidate.feature) for candidate in candidates_table.ranked(decision)}
    lines = [
        {
            "feature": candidate.feature,
            "split": candidates_table.split_text(candidate),
            "best below": _interval(below.lower, below.upper),
            "greedy below": _interval(below.greedy, below.greedy),
        }
        for candidate, below in found.items()
        if below is not None and below.candidate.condition == candidate.condition
    ]
    frame = pd.DataFrame(lines, columns=["feature", "split", *_AMOUNTS])
    frame = frame.assign(split=column_widths.whole_tests(frame)).drop(columns="feature")
    is_own = [decision.chosen is not None and place == 0 for place in range(len(frame))]
    widths = {"split": _ROOM, **dict(zip(_AMOUNTS, _WIDTHS, strict=True))}
    tables.numbers_table(frame, is_own, "greed.table", widths=widths, right=_AMOUNTS)
    if price.paid:
        places = listing(
            message("node {node} ({loss})", node=at, loss=greed.loss_text(paid, tree))
            for at, paid in sorted(price.paid.items(), key=lambda item: -item[1])
        )
        st.markdown(message("Paid at {places}.", places=places))
    if price.best is not None and price.upper < price.loss and node in price.paid:
        label = message("Split by {test}", test=escape_markdown(readable(price.best.text)))
        if st.button(label, key="greed.take"):
            split_by_hand.take(settings, settings.choices.force(tree.place(node), price.best))
            st.rerun()


def _sentence(tree: ex.Tree, price: ex.PriceOfGreed) -> str:
    """What greedy growth loses within the depth, and what is proven of the best tree."""
    fields = {
        "what": _what(tree),
        "depth": price.depth,
        "greedy": greed.loss_text(price.loss, tree),
        "best": greed.loss_text(price.upper, tree),
        "lower": greed.loss_text(price.lower, tree),
    }
    if not price.is_proven:
        return message(
            "{what} within depth {depth}: {greedy} by greedy growth, {best} by the best tree found; no tree has less "
            "than {lower}. The search ended before more was proven.",
            **fields,
        )
    if price.upper >= price.loss:
        return message(
            "{what} within depth {depth}: {greedy}. No tree has less (proven): greed cost nothing.", **fields
        )
    return message(
        "{what} within depth {depth}: **{greedy}** by greedy growth, **{best}** by the best tree (proven).", **fields
    )


def _what(tree: ex.Tree) -> str:
    if tree.is_regression:
        return message("Squared errors")
    is_cost = tree.recipe.costs is not None or tree.recipe.class_weights is not None
    return message("Cost of errors") if is_cost else message("Misclassified")


def _interval(lower: float, upper: float) -> str:
    """One number where it is known, else between which two it lies."""
    low, high = (number(round(value, 9)) for value in (lower, upper))
    return high if lower >= upper else f"{low}–{high}"
