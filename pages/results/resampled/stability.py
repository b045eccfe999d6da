"""The stability of the tree of the Grow page, as the settings ask for it.

A reader who stops the work keeps the resamples so far, under the same key but apart from the whole result.
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import partial
from math import comb

import streamlit as st

import explorer as ex
from explorer.drawing.tree_view.payload import signature
from explorer.drawing.tree_view.stability_layer import Layer, stability_payload
from explorer.ensembles.stability.resampling import MOST_RESAMPLES
from pages.results import jobs, trees
from pages.results.cache import kept, results
from pages.results.memory import sessions
from pages.settings import session
from pages.settings.page_settings import RESAMPLES
from pages.settings.settings import Settings, changed

FEW_ROWS = 60
"""Up to so many training rows, or groups, each is left out in turn unless the reader chooses; more are drawn."""
PAIR = {"play_tennis": "play_tennis_noise15", "play_tennis_noise15": "play_tennis"}
"""The tennis table without and with its noisy row 15."""
_DRAWN = "stability.drawn"
_LEFT_OUT = {"leave-1-out": 1, "leave-2-out": 2}


keep = partial(session.keep_part, "stability")
"""Change what was chosen about stability."""


def possible(settings: Settings) -> tuple[str, ...]:
    """The ways to resample the training rows."""
    n_units = trees.parts(settings).train.n_units
    return tuple(rows for rows in RESAMPLES if 0 < _count_of(rows, n_units, 1) <= MOST_RESAMPLES)


def rows_in_force(settings: Settings) -> str:
    """The resamples chosen; unless that is possible, leaving out one of few rows, and bootstrap samples of many."""
    ways = possible(settings)
    if settings.stability.rows in ways:
        return settings.stability.rows
    is_few = trees.parts(settings).train.n_units <= FEW_ROWS
    return "leave-1-out" if is_few and "leave-1-out" in ways else "bootstrap"


def count(settings: Settings) -> int:
    """How many trees will be grown."""
    return _count_of(rows_in_force(settings), trees.parts(settings).train.n_units, settings.stability.count)


def _count_of(rows: str, n_units: int, random: int) -> int:
    left_out = _LEFT_OUT.get(rows, 0)
    if not left_out:
        return random
    return comb(n_units, left_out) if left_out < n_units else 0


def key(settings: Settings) -> str:
    """A text for everything that the result depends on."""
    asked, rows = settings.stability, rows_in_force(settings)
    how = f"{asked.count} {asked.seed}" if rows not in _LEFT_OUT else ""
    return f"stability {trees.grown_key(settings)} {rows} {how} {asked.tolerance}"


def work(settings: Settings) -> jobs.Work:
    """What the job pool is to do; what is done when it is stopped is kept for the session."""
    subsets, grown, asked = trees.parts(settings), trees.grown(settings), settings.stability
    recipe, rows, place = trees.recipe(settings), rows_in_force(settings), _so_far(settings)
    valid = subsets.valid if recipe.prepruning else None
    results().drop(place)

    def grow_all(progress: jobs.Progress) -> object:
        made = ex.stability(
            subsets.train,
            recipe,
            rows if rows in _LEFT_OUT else asked.count,
            "subsample" if rows == "subsample" else "bootstrap",
            asked.seed,
            progress,
            tolerance=asked.tolerance / 100,
            tree=grown.tree,
            validation=valid,
            choices=settings.choices or None,
        )
        if made.ended is not None:
            results().put(place, made, {sessions.current() or ""})
            raise ex.Stopped("Stopped on request.")
        return made

    return grow_all


def known(settings: Settings) -> ex.Stability | None:
    """The result, or its part when it was stopped; None before it was asked for."""
    job = jobs.pool().look(jobs.session(), key(settings))
    if job is not None and isinstance(job.result, ex.Stability):
        return job.result
    if job is not None and job.is_active:
        return None
    try:
        made = results().look(_so_far(settings), sessions.current())
    except KeyError:
        return None
    return made if isinstance(made, ex.Stability) else None


def _so_far(settings: Settings) -> Hashable:
    return "stability so far", jobs.session(), key(settings)


def other_of_pair(settings: Settings) -> Settings | None:
    """The settings of the same tree for the tennis table with row 15, or without it; None for other tables."""
    if settings.upload or settings.sample not in PAIR:
        return None
    return changed(settings, sample=PAIR[settings.sample], stability=settings.stability)


def drawn_key(settings: Settings) -> str:
    """A text for the result that the tree is to carry; empty without one."""
    made = known(settings)
    return "" if made is None else f"{key(settings)} {made.n_resamples}"


def drawn() -> str:
    """The result that the tree carries, by its key."""
    return str(st.session_state.get(_DRAWN, ""))


def layer(settings: Settings) -> bytes | None:
    """The result as the view draws it on the tree; None where there is none."""
    made = known(settings)
    st.session_state[_DRAWN] = drawn_key(settings)
    if made is None or settings.timeline.asks:
        return None
    return _layer(key(settings), made.n_resamples, made, trees.tree_payload(settings))


def layer_over(settings: Settings, tree: ex.Tree) -> Layer | None:
    """The numbers of the layer where it is shown over this tree, for a file."""
    made = known(settings) if settings.stability.on_tree and tree is trees.grown(settings).tree else None
    return None if made is None else made.layer


@kept()
def _layer(key: str, n_resamples: int, _made: ex.Stability, _tree: bytes) -> bytes:
    return stability_payload(_made.layer, signature(_tree))
