"""Progress of long work, looked at again and again, with a button that stops it."""

from __future__ import annotations

import streamlit as st

from pages.parts import jobs

_EVERY = 0.4
"""Seconds between two looks at a job that runs."""


@st.fragment(run_every=_EVERY)
def show(key: str, step: str, steps: int, button: str = "stop_job") -> None:
    """How far the job of so many `steps` is, each called a `step`; the whole page runs once more when it has ended.

    `button` is the key of the button that stops it: jobs on one page need different ones.
    """
    job = jobs.pool().look(jobs.session(), key)
    if job is None or not job.is_active:
        st.rerun()
    total = job.total or steps
    waits = (
        "Waiting for other work to end" if job.state == "queued" else f"{step} {min(job.done + 1, total)} of {total}"
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        st.progress(job.done / total, text=waits)
        st.button("Stop", icon=":material/stop:", key=button, on_click=jobs.pool().stop, args=(jobs.session(), key))
