"""Scores by hand on small tables."""

import pandas as pd
import pytest

import explorer as ex
from explorer.data.samples import load_sample
from explorer.tree import metrics


@pytest.fixture
def tennis():
    return ex.Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")


def four_rows(weights=None):
    frame = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0], "y": ["a", "a", "b", "a"]})
    return ex.Dataset.from_frame(frame, "y", weights=weights)


def test_accuracy_is_the_weight_of_the_right_rows():
    assert metrics.accuracy(four_rows(), [0, 0, 0, 0]) == 0.75
    assert metrics.accuracy(four_rows([1.0, 1.0, 6.0, 2.0]), [0, 0, 0, 0]) == 0.4


def test_mean_squared_error_weighs_the_rows():
    frame = pd.DataFrame({"x": [1.0, 2.0, 3.0], "y": [0.0, 2.0, 4.0]})
    assert metrics.mean_squared_error(ex.Dataset.from_frame(frame, "y"), [1.0, 2.0, 2.0]) == pytest.approx(5 / 3)
    weighted = ex.Dataset.from_frame(frame, "y", weights=[1.0, 1.0, 2.0])
    assert metrics.mean_squared_error(weighted, [1.0, 2.0, 2.0]) == pytest.approx(9 / 4)


def test_baseline_predicts_the_training_majority_on_other_rows():
    data = four_rows()
    assert metrics.baseline(data, data) == 0.75
    assert metrics.baseline(data.take([0, 1]), data.take([2, 3])) == 0.5


def test_baseline_of_numbers_is_the_training_mean():
    frame = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0], "y": [0.0, 2.0, 4.0, 5.0]})
    data = ex.Dataset.from_frame(frame, "y")
    assert metrics.baseline(data.take([0, 1]), data.take([2, 3])) == pytest.approx((3.0**2 + 4.0**2) / 2)


def test_scores_go_by_the_names_of_classes_whatever_their_order_in_the_rows(tennis):
    """Rows of their own, in which Yes comes first and some days have a class that growing never met."""
    frame = tennis.frame.iloc[::-1].reset_index(drop=True)
    other = ex.Dataset.from_frame(frame.assign(PlayTennis=["Perhaps", *frame["PlayTennis"][1:]]), "PlayTennis")
    assert other.classes != tennis.classes
    assert metrics.score(ex.grow(tennis, ex.ID3), other) == pytest.approx(13 / 14)
    assert metrics.baseline(tennis, other) == pytest.approx(9 / 14)  # the day renamed was a No


def test_a_full_tree_on_consistent_rows_is_always_right(tennis):
    assert metrics.score(ex.grow(tennis, ex.ID3), tennis) == 1.0


@pytest.mark.parametrize("weights", [None, [1.0, 3.0, 0.5, 2.0, 1.0, 4.0]])
@pytest.mark.parametrize("groups", [None, ["a", "a", "b", "c", "c", "b"]])
def test_the_baseline_of_left_out_rows_is_the_mean_of_all_others(weights, groups):
    frame = pd.DataFrame({"x": range(6), "y": [0.0, 2.0, 4.5, 5.0, -1.0, 9.0]})
    data = ex.Dataset.from_frame(frame, "y", weights=weights, groups=groups)
    w, units = weights or [1.0] * 6, groups or list(range(6))
    errors = []
    for row in range(6):
        others = [other for other in range(6) if units[other] != units[row]]
        mean = sum(w[other] * data.y[other] for other in others) / sum(w[other] for other in others)
        errors.append(w[row] * (data.y[row] - mean) ** 2)
    assert metrics.left_out_baseline(data) == pytest.approx(sum(errors) / sum(w))


def test_the_baseline_of_left_out_classes_is_their_majority(tennis):
    assert metrics.left_out_baseline(tennis) == 9 / 14
