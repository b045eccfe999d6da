"""Where rows end: each row at one leaf, or in parts at several, and the class predicted there at a threshold."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import explorer as ex
from explorer.evaluation.evaluation import row_predictions
from explorer.evaluation.row_ends import ends_at_threshold, row_ends
from tests.oracles.examples import examples
from tests.oracles.recipes import FOUR_RECIPES
from tests.oracles.tables import noisy_table


@examples(20)
@given(seed=st.integers(0, 10_000), recipe=st.sampled_from(FOUR_RECIPES))
def test_cells_of_the_confusion_matrix_share_out_all_rows(seed, recipe):
    train, valid = noisy_table(seed).split(0.6, seed=seed)
    tree = ex.grow(train, recipe)
    predictions = row_predictions(tree, valid)
    whole = row_ends(tree, valid, range(valid.n_rows))
    assert sum(whole.values()) == pytest.approx(valid.weight_of_rows().sum())
    summed = dict.fromkeys(whole, 0.0)
    for true in range(len(predictions.labels)):
        for predicted in range(len(predictions.labels)):
            for node, weight in row_ends(tree, valid, predictions.rows(true, predicted)).items():
                summed[node] += weight
    assert summed == pytest.approx(whole)


def test_a_row_that_ends_at_one_leaf_is_found_there():
    data = ex.Dataset.from_frame(ex.load_sample("play_tennis").frame, "PlayTennis")
    tree = ex.grow(data, ex.ID3)
    for row in range(data.n_rows):
        assert row_ends(tree, data, [row]) == {int(tree.apply(data.take([row]))[0]): 1.0}
    assert row_ends(tree, data, []) == {}


def test_a_row_with_a_missing_value_ends_at_several_leaves_in_parts():
    data = ex.Dataset.from_frame(ex.load_sample("golf_missing").frame, ex.SAMPLES["golf_missing"].target)
    tree = ex.grow(data, ex.C45.replace(min_rows_leaf=1))
    rows, _, parts = tree.routes(data)
    row = int(rows[parts < 1][0])
    ends = row_ends(tree, data, [row])
    assert len(ends) > 1
    assert sum(ends.values()) == pytest.approx(1.0)


def test_at_each_threshold_the_leaves_hold_as_many_rows_as_the_curve_counts():
    sample = ex.SAMPLES["titanic"]
    frame = ex.load_sample("titanic").frame
    data = ex.Dataset.from_frame(frame, sample.target, features=sample.features, kinds=sample.kinds)
    train, valid = data.split(0.7, seed=0)
    tree = ex.grow(train, ex.ID3.replace(max_depth=4))  # each row ends at one leaf
    curves, calibration = ex.class_curves(tree, valid, tree.classes[1]), ex.leaf_calibration(tree, valid)
    held = [sum(ends_at_threshold(calibration, 1, threshold).values()) for threshold in curves.thresholds]
    assert held == pytest.approx((curves.depth * valid.n_rows).tolist())
    assert held[0] == 0
    assert np.all(np.diff(held) > 0)
