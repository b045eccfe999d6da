"""The tree of a large table is grown in the job pool: progress and Stop stand where the tree will be."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

import explorer as ex
from explorer.compiling import is_compiling, waits_for_loops
from explorer.jit import is_all_compiled
from explorer.messages import message
from pages.layout import query_steps, shell
from pages.results import connected_table, jobs, trees
from pages.results.comparing import comparison
from pages.results.connected import opened, remedies
from pages.results.connected.stopping import interruptible
from pages.results.resampled import held_out_nodes, near_ties
from pages.settings import session
from pages.settings.growing_options import Value
from pages.settings.settings import ROWS as ROWS_CHOSEN
from pages.settings.settings import Settings, choices_of, growing_of
from pages.text import escape_markdown
from pages.widgets import page_frame

ROWS = "rows"
"""In place of a slot: the rows alone, encoded and split, without a tree."""
COMPARISON = "comparison"
"""In place of a slot, after those of the sides: their scores and their first difference."""
_JOB = "job of the tree"
_EVERY = 0.4
"""Seconds between two looks at the job."""
_PHASES = {"columns": (0, 25), "split": (25, 35), "grow": (35, 85), "scores": (85, 100), "compare": (35, 100)}
"""From which to which per cent of the work each phase goes."""


def wait(settings: Settings, slots: tuple[str, ...] = ("grow",), rail: Callable[[], None] | None = None) -> None:
    """Go on where the trees are there or the table is small; else show how far they are, and end this run of the page.

    The page runs again by itself once they are there. `rail` shows the settings meanwhile: another choice ends the job
    and begins the next. Within a fragment the whole page runs again.
    """
    missing = next((slot for slot in slots if not _is_there(settings, slot)), None)
    jobs.stop_earlier(_JOB, _key(settings, missing) if missing is not None else "")
    if missing is None:
        return
    key = _key(settings, missing)
    job = jobs.pool().look(jobs.session(), key)
    if job is not None and job.state == "done":
        return  # what it made had to make room for other results: the page works it out itself
    if job is None:
        job = _submit(settings, missing)
    if rail is not None and trees.has_parts(settings):
        with shell.rail():
            rail()
    _show(job, settings, missing)
    st.stop()


def run_again_unless_there(settings: Settings) -> None:
    """For a fragment, of which the choices may ask for another tree: the whole page shows how far that one is."""
    if not _is_there(settings, "grow"):
        st.rerun()


def _is_there(settings: Settings, slot: str) -> bool:
    """Whether the page can go on; what cannot be grown it reports itself, beside the settings."""
    try:
        if slot == ROWS:
            return trees.has_parts(settings)
        if slot == COMPARISON:
            return comparison.is_worked_out(settings)
        return trees.has_grown(settings, slot) and (slot != "grow" or trees.has_curves(settings))
    except ex.ExplorerError:
        return True


def _key(settings: Settings, slot: str) -> str:
    """A text for everything that the tree and its scores depend on, known before anything is encoded."""
    rows = (settings.target, settings.features, settings.kinds, settings.weight, settings.view.class_labels)
    split = (settings.divide, settings.divide_by, *(getattr(settings, field) for field in ROWS_CHOSEN))
    growing: tuple[object, ...] = (slot,)
    if slot == COMPARISON:
        sides, compare = settings.compare.slots, settings.compare
        chosen = tuple((growing_of(settings, side), choices_of(settings, side)) for side in sides)
        pruning = (compare.pruned, compare.alphas, settings.alpha, settings.manual_steps)
        growing = (
            slot,
            compare.pair_slots,
            sides,
            chosen,
            pruning,
            settings.folds,
            settings.fold_seed,
            settings.fold_gap,
            settings.fold_rows,
        )
    elif slot != ROWS:
        growing = (slot, growing_of(settings, slot), growing_of(settings, "left"), choices_of(settings, slot))
    return f"tree {trees.source(settings).key} {rows!r} {split!r} {growing!r} {settings.risk} {settings.metric}"


def _submit(settings: Settings, slot: str) -> jobs.Job:
    key, source = _key(settings, slot), trees.source(settings)
    st.session_state[_JOB] = key
    return jobs.pool().submit(jobs.session(), key, lambda progress: _work(settings, slot, source, progress))


def _work(settings: Settings, slot: str, source: trees.Source, progress: jobs.Progress) -> None:
    """Everything that pages need of the tree, phase by phase; the results are kept."""
    with trees.on_table(source), interruptible(progress) as progress:
        with jobs.reporting_to(_within("columns", progress)):
            if settings.connected:
                connected_table.prepare(settings, jobs.reporting())
            _ = trees.data(settings).notes  # which look at every cell, and are kept with the table
        with jobs.reporting_to(_within("split", progress)):
            trees.parts(settings)
        if slot == ROWS:
            return
        if slot == COMPARISON:
            with jobs.reporting_to(_within("compare", progress)):
                comparison.work_out(settings)
            return
        with jobs.reporting_to(_within("grow", progress)):
            trees.grown(settings, slot)
        if slot == "grow":
            with jobs.reporting_to(_within("scores", progress)):
                trees.curves(settings)
                trees.tree_payload(settings)
                near_ties.marked(settings, 0)
                held_out_nodes.of_tree(settings)


def _within(phase: str, progress: jobs.Progress) -> jobs.Progress:
    """Report the progress of a phase as per cent of all the work."""
    begin, end = _PHASES[phase]
    progress(begin, 100)
    return lambda done, total: progress(begin + (end - begin) * done // max(total, 1), 100)


def _show(job: jobs.Job, settings: Settings, slot: str) -> None:
    """How far the job is, or why there is no tree."""
    with st.container(key="growing"):
        if job.is_active:
            _progress(settings, slot, trees.has_parts(settings))
        elif job.state == "failed":
            page_frame.show_notice("error", job.problem)
            if settings.connected:
                _offer_ways_out(job.problem, settings, slot)
        else:
            st.caption(message("Stopped. The tree of these settings was not grown."))
            _offer_start(message("Grow the tree"), slot)


def _offer_start(label: str, slot: str) -> None:
    st.button(label, icon=":material/play_arrow:", key="growing.start", on_click=partial(_start_again, slot))


def _offer_ways_out(problem: str, settings: Settings, slot: str) -> None:
    """What helps where a connected table refuses a recipe, has changed, or its engine could not go on."""
    recipe = trees.recipe(settings, slot) if slot not in (ROWS, COMPARISON) else None
    changes = remedies.remedy(recipe, problem) if recipe is not None else {}
    if changes:
        label = message("Grow with {changes}", changes=escape_markdown(remedies.text(changes)))
        st.button(label, key="growing.remedy", type="primary", on_click=_take_remedy, args=(slot, changes))
        return
    st.caption(message("All settings are kept, and so is every tree that was grown before."))
    with st.container(horizontal=True):
        _offer_start(message("Try again"), slot)
        st.button(message("Connect and grow again"), key="growing.connect", on_click=opened.connect_again)


def _take_remedy(slot: str, changes: dict[str, Value]) -> None:
    growing = trees.explicit(session.read(), slot)
    for field, value in changes.items():
        growing = growing.with_change(field, value)
    session.attempt(lambda settings: trees.check(settings, slot), **{slot: growing})


def _start_again(slot: str) -> None:
    _submit(session.read(), slot)


@st.fragment(run_every=_EVERY)
def _progress(settings: Settings, slot: str, had_parts: bool) -> None:
    """How far the job is; the whole page runs again when it has ended, and once its settings can be shown."""
    key = _key(settings, slot)
    job = jobs.pool().look(jobs.session(), key)
    if job is None or not job.is_active or trees.has_parts(settings) != had_parts:
        st.rerun()
    st.progress(job.done / 100 if job.total else 0.0, text=_phase_text(job, settings, slot))
    stop = partial(jobs.pool().stop, jobs.session(), key)
    st.button(message("Stop"), icon=":material/stop:", key="growing.stop", on_click=stop)
    if settings.connected:
        query_steps.show_newest(settings)


def _compiles_for_small_nodes(job: jobs.Job, settings: Settings) -> bool:
    """Whether a connected table has come to nodes that are grown in memory, whose loops are still being compiled."""
    begin, end = _PHASES["grow"]
    return (
        bool(settings.connected)
        and is_compiling()
        and not is_all_compiled()
        and begin <= job.done < end
        and connected_table.grows_small_nodes(settings)
    )


def _phase_text(job: jobs.Job, settings: Settings, slot: str) -> str:
    """What is done now, and on how many rows: the tree grows on those of the training set."""
    if job.state == "queued":
        return message("Waiting for other work to end")
    if slot == COMPARISON:
        return message("Comparing the trees")
    if waits_for_loops() or _compiles_for_small_nodes(job, settings):
        return message("Compiling the program, once after its installation")
    n_rows = trees.source(settings).n_rows
    phase = next((name for name, (_, end) in _PHASES.items() if job.done < end), "scores")
    if settings.connected and phase == "grow":
        return connected_table.progress_text(settings, trees.recipe(settings, slot).max_depth) or message(
            "Growing the tree"
        )
    if phase == "grow" and trees.has_parts(settings):
        n_train = trees.parts(settings).train.n_rows
        return message("Growing the tree on {n:,} training rows", n=n_train)
    texts = {
        "columns": message("Encoding the columns of {n:,} rows", n=n_rows),
        "split": message("Splitting {n:,} rows", n=n_rows),
        "grow": message("Growing the tree"),
        "scores": message("Scoring every pruned tree"),
    }
    return texts[phase]
