"""Long work that a reader starts on a page: controls, progress, stop, and the result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from explorer.messages import message
from pages.results import jobs
from pages.settings import session, url
from pages.settings.settings import Settings
from pages.widgets import controls, page_frame

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
    if job.state == "queued":
        waits = message("Waiting for other work to end")
    else:
        waits = message("{step} {n} of {total}", step=step, n=min(job.done + 1, total), total=total)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.progress(job.done / total, text=waits)
        st.button(
            message("Stop"), icon=":material/stop:", key=button, on_click=jobs.pool().stop, args=(jobs.session(), key)
        )


def on_folds(
    name: str, label: str, steps: tuple[str, int], key: str, work: jobs.Work, settings: Settings
) -> object | None:
    """Like `run`, with controls of the folds that the work uses."""
    return run(name, label, steps, key, work, lambda: controls.folds(settings, where=name))


def run(
    name: str,
    label: str,
    steps: tuple[str, int],
    key: str,
    work: jobs.Work,
    show_controls: Callable[[], None] | None = None,
) -> object | None:
    """The result of the work under its key; before it is there, a button labelled so, then progress step by step.

    `steps` are what one is called and how many there are; controls stand left of the button.
    """
    submit = partial(_submit, key, work)
    (job,) = started([key], f"{name}.run", submit)
    if job is not None and job.state == "done" and show_controls is None:
        return job.result
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if show_controls is not None:
            show_controls()
        submit_button(job, label, ":material/play_arrow:", f"{name}.run", submit)
    return outcome(job, key, steps, f"{name}.stop")


def submit_button(job: jobs.Job | None, label: str, icon: str, name: str, submit: Callable[[], None]) -> None:
    """The button that gives the work to the pool; without effect while its job runs or once there is a result."""
    st.button(label, icon=icon, key=name, on_click=begin, args=(name, submit), disabled=is_submitted(job))


def begin(name: str, submit: Callable[[], None]) -> None:
    """Give the work of this name to the pool, also in whatever session begins with the address."""
    submit()
    session.keep_started(name, True)


def is_submitted(job: jobs.Job | None) -> bool:
    """Whether the job runs or has its result."""
    return job is not None and (job.is_active or job.state == "done")


def started(keys: Sequence[str], name: str, submit: Callable[[], None]) -> list[jobs.Job | None]:
    """The jobs of these keys, which begin without a click where the session began with an address that has the name.

    The address has it from now on if all of them run or have their result. The page then runs once more, as after a
    click: what stands above the button may show a result that other readers' work has already brought.
    """
    if session.is_to_start(name):
        submit()
        st.rerun()
    found = [jobs.pool().look(jobs.session(), key) for key in keys]
    session.keep_started(name, all(map(is_submitted, found)))
    url.write()
    return found


def go_on(keys: Sequence[str], name: str, submit: Callable[[], None], steps: tuple[str, int]) -> None:
    """What the address has started, with its progress, where the tab of its button is closed.

    For work whose result stands outside of that tab too.
    """
    for job, key in zip(started(keys, name, submit), keys, strict=True):
        if job is not None and job.is_active:
            show(key, *steps, f"{name}.stop.{key}")


def outcome(job: jobs.Job | None, key: str, steps: tuple[str, int], stop: str = "stop_job") -> object | None:
    """The result of the work submitted under this key; else its progress, or why there is none.

    `stop` is the key of the button that stops it.
    """
    if job is None:
        return None
    step, count = steps
    if job.is_active:
        show(key, step, count, stop)
    elif job.state == "failed":
        page_frame.show_notice("error", job.problem)
    elif job.state == "stopped":
        st.caption(message("Stopped after {done} of {total} steps.", done=job.done, total=job.total or count))
    return job.result


def _submit(key: str, work: jobs.Work) -> None:
    jobs.pool().submit(jobs.session(), key, work)
