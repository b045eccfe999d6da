"""Greedy growth beside the best tree of the same size, on training rows and on held-out rows."""

from __future__ import annotations

import dataclasses

import numpy as np
import pandas as pd
import streamlit as st

import explorer as ex
from explorer.drawing.figures.score_figures import greedy_and_optimal_figure
from explorer.drawing.tree_view import colour_themes
from explorer.drawing.tree_view.payload import tree_payload
from explorer.evaluation.comparison.greedy_and_optimal import MOST_LEAVES, SizePair, held_out_sentence
from explorer.messages import current_catalogue, message, paragraph, plural
from explorer.recipe.parameters import DEPTH, LOCKED
from pages.compare import mode
from pages.compare.side_by_side import keep_compare_value
from pages.layout import bar, growing, shell
from pages.results import jobs, trees
from pages.results.cache import kept
from pages.results.class_colours import palette
from pages.settings import session, url
from pages.settings.settings import Settings
from pages.text import number, score_text
from pages.widgets import job_button, page_frame, tables, tree_panels, tree_view
from pages.widgets.controls import feed

_DEPTHS = (2, 3, 4)
_SECONDS = 20.0
"""A search for one size takes at most so long."""
_SIDES = ("greedy", "optimal")


def show(settings: Settings) -> None:
    """Both trees of a size, and the curves over all sizes, once the searches have ended."""
    growing.wait(settings, (growing.ROWS,))
    bar.show(settings)
    found = None
    with page_frame.errors_shown():
        mode.show(settings, _depth)
        page_frame.show_sample(settings)
        found = _result(settings)
    if found is not None:
        show_workbench()


def _depth() -> None:
    """Within how many splits trees are compared."""
    settings = session.read()
    st.segmented_control(
        message("Splits on a path, at most"),
        _DEPTHS,
        key=feed("optimal.depth", settings.compare.optimal_depth),
        format_func=lambda depth: plural(depth, "depth {n}", "depth {n}"),
        required=True,
        on_change=keep_compare_value,
        args=("optimal_depth", "optimal.depth"),
        label_visibility="collapsed",
        width="content",
    )


def _key(settings: Settings) -> str:
    parts, recipe = trees.parts(settings), trees.recipe(settings)
    valid = parts.valid.fingerprint if parts.valid is not None else ""
    return f"greedy and optimal {parts.train.fingerprint} {valid} {recipe} {settings.compare.optimal_depth}"


def _result(settings: Settings) -> ex.GreedyAndOptimal | None:
    """All sizes; before the search what it does, and while it runs its progress with a button that stops it."""
    if settings.connected:
        st.markdown(message("The search needs the rows in memory."))
        return None
    parts, recipe, depth = trees.parts(settings), trees.recipe(settings), settings.compare.optimal_depth
    key = _key(settings)

    def work(progress: jobs.Progress) -> object:
        return ex.greedy_and_optimal(parts.train, depth, recipe, parts.valid, _SECONDS, progress)

    most = min(2**depth, MOST_LEAVES)
    job = jobs.pool().look(jobs.session(), key)
    if job is None or job.state != "done":
        st.markdown(
            message(
                "For each number of leaves from 2 to {most}: the tree that greedy growth gives, split by split, beside "
                "the best tree of that size, by a search among all trees. The best tree has the least loss "
                "on the training rows.",
                most=most,
            )
        )
    found = job_button.run("optimal", message("Search the best trees"), (message("Size"), most - 1), key, work)
    return found if isinstance(found, ex.GreedyAndOptimal) else None


@st.fragment
def show_workbench() -> None:
    """The trees of the chosen size and the inspector: another size runs only this again."""
    settings = session.read()
    url.write()
    found = _result(settings)
    if found is None:
        st.rerun()
    pair = _pair(settings, found)
    with st.container(key="difference"):
        st.markdown(paragraph([_sentence(pair), message("Left greedy, right optimal."), _smaller(pair)]))
    stage, panel = shell.workbench()
    with stage, page_frame.errors_shown(), st.container(key="stages"):
        for side, tree in zip(_SIDES, (pair.best.greedy, pair.best.tree), strict=True):
            with st.container(key=f"tree_{side}"):
                _tree(settings, side, tree, pair.leaves)
    with panel, page_frame.errors_shown():
        _inspector(settings, found, pair)


def _pair(settings: Settings, found: ex.GreedyAndOptimal) -> SizePair:
    wanted = settings.compare.optimal_leaves
    return min(found.pairs, key=lambda pair: abs(pair.leaves - wanted))


def _tree(settings: Settings, side: str, tree: ex.Tree, size: int) -> None:
    nodes = st.session_state.setdefault(f"optimal.node.{side}", 0)
    node = nodes if nodes < tree.n_nodes_grown else 0
    tree_view.view(
        side,
        _payload(f"{_key(settings)} {size} {current_catalogue().language}", side, tree),
        tree_view.Shown(node),
        colour_themes(len(tree.classes), palette(settings)),
        lambda shown: st.session_state.update({f"optimal.node.{side}": max(shown.selected, 0)}),
        rule=tree_panels.rule(tree, node),
        **tree_panels.looks(settings, tree),
    )


@kept()
def _payload(key: str, side: str, _tree: ex.Tree) -> bytes:
    """A tree as the view reads it: nothing is marked as decided by hand, since the search has chosen it."""
    stop = np.where(_tree.stop == LOCKED, DEPTH, _tree.stop)
    return tree_payload(dataclasses.replace(_tree, forced=None, stop=stop))


def _sentence(pair: SizePair) -> str:
    """What greed costs at this size, on the rows that both trees learned from."""
    tree = pair.best.tree
    fields = {
        "what": message("Misclassified training rows") if _is_share(tree) else message("Loss per training row"),
        "leaves": pair.leaves,
        "greedy": _loss(pair.greedy_loss, tree),
        "best": _loss(pair.loss, tree),
        "lower": _loss(pair.lower_bound, tree),
    }
    if not pair.best.is_proven:
        return message(
            "{what} with {leaves} leaves: {greedy} by greedy growth, {best} by the best tree found; no tree has less "
            "than {lower}.",
            **fields,
        )
    if pair.loss >= pair.greedy_loss:
        return message(
            "{what} with {leaves} leaves: {greedy} by greedy growth, and no tree has less (proven).", **fields
        )
    return message(
        "{what} with {leaves} leaves: **{greedy}** by greedy growth, **{best}** by the best tree (proven).", **fields
    )


def _smaller(pair: SizePair) -> str:
    """That the greedy tree has fewer leaves than may be; "" where it has as many as the optimal one."""
    n = pair.best.greedy.n_leaves
    if n >= pair.best.tree.n_leaves:
        return ""
    return plural(
        n,
        "Greedy growth stays at {n} leaf: its next split would have more leaves than {leaves}, or gain nothing.",
        "Greedy growth stays at {n} leaves: its next split would have more leaves than {leaves}, or gain nothing.",
        leaves=pair.leaves,
    )


def _is_share(tree: ex.Tree) -> bool:
    """Whether losses are shares of rows: not where errors have costs, or classes weights."""
    return not tree.is_regression and tree.recipe.costs is None and tree.recipe.class_weights is None


def _loss(loss: float, tree: ex.Tree) -> str:
    return score_text(loss, False) if _is_share(tree) else number(loss)


def _inspector(settings: Settings, found: ex.GreedyAndOptimal, pair: SizePair) -> None:
    tree = pair.best.tree
    sizes = [each.leaves for each in found.pairs]
    if len(sizes) > 1:
        st.select_slider(
            message("Leaves"),
            sizes,
            key=feed("optimal.leaves", pair.leaves),
            on_change=keep_compare_value,
            args=("optimal_leaves", "optimal.leaves"),
        )
    is_share = _is_share(tree)
    st.markdown(held_out_sentence(pair, found.n_held_out, is_share))
    name = message("misclassified") if is_share else message("loss per row")
    figure = greedy_and_optimal_figure(found, pair.leaves, name, page_frame.colours())
    if is_share:
        figure.update_yaxes(tickformat=".0%")
    st.plotly_chart(figure, key="optimal.curves", config=page_frame.STILL)
    frame = pd.DataFrame([_line(each, tree) for each in found.pairs])
    is_chosen = [each is pair for each in found.pairs]
    tables.numbers_table(frame, is_chosen, "optimal.table", right=list(frame.columns[1:]))
    st.caption(message("Greedy → optimal."))
    if tree.recipe.min_rows_leaf > 1:
        st.caption(message("Leaves of at least {n} rows, as set on Grow.", n=f"{tree.recipe.min_rows_leaf:g}"))
    left_out = trees.parts(settings).train.n_rows - found.n_rows
    if left_out:
        st.caption(
            plural(left_out, "{n:,} row with missing cells is left out.", "{n:,} rows with missing cells are left out.")
        )


def _line(pair: SizePair, tree: ex.Tree) -> dict[str, object]:
    """The losses of one size; a bound where the best is not proven."""
    best = _loss(pair.loss, tree)
    if not pair.best.is_proven:
        best = f"{_loss(pair.lower_bound, tree)}–{best}"
    line: dict[str, object] = {"leaves": str(pair.leaves), "training rows": f"{_loss(pair.greedy_loss, tree)} → {best}"}
    if pair.held_out is not None and pair.greedy_held_out is not None:
        line["held-out rows"] = f"{_loss(pair.greedy_held_out, tree)} → {_loss(pair.held_out, tree)}"
    return line
