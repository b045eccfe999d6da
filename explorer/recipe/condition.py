"""Tests of a node, their texts, and where a threshold lies (DEFINITIONS section 3).

A *threshold* sends x ≤ t to the first branch. *Each value* has a branch per category, *bins* one per interval;
*one value against the rest* and *subset* have two, the first holding the earliest category present.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from explorer.data.codes.scale import NUMBERS, Scale
from explorer.errors import InputError
from explorer.formatting import number_text, quoted_text, set_text
from explorer.jit import kernel
from explorer.messages import listing, message
from explorer.values import Value

MIDPOINT, OBSERVED, C45_THRESHOLD = 0, 1, 2
THRESHOLD_AT = {"midpoint": MIDPOINT, "observed": OBSERVED, "c45": C45_THRESHOLD}
"""Where a threshold lies between two neighbouring values, by the name that a recipe gives it."""
ROUNDING_OF_VALUES = 4 * 2.0**-52
"""By how much of the larger of two numbers their middle may be off, all three being rounded decimals."""


BELOW_ALL = -sys.float_info.max
"""The threshold of the test "missing or not": no value lies below it, so only rows without one go to the left."""
ABOVE_ALL = -BELOW_ALL
"""The same threshold in trees of scikit-learn: no value lies above it, so only rows without one go to the right."""


def parts_no_numbers(threshold: Any) -> Any:
    """Whether all numbers are on one side of a threshold, or of each in an array: it tests for missing cells."""
    return abs(threshold) >= ABOVE_ALL


def missing_word() -> str:
    """How the branch of rows without a value is worded."""
    return message("is missing")


_POWERS = np.array([float(f"1e{power}") for power in range(23)])
"""The powers of ten that floating point numbers hold exactly."""
_DIGITS = 15
"""Every decimal of so many digits is told from the next one by its floating point number."""


@kernel
def middle_of(below, above):
    """The middle of two numbers as floating point numbers have it, never out of range."""
    middle = below + (above - below) / 2.0
    if not np.isfinite(middle):
        middle = below / 2.0 + above / 2.0
    return middle if middle < above else below


@kernel
def midpoint(below, above):
    """The middle of two decimals, never rounded onto the upper one: 0.45 between 0.3 and 0.6 (section 3)."""
    middle = middle_of(below, above)
    short = decimal_near(middle, max(abs(below), abs(above)))
    return short if below <= short < above else middle


@kernel
def decimal_near(number, largest):
    """A number rounded to 15 digits of the largest of those it was computed from, where only their rounding differs.

    A whole number by a power of ten up to 10²² is the floating point number nearest to that decimal.
    """
    if number == np.rint(number) or not 1e-30 < largest < 1e15:
        return number
    places = max(_DIGITS - 1 - np.int64(np.floor(np.log10(largest))), 0)
    whole = number * _POWERS[min(places, 22)]
    if places > 22:
        whole *= _POWERS[places - 22]
    units = np.int64(np.rint(whole))
    while units % 10 == 0 and units != 0:
        units //= 10
        places -= 1
    if not 0 <= places <= 22:
        return number
    short = np.float64(units) / _POWERS[places]
    return short if abs(short - number) <= ROUNDING_OF_VALUES * largest else number


@kernel
def threshold_after(values, low, high, threshold_at):
    """`threshold_between`; after no value (`low` below 0) that of "missing or not"."""
    return threshold_between(values, low, high, threshold_at) if low >= 0 else BELOW_ALL


@kernel
def threshold_between(values, low, high, threshold_at):
    """The threshold between two neighbouring values of a node, given as positions in the sorted training `values`.

    C4.5 takes the largest training value up to the middle. A value that equals it but for the rounding of the three
    numbers (0.2 between 0.1 and 0.3) counts as the middle, so that the unit of a feature does not matter.
    """
    below, above = values[low], values[high]
    if threshold_at == OBSERVED:
        return below
    if threshold_at == MIDPOINT:
        return midpoint(below, above)
    middle = middle_of(below, above)
    most, start, end = middle + ROUNDING_OF_VALUES * max(abs(below), abs(above)), low, high
    while end - start > 1:  # np.searchsorted takes long to compile
        half = (start + end) // 2
        if values[half] > most:
            end = half
        else:
            start = half
    return values[start]


@kernel
def fill_thresholds(values, positions, threshold_at, cuts):
    """Write the threshold after each of some positions in `values` into `cuts`."""
    for low in positions:
        cuts[low] = threshold_between(values, low, low + 1, threshold_at)


def limit_text(threshold: float, is_strict: bool, scale: Scale = NUMBERS) -> str:
    """A threshold in words; of a strict test the number above it.

    Where numbers stand for dates or levels, it is the last one up to it. A strict test of a library that rounds to 32
    bits lies halfway between two such numbers: told is the upper one, with the fewest digits that tell it; but from 2²⁴
    on, where 32 bits round whole numbers, the 64-bit number, which no rounding changes.

    >>> limit_text(4.5, False), limit_text(0.9999999701976775, True), limit_text(20180130.999999996, True)
    ('4.5', '1', '20180131')
    >>> limit_text(np.nextafter(1234567.85, 0.0), True)
    '1234567.85'
    """
    if not is_strict:
        return scale.text(threshold)
    above = float(np.nextafter(threshold, np.inf))
    rounded = np.float32(above)
    halfway = float(np.nextafter(rounded, np.float32(-np.inf))) / 2.0 + float(rounded) / 2.0
    is_rounded = abs(above - halfway) <= np.spacing(abs(halfway)) and abs(above) < 2.0**24
    return number_text(float(str(rounded)) if is_rounded else above)


@dataclass(frozen=True)
class Condition:
    """One test: the feature, its kind, and what goes down each branch.

    `branches` holds one tuple of categories per child (intervals for "bins", nothing for "threshold"). None among them
    is the missing value, where that is a category of its own; `has_missing_branch` says that a threshold has a
    third branch for it.

    >>> Condition("age", "threshold", 4.5).word(0)
    'age ≤ 4.5'
    >>> Condition("Outlook", "each_value", None, (("Sunny",), ("Rain",))).word(1)
    'Outlook = Rain'
    >>> Condition("age", "threshold", 4.5, (), True).word(2)
    'age is missing'
    >>> from explorer.data.codes.scale import Dates
    >>> Condition("since", "threshold", 30.5, scale=Dates("2023-01-01")).word(1)
    'since > 2023-01-31'
    """

    feature: str
    kind: str
    threshold: float | None = None
    branches: tuple[tuple[Value | None, ...], ...] = ()
    has_missing_branch: bool = False
    is_strict: bool = False
    """Whether it is worded as x < t, as XGBoost and rpart test; `threshold` is the largest number below such a t."""
    scale: Scale = NUMBERS
    """What the numbers of the feature stand for, as which a threshold is worded."""
    has_intervals: bool = False
    """Whether the values are intervals of numbers, so that neighbours are worded as one."""

    @property
    def n_branches(self) -> int:
        """How many children the test has."""
        return 2 + self.has_missing_branch if self.kind == "threshold" else len(self.branches)

    def is_missing(self, branch: int) -> bool:
        """Whether a branch stands for "missing" and nothing else."""
        if self.threshold is None:
            return self.branches[branch] == (None,)
        return branch == (int(self.threshold > 0) if self.tests_missing else 2)

    @property
    def tests_missing(self) -> bool:
        """Whether a number is tested for being missing, whatever its value."""
        return self.threshold is not None and bool(parts_no_numbers(self.threshold))

    def branch_word(self, branch: int) -> str:
        """What a row must fulfil to go down this branch, without the feature's name."""
        if self.is_missing(branch):
            return missing_word()
        if self.threshold is not None:
            if self.tests_missing:
                return message("is known")
            signs = "<≥" if self.is_strict else "≤>"
            return f"{signs[branch]} {limit_text(self.threshold, self.is_strict, self.scale)}"
        group = self.branches[branch]
        if self.has_intervals:
            return intervals_text(group)
        if len(group) == 1:
            return f"= {quoted_text(group[0])}"
        if self.kind == "one_vs_rest":
            single = next((i for i, group in enumerate(self.branches) if len(group) == 1), None)
            if single is not None:
                alone = self.branches[single][0]
                return message("is known") if alone is None else f"≠ {quoted_text(alone)}"
        return f"∈ {set_text(group)}"

    def word(self, branch: int) -> str:
        """What a row must fulfil to go down this branch."""
        return f"{self.feature} {self.branch_word(branch)}"

    @property
    def text(self) -> str:
        """The test as a heading: the feature alone where every value has a branch, or every one of several groups."""
        return self.feature if self.kind in ("each_value", "bins") or self.has_groups else self.word(0)

    @property
    def has_groups(self) -> bool:
        """Whether values are in more than two groups with a branch each."""
        return self.kind == "subset" and len(self.branches) > 2

    @property
    def title(self) -> str:
        """The test in words that say how many branches it has.

        >>> Condition("sky", "subset", None, (("sun", "fog"), ("rain",), ("snow",))).title
        'sky: 3 groups of values'
        """
        if self.has_groups:
            return message("{feature}: {groups} groups of values", feature=self.feature, groups=self.n_branches)
        return SplitRequest.of(self).text


def intervals_text(values: Iterable[Value | None], feature: str = "…") -> str:
    """Intervals in words, neighbours as one, with the name of their feature; None among them is a missing value.

    >>> intervals_text(("≤ 10", "10 < … ≤ 20")), intervals_text(("10 < … ≤ 20", "20 < … ≤ 30"), "age")
    ('≤ 20', '10 < age ≤ 30')
    >>> intervals_text(("≤ 10", "> 20"), "age"), intervals_text(("> 20", None))
    ('age ∈ {≤ 10, > 20}', '> 20, or missing')
    >>> intervals_text(("= huge",), "size")
    'size = huge'
    """
    ends = list[tuple[str | None, str]]()
    listed = list(values)
    for low, high in (_ends_of(str(value)) for value in listed if value is not None):
        if ends and ends[-1][0] is not None and ends[-1][1] == low != "":
            low = ends.pop()[0]
        ends.append((low, high))
    before = "" if feature == "…" else f"{feature} "
    if ends == [("", "")]:
        text = before + message("is known")
    elif len(ends) == 1:
        low, high = ends[0]
        text = f"{low} < {feature} ≤ {high}" if low and high else before + _interval(low, high)
    else:
        text = f"{before}∈ {set_text(_interval(*each) for each in ends)}"
    return message("{test}, or missing", test=text) if None in listed else text


def _ends_of(interval: str) -> tuple[str | None, str]:
    """The ends of an interval in words, "" where it has none; None and the level where it is one ordered level alone.

    >>> _ends_of("≤ 10"), _ends_of("10 < … ≤ 20"), _ends_of("> 20"), _ends_of("= huge"), _ends_of(ANY_VALUE)
    (('', '10'), ('10', '20'), ('20', ''), (None, 'huge'), ('', ''))
    """
    low, between, high = interval.partition(_BETWEEN)
    if between:
        return low, high
    if interval == ANY_VALUE:
        return "", ""
    if interval.startswith("= "):
        return None, interval[2:]
    return ("", interval[2:]) if interval.startswith("≤ ") else (interval[2:], "")


def _interval(low: str | None, high: str) -> str:
    """An interval with these ends, as `interval_labels` writes it."""
    if low is None:
        return f"= {high}"
    if low and high:
        return f"{low}{_BETWEEN}{high}"
    return f"≤ {high}" if high else f"> {low}"


_BETWEEN = " < … ≤ "
ANY_VALUE = "any value"
"""The bin of a number that has one bin alone."""

SEARCHED = ("best", "each_value", "one_vs_rest", "subset")
"""Tests of a feature that are still searched for: its best one by the recipe, or the best of one kind."""


@dataclass(frozen=True)
class SplitRequest:
    """A test that a person requests.

    `test` is one of `SEARCHED`, or "threshold" (x ≤ `threshold`), or "grouping" (`categories` down one branch, all
    others down the other; None among them is the missing value where that is a category).

    >>> SplitRequest("age", "threshold", 4.5).text, SplitRequest("sky", "grouping", categories=("sun",)).text
    ('age ≤ 4.5', 'sky = sun, or not')
    """

    feature: str
    test: str = "best"
    threshold: float | None = None
    categories: tuple[Value | None, ...] = ()

    def __post_init__(self) -> None:
        """Refuse a test that contradicts itself."""
        if self.test not in (*SEARCHED, "threshold", "grouping"):
            raise InputError(
                message(
                    "There is no type of split '{test}': choose one of {tests}.",
                    test=self.test,
                    tests=listing(SEARCHED),
                )
            )
        if (self.test == "threshold") != (self.threshold is not None):
            raise InputError(
                message(
                    "The split of '{feature}' has test '{test}' and threshold {threshold}: test 'threshold' needs a "
                    "threshold, and no other test has one.",
                    feature=self.feature,
                    test=self.test,
                    threshold=self.threshold,
                )
            )
        if self.threshold is not None and not math.isfinite(self.threshold):
            raise InputError(
                message(
                    "The threshold of '{feature}' is {threshold}: give a finite number.",
                    feature=self.feature,
                    threshold=self.threshold,
                )
            )
        if (self.test == "grouping") != bool(self.categories):
            raise InputError(
                message(
                    "The grouping of '{feature}' names no category: name those of one branch.", feature=self.feature
                )
            )

    @classmethod
    def of(cls, condition: Condition) -> SplitRequest:
        """The request behind a test, such as that of a candidate."""
        if condition.threshold is not None:
            return cls(condition.feature, "threshold", condition.threshold)
        if condition.kind in ("each_value", "bins"):
            return cls(condition.feature, "each_value")
        if condition.has_groups:
            return cls(condition.feature)
        return cls(condition.feature, "grouping", categories=condition.branches[0])

    @property
    def text(self) -> str:
        """The test in words, its threshold as a number."""
        return self.words(NUMBERS)

    def words(self, scale: Scale) -> str:
        """The test in words; `scale` is what the feature's numbers stand for."""
        if self.threshold is not None:
            return Condition(self.feature, "threshold", self.threshold, scale=scale).word(0)
        if self.categories:
            names = self.categories
            group = f"= {quoted_text(names[0])}" if len(names) == 1 else f"∈ {set_text(names)}"
            return message("{feature} {group}, or not", feature=self.feature, group=group)
        if self.test == "each_value":
            return message("{feature}: each value", feature=self.feature)
        if self.test == "one_vs_rest":
            return message("{feature}: one value against the rest", feature=self.feature)
        if self.test == "subset":
            return message("{feature}: its best grouping", feature=self.feature)
        return message("{feature}: its best split", feature=self.feature)
