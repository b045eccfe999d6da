"""Models given where tables are: what the file holds decides on which page it opens, with the settings it was saved by.

They are kept for the session, in memory, and no link holds them.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import streamlit as st

import explorer as ex
from explorer.drawing.ensemble_view.payload import picture_payload
from explorer.drawing.tree_view.payload import tree_payload
from explorer.ensembles.members import Ensemble
from explorer.ensembles.open_model import is_model as is_model
from explorer.ensembles.picture import picture_of
from explorer.messages import message, paragraph
from pages.settings import session
from pages.settings.ensemble_settings import METHODS
from pages.uploads import saved_settings

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
    """Show the tree of the table again."""
    st.session_state.pop(_TREE, None)


def close_ensemble() -> None:
    """Show the ensemble of the table again."""
    st.session_state.pop(_ENSEMBLE, None)


def give(name: str, content: bytes) -> None:
    """Open the model of a file; if it cannot be read, whatever is open stays."""
    try:
        fitted = ex.open_model(content, name)
        key = hashlib.sha256(content).hexdigest()
        if isinstance(fitted, ex.Tree):
            _show(_TREE, OpenedTree(name, key, fitted, tree_payload(fitted)))
            opens = message("'{name}' holds a single tree, which opens on the Data page.", name=name)
        else:
            _show(_ENSEMBLE, _opened_ensemble(name, key, fitted, fitted))
            opens = message("'{name}' holds an ensemble, which opens on the Ensembles page.", name=name)
    except ex.ExplorerError as error:
        session.notify("error", message("'{name}' was not opened. {error}", name=name, error=error))
        return
    st.session_state[_GOES_TO] = _TREE if isinstance(fitted, ex.Tree) else _ENSEMBLE
    session.notify("info", paragraph([opens, saved_settings.take(fitted)]))


def go_to_given() -> None:
    """Show the page of the model that was given since the last run of a page; a callback cannot leave its page."""
    if _GOES_TO in st.session_state:
        st.switch_page(_PAGES[st.session_state.pop(_GOES_TO)])


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


def _opened_ensemble(name: str, key: str, fitted: Ensemble, whole: Ensemble) -> OpenedEnsemble:
    payload = picture_payload(picture_of(fitted, method=METHODS[fitted.method]))
    return OpenedEnsemble(name, key, fitted, payload, whole)
