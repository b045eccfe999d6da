"""Choices that need classes, when the target is a number: they go back to what serves it, and a message says so."""

from __future__ import annotations

import explorer as ex
from pages.parts import cached, state
from pages.parts.state import Growing, Settings

_SLOTS = {"grow": "the tree", "left": "setting A", "right": "setting B"}


def fit_target() -> None:
    """Replace recipes and a risk that the kind of target rules out. Call it after another table or target was taken."""
    settings = state.read()
    regression = cached.data(settings).is_regression
    changes: dict[str, object] = {slot: Growing() for slot in _SLOTS if _is_ruled_out(settings, slot, regression)}
    if regression and settings.risk == "error":
        changes["risk"] = "impurity"
    if not changes:
        return
    state.keep(state.changed(settings, **changes))
    names = [_SLOTS[slot] for slot in changes if slot in _SLOTS]
    if names:
        state.notify("warning", f"The target is a number, so {' and '.join(names)} went back to CART.")
    if "risk" in changes:
        state.notify("warning", "The target is a number, so pruning went back to the risk “impurity”.")


def _is_ruled_out(settings: Settings, slot: str, regression: bool) -> bool:
    try:
        cached.recipe(settings, slot).impurity_for(regression)
    except ex.InputError:
        return True
    return False
