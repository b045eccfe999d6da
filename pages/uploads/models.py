"""Models given where tables are: what the file holds decides on which page it opens, with the settings it was saved by.

They are kept for the session, in memory, and no link holds them.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import streamlit as st

import explorer as ex
from explorer.ensembles.members import Ensemble
from explorer.ensembles.open_model import is_model as is_model
from explorer.messages import message, paragraph
from pages.results import opened_tree
from pages.results.opened_tree import OpenedTree
from pages.settings import session
from pages.settings.settings import changed
from pages.uploads import saved_settings

_ENSEMBLE, _GOES_TO = "opened ensemble", "opened model.page"


@dataclass(frozen=True)
class OpenedEnsemble:
    """The ensemble with the name and the hash of its file; `whole` has all its rounds."""

    name: str
    key: str
    ensemble: Ensemble
    whole: Ensemble


def ensemble() -> OpenedEnsemble | None:
    """The ensemble that is open in this session."""
    opened: OpenedEnsemble | None = st.session_state.get(_ENSEMBLE)
    return opened


def close_ensemble() -> None:
    """Show the ensemble of the table again."""
    st.session_state.pop(_ENSEMBLE, None)


def give(name: str, content: bytes) -> None:
    """Open the model of a file; if it cannot be read, whatever is open stays."""
    try:
        fitted = ex.open_model(content, name)
        key = hashlib.sha256(content).hexdigest()
        if isinstance(fitted, ex.Tree):
            opened_tree.keep(OpenedTree(name, key, fitted))
            page, opens = "grow", message("'{name}' holds a single tree, which opens on the Grow page.", name=name)
        else:
            _show(OpenedEnsemble(name, key, fitted, fitted))
            page, opens = (
                "ensembles",
                message("'{name}' holds an ensemble, which opens on the Ensembles page.", name=name),
            )
    except ex.ExplorerError as error:
        session.notify("error", message("'{name}' was not opened. {error}", name=name, error=error))
        return
    st.session_state[_GOES_TO] = f"pages/{page}/page.py"
    session.notify("info", paragraph(filter(None, (opens, saved_settings.take(fitted)))))
    if page == "grow":
        session.keep(changed(session.read(), node=0, **_as_saved(fitted)))


def _as_saved(fitted: ex.Tree | Ensemble) -> dict[str, object]:
    """The tree predicts as its file says, not from a probability on or with actions chosen for another."""
    if not isinstance(fitted, ex.Tree):
        return {}
    own = {"decide": fitted.decision, "actions": fitted.actions}
    return {field: () for field, said in own.items() if not said}


def go_to_given() -> None:
    """Show the page of the model that was given since the last run of a page; a callback cannot leave its page."""
    if _GOES_TO in st.session_state:
        st.switch_page(st.session_state.pop(_GOES_TO))


def _show(opened: OpenedEnsemble) -> None:
    """Open an ensemble at its last stage."""
    st.session_state[_ENSEMBLE] = opened
    for shown in ("node", "state"):
        st.session_state.pop(f"{_ENSEMBLE}.{shown}", None)


def show_best_rounds(best_only: bool) -> None:
    """Show the rounds up to the one that early stopping chose, or all."""
    now = ensemble()
    if now is not None:
        fitted = now.whole.with_best_rounds() if best_only else now.whole
        _show(OpenedEnsemble(now.name, now.key, fitted, now.whole))
