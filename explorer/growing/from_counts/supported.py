"""Which recipes grow from counts, and what to do about those that do not."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

from explorer.errors import InputError
from explorer.messages import message
from explorer.recipe.class_weights import importance_of
from explorer.recipe.columns import TrainingColumn
from explorer.recipe.missing import POLICIES
from explorer.recipe.recipe import Recipe, has_loss_of_its_own
from explorer.sources.source import Source

MOST_VALUES = 1_000
"""Different values up to which a number can have a branch for each."""

NEEDS_ROWS: dict[str, tuple[Callable[[Recipe], bool], Callable[[], str], Callable[[], str]]] = {
    "release8_penalty": (
        lambda recipe: recipe.release8_penalty,
        lambda: message("the penalty counts all thresholds of a node"),
        lambda: "release8_penalty=False",
    ),
    "mdl_stop": (
        lambda recipe: recipe.mdl_stop,
        lambda: message("a test costs bits for all thresholds that its node could have"),
        lambda: "mdl_stop=False",
    ),
    "merge_level": (
        lambda recipe: recipe.merge_level is not None,
        lambda: message("values are merged at every node by the rows that it has"),
        lambda: "merge_level=None",
    ),
    "random_thresholds": (
        lambda recipe: recipe.random_thresholds,
        lambda: message("a threshold is drawn between the least and the greatest value of a node"),
        lambda: "random_thresholds=False",
    ),
    "threshold_at": (
        lambda recipe: recipe.threshold_at == "c45" and recipe.numeric == "threshold",
        lambda: message("each threshold is the largest training value up to the middle"),
        lambda: "threshold_at='midpoint', 'observed'",
    ),
    "impurity": (
        has_loss_of_its_own,
        lambda: message("this impurity has no bound by which thresholds can be left out"),
        lambda: "impurity='variance'",
    ),
    "score": (
        lambda recipe: recipe.score in ("newton", "p_value", "squared_share_weighting"),
        lambda: message("this score has no bound by which thresholds can be left out"),
        lambda: "score='decrease'",
    ),
}
"""Field of a recipe: whether it needs rows, why, and another value that does not."""


def refuse_recipe(recipe: Recipe, source: Source) -> None:
    """InputError for a recipe that needs rows, or that does not go with the target."""
    recipe.impurity_for(source.is_regression)
    for field, (needs_rows, why, other) in NEEDS_ROWS.items():
        if needs_rows(recipe):
            _refuse(field, getattr(recipe, field), why(), other())
    if POLICIES[recipe.missing].needs_classes and source.is_regression:
        why_not = message("the target is numeric and has no classes")
        _refuse("missing", recipe.missing, why_not, "missing='most_common'")
    pairs = recipe.class_pairs, recipe.cost_pairs
    if pairs != (None, None) and (importance_of(*pairs, source) == 0).any():
        field = "class_weights" if recipe.class_pairs else "costs"
        why_not = message("rows of a class that counts for nothing would have to be left out")
        _refuse(field, dict(getattr(recipe, field)), why_not, message("connect the table without this class"))


def refuse_missing(recipe: Recipe, source: Source, columns: list[TrainingColumn]) -> None:
    """InputError where rows without a value go where counts cannot follow them."""
    lacking = [column.encoding.name for column in columns if column.lacks_values]
    if not lacking:
        return
    if recipe.missing in ("fractional", "surrogate", "same_class"):
        why = message("column '{column}' has missing cells, and each such row goes its own way", column=lacking[0])
        _refuse("missing", recipe.missing, why, "missing='most_common', 'own_branch', 'default_direction', 'drop'")


def refuse_values(column: str, n_values: int | None) -> NoReturn:
    """InputError for a number with too many values to have a branch for each."""
    why = message("column '{column}' has more than {most:,} different values", column=column, most=MOST_VALUES)
    _refuse("numeric", "each_value", why, "numeric='bins', 'threshold'")


def _refuse(field: str, value: object, why: str, other: str) -> NoReturn:
    """Say which field needs rows, why, and what can be done."""
    raise InputError(
        message(
            "Recipe field '{field}' is {value:.60}, which a connected table cannot grow by, as {why}. Take another "
            "value ({other}), or grow on a sample: source.sample(100_000).",
            field=field,
            value=repr(value),
            why=why,
            other=other,
        )
    )
