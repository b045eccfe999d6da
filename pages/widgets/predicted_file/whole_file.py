"""Predictions for a whole file: problems of its columns, the score, and the predictions."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass
from functools import partial

import pandas as pd
import streamlit as st

import explorer as ex
from explorer.data.notes import grouped, listed_names
from explorer.evaluation.deciding.second_scores import SecondScores
from explorer.evaluation.leaf_outcomes import LeafOutcomes
from explorer.explaining.file_names import FileNames
from explorer.explaining.known_rows import count_known_rows
from explorer.explaining.predict_file import PredictedFile, ReadFile, predict_read, read_file, wanted_columns
from explorer.explaining.predict_table import PredictedTable, Predictor
from explorer.export.plain_csv import predictions_csv
from explorer.messages import message, plural
from pages.results import opened_tree, prediction, trees
from pages.results.cache import kept
from pages.settings import session
from pages.settings.settings import Settings
from pages.text import escape_markdown
from pages.uploads import opening
from pages.uploads.reading import PREDICTION
from pages.widgets import page_frame, upload
from pages.widgets.controls import lasting, quiet_button
from pages.widgets.predicted_file import drift, names_table, outcomes, scores
from pages.widgets.tree_view import Mark

_PREVIEW_ROWS = 200


@dataclass(frozen=True, eq=False)
class Model:
    """What predicts: a tree or an ensemble with a text for it, its training and validation rows, and their table."""

    key: str
    predictor: Predictor
    train: ex.Dataset | None = None
    table: ex.Table | None = None
    repairs: tuple[ex.Repair, ...] = ()
    valid: ex.Dataset | None = None


def of_settings(settings: Settings) -> Model:
    """The tree of the Predict page."""
    parts, source = trees.parts(settings), trees.source(settings)
    tree = prediction.predicting_tree(settings)
    if opened_tree.now() is not None:  # whose training rows are not known
        return Model(prediction.tree_key(settings), tree)
    return Model(prediction.tree_key(settings), tree, parts.train, source.table, settings.repairs, parts.valid)


def show(model: Model) -> None:
    """The uploader, and the result for the last file."""
    upload.table_uploader(message("A file with the columns of the table"), "second.file", PREDICTION)
    upload.show_reading(PREDICTION)
    for notice in session.take_notices(opening.PREDICTION_PLACE):
        page_frame.show_notice(notice.level, notice.text)
    given = session.prediction_file()
    if given is None:
        st.caption(_needed_text(model))
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        count = plural(len(given.table.frame), "{n:,} row", "{n:,} rows")
        st.markdown(f"**{escape_markdown(given.name)}** · {count}", width="content")
        quiet_button(message("Forget this file"), "second.forget", "", opening.forget_prediction_file)
    with page_frame.errors_shown():
        read = _read_file(model, given)
        columns = list(map(str, given.table.frame.columns))
        names = partial(names_table.show, read, columns, model.predictor.target if model.train else "")
        try:
            result = _predicted(model, given, read)
        except ex.InputError:  # which another choice of names may mend
            names()
            raise
        used = {*read.columns.values(), model.predictor.target}
        _show_predictions(given.table, result.predicted, _scores(model, given, result), model.predictor, used)
        _show_known_rows(model, given.key, result)
        names()
        of_file = _drift(model, given, result)
        if of_file is not None:
            of_file.show()
        turned_out = _outcomes(model, given, result)
        if turned_out is not None and isinstance(model.predictor, ex.Tree):
            outcomes.show(model.predictor, turned_out)
    st.caption(upload.kept_text(given))


def _needed_text(model: Model) -> str:
    """Which columns a file needs, those that become others by repairs included, and what the target is good for."""
    tree = model.predictor
    tested = [tree.features[feature].name for feature in tree.tested_features()]
    target, *wanted = dict.fromkeys(wanted_columns(tree, model.repairs))
    names = [name for name in wanted if name in tested or any(made.startswith(f"{name} (") for made in tested)]
    needed = message("It needs the columns {columns}.", columns=escape_markdown(listed_names(names))) if names else ""
    scored = message("With '{target}' the predictions are scored.", target=escape_markdown(target))
    return f"{needed} {scored}".strip()


def drift_marks(settings: Settings) -> list[Mark]:
    """Rings where the rows of the file part from the training rows or turn out otherwise; none before a file."""
    given = session.prediction_file()
    if given is None:
        return []
    model = of_settings(settings)
    try:
        result = _predicted(model, given, _read_file(model, given))
        of_file, turned_out = _drift(model, given, result), _outcomes(model, given, result)
    except ex.InputError:  # shown with the file
        return []
    return [
        *([] if of_file is None else of_file.marks),
        *([] if turned_out is None else outcomes.marks(turned_out)),
    ]


def _read_file(model: Model, given: session.Upload) -> ReadFile:
    return _read(f"{given.key} {model.key}", model.repairs, session.read().predict.names, model, given.table)


def _predicted(model: Model, given: session.Upload, read: ReadFile) -> PredictedFile:
    key = f"{given.key} {model.key} {session.read().predict.names!r}"
    return _predict(key, model.repairs, model, given.table, read)


def _drift(model: Model, given: session.Upload, result: PredictedFile) -> drift.DriftOfFile | None:
    """Where the rows part from the training rows; None for an ensemble, or without training rows."""
    if model.train is None or not isinstance(model.predictor, ex.Tree):
        return None
    key = f"{given.key} {model.key} {model.repairs!r} {session.read().predict.names!r}"
    return drift.of_rows(key, model.predictor, model.train, result.predicted.readable)


def _outcomes(model: Model, given: session.Upload, result: PredictedFile) -> LeafOutcomes | None:
    """How the rows turned out in the leaves; None for an ensemble, without training rows or without targets."""
    truth = result.predicted.truth
    if model.train is None or truth is None or not isinstance(model.predictor, ex.Tree):
        return None
    key = f"outcomes {given.key} {model.key} {model.repairs!r} {session.read().predict.names!r}"
    return outcomes.of_rows(key, model.predictor, model.train, result.predicted.readable, truth)


def _scores(model: Model, given: session.Upload, result: PredictedFile) -> SecondScores | None:
    """The scores of the rows beside those of the validation rows, where there may be some and targets are known."""
    truth = result.predicted.truth
    if model.train is None or truth is None or not isinstance(model.predictor, ex.Tree):
        return None
    valid = "" if model.valid is None else model.valid.fingerprint
    key = f"scores {given.key} {model.key} {valid} {model.repairs!r} {session.read().predict.names!r}"
    return scores.of_rows(key, model.predictor, model.valid, result.predicted.readable, truth)


def _show_known_rows(model: Model, key: str, result: PredictedFile) -> None:
    """How many rows of the file the tree was grown on, where there are some."""
    if result.predicted.score is None or model.train is None or model.table is None:
        return
    if result.read.frame.equals(model.table.frame):
        st.caption(message("These rows include the training set, so the score is optimistic."))
        return
    names = session.read().predict.names
    n_known = _known_rows(f"{key} {model.train.fingerprint} {names!r}", model.repairs, model.train, result.read)
    if n_known:
        text = plural(
            n_known,
            "{n:,} of these rows equals a training row in all features and the target, so the score may be optimistic.",
            "{n:,} of these rows equal a training row in all features and the target, so the score may be optimistic.",
        )
        st.caption(text)


@kept()
def _known_rows(key: str, repairs: tuple[ex.Repair, ...], _train: ex.Dataset, _read: ex.Table) -> int:
    return count_known_rows(_train, _read.frame)


@kept()
def _read(key: str, repairs: tuple[ex.Repair, ...], names: FileNames, _model: Model, _table: ex.Table) -> ReadFile:
    return read_file(_model.predictor, _model.train, _table, repairs, names)


@kept()
def _predict(
    key: str, repairs: tuple[ex.Repair, ...], _model: Model, _table: ex.Table, _file: ReadFile
) -> PredictedFile:
    return predict_read(_model.predictor, _model.train, _table, _file)


def _show_predictions(
    table: ex.Table, result: PredictedTable, found: SecondScores | None, model: Predictor, used: Container[str]
) -> None:
    """How many warnings there are, the score, the predictions and the file to download; then warnings and notes."""
    notes = grouped(result.notes)
    warnings = [note.text for note in notes if note.level == "warning"]
    if warnings:
        text = plural(len(warnings), "{n:,} warning below the table", "{n:,} warnings below the table")
        st.markdown(f":orange-badge[{text}]")
    remarks = [*table.notes, *(note.text for note in notes if note.level != "warning")]
    if result.score is not None:
        scores.show(result.score, found, model.is_regression)
    frame = _chosen_rows(result)
    shown = frame[_in_order(result, used)].head(_PREVIEW_ROWS)
    st.dataframe(shown, height=280 if len(shown) > 7 else "content", hide_index=True, key="second.rows", placeholder="")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.download_button(
            message("Download predictions (CSV)"),
            partial(predictions_csv, frame, model),
            file_name="predictions.csv",
            mime="text/csv",
            icon=":material/download:",
            key="second.download",
            on_click="ignore",
        )
        if len(frame) > _PREVIEW_ROWS:
            st.caption(message("The first {shown:,} of {n:,} rows.", shown=_PREVIEW_ROWS, n=len(frame)))
    page_frame.show_notes([("warning", text) for text in warnings])
    if remarks:
        with st.expander(plural(len(remarks), "{n:,} note on the file", "{n:,} notes on the file")):
            page_frame.show_notes([("info", text) for text in remarks])


def _chosen_rows(result: PredictedTable) -> pd.DataFrame:
    """All rows with their predictions, or those alone whose class is not the one predicted."""
    n = len(result.missed)
    if not n:
        return result.frame
    label = plural(n, "Only the {n:,} misclassified row", "Only the {n:,} misclassified rows")
    only = st.toggle(label, key=lasting("second.missed", False))
    return result.frame.iloc[result.missed] if only else result.frame


def _in_order(result: PredictedTable, used: Container[str]) -> list[str]:
    """The columns: those not `used` that tell the rows apart, the new ones, and all others."""
    own = [name for name in result.frame.columns if name not in result.added]
    ids = [name for name in own if name not in used and _is_id(result.frame[name])]
    return [*ids, *_leaf_second(result.added), *(name for name in own if name not in ids)]


def _is_id(cells: pd.Series) -> bool:
    return not pd.api.types.is_float_dtype(cells) and bool(cells.notna().all()) and cells.is_unique


def _leaf_second(added: Sequence[str]) -> list[str]:
    """The new columns with the last, a tree's leaf or action, after the prediction, as there may be many classes."""
    return [added[0], *added[:0:-1][:1], *added[1:-1]]
