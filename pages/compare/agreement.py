"""Who predicts what: the answers of two trees against each other, the rows behind a cell, and one row's way."""

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
from pages.widgets import matrix, page, row_table, tables
from pages.widgets.controls import feed


def show(settings: Settings, pair: tuple[str, str]) -> None:
    """The rows judged, how far the pair agrees, and the rows on which it does not."""
    which, rows = comparison.judged_rows(settings)
    if trees.parts(settings).valid is not None:
        st.segmented_control(
            "Rows",
            list(ROW_SETS),
            key=feed("judged", which),
            format_func=lambda one: ROW_SETS[one],
            required=True,
            on_change=_judged_taken,
        )
    found = comparison.agreement(settings, pair)
    first, second = (SIDES[slot] for slot in pair)
    if isinstance(found, ex.Agreement):
        shown = _show_classes(settings, found, (first, second))
    else:
        shown = _show_numbers(found, (first, second), trees.data(settings).target.name)
    if len(shown):
        _show_rows(settings, pair, rows, found, shown)


def _judged_taken() -> None:
    side_by_side.compare_changed(rows=st.session_state["judged"], cell=None, row=None)


def _show_classes(settings: Settings, found: ex.Agreement, letters: tuple[str, str]) -> np.ndarray:
    """The matrix of answers; gives the rows picked in it."""
    first, second = letters
    only_first, only_second, neither = found.right(found.differ)
    n_rows = len(found.truth)
    if len(found.differ) == 0:
        st.markdown(f"{first} and {second} give the same answer to every one of the {n_rows:,} rows.")
    else:
        st.markdown(
            f"The same answer for **{percent(found.share)}**; **{len(found.differ):,}** of {n_rows:,} rows get two: "
            f"{first} is right in {only_first:,} of these, {second} in {only_second:,}, neither in {neither:,}."
        )
    st.space("small")
    crossed = _crossed(found, letters)
    cell = crossed.known(settings.compare.cell)
    with st.container(width="content", key="matrix"):
        matrix.show(crossed, cell, _cell_taken)
    if len(found.differ) == 0 and cell is None:
        return found.differ
    matrix.pick_cell(crossed, cell, _cell_taken)
    return found.differ if cell is None else found.rows(*cell)


def _crossed(found: ex.Agreement, letters: tuple[str, str]) -> matrix.CellMatrix:
    """The answers of the first (lines) against those of the second (columns)."""
    return matrix.CellMatrix(
        classes=found.classes,
        counts=found.counts,
        titles=letters,
        cells=found.parted_cells,
        words=lambda own, other: f"{letters[0]} says {own}, {letters[1]} says {other}",
        everything=f"All rows with two answers ({len(found.differ):,})",
        tinted="the same answer",
    )


def _cell_taken(cell: matrix.Cell | None) -> None:
    side_by_side.compare_changed(cell=cell, row=None)


def _show_numbers(found: ex.PredictionDifferences, letters: tuple[str, str], target: str) -> np.ndarray:
    """How far the predictions lie apart; gives the rows with two predictions."""
    first, second = letters
    n_rows = len(found.truth)
    if len(found.differ) == 0:
        st.markdown(f"{first} and {second} predict the same for every one of the {n_rows:,} rows.")
        return found.differ
    st.markdown(
        f"The two predictions of {escape_markdown(target)} typically lie **{number(found.typical, 3)}** apart (the "
        f"median of {n_rows:,} rows), for one row in ten more than **{number(found.far, 3)}**; "
        f"{n_rows - len(found.differ):,} rows get the same from both."
    )
    title = f"prediction of {second} less that of {first}"
    st.plotly_chart(data_figures.histogram(found.differences, title, page.colours()), key="apart", config=page.STILL)
    names = ["least", *(f"{share:.0%}".replace("%", " %") for share in QUANTILES[1:-1]), "largest"]
    line = pd.DataFrame([dict(zip(names, found.quantiles.tolist(), strict=True))])
    tables.numbers_table(line, [False], key="apart.quantiles")
    return found.differ


def _show_rows(
    settings: Settings, pair: tuple[str, str], rows: ex.Dataset, found: comparison.Found, shown: np.ndarray
) -> None:
    """The rows picked, both answers and the truth beside them; a row chosen shows its way in every tree."""
    kept = shown[: row_table.SHOWN_ROWS]
    row = settings.compare.row
    key = f"differ.{settings.compare.cell}.{settings.compare.pair}.{row}"
    columns = row_table.numbers_of(_titles(pair)) if isinstance(found, ex.PredictionDifferences) else {}
    with st.container(key="differ"):
        frame = row_table.frame_of(rows, kept, _facts(found, kept, pair))
        chosen = row_table.choose(frame, key, row, _row_taken, columns)
    if len(kept) < len(shown):
        st.caption(f"The first {len(kept):,} of {len(shown):,} rows.")
    if chosen is not None:
        _show_ways(settings, rows.take([int(kept[chosen])]))
    else:
        st.caption("Choose a row to see its way down the trees.")


def _facts(found: comparison.Found, shown: np.ndarray, pair: tuple[str, str]) -> dict[str, list[object]]:
    """Both answers and the truth, by what their columns are called."""
    if isinstance(found, ex.Agreement):
        named = [str(name) for name in found.classes]
        facts = [[named[code] for code in one[shown]] for one in (found.answers_a, found.answers_b, found.truth)]
    else:
        facts = [one[shown].tolist() for one in (found.answers_a, found.answers_b, found.truth)]
    return dict(zip(_titles(pair), facts, strict=True))


def _titles(pair: tuple[str, str]) -> list[str]:
    return [f"{SIDES[pair[0]]} says", f"{SIDES[pair[1]]} says", "truth"]


def _row_taken(row: int | None) -> None:
    """A row was chosen: note it, and choose the node where it ends in every tree, which lights its way there."""
    side_by_side.compare_changed(row=row)
    if row is None:
        return
    settings = session.read()
    one = row_table.numbered(comparison.judged_rows(settings)[1], row)
    side_by_side.choose_nodes(
        {slot: int(trees.grown(settings, slot).tree.apply(one)[0]) for slot in settings.compare.slots}
    )


def _show_ways(settings: Settings, one: ex.Dataset) -> None:
    """A row's way in words, tree by tree."""
    st.markdown(f"**The way of row {int(one.row_numbers[0]) + 1:,}**, lit in the trees above")
    for slot in settings.compare.slots:
        tree = trees.grown(settings, slot).tree
        st.markdown(f"{SIDES[slot]}, {tree.recipe.name}: {row_table.way(tree, one)[1]}")
