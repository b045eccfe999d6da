"""Predictions for a second table, with a note on every assumption (DEFINITIONS section 8).

A cell that the tree cannot read counts as missing: in a column that is not there, or text among numbers.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from explorer.data.arrow_frame import as_pandas
from explorer.data.cells import clean_value, distinct_cells
from explorer.data.dataset import Dataset
from explorer.data.encode import encode_columns, with_text_names
from explorer.data.notes import Note, many_missing_text
from explorer.data.source_column import SourceColumn
from explorer.errors import InputError
from explorer.explaining.row_form import free_name
from explorer.messages import listing, message, paragraph, plural
from explorer.recipe.class_weights import heaviest_classes
from explorer.recipe.columns import FeatureEncoding
from explorer.recipe.recipe import Recipe
from explorer.tree import metrics
from explorer.tree.routing import UNSEEN, codes_in_tree, numbers_in_tree
from explorer.tree.tree import Tree
from explorer.values import Value

_MAX_LISTED = 5
"""The most rows or values that a note lists."""
_UNSEEN: Mapping[str, Callable[[], str]] = {
    "node": lambda: message("Such a row stops at the node that splits on it and gets its prediction."),
    "heaviest": lambda: message("Such a row follows the branch with the most training rows."),
    "fractional": lambda: message("Such a row follows every branch, in the branches' shares of the training rows."),
    "random": lambda: message("Such a row follows a branch drawn at random."),
    "told": lambda: message("Such a row follows the branch that the model's file names for it."),
}
"""Sentences on where a row with an unseen category goes, by the recipe's `unseen`."""


class Predictor(metrics.Predictor, Protocol):
    """A tree, or an ensemble: what predicts a table."""

    @property
    def features(self) -> tuple[FeatureEncoding, ...]:
        """The columns that it may read."""

    @property
    def recipe(self) -> Recipe:
        """How it was grown."""

    def tested_features(self) -> list[int]:
        """The positions of the features that it reads."""

    def predict(self, rows: pd.DataFrame, /) -> NDArray[Any]:
        """The class or number of every row."""

    def predict_proba(self, rows: pd.DataFrame, /) -> NDArray[np.float64]:
        """The probability of each class for every row."""


@dataclass(frozen=True)
class KnownScore:
    """The score on the rows whose target is known (accuracy, or mean squared error), and that of the baseline.

    The baseline is that of the training rows, or of these rows (`of_rows`) where there are none.
    """

    n_rows: int
    value: float
    baseline: float
    of_rows: bool = False


@dataclass(frozen=True, eq=False)
class PredictedTable:
    """A table with its predictions in new columns, notes on its columns, and the score if it has the target.

    `added` names the new columns: the prediction, the share of each class (none for a numeric target), and the leaf of
    a tree with its action, if the tree has any. Of a row that ends in several leaves, it is that with the largest part.
    """

    frame: pd.DataFrame
    added: tuple[str, ...]
    notes: tuple[Note, ...]
    score: KnownScore | None
    readable: pd.DataFrame
    """The features of the rows that are predicted, as the tree reads them: those it tests, and others in the table."""
    truth: NDArray[np.float64] | None = None
    """Their targets where the table has any: codes of classes, −1 for an unknown one, or numbers; NaN where missing."""
    missed: NDArray[np.intp] = field(default_factory=lambda: np.zeros(0, dtype=np.intp))
    """The positions in `frame` of the rows whose known class is not the one predicted."""


@dataclass(frozen=True, eq=False)
class SentTable:
    """A table before repairs: its `frame`, and the positions in it of the rows that are predicted, [n], ascending.

    `names` are the tree's names of columns that are named otherwise.
    """

    frame: pd.DataFrame
    rows: NDArray[np.intp]
    names: Mapping[str, str] = field(default_factory=dict)


def predict_table(
    tree: Predictor, train: Dataset | None, frame: pd.DataFrame, sent: SentTable | None = None
) -> PredictedTable:
    """Predict every row of a table, pandas, Polars or Arrow; `train` is the training set, for the baseline.

    Where the table was repaired, `sent` is it before: the result has that one's columns and rows, those without a
    prediction too, and notes count its rows.

    Raises InputError where nothing can be predicted: there is no row, or no column that the tree tests.

    >>> from explorer import ID3, grow, load_sample
    >>> tennis = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> days = pd.DataFrame({"Outlook": ["Overcast", "Hail"], "Humidity": ["High", None], "Wind": ["Weak", "Weak"]})
    >>> predicted = predict_table(grow(tennis, ID3), tennis, days)
    >>> predicted.frame["prediction"].tolist(), predicted.frame["leaf"].tolist()
    (['Yes', 'Yes'], [2, 0])
    >>> for sentence in predicted.notes[0].text.split(". "):
    ...     print(sentence)
    Column 'Outlook' has 1 cell with a value not seen in training: 'Hail' (row 2)
    Such a row stops at the node that splits on it and gets its prediction.
    """
    frame = with_text_names(as_pandas(frame))
    if frame.columns.has_duplicates:
        name = frame.columns[frame.columns.duplicated()][0]
        raise InputError(message("Two columns are named '{column}'. Rename one of them.", column=name))
    if not len(frame):
        raise InputError(message("The table has no rows. Load one with at least one row under the header."))
    tested = [tree.features[feature] for feature in tree.tested_features()]
    if tested and not any(encoding.name in frame.columns for encoding in tested):
        hints = (_hint(encoding.name, list(map(str, frame.columns))) for encoding in tested)
        absent = _no_column_text(tree, _listed(encoding.name for encoding in tested))
        raise InputError(paragraph(filter(None, (absent, next(filter(None, hints), "")))))
    sent = sent or SentTable(frame, np.arange(len(frame)))
    own, frame = with_text_names(sent.frame), frame.set_axis(sent.rows + 1)
    readable, notes = _readable(tested, frame, tree)
    notes += _unseen_notes(tree, readable)
    notes += _ignored_notes(tree, train, [sent.names.get(str(name), str(name)) for name in own.columns])
    predictions = tree.predict(readable)
    columns = _columns(tree, readable, predictions, [str(name) for name in own.columns])
    score, score_notes, truth = _score(tree, train, frame, predictions)
    others = [each for each in tree.features if each not in tested and each.name in frame.columns]
    readable = pd.concat([readable, _readable(others, frame, tree)[0]], axis=1)
    new = _of_all_rows(pd.DataFrame(columns), sent.rows, len(own)).set_axis(own.index)
    predicted = pd.concat([own, new], axis=1)
    ordered = sorted([*notes, *score_notes], key=lambda note: note.level != "warning")
    missed = sent.rows[_is_missed(tree, predictions, truth)]
    return PredictedTable(predicted, tuple(columns), tuple(ordered), score, readable, truth, missed)


def _is_missed(
    tree: Predictor, predictions: NDArray[np.generic], truth: NDArray[np.float64] | None
) -> NDArray[np.bool_]:
    """The rows whose known class is not the one predicted [n]; none where the target is a number."""
    if tree.is_regression or truth is None:
        return np.zeros(len(predictions), dtype=np.bool_)
    codes = {str(name): float(code) for code, name in enumerate(tree.classes)}
    return np.isfinite(truth) & (truth != np.array([codes[name] for name in predictions.astype(str).tolist()]))


def _no_column_text(tree: Predictor, columns: str) -> str:
    if isinstance(tree, Tree):
        return message(
            "The table has none of the columns that the tree splits on ({columns}). "
            "Load a table with the columns of the training table.",
            columns=columns,
        )
    return message(
        "The table has none of the columns that the ensemble splits on ({columns}). "
        "Load a table with the columns of the training table.",
        columns=columns,
    )


def _of_all_rows(columns: pd.DataFrame, rows: NDArray[np.intp], n_rows: int) -> pd.DataFrame:
    """The columns with a row for every row of the table sent, missing where none was predicted."""
    if len(columns) == n_rows:
        return columns
    whole = {name: "Int64" for name, column in columns.items() if column.dtype.kind in "iu"}
    return columns.astype(whole).set_axis(rows).reindex(range(n_rows))


def _readable(
    tested: Sequence[FeatureEncoding], frame: pd.DataFrame, tree: Predictor
) -> tuple[pd.DataFrame, list[Note]]:
    """The tested columns as the tree reads them, with notes on all cells that count as missing."""
    columns, notes = {}, []
    other_names = [str(name) for name in frame.columns if name not in {encoding.name for encoding in tree.features}]
    for encoding in tested:
        if encoding.name not in frame.columns:
            columns[encoding.name] = pd.Series(np.nan, index=frame.index, dtype=np.float64)
            notes.append(_absent_note(encoding.name, other_names))
            continue
        column = frame[encoding.name]
        if encoding.words is None:
            column, invalid = _as_numbers(column)
            notes += [_invalid_note(encoding.name, frame[encoding.name], invalid)] if invalid.any() else []
            missing = column.isna().to_numpy() & ~invalid
        else:
            missing = _is_missing(column, encoding.words)
        notes += [_missing_note(encoding.name, column, missing)] if missing.any() else []
        columns[encoding.name] = column
    return pd.DataFrame(columns, index=frame.index), notes


def _absent_note(name: str, other_names: Sequence[str]) -> Note:
    absent = message("There is no column '{column}', so all its values are missing.", column=name)
    return Note(paragraph(filter(None, (absent, _hint(name, other_names)))), "warning", (name,))


def _hint(name: str, other_names: Sequence[str]) -> str:
    """A sentence on the column that has a similar name, or no text.

    >>> _hint("Outlook", ["day", "outlook"])
    "Is it the column 'outlook'? Then rename that to 'Outlook'."
    """
    by_lower = {other.lower(): other for other in other_names}
    close = difflib.get_close_matches(name.lower(), list(by_lower), n=1)
    if not close:
        return ""
    return message(
        "Is it the column '{similar}'? Then rename that to '{column}'.", similar=by_lower[close[0]], column=name
    )


def _as_numbers(column: pd.Series) -> tuple[pd.Series, NDArray[np.bool_]]:
    """The column as numbers, nan where a cell has none, and which cells are neither missing nor a finite number.

    >>> numbers, invalid = _as_numbers(pd.Series(["3", "?", "tall", "inf"]))
    >>> numbers.tolist(), invalid.tolist()
    ([3.0, nan, nan, nan], [False, False, True, True])
    """
    try:
        (feature,), codes = encode_columns([column], {str(column.name): "numeric"})
        numbers = np.append(feature.values, np.nan)[codes[0]]
    except InputError:
        texts = column.map(lambda cell: str(clean_value(cell)))
        parsed = pd.to_numeric(texts, errors="coerce").to_numpy(np.float64)
        numbers = np.where(np.isfinite(parsed), parsed, np.nan)
    return pd.Series(numbers, index=column.index), np.isnan(numbers) & ~_is_missing(column)


def _is_missing(column: pd.Series, categories: Container[Value | None] = ()) -> NDArray[np.bool_]:
    codes, values = distinct_cells(SourceColumn(column), categories)
    return np.asarray(codes == len(values), dtype=bool)


def _invalid_note(name: str, column: pd.Series, invalid: NDArray[np.bool_]) -> Note:
    values = [f"'{str(cell)[:40]}'" for cell in dict.fromkeys(column[invalid].map(str))]
    text = plural(
        int(invalid.sum()),
        "Column '{column}' has {n:,} cell without a number: {values} ({rows}). It counts as missing.",
        "Column '{column}' has {n:,} cells without a number: {values} ({rows}). They count as missing.",
        column=name,
        values=_listed(values),
        rows=listed_rows(column.index[invalid]),
    )
    return Note(text, "warning", (name,))


def _missing_note(name: str, column: pd.Series, missing: NDArray[np.bool_]) -> Note:
    text = plural(
        int(missing.sum()),
        "Column '{column}' has {n:,} empty cell ({rows}).",
        "Column '{column}' has {n:,} empty cells ({rows}).",
        column=name,
        rows=listed_rows(column.index[missing]),
    )
    return Note(text, "info", (name,), many_missing_text)


def _unseen_notes(tree: Predictor, readable: pd.DataFrame) -> list[Note]:
    """A note for every column with values that the tree never saw."""
    notes = []
    for feature in tree.tested_features():
        encoding = tree.features[feature]
        if encoding.words is None and encoding.test == "threshold":
            continue
        if encoding.test == "threshold":
            unseen = np.isinf(numbers_in_tree(encoding, readable, None))
        else:
            unseen = codes_in_tree(encoding, readable, None) == UNSEEN
        if unseen.any():
            text = _unseen_text(encoding.name, readable[encoding.name], unseen)
            notes.append(Note(f"{text} {_UNSEEN[_rule_for_unseen(tree)]()}", "warning", (encoding.name,)))
    return notes


def _rule_for_unseen(tree: Predictor) -> str:
    """Where a row with an unseen category goes; "told" where the file of another program says so at every node."""
    one = tree if isinstance(tree, Tree) else next((member.tree for member in getattr(tree, "members", ())), None)
    return "told" if one is not None and one.unseen_branch is not None else tree.recipe.unseen


def _unseen_text(name: str, column: pd.Series, unseen: NDArray[np.bool_]) -> str:
    values = [f"'{str(cell)[:40]}'" for cell in dict.fromkeys(column[unseen].map(str))]
    return plural(
        int(unseen.sum()),
        "Column '{column}' has {n:,} cell with a value not seen in training: {values} ({rows}).",
        "Column '{column}' has {n:,} cells with a value not seen in training: {values} ({rows}).",
        column=name,
        values=_listed(values),
        rows=listed_rows(column.index[unseen]),
    )


def _ignored_notes(tree: Predictor, train: Dataset | None, names: Iterable[str]) -> list[Note]:
    """A note on the columns that are neither features nor the target of the training set."""
    known = {tree.target, *(encoding.name for encoding in tree.features)}
    known |= {feature.name for feature in train.features} if train else set()
    extra = [name for name in names if name not in known]
    if not extra:
        return []
    columns = _listed(f"'{name}'" for name in extra)
    if isinstance(tree, Tree):
        text = plural(
            len(extra),
            "The tree does not use column {columns}. It is kept unchanged.",
            "The tree does not use {n:,} columns: {columns}. They are kept unchanged.",
            columns=columns,
        )
    else:
        text = plural(
            len(extra),
            "The ensemble does not use column {columns}. It is kept unchanged.",
            "The ensemble does not use {n:,} columns: {columns}. They are kept unchanged.",
            columns=columns,
        )
    return [Note(text, "info", tuple(extra))]


def _columns(
    tree: Predictor, readable: pd.DataFrame, predictions: NDArray[np.generic], taken: list[str]
) -> dict[str, NDArray[np.generic] | list[Value]]:
    """The new columns, under names that the table does not have."""
    columns: dict[str, NDArray[np.generic] | list[Value]] = {}

    def add(name: str, values: NDArray[np.generic]) -> None:
        columns[free_name(name, [*taken, *columns])] = values.tolist() if values.dtype == object else values

    add("prediction", predictions)
    smoothing = tree.smoothing if isinstance(tree, Tree) else None
    if not tree.is_regression:
        for name, shares in zip(tree.classes, tree.predict_proba(readable).T, strict=True):
            add(f"share of {name}" if smoothing is None else f"probability of {name}", shares)
    if isinstance(tree, Tree):
        leaves = tree.apply(readable)
        add("leaf", leaves)
        if tree.actions:
            add("action", tree.node_actions[leaves])
    return columns


def _score(
    tree: Predictor, train: Dataset | None, frame: pd.DataFrame, predictions: NDArray[np.generic]
) -> tuple[KnownScore | None, list[Note], NDArray[np.float64] | None]:
    """The score on the rows with a known target, if there are any, notes on the other rows, and all targets."""
    if tree.target not in frame.columns:
        return None, [], None
    column = frame[tree.target]
    if tree.is_regression:
        numbers, invalid = _as_numbers(column)
        notes = [_invalid_note(tree.target, column, invalid)] if invalid.any() else []
        truth, known = numbers.to_numpy(), numbers.notna().to_numpy()
    else:
        labels = () if train is None else train.class_labels
        label_of = {str(value): label for value, label in labels}
        classes = (*tree.classes, *(value for value, _ in labels))
        truth = np.array([label_of.get(text, text) for text in _texts(column, classes)], dtype=object)
        known = ~_is_missing(column, classes)
        notes = _new_class_notes(tree, column, truth, known)
    if not known.any():
        text = message("No row has a value of the target '{target}', so there is no score.", target=tree.target)
        return None, [*notes, Note(text, "warning", (tree.target,))], None
    codes = {str(name): float(code) for code, name in enumerate(tree.classes)}
    targets = truth if tree.is_regression else np.array([codes.get(str(name), -1.0) for name in truth])
    targets = np.where(known, targets, np.nan).astype(np.float64)
    truth, given = truth[known], predictions[known]
    baseline = _baseline(truth) if train is None else _baseline_of(train)
    if tree.is_regression:
        value, least = (float(np.square(truth - numbers).mean()) for numbers in (given, baseline))
    else:
        value, least = (float((truth == texts).mean()) for texts in (given.astype(str), str(baseline)))
    return KnownScore(int(known.sum()), value, least, train is None), notes, targets


def _baseline_of(train: Dataset) -> object:
    """What the baseline predicts for every row: the class with most of the training rows, or their mean."""
    if train.is_regression:
        return np.average(train.y, weights=train.weight_of_rows())
    return train.classes[int(heaviest_classes(metrics.class_weights(train)[None])[0])]


def _baseline(truth: NDArray[Any]) -> object:
    """The same of the rows themselves."""
    return truth.mean() if truth.dtype != object else pd.Series(truth).value_counts().index[0]


def _texts(column: pd.Series, categories: Container[Value | None]) -> list[str]:
    """The category of every cell as text."""
    return [str(clean_value(cell, categories)) for cell in column]


def _new_class_notes(
    tree: Predictor, column: pd.Series, truth: NDArray[np.object_], known: NDArray[np.bool_]
) -> list[Note]:
    new = known & ~np.isin(truth.astype(str), [str(name) for name in tree.classes])
    if not new.any():
        return []
    values = [f"'{name[:40]}'" for name in dict.fromkeys(truth[new])]
    text = plural(
        int(new.sum()),
        "The target '{target}' has {n:,} cell with a class not seen in training: {values} ({rows}). "
        "Its prediction is always wrong.",
        "The target '{target}' has {n:,} cells with a class not seen in training: {values} ({rows}). "
        "Their predictions are always wrong.",
        target=tree.target,
        values=_listed(values),
        rows=listed_rows(column.index[new]),
    )
    return [Note(text, "warning", (tree.target,))]


def listed_rows(numbers: Collection[int]) -> str:
    """Rows by their numbers, which count from 1 under the header: "rows 2, 5"."""
    return plural(len(numbers), "row {rows}", "rows {rows}", rows=_listed(map(str, numbers)))


def _listed(names: Iterable[str]) -> str:
    listed = list(names)
    return listing(listed[:_MAX_LISTED]) + (" …" if len(listed) > _MAX_LISTED else "")
