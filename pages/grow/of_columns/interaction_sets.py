"""Interaction constraints: sets of features, of which the path to a leaf tests one set's only."""

from __future__ import annotations

import streamlit as st

from explorer.formatting import shortened, visible
from explorer.messages import listing, message
from pages.grow.of_columns.monotone_table import offer_costs
from pages.results import trees
from pages.settings import growing_options, session
from pages.settings.growing_options import Context
from pages.settings.settings import Settings
from pages.text import escape_markdown
from pages.widgets.controls import feed

_LONGEST, _MOST_LISTED = 40, 8


def show(slot: str, settings: Settings, context: Context) -> None:
    """The sets and an empty one to begin, in an expander that stands open while there are some."""
    option = growing_options.BY_FIELD["interactions"]
    if not option.applies(context):
        return
    in_use = bool(context.recipe.feature_sets)
    with st.expander(option.label, in_use, key=f"{slot}.interactions", on_change="rerun") as opened:
        if not opened.open:
            return
        _choose(slot, settings)
        st.caption(option.help)
        if in_use:
            offer_costs(slot, settings, "interactions.costs")


def _choose(slot: str, settings: Settings) -> None:
    """A list of features for each set and for one more, and which are in none."""
    sets = trees.recipe(settings, slot).feature_sets
    features = [feature.name for feature in trees.data(settings).features]
    named = {name for members in sets for name in members}
    names = [*features, *sorted(named.difference(features))]
    for position, members in enumerate((*sets, ())):
        st.multiselect(
            message("Set {n}", n=position + 1),
            names,
            key=feed(f"{slot}.interactions.{position}", list(members)),
            format_func=lambda name: shortened(visible(name), _LONGEST),
            placeholder=message("Choose features"),
            on_change=_take,
            args=(slot, position),
        )
    rest = [escape_markdown(name) for name in features if name not in named]
    if sets and rest:
        listed = listing(rest[:_MOST_LISTED]) + (" …" if len(rest) > _MOST_LISTED else "")
        st.caption(message("In no set, so in one of their own: {features}.", features=listed))


def _take(slot: str, position: int) -> None:
    """Take the features of a set if a tree can be grown by them, else say why; the tree stays pruned at its α."""
    settings = session.read()
    sets = [*trees.recipe(settings, slot).feature_sets, ()]
    sets[position] = tuple(st.session_state[f"{slot}.interactions.{position}"])
    value = tuple(members for members in sets if members)
    growing = trees.explicit(settings, slot)
    changed = growing.with_change("interactions", value) if value else growing.without("interactions")
    kept = {"alpha": settings.alpha} if slot == "grow" else {}
    session.attempt(lambda proposed: trees.check(proposed, slot), **{slot: changed}, **kept)
