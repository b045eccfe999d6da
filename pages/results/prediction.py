"""The row that the Predict page asks about: its cells, where they come from, and the tree that answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
import streamlit as st

import explorer as ex
from explorer.data.values import Value
from explorer.explaining.row_form import Input, cells_at, inputs, row_of
from pages.results import evaluation, pruned_tree, trees
from pages.results.trees import KEPT
from pages.settings import session
from pages.settings.labels import ROW_SETS
from pages.settings.page_settings import MISSING, NEW, PredictSettings
from pages.settings.settings import Settings, changed


@dataclass(frozen=True)
class StartRow:
    """The row of the table that a form begins with: which rows it is among, and its position there."""

    pool: str
    rows: ex.Dataset
    position: int

    @property
    def number(self) -> int:
        """The row's number in the table, from 1 on."""
        return int(self.rows.row_numbers[self.position]) + 1

    @property
    def truth(self) -> Value:
        """What the table says of it."""
        found = self.rows.y[self.position].item()
        return float(found) if self.rows.is_regression else self.rows.classes[int(found)]


@dataclass(frozen=True)
class FilledForm:
    """A filled form: the tree that answers, every feature with its cell, and what of an address could not be used."""

    tree: ex.Tree
    train: ex.Dataset
    inputs: tuple[Input, ...]
    cells: Mapping[str, Value | None]
    begun: StartRow | None
    problems: tuple[str, ...]

    @cached_property
    def row(self) -> pd.DataFrame:
        """The row as a tree reads it."""
        return row_of(self.inputs, self.cells)

    @cached_property
    def way(self) -> ex.RowPath:
        """The row's way down the tree, with its answer."""
        return ex.row_path(self.tree, self.row)


def asked(settings: Settings) -> FilledForm:
    """The form as the settings fill it; raises InputError where there is no tree."""
    tree, train = tree_in_hand(settings), trees.parts(settings).train
    found = _inputs(tree_key(settings), tree, train)
    begun, problems = begun_with(settings)
    cells: dict[str, Value | None] = {one.name: one.usual for one in found}
    if begun is not None:
        cells |= cells_at(begun.rows, begun.position)
    for place, text in settings.predict.cells:
        try:
            cells[found[place].name] = value_of(found[place], text)
        except (IndexError, ValueError):
            problems.append(f"The web address fills in “{text}”, which this table does not know: it is left out.")
    return FilledForm(tree, train, found, cells, begun, tuple(problems))


def tree_in_hand(settings: Settings) -> ex.Tree:
    """The tree as the Prune page leaves it, or the full one where that is asked for."""
    return trees.grown(settings).tree if settings.predict.is_full else pruned_tree.pruned(settings)


def tree_key(settings: Settings) -> str:
    """A text for all that the tree in hand depends on."""
    return trees.grown_key(settings) if settings.predict.is_full else evaluation.tree_key(settings)


@st.cache_resource(ttl=KEPT, max_entries=24, show_spinner=False)
def _inputs(key: str, _tree: ex.Tree, _train: ex.Dataset) -> tuple[Input, ...]:
    return inputs(_tree, _train)


def pools(settings: Settings) -> dict[str, ex.Dataset]:
    """The rows that a form may begin with; those of a test part stay sealed."""
    found = trees.parts(settings)
    return {name: rows for name, rows in zip(ROW_SETS, (found.valid, found.train), strict=True) if rows is not None}


def begun_with(settings: Settings) -> tuple[StartRow | None, list[str]]:
    """The row that the form begins with, if there is one, or why it cannot be."""
    row = settings.predict.row
    if row is None:
        return None, []
    for pool, rows in pools(settings).items():
        places = np.flatnonzero(rows.row_numbers == row)
        if len(places):
            return StartRow(pool, rows, int(places[0])), []
    test = trees.parts(settings).test
    if test is not None and row in test.row_numbers:
        return None, [f"Row {row + 1} is in the test part, which stays sealed: begin with another row."]
    return None, [f"There is no row {row + 1} to begin with: the form has the usual value of every column."]


def value_of(one: Input, text: str) -> Value | None:
    """The cell that a text of the settings stands for; ValueError or IndexError where it stands for none."""
    if text == MISSING:
        return None
    if one.is_numeric:
        return float(text)
    assert one.categories is not None
    return one.never_seen if text == NEW else one.categories[int(text)]


def text_of(one: Input, value: Value | None) -> str:
    """A cell as the settings write it."""
    if value is None:
        return MISSING
    if one.is_numeric:
        return repr(float(value)).removesuffix(".0")
    assert one.categories is not None
    return str(one.categories.index(value)) if value in one.categories else NEW


def fill(cells: Mapping[str, Value | None]) -> None:
    """Fill cells in, and select the node where the row then ends, which brings it into sight."""
    settings = session.read()
    places = {one.name: (place, one) for place, one in enumerate(asked(settings).inputs)}
    texts = {places[name][0]: text_of(places[name][1], value) for name, value in cells.items()}
    take(settings.predict.with_cells(texts))


def take(ask: PredictSettings) -> None:
    """Ask this, and select the node where the row then ends."""
    settings = changed(session.read(), predict=ask)
    found = asked(settings)
    session.keep(changed(settings, node=int(found.tree.apply(found.row)[0])))
