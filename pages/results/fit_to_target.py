"""Choices that need classes, when the target is a number: they go back to what serves it, and a message says so."""

from __future__ import annotations

from typing import Any

import explorer as ex
from explorer.messages import message
from explorer.recipe.missing import POLICIES
from pages.results import trees
from pages.settings import session
from pages.settings.history import PART
from pages.settings.page_settings import SIDES, GrowSettings
from pages.settings.settings import Settings, changed

_SLOTS = ("grow", *SIDES)


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
    session.keep(changed(settings, **changes), PART)
    for slot in _SLOTS:
        if slot in changes:
            session.notify("warning", _set_back(slot, regression))
    if "risk" in changes:
        session.notify("warning", message("The target is numeric: pruning now uses the impurity risk."))


def _set_back(slot: str, regression: bool) -> str:
    """What became of the tree of a slot."""
    if slot == "grow":
        if regression:
            return message("The target is numeric: the tree is now grown with CART.")
        return message("The target is categorical: the tree is now grown with the default settings.")
    if regression:
        return message("The target is numeric: tree {letter} of Compare is now grown with CART.", letter=SIDES[slot])
    return message(
        "The target is categorical: tree {letter} of Compare is now grown with its default settings.",
        letter=SIDES[slot],
    )


def _fit_names() -> None:
    """Set back amounts for classes or columns that the table does not have."""
    settings = session.read()
    data = trees.data(settings)
    classes = trees.classes_of_file(settings)
    names = {"class_weights": classes, "costs": classes, "feature_costs": tuple(data.frame.columns)}
    for slot in _SLOTS:
        growing: GrowSettings = getattr(settings, slot)
        amounts = {field: value for field, value in growing.changes if field in names and isinstance(value, tuple)}
        foreign = [field for field, value in amounts.items() if not _known(value, names[field])]
        if foreign:
            settings = changed(settings, **{slot: growing.without(*foreign)})
            session.notify("warning", _weights_removed(slot))
    session.keep(settings, PART)


def _weights_removed(slot: str) -> str:
    if slot == "grow":
        return message("Some weights or costs name classes or columns that the table does not have: all are 1 again.")
    return message(
        "Some weights or costs of tree {letter} of Compare name classes or columns that the table does not have: all "
        "are 1 again.",
        letter=SIDES[slot],
    )


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
