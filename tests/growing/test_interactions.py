"""Interaction constraints: paths keep to a set on random tables, both layers agree, and scikit-learn grows the same."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.ensemble import HistGradientBoostingRegressor

import explorer as ex
from explorer.compiling import compiling
from explorer.threads import using_threads
from tests.oracles import bridge, brute_force
from tests.oracles.examples import law, slow
from tests.oracles.laws import assert_evidence, assert_nearly_same
from tests.oracles.tables import MIXED_FEATURES, mixed_data

RECIPES = {
    "cart": ex.CART,
    "most common": ex.CART.replace(missing="most_common", min_rows_leaf=3),
    "own branch": ex.CART.replace(missing="own_branch", categorical="one_vs_rest"),
    "default direction": ex.CART.replace(missing="default_direction"),
    "c45": ex.C45,
    "id3": ex.ID3.replace(stop_at_one_feature=True),
    "few leaves": ex.CART.replace(max_leaf_nodes=9),
    "drawn": ex.CART.replace(max_features=2, feature_seed=3),
    "extra": ex.CART.replace(random_thresholds=True, missing="own_branch", max_features=3),
}
TARGETS = st.sampled_from(["number", "two", "four"])
WEIGHTS = st.sampled_from([None, "fractions", "counts"])
SETS = st.lists(st.sets(st.sampled_from(MIXED_FEATURES), min_size=1), min_size=1, max_size=4)


def closed(sets: list[set[str]], names: list[str]) -> list[set[str]]:
    """The sets, and that of the features that none of them names."""
    rest = set(names).difference(*sets)
    return [*sets, rest] if rest else list(sets)


def paths(tree: ex.Tree) -> list[set[str]]:
    """The features that are tested on the way to each leaf."""
    ends = [node for node in range(tree.n_nodes_grown) if tree.feature[node] < 0]
    return [{tree.features[tree.feature[step]].name for step, _ in tree.path_to(node)} for node in ends]


def grown(data: ex.Dataset, recipe: ex.Recipe, **more) -> ex.Tree:
    """The tree; recipes that do not go with the target are left out."""
    try:
        return ex.grow(data, recipe, **more)
    except ex.InputError as error:
        assume("target" not in str(error))
        raise


def xor_of_two() -> ex.Dataset:
    """y is whether a and b differ, but for a row, and c follows y less closely."""
    frame = pd.DataFrame({
        "a": [0, 0, 0, 1, 1, 1, 1, 1], "b": [0, 1, 1, 0, 0, 1, 1, 1], "c": [0, 1, 1, 0, 1, 1, 0, 0],
        "y": [0, 1, 1, 1, 1, 0, 0, 1.0],
    })  # fmt: skip
    return ex.Dataset.from_frame(frame, "y", kinds=dict.fromkeys("abcy", "numeric"))


def test_a_feature_is_out_below_one_with_which_no_set_holds_it_and_the_candidates_say_so():
    data = xor_of_two()
    tree = ex.grow(data, ex.CART.replace(interactions=[["a", "b"]]), choices=ex.Choices().force((), "a", threshold=0.5))
    assert paths(tree) == [{"a", "b"}] * tree.n_leaves
    decision = ex.decide(tree, data, 2)
    assert decision.absent["c"] == "not allowed beside a"
    assert set(decision.best) <= {"a", "b"}
    # In pairs each may come below each, but below a and b there is no set that holds c too.
    overlap = ex.CART.replace(interactions=[["a", "b"], ["b", "c"], ["a", "c"]])
    choices = ex.Choices().force((), "a", threshold=0.5).force((1,), "b", threshold=0.5)
    tree = ex.grow(data, overlap, choices=choices)
    below = tree.children_of(2)[1]
    assert ex.decide(tree, data, below).absent["c"] == "not allowed beside a, b"


def test_a_split_by_hand_is_refused_beside_a_feature_of_another_set():
    data = xor_of_two()
    recipe = ex.CART.replace(interactions=[["a"], ["b", "c"]])
    choices = ex.Choices().force((), "a", threshold=0.5)
    with pytest.raises(ex.InputError, match=r"is not possible: not allowed beside a"):
        ex.grow(data, recipe, choices=choices.force((0,), "b", threshold=0.5))
    remembered = ex.grow(data, ex.CART, choices=choices).place(1)
    tree = ex.grow(data, recipe, choices=choices.force(remembered, "b", threshold=0.5))
    assert [status.is_in_force for status in ex.constraint_statuses(tree)] == [True, False]
    assert paths(tree) == [{"a"}, {"a"}]


@pytest.mark.parametrize("name", [name if name in ("cart", "c45") else slow(name) for name in RECIPES])
@law(15)
@given(st.data())
def test_no_path_leaves_the_sets_and_both_layers_grow_the_same_tree(name, data):
    target, weights, missing = data.draw(TARGETS), data.draw(WEIGHTS), data.draw(st.sampled_from([0.0, 0.15]))
    sets = data.draw(SETS)
    table, recipe = mixed_data(target, weights, missing, rows=80), RECIPES[name].replace(interactions=sets)
    assume(target != "number" or RECIPES[name].impurity is None)
    fast = grown(table, recipe, keep_candidates=True)
    assert all(any(path <= together for together in closed(sets, MIXED_FEATURES)) for path in paths(fast))
    with compiling():
        assert_nearly_same(fast, ex.grow(table, recipe))
    is_large = np.count_nonzero(fast.is_inner) > 5
    if not recipe.random_thresholds and recipe.max_leaf_nodes is None and is_large and name != "drawn":
        assert_evidence(fast, table)


@pytest.mark.parametrize("name", RECIPES)
@pytest.mark.parametrize("missing", [0.0, 0.15])
@pytest.mark.parametrize("target", ["number", "two", "four"])
def test_one_set_of_all_features_is_no_constraint_bit_for_bit(name, missing, target):
    recipe, table = RECIPES[name], mixed_data(target, None, missing)
    if target == "number" and recipe.impurity is not None:
        return
    bridge.assert_same_tree(ex.grow(table, recipe), ex.grow(table, recipe.replace(interactions=[MIXED_FEATURES])))


@law(60)
@given(st.data())
def test_every_node_decides_as_brute_force_does(data):
    sample = data.draw(bridge.samples())
    rules = data.draw(bridge.rules_for(sample))
    assume(len(brute_force.training_rows(sample, rules)) > 0)
    names = [column.name for column in sample.columns]
    sets = data.draw(st.lists(st.sets(st.sampled_from(names), min_size=1), min_size=1, max_size=3))
    table = bridge.to_dataset(sample)
    tree = ex.grow(table, bridge.to_recipe(rules).replace(interactions=sets))
    assert bridge.walk_beside(tree, table, sample, rules, closed(sets, names)) == tree.n_nodes


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("sets", [[{0, 1}], [{0, 1}, {1, 2, 3}], [{0}, {1}, {2}, {3}]], ids=str)
def test_scikit_learn_grows_the_same_tree(seed, sets):
    """One round of boosting from the mean is a regression tree, but for gradients that are single floats."""
    draw = np.random.default_rng(seed)
    X = draw.permuted(np.tile(np.arange(240.0), (4, 1)), axis=1).T
    y = X[:, 0] * X[:, 1] / 99 + 2 * X[:, 2] - X[:, 3] * (X[:, 0] > 99) + draw.normal(0, 90, 240)
    limits = {"max_depth": 4, "max_leaf_nodes": None, "min_samples_leaf": 9, "early_stopping": False}
    peer = HistGradientBoostingRegressor(max_iter=1, learning_rate=1.0, interaction_cst=sets, **limits).fit(X, y)
    frame = pd.DataFrame(X, columns=list("abcd")).assign(y=y)
    data = ex.Dataset.from_frame(frame, "y", kinds=dict.fromkeys("abcdy", "numeric"))
    named = [["abcd"[feature] for feature in together] for together in sets]
    recipe = ex.CART.replace(max_depth=4, min_rows_leaf=9, interactions=named)
    tree = ex.grow(data, recipe)
    assert tree.n_leaves == len(np.unique(peer.predict(X))) > 6
    np.testing.assert_allclose(tree.predict(frame).astype(float), peer.predict(X), rtol=1e-5)
    free = ex.grow(data, recipe.replace(interactions=None))
    assert free.feature.tolist() != tree.feature.tolist(), "the constraint decides something"


@pytest.mark.parametrize("missing", ["surrogate", "fractional", "most_common"])
@pytest.mark.parametrize("target", ["number", "four"])
def test_many_threads_and_subtrees_of_a_choice_grow_the_same_tree(missing, target):
    data = mixed_data(target, None, 0.1, rows=3000)
    recipe = ex.CART.replace(missing=missing, max_depth=6, interactions=[["real", "c6"], ["few", "real"], ["c2"]])
    with using_threads(1):
        alone = ex.grow(data, recipe)
    with using_threads(4):
        bridge.assert_same_tree(alone, ex.grow(data, recipe))
    choices = ex.Choices().force((), "real", threshold=0.1)
    forced = ex.grow(data, recipe, choices=choices)
    with compiling():
        assert_nearly_same(forced, ex.grow(data, recipe, choices=choices))
    assert all(path <= {"real", "c6"} or path <= {"real", "few"} for path in paths(forced))


def test_surrogates_are_features_that_may_be_tested_beside_the_split():
    draw = np.random.default_rng(1)
    a = draw.normal(size=300)
    frame = pd.DataFrame({"a": a, "twin": a + draw.normal(0, 0.01, 300), "kin": a + draw.normal(0, 0.3, 300)})
    frame["y"] = (a > 0).astype(float) + draw.normal(0, 0.1, 300)
    frame.loc[draw.random(300) < 0.2, "a"] = np.nan
    data = ex.Dataset.from_frame(frame, "y", kinds=dict.fromkeys(frame, "numeric"))
    choices = ex.Choices().force((), "a", threshold=0.0)
    recipe = ex.CART.replace(max_depth=1)
    free = ex.grow(data, recipe, choices=choices)
    bound = ex.grow(data, recipe.replace(interactions=[["a", "kin"]]), choices=choices)
    assert [surrogate.condition.feature for surrogate in ex.decide(free, data, 0).surrogates] == ["twin", "kin"]
    assert [surrogate.condition.feature for surrogate in ex.decide(bound, data, 0).surrogates] == ["kin"]


def test_members_of_ensembles_keep_to_the_sets():
    data = mixed_data("two", None, 0.0, rows=300)
    sets = [{"real", "c6"}, {"few"}]
    recipe = ex.CART.replace(interactions=sets, max_depth=4)
    for grow in (ex.forest, ex.bagging, ex.adaboost, ex.gradient_boost):
        ensemble = grow(data, recipe, n_estimators=4)
        members = [member.tree for member in ensemble.members]
        assert all(
            any(path <= together for together in closed(sets, MIXED_FEATURES))
            for tree in members
            for path in paths(tree)
        )


def test_a_recipe_keeps_the_sets_and_a_saved_tree_and_a_script_have_them():
    recipe = ex.CART.replace(interactions=[{"b", "a"}, ["c", "a", "c"]])
    assert recipe.interactions == (("a", "b"), ("c", "a"))
    tree = ex.grow(xor_of_two(), recipe)
    assert bridge.through_json(tree).recipe == recipe
    assert ex.CART.replace(interactions=[]).interactions is None


@pytest.mark.parametrize(("sets", "fault"), [
    ([["a"], []], "has an empty set"),
    (["a", "b"], "give sets of columns"),
    ("ab", "give sets of columns"),
    ([["a"], 3], "give sets of columns"),
    ({"a": ["b"]}, "give sets of columns"),
])  # fmt: skip
def test_what_is_no_set_of_columns_is_refused(sets, fault):
    with pytest.raises(ex.InputError, match=fault):
        ex.CART.replace(interactions=sets)


def test_a_column_that_the_table_lacks_is_named():
    with pytest.raises(ex.InputError, match="interactions names 'd', which is not a column of the table"):
        ex.grow(xor_of_two(), ex.CART.replace(interactions=[["a", "d"]]))
    with pytest.raises(ex.InputError, match="does not cover interaction constraints"):
        ex.best_subtree(xor_of_two(), 2, ex.CART.replace(interactions=[["a", "b"]]))


def test_what_the_sets_cost_is_the_loss_without_them():
    data = xor_of_two()
    recipe = ex.CART.replace(interactions=[["a"], ["b"], ["c"]])
    (cost,) = ex.constraint_costs(data, recipe, folds=4).costs
    assert (cost.constraint.field, cost.constraint.subject) == ("interactions", None)
    bridge.assert_same_tree(cost.tree, ex.grow(data, ex.CART))


def test_one_tree_for_several_targets_keeps_to_the_sets():
    draw = np.random.default_rng(4)
    frame = pd.DataFrame(draw.integers(0, 9, (80, 3)).astype(float), columns=list("abc"))
    frame["y"], frame["z"] = frame["a"] * frame["b"] - frame["c"], frame["c"] * frame["a"]
    data = ex.MultiOutputData.from_frame(frame, ["y", "z"])
    sets = [{"a", "b"}, {"c"}]
    tree = ex.grow_multi_output(data, ex.CART.replace(interactions=sets, max_depth=4)).trees[0]
    assert all(any(path <= together for together in sets) for path in paths(tree))
    assert any(len(path) == 2 for path in paths(tree))
