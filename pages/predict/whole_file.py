"""Predictions for a whole file: problems of its columns, the score, and the predictions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

import explorer as ex
from explorer.explaining.known_rows import count_known_rows
from explorer.explaining.predict_file import PredictedFile, predict_file
from explorer.explaining.predict_table import KnownScore, PredictedTable
from explorer.export.plain_csv import plain_csv
from explorer.messages import message, plural
from pages.results import prediction, trees
from pages.results.cache import kept
from pages.settings import session
from pages.settings.settings import Settings
from pages.text import escape_markdown, score_name, score_text
from pages.uploads import opening
from pages.uploads.reading import PREDICTION
from pages.widgets import page_frame, upload

_PREVIEW_ROWS = 200


def show(settings: Settings) -> None:
    """The uploader, and the result for the last file."""
    upload.table_uploader(message("A file with the columns of the table"), "second.file", PREDICTION)
    upload.show_reading(PREDICTION)
    for notice in session.take_notices(opening.PREDICTION_PLACE):
        page_frame.show_notice(notice.level, notice.text)
    given = session.prediction_file()
    if given is None:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        count = plural(len(given.table.frame), "{n:,} row", "{n:,} rows")
        st.markdown(f"**{escape_markdown(given.name)}** · {count}", width="content")
        st.button(
            message("Forget this file"), key="second.forget", type="tertiary", on_click=opening.forget_prediction_file
        )
    with page_frame.errors_shown():
        result = _predicted(settings, given.key, given.table)
        _show_predictions(given.table, result.predicted, trees.data(settings).is_regression)
        is_same = result.predicted.score is not None and result.read.frame.equals(trees.source(settings).table.frame)
        if is_same:
            st.caption(message("These rows include the training set, so the score is optimistic."))
        elif result.predicted.score is not None:
            _show_known_rows(settings, given.key, result.read)
    st.caption(upload.kept_text(given))


def _show_known_rows(settings: Settings, key: str, read: ex.Table) -> None:
    """How many rows of the file the tree was grown on, where there are some."""
    train = trees.parts(settings).train
    n_known = _known_rows(f"{key} {train.fingerprint}", settings.repairs, train, read)
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


def _predicted(settings: Settings, key: str, table: ex.Table) -> PredictedFile:
    train = trees.parts(settings).train
    tree, tree_key = prediction.predicting_tree(settings), prediction.tree_key(settings)
    return _predict(f"{key} {tree_key}", settings.repairs, tree, train, table)


@kept()
def _predict(
    key: str, repairs: tuple[ex.Repair, ...], _tree: ex.Tree, _train: ex.Dataset, _table: ex.Table
) -> PredictedFile:
    return predict_file(_tree, _train, _table, repairs)


def _show_predictions(table: ex.Table, result: PredictedTable, is_regression: bool) -> None:
    """How many warnings there are, the score, the predictions and the file to download; then warnings and notes."""
    warnings = [note.text for note in result.notes if note.level == "warning"]
    if warnings:
        text = plural(len(warnings), "{n:,} warning below the table", "{n:,} warnings below the table")
        st.markdown(f":orange-badge[{text}]")
    remarks = [*table.notes, *(note.text for note in result.notes if note.level != "warning")]
    if result.score is not None:
        _show_score(result.score, is_regression)
    own = [name for name in result.frame.columns if name not in result.added]
    shown = result.frame[[*_leaf_second(result.added), *own]].head(_PREVIEW_ROWS)
    st.dataframe(shown, height=280 if len(shown) > 7 else "content", hide_index=True, key="second.rows", placeholder="")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.download_button(
            message("Download predictions (CSV)"),
            partial(plain_csv, result.frame),
            file_name="predictions.csv",
            mime="text/csv",
            icon=":material/download:",
            key="second.download",
            on_click="ignore",
        )
        if len(result.frame) > _PREVIEW_ROWS:
            st.caption(message("The first {shown:,} of {n:,} rows.", shown=_PREVIEW_ROWS, n=len(result.frame)))
    page_frame.show_notes([("warning", text) for text in warnings])
    if remarks:
        with st.expander(plural(len(remarks), "{n:,} note on the file", "{n:,} notes on the file")):
            page_frame.show_notes([("info", text) for text in remarks])


def _leaf_second(added: Sequence[str]) -> list[str]:
    """The new columns with the leaf right after the prediction, since there may be many classes."""
    return [added[0], added[-1], *added[1:-1]]


def _show_score(score: KnownScore, is_regression: bool) -> None:
    with st.container(key="file_score"):
        st.metric(score_name(is_regression).capitalize(), score_text(score.value, is_regression), width="content")
        baseline = message("Mean baseline") if is_regression else message("Majority baseline")
        st.metric(baseline, score_text(score.baseline, is_regression), width="content")
    st.caption(
        plural(
            score.n_rows,
            "On the {n:,} row whose target is known.",
            "On the {n:,} rows whose target is known.",
        )
    )
