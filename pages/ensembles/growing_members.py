"""A large ensemble is grown in the job pool: progress and Stop stand where its picture will be."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from explorer.messages import message, plural
from pages.layout import shell
from pages.results import ensembles, jobs, trees
from pages.settings import session
from pages.settings.settings import Settings
from pages.widgets import page_frame

_JOB, _WAITS = "job of the ensemble", "waits for members"
_EVERY, _PATIENCE = 0.4, 10
"""Seconds between two looks at the job, and how many looks a page waits for the members of one that was stopped."""


def wait(settings: Settings, rail: Callable[[], None]) -> None:
    """Go on where the ensemble is there; else show how far it is, and end this run of the page.

    `rail` shows the settings meanwhile: another choice ends the job and begins the next.
    """
    key = ensembles.key_of(settings)
    is_there = ensembles.is_there(settings)
    jobs.stop_earlier(_JOB, "" if is_there else key)
    if is_there:
        return
    job = jobs.pool().look(jobs.session(), key) or _submit(settings)
    with shell.rail():
        rail()
    with st.container(key="growing"):
        if job.is_active or job.state == "done":
            _progress(settings)
        elif job.state == "failed":
            page_frame.show_notice("error", job.problem)
        elif st.session_state.get(_WAITS, 0) < _PATIENCE:
            _wait_for_members(settings)
        else:
            st.caption(message("Stopped before the first tree was there."))
            show_again()
    st.stop()


def run_again_unless_there(settings: Settings) -> None:
    """For a fragment, of which the choices may ask for another ensemble: the whole page shows how far that one is."""
    if not ensembles.is_there(settings):
        st.rerun()


def show_again() -> None:
    """The button that grows the whole ensemble after a stop."""
    st.button(message("Grow all trees"), icon=":material/play_arrow:", key="en.again", on_click=_again)


def _again() -> None:
    ensembles.forget_part(session.read())
    _submit(session.read())


def _submit(settings: Settings) -> jobs.Job:
    key, source = ensembles.key_of(settings), trees.source(settings)
    st.session_state[_JOB], st.session_state[_WAITS] = key, 0
    return jobs.pool().submit(jobs.session(), key, partial(ensembles.grow_in_job, settings, source))


@st.fragment(run_every=_EVERY)
def _progress(settings: Settings) -> None:
    """How far the job is; the whole page runs again when it has ended."""
    key = ensembles.key_of(settings)
    job = jobs.pool().look(jobs.session(), key)
    if job is None or not job.is_active:
        st.rerun()
    st.progress(min(job.done / job.total, 1.0) if job.total else 0.0, text=_how_far(job))
    stop = partial(jobs.pool().stop, jobs.session(), key)
    help_text = message("The trees so far are kept and shown: they are an ensemble too.")
    st.button(message("Stop"), icon=":material/stop:", key="en.stop", on_click=stop, help=help_text)


def _how_far(job: jobs.Job) -> str:
    if job.state == "queued":
        return message("Waiting for other work to end")
    if job.total and job.done >= job.total:
        return message("Scoring the ensemble at every stage")
    return plural(job.total, "Growing tree {done:,} of {n:,}", "Growing tree {done:,} of {n:,}", done=job.done)


@st.fragment(run_every=_EVERY)
def _wait_for_members(settings: Settings) -> None:
    """After a stop: the member that is being grown ends first, then those so far are there."""
    st.session_state[_WAITS] = st.session_state.get(_WAITS, 0) + 1
    if ensembles.partly(settings) is not None or st.session_state[_WAITS] >= _PATIENCE:
        st.rerun()
    st.caption(message("Stopping …"))
