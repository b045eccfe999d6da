"""Arguments that several ensembles share: their ranges, and tables that leave nothing to boost."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from explorer.data.dataset import Dataset
from explorer.errors import InputError
from explorer.messages import listing, message
from explorer.recipe.complete_rows import check_row_count
from explorer.recipe.recipe import Recipe, has_loss_of_its_own
from explorer.recipe.remarks import Remark


def check_finite(name: str, value: object) -> float:
    """The number; InputError for anything that is not a finite number."""
    if isinstance(value, bool) or not isinstance(value, (int, float, np.number)) or not math.isfinite(value):
        raise InputError(message("{name} is {value!r}: give a finite number.", name=name, value=value))
    return float(value)


def check_positive(name: str, value: object) -> None:
    """InputError unless this is a finite number above 0."""
    if check_finite(name, value) <= 0:
        raise InputError(message("{name} is {value!r}: give a number above 0.", name=name, value=value))


def check_share(name: str, value: object, below_one: bool = False) -> None:
    """InputError unless this is a number above 0, up to 1 or below it."""
    number = check_finite(name, value)
    if number <= 0 or number > 1 or (below_one and number == 1):
        allowed = message("above 0 and below 1") if below_one else message("above 0, up to 1")
        raise InputError(
            message("{name} is {value!r}: give a number {allowed}.", name=name, value=value, allowed=allowed)
        )


def check_choice(name: str, value: object, choices: Sequence[str]) -> None:
    """InputError unless this is one of the choices."""
    if value not in choices:
        listed = listing(map(repr, choices))
        raise InputError(
            message("{name} is {value!r}: choose one of {choices}.", name=name, value=value, choices=listed)
        )


def need_classes(data: Dataset, method: str) -> None:
    """InputError for a numeric target."""
    if data.is_regression:
        raise InputError(
            message(
                "The target '{target}' is numeric, but {method} needs classes: choose gradient boosting, or make the "
                "target categorical.",
                target=data.target.name,
                method=method,
            )
        )


def check_recipe(recipe: Recipe) -> None:
    """InputError for a recipe that asks for validation rows while a tree grows."""
    if recipe.prepruning:
        raise InputError(
            message(
                "Pre-pruning looks at validation rows while a tree grows, which trees of an ensemble do not have: "
                "turn it off."
            )
        )


def check_recipe_for_numbers(recipe: Recipe) -> None:
    """The same for members that are regression trees whatever the target: nothing in the recipe may need classes."""
    check_recipe(recipe)
    recipe.impurity_for(regression=True)
    if has_loss_of_its_own(recipe):
        raise InputError(
            message(
                "Gradient boosting grows trees on gradients by their squared errors, so impurity '{impurity}' has no "
                "effect: leave it out, and give the loss to boosting.",
                impurity=recipe.impurity,
            )
        )
    named = "class_weights" if recipe.class_pairs is not None else "costs" if recipe.cost_pairs is not None else ""
    if named:
        raise InputError(
            message(
                "Gradient boosting grows trees that predict numbers, for classes too, so {field} has no effect: remove "
                "it, and give row weights instead.",
                field=named,
            )
        )


def counts_rows(recipe: Recipe) -> bool:
    """Whether the recipe compares weights with numbers of rows, so that weights must add up to the rows."""
    return bool(
        recipe.min_rows_split
        or recipe.min_rows_leaf
        or recipe.release8_penalty
        or recipe.release8_numeric_minimum
        or recipe.mdl_stop
        or recipe.chi2_level is not None
    )


def too_uniform(data: Dataset) -> Remark | None:
    """Why no member can improve on the constant: one row, one class, or one value of the target; None if one can.

    Raises InputError where there is no row, and so no constant, or more than a tree grows on.
    """
    check_row_count(data)
    if data.n_rows == 1:
        return Remark("one_row")
    if np.ptp(data.y) == 0:
        return (
            Remark("one_target_value")
            if data.is_regression
            else Remark("one_class", (str(data.classes[int(data.y[0])]),))
        )
    return None
