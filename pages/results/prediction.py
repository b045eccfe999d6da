"""The row that the Predict page predicts: its cells, where they come from, and the tree that predicts it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import NDArray

import explorer as ex
from explorer.data.suggestions.apply import RepairedDate
from explorer.explaining.row_form import Input, by_first_use, cells_at, inputs, row_of, surrogates_alone
from explorer.messages import message
from explorer.values import Value
from pages.results import evaluation, opened_tree, pruned_tree, trees
from pages.results.cache import kept
from pages.results.source import source
from pages.settings import session
from pages.settings.labels import ROW_SETS
from pages.settings.page_settings import MISSING, NEW, PredictSettings
from pages.settings.settings import Settings, changed


@dataclass(frozen=True)
class StartRow:
    """The row of the table that a form begins with: which rows it is among, and its position there."""

    row_set: str
    rows: ex.Dataset
    position: int

    @property
    def number(self) -> int:
        """The row's number in the table, from 1 on."""
        return int(self.rows.row_numbers[self.position]) + 1

    @property
    def truth(self) -> Value:
        """Its target value in the table."""
        value = self.rows.y[self.position].item()
        return float(value) if self.rows.is_regression else self.rows.classes[int(value)]


@dataclass(frozen=True)
class FilledForm:
    """A filled form: the tree that predicts, every feature with its cell, and what of an address could not be used."""

    tree: ex.Tree
    train: ex.Dataset
    inputs: tuple[Input, ...]
    cells: Mapping[str, Value | None]
    start: StartRow | None
    problems: tuple[str, ...]
    dates: tuple[RepairedDate, ...] = ()
    """The features that are dates, from which others, their parts, are worked out."""

    @cached_property
    def parts(self) -> dict[str, str]:
        """The date of each feature that is worked out from one, by name."""
        return {column: date.column for date in self.dates for _, column in date.parts}

    @cached_property
    def row(self) -> pd.DataFrame:
        """The row as a tree reads it."""
        return row_of(self.inputs, self.cells)

    @cached_property
    def path(self) -> ex.RowPath:
        """The row's decision path, with its prediction."""
        return ex.row_path(self.tree, self.row)

    @cached_property
    def probabilities(self) -> NDArray[np.float64]:
        """The predicted probability of each class."""
        return self.tree.predict_proba(self.row)[0]

    @property
    def probability(self) -> float:
        """That of the class predicted."""
        return float(self.probabilities[self.tree.classes.index(self.path.prediction)])

    def path_with(self, cells: Mapping[str, Value | None]) -> ex.RowPath:
        """The decision path of the row with some cells changed."""
        return ex.row_path(self.tree, row_of(self.inputs, with_parts({**self.cells, **cells}, self.dates)))


def filled_form(settings: Settings) -> FilledForm:
    """The form as the settings fill it; raises InputError where there is no tree."""
    tree, train = predicting_tree(settings), trees.parts(settings).train
    form_inputs = _inputs(tree_key(settings), tree, train)
    start, problems = start_row(settings)
    cells: dict[str, Value | None] = {field.name: field.usual for field in form_inputs}
    if start is not None:
        cells |= cells_at(start.rows, start.position)
    for position, text in settings.predict.cells:
        try:
            cells[form_inputs[position].name] = value_of(form_inputs[position], text)
        except (IndexError, ValueError):
            problems.append(
                message("This link fills in “{value}”, which is not a value of this table. It is left out.", value=text)
            )
    dates = tuple(date for date in source(settings).table.dates if date.column in cells)
    return FilledForm(tree, train, form_inputs, with_parts(cells, dates), start, tuple(problems), dates)


def with_parts(cells: Mapping[str, Value | None], dates: Iterable[RepairedDate]) -> dict[str, Value | None]:
    """The cells with month, weekday and so on as their dates have them."""
    filled = dict(cells)
    for date in dates:
        days = filled[date.column]
        of_parts = date.part_cells(None if days is None else float(days))
        filled |= {name: cell for name, cell in of_parts.items() if name in filled}
    return filled


def predicting_tree(settings: Settings) -> ex.Tree:
    """The tree as the Prune page leaves it, or the full one where that was chosen."""
    if settings.predict.is_full and opened_tree.now() is None:
        return pruned_tree.predicting(settings, trees.grown(settings).tree)
    return evaluation.evaluated_tree(settings)


def tree_key(settings: Settings) -> str:
    """A text for all that the predicting tree depends on."""
    is_full = settings.predict.is_full and opened_tree.now() is None
    of_tree = trees.grown_key(settings) if is_full else evaluation.tree_key(settings)
    return f"{of_tree} {pruned_tree.predicting_key(settings)}"


@kept()
def _inputs(key: str, _tree: ex.Tree, _train: ex.Dataset) -> tuple[Input, ...]:
    return inputs(_tree, _train)


def tested_first(form: FilledForm) -> list[Input]:
    """The features that the tree tests, those tested nearest the root first; a date stands for its parts."""
    fields = {field.name: field for field in form.inputs}
    tested = (field.name for field in by_first_use(form.inputs, form.tree))
    return [fields[name] for name in dict.fromkeys(form.parts.get(name, name) for name in tested)]


def missing_first(form: FilledForm) -> dict[str, list[str]]:
    """The fields that are used only where others are missing, with those others; a date stands for its parts."""
    alone = surrogates_alone(form.tree)
    used: dict[str, list[str]] = {}
    for name in (field.name for field in by_first_use(form.inputs, form.tree)):
        used.setdefault(form.parts.get(name, name), []).append(name)
    return {
        shown: list(dict.fromkeys(form.parts.get(other, other) for name in names for other in alone[name]))
        for shown, names in used.items()
        if all(name in alone for name in names)
    }


def row_sets(settings: Settings) -> dict[str, ex.Dataset]:
    """The rows that a form may begin with; those of the test set are not among them."""
    subsets = trees.parts(settings)
    return {name: rows for name, rows in zip(ROW_SETS, (subsets.valid, subsets.train), strict=True) if rows is not None}


def start_row(settings: Settings) -> tuple[StartRow | None, list[str]]:
    """The row that the form begins with, if there is one, or why it cannot be."""
    row = settings.predict.row
    if row is None:
        return None, []
    for row_set, rows in row_sets(settings).items():
        positions = np.flatnonzero(rows.row_numbers == row)
        if len(positions):
            return StartRow(row_set, rows, int(positions[0])), []
    test = trees.parts(settings).test
    if test is not None and row in test.row_numbers:
        return None, [
            message("Row {n:,} is in the test set, which is not used yet. Start from another row.", n=row + 1)
        ]
    return None, [message("There is no row {n:,}. The form holds typical values.", n=row + 1)]


def value_of(field: Input, text: str) -> Value | None:
    """The cell that a text of the settings stands for; ValueError or IndexError where it stands for none."""
    if text == MISSING:
        return None
    if field.is_numeric:
        return float(text)
    assert field.categories is not None
    return field.never_seen if text == NEW else field.categories[int(text)]


def text_of(field: Input, value: Value | None) -> str:
    """A cell as the settings write it."""
    if value is None:
        return MISSING
    if field.is_numeric:
        return repr(float(value)).removesuffix(".0")
    assert field.categories is not None
    return str(field.categories.index(value)) if value in field.categories else NEW


def fill(cells: Mapping[str, Value | None]) -> None:
    """Fill cells in, and select the node where the row then ends, which brings it into view."""
    settings = session.read()
    fields = {field.name: (position, field) for position, field in enumerate(filled_form(settings).inputs)}
    texts = {fields[name][0]: text_of(fields[name][1], value) for name, value in cells.items()}
    take(settings.predict.with_cells(texts))


def select_path(settings: Settings) -> Settings:
    """Where a node beside the row's path was selected on another page, select the one where the row ends."""
    path = filled_form(settings).path
    if settings.node in {visit.node for visit in path.visits}:
        return settings
    session.keep(changed(settings, node=path.ends[0].node))
    return session.read()


def take(predict: PredictSettings) -> None:
    """Predict this row, and select the node where it ends."""
    settings = changed(session.read(), predict=predict)
    form = filled_form(settings)
    session.keep(changed(settings, node=int(form.tree.apply(form.row)[0])))
