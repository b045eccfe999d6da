"""What happens to a row whose value is missing while growing (DEFINITIONS section 6).

*drop*: rows with a missing used feature are left out. *most_common*: the cell counts as the most common value
(categorical) or the median (numeric) of the node's rows that have one; the stand-in makes no threshold of its own.
*same_class*: the same among the rows of the row's own class. Under the other policies a test is judged by the rows that
have a value; then a row without one goes down every branch in shares (*fractional*), where a similar test sends it
(*surrogate*), or down a branch for missing values (*own_branch*).
"""

import numpy as np
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.errors import InputError
from explorer.jit import borrowing, kernel
from explorer.recipe.condition import midpoint, threshold_between
from explorer.recipe.recipe import Recipe

ROUNDING = 1e-12
"""Sums of fractional weights closer than this are equal, in whatever order they were added up."""
DROP, MOST_COMMON, SAME_CLASS, FRACTIONAL, SURROGATE, OWN_BRANCH = range(6)
POLICIES = {
    "drop": DROP,
    "most_common": MOST_COMMON,
    "same_class": SAME_CLASS,
    "fractional": FRACTIONAL,
    "surrogate": SURROGATE,
    "own_branch": OWN_BRANCH,
}


@kernel
def by_known_rows(policy):
    """Whether tests are judged by the rows that have a value, no value standing in for a missing one."""
    return policy >= FRACTIONAL


@borrowing
def heaviest(weights):
    """Position of the largest weight, the earlier one on a tie: the most common category."""
    best = 0
    for position in range(1, weights.size):
        if weights[position] > weights[best] * (1.0 + ROUNDING):
            best = position
    return best


@borrowing
def past_half(weight_so_far, weight):
    """1 where a running weight is more than half of the whole, 0 where it is one half, −1 below."""
    apart = 2.0 * weight_so_far - weight
    if abs(apart) <= ROUNDING * weight:
        return 0
    return 1 if apart > 0.0 else -1


@borrowing
def median_goes_left(weight_left, weight_right, values, low, high, place):
    """Whether the weighted median of the known values lies on the left of a threshold between `low` and `high`."""
    half = past_half(weight_left, weight_left + weight_right)
    if half != 0:
        return half > 0
    return midpoint(values[low], values[high]) <= threshold_between(values, low, high, place)


@borrowing
def weighted_median(values, weights):
    """The middle of ascending values by weight, halfway between two where the halves meet there; nan without weight."""
    total, so_far, low = 0.0, 0.0, np.nan
    for weight in weights:
        total += weight
    for i in range(values.size):
        if weights[i] > 0.0:
            if not np.isnan(low):
                return midpoint(low, values[i])
            so_far += weights[i]
            half = past_half(so_far, total)
            if half > 0:
                return values[i]
            if half == 0:
                low = values[i]
    return low


def complete_rows(data: Dataset, recipe: Recipe) -> NDArray[np.intp]:
    """Positions of the rows without a missing cell in a feature that the recipe uses."""
    used = [i for i, f in enumerate(data.features) if f.kind == "categorical" or recipe.numeric != "leave_out"]
    lacking = np.array([data.features[i].n_values for i in used])[:, None]
    return np.flatnonzero((data.codes[used] < lacking).all(axis=0))


def _lacks(data: Dataset, recipe: Recipe) -> bool:
    return len(complete_rows(data, recipe)) < data.n_rows


def training_rows(data: Dataset, recipe: Recipe) -> tuple[Dataset, tuple[str, ...]]:
    """The rows that growing uses, and what was left out: policy "drop" leaves out rows with a missing feature."""
    if recipe.missing == "same_class" and data.is_regression:
        raise InputError(
            f"The target '{data.target.name}' is numeric and has no classes for missing='same_class': "
            "use 'most_common', 'fractional' or 'surrogate'."
        )
    if recipe.missing == "own_branch" and recipe.score == "squared_share_weighting" and _lacks(data, recipe):
        raise InputError(
            "Score 'squared_share_weighting' compares two branches and missing='own_branch' makes a third: "
            "use 'most_common', 'fractional' or 'surrogate'."
        )
    if recipe.missing != "drop":
        return data, ()
    complete = complete_rows(data, recipe)
    left_out = data.n_rows - len(complete)
    if not len(complete):
        raise InputError("Every row has a missing cell and policy 'drop' leaves none: use 'most_common' instead.")
    if not left_out:
        return data, ()
    return data.take(complete), (f"{left_out} of {data.n_rows} rows have a missing cell and were left out.",)
