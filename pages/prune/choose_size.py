"""Choosing the size of the tree: cross-validation, and the reasons in words."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

import explorer as ex
from explorer.messages import message
from pages.results import jobs, tree_size
from pages.results.cross_validation import folding, folds_key, n_folds
from pages.settings import session
from pages.settings.settings import Settings
from pages.text import escape_markdown
from pages.widgets import controls, job_button, page_frame

_NAME = "cross_validate"


def stands_in_rail(settings: Settings) -> bool:
    """Whether the rail has the controls, in view whatever tab is open; it is hidden or inert for a lecture."""
    return not (settings.view.presenter or settings.view.frozen)


def show(settings: Settings) -> None:
    """Cross-validation, and what it says of another size that is best on the validation rows."""
    with page_frame.errors_shown():
        other = tree_size.other_best(settings, cross_validation(settings))
        if other:
            st.caption(other)


def cross_validation(settings: Settings) -> ex.CrossValidation | None:
    """Controls and progress of cross-validating the sequence; gives the result once there is one."""
    key = folds_key(settings)
    (job,) = job_button.started([key], _NAME, _submit)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        controls.folds(settings)
        job_button.submit_button(job, message("Cross-validate"), ":material/cached:", _NAME, _submit)
    result = job_button.outcome(job, key, (message("Fold"), n_folds(settings)))
    return result if isinstance(result, ex.CrossValidation) else None


def go_on(settings: Settings) -> None:
    """Cross-validate where a link says so, though the controls are in another tab: the tree shows what comes of it."""
    job_button.go_on([folds_key(settings)], _NAME, _submit, (message("Fold"), n_folds(settings)))


def _submit() -> None:
    """Give the work to the pool, under the settings of the moment of the click."""
    settings = session.read()
    jobs.pool().submit(jobs.session(), folds_key(settings), folding(settings))


def why(lines: Sequence[str], text: str) -> None:
    """What the scores are and the trees by them, a line each; why in sentences, to copy, behind a click.

    Without lines the sentences are in view.
    """
    if not lines:
        st.markdown(escape_markdown(text))
        return
    heading, *trees = map(escape_markdown, lines)
    st.markdown("  \n".join([f"**{heading[:1].upper()}{heading[1:]}**", *trees]))
    with st.expander(message("In sentences")), st.container(key="sentences"):
        st.code(text, language=None, wrap_lines=True)
