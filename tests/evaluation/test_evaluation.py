"""Every score by hand on small tables, beside its baseline, and against the curves of pruning on random ones."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics

import explorer as ex
from explorer.evaluation import evaluation
from explorer.evaluation.deciding.class_curves import class_curves
from explorer.evaluation.evaluation import evaluate, score_by
from explorer.evaluation.leaf_calibration import leaf_calibration, leaf_sizes
from explorer.tree.metrics import METRICS
from tests.oracles.examples import examples
from tests.oracles.recipes import FOUR_RECIPES
from tests.oracles.tables import noisy_table

FIVE = {"x": [0.0, 0.0, 0.0, 1.0, 1.0], "y": ["a", "a", "b", "b", "b"]}


def data_of(columns, **options):
    return ex.Dataset.from_frame(pd.DataFrame(columns), "y", **options)


def five(weights=None):
    """Five rows; the tree predicts a for the first three (a of 2/3), b for the others (b of 1)."""
    data = data_of(FIVE, weights=weights)
    return ex.grow(data, ex.CART), data


def test_the_scores_of_five_rows_by_hand():
    tree, data = five()
    found = evaluate(tree, data)
    assert found.confusion.tolist() == [[2, 0], [1, 2]]
    assert [(c.name, c.precision, c.recall, c.f1, c.weight) for c in found.classes] == [
        ("a", pytest.approx(2 / 3), 1.0, pytest.approx(4 / 5), 2.0),  # F1: 2·2/3·1 / (2/3 + 1)
        ("b", 1.0, pytest.approx(2 / 3), pytest.approx(4 / 5), 3.0),
    ]
    assert found.impossible == 0
    score = {name: (one.value, one.baseline) for name, one in found.scores.items()}
    assert score["accuracy"] == pytest.approx((4 / 5, 3 / 5))
    assert score["error"] == pytest.approx((1 / 5, 2 / 5))
    assert score["log_loss"] == pytest.approx(
        (-(2 * np.log(2 / 3) + np.log(1 / 3)) / 5, -(2 * np.log(2 / 5) + 3 * np.log(3 / 5)) / 5)
    )
    # of the 2·3 pairs of an a and a b, two pairs tie (each a with the b beside it), the others are in order
    assert score["auc"] == pytest.approx((5 / 6, 0.5))
    assert found.scores["log_loss"].improvement > 0
    assert found.scores["accuracy"].improvement == pytest.approx(1 / 5)


def test_a_weight_counts_like_repeated_rows():
    tree, data = five([1.0, 2.0, 1.0, 3.0, 1.0])
    many = data.take([0, 1, 1, 2, 3, 3, 3, 4])
    many = data_of({"x": many.frame["x"].tolist(), "y": many.frame["y"].tolist()})
    one, other = evaluate(tree, data), evaluate(tree, many)
    assert one.confusion.tolist() == other.confusion.tolist()
    assert {k: v.value for k, v in one.scores.items()} == pytest.approx({k: v.value for k, v in other.scores.items()})
    assert {k: v.baseline for k, v in one.scores.items()} == pytest.approx(
        {k: v.baseline for k, v in other.scores.items()}
    )
    assert (one.n_rows, one.weight, other.weight) == (5, 8.0, 8.0)


def test_baselines_are_the_training_rows_even_on_other_rows():
    tree, _ = five()
    other = data_of({"x": [0.0, 1.0, 1.0, 1.0], "y": ["a", "a", "a", "b"]})
    found = evaluate(tree, other).scores
    assert found["accuracy"].baseline == 1 / 4, "the training majority is b"
    assert found["log_loss"].baseline == pytest.approx(-(3 * np.log(2 / 5) + np.log(3 / 5)) / 4)


def test_numbers_by_hand():
    # the tree answers 1 (mean of 0 and 2) and 6; the training mean is 8/3
    tree = ex.grow(data_of({"x": [0.0, 0.0, 1.0], "y": [0.0, 2.0, 6.0]}, kinds={"y": "numeric"}), ex.CART)
    other = data_of({"x": [0.0, 1.0], "y": [2.0, 4.0]}, kinds={"y": "numeric"})
    found = evaluate(tree, other).scores
    assert (found["mse"].value, found["mse"].baseline) == pytest.approx((2.5, ((2 / 3) ** 2 + (4 / 3) ** 2) / 2))
    assert (found["mae"].value, found["mae"].baseline) == pytest.approx((1.5, 1.0))
    assert (found["r2"].value, found["r2"].baseline) == pytest.approx((1 - 5 / 2, 1 - (20 / 9) / 2))
    assert found["r2"].improvement == pytest.approx(5 / 2 * -1 + 10 / 9)
    alone = evaluate(tree, other.take([1]))
    assert set(alone.scores) == {"mse", "rmse", "mae"}, "one row has no spread"


def test_a_mean_explains_nothing_of_its_own_rows():
    cars = ex.load_sample("auto_mpg").frame
    data = ex.Dataset.from_frame(cars, "mpg", ["weight", "horsepower"])
    score = ex.evaluate(ex.grow(data, ex.CART.replace(max_depth=0)), data).scores["r2"]
    assert (score.value, score.baseline) == (0.0, 0.0)


def test_costs_are_scored_where_the_recipe_has_them():
    data = data_of(FIVE)
    tree = ex.grow(data, ex.CART.replace(costs={"a": {"b": 1}, "b": {"a": 4}}))
    # a of two rows and one b: answering a costs 4, answering b 2: the tree says b everywhere, as the root does
    found = evaluate(tree, data).scores["expected_cost"]
    assert (found.value, found.baseline, found.best) == (2 / 5, 2 / 5, "least")
    assert "expected_cost" not in evaluate(ex.grow(data, ex.CART), data).scores


def test_a_class_that_the_tree_never_met_is_wrong_and_listed_last():
    tree, _ = five()
    found = evaluate(tree, data_of({"x": [0.0, 1.0, 1.0], "y": ["a", "new", "b"]}))
    assert found.labels == ("a", "b", "new")
    assert found.confusion.tolist() == [[1, 0, 0], [0, 1, 0], [0, 1, 0]]
    assert found.scores["accuracy"].value == pytest.approx(2 / 3)
    assert found.classes[2].recall == 0
    assert found.impossible == 1, "the new class"
    assert found.scores["log_loss"].value == pytest.approx((-np.log(2 / 3) + 15 * np.log(10)) / 3)
    assert np.isnan(found.classes[2].precision), "nothing was answered so"


def test_rows_of_one_class_have_no_auc():
    tree, data = five()
    assert set(evaluate(tree, data.take([0, 1])).scores) == {"accuracy", "error", "log_loss", "brier"}


@examples(20)
@given(seed=st.integers(0, 10_000), recipe=st.sampled_from([*FOUR_RECIPES, ex.C45.replace(unseen="fractional")]))
def test_scores_are_those_of_the_full_tree_on_the_pruning_curve(seed, recipe):
    train, valid = noisy_table(seed).split(0.6, seed=seed)
    path = ex.cost_complexity_path(ex.grow(train, recipe))
    found = evaluate(path.tree, valid).scores
    for metric in ("accuracy", "error", "log_loss", "auc"):
        assert found[metric].value == pytest.approx(path.curve(valid, metric)[0], rel=1e-9, abs=1e-12)


@examples(10)
@given(seed=st.integers(0, 10_000))
def test_squared_errors_are_those_of_the_pruning_curve(seed):
    train, valid = noisy_table(seed, regression=True).split(0.6, seed=seed)
    path = ex.cost_complexity_path(ex.grow(train, ex.CART))
    found = evaluate(path.tree, valid).scores
    assert found["mse"].value == pytest.approx(path.curve(valid)[0])
    assert found["mse"].baseline == pytest.approx(path.curve(valid)[-1]), "the root alone answers the training mean"
    truth, predictions, weights = valid.y, path.tree.predict(valid.frame), valid.weight_of_rows()
    assert found["r2"].value == pytest.approx(metrics.r2_score(truth, predictions, sample_weight=weights))


def test_curves_by_hand():
    tree, data = five([1.0, 1.0, 2.0, 1.0, 1.0])
    found = class_curves(tree, data, "b")
    # shares of b: 1/2 in the first leaf (weight 2 of 4), 1 in the other (weight 2)
    assert found.thresholds.tolist() == [np.inf, 1.0, 0.5]
    assert found.recall.tolist() == [0, 0.5, 1]
    assert found.false_alarms.tolist() == [0, 0, 1]
    assert found.share == pytest.approx(4 / 6)
    assert found.depth == pytest.approx([0, 2 / 6, 1])
    assert found.precision[1:] == pytest.approx([1, 4 / 6])
    assert np.isnan(found.precision[0])
    assert found.lift[1:] == pytest.approx([6 / 4, 1])
    assert found.area == pytest.approx(0.75)
    assert found.average_precision == pytest.approx(0.5 * 1 + 0.5 * 4 / 6)


@pytest.mark.parametrize("name", ["low", "mid", "top"])
def test_precision_is_scikit_learns(name):
    train, valid = noisy_table(3).split(0.6, seed=1)
    tree = ex.grow(train, ex.CART.replace(max_depth=4))
    found = class_curves(tree, valid, name)
    share = tree.predict_proba(valid)[:, tree.classes.index(name)].round(12)
    own, weights = valid.frame["goal"] == name, valid.weight_of_rows()
    precision, recall, cuts = metrics.precision_recall_curve(own, share, sample_weight=weights)
    places = [int(np.flatnonzero(found.thresholds == cut)[0]) for cut in cuts]
    assert found.precision[places] == pytest.approx(precision[:-1])
    assert found.recall[places] == pytest.approx(recall[:-1])
    assert found.area == pytest.approx(metrics.auc(found.false_alarms, found.recall))


@pytest.mark.parametrize(
    ("rows", "name", "fact"),
    [([0, 1], "a", "All rows have class 'a'"), ([3, 4], "a", "No row has class"), ([0, 3], "z", "'a', 'b'")],
)
def test_curves_of_nothing_are_refused(rows, name, fact):
    tree, data = five()
    with pytest.raises(ex.InputError, match=fact):
        class_curves(tree, data.take(rows), name)


@pytest.mark.parametrize("recipe", [*FOUR_RECIPES, ex.CART.replace(max_depth=3)], ids=lambda r: r.name)
def test_leaves_keep_their_promise_on_the_training_rows(recipe):
    data = noisy_table(4)
    tree = ex.grow(data, recipe)
    found = leaf_calibration(tree, data)
    assert found.observed == pytest.approx(found.predicted)
    assert found.gap == pytest.approx([0, 0, 0], abs=1e-12)
    assert found.weight.sum() == pytest.approx(data.weight_of_rows().sum())
    sizes = leaf_sizes(tree)
    filled = sizes.weight > 0
    assert sizes.nodes[filled].tolist() == found.nodes.tolist()
    assert sizes.weight[filled] == pytest.approx(found.weight)
    assert sizes.purity[filled] == pytest.approx(found.observed.max(axis=1))


def test_parts_of_a_row_count_in_every_leaf_they_come_to():
    data = ex.Dataset.from_frame(ex.load_sample("golf_missing").frame, "class")
    tree = ex.grow(data, ex.C45.replace(min_rows_leaf=2, min_rows_in="two"))
    found = leaf_calibration(tree, data)
    assert found.weight.sum() == pytest.approx(14)
    assert found.weight == pytest.approx(tree.weight[found.nodes])
    assert found.observed == pytest.approx(found.predicted)


def test_numbers_in_leaves_by_hand():
    tree = ex.grow(data_of({"x": [0.0, 0.0, 1.0], "y": [0.0, 2.0, 6.0]}, kinds={"y": "numeric"}), ex.CART)
    found = leaf_calibration(tree, data_of({"x": [0.0, 0.0, 1.0], "y": [2.0, 6.0, 4.0]}, kinds={"y": "numeric"}))
    assert found.predicted.tolist() == [[1.0], [6.0]]
    assert found.observed.tolist() == [[4.0], [4.0]]
    assert found.gap == pytest.approx([(2 * 3 + 2) / 3])
    assert leaf_sizes(tree).spread.tolist() == [1.0, 0.0]
    assert leaf_sizes(tree).share == pytest.approx([2 / 3, 1 / 3])


def test_a_tree_that_is_sure_and_right_has_no_log_loss_at_all():
    data = ex.Dataset.from_frame(ex.load_sample("play_tennis").frame, "PlayTennis")
    path = ex.cost_complexity_path(ex.grow(data, ex.ID3))
    assert ex.evaluate(path.tree, data).scores["log_loss"].value == 0.0
    curve = path.curve(data, "log_loss")
    assert curve[0] == 0.0, "the clipping of shares is no loss"
    assert curve[-1] == pytest.approx(-(9 * np.log(9 / 14) + 5 * np.log(5 / 14)) / 14)


def test_a_tree_that_is_sure_and_wrong_pays_for_the_least_share():
    data = ex.Dataset.from_frame(pd.DataFrame({"x": [0, 1], "y": list("ab")}), "y", ["x"], kinds={"x": "numeric"})
    wrong = ex.Dataset.from_frame(
        pd.DataFrame({"x": [0, 1], "y": list("ba")}), "y", ["x"], kinds={"x": "numeric", "y": ["a", "b"]}
    )
    assert ex.evaluate(ex.grow(data, ex.CART), wrong).scores["log_loss"].value == pytest.approx(-np.log(1e-15))


COSTLY = ex.CART.replace(costs={"a": {"b": 2.0}})


@pytest.mark.parametrize("recipe", [ex.CART, COSTLY])
def test_one_score_is_that_among_all(recipe):
    data = data_of(FIVE, weights=[1.0, 2.0, 1.0, 3.0, 0.5])
    tree = ex.grow(data, recipe)
    found = evaluate(tree, data).scores
    assert len(found) == 5 + (recipe is COSTLY)
    for name in found.keys() & METRICS.keys():
        assert score_by(tree, data, name) == found[name]


def test_one_score_takes_no_work_of_another(monkeypatch):
    tree, data = five()
    monkeypatch.setattr(evaluation, "area_under_curve", None)
    monkeypatch.setattr(evaluation, "_each_class", None)
    assert score_by(tree, data, "accuracy").value == pytest.approx(4 / 5)
