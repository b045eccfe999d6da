"""What an option of growing is: a name, what it may be, and when it means something."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import explorer as ex
from explorer.costs import Costs, Pairs

Value = str | int | float | bool | Pairs | Costs | None


@dataclass(frozen=True)
class Context:
    """What decides whether an option applies: the recipe in force and the facts of the table."""

    recipe: ex.Recipe
    is_regression: bool
    has_numeric: bool
    has_categorical: bool
    has_missing: bool
    has_validation: bool

    @classmethod
    def of(cls, recipe: ex.Recipe, data: ex.Dataset, has_validation: bool) -> Context:
        """Read the facts off the data."""
        used = {feature.name for feature in data.features}
        return cls(
            recipe=recipe,
            is_regression=data.is_regression,
            has_numeric=any(feature.kind == "numeric" for feature in data.features),
            has_categorical=any(feature.kind == "categorical" for feature in data.features),
            has_missing=any(column.n_missing > 0 for column in data.columns if column.name in used),
            has_validation=has_validation,
        )

    @property
    def has_thresholds(self) -> bool:
        """Whether numeric features are split at a threshold."""
        return self.has_numeric and self.recipe.numeric == "threshold"

    @property
    def uses_up(self) -> bool:
        """Whether a test can have a branch for each value or interval, so that its feature is not asked again."""
        by_value = self.has_categorical and self.recipe.categorical == "each_value"
        return by_value or (self.has_numeric and self.recipe.numeric in ("bins", "each_value"))


@dataclass(frozen=True)
class Option:
    """One field of the recipe as the page offers it; `needs` says what it takes for the option to mean something.

    `allows` tells the choices that suit the kind of target.
    """

    field: str
    label: str
    help: str
    kind: str
    choices: dict[Value, str] = dataclasses.field(default_factory=dict)
    blank: str = ""
    is_main: bool = False
    applies: Callable[[Context], bool] = lambda context: True
    needs: str = ""
    most: float | None = None
    allows: Callable[[Context, Value], bool] = lambda context, choice: True

    def choices_in(self, context: Context) -> list[Value]:
        """The choices that suit the table, and the one in force."""
        now = getattr(context.recipe, self.field)
        return [choice for choice in self.choices if choice == now or self.allows(context, choice)]

    def left_out(self, context: Context) -> list[str]:
        """What the choices are called that do not suit the target."""
        offered = self.choices_in(context)
        return [name for choice, name in self.choices.items() if choice not in offered]

    def read(self, text: str) -> Value:
        """The value written in a web address; ValueError if it cannot be one."""
        if self.kind == "choice":
            return {str(choice): choice for choice in self.choices}[text]
        if self.kind == "switch":
            return {"true": True, "false": False}[text]
        if self.kind == "table":
            return _pairs(text)
        if text == "none" and self.blank:
            return None
        return int(text) if self.kind == "whole" else float(text)


def write(value: Value) -> str:
    """A value as a web address holds it; `Option.read` is the way back."""
    if isinstance(value, tuple):
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return str(value).lower() if isinstance(value, bool) or value is None else str(value)


_WHOLE_DIGITS = 18
"""A whole number with more digits in an address is no name of a class."""


def _pairs(text: str) -> Pairs | Costs:
    """Names and amounts, or names and such pairs, from JSON; ValueError for anything else."""
    try:
        found = json.loads(text, parse_int=lambda digits: (int if len(digits) <= _WHOLE_DIGITS else float)(digits))
    except RecursionError:
        raise ValueError(text) from None
    if not isinstance(found, list):
        raise ValueError(text)
    pairs: Pairs | Costs = tuple(_pair(one) for one in found)
    return pairs


def _pair(one: object) -> tuple[Any, Any]:
    """A name and an amount, or a name and pairs."""
    if not isinstance(one, list) or len(one) != 2 or isinstance(one[0], (list, dict)):
        raise ValueError(one)
    name, amount = one
    return name, tuple(_pair(inner) for inner in amount) if isinstance(amount, list) else amount
