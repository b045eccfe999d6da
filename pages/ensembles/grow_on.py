"""Growing on from a forced split: the member gets the reader's split, and all rounds after it are grown anew."""

from __future__ import annotations

import streamlit as st

import explorer as ex
from explorer.ensembles.members import Ensemble
from explorer.messages import message
from pages.ensembles.growing_members import run_again_unless_there
from pages.grow import split_by_hand
from pages.results import ensembles
from pages.settings import session
from pages.settings.settings import Settings, changed
from pages.text import escape_markdown
from pages.widgets import page_frame


def show(settings: Settings, made: Ensemble, position: int, node: int) -> None:
    """Put a split together, see its numbers, and grow on from it; what is refused is said right here."""
    tree = made.members[position].tree
    decision = ensembles.decision(settings, position, node)
    request, tried = split_by_hand.choose(tree, decision, node)
    st.caption(_what_follows(settings))
    if not st.button(
        message("Grow on from here"), key="en.grow_on", type="primary", disabled=tried is None or request is None
    ):
        return
    assert request is not None
    try:
        _take(settings, made, position, tree.place(node), request)
    except ex.ExplorerError as error:
        page_frame.show_notice("error", message("{error} Nothing was changed.", error=error))
    else:
        st.rerun()


def _what_follows(settings: Settings) -> str:
    if ensembles.explicit(settings).method in ("forest", "bagging", "extra_trees"):
        return message("Trees of a forest do not depend on each other: only this one is grown again.")
    return message("This tree is grown again with the split, and so are all rounds after it.")


def _take(settings: Settings, made: Ensemble, position: int, place: ex.NodePath, request: ex.SplitRequest) -> None:
    """Force the split; InputError where it is not possible, and then nothing changes."""
    before = made.members[position].tree.choices or ex.Choices()
    kept = tuple(entry for entry in settings.ensembles.forced if entry[0] < position or _is_forest(settings))
    kept = tuple(entry for entry in kept if entry[0] != position)
    forced = (*kept, (position, before.force(place, request)))
    chosen = ensembles.forced_at(settings, forced, position)
    proposed = changed(settings, ensembles=chosen)
    ensembles.check(proposed)
    if ensembles.is_small(proposed):
        _checked(ensembles.ensemble(proposed).members[position].tree)
    session.keep(proposed)
    run_again_unless_there(proposed)


def _is_forest(settings: Settings) -> bool:
    return ensembles.explicit(settings).method in ("forest", "bagging", "extra_trees")


def _checked(tree: ex.Tree) -> None:
    """InputError where the newest choice could not be carried out."""
    statuses = ex.constraint_statuses(tree)
    if statuses and not statuses[-1].is_in_force:
        reason = escape_markdown(statuses[-1].reason)
        raise ex.InputError(message("This is not possible here: {reason}.", reason=reason))
