"""Importances by hand, by scikit-learn on the same tree, and by every permutation of a small table."""

from itertools import permutations

import numpy as np
import pandas as pd
import pytest
from sklearn import datasets
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import explorer as ex
from explorer.evaluation.feature_importance import importance, permutation_importance
from explorer.evaluation.shuffled_columns import ShuffledColumns
from tests.oracles.tables import noisy_table


def test_shares_by_hand():
    # four a and two b have Gini 4/9; x leaves b b a, half of the rows, with 4/9, so it saves 2/9; z saves the other 2/9
    frame = pd.DataFrame({"x": [0, 0, 0, 1, 1, 1], "z": [0, 0, 1, 0, 0, 1], "y": list("aaabba")})
    tree = ex.grow(ex.Dataset.from_frame(frame, "y", ["x", "z"]), ex.CART)
    assert importance(tree) == pytest.approx({"x": 0.5, "z": 0.5})
    assert importance(tree.with_pruned([False, False, True, False, False])) == {"x": 1.0, "z": 0.0}
    assert importance(tree.with_pruned([True] + [False] * 4)) == {"x": 0.0, "z": 0.0}


@pytest.mark.parametrize("name", ["iris", "wine", "diabetes"])
@pytest.mark.parametrize("alpha", [0.0, 0.01])
def test_shares_are_scikit_learns(name, alpha):
    X, y = getattr(datasets, f"load_{name}")(return_X_y=True)
    kind = DecisionTreeRegressor if name == "diabetes" else DecisionTreeClassifier
    theirs = kind(random_state=0, ccp_alpha=alpha * (np.var(y) if name == "diabetes" else 1)).fit(X, y)
    found = importance(ex.Tree.from_sklearn(theirs))
    assert list(found.values()) == pytest.approx(theirs.feature_importances_, abs=1e-12)


@pytest.mark.parametrize("regression", [False, True])
def test_shares_add_up_and_forget_what_is_pruned(regression):
    data = noisy_table(7, regression)
    tree = ex.grow(data, ex.CART)
    assert sum(importance(tree).values()) == pytest.approx(1)
    path = ex.cost_complexity_path(tree)
    small = path.subtree(leaves=2)
    assert importance(small)[small.node(0).condition.feature] == 1.0


@pytest.mark.parametrize("target", [["a", "a", "b", "b", "b"], [0.0, 1.0, 4.0, 5.0, 9.0]])
def test_shuffling_costs_what_all_permutations_cost_on_the_mean(target):
    frame = pd.DataFrame({"x": [0, 1, 2, 3, 4], "k": list("pqpqp"), "y": target})
    data = ex.Dataset.from_frame(frame, "y", ["x", "k"], kinds={"x": "numeric"}, weights=[1.0, 2.0, 1.0, 1.0, 3.0])
    tree = ex.grow(data, ex.CART.replace(max_depth=2))
    found = permutation_importance(tree, data, repeats=1500, seed=4)
    for name in ("x", "k"):
        losses = []
        for order in permutations(range(5)):
            moved = frame.assign(**{name: frame[name].to_numpy()[list(order)]})
            predictions = tree.predict(moved)
            wrong = (predictions - frame["y"]) ** 2 if tree.is_regression else predictions != frame["y"]
            losses.append(np.average(wrong, weights=data.weights))
        base = np.average(
            (tree.predict(frame) - frame["y"]) ** 2 if tree.is_regression else tree.predict(frame) != frame["y"],
            weights=data.weights,
        )
        mean, spread = np.mean(losses) - base, np.std(losses)
        assert found[name].mean == pytest.approx(mean, abs=4 * spread / np.sqrt(1500) + 1e-12)
        assert found[name].standard_deviation == pytest.approx(spread, rel=0.15, abs=1e-12)


def test_a_feature_that_is_not_tested_costs_nothing():
    data = ex.Dataset.from_frame(ex.load_sample("play_tennis").frame, "PlayTennis")
    found = permutation_importance(ex.grow(data, ex.ID3), data, repeats=5)
    assert found["Temperature"].losses.tolist() == [0.0] * 5
    assert all(found[name].mean > 0 for name in ("Outlook", "Humidity", "Wind"))


def test_surrogates_count_too():
    frame = pd.DataFrame({"x": [0, 1, 2, 7, 8, None, 9, None], "z": [0, 0, 1, 1, 1, 0, 1, 1], "y": list("aaabbabb")})
    data = ex.Dataset.from_frame(frame, "y", ["x", "z"], kinds={"x": "numeric", "z": "numeric"})
    tree = ex.grow(data.take([0, 1, 2, 3, 4, 6, 7]), ex.CART)
    assert (tree.n_leaves, tree.node(0).condition.feature) == (2, "x")
    assert {tree.features[position].name for position in tree.tested_features()} == {"x", "z"}
    found = permutation_importance(tree, data, repeats=400)["z"]
    # with z shuffled, the row of class a is sent wrongly 5 times in 8, the one of class b 3 times: one error in 8 rows
    assert found.mean == pytest.approx(1 / 8, abs=4 * found.standard_deviation / 20)


@pytest.mark.parametrize("regression", [False, True])
@pytest.mark.parametrize(
    "recipe",
    [
        ex.CART,  # surrogates
        ex.CART.replace(missing="fractional", unseen="node"),
        ex.CART.replace(missing="drop", unseen="fractional"),
        ex.CART.replace(numeric="bins", categorical="each_value", missing="own_branch"),
    ],
    ids=["surrogates", "fractional", "drop", "bins"],
)
def test_rows_sent_on_from_the_first_test_end_as_rows_sent_down_from_the_root(recipe, regression):
    rng = np.random.default_rng(3)
    frame, names = noisy_table(4, regression).frame, ["colour", "size", "noise"]
    frame = frame.assign(**frame[names].mask(rng.random((len(frame), 3)) < 0.1))
    kinds = {"size": "numeric", "goal": "numeric" if regression else "categorical"}
    data = ex.Dataset.from_frame(frame, "goal", names, kinds)
    train, rows = data.split(0.5, seed=1)
    path = ex.cost_complexity_path(ex.grow(train, recipe))
    for tree in (path.tree, path.subtree(position=len(path) // 2)):
        shuffled = ShuffledColumns(tree, rows)
        assert shuffled.predictions().tolist() == tree.predict_encoded(rows.frame).tolist()
        for position, encoding in enumerate(tree.features):
            order = rng.permutation(rows.n_rows)
            cells = rows.frame[encoding.name].iloc[order].set_axis(rows.frame.index)
            expected = tree.predict_encoded(rows.frame.assign(**{encoding.name: cells}))
            assert shuffled.predictions(position, order).tolist() == expected.tolist()


def test_shuffles_of_large_tables_are_those_of_small_ones(monkeypatch):
    data = noisy_table(2)
    tree = ex.grow(data, ex.CART)
    found = []
    for cells in (0, 10**9):
        monkeypatch.setattr("explorer.evaluation.feature_importance.WORTH_A_THREAD", cells)
        found.append({name: each.losses.tolist() for name, each in permutation_importance(tree, data, 4).items()})
    assert found[0] == found[1]


def test_a_seed_means_the_same_shuffles():
    data = noisy_table(2)
    tree = ex.grow(data, ex.CART)
    one, same, other = (permutation_importance(tree, data, 3, seed)["size"].losses.tolist() for seed in (1, 1, 2))
    assert one == same != other


@pytest.mark.parametrize("repeats", [0, -1, 2.5, True])
def test_odd_numbers_of_repeats_are_refused(repeats):
    data = noisy_table(2)
    with pytest.raises(ex.InputError, match="whole number from 1"):
        permutation_importance(ex.grow(data, ex.CART), data, repeats)


def test_progress_is_reported_feature_by_feature_and_can_stop_the_work():
    data, seen = noisy_table(2), []
    tree = ex.grow(data, ex.CART)
    permutation_importance(tree, data, 1, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(k, len(tree.features)) for k in range(1, len(tree.features) + 1)]

    def stop(done, total):
        raise ex.Stopped("enough")

    with pytest.raises(ex.Stopped):
        permutation_importance(tree, data, 1, progress=stop)
