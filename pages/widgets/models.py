"""Models of other programs, opened from a file: what the file holds decides on which page it opens."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import partial

import streamlit as st

import explorer as ex
from explorer.drawing.ensemble_view.payload import picture_payload
from explorer.drawing.tree_view.payload import tree_payload
from explorer.ensembles.members import Ensemble
from explorer.ensembles.picture import picture_of
from explorer.messages import message
from pages.settings import session
from pages.settings.ensemble_settings import METHODS
from pages.widgets import page_frame, upload

_TREE, _ENSEMBLE, _GOES_TO = "opened tree", "opened ensemble", "opened model.page"
_PAGES = {_TREE: "pages/data/page.py", _ENSEMBLE: "pages/ensembles/page.py"}


@dataclass(frozen=True)
class OpenedTree:
    """The tree with the name and the hash of its file, and as the view reads it."""

    name: str
    key: str
    tree: ex.Tree
    payload: bytes


@dataclass(frozen=True)
class OpenedEnsemble:
    """The ensemble with the name and the hash of its file, and as the view reads it; `whole` has all its rounds."""

    name: str
    key: str
    ensemble: Ensemble
    payload: bytes
    whole: Ensemble


def tree() -> OpenedTree | None:
    """The tree that is open in this session."""
    opened: OpenedTree | None = st.session_state.get(_TREE)
    return opened


def ensemble() -> OpenedEnsemble | None:
    """The ensemble that is open in this session."""
    opened: OpenedEnsemble | None = st.session_state.get(_ENSEMBLE)
    return opened


def close_tree() -> None:
    """Show the table again."""
    st.session_state.pop(_TREE, None)


def close_ensemble() -> None:
    """Show the ensemble of the table again."""
    st.session_state.pop(_ENSEMBLE, None)


def tree_uploader() -> None:
    """Where the file of a tree is given; an ensemble is taken too."""
    _uploader(message("The file of the model"), _TREE)


def ensemble_uploader() -> None:
    """Where the file of an ensemble is given; a single tree is taken too."""
    _uploader(message("The file of the model"), _ENSEMBLE)


def _uploader(label: str, holds: str) -> None:
    if _GOES_TO in st.session_state:
        to, said = st.session_state.pop(_GOES_TO)
        session.notify("info", said)
        st.switch_page(_PAGES[to])
    upload.file_uploader(label, None, f"{holds}.file", partial(_given, holds))
    for notice in session.take_notices(holds):
        page_frame.show_notice(notice.level, notice.text)


def _given(expected: str, name: str, content: bytes) -> None:
    """Open the model of the file; if it holds none, whatever is open stays."""
    try:
        fitted = ex.open_model(content, name)
        key = hashlib.sha256(content).hexdigest()
        if isinstance(fitted, ex.Tree):
            holds: str = _TREE
            opened: OpenedTree | OpenedEnsemble = OpenedTree(name, key, fitted, tree_payload(fitted))
        else:
            holds, opened = _ENSEMBLE, _opened_ensemble(name, key, fitted, fitted)
    except ex.ExplorerError as error:
        session.notify("error", message("'{name}' was not opened. {error}", name=name, error=error), expected)
        return
    _show(holds, opened)
    if holds != expected:
        st.session_state[_GOES_TO] = holds, _elsewhere(name, holds)


def _show(holds: str, opened: OpenedTree | OpenedEnsemble) -> None:
    """Open a model at its beginning: the root of a tree, the last stage of an ensemble."""
    st.session_state[holds] = opened
    for shown in ("node", "state"):
        st.session_state.pop(f"{holds}.{shown}", None)


def show_best_rounds(best_only: bool) -> None:
    """Show the rounds up to the one that early stopping chose, or all."""
    now = ensemble()
    if now is not None:
        fitted = now.whole.with_best_rounds() if best_only else now.whole
        _show(_ENSEMBLE, _opened_ensemble(now.name, now.key, fitted, now.whole))


def _elsewhere(name: str, holds: str) -> str:
    if holds == _TREE:
        return message("'{name}' holds a single tree, which opens on the Data page.", name=name)
    return message("'{name}' holds an ensemble, which opens on the Ensembles page.", name=name)


def _opened_ensemble(name: str, key: str, fitted: Ensemble, whole: Ensemble) -> OpenedEnsemble:
    payload = picture_payload(picture_of(fitted, method=METHODS[fitted.method]))
    return OpenedEnsemble(name, key, fitted, payload, whole)
