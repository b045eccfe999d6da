"""The options of growing as a table: what each is called, what it may be, and when it means something."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import explorer as ex
from explorer.recipe.class_weights import Costs, Pairs
from explorer.recipe.impurity import FOR_CLASSES, IMPURITIES
from explorer.recipe.missing import DROP, POLICIES
from explorer.recipe.split_score import SCORES, SplitScore

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
        """Whether a test can have a branch for each value or interval, so that its feature is not tested again."""
        by_value = self.has_categorical and self.recipe.categorical == "each_value"
        return by_value or (self.has_numeric and self.recipe.numeric in ("bins", "each_value"))


@dataclass(frozen=True)
class Option:
    """One field of the recipe as the page offers it; `needs` says what it takes for the option to mean something.

    `allows` is true for the choices that suit the kind of target.
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
    """A value as a web address holds it; `Option.read` is the inverse."""
    if isinstance(value, tuple):
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return str(value).lower() if isinstance(value, bool) or value is None else str(value)


_WHOLE_DIGITS = 18
"""A whole number with more digits in an address is no name of a class."""


def _pairs(text: str) -> Pairs | Costs:
    """Names and amounts, or names and such pairs, from JSON; ValueError for anything else."""
    try:
        items = json.loads(text, parse_int=lambda digits: (int if len(digits) <= _WHOLE_DIGITS else float)(digits))
    except RecursionError:
        raise ValueError(text) from None
    if not isinstance(items, list):
        raise ValueError(text)
    pairs: Pairs | Costs = tuple(_pair(item) for item in items)
    return pairs


def _pair(item: object) -> tuple[Any, Any]:
    """A name and an amount, or a name and pairs."""
    if not isinstance(item, list) or len(item) != 2 or isinstance(item[0], (list, dict)):
        raise ValueError(item)
    name, amount = item
    return name, tuple(_pair(inner) for inner in amount) if isinstance(amount, list) else amount


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

RECIPES = {"ID3": ex.ID3, "C4.5": ex.C45, "CART": ex.CART}


def _suits(context: Context, score: SplitScore) -> bool:
    """Whether a score is offered for the kind of target: none that is defined by entropy for numbers."""
    if context.is_regression:
        return score.needs != "classes" and not score.by_entropy
    return score.needs != "numbers"


_IMPURITIES = sorted(IMPURITIES.values(), key=lambda impurity: impurity.name != FOR_CLASSES)
_POLICIES = sorted(POLICIES.values(), key=lambda policy: policy.number == DROP)

OPTIONS: tuple[Option, ...] = (
    Option(
        "max_depth",
        "Maximum depth",
        "The longest chain of questions from the root to a leaf.",
        "whole",
        blank="no limit",
        is_main=True,
    ),
    Option(
        "min_rows_split",
        "Rows to split",
        "A node with fewer rows becomes a leaf.",
        "whole",
        is_main=True,
    ),
    Option(
        "min_rows_leaf",
        "Rows per branch",
        "A test is allowed only if its branches keep this many rows.",
        "whole",
        is_main=True,
    ),
    Option(
        "score",
        "Features compete by",
        "The number that the best tests of the features are compared by. Those with a cost are for tables where it "
        "costs something to learn a feature's value (Tan and Schlimmer; Núñez).",
        "choice",
        {score.name: score.label for score in SCORES.values()},
        allows=lambda c, choice: _suits(c, SCORES[str(choice)]),
    ),
    Option(
        "nunez_w",
        "How much costs matter",
        "Núñez's w: from 0, where costs are ignored, to 1.",
        "number",
        applies=lambda c: c.recipe.score == "nunez",
        needs="features that compete by gain against cost",
        most=1.0,
    ),
    Option(
        "impurity",
        "Impurity",
        "What a split should lower: how mixed the classes of a node are.",
        "choice",
        {impurity.name: impurity.label.capitalize() for impurity in _IMPURITIES if impurity.needs_classes},
        is_main=True,
        applies=lambda c: not c.is_regression and SCORES[c.recipe.score].any_impurity,
        needs="classes, and features that compete by the decrease (or its square by the cost)",
    ),
    Option(
        "missing",
        "Missing cells",
        "Where a row goes when the tested cell is empty. ID3 takes the node's most common value (or median), C4.5 "
        "sends the row down every branch in shares, CART asks a surrogate question that parts the rows alike.",
        "choice",
        {policy.name: policy.label for policy in _POLICIES},
        is_main=True,
        applies=lambda c: c.has_missing,
        allows=lambda c, choice: not (c.is_regression and POLICIES[str(choice)].needs_classes),
        needs="a feature with missing cells",
    ),
    Option(
        "missing_ratio",
        "Missing in split information",
        "Quinlan's C4.5 counts rows without a value as one more outcome of the test; the other way leaves them out.",
        "choice",
        {"quinlan": "One more outcome", "known_rows_only": "Known rows only"},
        applies=lambda c: c.has_missing and c.recipe.missing == "fractional" and c.recipe.score == "gain_ratio",
        needs="missing cells in shares, and features that compete by gain ratio",
    ),
    Option(
        "numeric",
        "Numeric features",
        "ID3 has no test for numbers: they are cut into equal-frequency bins, or each value counts as a category.",
        "choice",
        {
            "bins": "Cut into bins",
            "threshold": "Threshold at each node",
            "each_value": "Each value a category",
            "leave_out": "Left out",
        },
        applies=lambda c: c.has_numeric,
        needs="a numeric feature",
    ),
    Option(
        "bins",
        "Number of bins",
        "Equal-frequency bins of the training values, made once for the tree.",
        "whole",
        applies=lambda c: c.has_numeric and c.recipe.numeric == "bins",
        needs="numeric features that are cut into bins",
    ),
    Option(
        "categorical",
        "Categorical test",
        "Each value: one branch per category. The two others make two branches.",
        "choice",
        {"each_value": "Each value", "one_vs_rest": "One value against the rest", "subset": "Best subset of values"},
        applies=lambda c: c.has_categorical,
        needs="a categorical feature",
    ),
    Option(
        "empty_branches",
        "Keep empty branches",
        "A category or interval that no row of the node has still gets a leaf, with the answer of the node above it.",
        "switch",
        applies=lambda c: c.uses_up,
        needs="tests with a branch for each value or interval",
    ),
    Option(
        "threshold_at",
        "Place of a threshold",
        "Halfway between two neighbouring values, at the lower one, or (C4.5) at the largest training value below "
        "the middle.",
        "choice",
        {"midpoint": "Midpoint", "observed": "Lower value", "c45": "As in C4.5"},
        applies=lambda c: c.has_thresholds,
        needs="numeric features that are split at thresholds",
    ),
    Option(
        "mean_gain_filter",
        "Who may compete by gain ratio",
        "C4.5 lets only features with at least the mean gain compete, so that a tiny gain with a tiny split "
        "information cannot win.",
        "choice",
        {"at_least": "Gain at least the mean", "greater": "Gain above the mean", "off": "Every feature"},
        applies=lambda c: c.recipe.score == "gain_ratio",
        needs="features that compete by gain ratio",
    ),
    Option(
        "release8_penalty",
        "Charge for thresholds",
        "C4.5 release 8: a numeric feature pays log2(number of thresholds) / rows for its choice.",
        "switch",
        applies=lambda c: (
            c.recipe.release8_penalty or (c.has_thresholds and c.recipe.score != "decrease" and not c.is_regression)
        ),
        needs="classes, thresholds, and features that compete by another score than the plain decrease",
    ),
    Option(
        "release8_numeric_minimum",
        "Larger branches for thresholds",
        "C4.5 release 8: each side of a threshold needs a tenth of the rows per class, but never more than 25.",
        "switch",
        applies=lambda c: c.recipe.release8_numeric_minimum or (c.has_thresholds and not c.is_regression),
        needs="classes, and numeric features that are split at thresholds",
    ),
    Option(
        "min_rows_in",
        "Which branches need those rows",
        "Every branch, or (C4.5) only two of them.",
        "choice",
        {"every": "Every branch", "two": "Two of them"},
        applies=lambda c: c.recipe.min_rows_leaf > 0,
        needs="a minimum of rows per branch above 0",
    ),
    Option(
        "unseen",
        "A category never seen",
        "Where a row goes at prediction time when its category never reached the node.",
        "choice",
        {
            "node": "Stop at the node",
            "heaviest": "Follow the largest branch",
            "fractional": "Every branch, in shares",
            "random": "A random branch (always the same)",
        },
        applies=lambda c: (
            c.has_categorical
            or (c.has_numeric and c.recipe.numeric == "each_value")
            or (c.has_missing and c.recipe.missing in ("drop", "own_branch"))
        ),
        needs="a feature with categories, or missing cells without a branch of their own",
    ),
    Option(
        "min_score",
        "Least winning score",
        "The node stops when its best score is below this number.",
        "number",
        blank="no limit",
    ),
    Option(
        "min_impurity_decrease",
        "Least impurity decrease",
        "Share of the rows times the decrease, as scikit-learn's min_impurity_decrease.",
        "number",
        blank="no limit",
    ),
    Option(
        "max_impurity",
        "Stop below impurity",
        "A node that is purer than this becomes a leaf.",
        "number",
        blank="no limit",
    ),
    Option(
        "min_squared_error",
        "Stop below squared error",
        "A node whose squared errors sum to less than this becomes a leaf.",
        "number",
        blank="no limit",
        applies=lambda c: c.is_regression,
        needs="a numeric target",
    ),
    Option(
        "chi2_level",
        "Largest p of χ²",
        "The node stops when branches and classes could be as related as this by chance: when p of the χ² test of its "
        "best split is above this level (Quinlan 1986). 0.05 or 0.01 are usual.",
        "number",
        blank="no limit",
        applies=lambda c: not c.is_regression,
        needs="classes",
        most=1.0,
    ),
    Option(
        "mdl_stop",
        "Description length",
        "The node stops when it takes no more bits as a leaf, with a list of its exceptions, than with its best split "
        "and the branches as leaves (Quinlan and Rivest 1989).",
        "switch",
        applies=lambda c: not c.is_regression,
        needs="classes",
    ),
    Option(
        "prepruning",
        "Pre-pruning",
        "The node stops when its split does not improve the score on the validation rows.",
        "switch",
        applies=lambda c: c.has_validation or c.recipe.prepruning,
        needs="validation rows. Choose “Training and validation” under “Rows for growing” on the Data page",
    ),
    Option(
        "stop_at_one_feature",
        "Stop at the last feature",
        "Some books stop when a single feature is left on the path.",
        "switch",
        applies=lambda c: c.uses_up,
        needs="tests that use a feature up: a branch for each value or interval",
    ),
    Option(
        "log_base",
        "Entropy in",
        "Bits use logarithms of base 2, nats natural ones. The same tree wins.",
        "choice",
        {2: "bits", "e": "nats"},
        applies=lambda c: not c.is_regression and IMPURITIES[c.recipe.impurity or FOR_CLASSES].in_bits,
        needs="classes and the impurity entropy",
    ),
)
TABLES: tuple[Option, ...] = (
    Option(
        "class_weights",
        "Weights of classes",
        "A weight multiplies every row of its class; a prior is weight × rows of the class / all rows.",
        "table",
        applies=lambda c: not c.is_regression,
        needs="classes",
    ),
    Option(
        "costs",
        "Costs of mistakes",
        "What each answer costs for a row of the class on the left. Leaves give the answer that costs least.",
        "table",
        applies=lambda c: not c.is_regression,
        needs="classes",
    ),
    Option(
        "feature_costs",
        "Costs of features",
        "What it costs to learn a feature's value.",
        "table",
        applies=lambda c: SCORES[c.recipe.score].uses_costs,
        needs="features that compete by decrease² / cost, or by gain against cost",
    ),
)
"""Fields with an amount for each class or feature."""
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
            f"ID3 has no test for numbers: each numeric feature is first cut into {context.recipe.bins} intervals with "
            "about equally many rows."
        )
    return texts
