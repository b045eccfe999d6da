"""Predictions of two trees against each other, the rows of a cell, and a row's decision paths."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

import explorer as ex
from explorer.drawing.figures import data_figures
from explorer.evaluation.comparison.agreement import QUANTILES
from explorer.formatting import percent, with_percent_sign
from explorer.messages import message, plural
from pages.compare import side_by_side
from pages.results import trees
from pages.results.comparing import compared, comparison
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
            message("Evaluated on"),
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
        st.markdown(_same_text(letters, n_rows))
    else:
        st.markdown(
            plural(
                len(agreement.differ),
                "Same prediction: **{share}**. **{n:,}** of {rows:,} rows is predicted differently: {first} is "
                "right for {only_first:,}, {second} for {only_second:,}, neither for {neither:,}.",
                "Same prediction: **{share}**. **{n:,}** of {rows:,} rows are predicted differently: {first} is "
                "right for {only_first:,}, {second} for {only_second:,}, neither for {neither:,}.",
                share=percent(agreement.share),
                rows=n_rows,
                first=first,
                second=second,
                only_first=only_first,
                only_second=only_second,
                neither=neither,
            )
        )
    cell_matrix = _cell_matrix(agreement, letters)
    cell = cell_matrix.known(settings.compare.cell)
    with st.container(width="content", key="matrix"):
        matrix.show(cell_matrix, cell, _cell_selected)
    if len(agreement.differ) == 0 and cell is None:
        return agreement.differ
    matrix.pick_cell(cell_matrix, cell, _cell_selected)
    return agreement.differ if cell is None else agreement.rows(*cell)


def _same_text(letters: tuple[str, str], n_rows: int) -> str:
    return plural(
        n_rows,
        "{first} and {second} predict the same for the one row.",
        "{first} and {second} predict the same for all {n:,} rows.",
        first=letters[0],
        second=letters[1],
    )


def _cell_matrix(agreement: ex.Agreement, letters: tuple[str, str]) -> matrix.CellMatrix:
    """The predictions of the first tree (lines) against those of the second (columns)."""
    return matrix.CellMatrix(
        classes=agreement.classes,
        counts=agreement.counts,
        titles=letters,
        cells=agreement.differing_cells,
        words=lambda own, other: message(
            "{first} predicts {own}, {second} predicts {other}",
            first=letters[0],
            own=own,
            second=letters[1],
            other=other,
        ),
        everything=message("All rows with different predictions ({count:,})", count=len(agreement.differ)),
        tinted=message("the same prediction"),
    )


def _cell_selected(cell: matrix.Cell | None) -> None:
    side_by_side.keep_compare_changes(cell=cell, row=None)


def _show_numbers(differences: ex.PredictionDifferences, letters: tuple[str, str], target: str) -> np.ndarray:
    """How far the predictions differ; gives the rows with two predictions."""
    first, second = letters
    n_rows = len(differences.truth)
    if len(differences.differ) == 0:
        st.markdown(_same_text(letters, n_rows))
        return differences.differ
    st.markdown(
        message(
            "The median difference between the two predictions of {target} is **{typical}** ({rows:,} rows); one row "
            "in ten differs by more than **{far}**. Rows with the same prediction: {same:,}.",
            target=escape_markdown(target),
            typical=number(differences.typical, 3),
            rows=n_rows,
            far=number(differences.far, 3),
            same=n_rows - len(differences.differ),
        )
    )
    title = message("prediction of {second} minus prediction of {first}", first=first, second=second)
    figure = data_figures.histogram(differences.differences, title, page_frame.colours())
    st.plotly_chart(figure, key="apart", config=page_frame.STILL)
    shares = [with_percent_sign(f"{100 * share:.0f}") for share in QUANTILES[1:-1]]
    names = [message("least"), *shares, message("largest")]
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
    *predicted, truth = _titles(pair)
    is_number = isinstance(predictions, ex.PredictionDifferences)
    columns = row_table.numbers_of(truth, predicted) if is_number else {}
    with st.container(key="differ"):
        frame = row_table.frame_of(rows, visible_rows, _facts(predictions, visible_rows, pair))
        chosen = row_table.choose(frame, key, row, _row_selected, columns)
    if len(visible_rows) < len(shown):
        st.caption(message("The first {shown:,} of {count:,} rows.", shown=len(visible_rows), count=len(shown)))
    if chosen is not None:
        _show_decision_paths(settings, rows.take([int(visible_rows[chosen])]))
    else:
        st.caption(message("Select a row to see its decision path in each tree."))


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
    predicts = [message("{letter} predicts", letter=SIDES[slot]) for slot in pair]
    return [*predicts, message("truth")]


def _row_selected(row: int | None) -> None:
    """A row was chosen: keep it, and select its leaf in every tree, which highlights its path there."""
    side_by_side.keep_compare_changes(row=row)
    if row is None:
        return
    settings = session.read()
    rows = row_table.numbered(comparison.compared_rows(settings)[1], row)
    side_by_side.choose_nodes(
        {slot: int(compared.tree(settings, slot).apply(rows)[0]) for slot in comparison.grown_slots(settings)}
    )


def _show_decision_paths(settings: Settings, row: ex.Dataset) -> None:
    """A row's decision path in words, tree by tree."""
    st.markdown(message("**Decision paths of row {row:,}**, highlighted in the trees", row=int(row.row_numbers[0]) + 1))
    for slot in comparison.grown_slots(settings):
        tree = compared.tree(settings, slot)
        path = row_table.decision_path(tree, row)[1]
        st.markdown(message("{letter}, {algorithm}: {path}", letter=SIDES[slot], algorithm=tree.recipe.name, path=path))
