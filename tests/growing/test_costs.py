"""Class weights, costs of mistakes and costs of features, worked out by hand on small tables."""

from __future__ import annotations

from math import log, log2

import numpy as np
import pandas as pd
import pytest

import explorer as ex
from explorer.compiling import compiling
from explorer.recipe.class_weights import class_factors, cost_matrix, costs_of
from explorer.tree import metrics
from tests.oracles import bridge
from tests.oracles.golden_walk import GOLDEN, dataset_of, frame_of, near


def entropy(*counts: float) -> float:
    """Σ −p·log2 p of counts."""
    return -sum(c / sum(counts) * log2(c / sum(counts)) for c in counts if c)


def gini(*counts: float) -> float:
    """1 − Σ p²."""
    return 1 - sum((c / sum(counts)) ** 2 for c in counts)


# -- costs of features -----------------------------------------------------------------------------------------------

OUTLOOK = entropy(9, 5) - 5 / 14 * entropy(2, 3) - 5 / 14 * entropy(3, 2)
HUMIDITY = entropy(9, 5) - 7 / 14 * entropy(3, 4) - 7 / 14 * entropy(6, 1)
WIND = entropy(9, 5) - 8 / 14 * entropy(6, 2) - 6 / 14 * entropy(3, 3)
TEMPERATURE = entropy(9, 5) - 4 / 14 * entropy(2, 2) - 6 / 14 * entropy(4, 2) - 4 / 14 * entropy(3, 1)
PRICES = {"Outlook": 10.0, "Humidity": 2.0, "Wind": 0.5}
GAINS = {"Outlook": OUTLOOK, "Temperature": TEMPERATURE, "Humidity": HUMIDITY, "Wind": WIND}


def scored(**changes) -> tuple[ex.Decision, dict[str, float]]:
    """The root of play tennis under a score, and each feature's score."""
    data = dataset_of("play_tennis")
    decision = ex.decide(ex.grow(data, ex.ID3.replace(**changes)), data, 0)
    assert {name: c.cost for name, c in decision.best.items()} == {**dict.fromkeys(GAINS, 1.0), **PRICES}
    assert {name: c.gain for name, c in decision.best.items()} == near(GAINS) or changes.get("log_base") == "e"
    return decision, {name: c.score for name, c in decision.best.items()}


def test_tan_and_schlimmer_divide_the_squared_gain_by_the_cost():
    """Outlook 0.247²/10 = 0.0061, Temperature 0.0292²/1, Humidity 0.152²/2 = 0.0115, Wind 0.048²/0.5 = 0.0046."""
    decision, scores = scored(score="tan_schlimmer", feature_costs=PRICES)
    assert scores == near({name: GAINS[name] ** 2 / PRICES.get(name, 1.0) for name in GAINS})
    assert decision.chosen.feature == "Humidity"
    assert decision.runner_up.feature == "Outlook"
    assert decision.margin == near(HUMIDITY**2 / 2 - OUTLOOK**2 / 10)
    assert [c.feature for c in decision.candidates] == ["Humidity", "Outlook", "Wind", "Temperature"]


@pytest.mark.parametrize("w", [0.0, 0.5, 1.0])
def test_nunez_weighs_the_cost_by_w(w):
    decision, scores = scored(score="nunez", feature_costs=PRICES, nunez_w=w)
    expected = {name: (2 ** GAINS[name] - 1) / (PRICES.get(name, 1.0) + 1) ** w for name in GAINS}
    assert scores == near(expected)
    assert decision.chosen.feature == max(expected, key=expected.get) == ("Outlook" if w < 0.5 else "Humidity")


def test_nats_square_in_one_score_and_do_not_touch_the_other():
    bits, nats = (scored(score="tan_schlimmer", feature_costs=PRICES, log_base=base)[1] for base in (2, "e"))
    assert nats == near({name: score * log(2) ** 2 for name, score in bits.items()})
    bits, nats = (scored(score="nunez", feature_costs=PRICES, log_base=base)[1] for base in ("2", "e"))
    assert nats == near(bits)


def test_the_least_score_counts_in_the_scores_own_unit():
    data, recipe = dataset_of("play_tennis"), ex.ID3.replace(score="tan_schlimmer", feature_costs=PRICES)
    best = HUMIDITY**2 / 2
    for base, unit in ((2, 1.0), ("e", log(2) ** 2)):
        limits = [ex.grow(data, recipe.replace(log_base=base, min_score=best * unit * part)) for part in (0.99, 1.01)]
        assert limits[0].n_leaves > 1
        assert limits[1].n_leaves == 1


@pytest.mark.parametrize("changes", [{"score": "tan_schlimmer"}, {"score": "nunez", "nunez_w": 0.3}])
def test_costs_of_features_in_both_layers(changes):
    data = ex.Dataset.from_frame(ex.load_sample("credit_g").frame.head(150), "class")
    prices = {feature.name: 0.5 + i for i, feature in enumerate(data.features)}
    recipe = ex.C45.replace(feature_costs=prices, max_depth=5, **changes)
    fast = ex.grow(data, recipe)
    with compiling():
        bridge.assert_alike(fast, ex.grow(data, recipe))
    free = ex.grow(data, recipe.replace(feature_costs=None))
    assert not np.array_equal(free.feature, fast.feature)


# -- seed 000's score ------------------------------------------------------------------------------------------------


def test_squared_errors_weighed_by_rows_once_more():
    """0, 0, 3, 7: Σ|D_m|·SSE_m is 3·(74/3) = 74 after row 1, 2·0 + 2·8 = 16 after 2, 3·6 + 0 = 18 after 3."""
    frame = frame_of("cx4_regression_weighted_sse.csv").astype(float)
    data = ex.Dataset.from_frame(frame, "y", features=["x"])
    decision = ex.decide(ex.grow(data, ex.CART.replace(score="squared_share_weighting")), data, 0)
    literal = {c.condition.threshold: 16 * (decision.impurity - c.score) for c in decision.candidates}
    assert literal == pytest.approx({1.5: 74, 2.5: 16, 3.5: 18}, rel=1e-12)
    assert decision.chosen.condition.threshold == 2.5
    ordinary = {c.condition.threshold: 4 * (decision.impurity - c.gain) for c in decision.candidates}
    assert ordinary == pytest.approx({1.5: 74 / 3, 2.5: 8, 3.5: 6}, rel=1e-12)


def test_the_same_on_li_hangs_table():
    golden = GOLDEN["lihang_8_2_regression"]["split_sse"]
    data = ex.Dataset.from_frame(frame_of("lihang_8_2_regression.csv"), "y", ["x"])
    decision = ex.decide(ex.grow(data, ex.CART.replace(score="squared_share_weighting")), data, 0)
    found = {f"x <= {c.condition.threshold}": 100 * (decision.impurity - c.score) for c in decision.candidates}
    assert found == near({split: row["seed000_literal_weighted_by_count"] for split, row in golden.items()})


# -- class weights and costs of mistakes -----------------------------------------------------------------------------


def loans() -> ex.Dataset:
    """Ten rows: good at x = 1…4 and 7, 8; bad at 5, 6, 9, 10."""
    y = ["good"] * 4 + ["bad"] * 2 + ["good"] * 2 + ["bad"] * 2
    return ex.Dataset.from_frame(pd.DataFrame({"x": np.arange(1.0, 11.0), "y": y}), "y", ["x"], {"x": "numeric"})


def test_altered_priors_of_a_loss_matrix():
    """6 good and 4 bad rows, a bad one taken for good costs 5: 6·1 : 4·5 = 6 : 20, of weight 10 → 30/13 and 100/13."""
    data, costs = loans(), {"bad": {"good": 5.0}}
    tree = ex.grow(data, ex.CART.replace(costs=costs))
    assert list(tree.node(0).stats) == near([30 / 13, 100 / 13])
    assert tree.weight[0] == near(10.0)
    assert tree.impurity[0] == near(gini(6, 20))
    assert list(tree.row_stats[0]) == near([6, 4])
    assert list(tree.prior_stats[0]) == near([6, 4])
    assert list(tree.node(0).probabilities) == near([0.6, 0.4])
    best = ex.decide(tree, data, 0).best["x"]
    decreases = {4.5: gini(6, 20) - 22 / 26 * gini(2, 20), 8.5: gini(6, 20) - 16 / 26 * gini(6, 10)}
    assert best.condition.threshold == 4.5
    assert best.gain == near(decreases[4.5])


def test_labels_cost_least_and_risk_is_the_expected_cost():
    """Predict bad for all: 6·1 = 6; predict good: 4·5 = 20. Right of 4.5 (2 good, 4 bad): bad costs 2, good 20."""
    data = loans()
    tree = ex.grow(data, ex.CART.replace(costs={"good": {"bad": 1}, "bad": {"good": 5, "bad": 0}}, max_depth=1))
    assert [tree.node(i).label for i in range(3)] == ["bad", "good", "bad"]
    path = ex.cost_complexity_path(tree, risk="error")
    assert list(path.alphas) == near([0.0, (6 - 2) / 10])
    assert list(path.risks) == near([0.2, 0.6])
    assert list(path.curve(data, "expected_cost")) == near([0.2, 0.6])
    assert list(path.curve(data, "accuracy")) == near([0.8, 0.4])
    assert metrics.expected_cost(tree, data) == near(0.2)
    assert metrics.cost_baseline(tree, data) == near(0.6)


def test_a_matrix_that_weighs_classes_alike_still_decides_labels():
    """Every class costs 3 in all, so growing is as ever; of 4 a, 3 b, 3 c: a costs 6 + 6, b 8 + 3, c 4 + 3 → c."""
    y = ["a"] * 4 + ["b"] * 3 + ["c"] * 3
    data = ex.Dataset.from_frame(pd.DataFrame({"x": [1.0] * 9 + [2.0], "y": y}), "y", ["x"], {"x": "numeric"})
    costs = {"a": {"b": 2, "c": 1}, "b": {"a": 2, "c": 1}, "c": {"a": 2, "b": 1}}
    tree = ex.grow(data, ex.CART.replace(costs=costs, max_depth=0))
    assert tree.class_factors is None
    assert list(tree.prior_stats[0] @ tree.costs) == near([12.0, 11.0, 7.0])
    assert tree.node(0).label == "c"


def test_equal_expected_costs_fall_to_the_earlier_class():
    """6 good rows at 1 against 4 bad ones at 1.5: both predictions cost 6, however the factors round."""
    tree = ex.grow(loans(), ex.CART.replace(costs={"bad": {"good": 1.5}}, max_depth=0))
    assert tree.node(0).label == "good"


def test_priors_as_class_weights():
    """Priors ½ : ½ are weights 10/2/6 and 10/2/4; both classes then weigh 5."""
    tree = ex.grow(loans(), ex.CART.replace(class_weights={"good": 5 / 6, "bad": 5 / 4}))
    assert list(tree.stats[0]) == near([5.0, 5.0])
    assert list(tree.row_stats[0]) == near([6.0, 4.0])
    assert list(tree.node(0).probabilities) == near([0.5, 0.5])


def test_minima_chi2_and_the_price_of_thresholds_count_rows():
    data = loans()
    weights = {"bad": 50.0}
    for least, cuts in ((0.0, 9), (3.0, 5), (5.0, 1)):
        tree = ex.grow(data, ex.CART.replace(class_weights=weights, min_rows_leaf=least))
        free = [c for c in ex.decide(tree, data, 0).candidates if c.rejected is None]
        assert len(free) == cuts
    assert ex.grow(data, ex.CART.replace(class_weights=weights, min_rows_split=10.0)).n_leaves > 1
    assert ex.grow(data, ex.CART.replace(class_weights=weights, min_rows_split=10.5)).n_leaves == 1
    plain, weighted = (ex.grow(data, ex.CART.replace(class_weights=w, max_depth=1)) for w in (None, weights))
    assert weighted.node(0).condition.threshold == plain.node(0).condition.threshold == 4.5
    assert ex.decide(weighted, data, 0).chi2.statistic == near(ex.decide(plain, data, 0).chi2.statistic)
    priced, free = (
        ex.decide(ex.grow(data, ex.C45.replace(class_weights=weights, release8_penalty=on)), data, 0).best["x"].gain
        for on in (True, False)
    )
    assert free - priced == near(log2(9) / 10)


def test_expected_cost_weighs_the_rows():
    data = loans()
    tree = ex.grow(data, ex.CART.replace(costs={"bad": {"good": 5.0}}, max_depth=1))
    weights = np.array([1.0, 1, 1, 1, 1, 1, 4, 1, 1, 1])
    other = ex.Dataset.from_frame(data.frame, "y", ["x"], {"x": "numeric"}, weights=weights)
    assert metrics.expected_cost(tree, other) == near((4 + 1) / 13)
    assert ex.cost_complexity_path(tree).curve(other, "expected_cost")[0] == near(5 / 13)


def test_a_class_of_no_weight_is_left_out_and_said():
    data = loans()
    frame = pd.concat([data.frame, pd.DataFrame({"x": [1.5, 2.5], "y": ["odd", "odd"]})])
    with_odd = ex.Dataset.from_frame(frame, "y", ["x"], {"x": "numeric"})
    tree = ex.grow(with_odd, ex.CART.replace(class_weights={"odd": 0}))
    plain = ex.grow(data, ex.CART)
    np.testing.assert_array_equal(tree.threshold, plain.threshold)
    assert tree.notes == ("2 of 12 rows are left out: their class has no weight or cost.",)
    assert ex.decide(tree, with_odd, 0).n_rows == 10


def test_json_keeps_costs_and_the_types_of_classes():
    frame = pd.DataFrame({"x": np.arange(8.0), "y": [0, 0, 1, 1, 2, 2, 0, 1]})
    data = ex.Dataset.from_frame(frame, "y", ["x"], {"x": "numeric", "y": "categorical"})
    costs = {data.classes[0]: {data.classes[1]: 3}, data.classes[2]: {data.classes[0]: 2.5}}
    recipe = ex.CART.replace(costs=costs, class_weights={data.classes[1]: 2}, feature_costs={"x": 2}, chi2_level=0.9)
    tree = ex.grow(data, recipe)
    back = bridge.through_json(tree)
    bridge.assert_same_tree(tree, back)
    assert back.recipe == tree.recipe
    np.testing.assert_array_equal(back.class_factors, tree.class_factors)
    np.testing.assert_array_equal(back.labels, tree.labels)
    np.testing.assert_array_equal(back.predict_proba(data), tree.predict_proba(data))
    assert hash(back.recipe) == hash(recipe)


# -- refusals --------------------------------------------------------------------------------------------------------

WRONG = [
    ({"class_weights": {"good": -1}}, "'good'.*from 0 on"),
    ({"class_weights": {"good": float("inf")}}, "'good'.*finite"),
    ({"class_weights": 3}, "mapping"),
    ({"costs": {"good": {"bad": -1}}}, "'bad'.*from 0 on"),
    ({"costs": {"good": {"good": 1}}}, "correct prediction 'good'"),
    ({"costs": {"good": 3}}, "mapping"),
    ({"feature_costs": {"x": -1}}, "'x'.*from 0 on"),
    ({"feature_costs": {"x": 0}, "score": "tan_schlimmer"}, "'x' costs 0"),
    ({"nunez_w": 1.5}, "nunez_w"),
    ({"nunez_w": -0.1}, "nunez_w"),
]


@pytest.mark.parametrize(("changes", "message"), WRONG)
def test_recipes_that_mean_nothing(changes, message):
    with pytest.raises(ex.InputError, match=message):
        ex.CART.replace(**changes)


MISFITS = [
    ({"class_weights": {"ugly": 1}}, "class_weights names the class 'ugly'.*'good', 'bad'"),
    ({"costs": {"ugly": {"bad": 1}}}, "costs names the class 'ugly'"),
    ({"costs": {"good": {"ugly": 1}}}, "costs names the class 'ugly'"),
    ({"costs": {"good": {"bad": 0}, "bad": {"good": 0}}}, "Every row has a class weight or a cost of 0"),
    ({"feature_costs": {"z": 1}}, "'z'.*not a column"),
    ({"score": "squared_share_weighting"}, "categorical"),
]


@pytest.mark.parametrize(("changes", "message"), MISFITS)
def test_recipes_that_do_not_suit_the_table(changes, message):
    with pytest.raises(ex.InputError, match=message):
        ex.grow(loans(), ex.CART.replace(**changes))


def test_numbers_have_no_classes():
    data = ex.Dataset.from_frame(pd.DataFrame({"x": [1.0, 2, 3], "y": [0.5, 1.5, 4.0]}), "y", ["x"])
    for changes in ({"class_weights": {"a": 1}}, {"costs": {"a": {"b": 1}}}, {"score": "nunez"}):
        with pytest.raises(ex.InputError, match="numeric"):
            ex.grow(data, ex.CART.replace(**changes))


def test_costs_are_required_where_they_are_needed():
    data = loans()
    with pytest.raises(ex.InputError, match="costs"):
        ex.cost_complexity_path(ex.grow(data, ex.CART)).curve(data, "expected_cost")
    with pytest.raises(ex.InputError, match="costs"):
        metrics.expected_cost(ex.grow(data, ex.CART), data)


def test_factors_and_matrix_by_hand():
    data = loans()
    costs = costs_of({"bad": {"good": 5}})
    assert cost_matrix(costs, ("good", "bad")).tolist() == [[0, 1], [5, 0]]
    assert list(class_factors(data, None, costs)) == near([10 / 26, 50 / 26])
    assert class_factors(data, (("good", 2.0), ("bad", 2.0)), None).size == 0
