"""The picture of an ensemble has the ensemble's own numbers, for every method and kind of table."""

import numpy as np
import pandas as pd
import pytest

import explorer as ex
from explorer.drawing.ensemble_view.payload import picture_payload, row_payload
from explorer.drawing.ensemble_view.records import MOST_ROWS
from explorer.ensembles.picture import picture_of, row_picture
from explorer.ensembles.picture.of_ensemble import FACT_NAMES
from explorer.ensembles.scores import margins
from explorer.formatting import shortened

STUMP = ex.CART.replace(max_depth=1)


def table(key):
    sample = ex.SAMPLES[key]
    frame = ex.load_sample(key).frame
    return ex.Dataset.from_frame(frame, sample.target, features=sample.features, kinds=sample.kinds)


METHODS = {
    "forest": lambda data: ex.forest(data, ex.CART, n_estimators=7, seed=3),
    "bagging": lambda data: ex.bagging(data, ex.CART, n_estimators=7, seed=3),
    "gradient": lambda data: ex.gradient_boost(data, STUMP, n_estimators=5, learning_rate=0.5),
    "newton": lambda data: ex.newton_boost(data, n_estimators=4, max_depth=2),
}
OF_CLASSES = {
    "adaboost": lambda data: ex.adaboost(data, STUMP, n_estimators=5),
    "c50": lambda data: ex.c50(data, trials=4),
}


CASES = [
    *((method, "lihang_8_2_regression") for method in METHODS),
    *((method, key) for method in METHODS | OF_CLASSES for key in ("play_tennis", "lihang_8_1", "golf", "fixed_alpha")),
]


@pytest.mark.parametrize(("method", "key"), CASES)
def test_every_ensemble_has_a_picture_that_the_view_can_read(method, key):
    data = table(key)
    made = (METHODS | OF_CLASSES)[method](data)
    picture = picture_of(made, method=method)
    assert picture_payload(picture)
    assert picture.n_stages == made.n_stages == len(picture.facts)
    assert len(picture.members) == len(made.members)
    for small, member in zip(picture.members, made.members, strict=True):
        condition = member.tree.condition(0) if member.tree.n_leaves > 1 else None
        words = "" if condition is None else shortened(condition.text, 40)
        assert small.test == words, "as the tree names its root"
        assert words in small.title
    assert row_payload(row_picture(made, data.take(np.array([2]))))


@pytest.mark.parametrize("method", [*METHODS, *OF_CLASSES, "midway"])
def test_every_number_of_a_round_has_a_heading_in_words(method):
    growers = {**METHODS, **OF_CLASSES, "midway": lambda data: ex.c50(data, trials=4, update="c50")}
    made = growers[method](table("play_tennis_noise15"))
    assert {name for member in made.members for name in member.facts} <= set(FACT_NAMES)


def test_margins_of_one_class_are_one():
    """There is no wrong class to lose to."""
    assert margins(np.ones((2, 1)), np.array([0, 0])).tolist() == [1.0, 1.0]


def test_the_curves_are_the_scores_of_the_ensemble():
    train, valid = table("iris").split(0.7, seed=0)
    made = ex.forest(train, ex.CART, n_estimators=5)
    curves = {curve.of: curve.values for curve in picture_of(made, valid).curves}
    assert set(curves) == {"training", "validation", "oob"}
    for k in range(6):
        assert curves["training"][k] == np.mean(made.predict(train, k) == train.frame["class"].to_numpy())
        assert curves["validation"][k] == np.mean(made.predict(valid, k) == valid.frame["class"].to_numpy())


def test_with_costs_the_curves_are_what_a_row_costs_and_less_is_better():
    """A row of versicolor predicted as another class costs 5, every other mistake 1."""
    train, valid = table("iris").split(0.5, seed=0)
    costs = {"Iris-versicolor": {"Iris-setosa": 5, "Iris-virginica": 5}}
    made = ex.c50(train, ex.C45.replace(costs=costs, max_depth=1), 4)
    picture = picture_of(made, valid)
    assert (picture.higher_is_better, picture.is_share, picture.score_name) == (False, False, "expected cost")
    for curve, rows in zip(picture.curves, (train, valid), strict=True):
        truth = rows.frame["class"].to_numpy()
        for k, value in enumerate(curve.values):
            paid = np.where(truth == "Iris-versicolor", 5, 1) * (made.predict(rows, k) != truth)
            assert value == pytest.approx(paid.mean(), abs=1e-12)


def test_residuals_and_staircase_of_li_hangs_ten_points():
    """The second tree is grown on the residuals of the first: y less the mean of its side of 6.5."""
    data = table("lihang_8_2_regression")
    scatter = picture_of(ex.gradient_boost(data, STUMP, n_estimators=2, learning_rate=1.0)).scatter
    y = np.asarray(data.y)
    fitted = np.r_[np.full(6, y[:6].mean()), np.full(4, y[6:].mean())]
    assert np.allclose(scatter.targets[0], y - y.mean())
    assert np.allclose(scatter.targets[1], y - fitted)
    middles = (scatter.edges[1:] + scatter.edges[:-1]) / 2
    assert np.allclose(scatter.fitted[1], np.where(middles < 6.5, y[:6].mean(), y[6:].mean()))
    assert np.allclose(scatter.fitted[0], y.mean())


def test_what_the_next_tree_is_grown_on_has_its_name():
    """Newton's trees for classes are grown on −g/h = (y − p)/(p(1 − p)): at p = ½ on 2 and −2."""
    frame = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0], "y": list("aabb")})
    data = ex.Dataset.from_frame(frame, "y", features=["x"], kinds={"x": "numeric"})
    scatter = picture_of(ex.newton_boost(data, 2, min_child_weight=0.1)).scatter
    assert scatter.target_name == "−g/h"
    assert scatter.targets[0].tolist() == [-2.0, -2.0, 2.0, 2.0]
    assert picture_of(ex.gradient_boost(data, STUMP, n_estimators=2)).scatter.target_name == "negative gradient"
    numbers = table("lihang_8_2_regression")
    assert picture_of(ex.newton_boost(numbers, 2)).scatter.target_name == "residual"


def test_the_staircase_beside_the_gradients_is_their_mean_whatever_the_leaves_answer():
    """With Huber's loss a leaf may answer 20 where the gradients on it are 3: the picture shows their mean."""
    data = table("outlier8")
    made = ex.gradient_boost(data, STUMP, loss="huber", delta=3.0, n_estimators=3, learning_rate=1.0)
    scatter = picture_of(made).scatter
    assert np.abs(scatter.answers).max() <= 3.0
    assert max(np.abs(member.tree.values).max() for member in made.members) > 3.0
    tree, x = made.members[0].tree, scatter.x
    left = scatter.targets[0][x <= tree.threshold[0]].mean()
    assert np.isclose(scatter.answers[0][0], left)


def test_wrong_rows_and_weights_are_those_of_the_rounds():
    data = table("lihang_8_1")
    stump = STUMP.replace(impurity="error")
    made = ex.adaboost(data, stump, n_estimators=3, vote="half_log")
    weights = picture_of(made).weights
    assert weights.wrong.sum(axis=1).tolist() == [3, 3, 4]
    shares = weights.weights / weights.weights.sum(axis=1, keepdims=True)
    for k in range(2):  # wrong rows weigh exactly half in the next round
        assert np.isclose(shares[k + 1][weights.wrong[k]].sum(), 0.5)


def test_margins_count_every_row_once_and_misclassified_ones_below_zero():
    data = table("play_tennis")
    made = ex.forest(data, ex.CART, n_estimators=5)
    margins = picture_of(made).margins
    assert (margins.counts.sum(axis=1) == 14).all()
    for k in range(1, 6):
        assert np.isclose(margins.mean[k], made.margin(data, k).mean())


def test_numbers_grown_on_all_rows_have_no_picture_of_weights():
    data = table("lihang_8_2_regression")
    assert picture_of(ex.gradient_boost(data, STUMP, n_estimators=2)).weights is None
    assert picture_of(ex.gradient_boost(data, STUMP, n_estimators=2, subsample=0.5)).weights is not None


def test_regions_of_two_numeric_features_are_predictions_at_the_middle_of_the_cells():
    frame = ex.load_sample("iris").frame
    data = ex.Dataset.from_frame(frame, "class", features=["petallength", "petalwidth"])
    made = ex.forest(data, ex.CART, n_estimators=3)
    regions = picture_of(made).regions
    x = regions.x_range[0] + (np.arange(regions.n_x) + 0.5) / regions.n_x * (regions.x_range[1] - regions.x_range[0])
    y = regions.y_range[0] + (np.arange(regions.n_y) + 0.5) / regions.n_y * (regions.y_range[1] - regions.y_range[0])
    row = 3 * regions.n_x + 5
    cell = frame.iloc[[0]].assign(petallength=x[5], petalwidth=y[3])
    assert made.predict_encoded(cell)[0] == regions.codes.reshape(4, -1)[3][row]


def test_a_row_of_an_additive_ensemble_adds_up_to_its_prediction():
    data = table("auto_mpg")
    made = ex.gradient_boost(data, STUMP, n_estimators=6)
    row = data.take(np.array([11]))
    waterfall = row_picture(made, row).waterfall
    assert np.isclose(waterfall.start + waterfall.values.sum(), made.predict(row)[0])


def test_votes_of_a_row_say_which_members_did_not_draw_it():
    data = table("play_tennis")
    made = ex.forest(data, ex.CART, n_estimators=9, seed=1)
    votes = row_picture(made, data.take(np.array([4]))).votes
    assert votes.out_of_bag.tolist() == [member.weights[4] == 0 for member in made.members]
    assert votes.values.tolist() == [member.tree.predict_encoded(data)[4] for member in made.members]


def test_boosting_has_no_out_of_bag_rows_to_outline():
    data = table("play_tennis")
    assert row_picture(ex.adaboost(data, STUMP, 5), data.take(np.array([4]))).votes.out_of_bag is None


def test_only_trees_whose_votes_differ_are_said_to_have_a_vote():
    points = table("lihang_8_1")
    forest, boosted = METHODS["forest"](points), METHODS["gradient"](points)
    titles = [picture_of(made).members[1].title for made in (forest, boosted, OF_CLASSES["adaboost"](points))]
    assert titles[0].startswith("Tree 2: ")
    assert "vote" not in titles[0]
    assert titles[1].endswith(", ν = 0.5")
    assert ", vote " in titles[2]
    leaf = ex.forest(points, ex.CART.replace(max_depth=0), n_estimators=1, seed=0)
    assert picture_of(leaf).members[0].title == "Tree 1: a single leaf"


def test_of_a_large_table_some_rows_are_shown_and_all_of_each_class_are_counted():
    n = 3 * MOST_ROWS
    frame = pd.DataFrame({"x": np.arange(n, dtype=float), "y": np.where(np.arange(n) < MOST_ROWS, "a", "b")})
    data = ex.Dataset.from_frame(frame, "y")
    weights = picture_of(ex.forest(data, ex.CART.replace(max_depth=1), 2)).weights
    assert len(weights.rows) == MOST_ROWS
    assert list(weights.n_of_class) == [MOST_ROWS, 2 * MOST_ROWS]


def test_measured_numbers_have_the_digits_of_the_formulas_beside_them():
    """Li Hang's third tree: ε = 0.1820, α = 0.7514 (8.1.3), here from 4/22 and ½ ln(18/4) = 0.752."""
    picture = picture_of(ex.adaboost(table("lihang_8_1"), STUMP.replace(impurity="error"), 3, vote="half_log"))
    assert picture.members[2].title.endswith(", vote 0.752")
    assert (picture.facts[2].texts["ε"], picture.facts[2].texts["α"]) == ("0.182", "0.752")
