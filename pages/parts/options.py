"""The options of growing as a table: what each is called, what it may be, and when it means something."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass

import explorer as ex

RECIPES = {"ID3": ex.ID3, "C4.5": ex.C45, "CART": ex.CART}
Value = str | int | float | bool | None


@dataclass(frozen=True)
class Context:
    """What decides whether an option applies: the recipe in force and the facts of the table."""

    recipe: ex.Recipe
    is_regression: bool
    has_numeric: bool
    has_categorical: bool
    has_missing: bool

    @classmethod
    def of(cls, recipe: ex.Recipe, data: ex.Dataset) -> Context:
        """Read the facts off the data."""
        used = {feature.name for feature in data.features}
        return cls(
            recipe=recipe,
            is_regression=data.is_regression,
            has_numeric=any(feature.kind == "numeric" for feature in data.features),
            has_categorical=any(feature.kind == "categorical" for feature in data.features),
            has_missing=any(column.n_missing > 0 for column in data.columns if column.name in used),
        )

    @property
    def has_thresholds(self) -> bool:
        """Whether numeric features are split at a threshold."""
        return self.has_numeric and self.recipe.numeric == "threshold"


@dataclass(frozen=True)
class Option:
    """One field of the recipe as the page offers it."""

    field: str
    label: str
    help: str
    kind: str
    choices: dict[Value, str] = dataclasses.field(default_factory=dict)
    blank: str = ""
    is_main: bool = False
    applies: Callable[[Context], bool] = lambda context: True

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
        "impurity",
        "Impurity",
        "What a split should lower: how mixed the classes of a node are.",
        "choice",
        {"gini": "Gini", "entropy": "Entropy", "error": "Error rate"},
        is_main=True,
        applies=lambda c: not c.is_regression and c.recipe.score == "decrease",
    ),
    Option(
        "missing",
        "Missing cells",
        "Where a row goes when the tested cell is empty. ID3 takes the node's most common value (or median), C4.5 "
        "sends the row down every branch in shares, CART asks a surrogate question that parts the rows alike.",
        "choice",
        {
            "most_common": "Most common value",
            "same_class": "Most common in its class",
            "fractional": "Every branch, in shares",
            "surrogate": "Surrogate tests",
            "own_branch": "A branch of its own",
            "drop": "Leave the row out",
        },
        is_main=True,
        applies=lambda c: c.has_missing,
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
    ),
    Option(
        "bins",
        "Number of bins",
        "Equal-frequency bins of the training values, made once for the tree.",
        "whole",
        applies=lambda c: c.has_numeric and c.recipe.numeric == "bins",
    ),
    Option(
        "categorical",
        "Categorical test",
        "Each value: one branch per category. The two others make two branches.",
        "choice",
        {"each_value": "Each value", "one_vs_rest": "One value against the rest", "subset": "Best subset of values"},
        applies=lambda c: c.has_categorical,
    ),
    Option(
        "empty_branches",
        "Keep empty branches",
        "A category that no row of the node has still gets a leaf, with the answer of the node above it.",
        "switch",
        applies=lambda c: c.has_categorical and c.recipe.categorical == "each_value",
    ),
    Option(
        "threshold_at",
        "Place of a threshold",
        "Halfway between two neighbouring values, at the lower one, or (C4.5) at the largest training value below "
        "the middle.",
        "choice",
        {"midpoint": "Midpoint", "observed": "Lower value", "c45": "As in C4.5"},
        applies=lambda c: c.has_thresholds,
    ),
    Option(
        "mean_gain_filter",
        "Who may compete by gain ratio",
        "C4.5 lets only features with at least the mean gain compete, so that a tiny gain with a tiny split "
        "information cannot win.",
        "choice",
        {"at_least": "Gain at least the mean", "greater": "Gain above the mean", "off": "Every feature"},
        applies=lambda c: c.recipe.score == "gain_ratio",
    ),
    Option(
        "release8_penalty",
        "Charge for thresholds",
        "C4.5 release 8: a numeric feature pays log2(number of thresholds) / rows for its choice.",
        "switch",
        applies=lambda c: c.has_thresholds and c.recipe.score != "decrease" and not c.is_regression,
    ),
    Option(
        "release8_numeric_minimum",
        "Larger branches for thresholds",
        "C4.5 release 8: each side of a threshold needs a tenth of the rows per class, but never more than 25.",
        "switch",
        applies=lambda c: c.has_thresholds and not c.is_regression,
    ),
    Option(
        "min_rows_in",
        "Which branches need those rows",
        "Every branch, or (C4.5) only two of them.",
        "choice",
        {"every": "Every branch", "two": "Two of them"},
        applies=lambda c: c.recipe.min_rows_leaf > 0,
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
        applies=lambda c: c.has_categorical,
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
    ),
    Option(
        "stop_at_one_feature",
        "Stop at the last feature",
        "Some books stop when a single feature is left on the path.",
        "switch",
        applies=lambda c: c.recipe.score != "decrease",
    ),
    Option(
        "log_base",
        "Entropy in",
        "Bits use logarithms of base 2, nats natural ones. The same tree wins.",
        "choice",
        {2: "bits", "e": "nats"},
        applies=lambda c: not c.is_regression and c.recipe.impurity == "entropy",
    ),
)
BY_FIELD = {option.field: option for option in OPTIONS}


def shown(context: Context, main: bool) -> list[Option]:
    """The options that mean something now: those that stand open, or those that are folded away."""
    return [option for option in OPTIONS if option.is_main == main and option.applies(context)]


def remarks(context: Context) -> list[str]:
    """What the page says beside the options: where the recipe is not what its book has."""
    found = []
    if context.has_numeric and context.recipe.numeric == "bins":
        found.append(
            f"ID3 has no test for numbers: each numeric feature is first cut into {context.recipe.bins} intervals with "
            "about equally many rows."
        )
    return found
