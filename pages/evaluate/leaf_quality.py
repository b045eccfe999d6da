"""Gains, calibration and sizes of the leaves; a leaf chosen there or by its name is ringed and shows its rows."""

from __future__ import annotations

import plotly.graph_objects as go
import streamlit as st

import explorer as ex
from explorer.drawing.figures import score_figures
from explorer.evaluation import leaf_calibration
from explorer.evaluation.evaluation import RowPredictions
from explorer.explaining import rule_words
from explorer.formatting import number, shortened, visible
from explorer.messages import message, plural
from pages.evaluate import class_curves, errors, gains_table
from pages.results import evaluation
from pages.settings.settings import Settings
from pages.text import escape_markdown, prediction_text, readable, score_text
from pages.widgets import formula, page_frame, tree_panels
from pages.widgets.controls import feed
from pages.widgets.row_table import SHOWN_ROWS

_LONGEST, _MOST_BARS, _MOST_NAMED = 40, 60, 2000
_NONE = -1
"""Stands for no leaf among those to choose from."""


def show(settings: Settings, tree: ex.Tree, code: int | None, predictions: RowPredictions) -> None:
    """Gains, both pictures, and the rows of the leaf chosen; `code` is the class whose probabilities are drawn."""
    sizes, leaf = leaf_calibration.leaf_sizes(tree), selected_leaf(settings, tree)
    gains_table.show(settings, tree, code or 0, leaf, _take)
    _pictures(settings, tree, code or 0, sizes, leaf)
    if leaf is not None:
        _show_leaf(settings, tree, leaf, predictions)


def selected_leaf(settings: Settings, tree: ex.Tree) -> int | None:
    """The node selected, if rows end there; a root with a split only where it was chosen on this page."""
    node = settings.node
    if node in leaf_calibration.leaf_sizes(tree).nodes:
        return node
    if node in evaluation.calibration(settings).nodes and (node > 0 or settings.evaluate.at_root):
        return node
    return None


def _take(node: int) -> None:
    """Choose a node where rows end, or none of them."""
    evaluation.keep_changes(at_root=node == 0)
    tree_panels.take_node("grow", max(node, 0))


def _pictures(settings: Settings, tree: ex.Tree, column: int, sizes: ex.LeafSizes, leaf: int | None) -> None:
    """Calibration and sizes."""
    calibration, colours = evaluation.calibration(settings), page_frame.colours()
    what = message("mean") if tree.is_regression else str(tree.classes[column])
    labels = [] if tree.is_regression else tree.labels[sizes.nodes].tolist()
    own, is_share = colours.of_class_alone(column), not tree.is_regression
    dots = score_figures.calibration_figure(calibration, column, what, own, colours, is_share, leaf)
    bars = score_figures.leaf_size_figure(sizes, labels, tree.classes, colours, _MOST_BARS, leaf)
    _picture(f"calibration.{leaf}", message("**Calibration**: predicted and observed"), dots)
    st.caption(_gap_text(tree, float(calibration.gap[column])))
    sized = message("**Leaf sizes**: training rows")
    if not tree.counts_rows:
        sized = message("**Leaf sizes**: weight of the training rows")
    _picture(f"sizes.{leaf}", sized, bars)
    if len(sizes.nodes) > _MOST_BARS:
        st.caption(message("The {n} largest leaves are drawn.", n=_MOST_BARS))


def _gap_text(tree: ex.Tree, gap: float) -> str:
    return message(
        "Each dot is a leaf; its area shows its {amount}. Mean distance from the diagonal: {gap}. Choose a dot or a "
        "bar to see the leaf on the tree and its rows.",
        amount=tree.amount_name,
        gap=number(gap, 4) if tree.is_regression else score_text(gap, False),
    )


def _picture(key: str, title: str, figure: go.Figure) -> None:
    """A figure whose marks choose their leaf; its key has the leaf in it, so that a new choice begins anew."""
    st.markdown(title)
    st.plotly_chart(
        class_curves.low(figure),
        key=key,
        config=page_frame.STILL,
        on_select=lambda: _mark_selected(key),
        selection_mode="points",
    )


def _mark_selected(key: str) -> None:
    """A dot or a bar was selected."""
    points = st.session_state[key].selection.points
    if points:
        _take(int(points[0]["customdata"][0]))


def choose_leaf(settings: Settings, tree: ex.Tree) -> None:
    """The leaves by name, the largest first; also where rows stop at a node that has a split."""
    sizes, leaf = leaf_calibration.leaf_sizes(tree), selected_leaf(settings, tree)
    order = (-sizes.weight).argsort(kind="stable")[:_MOST_NAMED]
    nodes = sizes.nodes[order].tolist()
    nodes += [] if leaf is None or leaf in nodes else [leaf]
    names = {_NONE: message("none"), **{node: _name(tree, node) for node in nodes}}
    st.selectbox(
        message("Leaf"),
        list(names),
        key=feed("leaf", _NONE if leaf is None else leaf),
        format_func=lambda leaf_node: names[leaf_node],
        on_change=lambda: _take(st.session_state["leaf"]),
    )


def _name(tree: ex.Tree, node: int) -> str:
    """A leaf's number, prediction and size."""
    view = tree.node(node)
    predicted = shortened(visible(prediction_text(view, tree.is_regression)), _LONGEST)
    size = float(view.weight if tree.is_regression else tree.row_stats[node].sum())
    rows = tree.rows_text(size)
    return message("node {node}: {prediction}, {rows}", node=node, prediction=predicted, rows=rows)


def _show_leaf(settings: Settings, tree: ex.Tree, leaf: int, predictions: RowPredictions) -> None:
    """The leaf's rule, its rows among those in force, and the way to it on the page of its tree."""
    rows, node = evaluation.rows(settings), tree.node(leaf)
    ending, ends, _ = tree.routes(rows)
    positions = ending[ends == leaf]
    rule = {
        "node": leaf,
        "conditions": escape_markdown(readable(rule_words(tree, leaf))),
        "prediction": escape_markdown(visible(prediction_text(node, tree.is_regression))),
    }
    st.markdown(message("**Node {node}**: {conditions} → **{prediction}**", **rule))
    if not tree.is_regression:
        formula.show_fraction(tree, leaf, int(tree.labels[leaf]), "leaf")
    if len(positions):
        st.dataframe(
            errors.frame(rows, predictions, positions[:SHOWN_ROWS], tree),
            key="leaf.rows",
            placeholder="",
            hide_index=True,
            height="content" if len(positions) < 8 else 282,
            column_config=errors.number_columns(),
        )
    st.caption(_count_text(settings, len(positions), rows.n_rows))
    errors.offer_tree(tree, leaf)


def _count_text(settings: Settings, n: int, total: int) -> str:
    """How many of the rows in force end at the leaf."""
    fields = {"n": n, "total": total, "shown": SHOWN_ROWS}
    is_cut = n > SHOWN_ROWS
    if evaluation.chosen(settings) == "valid":
        if is_cut:
            return message(
                "{n:,} of the {total:,} validation rows end here, of which the first {shown:,} are shown.", **fields
            )
        return plural(
            n,
            "{n:,} of the {total:,} validation rows ends here.",
            "{n:,} of the {total:,} validation rows end here.",
            total=total,
        )
    if is_cut:
        return message(
            "{n:,} of the {total:,} training rows end here, of which the first {shown:,} are shown.", **fields
        )
    return plural(
        n,
        "{n:,} of the {total:,} training rows ends here.",
        "{n:,} of the {total:,} training rows end here.",
        total=total,
    )
