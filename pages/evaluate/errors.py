"""Which rows are misclassified: the confusion matrix, or the largest errors, and their rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

import explorer as ex
from explorer.evaluation.evaluation import Positions, RowPredictions
from explorer.explaining.predict_table import Predictor
from explorer.messages import message
from pages.results import evaluation, opened_tree, pruned_tree
from pages.settings import session
from pages.settings.settings import Settings, changed
from pages.widgets import matrix, row_table, tree_panels
from pages.widgets.matrix import Cell, CellMatrix
from pages.widgets.row_table import SHOWN_ROWS


def confusion_cells(result: ex.Evaluation, predictions: RowPredictions) -> CellMatrix:
    """The confusion matrix as something to pick rows in."""
    return CellMatrix(
        classes=result.labels,
        counts=result.confusion,
        titles=(message("true"), message("predicted")),
        cells=result.mistakes,
        words=lambda true, predicted: message("{true}, predicted as {predicted}", true=true, predicted=predicted),
        everything=message("All misclassified rows ({n:,})", n=len(predictions.worst)),
        tinted=message("correct predictions"),
    )


def _cell_selected(cell: Cell | None) -> None:
    """A cell was selected, or cleared."""
    evaluation.keep_changes(cell=cell, row=None)


def show_rows(settings: Settings, rows: ex.Dataset, predictions: RowPredictions, shown: Positions) -> None:
    """The selected rows with truth and prediction; a row chosen shows its decision path, where one tree predicts it."""
    if not len(shown):
        st.markdown(message("No row is misclassified."))
        return
    has_paths = evaluation.chosen(settings) != "held_out"
    visible_rows = shown[:SHOWN_ROWS]
    key = f"misclassified.{settings.evaluate.cell}.{settings.evaluate.row}"
    row, on_row = (settings.evaluate.row, _row_selected) if has_paths else (None, None)
    with st.container(key="misclassified"):
        chosen = row_table.choose(
            frame(rows, predictions, visible_rows, evaluation.evaluated_tree(settings)),
            key,
            row,
            on_row,
            number_columns(),
        )
    if len(visible_rows) < len(shown):
        st.caption(message("The first {shown:,} of {n:,} rows.", shown=len(visible_rows), n=len(shown)))
    if chosen is not None:
        _show_decision_path(settings, rows.take([int(visible_rows[chosen])]))
    elif has_paths:
        st.caption(message("Choose a row to see its decision path on the tree."))
    else:
        st.caption(message("Many trees predict these rows, so they have no path on this tree."))


def _numbers() -> tuple[str, str, str]:
    """The headings of what is known of a row with a numeric target."""
    return message("true value"), message("predicted"), message("error")


def frame(rows: ex.Dataset, predictions: RowPredictions, shown: Positions, tree: Predictor) -> pd.DataFrame:
    """Row number, truth and prediction (for numbers also the error), then the features, those tested first."""
    facts: dict[str, object]
    if predictions.labels:
        named = np.array([str(name) for name in predictions.labels], dtype=object)
        codes = (codes[shown].astype(np.intp) for codes in (predictions.truth, predictions.predictions))
        headings = message("true class"), message("predicted")
        facts = dict(zip(headings, (named[codes] for codes in codes), strict=True))
    else:
        numbers = (predictions.truth, predictions.predictions, predictions.residuals)
        facts = {name: values[shown] for name, values in zip(_numbers(), numbers, strict=True)}
    tested = {tree.features[position].name for position in tree.tested_features()}
    return row_table.frame_of(rows, shown, facts, tested)


def number_columns() -> dict[str, Any]:
    """How truth, prediction and error of numbers are written."""
    truth, *rounded = _numbers()
    return row_table.numbers_of(truth, rounded)


def _row_selected(row: int | None) -> None:
    """A row was chosen: keep it, and select its leaf, which highlights its path on the other pages too."""
    evaluation.keep_changes(row=row)
    if row is None:
        return
    settings = session.read()
    rows = row_table.numbered(evaluation.rows(settings), row)
    tree_panels.take_node("grow", int(pruned_tree.pruned(settings).apply(rows)[0]))


def _show_decision_path(settings: Settings, row: ex.Dataset) -> None:
    """A row's decision path in words, and a link to its leaf."""
    node, words = row_table.decision_path(evaluation.evaluated_tree(settings), row)
    number = int(row.row_numbers[0]) + 1
    st.markdown(message("**Decision path of row {number:,}**: {words}", number=number, words=words))
    offer_tree(evaluation.evaluated_tree(settings), node)


def offer_tree(tree: ex.Tree, node: int) -> None:
    """The way to the page that draws this tree with the node selected: Prune where branches are cut from it."""
    icon = ":material/account_tree:"
    if opened_tree.now() is not None or not tree.is_pruned.any():
        label = message("Open node {node} on the Grow page", node=node)
        st.page_link("pages/grow/page.py", label=label, icon=icon)
        return
    label = message("Open node {node} on the Prune page", node=node)
    if st.button(label, key="open_pruned", icon=icon, type="tertiary"):
        session.keep(changed(session.read(), pruning="slide"))
        st.switch_page("pages/prune/page.py")


def show_matrix(settings: Settings, table: CellMatrix) -> None:
    """The confusion matrix; a cell selected in it is kept in the settings."""
    with st.container(key="confusion"):
        matrix.show(table, table.known(settings.evaluate.cell), _cell_selected)


def pick_rows(settings: Settings, table: CellMatrix, predictions: RowPredictions) -> Positions:
    """The same choice by words; gives the rows selected."""
    cell = table.known(settings.evaluate.cell)
    matrix.pick_cell(table, cell, _cell_selected)
    return predictions.worst if cell is None else predictions.rows(*cell)
