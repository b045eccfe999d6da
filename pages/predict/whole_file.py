"""Predictions for a whole file: problems of its columns, the score, and the predictions."""

from __future__ import annotations

from functools import partial

import streamlit as st

import explorer as ex
from explorer.explaining.predict_table import KnownScore, PredictedTable, predict_table
from pages.results import prediction, trees
from pages.results.trees import KEPT
from pages.settings import session
from pages.settings.session import Upload
from pages.settings.settings import Settings
from pages.text import escape_markdown, plain_csv, score_name, score_text
from pages.widgets import page_frame, upload

_FORGOTTEN = "second.forgotten"
_PREVIEW_ROWS = 200


def show(settings: Settings) -> None:
    """The uploader, and the result for the last file."""
    key = f"second.file.{st.session_state.get(_FORGOTTEN, 0)}"
    st.file_uploader(
        "A file with the columns of the table", key=key, on_change=_given, args=(key,), help="CSV, TSV, Parquet, Excel."
    )
    given = session.prediction_file()
    if given is None:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{escape_markdown(given.name)}** · {len(given.table.frame):,} rows")
        st.button("Forget it", icon=":material/close:", key="second.forget", on_click=_forget)
    with page_frame.errors_shown():
        _show_predictions(given, _predicted(settings, given), trees.data(settings).is_regression)


def _forget() -> None:
    """Forget the file; the uploader is then a new and empty one."""
    session.keep_prediction_file(None)
    st.session_state[_FORGOTTEN] = st.session_state.get(_FORGOTTEN, 0) + 1


def _given(key: str) -> None:
    """Read the uploaded file; whatever goes wrong, the one before stays."""
    given = upload.read(key, "The file answered before is still here." if session.prediction_file() else "")
    if given is not None:
        session.keep_prediction_file(given)


def _predicted(settings: Settings, given: Upload) -> PredictedTable:
    train = trees.parts(settings).train
    key = f"{given.fingerprint} {given.name} {prediction.tree_key(settings)}"  # the name may decide how a file is read
    return _predict(key, prediction.predicting_tree(settings), train, given)


@st.cache_resource(ttl=KEPT, max_entries=8, show_spinner="Answering the rows …")
def _predict(key: str, _tree: ex.Tree, _train: ex.Dataset, _given: Upload) -> PredictedTable:
    return predict_table(_tree, _train, _given.table.frame)


def _show_predictions(given: Upload, result: PredictedTable, is_regression: bool) -> None:
    """Warnings in view, remarks folded; then the score, the predictions, and the file to download."""
    page_frame.show_notes([(note.level, note.text) for note in result.notes if note.level == "warning"])
    remarks = [*given.table.notes, *(note.text for note in result.notes if note.level != "warning")]
    with st.expander(f"Remarks on the file: {len(remarks)}"):
        page_frame.show_notes([("info", text) for text in remarks])
    if result.score is not None:
        _show_score(result.score, is_regression)
    own = [name for name in result.frame.columns if name not in result.added]
    shown = result.frame[[*result.added, *own]].head(_PREVIEW_ROWS)
    st.dataframe(shown, height=280 if len(shown) > 7 else "content", hide_index=True, key="second.rows", placeholder="")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.download_button(
            "Download all answers (CSV)",
            partial(plain_csv, result.frame),
            file_name="answers.csv",
            mime="text/csv",
            icon=":material/download:",
            key="second.download",
            on_click="ignore",
        )
        if len(result.frame) > _PREVIEW_ROWS:
            st.caption(f"The first {_PREVIEW_ROWS:,} of {len(result.frame):,} rows are shown.")


def _show_score(score: KnownScore, is_regression: bool) -> None:
    name = score_name(is_regression)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.metric(name.capitalize(), score_text(score.value, is_regression), width="content")
        st.metric("Baseline", score_text(score.baseline, is_regression), width="content")
        baseline_text = (
            "the mean of the training rows" if is_regression else "the most frequent class of the training rows"
        )
        st.caption(f"On the {score.n_rows:,} rows whose target is known. The baseline always answers {baseline_text}.")
