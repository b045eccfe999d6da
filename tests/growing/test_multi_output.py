"""One tree for several targets: recorded numbers, scikit-learn's multi-output trees, and laws."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import explorer as ex
from tests.folders import GOLDEN_FOLDER

GOLDEN = json.loads((GOLDEN_FOLDER / "golden_ensembles.json").read_text("utf-8"))["several_targets"]
NAMES = ["a", "b"]


def table(values, kinds=None):
    frame = pd.DataFrame(values, columns=NAMES)
    frame.insert(0, "x", GOLDEN["x"])
    return ex.MultiOutputData.from_frame(frame, NAMES, kinds=kinds)


def random_frame(seed, n=80, targets=3):
    rng = np.random.default_rng(seed)
    x, y = rng.permuted(np.tile(np.arange(n) / 4, (3, 1)), axis=1).T, rng.normal(size=(n, targets))
    y[:, 0] += x[:, 0]
    y[:, 1] += 30 * (x[:, 1] > 3)
    frame = pd.DataFrame(x, columns=["x0", "x1", "x2"])
    return frame.assign(**{f"y{j}": y[:, j] for j in range(targets)})


def conditions_of(tree):
    """Feature and rounded threshold of every node, in breadth-first order."""
    found = [tree.condition(node) for node in range(tree.n_nodes_grown)]
    return [None if one is None else (one.feature, round(one.threshold, 5)) for one in found]


def conditions_of_sklearn(fitted, names):
    """The same for a fitted tree of scikit-learn."""
    tree, listed, level = fitted.tree_, [], [0]
    while level:
        for node in level:
            is_leaf = tree.children_left[node] < 0
            listed.append(None if is_leaf else (names[tree.feature[node]], round(float(tree.threshold[node]), 5)))
        level = [
            child for node in level for child in (tree.children_left[node], tree.children_right[node]) if child >= 0
        ]
    return listed


@pytest.mark.parametrize(("standardise", "threshold"), [(False, 5.5), (True, 3.5), (None, 3.5)])
def test_the_unit_of_a_target_decides_unless_targets_are_standardised(standardise, threshold):
    tree = ex.grow_multi_output(table(GOLDEN["Y"]), ex.CART, standardise)
    assert tree.trees[0].condition(0).threshold == threshold
    assert tree.is_standardised == (standardise is not False)


def test_every_candidate_has_the_decrease_of_each_target():
    data = table(GOLDEN["Y"])
    root = ex.decide_multi_output(ex.grow_multi_output(data, standardise=True), data, 0)
    assert len(root.candidates) == 1, "the best of each feature"
    best = max(GOLDEN["root_candidates"], key=lambda row: row["sum_of_standardised"])
    assert root.chosen.decreases == pytest.approx(best["variance_decrease_per_target"], abs=1e-9)
    assert sum(root.chosen.shares) == pytest.approx(best["sum_of_standardised"], abs=1e-9)
    plain = ex.decide_multi_output(ex.grow_multi_output(data, standardise=False), data, 0)
    assert plain.chosen.gain == pytest.approx(max(row["mean"] for row in GOLDEN["root_candidates"]), abs=1e-9)
    assert np.mean(root.impurities) == pytest.approx(GOLDEN["root_impurity_sklearn(mean over targets)"])


def test_two_class_targets():
    golden = GOLDEN["two_class_targets"]
    tree = ex.grow_multi_output(table(golden["Y"], dict.fromkeys(NAMES, "categorical")), ex.CART)
    assert tree.trees[0].condition(0).threshold == golden["root_threshold"] == golden["sklearn_root_threshold"]
    assert np.mean([one.impurity[0] for one in tree.trees]) == pytest.approx(golden["sklearn_root_impurity"])
    assert not tree.is_standardised
    frame = pd.DataFrame({"x": GOLDEN["x"]})
    assert tree.predict(frame).astype(int).to_numpy().tolist() == golden["Y"]


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("standardise", [False, True])
def test_the_tree_is_that_of_scikit_learn(seed, standardise):
    frame, names = random_frame(seed), ["y0", "y1", "y2"]
    tree = ex.grow_multi_output(
        ex.MultiOutputData.from_frame(frame, names), ex.CART.replace(max_depth=2), standardise
    ).trees[0]
    x, y = frame.drop(columns=names), frame[names].to_numpy()
    y = y / y.std(axis=0) if standardise else y
    peer = DecisionTreeRegressor(max_depth=2, random_state=0).fit(x, y)
    assert conditions_of(tree) == conditions_of_sklearn(peer, list(x.columns))


@pytest.mark.parametrize("seed", range(10))
def test_the_first_split_of_class_targets_is_as_good_as_that_of_scikit_learn(seed):
    frame = random_frame(seed, n=60)
    names, x = ["y0", "y1"], frame[["x0", "x1", "x2"]]
    classes = frame[names].gt(frame[names].median()).astype(int)
    data = ex.MultiOutputData.from_frame(x.assign(**classes), names, kinds=dict.fromkeys(names, "categorical"))
    trees = ex.grow_multi_output(data, ex.CART.replace(max_depth=1)).trees
    peer = DecisionTreeClassifier(max_depth=1, random_state=0).fit(x, classes).tree_
    assert np.mean([one.impurity[0] for one in trees]) == pytest.approx(peer.impurity[0])
    after = np.mean([one.impurity[1:] @ one.weight[1:] for one in trees])
    assert after == pytest.approx(peer.impurity[1:] @ peer.n_node_samples[1:]), "equal up to ties"


@pytest.mark.parametrize("recipe", [ex.CART, ex.ID3, ex.C45], ids=lambda recipe: recipe.name)
@pytest.mark.parametrize("sample", ["play_tennis", "golf_missing", "titanic"])
def test_a_target_twice_is_the_tree_of_that_target(recipe, sample):
    """Mean of two equal decreases: the same tests at the same nodes."""
    table = ex.load_sample(sample)
    target = table.frame.columns[-1] if sample != "titanic" else "survived"
    frame = table.frame.head(200)
    kinds = {target: "categorical", "again": "categorical"}
    data = ex.MultiOutputData.from_frame(frame.assign(again=frame[target]), [target, "again"], kinds=kinds)
    recipe = recipe.replace(categorical="one_vs_rest") if recipe.name == "CART" else recipe
    joint, single = ex.grow_multi_output(data, recipe).trees, ex.grow(data.outputs[0], recipe)
    assert [single.condition(n) for n in range(single.n_nodes_grown)] == [
        joint[1].condition(n) for n in range(joint[1].n_nodes_grown)
    ]
    np.testing.assert_allclose(joint[1].stats, single.stats, atol=1e-9)
    np.testing.assert_allclose(joint[0].impurity, single.impurity, atol=1e-12)


def test_mixed_targets_count_as_shares_of_their_impurity():
    """By hand: x ≤ 2.5 takes all of a (variance 4) and of b (Gini ½)."""
    frame = pd.DataFrame({"x": [1, 2, 3, 4], "a": [0.0, 0.0, 4.0, 4.0], "b": ["n", "n", "y", "y"]})
    data = ex.MultiOutputData.from_frame(frame, ["a", "b"], kinds={"a": "numeric"})
    decision = ex.decide_multi_output(ex.grow_multi_output(data), data, 0)
    assert decision.chosen.decreases == (4.0, 0.5)
    assert decision.chosen.shares == (1.0, 1.0)
    with pytest.raises(ex.InputError, match="no common unit"):
        ex.grow_multi_output(data, standardise=False)


def test_a_node_is_a_leaf_only_if_it_is_pure_in_every_target():
    frame = pd.DataFrame({"x": [1, 2, 3, 4], "a": ["n", "n", "n", "y"], "b": ["n", "n", "y", "y"]})
    tree = ex.grow_multi_output(ex.MultiOutputData.from_frame(frame, ["a", "b"]))
    assert tree.predict(frame).to_numpy().tolist() == frame[["a", "b"]].to_numpy().tolist()


def test_every_node_is_decided_as_it_was_grown():
    frame = ex.load_sample("titanic").frame.head(300)
    data = ex.MultiOutputData.from_frame(frame, ["survived", "pclass"], kinds={"survived": "categorical"})
    tree = ex.grow_multi_output(data, ex.CART.replace(max_depth=4))
    for node in range(tree.n_nodes):
        decision = ex.decide_multi_output(tree, data, node)
        condition = tree.trees[0].condition(node)
        assert (decision.chosen and decision.chosen.candidate.condition) == condition
        if condition is not None:
            gains = [candidate.gain for candidate in decision.candidates]
            assert decision.candidates[0] == decision.chosen
            assert gains[0] >= max(gains) - 1e-9
        else:
            assert decision.stop_reason


def test_rows_without_one_of_the_targets_are_left_out():
    frame = pd.DataFrame({"x": range(6), "a": [1.0, None, 2, 3, 4, 5], "b": ["n", "y", None, "n", "y", "y"]})
    data = ex.MultiOutputData.from_frame(frame, ["a", "b"])
    assert data.outputs[0].row_numbers.tolist() == data.outputs[1].row_numbers.tolist() == [0, 3, 4, 5]


def test_split_keeps_the_rows_of_all_targets_together():
    frame = random_frame(1, n=40)
    train, valid = ex.MultiOutputData.from_frame(frame, ["y0", "y1"]).split(0.7, seed=3)
    assert train.n_rows + valid.n_rows == 40
    for part in (train, valid):
        assert part.outputs[0].row_numbers.tolist() == part.outputs[1].row_numbers.tolist()
        np.testing.assert_array_equal(part.outputs[1].y, frame["y1"].to_numpy()[part.outputs[0].row_numbers])


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"costs": {"n": {"y": 2}}}, "costs"),
        ({"score": "nunez"}, "score"),
        ({"missing": "same_class"}, "missing"),
        ({"chi2_level": 0.05}, "chi2_level"),
        ({"missing": "default_direction"}, "missing"),
        ({"max_leaf_nodes": 3}, "max_leaf_nodes"),
        ({"max_features": 1}, "max_features"),
    ],
)
def test_choices_about_one_target_are_refused(change, named):
    frame = pd.DataFrame({"x": [1, 2, 3, 4], "a": ["n", "n", "n", "y"], "b": ["n", "n", "y", "y"]})
    with pytest.raises(ex.InputError, match=named):
        ex.grow_multi_output(ex.MultiOutputData.from_frame(frame, ["a", "b"]), ex.CART.replace(**change))


@pytest.mark.parametrize(
    ("targets", "features", "said"),
    [(["y0"], None, "1 targets"), (["y0", "y0"], None, "twice"), (["y0", "y1"], ["y0"], "target and a feature")],
)
def test_targets_that_make_no_sense_are_refused(targets, features, said):
    with pytest.raises(ex.InputError, match=said):
        ex.MultiOutputData.from_frame(random_frame(0), targets, features)


def test_stopping_is_possible():
    def stop(done, total):
        raise ex.Stopped("Stopped on request.")

    with pytest.raises(ex.Stopped):
        ex.grow_multi_output(ex.MultiOutputData.from_frame(random_frame(0), ["y0", "y1"]), progress=stop)


def test_tests_of_days_are_worded_as_dates():
    frame = pd.DataFrame({"sent": [0, 1, 2, 3], "a": [0.0, 0.0, 5.0, 5.0], "b": ["n", "n", "y", "y"]})
    data = ex.MultiOutputData.from_frame(frame, ["a", "b"], days_since={"sent": "2024-07-20"})
    root = ex.grow_multi_output(data, ex.CART).trees[0].condition(0)
    assert (
        root.text
        == ex.grow(ex.Dataset.from_frame(frame[["sent", "b"]], "b", days_since={"sent": "2024-07-20"}), ex.CART)
        .condition(0)
        .text
    )
    assert "2024-07-21" in root.text
