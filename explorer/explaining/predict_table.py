"""A second table answered by a tree, with a note on whatever had to be assumed (DEFINITIONS section 8).

What cannot be read as the tree needs it counts as a missing cell: a column that is not there, text among numbers.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.data.encode import clean_value, encode_columns, with_text_names
from explorer.data.notes import Note
from explorer.data.values import Value
from explorer.errors import InputError
from explorer.explaining.row_form import free_name, tested_features
from explorer.recipe.columns import FeatureEncoding
from explorer.tree import metrics
from explorer.tree.routing import UNSEEN, plan_for
from explorer.tree.tree import Tree

_NAMED = 5
"""So many rows or values are named; the rest is counted."""
_UNSEEN = {
    "node": "is answered by the node that asks for it",
    "heaviest": "goes down the heaviest branch",
    "fractional": "goes down every branch in parts",
    "random": "goes down a branch drawn at random",
}
"""What becomes of a row with a value never seen, by the recipe's `unseen`."""


@dataclass(frozen=True)
class KnownScore:
    """The score on the rows whose target is known (accuracy, or mean squared error), and always answering alike."""

    n_rows: int
    value: float
    baseline: float


@dataclass(frozen=True, eq=False)
class PredictedTable:
    """A table with its answers in columns of their own, notes on its columns, and the score if it has the target.

    `added` names the new columns: the answer, the share of each class (none for a numeric target), and the leaf; of a
    row that ends in several leaves, the one with the largest part.
    """

    frame: pd.DataFrame
    added: tuple[str, ...]
    notes: tuple[Note, ...]
    score: KnownScore | None


def predict_table(tree: Tree, train: Dataset, frame: pd.DataFrame) -> PredictedTable:
    """Answer every row of a table; `train` are the training rows, for the baseline.

    Raises InputError where nothing can be answered: there is no row, or none of the columns that the tree asks for.

    >>> from explorer import ID3, grow, load_sample
    >>> tennis = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> days = pd.DataFrame({"Outlook": ["Overcast", "Hail"], "Humidity": ["High", None], "Wind": ["Weak", "Weak"]})
    >>> found = predict_table(grow(tennis, ID3), tennis, days)
    >>> found.frame["prediction"].tolist(), found.frame["leaf"].tolist()
    (['Yes', 'Yes'], [2, 0])
    >>> for sentence in found.notes[0].text.split(". "):
    ...     print(sentence)
    Column 'Outlook' has 1 cell with a value that the tree never saw: 'Hail' (row 2)
    Such a row is answered by the node that asks for it.
    """
    frame = with_text_names(frame)
    if frame.columns.has_duplicates:
        raise InputError(f"Two columns are named '{frame.columns[frame.columns.duplicated()][0]}': rename one of them.")
    if not len(frame):
        raise InputError("The table has no rows: load one with at least one row under the header.")
    asked = [tree.features[place] for place in tested_features(tree)]
    if asked and not any(one.name in frame.columns for one in asked):
        hints = (_hint(one.name, list(map(str, frame.columns))) for one in asked)
        raise InputError(
            f"The table has none of the columns that the tree asks for ({_listed(one.name for one in asked)}): "
            f"load a table with the columns of the training table.{next(filter(None, hints), '')}"
        )
    readable, notes = _readable(asked, frame, tree)
    notes += _unseen_notes(tree, readable)
    notes += _ignored_notes(tree, train, frame)
    predictions = tree.predict(readable)
    columns = _columns(tree, readable, predictions, [str(name) for name in frame.columns])
    score, told = _score(tree, train, frame, predictions)
    answered = pd.concat([frame, pd.DataFrame(columns, index=frame.index)], axis=1)
    ordered = sorted([*notes, *told], key=lambda note: note.level != "warning")
    return PredictedTable(answered, tuple(columns), tuple(ordered), score)


def _readable(asked: Sequence[FeatureEncoding], frame: pd.DataFrame, tree: Tree) -> tuple[pd.DataFrame, list[Note]]:
    """The columns asked for as the tree can read them, with notes on all that counts as missing."""
    columns, notes = {}, []
    spare = [str(name) for name in frame.columns if name not in {usage.name for usage in tree.features}]
    for usage in asked:
        if usage.name not in frame.columns:
            columns[usage.name] = pd.Series(np.nan, index=frame.index, dtype=np.float64)
            notes.append(_absent_note(usage.name, spare))
            continue
        column = frame[usage.name]
        if usage.kind == "numeric":
            column, bad = _as_numbers(column)
            notes += [_bad_note(usage.name, frame[usage.name], bad)] if bad.any() else []
            missing = column.isna().to_numpy() & ~bad
        else:
            missing = _is_missing(column)
        notes += [_missing_note(usage.name, missing)] if missing.any() else []
        columns[usage.name] = column
    return pd.DataFrame(columns, index=frame.index), notes


def _absent_note(name: str, spare: Sequence[str]) -> Note:
    hint = _hint(name, spare)
    return Note(f"There is no column '{name}': all its cells count as missing.{hint}", "warning", (name,))


def _hint(name: str, spare: Sequence[str]) -> str:
    """The column that may be meant by a name, or no text.

    >>> _hint("Outlook", ["day", "outlook"])
    " There is a column 'outlook': rename it to 'Outlook' if that is it."
    """
    by_lower = {one.lower(): one for one in spare}
    close = difflib.get_close_matches(name.lower(), list(by_lower), n=1)
    return f" There is a column '{by_lower[close[0]]}': rename it to '{name}' if that is it." if close else ""


def _as_numbers(column: pd.Series) -> tuple[pd.Series, NDArray[np.bool_]]:
    """The column as numbers, nan where a cell is none, and which cells are no finite number though they hold something.

    >>> numbers, bad = _as_numbers(pd.Series(["3", "?", "tall", "inf"]))
    >>> numbers.tolist(), bad.tolist()
    ([3.0, nan, nan, nan], [False, False, True, True])
    """
    try:
        (feature,), codes = encode_columns([column], {str(column.name): "numeric"})
        numbers = np.append(feature.values, np.nan)[codes[0]]
    except InputError:
        texts = column.map(lambda cell: str(clean_value(cell)))
        found = pd.to_numeric(texts, errors="coerce").to_numpy(np.float64)
        numbers = np.where(np.isfinite(found), found, np.nan)
    return pd.Series(numbers, index=column.index), np.isnan(numbers) & ~_is_missing(column)


def _is_missing(column: pd.Series) -> NDArray[np.bool_]:
    codes, found = pd.factorize(column, use_na_sentinel=True)
    empty = np.array([*(clean_value(value) is None for value in np.asarray(found, dtype=object)), True])
    return np.asarray(empty[codes], dtype=bool)


def _bad_note(name: str, column: pd.Series, bad: NDArray[np.bool_]) -> Note:
    values = [f"'{str(cell)[:40]}'" for cell in dict.fromkeys(column[bad].map(str))]
    text = f"Column '{name}' has {_cells(bad)} without a number: {_listed(values)} ({_rows(bad)}). "
    return Note(f"{text}{'It counts' if bad.sum() == 1 else 'They count'} as missing.", "warning", (name,))


def _missing_note(name: str, missing: NDArray[np.bool_]) -> Note:
    return Note(f"Column '{name}' has {_cells(missing, 'empty ')} ({_rows(missing)}).", "info", (name,))


def _unseen_notes(tree: Tree, readable: pd.DataFrame) -> list[Note]:
    """A note for every column with values that the tree never saw."""
    _, plan = plan_for(tree, readable)
    notes = []
    for place in tested_features(tree):
        usage = tree.features[place]
        if usage.test == "threshold":
            continue
        unseen = plan.codes[:, -int(plan.slot[place]) - 1] == UNSEEN
        if unseen.any():
            values = [f"'{str(cell)[:40]}'" for cell in dict.fromkeys(readable[usage.name][unseen].map(str))]
            what = "a value" if len(values) == 1 else "values"
            text = f"Column '{usage.name}' has {_cells(unseen)} with {what} that the tree never saw: "
            then = f"Such a row {_UNSEEN[tree.recipe.unseen]}."
            notes.append(Note(f"{text}{_listed(values)} ({_rows(unseen)}). {then}", "warning", (usage.name,)))
    return notes


def _ignored_notes(tree: Tree, train: Dataset, frame: pd.DataFrame) -> list[Note]:
    """What the table has beside the tree's features: such columns stay in it and decide nothing."""
    known = {usage.name for usage in tree.features} | {feature.name for feature in train.features} | {tree.target}
    extra = [str(name) for name in frame.columns if name not in known]
    if not extra:
        return []
    if len(extra) == 1:
        return [Note(f"Column '{extra[0]}' is not asked for and stays as it is.", "info", tuple(extra))]
    named = _listed(f"'{name}'" for name in extra)
    return [Note(f"{len(extra)} columns are not asked for and stay as they are: {named}.", "info", tuple(extra))]


def _columns(
    tree: Tree, readable: pd.DataFrame, predictions: NDArray[np.generic], taken: list[str]
) -> dict[str, NDArray[np.generic] | list[Value]]:
    """The new columns, under names that the table does not have."""
    found: dict[str, NDArray[np.generic] | list[Value]] = {}

    def add(name: str, values: NDArray[np.generic]) -> None:
        found[free_name(name, [*taken, *found])] = values.tolist() if values.dtype == object else values

    add("prediction", predictions)
    if not tree.is_regression:
        for name, shares in zip(tree.classes, tree.predict_proba(readable).T, strict=True):
            add(f"share of {name}", shares)
    add("leaf", tree.apply(readable))
    return found


def _score(
    tree: Tree, train: Dataset, frame: pd.DataFrame, predictions: NDArray[np.generic]
) -> tuple[KnownScore | None, list[Note]]:
    """The score on the rows with a known target, if there are any, and what had to be left out of it."""
    if tree.target not in frame.columns:
        return None, []
    column = frame[tree.target]
    if tree.is_regression:
        numbers, bad = _as_numbers(column)
        notes = [_bad_note(tree.target, column, bad)] if bad.any() else []
        known = numbers.notna().to_numpy()
        errors = np.square(numbers.to_numpy()[:, None] - np.column_stack(_both(tree, train, predictions)))
    else:
        truth = np.array([_text(cell) for cell in column], dtype=object)
        known = ~_is_missing(column)
        notes = _new_class_notes(tree, truth, known)
        errors = np.column_stack([truth == told for told in _both(tree, train, predictions)]).astype(np.float64)
    if not known.any():
        told = f"The target '{tree.target}' is there, but no row has a value of it: there is no score."
        return None, [*notes, Note(told, "warning", (tree.target,))]
    value, baseline = errors[known].mean(axis=0).tolist()
    return KnownScore(int(known.sum()), value, baseline), notes


def _both(
    tree: Tree, train: Dataset, predictions: NDArray[np.generic]
) -> tuple[NDArray[np.generic], NDArray[np.generic]]:
    """What the tree answers to every row, and what always answering alike would: classes as text."""
    if tree.is_regression:
        return predictions, np.full(len(predictions), np.average(train.y, weights=train.weight_of_rows()))
    majority = train.classes[int(metrics.class_weights(train).argmax())]
    return np.array([str(one) for one in predictions], dtype=object), np.full(
        len(predictions), str(majority), dtype=object
    )


def _text(cell: object) -> str:
    return str(clean_value(cell))


def _new_class_notes(tree: Tree, truth: NDArray[np.object_], known: NDArray[np.bool_]) -> list[Note]:
    new = known & ~np.isin(truth.astype(str), [str(name) for name in tree.classes])
    if not new.any():
        return []
    values = [f"'{name[:40]}'" for name in dict.fromkeys(truth[new])]
    text = f"The target '{tree.target}' has {_cells(new)} with a class that the tree never met: {_listed(values)} "
    return [Note(f"{text}({_rows(new)}). No answer to them can be right.", "warning", (tree.target,))]


def _cells(mask: NDArray[np.bool_], kind: str = "") -> str:
    count = int(mask.sum())
    return f"{count:,} {kind}cell" + ("" if count == 1 else "s")


def _rows(mask: NDArray[np.bool_]) -> str:
    """The rows of a mask, counted from 1 under the header."""
    rows = np.flatnonzero(mask)
    return f"row{'' if len(rows) == 1 else 's'} {_listed(str(row + 1) for row in rows.tolist())}"


def _listed(names: Iterable[str]) -> str:
    found = list(names)
    return ", ".join(found[:_NAMED]) + (" …" if len(found) > _NAMED else "")
