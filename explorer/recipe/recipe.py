"""ID3, C4.5 and CART as three values of one record (DEFINITIONS section 5).

To compare the algorithms, read the three calls at the end of this file. No other line of the package depends on which
algorithm it is.
"""

from __future__ import annotations

import dataclasses
import math
import sys
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

from explorer.errors import InputError
from explorer.messages import listing, message
from explorer.ranges import is_whole
from explorer.recipe.class_weights import Costs, Pairs, costs_of, pairs_of
from explorer.recipe.feature_constraints import FeatureSets, Signs, feature_sets_of, signs_of
from explorer.recipe.impurity import FOR_CLASSES, FOR_NUMBERS, IMPURITIES, POISSON
from explorer.recipe.missing import POLICIES
from explorer.recipe.split_score import P_ADJUSTMENTS, SCORES
from explorer.values import Value

CHOICES: dict[str, tuple[object, ...]] = {
    "impurity": (None, *IMPURITIES),
    "score": tuple(SCORES),
    "mean_gain_filter": ("at_least", "greater", "off"),
    "categorical": ("each_value", "one_vs_rest", "subset"),
    "numeric": ("threshold", "bins", "each_value", "leave_out"),
    "threshold_at": ("midpoint", "observed", "c45"),
    "missing": tuple(POLICIES),
    "missing_ratio": ("quinlan", "known_rows_only"),
    "unseen": ("node", "heaviest", "fractional", "random"),
    "min_rows_in": ("every", "two"),
    "log_base": (2, "2", "e"),
    "p_adjustment": tuple(P_ADJUSTMENTS),
}
_NUMBERS = ("min_rows_split", "min_rows_leaf", "reg_lambda", "gamma")
_OPTIONAL_NUMBERS = ("min_score", "min_impurity_decrease", "max_impurity", "min_squared_error")
_SWITCHES = (
    "release8_penalty",
    "release8_numeric_minimum",
    "stop_at_one_feature",
    "mdl_stop",
    "prepruning",
    "empty_branches",
    "random_thresholds",
)
_DEEPEST = 2**31 - 1
MOST_BINS = 65_535


@dataclass(frozen=True)
class Recipe:
    """Every choice that growing a tree needs; unchanged fields are the defaults of DEFINITIONS sections 3 to 6."""

    name: str = "custom"
    impurity: str | None = None
    """Section 2. None: Gini for classes, variance for numbers."""
    score: str = "decrease"
    """Section 4: what features compete by."""
    p_adjustment: str = "sidak"
    """Section 25: how score "p_value" allows for the number of features: "sidak", "bonferroni" or "none"."""
    reg_lambda: float = 1.0
    """Ensembles, section 22: λ of score "newton", added to H, which shrinks leaves and gains."""
    gamma: float = 0.0
    """Ensembles, section 22: γ of score "newton", in XGBoost's units: splits with a smaller gain go, leaves up."""
    base_score: float | str | None = "mean"
    """Ensembles, section 22: F_0 of score "newton": a number (of two classes a probability), "mean", None: 0 (½)."""
    quantile: float = 0.9
    """Section 2: the share of the rows below what a leaf predicts, where impurity is "quantile"."""
    mean_gain_filter: str = "at_least"
    """Section 4: which features may compete by gain ratio: mean gain reached, exceeded ("greater"), or all ("off")."""
    release8_penalty: bool = False
    """Section 4: a numeric feature pays log2(thresholds)/N for its choice (Quinlan 1996)."""
    max_features: int | float | str | None = None
    """Ensembles, section 18: how many features a node draws (a number, a share, "sqrt", "log2"); None: tests all."""
    feature_seed: int = 0
    """Ensembles, section 16: the seed of what nodes draw."""
    random_thresholds: bool = False
    """Ensembles, section 18: a node draws one threshold of every numeric feature (extremely randomised trees)."""
    categorical: str = "subset"
    """Section 3: the test on a categorical feature."""
    numeric: str = "threshold"
    """Section 3: the test on a numeric feature."""
    bins: int = 4
    """Section 5: how many equal-frequency bins, where numeric is "bins"."""
    merge_level: float | None = None
    """Section 25 of ensembles/DEFINITIONS.md: values with a branch each are merged where χ² has a larger p (CHAID)."""
    threshold_at: str = "midpoint"
    """Section 3: where between two neighbouring values the threshold lies."""
    missing: str = "most_common"
    """Section 6: what happens to rows whose tested value is missing."""
    missing_ratio: str = "quinlan"
    """Section 6: whether split information counts "missing" as one more outcome ("fractional" only)."""
    unseen: str = "node"
    """Section 6: the branch of a category that no training row of the node has."""
    max_depth: int | None = None
    """Section 5: edges on the longest path."""
    max_leaf_nodes: int | None = None
    """Section 24 of ensembles/DEFINITIONS.md: the most leaves, the largest weighted decreases of impurity first."""
    min_rows_split: float = 0.0
    """Section 5: row weight below which a node is not split."""
    min_rows_leaf: float = 0.0
    """Section 3: row weight that branches need; 0 requires one row of positive weight."""
    min_rows_in: str = "every"
    """Section 3: whether every branch needs that weight or (C4.5) only two of them."""
    release8_numeric_minimum: bool = False
    """Section 3: branches of a threshold need max(minimum, min(25, 0.1·N/classes))."""
    stop_at_one_feature: bool = False
    """Section 5: stop when a single feature is left on the path."""
    min_score: float | None = None
    """Section 5: stop when the winning score is below this ε."""
    min_impurity_decrease: float | None = None
    """Section 5: stop when W_t/W times the winner's decrease is below this (scikit-learn's parameter)."""
    max_impurity: float | None = None
    """Section 5: stop when the node's impurity is below this."""
    min_squared_error: float | None = None
    """Section 5: stop when the node's sum of squared errors is below this δ (regression)."""
    chi2_level: float | None = None
    """Section 5: stop when the χ² of the winner's branches and classes has a larger p than this level.

    Under the score "p_value" the adjusted p is compared with it (section 25).
    """
    mdl_stop: bool = False
    """Section 5: stop when the split, with its branches as leaves, takes no fewer bits than the node as a leaf."""
    prepruning: bool = False
    """Section 5: stop when the split does not improve the score on the validation rows given to `grow`."""
    empty_branches: bool = False
    """Section 5: keep a leaf for training categories that the node has none of."""
    class_weights: Mapping[Value, float] | Pairs | None = None
    """Section 9: {class: weight of each of its rows}, 1 where not named. A prior π is π·W/W_class. Kept as pairs."""
    costs: Mapping[Value, Mapping[Value, float]] | Costs | None = None
    """Section 9: {true class: {predicted class: cost of that error}}, 1 where not named. Kept as pairs."""
    feature_costs: Mapping[str, float] | Pairs | None = None
    """Section 4: {column: cost of knowing it}, 1 where not named; scores "tan_schlimmer" and "nunez" use it."""
    nunez_w: float = 1.0
    """Section 4: how much the cost counts in Núñez's score, from 0 (not at all) to 1."""
    monotone: Mapping[str, int] | Signs | None = None
    """Section 24 of ensembles/DEFINITIONS.md: {column: +1 or −1}: predictions rise, or fall, with it. Kept as pairs."""
    interactions: Collection[Collection[str]] | FeatureSets | None = None
    """Section 24 of ensembles/DEFINITIONS.md: sets of columns; one set holds all features tested on a path."""
    log_base: int | str = 2
    """Section 1: 2 for bits, "e" for nats."""

    def __post_init__(self) -> None:
        """Refuse invalid values, naming the field, the value and what is possible."""
        self._settle_costs()
        for field, choices in CHOICES.items():
            value = getattr(self, field)
            if value not in choices or isinstance(value, bool):
                self._refuse(field, message("one of {choices}", choices=listing(map(repr, choices))))
        for field in (*_NUMBERS, *_OPTIONAL_NUMBERS):
            value = getattr(self, field)
            if not (_is_amount(value) or (value is None and field in _OPTIONAL_NUMBERS)):
                self._refuse(field, message("a finite number from 0 on"))
        for field in _SWITCHES:
            if not isinstance(getattr(self, field), bool):
                self._refuse(field, "True, False")
        if not is_whole(self.bins, 2, MOST_BINS):
            self._refuse("bins", message("a whole number from {least} to {most}", least=2, most=MOST_BINS))
        if self.chi2_level is not None and not (_is_amount(self.chi2_level) and self.chi2_level <= 1):
            self._refuse("chi2_level", message("None, or a significance level from 0 to 1"))
        self._check_merging()
        if self.release8_penalty and self.score == "newton":
            self._refuse("release8_penalty", message("False, where features compete by score 'newton'"))
        if self.base_score not in (None, "mean") and not _is_finite(self.base_score):
            self._refuse("base_score", message("None, 'mean', or a finite number"))
        if not _is_number_of_features(self.max_features):
            allowed = message("None, a whole number from 1 on, a share above 0 up to 1, 'sqrt', 'log2'")
            self._refuse("max_features", allowed)
        if not (_is_amount(self.quantile) and 0 < self.quantile < 1):
            self._refuse("quantile", message("a number above 0 and below 1"))
        self._check_loss()
        if not is_whole(self.feature_seed, 0, 2**63 - 1):
            self._refuse("feature_seed", message("a whole number from {least} to {most}", least=0, most=2**63 - 1))
        if self.random_thresholds and self.missing in ("same_class", "default_direction"):
            self._refuse("missing", message("any other policy, where random_thresholds draws them"))
        if self.log_base == "2":
            object.__setattr__(self, "log_base", 2)
        if self.max_leaf_nodes is not None and not is_whole(self.max_leaf_nodes, 2, _DEEPEST):
            self._refuse(
                "max_leaf_nodes", message("None, or a whole number from {least} to {most}", least=2, most=_DEEPEST)
            )
        if self.max_depth is not None and not is_whole(self.max_depth, 0, _DEEPEST):
            self._refuse("max_depth", message("None, or a whole number from 0 to {most}", most=_DEEPEST))

    def _refuse(self, field: str, allowed: str) -> NoReturn:
        """Raise the error for a field with a value that is not allowed."""
        raise InputError(
            message(
                "Recipe field '{field}' is {value:.60}. Allowed: {allowed}.",
                field=field,
                value=repr(getattr(self, field)),
                allowed=allowed,
            )
        )

    def _check_merging(self) -> None:
        """Refuse a level that is none, and what counts the branches of values that are not merged."""
        if self.merge_level is None:
            return
        if not (_is_amount(self.merge_level) and self.merge_level <= 1):
            self._refuse("merge_level", message("None, or a significance level from 0 to 1"))
        if self.mdl_stop:
            self._refuse("mdl_stop", message("False, where merge_level merges values"))

    def _check_loss(self) -> None:
        """Refuse what is about squared errors where a numeric target has another loss."""
        if not has_loss_of_its_own(self):
            return
        for field, default in (("score", "decrease"), ("release8_penalty", False), ("min_squared_error", None)):
            if getattr(self, field) != default:
                allowed = message("{value} with impurity '{impurity}'", value=repr(default), impurity=self.impurity)
                self._refuse(field, allowed)
        if not predicts_quantiles(self):
            return
        if self.missing == "fractional":
            others = ("drop", "most_common", "surrogate", "own_branch", "default_direction")
            self._refuse("missing", message("one of {choices}", choices=listing(map(repr, others))))
        if self.monotone:
            raise InputError(
                message(
                    "Monotone constraints bound the means of branches, but impurity '{impurity}' predicts quantiles: "
                    "remove the constraints, or choose impurity 'variance'.",
                    impurity=self.impurity,
                )
            )

    def _settle_costs(self) -> None:
        """Turn mappings into pairs, and refuse what no score could divide by."""
        object.__setattr__(self, "class_weights", pairs_of(self.class_weights, "class_weights"))
        object.__setattr__(self, "costs", costs_of(self.costs))
        object.__setattr__(self, "feature_costs", pairs_of(self.feature_costs, "feature_costs"))
        object.__setattr__(self, "monotone", signs_of(self.monotone))
        object.__setattr__(self, "interactions", feature_sets_of(self.interactions))
        if self.monotone and (self.random_thresholds or self.score == "newton"):
            raise InputError(
                message(
                    "Monotone constraints bound the means of branches, so they do not go with score 'newton' or random "
                    "thresholds: remove the constraints, or choose another score."
                )
            )
        if not (_is_amount(self.nunez_w) and self.nunez_w <= 1):
            self._refuse("nunez_w", message("a number from 0 to 1"))
        free = [name for name, cost in self.cost_per_feature.items() if cost == 0]
        if free and self.score == "tan_schlimmer":
            raise InputError(
                message(
                    "Column {column!r} costs 0, but Tan and Schlimmer's score divides by the cost: give it a small "
                    "cost, or use score 'nunez'.",
                    column=free[0],
                )
            )

    @property
    def cost_per_feature(self) -> dict[Value, float]:
        """The costs of the columns that were named."""
        return dict(pairs_of(self.feature_costs, "feature_costs") or ())

    @property
    def monotone_signs(self) -> dict[str, int]:
        """+1 or −1 for the columns with a monotone constraint."""
        return dict(signs_of(self.monotone) or ())

    @property
    def feature_sets(self) -> FeatureSets:
        """`interactions` in the form they are kept in."""
        return feature_sets_of(self.interactions) or ()

    @property
    def class_pairs(self) -> Pairs | None:
        """`class_weights` in the form they are kept in."""
        return pairs_of(self.class_weights, "class_weights")

    @property
    def cost_pairs(self) -> Costs | None:
        """`costs` in the form they are kept in."""
        return costs_of(self.costs)

    def replace(self, **changes: Any) -> Recipe:
        """The same recipe with some fields changed.

        >>> CART.replace(max_depth=3).max_depth
        3
        """
        unknown = sorted(set(changes) - {field.name for field in dataclasses.fields(self)})
        if unknown:
            raise InputError(
                message(
                    "A recipe has no field {fields}: see the documentation of Recipe.",
                    fields=listing(map(repr, unknown)),
                )
            )
        return dataclasses.replace(self, **changes)

    def impurity_for(self, regression: bool) -> str:
        """The impurity in force for this type of target; InputError where the two do not go together."""
        score = SCORES[self.score]
        if not regression:
            if self.impurity is not None and not IMPURITIES[self.impurity].needs_classes:
                raise InputError(
                    message(
                        "The target is categorical, but impurity '{impurity}' needs a numeric target: choose another "
                        "impurity.",
                        impurity=self.impurity,
                    )
                )
            if score.needs == "numbers":
                raise InputError(score.refusal)
            return self.impurity or FOR_CLASSES
        if self.impurity is not None and IMPURITIES[self.impurity].needs_classes:
            raise InputError(
                message(
                    "The target is numeric, but {name} uses impurity '{impurity}', which needs classes: choose CART, "
                    "or make the target categorical.",
                    name=self.name,
                    impurity=self.impurity,
                )
            )
        if score.needs == "classes":
            raise InputError(score.refusal)
        if self.chi2_level is not None:
            raise InputError(
                message(
                    "The target is numeric, but the χ² test compares classes: remove chi2_level (min_score and "
                    "prepruning also stop early), or make the target categorical."
                )
            )
        if self.merge_level is not None:
            raise InputError(
                message(
                    "The target is numeric, but merge_level merges values by the χ² of their classes: leave it out, or "
                    "make the target categorical."
                )
            )
        if self.mdl_stop:
            raise InputError(
                message(
                    "The target is numeric, but MDL (description length) counts classes: remove mdl_stop (min_score "
                    "and prepruning also stop early), or make the target categorical."
                )
            )
        return self.impurity or FOR_NUMBERS

    def unit(self, regression: bool) -> float:
        """What one bit counts for in the recipe's logarithm (1 unless the impurity is an entropy in nats)."""
        nats = self.log_base == "e" and IMPURITIES[self.impurity_for(regression)].in_bits
        return math.log(2.0) if nats else 1.0

    def score_unit(self, regression: bool) -> float:
        """The same for the score: a ratio has no unit, gain² has it twice, and Núñez's score is always in bits."""
        return self.unit(regression) ** SCORES[self.score].unit_power


def has_loss_of_its_own(recipe: Recipe) -> bool:
    """Whether the impurity is a loss of numeric targets other than squared error."""
    return recipe.impurity is not None and IMPURITIES[recipe.impurity].number >= POISSON


def predicts_quantiles(recipe: Recipe) -> bool:
    """Whether the impurity is a loss around a quantile, which its leaves predict."""
    return recipe.impurity is not None and IMPURITIES[recipe.impurity].number > POISSON


def _is_number_of_features(value: object) -> bool:
    if value is None or (isinstance(value, str) and value in ("sqrt", "log2")) or is_whole(value, 1, _DEEPEST):
        return True
    return isinstance(value, (float, np.floating)) and bool(0 < value <= 1)


def _is_amount(value: object) -> bool:
    number = isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)
    return number and bool(0 <= value <= sys.float_info.max)  # type: ignore[operator]


def _is_finite(value: object) -> bool:
    number = isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)
    return number and bool(abs(value) <= sys.float_info.max)  # type: ignore[arg-type]


ID3 = Recipe(
    name="ID3",
    impurity="entropy",
    score="gain",
    categorical="each_value",
    numeric="bins",
    missing="most_common",
    empty_branches=True,
)
"""Iterative Dichotomiser 3 (Quinlan 1986)."""

C45 = Recipe(
    name="C4.5",
    impurity="entropy",
    score="gain_ratio",
    mean_gain_filter="at_least",
    categorical="each_value",
    numeric="threshold",
    missing="fractional",
    empty_branches=True,
)
"""C4.5 (Quinlan 1993)."""

CART = Recipe(
    name="CART",
    impurity=None,
    score="decrease",
    categorical="subset",
    numeric="threshold",
    missing="surrogate",
    empty_branches=False,
)
"""Classification and Regression Trees (Breiman, Friedman, Olshen and Stone 1984)."""
