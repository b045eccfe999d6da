"""The tab: how the rows are resampled, the work in the background, and what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

import explorer as ex
from explorer.messages import message, plural
from pages.grow.stability import node_part, pair, root_part, small_trees
from pages.results import jobs, trees
from pages.results.resampled import stability as results
from pages.settings import session
from pages.settings.settings import Settings
from pages.text import escape_markdown
from pages.widgets import controls, job_button


def show(settings: Settings, node_id: int) -> None:
    """Controls, progress, and the result once it is there."""
    if session.read().stability != settings.stability or results.drawn_key(settings) != results.drawn():
        st.rerun()  # the tabs are a fragment: link and tree are outside of it
    _controls(settings)
    asked = _asked(settings)
    _run(settings, asked)
    found = [(each, results.known(each)) for each in asked]
    if len(found) == 2:
        pair.show([(each, made) for each, made in found if made is not None])
    made = found[0][1]
    if made is None:
        st.caption(_about())
        return
    notes = _notes(made)
    if notes:
        st.caption(escape_markdown(" ".join(notes)))
    if len(found) < 2:
        root_part.show(settings, made)
    node_part.show(settings, made, node_id)
    small_trees.show(settings, made)


def go_on(settings: Settings) -> None:
    """Grow the trees where a link says so, though another tab is open, if the tree shows what comes of them."""
    if settings.stability.on_tree:
        asked = _asked(settings)
        steps = (message("Tree"), results.count(settings))
        job_button.go_on(list(map(results.key, asked)), "stability.run", partial(_submit, asked), steps)


def _asked(settings: Settings) -> list[Settings]:
    """Whose trees are grown on resamples: the table's, and those of the other table of a pair."""
    other = results.other_of_pair(settings)
    return [settings] if other is None or not settings.stability.pair else [settings, other]


def _about() -> str:
    return message(
        "Would other rows give the same tree? A tree is grown on each resample of the training rows and compared with "
        "this one, node by node."
    )


def _controls(settings: Settings) -> None:
    """Resamples and their number."""
    asked, rows = settings.stability, results.rows_in_force(settings)
    n_units = trees.parts(settings).train.n_units
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.selectbox(
            message("Resamples"),
            results.possible(settings),
            key=controls.feed("stability.rows", rows),
            format_func=partial(_way, n_units=n_units),
            on_change=lambda: results.keep(rows=st.session_state["stability.rows"]),
            help=message(
                "A bootstrap sample draws as many rows as there are, with replacement. A subsample has half of them."
            ),
            width=188,
        )
        if rows in ("bootstrap", "subsample"):
            _number(message("Trees"), "count", asked.count, 10, 2000)


def _more(settings: Settings) -> None:
    """Seed and tolerance, behind a button."""
    asked = settings.stability
    with st.popover("", icon=":material/tune:", help=message("Seed, and when two splits are alike")):
        if results.rows_in_force(settings) in ("bootstrap", "subsample"):
            _number(message("Seed"), "seed", asked.seed, 0, 2**31 - 1)
        _number(message("Alike within, %"), "tolerance", asked.tolerance, 0, 50)
        st.caption(
            message(
                "Two splits on one feature lead to the same places if at most this share of their rows takes "
                "another branch. At 0 % they must divide the rows alike."
            )
        )


def _number(label: str, field: str, value: int, least: int, most: int) -> None:
    key = f"stability.{field}"
    st.number_input(
        label,
        min_value=least,
        max_value=most,
        step=1,
        key=controls.feed(key, value),
        on_change=lambda: results.keep(**{field: st.session_state[key]}),
        width=96,
    )


def _way(rows: str, n_units: int) -> str:
    if rows == "bootstrap":
        return message("Bootstrap samples")
    if rows == "subsample":
        return message("Half of the rows")
    if rows == "leave-1-out":
        return message("Leave one out ({n:,})", n=n_units)
    return message("Leave two out ({n:,})", n=n_units * (n_units - 1) // 2)


def _run(settings: Settings, asked: list[Settings]) -> None:
    """The button, the switches beside it, and progress; of two tables one after the other."""
    keys = [results.key(each) for each in asked]
    found = job_button.started(keys, "stability.run", partial(_submit, asked))
    missing = [each for each, job in zip(asked, found, strict=True) if not job_button.is_submitted(job)]
    count = sum(results.count(each) for each in asked)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button(
            plural(count, "Grow {n:,} tree", "Grow {n:,} trees"),
            icon=":material/play_arrow:",
            key="stability.run",
            on_click=job_button.begin,
            args=("stability.run", partial(_submit, missing)),
            disabled=not missing,
        )
        _more(settings)
        _toggle(message("On the tree"), "on_tree", settings.stability.on_tree)
        if results.other_of_pair(settings) is not None:
            has_row = settings.sample == "play_tennis_noise15"
            label = (
                message("Beside the table without day 15")
                if has_row
                else message("Beside the table with a noisy day 15")
            )
            why = message("A fifteenth day, added to the book's fourteen, whose class contradicts them.")
            _toggle(label, "pair", settings.stability.pair, why)
    for number, (each, job) in enumerate(zip(asked, found, strict=True)):
        steps = (message("Tree"), results.count(each))
        job_button.outcome(job, results.key(each), steps, f"stability.stop.{number}")


def _submit(asked: Sequence[Settings]) -> None:
    for settings in asked:
        jobs.pool().submit(jobs.session(), results.key(settings), results.work(settings))


def _toggle(label: str, field: str, value: bool, why: str | None = None) -> None:
    key = f"stability.{field}"
    st.toggle(
        label,
        key=controls.feed(key, value),
        help=why,
        on_change=lambda: results.keep(**{field: st.session_state[key]}),
    )


def _notes(made: ex.Stability) -> list[str]:
    """What limits the result, in plain words."""
    notes = []
    if made.ended is not None:
        notes.append(made.ended.text)
    if made.root_ties:
        notes.append(
            plural(
                made.root_ties,
                "In {n:,} resample two features tie for the root, and the earlier column wins.",
                "In {n:,} resamples two features tie for the root, and the earlier column wins.",
            )
        )
    if made.n_constant:
        notes.append(
            plural(
                made.n_constant,
                "{n:,} resample has a single target value; its tree is a leaf.",
                "{n:,} resamples have a single target value; their trees are leaves.",
            )
        )
    return notes
