"""Scores by hand on small tables, and leave-one-out against its plain definition."""

import numpy as np
import pandas as pd
import pytest

import explorer as ex
from explorer import evaluate
from explorer.samples import load_sample


@pytest.fixture
def tennis():
    return ex.Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")


def four_rows(weights=None):
    frame = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0], "y": ["a", "a", "b", "a"]})
    return ex.Dataset.from_frame(frame, "y", weights=weights)


def test_accuracy_is_the_weight_of_the_right_rows():
    assert evaluate.accuracy(four_rows(), [0, 0, 0, 0]) == 0.75
    assert evaluate.accuracy(four_rows([1.0, 1.0, 6.0, 2.0]), [0, 0, 0, 0]) == 0.4


def test_mean_squared_error_weighs_the_rows():
    frame = pd.DataFrame({"x": [1.0, 2.0, 3.0], "y": [0.0, 2.0, 4.0]})
    assert evaluate.mean_squared_error(ex.Dataset.from_frame(frame, "y"), [1.0, 2.0, 2.0]) == pytest.approx(5 / 3)
    weighted = ex.Dataset.from_frame(frame, "y", weights=[1.0, 1.0, 2.0])
    assert evaluate.mean_squared_error(weighted, [1.0, 2.0, 2.0]) == pytest.approx(9 / 4)


def test_baseline_answers_the_training_majority_on_other_rows():
    data = four_rows()
    assert evaluate.baseline(data, data) == 0.75
    assert evaluate.baseline(data.take([0, 1]), data.take([2, 3])) == 0.5


def test_baseline_of_numbers_is_the_training_mean():
    frame = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0], "y": [0.0, 2.0, 4.0, 5.0]})
    data = ex.Dataset.from_frame(frame, "y")
    assert evaluate.baseline(data.take([0, 1]), data.take([2, 3])) == pytest.approx((3.0**2 + 4.0**2) / 2)


def test_a_full_tree_on_consistent_rows_is_always_right(tennis):
    assert evaluate.score(ex.grow(tennis, ex.ID3), tennis) == 1.0


def test_leave_one_out_of_the_full_tree_is_its_plain_definition(tennis):
    rows = np.arange(tennis.n_rows)
    right = [
        ex.grow(tennis.take(rows[rows != row]), ex.ID3).predict(tennis.take([row]))[0] == tennis.classes[tennis.y[row]]
        for row in rows
    ]
    assert evaluate.leave_one_out(tennis, ex.ID3)[0] == pytest.approx(np.mean(right))


def test_leave_one_out_ends_with_the_majority_of_the_other_rows(tennis):
    scores = evaluate.leave_one_out(tennis, ex.CART)
    assert scores[-1] == pytest.approx(9 / 14)


def test_leave_one_out_has_one_score_per_step_of_the_full_path(tennis):
    path = ex.cost_complexity_path(ex.grow(tennis, ex.CART))
    assert len(evaluate.leave_one_out(tennis, ex.CART)) == len(path.alphas)


def test_leave_one_out_scales_the_price_of_unnormalised_risk():
    data = ex.Dataset.from_frame(load_sample("lihang_8_2_regression").frame, "y")
    per_row = evaluate.leave_one_out(data, ex.CART, risk="impurity")
    summed = evaluate.leave_one_out(data, ex.CART, risk="unnormalised")
    assert summed == pytest.approx(per_row, rel=1e-12)


def test_leave_one_out_of_the_root_alone_is_the_error_of_the_other_rows_mean():
    data = ex.Dataset.from_frame(load_sample("lihang_8_2_regression").frame, "y")
    total, n = data.y.sum(), data.n_rows
    expected = np.mean([(y - (total - y) / (n - 1)) ** 2 for y in data.y])
    assert evaluate.leave_one_out(data, ex.CART)[-1] == pytest.approx(expected)
