"""An ensemble that another program fitted, opened from a file: its members on the same page, without rows."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import partial

import pandas as pd
import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

import explorer as ex
from explorer.drawing.ensemble_view import colour_themes as ensemble_colours
from explorer.drawing.ensemble_view.payload import picture_payload
from explorer.drawing.tree_view import colour_themes
from explorer.drawing.tree_view.payload import tree_payload
from explorer.ensembles.members import Ensemble
from explorer.ensembles.picture import picture_of
from explorer.ensembles.readers.scikit_learn_json import sklearn_ensemble_snippet
from explorer.messages import message, plural
from pages.ensembles import members_tab
from pages.layout import bar, shell
from pages.settings import session
from pages.settings.ensemble_settings import METHODS
from pages.settings.settings import Settings
from pages.text import escape_markdown, number
from pages.widgets import downloads, page_frame, tree_panels, tree_view, upload
from pages.widgets.ensembles import view
from pages.widgets.ensembles.view import Shown

_OPENED, _STATE, _NODE, _PLACE = "opened ensemble", "opened ensemble.state", "opened ensemble.node", "en"


@dataclass(frozen=True)
class OpenedEnsemble:
    """The ensemble with the name of its file, and as the view reads it."""

    name: str
    ensemble: Ensemble
    payload: bytes


def current() -> OpenedEnsemble | None:
    """The ensemble that is open in this session."""
    opened: OpenedEnsemble | None = st.session_state.get(_OPENED)
    return opened


def offer() -> None:
    """How an ensemble gets out of another program, and where its file is given."""
    now = current()
    key = f"en_open_{id(now) if now else 0}"  # another popover once a file is open: it is closed, and covers nothing
    with st.popover(message("Open an ensemble"), key=key, width="stretch"), st.container(key="sklearn_body"):
        st.markdown(message("**XGBoost**: run `model.save_model('ensemble.json')`."))
        st.markdown(message("**scikit-learn**: run these lines after `clf.fit(X, y)`. They use no pickle."))
        st.code(sklearn_ensemble_snippet(), language="python", height=150)
        upload.file_uploader(message("The file ensemble.json"), ["json"], "opened ensemble.file", _file_given)
        for notice in session.take_notices(_PLACE):
            page_frame.show_notice(notice.level, notice.text)


def _file_given(given: UploadedFile) -> None:
    """Open the ensemble of the file; if it is none, whatever is open stays."""
    try:
        ensemble = read(given.getvalue())
        payload = picture_payload(picture_of(ensemble, method=METHODS[ensemble.method]))
    except ex.ExplorerError as error:
        session.notify("error", message("'{name}' was not opened. {error}", name=given.name, error=error), _PLACE)
        return
    st.session_state[_OPENED] = OpenedEnsemble(given.name, ensemble, payload)
    st.session_state[_STATE], st.session_state[_NODE] = Shown(ensemble.n_stages), 0


def read(content: bytes) -> Ensemble:
    """The ensemble in a file: one saved here, scikit-learn's by the snippet, or XGBoost's; raises InputError."""
    try:
        plain = json.loads(content)
    except (ValueError, RecursionError):
        plain = None
    if isinstance(plain, dict) and "ensemble" in plain:
        return Ensemble.from_sklearn_json(content)
    if isinstance(plain, dict) and "format" in plain:
        return Ensemble.from_dict(plain)
    if not isinstance(plain, dict) or "learner" not in plain:
        raise ex.InputError(
            message(
                "The file holds no ensemble. Save it again: model.save_model('ensemble.json') with XGBoost, or the "
                "lines above with scikit-learn."
            )
        )
    return Ensemble.from_xgboost_json(content)


def show(settings: Settings) -> None:
    """The page of the open ensemble."""
    bar.show(settings, files=None)
    with shell.rail():
        st.button(message("Close this ensemble"), key="en.close", icon=":material/close:", on_click=_close)
        offer()
    _workbench()


def _close() -> None:
    st.session_state.pop(_OPENED, None)


@st.fragment
def _workbench() -> None:
    now, settings = current(), session.read()
    if now is None:
        return
    state: Shown = st.session_state.get(_STATE, Shown())
    stage, inspector = shell.workbench()
    is_member = 0 <= state.member < len(now.ensemble.members)
    with stage:
        if is_member:
            _member(now.ensemble, state.member, settings)
        else:
            _ensemble(now, state, settings)
    with inspector:
        _head(now)
        if is_member:
            _node(now.ensemble, state.member, settings)
        else:
            members_tab.table(now.ensemble, "en.opened_members", _open)


def _ensemble(now: OpenedEnsemble, state: Shown, settings: Settings) -> None:
    themes = ensemble_colours(len(now.ensemble.classes), settings.palette)
    view.view("opened_ensemble", now.payload, state, themes, _take, presenter=settings.view.presenter)


def _take(shown: Shown) -> None:
    st.session_state[_STATE], st.session_state[_NODE] = shown, 0


def _open(line: int | None) -> None:
    if line is not None:
        state: Shown = st.session_state[_STATE]
        _take(Shown(state.stage, line, -1, state.tab))


def _member(ensemble: Ensemble, position: int, settings: Settings) -> None:
    """The member's tree, below the way back."""
    tree, node = ensemble.members[position].tree, int(st.session_state.get(_NODE, 0))
    with st.container(key="member_stage"):
        with st.container(key="member_head", horizontal=True, vertical_alignment="center", gap="small"):
            back = partial(_take, Shown(ensemble.members[position].stage))
            st.button(message("Ensemble"), key="en.opened_back", icon=":material/arrow_back:", on_click=back)
            of = len(ensemble.members)
            st.markdown(message("**Member {n:,}** of {of:,}", n=position + 1, of=of), width="content")
        themes = colour_themes(len(tree.classes), settings.palette)
        rule = tree_panels.rule(tree, node)
        tree_view.view("opened_member", tree_payload(tree), tree_view.Shown(node), themes, _select, rule=rule)


def _select(shown: tree_view.Shown) -> None:
    st.session_state[_NODE] = max(shown.selected, 0)


def _head(now: OpenedEnsemble) -> None:
    ensemble = now.ensemble
    st.subheader(escape_markdown(now.name), anchor=False)
    members = plural(len(ensemble.members), "{n:,} member", "{n:,} members")
    method = METHODS[ensemble.method]
    st.caption(message("{method} of {origin}: {members}.", method=method, origin=ensemble.origin, members=members))
    st.info(
        message(
            "The file holds the trees, not the training rows. Scores, candidates and weights need rows: upload the "
            "table and grow an ensemble on it."
        ),
        icon=":material/info:",
    )


def _node(ensemble: Ensemble, position: int, settings: Settings) -> None:
    """The selected node of the member, and the member as files."""
    tree = ensemble.members[position].tree
    node_id = min(int(st.session_state.get(_NODE, 0)), tree.n_nodes_grown - 1)
    node = tree.node(node_id)
    facts = {
        message("rule"): tree_panels.rule(tree, node_id),
        message("weight"): number(node.weight),
        message("answer"): number(float(tree.values[node_id])) if tree.is_regression else str(node.label),
        message("vote"): number(ensemble.members[position].vote),
    }
    frame = pd.DataFrame({message("what"): list(facts), message("value"): list(facts.values())})
    st.dataframe(frame, key="en.opened_node", hide_index=True, placeholder="")
    with st.expander(message("Download")):
        downloads.of_tree(tree, settings.palette)
