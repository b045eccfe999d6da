"""The options of growing as a table: what each may be, and when it means something; its words are in `option_words`."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import explorer as ex
from explorer.messages import message
from explorer.recipe.class_weights import Costs, Pairs
from explorer.recipe.feature_constraints import KEEPS_MONOTONE, FeatureSets
from explorer.recipe.impurity import FOR_CLASSES, IMPURITIES
from explorer.recipe.missing import DROP, POLICIES
from explorer.recipe.recipe import has_loss_of_its_own, predicts_quantiles
from explorer.recipe.split_score import BY_NEWTON, P_ADJUSTMENTS, SCORES, SplitScore
from pages.settings import option_words
from pages.settings.query_reader import pairs_in, sets_in
from pages.text import number

Value = str | int | float | bool | Pairs | Costs | FeatureSets | None


@dataclass(frozen=True)
class Context:
    """What decides whether an option applies: the recipe in force and the facts of the table."""

    recipe: ex.Recipe
    is_regression: bool
    has_numeric: bool
    has_categorical: bool
    has_missing: bool
    has_validation: bool
    n_classes: int = 0
    n_features: int = 0

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
            n_classes=len(data.classes),
            n_features=len(data.features),
        )

    @property
    def has_thresholds(self) -> bool:
        """Whether numeric features are split at a threshold."""
        return self.has_numeric and self.recipe.numeric == "threshold"

    @property
    def allows_monotone(self) -> bool:
        """Whether predictions can be made to rise or fall with a feature."""
        return self._could_be_monotone and (not self.has_missing or self.recipe.missing in KEEPS_MONOTONE)

    @property
    def lacks_only_filled_cells(self) -> bool:
        """Whether they could be if missing cells were filled in, or their rows left out."""
        return self._could_be_monotone and not self.allows_monotone

    @property
    def _could_be_monotone(self) -> bool:
        has_means = (self.is_regression and not predicts_quantiles(self.recipe)) or self.n_classes == 2
        return self.has_thresholds and not self.uses_up and has_means

    @property
    def uses_up(self) -> bool:
        """Whether a test can have a branch for each value or interval, so that its feature is not tested again."""
        by_value = self.has_categorical and self.recipe.categorical == "each_value"
        return by_value or (self.has_numeric and self.recipe.numeric in ("bins", "each_value"))


@dataclass(frozen=True)
class Option:
    """One field of the recipe as the page offers it; `applies` tells where it means something.

    `values` are those of a choice, and `allows` is true for those that suit the target.
    """

    field: str
    kind: str
    values: tuple[Value, ...] = ()
    has_blank: bool = False
    is_main: bool = False
    applies: Callable[[Context], bool] = lambda context: True
    least: int = 0
    most: float | None = None
    allows: Callable[[Context, Value], bool] = lambda context, choice: True

    @property
    def label(self) -> str:
        """What the option is called."""
        return option_words.label(self.field)

    @property
    def help(self) -> str:
        """What it does."""
        return option_words.help_text(self.field)

    @property
    def needs(self) -> str:
        """What it takes for the option to mean something."""
        return option_words.needs(self.field)

    @property
    def blank(self) -> str:
        """What an empty field means; "" where it cannot be empty."""
        return option_words.blank(self.field) if self.has_blank else ""

    @property
    def choices(self) -> dict[Value, str]:
        """The values of a choice, with their names."""
        names = option_words.names_of_values(self.field)
        return {value: names[value] for value in self.values}

    def choices_in(self, context: Context) -> list[Value]:
        """The choices that suit the table, and the one in force."""
        now = getattr(context.recipe, self.field)
        return [choice for choice in self.values if choice == now or self.allows(context, choice)]

    def left_out(self, context: Context) -> list[str]:
        """What the choices are called that do not suit the target."""
        offered = self.choices_in(context)
        return [name for choice, name in self.choices.items() if choice not in offered]

    def text_of(self, value: Value) -> str:
        """A value as its widget shows it."""
        if self.kind == "choice":
            return self.choices.get(value, "–")
        if self.kind == "switch":
            return message("on") if value else message("off")
        return self.blank or "–" if value is None or isinstance(value, (str, tuple)) else number(float(value))

    def read(self, text: str) -> Value:
        """The value written in a web address; ValueError if it cannot be one."""
        if self.kind == "choice":
            return {write(value): value for value in self.values}[text]
        if self.kind == "switch":
            return {"true": True, "false": False}[text]
        if self.kind == "table":
            return pairs_in(text)
        if self.kind == "sets":
            return sets_in(text)
        if text == "none" and self.has_blank:
            return None
        return int(text) if self.kind == "whole" else float(text)


def write(value: Value) -> str:
    """A value as a web address holds it; `Option.read` is the inverse."""
    if isinstance(value, tuple):
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return str(value).lower() if isinstance(value, bool) or value is None else str(value)


__all__ = [
    "BY_FIELD",
    "OPTIONS",
    "RECIPES",
    "TABLES",
    "Context",
    "Option",
    "Value",
    "absent",
    "remarks",
    "shown",
    "write",
]

_TWO_CLASSES = 2
RECIPES = {"ID3": ex.ID3, "C4.5": ex.C45, "CART": ex.CART}


def _suits(context: Context, score: SplitScore) -> bool:
    """Whether a score is offered for the kind of target: none that is defined by entropy for numbers."""
    if context.is_regression:
        return score.needs != "classes" and not score.by_entropy
    if score.number == BY_NEWTON:
        return context.n_classes <= _TWO_CLASSES
    return score.needs != "numbers"


_IMPURITIES = sorted(IMPURITIES.values(), key=lambda impurity: impurity.name != FOR_CLASSES)
_POLICIES = sorted(POLICIES.values(), key=lambda policy: policy.number == DROP)

OPTIONS: tuple[Option, ...] = (
    Option(
        "max_depth",
        "whole",
        has_blank=True,
        is_main=True,
    ),
    Option(
        "max_leaf_nodes",
        "whole",
        has_blank=True,
        least=2,
    ),
    Option(
        "min_rows_split",
        "whole",
        is_main=True,
    ),
    Option(
        "min_rows_leaf",
        "whole",
        is_main=True,
    ),
    Option(
        "score",
        "choice",
        tuple(SCORES),
        allows=lambda c, choice: _suits(c, SCORES[str(choice)]),
    ),
    Option(
        "reg_lambda",
        "number",
        is_main=True,
        applies=lambda c: c.recipe.score == "newton",
    ),
    Option(
        "gamma",
        "number",
        is_main=True,
        applies=lambda c: c.recipe.score == "newton",
    ),
    Option(
        "base_score",
        "choice",
        (None, "mean"),
        applies=lambda c: c.recipe.score == "newton",
    ),
    Option(
        "p_adjustment",
        "choice",
        tuple(P_ADJUSTMENTS),
        applies=lambda c: c.recipe.score == "p_value",
    ),
    Option(
        "nunez_w",
        "number",
        applies=lambda c: c.recipe.score == "nunez",
        most=1.0,
    ),
    Option(
        "impurity",
        "choice",
        tuple(impurity.name for impurity in _IMPURITIES),
        is_main=True,
        applies=lambda c: (
            SCORES[c.recipe.score].any_impurity
            if not c.is_regression
            else c.recipe.score == "decrease" or has_loss_of_its_own(c.recipe)
        ),
        allows=lambda c, choice: IMPURITIES[str(choice)].needs_classes != c.is_regression,
    ),
    Option(
        "quantile",
        "number",
        is_main=True,
        applies=lambda c: c.is_regression and c.recipe.impurity == "quantile",
        most=1.0,
    ),
    Option(
        "missing",
        "choice",
        tuple(policy.name for policy in _POLICIES),
        is_main=True,
        applies=lambda c: c.has_missing,
        allows=lambda c, choice: (
            not (c.is_regression and POLICIES[str(choice)].needs_classes)
            and not (choice == "fractional" and predicts_quantiles(c.recipe))
        ),
    ),
    Option(
        "missing_ratio",
        "choice",
        ("quinlan", "known_rows_only"),
        applies=lambda c: c.has_missing and c.recipe.missing == "fractional" and c.recipe.score == "gain_ratio",
    ),
    Option(
        "numeric",
        "choice",
        ("bins", "threshold", "each_value", "leave_out"),
        applies=lambda c: c.has_numeric,
    ),
    Option(
        "bins",
        "whole",
        least=2,
        applies=lambda c: c.has_numeric and c.recipe.numeric == "bins",
    ),
    Option(
        "categorical",
        "choice",
        ("each_value", "one_vs_rest", "subset"),
        applies=lambda c: c.has_categorical,
    ),
    Option(
        "merge_level",
        "number",
        has_blank=True,
        applies=lambda c: c.uses_up and not c.is_regression,
        most=1.0,
    ),
    Option(
        "empty_branches",
        "switch",
        applies=lambda c: c.uses_up and c.recipe.merge_level is None,
    ),
    Option(
        "threshold_at",
        "choice",
        ("midpoint", "observed", "c45"),
        applies=lambda c: c.has_thresholds,
    ),
    Option(
        "mean_gain_filter",
        "choice",
        ("at_least", "greater", "off"),
        applies=lambda c: c.recipe.score == "gain_ratio",
    ),
    Option(
        "release8_penalty",
        "switch",
        applies=lambda c: (
            c.recipe.release8_penalty
            or (c.has_thresholds and c.recipe.score not in ("decrease", "newton") and not c.is_regression)
        ),
    ),
    Option(
        "release8_numeric_minimum",
        "switch",
        applies=lambda c: c.recipe.release8_numeric_minimum or (c.has_thresholds and not c.is_regression),
    ),
    Option(
        "min_rows_in",
        "choice",
        ("every", "two"),
        applies=lambda c: c.recipe.min_rows_leaf > 0,
    ),
    Option(
        "unseen",
        "choice",
        ("node", "heaviest", "fractional", "random"),
        applies=lambda c: (
            c.has_categorical
            or (c.has_numeric and c.recipe.numeric == "each_value")
            or (c.has_missing and c.recipe.missing in ("drop", "own_branch"))
        ),
    ),
    Option(
        "min_score",
        "number",
        has_blank=True,
    ),
    Option(
        "min_impurity_decrease",
        "number",
        has_blank=True,
    ),
    Option(
        "max_impurity",
        "number",
        has_blank=True,
    ),
    Option(
        "min_squared_error",
        "number",
        has_blank=True,
        applies=lambda c: c.is_regression and not has_loss_of_its_own(c.recipe),
    ),
    Option(
        "chi2_level",
        "number",
        has_blank=True,
        applies=lambda c: not c.is_regression,
        most=1.0,
    ),
    Option(
        "mdl_stop",
        "switch",
        applies=lambda c: not c.is_regression,
    ),
    Option(
        "prepruning",
        "switch",
        applies=lambda c: c.has_validation or c.recipe.prepruning,
    ),
    Option(
        "stop_at_one_feature",
        "switch",
        applies=lambda c: c.uses_up,
    ),
    Option(
        "log_base",
        "choice",
        (2, "e"),
        applies=lambda c: not c.is_regression and IMPURITIES[c.recipe.impurity or FOR_CLASSES].in_bits,
    ),
)
TABLES: tuple[Option, ...] = (
    Option(
        "class_weights",
        "table",
        applies=lambda c: not c.is_regression,
    ),
    Option(
        "costs",
        "table",
        applies=lambda c: not c.is_regression,
    ),
    Option(
        "feature_costs",
        "table",
        applies=lambda c: SCORES[c.recipe.score].uses_costs,
    ),
    Option(
        "monotone",
        "table",
        applies=lambda c: bool(c.recipe.monotone) or c.allows_monotone,
    ),
    Option(
        "interactions",
        "sets",
        applies=lambda c: c.n_features > 1,
    ),
)
"""Fields that name classes or features: an amount or a direction for each, or sets of them."""
BY_FIELD = {option.field: option for option in (*OPTIONS, *TABLES)}


def shown(context: Context, main: bool) -> list[Option]:
    """The options that mean something now: those that stand open, or those that are folded away."""
    return [option for option in OPTIONS if option.is_main == main and option.applies(context)]


def absent(context: Context) -> list[Option]:
    """The options that mean nothing now."""
    return [option for option in (*OPTIONS, *TABLES) if not option.applies(context)]


def remarks(context: Context) -> list[str]:
    """What the page says beside the options: where the recipe is not what its book has."""
    texts = []
    if context.has_numeric and context.recipe.numeric == "bins":
        texts.append(
            message(
                "ID3 has no numeric splits: each numeric feature is first cut into {bins} bins with about equally many "
                "rows. C4.5 and CART split at thresholds.",
                bins=context.recipe.bins,
            )
        )
    return texts


LEAST_LEAF = 0.005
"""The share of the training rows that every leaf of a large table's first tree has at least."""


def first_recipe(weights: NDArray[np.float64], n_train: int | None = None) -> ex.Recipe:
    """What a large table begins with: CART whose leaves hold at least 0.5 % of the training rows, and two.

    `weights` are those of the training rows, or of a sample of `n_train` rows. Unless all are 1, a leaf holds at least
    the weight of so many average rows, to three digits.

    >>> first_recipe(np.ones(624)).min_rows_leaf, first_recipe(np.ones(350)).min_rows_leaf
    (3, 2)
    >>> first_recipe(np.full(4000, 189_664.134)).min_rows_leaf
    3790000
    """
    least, mean_weight = max(2, round(LEAST_LEAF * (n_train or len(weights)))), float(weights.mean())
    if mean_weight != 1.0:
        least = int(float(f"{least * mean_weight:.3g}"))  # a limit below 1 is none: the option takes whole numbers
    return ex.CART.replace(min_rows_leaf=least)
