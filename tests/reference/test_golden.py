"""The numbers that a hand calculation gives on the textbooks' tables (`golden/golden.json`), equal to 1e-9."""

from __future__ import annotations

import pandas as pd
import pytest

import explorer as ex
from tests.oracles.golden_walk import GOLDEN, NUMERIC, SAMPLES, Walk, dataset_of, frame_of, near, parse

NO_ZERO_GAIN = 1e-9
"""Golden stops where the best gain is zero; our recipes go on by default, so golden's trees ask for a gain above 0."""

CATEGORICAL_TABLES = ["play_tennis", "play_tennis_noise15", "loan_a1a2a3", "loan_lihang", "mammals", "watermelon_2_0"]
CART_TABLES = ["play_tennis", "loan_a1a2a3", "loan_lihang", "mammals", "watermelon_2_0", "watermelon_3_0", "golf"]

ID3 = ex.ID3.replace(empty_branches=False, numeric="threshold", min_score=NO_ZERO_GAIN)
C45 = ex.C45.replace(empty_branches=False, min_score=NO_ZERO_GAIN)
CART = ex.CART.replace(min_score=NO_ZERO_GAIN)
CART_TESTS = {"cart_eq": "one_vs_rest", "cart_subset": "subset"}

STRICT = "c45_tree_gain_strictly_gt_average_and_stop_with_1_feature_left(seed000 literal)"
MULTIWAY_TREES = {
    "id3_tree": ID3,
    "id3_tree_seed000_stop_with_1_feature_left": ID3.replace(stop_at_one_feature=True),
    "c45_tree_plain_ratio": C45.replace(mean_gain_filter="off"),
    "c45_tree_gain_ge_average": C45,
    STRICT: C45.replace(mean_gain_filter="greater", stop_at_one_feature=True),
}
RISKS = {"gini": "impurity", "misclass": "error", "gini_local": "per_node", "mse": "impurity", "sse": "unnormalised"}


def root_decision(data: ex.Dataset, recipe: ex.Recipe) -> ex.Decision:
    """The root's decision."""
    return ex.decide(ex.grow(data, recipe), data, 0)


@pytest.mark.parametrize("key", CATEGORICAL_TABLES)
def test_root_entropy_gains_split_info_and_ratios(key):
    golden = GOLDEN[key]
    decision = root_decision(dataset_of(key), C45.replace(mean_gain_filter="off"))
    assert decision.impurity == near(golden["entropy"])
    assert {name: c.gain for name, c in decision.best.items()} == near(golden["gain"])
    assert {name: c.split_info for name, c in decision.best.items()} == near(golden["split_info"])
    assert {name: c.gain_ratio for name, c in decision.best.items()} == near(golden["gain_ratio"])


@pytest.mark.parametrize("key", CATEGORICAL_TABLES)
def test_root_mean_gain_and_gini(key):
    data = dataset_of(key)
    assert root_decision(data, C45).mean_gain == near(GOLDEN[key]["average_gain"])
    assert root_decision(data, CART).impurity == near(GOLDEN[key]["gini"]["value"])


@pytest.mark.parametrize("key", CATEGORICAL_TABLES)
@pytest.mark.parametrize("name", MULTIWAY_TREES)
def test_multiway_trees_node_by_node(key, name):
    data = dataset_of(key)
    walk = Walk(ex.grow(data, MULTIWAY_TREES[name]), data).run(GOLDEN[key][name])
    assert not walk.diverged, "with features in the same order the first of every tie is golden's own"


@pytest.mark.parametrize("key", CART_TABLES)
@pytest.mark.parametrize("name", CART_TESTS)
def test_cart_trees_node_by_node(key, name):
    data = dataset_of(key)
    tree = ex.grow(data, CART.replace(categorical=CART_TESTS[name]))
    walk = Walk(tree, data).run(GOLDEN[key][name]["tree"])
    assert not walk.diverged
    assert tree.n_leaves == GOLDEN[key][name]["leaves"]


@pytest.mark.parametrize("key", CART_TABLES)
@pytest.mark.parametrize("name", CART_TESTS)
@pytest.mark.parametrize("risk", ["gini", "misclass", "gini_local"])
def test_subtree_sequences(key, name, risk):
    data = dataset_of(key)
    tree = ex.grow(data, CART.replace(categorical=CART_TESTS[name]))
    golden = GOLDEN[key][name]
    walk = Walk(tree, data).run(golden["tree"])
    check_sequence(walk, golden["cost_complexity"][risk], RISKS[risk])


def check_sequence(walk: Walk, golden: dict, risk: str) -> None:
    """Alphas, leaves, total risks, and the collapse α of every node that golden prunes."""
    path = ex.cost_complexity_path(walk.tree, risk=risk)
    sequence = golden["sequence"]
    assert list(path.alphas) == near([entry["alpha"] for entry in sequence])
    assert list(path.n_leaves) == [entry["leaves"] for entry in sequence]
    assert list(path.risks) == near([entry["total_risk"] for entry in sequence])
    for entry in sequence:
        for node in entry["pruned"]:
            assert path.collapse_alpha[walk.ids[node]] == near(entry["alpha"])


def candidate_of(decision: ex.Decision, split: str) -> ex.Candidate | None:
    """Our candidate for a golden split, mirrored or not; None if it is not listed."""
    feature, operator, what = parse(split)
    for candidate in decision.candidates:
        if candidate.feature == feature:
            groups = [frozenset(group) for group in candidate.condition.branches]
            if candidate.condition.threshold == what if operator == "<=" else what in groups:
                return candidate
    return None


@pytest.mark.parametrize("key", ["play_tennis", "loan_a1a2a3", "loan_lihang", "watermelon_2_0"])
def test_gini_of_every_value_against_the_rest(key):
    decision = root_decision(dataset_of(key), CART.replace(categorical="one_vs_rest"))
    golden = GOLDEN[key]["cart_candidates_eq"]
    found = {split: candidate_of(decision, split).weighted_impurity for split in golden}
    assert found == near({split: number["value"] for split, number in golden.items()})


def test_gini_of_every_bipartition_of_play_tennis():
    decision = root_decision(dataset_of("play_tennis"), CART)
    golden = GOLDEN["play_tennis"]["cart_candidates_subset"]
    found = {split: candidate_of(decision, split).weighted_impurity for split in golden}
    assert found == near({split: number["value"] for split, number in golden.items()})
    assert len(decision.candidates) == len(golden)


def test_day_as_a_feature_has_the_largest_ratio():
    frame = frame_of("play_tennis.csv")
    features = ["Day", "Outlook", "Temperature", "Humidity", "Wind"]
    kinds = dict.fromkeys(features, "categorical")
    data = ex.Dataset.from_frame(frame, "PlayTennis", features=features, kinds=kinds)
    best = root_decision(data, C45).best["Day"]
    golden = GOLDEN["play_tennis"]["with Day as a feature"]
    assert best.gain == near(golden["gain_Day"])
    assert best.split_info == near(golden["split_info_Day"])
    assert best.gain_ratio == near(golden["gain_ratio_Day"])
    assert "Day" not in [f.name for f in ex.Dataset.from_frame(frame, "PlayTennis").features]


def thresholds_of(decision: ex.Decision, feature: str) -> dict[float, ex.Candidate]:
    """Every threshold of a numeric feature."""
    return {c.condition.threshold: c for c in decision.candidates if c.feature == feature}


def test_temperature6_thresholds():
    frame = frame_of("temperature6.csv").astype({"Temperature": float})
    data = ex.Dataset.from_frame(frame, "PlayTennis", features=["Temperature"])
    decision = root_decision(data, ID3)
    golden = GOLDEN["temperature6"]
    assert decision.impurity == near(golden["entropy"])
    found = thresholds_of(decision, "Temperature")
    assert {t: c.gain for t, c in found.items()} == near({e["t"]: e["gain"] for e in golden["thresholds"]})
    assert {t: c.split_info for t, c in found.items()} == near({e["t"]: e["split_info"] for e in golden["thresholds"]})
    assert decision.chosen.condition.threshold == golden["best"]


@pytest.mark.parametrize("feature", ["temperature", "humidity"])
def test_golf_thresholds(feature):
    found = thresholds_of(root_decision(dataset_of("golf"), ID3), feature)
    golden = GOLDEN["golf"][feature]["thresholds"]
    assert {t: c.gain for t, c in found.items()} == near({entry["t"]: entry["gain"] for entry in golden})


def test_golf_root_and_tree():
    data = dataset_of("golf")
    decision = root_decision(data, C45.replace(mean_gain_filter="off"))
    for feature in ("outlook", "windy"):
        best = decision.best[feature]
        numbers = {"gain": best.gain, "split_info": best.split_info, "gain_ratio": best.gain_ratio}
        assert numbers == near(GOLDEN["golf"][feature])
    assert not Walk(ex.grow(data, ID3), data).run(GOLDEN["golf"]["id3_gain_tree"]).diverged


def test_quinlans_place_for_the_threshold_is_a_value_of_the_table():
    tree = ex.grow(dataset_of("golf"), C45.replace(threshold_at="c45", score="gain"))
    sunny = tree.node(0).children[0]
    assert tree.node(sunny).condition.feature == "humidity"
    assert tree.node(sunny).condition.threshold == 75.0


def test_watermelon_3_0_numeric_features_and_tree():
    data = dataset_of("watermelon_3_0")
    decision = root_decision(data, ID3)
    for feature, golden in GOLDEN["watermelon_3_0"]["numeric"].items():
        assert sorted(thresholds_of(decision, feature)) == near(golden["candidates"])
        best = decision.best[feature]
        assert [best.condition.threshold] == near(golden["best_threshold"])
        assert [best.gain, best.split_info] == near([golden["best_gain"], golden["split_info"]])
        assert best.gain_ratio == near(golden["gain_ratio"])
    golden_tree = GOLDEN["watermelon_3_0"]["id3_gain_tree_nominal_multiway_numeric_binary"]
    assert not Walk(ex.grow(data, ID3), data).run(golden_tree).diverged


def lihang() -> ex.Dataset:
    """Li Hang's regression table 8.2."""
    return ex.Dataset.from_frame(frame_of("lihang_8_2_regression.csv").astype(float), "y", features=["x"])


def test_lihang_regression_thresholds():
    decision = root_decision(lihang(), ex.CART)
    golden = GOLDEN["lihang_8_2_regression"]["split_sse"]
    found = {f"x <= {t:g}": 10 * c.weighted_impurity for t, c in thresholds_of(decision, "x").items()}
    assert found == near({split: numbers["sse_left+sse_right"] for split, numbers in golden.items()})
    assert decision.chosen.condition.threshold == 6.5


def test_lihang_regression_tree_and_its_sequences():
    data, golden = lihang(), GOLDEN["lihang_8_2_regression"]
    walk = Walk(ex.grow(data, ex.CART), data).run(golden["cart"]["tree"])
    for risk in ("mse", "sse"):
        check_sequence(walk, golden["cart"]["cost_complexity"][risk], RISKS[risk])


def test_lihang_regression_tree_stopped_at_a_squared_error():
    data = lihang()
    tree = ex.grow(data, ex.CART.replace(min_squared_error=0.2))
    Walk(tree, data).run(GOLDEN["lihang_8_2_regression"]["cart_delta_0.2 (seed 000: stop when SSE < delta)"])
    assert tree.n_leaves == 4


def test_random_table_of_depth_three():
    data, golden = dataset_of("seed004_random"), GOLDEN["seed004_random"]
    tree = ex.grow(data, CART.replace(max_depth=golden["max_depth"]))
    assert not Walk(tree, data).run(golden["tree"]).diverged
    assert tree.n_leaves == golden["leaves"]


def test_tables_come_with_the_kinds_that_golden_uses():
    data = ex.Dataset.from_frame(pd.read_csv(next(SAMPLES.rglob("golf.csv"))), "class")
    assert {f.name for f in data.features if f.kind == "numeric"} == {"temperature", "humidity"} <= NUMERIC
    assert [f.name for f in data.features] == ["outlook", "temperature", "humidity", "windy"]
