"""Monotone constraints: a numeric feature to choose, and whether predictions may only rise or fall with it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

import explorer as ex
from explorer.formatting import shortened, visible
from explorer.messages import listing, message
from explorer.recipe.missing import POLICIES
from pages.results import opened_tree, trees
from pages.settings import growing_options, session
from pages.settings.growing_options import Context
from pages.settings.labels import direction_words
from pages.settings.settings import Settings
from pages.text import escape_markdown
from pages.widgets import open_tabs
from pages.widgets.controls import feed

_SIGNS = (0, 1, -1)
_LONGEST = 40
_FILLED = "most_common"
"""How missing cells are filled in where a direction needs it."""


def show(slot: str, settings: Settings, context: Context) -> None:
    """The choice where constraints mean something, in an expander that stands open while there are some."""
    option = growing_options.BY_FIELD["monotone"]
    applies = option.applies(context)
    if not applies and not context.lacks_only_filled_cells:
        return
    in_use = bool(context.recipe.monotone)
    with st.expander(option.label, in_use, key=f"{slot}.constraints", on_change="rerun") as opened:
        if not opened.open:
            return
        _choose(slot, settings, fills=not applies)
        if not applies:
            st.caption(_filling())
        st.caption(f"{option.help} {_what_rises(trees.data(settings))}".strip())
        if in_use:
            offer_costs(slot, settings, "monotone.costs")


def _filling() -> str:
    """What becomes of missing cells with a direction, where the choice in force for them allows none."""
    return message(
        "Missing values are filled in as well (“{filled}”): a direction needs that, or their rows left out.",
        filled=POLICIES[_FILLED].label,
    )


def _choose(slot: str, settings: Settings, fills: bool) -> None:
    """A feature, the direction for it, and what is in force; with `fills` a direction fills in missing cells too."""
    signs = trees.recipe(settings, slot).monotone_signs
    names, key = _names(settings, signs), f"{slot}.monotone.feature"
    if st.session_state.get(key) not in names:
        st.session_state[key] = next(iter(signs), names[0])
    name = st.selectbox(message("Feature"), names, key=key, format_func=lambda each: shortened(visible(each), _LONGEST))
    words = {0: message("none"), 1: message("increasing"), -1: message("decreasing")}
    st.radio(
        message("Prediction"),
        _SIGNS,
        key=feed(f"{slot}.monotone.direction", signs.get(name, 0)),
        format_func=lambda sign: words[sign],
        on_change=_take,
        args=(slot, name, fills),
    )
    if signs:
        in_force = listing([direction_words(each, sign) for each, sign in signs.items()])
        st.caption(message("In force: {constraints}.", constraints=escape_markdown(in_force)))


def _names(settings: Settings, signs: Sequence[str] | dict[str, int]) -> list[str]:
    """The numeric features, and others that have a constraint."""
    numeric = [feature.name for feature in trees.data(settings).features if feature.kind == "numeric"]
    return [*numeric, *(name for name in signs if name not in numeric)]


def _what_rises(data: ex.Dataset) -> str:
    """Of two classes, the one whose probability is constrained."""
    if data.is_regression:
        return ""
    return message("Constrained is the probability of {name}.", name=escape_markdown(str(data.classes[-1])))


def offer_costs(slot: str, settings: Settings, key: str) -> None:
    """A button that has it worked out what constraints cost, on the page Evaluate, where that is possible."""
    if slot != "grow" or settings.connected or opened_tree.now() is not None:
        return
    if st.button(message("What it costs"), key=key, width="stretch"):
        session.start_soon("without.run")
        open_tabs.begin_with("evaluate.tab", message("Importance"))
        st.switch_page("pages/evaluate/page.py")


def _take(slot: str, name: str, fills: bool) -> None:
    """Take the direction if a tree can be grown by it, else say why; the tree stays pruned at its α.

    With `fills` missing cells are filled in for it, until no direction is left.
    """
    settings, sign = session.read(), st.session_state[f"{slot}.monotone.direction"]
    signs = {**trees.recipe(settings, slot).monotone_signs, name: sign}
    value = tuple((each, signs[each]) for each in _names(settings, signs) if signs.get(each))
    growing = trees.explicit(settings, slot)
    changed = growing.with_change("monotone", value) if value else growing.without("monotone")
    before, key = trees.recipe(settings, slot), f"{slot}.monotone.before"
    if value and fills:
        changed = changed.with_change("missing", _FILLED)
    elif not value and before.missing == _FILLED and key in st.session_state:
        changed = changed.with_change("missing", st.session_state[key])
    kept = {"alpha": settings.alpha} if slot == "grow" else {}
    if not session.attempt(lambda proposed: trees.check(proposed, slot), **{slot: changed}, **kept):
        return
    if value and fills:
        st.session_state[key] = before.missing
    elif not value or not before.monotone:
        st.session_state.pop(key, None)
