"""Remarks on a tree by code: notes on its rows, why a split may not compete, why a choice is not in force.

A tree is kept and saved, and shown in many languages. So it keeps the code and the numbers of a remark; the words come
when the remark is shown.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from explorer.errors import InputError
from explorer.formatting import number_text, percent, value_text
from explorer.messages import listing, message, plural
from explorer.recipe.opened_remarks import OF_OPENED_MODELS
from explorer.recipe.parameters import STOP_REASONS


def _rows_without_weight(left_out: int, rows: int) -> str:
    return plural(
        left_out,
        "{n:,} of {rows:,} rows is left out: its class has no weight or cost.",
        "{n:,} of {rows:,} rows are left out: their class has no weight or cost.",
        rows=rows,
    )


def _rows_with_missing_cells(left_out: int, rows: int) -> str:
    return plural(
        left_out,
        "{n:,} of {rows:,} rows has a missing cell and was left out.",
        "{n:,} of {rows:,} rows have a missing cell and were left out.",
        rows=rows,
    )


def _choices_not_in_force(count: int, choices: int) -> str:
    return plural(
        count,
        "{n} of {choices} choices made by hand is not in force.",
        "{n} of {choices} choices made by hand are not in force.",
        choices=choices,
    )


def _rounds_stopped(done: int, rounds: int) -> str:
    return plural(done, "Stopped after {n} of {rounds} rounds.", "Stopped after {n} of {rounds} rounds.", rounds=rounds)


def _nothing_left_to_fit(rounds: int) -> str:
    return plural(
        rounds,
        "After {n} round every negative gradient is 0: nothing is left to fit.",
        "After {n} rounds every negative gradient is 0: nothing is left to fit.",
    )


def _no_improvement(stage: int, patience: int) -> str:
    return message(
        "Ended after round {stage}: the loss of the validation rows has not fallen for {patience} rounds.",
        stage=stage,
        patience=patience,
    )


def _shares_not_counts(nodes: int) -> str:
    return plural(
        nodes,
        "The class shares of {n:,} node do not give its impurity: they were changed after fitting. They are "
        "shares, not counts.",
        "The class shares of {n:,} nodes do not give their impurity: they were changed after fitting. They are shares, "
        "not counts.",
    )


def _recounted(library: str, sign: str) -> str:
    if not library:
        return message("The splits are those of a saved tree, the rows and all numbers those of this table.")
    return message("The splits are those of {library}, the rows and all numbers those of this table.", library=library)


def _best_round(best: int, rounds: int) -> str:
    return message(
        "Training was stopped early: round {best:,} of {rounds:,} was the best. XGBRegressor and XGBClassifier predict "
        "with the rounds up to it, Booster.predict with all.",
        best=best,
        rounds=rounds,
    )


def _only_best_rounds(best: int, rounds: int) -> str:
    return message(
        "Training was stopped early: of {rounds:,} rounds, those up to the best one, {best:,}, are kept.",
        best=best,
        rounds=rounds,
    )


def _no_better_than_chance(stage: int, error: float, chance: float) -> str:
    return message(
        "Ended before round {stage}: its tree is wrong on {error} of the weight, no better than chance ({chance}).",
        stage=stage,
        error=percent(error),
        chance=percent(chance),
    )


def _no_errors(stage: int) -> str:
    return message("Ended with round {stage}: its tree has no error on the training rows.", stage=stage)


def _few_errors(stage: int, weight: float) -> str:
    return message(
        "Ended with round {stage}: its tree is wrong on rows of weight {weight} only.",
        stage=stage,
        weight=number_text(weight, 3),
    )


def _boosting_abandoned(rounds: int) -> str:
    return message("Boosting ended after round {rounds}, so the first tree predicts alone.", rounds=rounds)


def _one_class(label: str) -> str:
    return message("Every row is of class {label}: there is nothing to tell apart.", label=label)


def _resamples_stopped(done: int, resamples: int) -> str:
    return plural(
        done,
        "Stopped after {n:,} of {resamples:,} resamples.",
        "Stopped after {n:,} of {resamples:,} resamples.",
        resamples=resamples,
    )


def _feature_left_out(feature: str) -> str:
    return message("the settings leave '{feature}' out", feature=feature)


def _forbidden_later(feature: str) -> str:
    return message("a later choice forbids '{feature}' here", feature=feature)


def _path_ends_at_leaf(stop: int) -> str:
    return message("its path ends at a leaf ({reason})", reason=STOP_REASONS[stop])


def _no_such_branch(feature: str, branch: int) -> str:
    return message("the split above it, on {feature}, has no branch {branch}", feature=feature, branch=branch)


def _splits_otherwise(condition: str) -> str:
    return message("above it, the tree now splits on {condition}", condition=condition)


def _gain_below_mean(mean: float) -> str:
    return message("gain below the mean gain {mean}", mean=_mean_text(mean))


def _gain_not_above_mean(mean: float) -> str:
    return message("gain not above the mean gain {mean}", mean=_mean_text(mean))


def _no_mean_gain() -> str:
    return message("many values, and no feature with fewer to compare its gain with")


def _mean_text(mean: float) -> str:
    return f"{mean:.4f}" if mean >= 0.001 else f"{mean:.3g}"


def _few_rows_in_branch(least: float) -> str:
    return message("a branch has fewer rows than min. samples per leaf ({least:g})", least=least)


def _too_few_values(feature: str, values: int) -> str:
    return plural(
        values,
        "'{feature}' has {n} different value at this node: choose another feature.",
        "'{feature}' has {n} different values at this node: choose another feature.",
        feature=feature,
    )


def _needs_threshold(feature: str) -> str:
    return message("'{feature}' is numeric and splits at a threshold: give a threshold.", feature=feature)


def _needs_intervals(feature: str) -> str:
    return message("'{feature}' splits by intervals here, not at a threshold: give intervals.", feature=feature)


def _needs_categories(feature: str) -> str:
    return message("'{feature}' splits by categories here, not at a threshold: give categories.", feature=feature)


def _too_many_branches(feature: str, categories: int, most: int) -> str:
    return message(
        "'{feature}' has {categories:,} categories, but a split has at most {most:,} branches: split on a subset.",
        feature=feature,
        categories=categories,
        most=most,
    )


def _threshold_outside(feature: str, threshold: float, least: float, largest: float) -> str:
    return message(
        "{feature} ≤ {threshold} leaves a branch empty: the values at this node go from {least} to {largest}, so give "
        "a threshold of at least {least} and below {largest}.",
        feature=feature,
        threshold=number_text(threshold),
        least=number_text(least),
        largest=number_text(largest),
    )


def _unknown_category(feature: str, category: Any, categories: Sequence[Any]) -> str:
    return message(
        "'{feature}' has no category '{category}': it has {categories}.",
        feature=feature,
        category=value_text(category),
        categories=listing(map(value_text, categories)),
    )


def _grouping_leaves_branch_empty(feature: str, categories: Sequence[Any]) -> str:
    return message(
        "The grouping of '{feature}' leaves a branch empty: put some of the categories at this node ({categories}) on "
        "either side.",
        feature=feature,
        categories=listing(map(value_text, categories)),
    )


def _violates_monotone(feature: str, sign: int) -> str:
    if sign > 0:
        return message("violates: must increase with {feature}", feature=feature)
    return message("violates: must decrease with {feature}", feature=feature)


def _not_beside(*features: str) -> str:
    return message("not allowed beside {features}", features=listing(features))


def _beyond_monotone_bounds(lower: float, upper: float) -> str:
    ends = {"lower": number_text(lower, 4), "upper": number_text(upper, 4)}
    if math.isinf(lower):
        return message("violates: monotone splits above allow values up to {upper}", **ends)
    if math.isinf(upper):
        return message("violates: monotone splits above allow values from {lower} on", **ends)
    return message("violates: monotone splits above allow values from {lower} to {upper}", **ends)


BELOW_MEAN_GAIN = ("gain_below_mean", "gain_not_above_mean")
"""Why a feature may not compete by gain ratio: the codes of the mean-gain filter."""

WEIGHED = (
    "weighted_rows",
    "from_xgboost",
    "from_catboost",
    "from_onnx",
    "weka_errors_shared",
    "from_r_forest",
    "from_pmml_without_counts",
    "shares_not_counts",
    "from_model_without_counts",
)
"""The codes of trees whose amounts are sums of weights and count no rows."""

DATES_AS_DAYS = "dates_as_days"
"""The code of the remark that names the columns of dates."""


DAYS_SINCE = "days_since"
"""The code of the remark that says which date a column of numbers counts days from."""


def _dates_as_days(*columns: str) -> str:
    return message("Dates count as days since 1970-01-01 (UTC): {columns}.", columns=listing(columns))


_TEXTS: dict[str, Callable[..., str]] = {
    "text": str,
    "rows_without_weight": _rows_without_weight,
    "rows_with_missing_cells": _rows_with_missing_cells,
    "from_sklearn": lambda: message(
        "Imported from scikit-learn; rows with a missing value take the branch that scikit-learn sends them to."
    ),
    "weighted_rows": lambda column: message(
        "Amounts are sums of the weights in column '{column}', not numbers of rows.", column=column
    ),
    DATES_AS_DAYS: _dates_as_days,
    DAYS_SINCE: lambda column, date: message("'{column}' counts days since {date}.", column=column, date=date),
    **OF_OPENED_MODELS,
    "recounted": _recounted,
    "best_round": _best_round,
    "only_best_rounds": _only_best_rounds,
    "shares_not_counts": _shares_not_counts,
    "rounds_stopped": _rounds_stopped,
    "nothing_left_to_fit": _nothing_left_to_fit,
    "no_improvement": _no_improvement,
    "no_better_than_chance": _no_better_than_chance,
    "no_errors": _no_errors,
    "few_errors": _few_errors,
    "no_test": lambda stage: message("Ended before round {stage}: its tree has no split.", stage=stage),
    "boosting_abandoned": _boosting_abandoned,
    "one_class": _one_class,
    "one_row": lambda: message("There is one row: no tree can split it."),
    "one_target_value": lambda: message("Every row has the same value of the target: there is nothing to fit."),
    "resamples_stopped": _resamples_stopped,
    "choices_not_in_force": _choices_not_in_force,
    "decided_later": lambda: message("a later choice decides about this node"),
    "feature_left_out": _feature_left_out,
    "forbidden_later": _forbidden_later,
    "no_training_row": lambda: message("no training row reaches this node"),
    "path_ends_at_leaf": _path_ends_at_leaf,
    "no_such_branch": _no_such_branch,
    "splits_otherwise": _splits_otherwise,
    "used_up": lambda: message("already used on this path"),
    "forbidden": lambda: message("forbidden by hand"),
    "not_beside": _not_beside,
    "one_value": lambda: message("one value only at this node"),
    "all_missing": lambda: message("missing in every row at this node"),
    "values_merged": lambda: message("all values at this node are merged: no two of them differ significantly"),
    "penalty_leaves_no_gain": lambda: message("the penalty for choosing among thresholds leaves no gain"),
    "no_gain_ratio": lambda: message("no gain ratio: all but no rows take one branch"),
    "gain_below_mean": _gain_below_mean,
    "gain_not_above_mean": _gain_not_above_mean,
    "no_mean_gain": _no_mean_gain,
    "feature_not_drawn": lambda: message("not drawn at this node"),
    "threshold_not_drawn": lambda: message("another threshold was drawn at this node"),
    "few_rows_in_branch": _few_rows_in_branch,
    "violates_monotone": _violates_monotone,
    "beyond_monotone_bounds": _beyond_monotone_bounds,
    "too_few_values": _too_few_values,
    "values_merged_by_hand": lambda feature: message(
        "All values of '{feature}' at this node are merged: choose a grouping, or another feature.", feature=feature
    ),
    "needs_threshold": _needs_threshold,
    "needs_intervals": _needs_intervals,
    "needs_categories": _needs_categories,
    "too_many_branches": _too_many_branches,
    "threshold_outside": _threshold_outside,
    "unknown_category": _unknown_category,
    "grouping_leaves_branch_empty": _grouping_leaves_branch_empty,
}


@dataclass(frozen=True)
class Remark:
    """A remark: its code and what its words are about.

    >>> Remark("rows_with_missing_cells", (2, 14)).text
    '2 of 14 rows have a missing cell and were left out.'
    """

    code: str
    values: tuple[Any, ...] = ()

    @property
    def text(self) -> str:
        """The remark in the language in force."""
        return _TEXTS[self.code](*self.values)

    def to_plain(self) -> list[Any]:
        """Plain values that JSON can hold; `from_plain` reads them back."""
        return [self.code, *(list(value) if isinstance(value, tuple) else value for value in self.values)]

    @classmethod
    def from_plain(cls, plain: object) -> Remark:
        """The remark that `to_plain` wrote, or a sentence of a tree saved by an older version."""
        if isinstance(plain, str):
            return cls("text", (plain,))
        try:
            code, *values = list(plain) if isinstance(plain, (list, tuple)) else []
            remark = cls(str(code), tuple(tuple(value) if isinstance(value, list) else value for value in values))
            _ = remark.text
        except (TypeError, ValueError, LookupError, AttributeError):
            raise InputError(message("The saved tree is damaged: a remark has no words. Save it again.")) from None
        return remark


class ImpossibleSplitError(InputError):
    """A requested split that does not divide the rows of its node; the remark says why."""

    def __init__(self, remark: Remark) -> None:
        """Keep the remark beside its words."""
        super().__init__(remark.text)
        self.remark = remark


def library_of(remark: Remark) -> str:
    """The library that a remark says a tree comes from; "" for any other remark."""
    if remark.code in ("from_model", "from_model_without_counts", "from_weka_text", "from_r_forest", "recounted"):
        return str(remark.values[0])
    libraries = {"from_xgboost": "XGBoost", "from_sklearn": "scikit-learn"}
    libraries |= {"from_lightgbm_zero": "LightGBM", "from_catboost": "CatBoost", "from_onnx": "ONNX"}
    libraries |= dict.fromkeys(("from_pmml", "from_pmml_without_counts"), "PMML")
    return libraries.get(remark.code, "")


def is_of_strict_tests(remark: Remark) -> bool:
    """Whether a remark says that the tests of a tree read x < t."""
    return remark.code == "from_xgboost" or (library_of(remark) != "" and remark.values[1:] == ("<",))
