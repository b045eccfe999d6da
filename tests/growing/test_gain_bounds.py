"""Bounds of what thresholds of weighted rows gain: never below the gain, and near it where the branches are alike."""

import numpy as np
import pandas as pd
import pytest

import explorer as ex
from explorer.growing.scans.buffers import LANES, Sums
from explorer.growing.scans.weighted_classes import bound_by_fractions, bound_gains, in_reach
from explorer.recipe.impurity import ENTROPY

SHARES = (0.0, 1e-9, 0.02, 0.3, 0.5, 0.7, 0.98, 1.0)
"""Of the second class in a branch."""


def thresholds() -> list[tuple[np.ndarray, np.ndarray]]:
    """Class weights of nodes and of their left branches: of any share, of any part of the node, light or heavy."""
    found = []
    for weight in (0.01, 30.0, 1e6):
        for part in (1e-6, 0.1, 0.5, 0.97):
            for left in SHARES:
                for right in SHARES:
                    first = weight * part * np.array([1.0 - left, left])
                    node = first + weight * (1.0 - part) * np.array([1.0 - right, right])
                    if node.min() > 0.0:
                        found.append((node, first))
    return found


def entropy(weights: np.ndarray) -> float:
    """In bits, by the definition."""
    shares = weights[weights > 0.0] / weights.sum()
    return float(-(shares * np.log2(shares)).sum())


def gain(node: np.ndarray, left: np.ndarray) -> float:
    """Of the threshold that sends `left` there, by the definition."""
    right = np.maximum(node - left, 0.0)
    return entropy(node) - (left.sum() * entropy(left) + right.sum() * entropy(right)) / node.sum()


def bound_by_curvature(node: np.ndarray, left: np.ndarray) -> float:
    """The bound that is worked out for several thresholds at a time, for one alone."""
    lefts, firsts, seconds, bounds = np.zeros((4, LANES))
    sums = Sums(lefts, firsts, seconds, np.zeros(LANES, np.int64), bounds, bounds.view(np.int64))
    lefts[:], firsts[:], seconds[:] = left.sum(), left[0], left[1]
    largest = bound_gains(ENTROPY, node, 0, 1, sums)
    assert largest == sums.bits[0]
    return float(sums.bound[0])


def test_no_bound_is_below_the_gain() -> None:
    """Over branches of all kinds, pure ones among them, but for what rounding explains."""
    tried = thresholds()
    assert len(tried) > 500
    for node, left in tried:
        least = in_reach(gain(node, left))
        assert bound_by_curvature(node, left) >= least
        assert bound_by_fractions(node, *left) >= least


def test_bounds_are_near_the_gain_of_branches_that_are_alike() -> None:
    """A bound that is far above would be no use: logarithms would be worked out everywhere."""
    node, left = np.array([60.0, 40.0]), np.array([22.0, 18.0])
    assert bound_by_curvature(node, left) == pytest.approx(gain(node, left), rel=0.01)
    assert bound_by_fractions(node, *left) == pytest.approx(gain(node, left), rel=1e-3)


def test_a_pure_node_leaves_every_threshold_in_reach() -> None:
    """There no gain can be bounded by dividing by the other class's weight."""
    assert bound_by_curvature(np.array([9.0, 0.0]), np.array([4.0, 0.0])) == np.inf


def test_a_branch_too_light_for_a_bound_hides_no_other_threshold() -> None:
    """The last row is so light that the share of the others is rounded to 1, and its bound is 0/0."""
    weights = [1674612627619646.0, 3748417707880238.0, 5383698790046102.0, 3672118130760349.0, 1342854358781362.0, 4.0]
    frame = pd.DataFrame({"x": np.arange(6.0), "y": list("ababba")})
    data = ex.Dataset.from_frame(frame, "y", ["x"], weights=weights)
    tree = ex.grow(data, ex.CART)
    assert tree.threshold[0] == ex.decide(tree, data, 0).best["x"].condition.threshold == 2.5
