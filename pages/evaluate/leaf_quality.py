"""The calibration and the sizes of the leaves; a leaf chosen in a figure or by its words shows its rows."""

from __future__ import annotations

import plotly.graph_objects as go
import streamlit as st

import explorer as ex
from explorer.drawing.figures import score_figures
from explorer.drawing.figures.data_figures import count_text
from explorer.evaluation import leaf_calibration
from explorer.evaluation.evaluation import RowPredictions
from explorer.explaining import rule_words
from explorer.formatting import number, shortened, visible
from pages.evaluate import class_curves, errors
from pages.results import evaluation
from pages.settings.settings import Settings
from pages.text import escape_markdown, prediction_text
from pages.widgets import page_frame, tree_panels
from pages.widgets.controls import feed
from pages.widgets.row_table import SHOWN_ROWS

_LONGEST, _MOST_BARS, _MOST_NAMED = 40, 60, 2000
_NONE = -1
"""Stands for no leaf among those to choose from."""


def show(settings: Settings, tree: ex.Tree, code: int | None, predictions: RowPredictions) -> None:
    """Both pictures, and below them the leaf chosen; `code` is the class whose predicted probabilities are drawn."""
    calibration, sizes = evaluation.calibration(settings), leaf_calibration.leaf_sizes(tree)
    leaf = _chosen(settings, sizes, calibration)
    _pictures(settings, tree, code or 0, calibration, sizes, leaf)
    _choose(tree, sizes, leaf)
    if leaf is not None:
        _show_leaf(settings, tree, leaf, predictions)


def _chosen(settings: Settings, sizes: ex.LeafSizes, calibration: ex.LeafCalibration) -> int | None:
    """The node selected, if rows end there; a root with a test only where it was chosen on this page."""
    node = settings.node
    if node in sizes.nodes or (node in calibration.nodes and (node > 0 or settings.evaluate.at_root)):
        return node
    return None


def _take(node: int) -> None:
    """Choose a node where rows end, or none of them."""
    evaluation.keep_changes(at_root=node == 0)
    tree_panels.take_node("grow", max(node, 0))


def _pictures(
    settings: Settings,
    tree: ex.Tree,
    column: int,
    calibration: ex.LeafCalibration,
    sizes: ex.LeafSizes,
    leaf: int | None,
) -> None:
    """Calibration and sizes side by side."""
    look = class_curves.colours(settings)
    own = look.of_class_alone(column)
    what = "mean" if tree.is_regression else f"share of {tree.classes[column]}"
    labels = [] if tree.is_regression else tree.labels[sizes.nodes].tolist()
    dots = score_figures.calibration_figure(calibration, column, what, own, look, not tree.is_regression, leaf)
    bars = score_figures.leaf_size_figure(sizes, labels, tree.classes, look, _MOST_BARS, leaf)
    with st.container(horizontal=True, gap="medium"):
        _picture(f"calibration.{leaf}", "Calibration: promised and observed", dots)
        _picture(f"sizes.{leaf}", "Leaf sizes", bars)
    gap_value = float(calibration.gap[column])
    gap = number(gap_value, 4) if tree.is_regression else f"{number(100 * gap_value, 3)} percentage points"
    text = f"Each dot is a leaf, as large as it has rows. Over all rows promise and observation are {gap} apart."
    limit_text = "" if len(sizes.nodes) <= _MOST_BARS else f" The {_MOST_BARS} largest leaves are drawn as bars."
    st.caption(f"{text}{limit_text} Choose a dot or a bar to see the rows of its leaf.")


def _picture(key: str, title: str, figure: go.Figure) -> None:
    """A figure whose marks choose their leaf; its key has the leaf in it, so that a new choice begins anew."""
    with st.container(width=class_curves.HALF):
        st.markdown(f"**{title}**")
        st.plotly_chart(
            figure, key=key, config=page_frame.STILL, on_select=lambda: _mark_selected(key), selection_mode="points"
        )


def _mark_selected(key: str) -> None:
    """A dot or a bar was selected."""
    points = st.session_state[key].selection.points
    if points:
        _take(int(points[0]["customdata"][0]))


def _choose(tree: ex.Tree, sizes: ex.LeafSizes, leaf: int | None) -> None:
    """The same choice by words, the largest leaf first; also where rows stop at a node that has a test."""
    order = (-sizes.weight).argsort(kind="stable")[:_MOST_NAMED]
    nodes = sizes.nodes[order].tolist()
    nodes += [] if leaf is None or leaf in nodes else [leaf]
    names = {_NONE: "none", **{node: _name(tree, node) for node in nodes}}
    st.selectbox(
        "Leaf",
        list(names),
        key=feed("leaf", _NONE if leaf is None else leaf),
        format_func=lambda leaf_node: names[leaf_node],
        on_change=lambda: _take(st.session_state["leaf"]),
        width=460,
    )


def _name(tree: ex.Tree, node: int) -> str:
    """A leaf's number, prediction and size."""
    view = tree.node(node)
    predicted = shortened(visible(prediction_text(view, tree.is_regression)), _LONGEST)
    size = view.weight if tree.is_regression else float(tree.row_stats[node].sum())
    return f"node {node}: {predicted}, {count_text(float(size))} training rows"


def _show_leaf(settings: Settings, tree: ex.Tree, leaf: int, predictions: RowPredictions) -> None:
    """The leaf's rule, its rows among those in force, and a link to it on the Grow page."""
    rows, node = evaluation.rows(settings), tree.node(leaf)
    ending, ends, _ = tree.routes(rows)
    positions = ending[ends == leaf]
    predicted = escape_markdown(visible(prediction_text(node, tree.is_regression)))
    st.markdown(f"**Node {leaf}**: {escape_markdown(visible(rule_words(tree, leaf)))} → **{predicted}**")
    named = evaluation.choices(settings)[evaluation.chosen(settings)].lower()
    if len(positions):
        st.dataframe(
            errors.frame(rows, predictions, positions[:SHOWN_ROWS]),
            key="leaf.rows",
            placeholder="",
            hide_index=True,
            height="content" if len(positions) < 8 else 282,
            column_config=errors.number_columns(),
        )
    first = f" Here are the first {SHOWN_ROWS:,}." if len(positions) > SHOWN_ROWS else ""
    st.caption(f"{len(positions):,} of the {rows.n_rows:,} {named} end here.{first}")
    st.page_link("pages/grow/page.py", label="Open it on the Grow page", icon=":material/account_tree:")
