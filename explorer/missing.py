"""What stands in for a missing cell while growing (DEFINITIONS section 6).

*drop*: rows with a missing used feature are left out. *most_common*: the cell counts as the most common value
(categorical) or the median (numeric) of the node's rows that have one; the stand-in makes no threshold of its own.
"""

import numpy as np
from numpy.typing import NDArray

from explorer.conditions import midpoint, threshold_between
from explorer.dataset import Dataset
from explorer.errors import InputError
from explorer.jit import kernel
from explorer.recipe import Recipe

ROUNDING = 1e-12
"""Sums of fractional weights closer than this are equal, in whatever order they were added up."""


@kernel
def heaviest(weights):
    """Position of the largest weight, the earlier one on a tie: the most common category."""
    best = 0
    for position in range(1, weights.size):
        if weights[position] > weights[best] * (1.0 + ROUNDING):
            best = position
    return best


@kernel
def median_goes_left(weight_left, weight_right, values, low, high, place):
    """Whether the weighted median of the known values lies on the left of a threshold between `low` and `high`."""
    if abs(weight_left - weight_right) > ROUNDING * (weight_left + weight_right):
        return weight_left > weight_right
    return midpoint(values[low], values[high]) <= threshold_between(values, low, high, place)


def complete_rows(data: Dataset, recipe: Recipe) -> NDArray[np.intp]:
    """Positions of the rows without a missing cell in a feature that the recipe uses."""
    used = [i for i, f in enumerate(data.features) if f.kind == "categorical" or recipe.numeric != "leave_out"]
    lacking = np.array([data.features[i].n_values for i in used])[:, None]
    return np.flatnonzero((data.codes[used] < lacking).all(axis=0))


def training_rows(data: Dataset, recipe: Recipe) -> tuple[Dataset, tuple[str, ...]]:
    """The rows that growing uses, and what was left out: policy "drop" leaves out rows with a missing feature."""
    if recipe.missing != "drop":
        return data, ()
    complete = complete_rows(data, recipe)
    left_out = data.n_rows - len(complete)
    if not len(complete):
        raise InputError("Every row has a missing cell and policy 'drop' leaves none: use 'most_common' instead.")
    if not left_out:
        return data, ()
    return data.take(complete), (f"{left_out} of {data.n_rows} rows have a missing cell and were left out.",)
