"""What an option of growing is: a name, what it may be, and when it means something."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass

import explorer as ex

Value = str | int | float | bool | None


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


@dataclass(frozen=True)
class Option:
    """One field of the recipe as the page offers it; `needs` says what it takes for the option to mean something."""

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

    def read(self, text: str) -> Value:
        """The value written in a web address; ValueError if it cannot be one."""
        if self.kind == "choice":
            return {str(choice): choice for choice in self.choices}[text]
        if self.kind == "switch":
            return {"true": True, "false": False}[text]
        if text == "none" and self.blank:
            return None
        return int(text) if self.kind == "whole" else float(text)


def write(value: Value) -> str:
    """A value as a web address holds it; `Option.read` is the way back."""
    return str(value).lower() if isinstance(value, bool) or value is None else str(value)
