"""Choices that need classes, when the target is a number: they go back to what serves it, and a message says so."""

from __future__ import annotations

from typing import Any

import explorer as ex
from explorer.recipe.missing import POLICIES
from pages.results import trees
from pages.settings import session
from pages.settings.page_settings import SIDES, GrowSettings
from pages.settings.settings import Settings, changed

_SLOTS = {"grow": "the tree", **{slot: f"setting {letter}" for slot, letter in SIDES.items()}}


def fit_target() -> None:
    """Replace recipes and a risk that the kind of target rules out. Call it after another table or target was taken."""
    _fit_names()
    settings = session.read()
    regression = trees.data(settings).is_regression
    changes: dict[str, object] = {slot: GrowSettings() for slot in _SLOTS if _is_ruled_out(settings, slot, regression)}
    if regression and settings.risk == "error":
        changes["risk"] = "impurity"
    if not changes:
        return
    session.keep(changed(settings, **changes))
    names = [_SLOTS[slot] for slot in changes if slot in _SLOTS]
    if names:
        target_text = "The target is a number" if regression else "The target has classes"
        usual = "CART" if regression else "the usual settings"
        session.notify("warning", f"{target_text}, so {' and '.join(names)} went back to {usual}.")
    if "risk" in changes:
        session.notify("warning", "The target is a number, so pruning went back to the risk “impurity”.")


def _fit_names() -> None:
    """Set back amounts for classes or columns that the table does not have."""
    settings = session.read()
    data = trees.data(settings)
    names = {"class_weights": data.classes, "costs": data.classes, "feature_costs": tuple(data.frame.columns)}
    for slot, called in _SLOTS.items():
        growing: GrowSettings = getattr(settings, slot)
        amounts = {field: value for field, value in growing.changes if field in names and isinstance(value, tuple)}
        foreign = [field for field, value in amounts.items() if not _known(value, names[field])]
        if foreign:
            settings = changed(settings, **{slot: growing.without(*foreign)})
            session.notify(
                "warning", f"Weights or costs of {called} name what the table does not have: all are 1 again."
            )
    session.keep(settings)


def _known(pairs: tuple[Any, ...], names: tuple[object, ...]) -> bool:
    """Whether all names are among these, those of the pairs within the pairs too."""
    return all(name in names and (not isinstance(row, tuple) or _known(row, names)) for name, row in pairs)


def _is_ruled_out(settings: Settings, slot: str, regression: bool) -> bool:
    recipe = trees.recipe(settings, slot)
    try:
        recipe.impurity_for(regression)
    except ex.InputError:
        return True
    return regression and POLICIES[recipe.missing].needs_classes
