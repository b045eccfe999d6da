"""Outcomes of a second table in the leaves, by scipy and by hand: what moves is found where no row goes otherwise."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import explorer as ex
from explorer.evaluation.leaf_outcomes import leaf_outcomes
from explorer.explaining.predict_table import predict_table

TRAIN = pd.DataFrame({"x": ["a"] * 100 + ["b"] * 100, "y": ["good"] * 90 + ["bad"] * 10 + ["bad"] * 80 + ["good"] * 20})
NOW = TRAIN.assign(y=["good"] * 60 + ["bad"] * 40 + ["bad"] * 80 + ["good"] * 20)


def outcomes_of(train, now):
    data = ex.Dataset.from_frame(train, "y")
    tree = ex.grow(data, ex.CART.replace(max_depth=1))
    predicted = predict_table(tree, data, now)
    return leaf_outcomes(tree, data, predicted.readable, predicted.truth)


def test_a_leaf_whose_rows_turn_out_otherwise_is_marked_and_another_is_not():
    found = outcomes_of(TRAIN, NOW)
    by_share = dict(zip(found.training.round(9).tolist(), range(2), strict=True))
    moved, same = by_share[0.9], by_share[0.8]
    assert found.observed[moved] == pytest.approx(0.6)
    assert found.observed[same] == pytest.approx(0.8)
    expected = stats.chi2_contingency([[90, 10], [60, 40]], correction=False).pvalue
    assert found.p_value[moved] == pytest.approx(expected)
    assert found.p_value[same] == 1
    assert found.is_marked[moved]
    assert not found.is_marked[same]


def test_rows_without_a_target_do_not_count_and_a_new_class_is_none_of_the_tree_s():
    gaps = NOW.assign(y=[None] * 50 + ["odd"] * 50 + ["bad"] * 100)
    found = outcomes_of(TRAIN, gaps)
    assert found.rows.tolist() == [50, 100]
    assert sorted(found.observed.tolist()) == [0, 1]


def test_few_rows_are_not_tested():
    assert np.isnan(outcomes_of(TRAIN, NOW.iloc[[0, 99, 100]]).p_value).all()


def test_means_of_a_number_are_compared_by_their_standard_errors():
    draw = np.random.default_rng(1)
    train = TRAIN.assign(y=draw.normal(0, 1, 200) + 10 * (TRAIN["x"] == "a"))
    now = train.assign(y=train["y"] + np.where(train["x"] == "b", 1.0, 0.0))
    found = outcomes_of(train, now)
    low = int(np.argmin(found.training))
    old, new = (each.loc[each["x"] == "b", "y"] for each in (train, now))
    z = (new.mean() - old.mean()) / np.sqrt(old.sem() ** 2 + new.sem() ** 2)
    assert found.p_value[low] == pytest.approx(2 * stats.norm.sf(z))
    assert found.is_marked.tolist() == [at == low for at in range(2)]
