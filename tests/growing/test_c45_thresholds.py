"""Thresholds lie where section 3 has them: midpoints of decimals are decimals, C4.5's are values of the table."""

from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import explorer as ex
from explorer.recipe.condition import THRESHOLD_AT, midpoint, threshold_between


@pytest.mark.parametrize("unit", ["1", "1000", "0.001", "1e9", "1e-9", "2", "0.25"])
def test_the_middle_of_two_decimals_is_a_value_of_the_table(unit):
    factor = Decimal(unit)
    numbers = [float(Decimal(text) * factor) for text in ("0.1", "0.2", "0.3")]
    values = np.array(numbers)
    assert threshold_between(values, 0, 2, THRESHOLD_AT["c45"]) == numbers[1]


def exact(values: list[Decimal], low: int, high: int) -> int:
    """The position of the largest value up to the middle, in decimal arithmetic."""
    middle = (values[low] + values[high]) / 2
    return max(i for i in range(low, high) if values[i] <= middle)


@given(
    st.lists(st.integers(-3000, 3000), min_size=3, max_size=40, unique=True).map(sorted),
    st.sampled_from(["1", "0.1", "0.01", "0.001", "1e-7", "1000", "1e12", "0.5", "4", "1e-20", "1e20"]),
    st.data(),
)
def test_the_unit_does_not_change_the_value_chosen(integers, unit, draw):
    values = [Decimal(number) * Decimal(unit) for number in integers]
    low = draw.draw(st.integers(0, len(values) - 2))
    high = draw.draw(st.integers(low + 1, len(values) - 1))
    floats = np.array([float(value) for value in values])
    assert threshold_between(floats, low, high, THRESHOLD_AT["c45"]) == floats[exact(values, low, high)]


@settings(deadline=None)
@given(st.lists(st.integers(0, 40), min_size=6, max_size=30), st.data())
def test_a_tree_in_another_unit_has_the_same_thresholds(integers, draw):
    classes = draw.draw(st.lists(st.sampled_from("pqr"), min_size=len(integers), max_size=len(integers)))
    if len(set(classes)) < 2 or len(set(integers)) < 2:
        return
    trees = {}
    for unit in ("0.1", "100", "0.4"):
        numbers = [float(Decimal(number) * Decimal(unit)) for number in integers]
        frame = pd.DataFrame({"x": numbers, "y": classes})
        data = ex.Dataset.from_frame(frame, "y", features=["x"], kinds={"x": "numeric"})
        position = dict(zip(numbers, integers, strict=True))
        tree = ex.grow(data, ex.C45.replace(threshold_at="c45"))
        trees[unit] = [position.get(cut) for cut in tree.threshold if not np.isnan(cut)]
        assert None not in trees[unit], "a threshold that is no value of the table"
    assert trees["0.1"] == trees["100"] == trees["0.4"]


def test_a_threshold_is_never_the_upper_value():
    above = np.nextafter(1.0, 2.0)
    assert threshold_between(np.array([1.0, above]), 0, 1, THRESHOLD_AT["c45"]) == 1.0


@given(
    st.lists(st.integers(-(10**9), 10**9), min_size=2, max_size=2, unique=True).map(sorted),
    st.integers(-20, 5),  # halfway has a digit more, and 10²² is the largest exact power of ten
)
def test_the_midpoint_of_two_decimals_is_the_decimal_halfway(integers, exponent):
    below, above = (Decimal(number).scaleb(exponent) for number in integers)
    found = midpoint(float(below), float(above))
    assert found == float((below + above) / 2)
    assert float(below) <= found < float(above)


@given(st.tuples(st.floats(allow_nan=False, allow_infinity=False), st.floats(allow_nan=False, allow_infinity=False)))
def test_a_midpoint_is_at_most_its_rounding_from_the_middle(numbers):
    below, above = sorted(numbers)
    found = midpoint(below, above)
    assert below <= found < above or below == above == found
    exactly = (Decimal(below) + Decimal(above)) / 2
    assert abs(Decimal(found) - exactly) <= Decimal(2.0**-49) * Decimal(max(abs(below), abs(above))) + Decimal("5e-324")


def test_a_lock_under_another_threshold_is_no_longer_in_force():
    """Both thresholds are 1.70000000012e+12 in 12 digits."""
    kinds = {"t": "numeric"}
    first = pd.DataFrame({"t": [1700000000123, 1700000000124, 1700000000125, 1700000000126], "y": list("aabb")})
    tree = ex.grow(ex.Dataset.from_frame(first, "y", ["t"], kinds), ex.CART)
    lock = ex.Choices().lock(tree.place(1))
    second = pd.DataFrame({"t": [1700000000120.0 + i for i in range(7)], "y": list("ababbbb")})
    regrown = ex.grow(ex.Dataset.from_frame(second, "y", ["t"], kinds), ex.CART.replace(max_depth=1), choices=lock)
    assert (tree.threshold[0], regrown.threshold[0]) == (1700000000124.5, 1700000000122.5)
    assert regrown.not_in_force != ("",)
