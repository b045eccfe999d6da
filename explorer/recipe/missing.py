"""What happens to a row whose value is missing while growing: the table of policies (DEFINITIONS section 6).

*drop*: rows with a missing used feature are left out. *most_common*: the cell counts as the most common value
(categorical) or the median (numeric) of the node's rows that have one; it makes no threshold of its own.
*same_class*: the same among the rows of the row's own class. Under the other policies a test is evaluated on the rows
that have a value; then a row without one goes down every branch in shares (*fractional*), where a similar test sends it
(*surrogate*), or down a branch for missing values (*own_branch*). Under *default_direction* every threshold is tried
with these rows on the left and on the right, and "missing or not" as one more test; among categories, "missing" is one.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from explorer.jit import borrowing, kernel
from explorer.messages import Worded, message
from explorer.recipe.condition import midpoint
from explorer.recipe.split_score import TIE


@dataclass(frozen=True, kw_only=True)
class MissingPolicy:
    """One policy for missing values: everything that the package and the pages know of it.

    `number` is what compiled code knows it by; `label` what pages offer, `action` says what a tree, given by
    its name, does with such rows, `in_rules` how the conditions of rules count them, where that needs saying.
    `by_known_rows` says that a test is evaluated on the rows that have a value, `needs_classes` that it needs classes.
    """

    name: str
    number: int
    label: Worded = Worded()
    action: Callable[[str], str]
    in_rules: Worded = Worded("")
    by_known_rows: bool = False
    needs_classes: bool = False


DROP, MOST_COMMON, SAME_CLASS, FRACTIONAL, SURROGATE, OWN_BRANCH, DEFAULT_DIRECTION = range(7)
POLICIES = {
    policy.name: policy
    for policy in (
        MissingPolicy(
            name="drop",
            number=DROP,
            label=lambda: message("Leave the row out"),
            action=lambda tree: message("{tree} leaves such rows out", tree=tree),
        ),
        MissingPolicy(
            name="most_common",
            number=MOST_COMMON,
            label=lambda: message("Most common value"),
            action=lambda tree: message("{tree} uses the most common value", tree=tree),
            in_rules=lambda: message(
                "A missing cell counts as the most common value at its node, or as the median of numbers."
            ),
        ),
        MissingPolicy(
            name="same_class",
            number=SAME_CLASS,
            label=lambda: message("Most common in its class"),
            action=lambda tree: message("{tree} uses the most common value of the class", tree=tree),
            in_rules=lambda: message(
                "A missing cell counts as the most common value of the row’s class at its node, or as the median of "
                "numbers."
            ),
            needs_classes=True,
        ),
        MissingPolicy(
            name="fractional",
            number=FRACTIONAL,
            label=lambda: message("Every branch, in shares"),
            action=lambda tree: message("{tree} sends such rows down every branch in shares", tree=tree),
            in_rules=lambda: message(
                "A row with a missing cell counts in part, by each branch’s share of the training rows."
            ),
            by_known_rows=True,
        ),
        MissingPolicy(
            name="surrogate",
            number=SURROGATE,
            label=lambda: message("Surrogate splits"),
            action=lambda tree: message("{tree} uses surrogate splits", tree=tree),
            in_rules=lambda: message(
                "A row with a missing cell counts where a surrogate split sends it, or else on the heaviest branch."
            ),
            by_known_rows=True,
        ),
        MissingPolicy(
            name="own_branch",
            number=OWN_BRANCH,
            label=lambda: message("A branch of its own"),
            action=lambda tree: message("{tree} has a branch for missing values", tree=tree),
            by_known_rows=True,
        ),
        MissingPolicy(
            name="default_direction",
            number=DEFAULT_DIRECTION,
            label=lambda: message("The better side of each split (XGBoost)"),
            action=lambda tree: message("{tree} sends such rows to the better side of each split", tree=tree),
            in_rules=lambda: message("A row with a missing cell counts on the better side of each split."),
        ),
    )
}
"""The policies by the name that a recipe gives them."""
_BY_KNOWN_ROWS = tuple(policy.number for policy in POLICIES.values() if policy.by_known_rows)


@kernel
def by_known_rows(policy):
    """Whether tests are evaluated on the rows that have a value, and none is imputed."""
    return policy in _BY_KNOWN_ROWS


MISSING_AS_CATEGORY = tuple(POLICIES[name].name for name in ("own_branch", "default_direction"))
"""The policies under which a missing cell of a categorical feature is a category of its own."""


@borrowing
def heaviest(weights):
    """Position of the largest weight, the earlier one on a tie: the most common category."""
    best = 0
    for position in range(1, weights.size):
        if weights[position] > weights[best] * (1.0 + TIE):
            best = position
    return best


@borrowing
def past_half(weight_so_far, weight):
    """1 where a running weight is more than half of the whole, 0 where it is one half, −1 below."""
    excess = 2.0 * weight_so_far - weight
    if abs(excess) <= TIE * weight:
        return 0
    return 1 if excess > 0.0 else -1


@kernel
def past_halves(weights_so_far, weights):
    """`past_half` of many running weights, [tests]."""
    halves = np.empty(weights.size, dtype=np.int64)
    for i in range(weights.size):
        halves[i] = past_half(weights_so_far[i], weights[i])
    return halves


@borrowing
def median_goes_left(weight_left, weight_right, below, above, threshold):
    """Whether the weighted median of the known values lies on the left of a threshold between `below` and `above`."""
    half = past_half(weight_left, weight_left + weight_right)
    if half != 0:
        return half > 0
    return midpoint(below, above) <= threshold


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
