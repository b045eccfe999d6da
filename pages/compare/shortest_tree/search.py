"""The search for the shortest tree of the training rows: at once where it is quick, else in the job pool."""

from __future__ import annotations

import dataclasses
import time

import streamlit as st

import explorer as ex
from explorer.drawing.tree_view.payload import tree_payload
from explorer.evaluation.comparison.first_difference import Walk, walk_together
from explorer.growing.shortest_tree import SECONDS
from explorer.messages import current_catalogue, message
from pages.results import jobs, trees
from pages.results.cache import kept
from pages.settings.settings import Settings
from pages.widgets import job_button

QUICK = 0.4
"""Seconds that a page searches itself before it gives the work to the job pool."""
GREEDY, SHORTEST = "greedy", "shortest"
"""The two trees of this comparison, ID3's and the one found."""


def recipe(settings: Settings) -> ex.Recipe:
    """How columns become categories: by the reader's ID3, else by the book's."""
    own = trees.recipe(settings)
    return own if own.name == ex.ID3.name else ex.ID3


def key(settings: Settings) -> str:
    """A text for everything that the answer depends on."""
    how = recipe(settings)
    order = settings.compare.shortest_by
    return f"shortest {trees.parts(settings).train.fingerprint} {how.numeric} {how.bins} {how.missing} {order}"


def result(settings: Settings) -> ex.ShortestTree | None:
    """The answer; while there is none, its progress with a button that stops it. Raises InputError."""
    train, how, by = trees.parts(settings).train, recipe(settings), settings.compare.shortest_by
    is_small = train.n_rows * len(train.features) <= trees.MOST_CELLS_AT_ONCE
    quick = _at_once(key(settings), train, how, by) if is_small else None
    if quick is not None:
        return quick
    job_key = f"job {key(settings)}"

    def submit() -> None:
        jobs.pool().submit(jobs.session(), job_key, lambda report: _in_background(train, how, by, report))

    job = jobs.pool().look(jobs.session(), job_key)
    if job is None:
        submit()
        job = jobs.pool().look(jobs.session(), job_key)
    elif job.state == "stopped":
        st.button(message("Search again"), icon=":material/play_arrow:", key="shortest.again", on_click=submit)
    found = job_button.outcome(job, job_key, (message("Search: second"), round(SECONDS)), "shortest.stop")
    return found if isinstance(found, ex.ShortestTree) else None


def tree_shown(settings: Settings, found: ex.ShortestTree) -> ex.Tree:
    """The one of the equally short trees that the reader looks at; ID3's where there is none."""
    return found.tree if not found.shapes else _tree(key(settings), position(settings, found), found)


def position(settings: Settings, found: ex.ShortestTree) -> int:
    """Which of the equally short trees is shown."""
    return min(settings.compare.shortest_position, max(len(found.shapes) - 1, 0))


def payload(settings: Settings, found: ex.ShortestTree, side: str) -> bytes:
    """A tree as the view reads it: no node is marked as split by hand, since the search has chosen the splits."""
    tree = found.greedy if side == GREEDY else tree_shown(settings, found)
    which = f"{key(settings)} {side} {position(settings, found)} {current_catalogue().language}"
    return _payload(which, dataclasses.replace(tree, forced=None))


def walk(settings: Settings, found: ex.ShortestTree) -> Walk:
    """Both trees walked together to their first difference."""
    train, place = trees.parts(settings).train, position(settings, found)
    return _walk(f"{key(settings)} {place}", found.greedy, tree_shown(settings, found), train)


def decision(settings: Settings, found: ex.ShortestTree, side: str, node: int) -> ex.Decision:
    """All candidates at a node of one of the trees."""
    tree = found.greedy if side == GREEDY else tree_shown(settings, found)
    which = f"{key(settings)} {side} {position(settings, found)}"
    return _decision(which, node, tree, trees.parts(settings).train)


@kept(lambda: message("Searching the shortest tree …"))
def _at_once(key: str, _train: ex.Dataset, _recipe: ex.Recipe, by: str) -> ex.ShortestTree | None:
    """The answer, if it takes no time worth mentioning."""
    start = time.monotonic()
    found = ex.shortest_tree(_train, by, limit=QUICK, recipe=_recipe)  # type: ignore[arg-type]
    is_late = time.monotonic() - start >= QUICK
    return None if found.outcome == "limit" and is_late else found


def _in_background(train: ex.Dataset, how: ex.Recipe, by: str, report: jobs.Progress) -> ex.ShortestTree:
    """The same with all the time that a search has, its progress in seconds."""
    start = time.monotonic()

    def tell(states: int, most_states: int) -> None:
        report(min(int(time.monotonic() - start), round(SECONDS) - 1), round(SECONDS))

    return ex.shortest_tree(train, by, recipe=how, progress=tell)  # type: ignore[arg-type]


@kept()
def _tree(key: str, position: int, _found: ex.ShortestTree) -> ex.Tree:
    return _found.tree_of(_found.shapes[position])


@kept()
def _payload(key: str, _tree: ex.Tree) -> bytes:
    return tree_payload(_tree)


@kept()
def _walk(key: str, _greedy: ex.Tree, _shortest: ex.Tree, _train: ex.Dataset) -> Walk:
    return walk_together(_greedy, _shortest, _train, (ex.ID3.name, SHORTEST))


@kept()
def _decision(key: str, node: int, _tree: ex.Tree, _train: ex.Dataset) -> ex.Decision:
    return ex.decide(_tree, _train, node)
