"""Who predicts what: the predictions of two trees against each other, the rows of a cell, and a row's paths."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

import explorer as ex
from explorer.drawing.figures import data_figures
from explorer.evaluation.comparison.agreement import QUANTILES
from explorer.formatting import percent
from pages.compare import side_by_side
from pages.results import comparison, trees
from pages.settings import session
from pages.settings.labels import ROW_SETS
from pages.settings.page_settings import SIDES
from pages.settings.settings import Settings
from pages.text import escape_markdown, number
from pages.widgets import matrix, page_frame, row_table, tables
from pages.widgets.controls import feed


def show(settings: Settings, pair: tuple[str, str]) -> None:
    """The rows compared, how far the pair agrees, and the rows on which it does not."""
    which, rows = comparison.compared_rows(settings)
    if trees.parts(settings).valid is not None:
        st.segmented_control(
            "Rows",
            list(ROW_SETS),
            key=feed("judged", which),
            format_func=lambda name: ROW_SETS[name],
            required=True,
            on_change=_rows_changed,
        )
    predictions = comparison.agreement(settings, pair)
    first, second = (SIDES[slot] for slot in pair)
    if isinstance(predictions, ex.Agreement):
        shown = _show_classes(settings, predictions, (first, second))
    else:
        shown = _show_numbers(predictions, (first, second), trees.data(settings).target.name)
    if len(shown):
        _show_rows(settings, pair, rows, predictions, shown)


def _rows_changed() -> None:
    side_by_side.keep_compare_changes(rows=st.session_state["judged"], cell=None, row=None)


def _show_classes(settings: Settings, agreement: ex.Agreement, letters: tuple[str, str]) -> np.ndarray:
    """The matrix of predictions; gives the rows selected in it."""
    first, second = letters
    only_first, only_second, neither = agreement.right(agreement.differ)
    n_rows = len(agreement.truth)
    if len(agreement.differ) == 0:
        st.markdown(f"{first} and {second} give the same answer to every one of the {n_rows:,} rows.")
    else:
        st.markdown(
            f"The same answer for **{percent(agreement.share)}**; **{len(agreement.differ):,}** of {n_rows:,} rows "
            f"get two: {first} is right "
            f"in {only_first:,} of these, {second} in {only_second:,}, neither in {neither:,}."
        )
    st.space("small")
    cell_matrix = _cell_matrix(agreement, letters)
    cell = cell_matrix.known(settings.compare.cell)
    with st.container(width="content", key="matrix"):
        matrix.show(cell_matrix, cell, _cell_selected)
    if len(agreement.differ) == 0 and cell is None:
        return agreement.differ
    matrix.pick_cell(cell_matrix, cell, _cell_selected)
    return agreement.differ if cell is None else agreement.rows(*cell)


def _cell_matrix(agreement: ex.Agreement, letters: tuple[str, str]) -> matrix.CellMatrix:
    """The predictions of the first tree (lines) against those of the second (columns)."""
    return matrix.CellMatrix(
        classes=agreement.classes,
        counts=agreement.counts,
        titles=letters,
        cells=agreement.differing_cells,
        words=lambda own, other: f"{letters[0]} says {own}, {letters[1]} says {other}",
        everything=f"All rows with two answers ({len(agreement.differ):,})",
        tinted="the same answer",
    )


def _cell_selected(cell: matrix.Cell | None) -> None:
    side_by_side.keep_compare_changes(cell=cell, row=None)


def _show_numbers(differences: ex.PredictionDifferences, letters: tuple[str, str], target: str) -> np.ndarray:
    """How far the predictions differ; gives the rows with two predictions."""
    first, second = letters
    n_rows = len(differences.truth)
    if len(differences.differ) == 0:
        st.markdown(f"{first} and {second} predict the same for every one of the {n_rows:,} rows.")
        return differences.differ
    st.markdown(
        f"The two predictions of {escape_markdown(target)} typically lie **{number(differences.typical, 3)}** apart "
        f"(the median of {n_rows:,} rows), for one row in ten more than **{number(differences.far, 3)}**; "
        f"{n_rows - len(differences.differ):,} rows get the same from both."
    )
    title = f"prediction of {second} less that of {first}"
    st.plotly_chart(
        data_figures.histogram(differences.differences, title, page_frame.colours()),
        key="apart",
        config=page_frame.STILL,
    )
    names = ["least", *(f"{share:.0%}".replace("%", " %") for share in QUANTILES[1:-1]), "largest"]
    line = pd.DataFrame([dict(zip(names, differences.quantiles.tolist(), strict=True))])
    tables.numbers_table(line, [False], key="apart.quantiles")
    return differences.differ


def _show_rows(
    settings: Settings,
    pair: tuple[str, str],
    rows: ex.Dataset,
    predictions: comparison.PairPredictions,
    shown: np.ndarray,
) -> None:
    """The selected rows with both predictions and the truth; a row chosen shows its path in every tree."""
    visible_rows = shown[: row_table.SHOWN_ROWS]
    row = settings.compare.row
    key = f"differ.{settings.compare.cell}.{settings.compare.pair}.{row}"
    columns = row_table.numbers_of(_titles(pair)) if isinstance(predictions, ex.PredictionDifferences) else {}
    with st.container(key="differ"):
        frame = row_table.frame_of(rows, visible_rows, _facts(predictions, visible_rows, pair))
        chosen = row_table.choose(frame, key, row, _row_selected, columns)
    if len(visible_rows) < len(shown):
        st.caption(f"The first {len(visible_rows):,} of {len(shown):,} rows.")
    if chosen is not None:
        _show_decision_paths(settings, rows.take([int(visible_rows[chosen])]))
    else:
        st.caption("Choose a row to see its way down the trees.")


def _facts(
    predictions: comparison.PairPredictions, shown: np.ndarray, pair: tuple[str, str]
) -> dict[str, list[object]]:
    """Both predictions and the truth, by column name."""
    columns = predictions.predictions_a, predictions.predictions_b, predictions.truth
    if isinstance(predictions, ex.Agreement):
        class_names = [str(name) for name in predictions.classes]
        facts = [[class_names[code] for code in codes[shown]] for codes in columns]
    else:
        facts = [values[shown].tolist() for values in columns]
    return dict(zip(_titles(pair), facts, strict=True))


def _titles(pair: tuple[str, str]) -> list[str]:
    return [f"{SIDES[pair[0]]} says", f"{SIDES[pair[1]]} says", "truth"]


def _row_selected(row: int | None) -> None:
    """A row was chosen: keep it, and select its leaf in every tree, which highlights its path there."""
    side_by_side.keep_compare_changes(row=row)
    if row is None:
        return
    settings = session.read()
    rows = row_table.numbered(comparison.compared_rows(settings)[1], row)
    side_by_side.choose_nodes(
        {slot: int(trees.grown(settings, slot).tree.apply(rows)[0]) for slot in settings.compare.slots}
    )


def _show_decision_paths(settings: Settings, row: ex.Dataset) -> None:
    """A row's decision path in words, tree by tree."""
    st.markdown(f"**The way of row {int(row.row_numbers[0]) + 1:,}**, lit in the trees above")
    for slot in settings.compare.slots:
        tree = trees.grown(settings, slot).tree
        st.markdown(f"{SIDES[slot]}, {tree.recipe.name}: {row_table.decision_path(tree, row)[1]}")
