"""The slider over α as a notebook makes it: which rows score the trees, which tree is best, what is shown beside."""

import numpy as np
import pytest

import explorer as ex
from tests.oracles.golden_walk import dataset_of
from tests.oracles.pack_reader import unpacked
from tests.oracles.tables import titanic_tree


@pytest.fixture(scope="module")
def parts():
    tree, train, valid = titanic_tree()
    return ex.cost_complexity_path(tree), train, valid


def smallest_of_the_best(scores):
    return len(scores) - 1 - int(np.argmax(scores[::-1]))


def test_without_other_rows_there_is_one_curve_and_no_best(parts):
    path, train, _ = parts
    header, arrays = unpacked(ex.to_slider(path, train))
    assert arrays["train"].tolist() == path.curve(train).tolist()
    assert not {"valid", "valid_se", "mean", "se"} & set(arrays)
    assert (header["how"], header["best"], header["one_se"]) == ("", -1, -1)
    assert header["baseline"] == pytest.approx(384 / 624), "384 of 624 did not survive"


def test_validation_rows_choose_the_best(parts):
    path, train, valid = parts
    header, arrays = unpacked(ex.to_slider(path, train, valid))
    right = [
        np.mean(path.subtree(position=k).predict(valid) == np.take(valid.classes, valid.y)) for k in range(len(path))
    ]
    assert arrays["valid"] == pytest.approx(right)
    assert (header["how"], header["best"], header["one_se"]) == ("validation", smallest_of_the_best(right), -1)
    counts = np.bincount(valid.y)
    assert header["baseline"] == pytest.approx(counts[np.argmax(np.bincount(train.y))] / counts.sum())


def test_cross_validation_goes_before_validation_rows(parts):
    path, train, valid = parts
    folded = ex.cross_validate_path(train, ex.CART, 4, seed=1)
    header, arrays = unpacked(ex.to_slider(path, train, valid, folded=folded))
    assert (header["best"], header["one_se"]) == (folded.best, folded.one_se)
    assert header["best"] != unpacked(ex.to_slider(path, train, valid))[0]["best"], "else nobody could tell"
    assert arrays["mean"] == pytest.approx(folded.mean)
    assert arrays["se"] == pytest.approx(folded.standard_error)
    assert arrays["valid"] == pytest.approx(path.curve(valid))
    assert header["baseline"] == pytest.approx(384 / 624)


def test_rows_left_out_one_by_one_stand_where_validation_rows_would():
    days = dataset_of("play_tennis")
    path = ex.cost_complexity_path(ex.grow(days, ex.CART))
    left_out = ex.cross_validate_path(days, ex.CART, np.arange(14))
    header, arrays = unpacked(ex.to_slider(path, days, left_out=left_out))
    assert (header["how"], header["best"], header["one_se"]) == ("leave-one-out", 2, 2)
    assert (14 * arrays["valid"]).tolist() == pytest.approx([7, 8, 9])
    assert arrays["valid_se"][0] == pytest.approx((0.25 / 14) ** 0.5)


def test_another_score_is_named(parts):
    path, train, valid = parts
    header, arrays = unpacked(ex.to_slider(path, train, valid, "auc"))
    assert (header["score_name"], header["is_share"]) == ("AUC", False)
    assert arrays["valid"][-1] == 0.5, "the root alone ranks nobody"
    with pytest.raises(ex.InputError, match="does not suit"):
        ex.to_slider(path, train, metric="mse")
