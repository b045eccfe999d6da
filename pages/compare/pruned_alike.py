"""How all trees of the comparison are pruned: the choice beside the first difference, and what it means."""

from __future__ import annotations

import dataclasses

import numpy as np
import streamlit as st

from explorer.formatting import METRIC_NAMES, leaves
from explorer.messages import message
from pages.results import pruned_tree, trees
from pages.results.comparing import compared
from pages.settings import session
from pages.settings.labels import PRUNED_ALIKE
from pages.settings.page_settings import SIDES
from pages.settings.settings import Settings, changed
from pages.text import number
from pages.widgets.controls import feed


def show(settings: Settings) -> None:
    """The choice; an α of its own, which a slider gives a tree, is one as long as it is in force.

    A lecture hall only sees it where trees are pruned.
    """
    rule = compared.rule(settings)
    if rule == "full" and settings.view.presenter:
        return
    st.selectbox(
        message("How the trees are pruned"),
        [*compared.choices(settings), *(["own"] if rule == "own" else [])],
        key=feed("pruned_alike", rule),
        format_func=lambda name: PRUNED_ALIKE[name],
        on_change=_chosen,
        label_visibility="collapsed",
    )


def _chosen() -> None:
    settings, rule = session.read(), st.session_state["pruned_alike"]
    if rule != "own":
        keep(settings, pruned=rule, alphas=(None, None, None))


def keep(settings: Settings, **changes: object) -> None:
    """Prune the trees otherwise; what was selected in them is cleared."""
    compare = dataclasses.replace(settings.compare.with_other_pruning(), **changes)  # type: ignore[arg-type]
    session.keep(changed(settings, left_node=0, right_node=0, third_node=0, compare=compare))


def sentence(settings: Settings) -> str:
    """What the choice in force means, with its number."""
    rule, slot = compared.rule(settings), settings.compare.slots[0]
    if rule == "size":
        return _same_size(settings)
    if rule == "alpha":
        return _same_alpha(settings)
    if rule == "own":
        return message("Each tree is pruned at the α of its slider, under Regions.")
    if rule == "full":
        return message("No tree is pruned.")
    shown = {"metric": METRIC_NAMES[trees.metric(settings, slot)], "rows": compared.held_out(settings)}
    text = message("Each tree has its own best size: the best {metric} by {rows}.", **shown)
    if rule == "one_se":
        text = message("Each tree is its smallest within one standard error of its best {metric} by {rows}.", **shown)
    own = pruned_tree.pruned(settings) if compared.is_readers(settings, slot) else None
    if own is None or not np.array_equal(own.is_pruned, compared.tree(settings, slot).is_pruned):
        return text
    return message("{sentence} {letter} is as on the Prune page.", sentence=text, letter=SIDES[slot])


def _same_size(settings: Settings) -> str:
    own = [SIDES[slot] for slot in settings.compare.slots if compared.is_readers(settings, slot)]
    shown = {"leaves": leaves(pruned_tree.pruned(settings).n_leaves)}
    if not own:
        return message("Each tree is its largest pruned one with no more than the {leaves} of the Prune page.", **shown)
    return message(
        "{letter} is the tree of the Prune page, with {leaves}. The others are pruned to at most as many.",
        letter=own[0],
        **shown,
    )


def _same_alpha(settings: Settings) -> str:
    if settings.alpha is None:
        return message("The Prune page has steps by hand and no α: only its own tree is pruned.")
    text = message("Every tree is pruned at the α of the Prune page, {alpha}.", alpha=number(settings.alpha))
    if not settings.manual_steps:
        return text
    return message("{sentence} Steps by hand are those of its own tree.", sentence=text)
