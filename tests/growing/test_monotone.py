"""Monotone constraints: predictions keep them on random tables, both layers agree, and scikit-learn grows the same."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import explorer as ex
from explorer.compiling import compiling
from explorer.recipe.feature_constraints import Bounds
from tests.oracles.examples import law

TENNIS = ex.Dataset.from_frame(ex.load_sample("play_tennis").frame, "PlayTennis")


def four_rows(values: list[float]) -> ex.Dataset:
    """One feature x = 1, 2, 3, 4 with these target values."""
    frame = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0], "y": values})
    return ex.Dataset.from_frame(frame, "y", kinds={"x": "numeric", "y": "numeric"})


def test_a_split_that_falls_is_rejected_with_its_reason():
    # Without a constraint x ≤ 1.5 wins (10 against a mean of 2); of the rising splits only x ≤ 2.5 and x ≤ 3.5 are left
    # to look at: means 5.5 and 2.5, then 4 and 3. All of them fall, so the root stays a leaf.
    data = four_rows([10.0, 1.0, 2.0, 3.0])
    tree = ex.grow(data, ex.CART.replace(monotone={"x": 1}))
    decision = ex.decide(tree, data, 0)
    assert tree.n_leaves == 1
    assert decision.stop_reason.startswith("no admissible split")
    assert {candidate.rejected for candidate in decision.candidates} == {"violates: must increase with x"}
    assert decision.best["x"].rejected == "violates: must increase with x"
    assert decision.best["x"].condition.threshold == 1.5
    assert decision.winner is None
    falling = ex.grow(data, ex.CART.replace(monotone={"x": -1}))
    assert falling.condition(0).threshold == 1.5
    assert ex.decide(falling, data, 2).candidates[0].rejected == "violates: must decrease with x"


def test_bounds_from_above_reject_a_split_on_another_feature():
    # The root splits on x: means 2 and 6, so the first branch stays at 4 or less. There z would make 0 and 6.
    frame = pd.DataFrame({
        "x": [1, 1, 1, 2, 2, 2, 2.0], "z": [0, 0, 1, 0, 0, 1, 1.0], "y": [0.0, 0.0, 6.0, 6.0, 6.0, 6.0, 6.0],
    })  # fmt: skip
    data = ex.Dataset.from_frame(frame, "y", kinds=dict.fromkeys("xzy", "numeric"))
    choices = ex.Choices().force((), "x", threshold=1.5)
    plain = ex.grow(data, ex.CART, choices=choices)
    bounded = ex.grow(data, ex.CART.replace(monotone={"x": 1}), choices=choices)
    assert plain.condition(1).feature == "z"
    assert bounded.n_leaves == 2
    rejected = ex.decide(bounded, data, 1).candidates.of_feature("z")[0].rejected
    assert rejected == "violates: monotone splits above allow values up to 4"


def random_frame(seed: int, classes: bool, category: bool = False, missing: bool = False) -> pd.DataFrame:
    """A small table with many ties: three numbers, perhaps a category and missing cells, and weights."""
    draw = np.random.default_rng(seed)
    n = int(draw.integers(8, 70))
    X = draw.integers(0, 7, (n, 3)) + 0.5
    y = X[:, 0] - X[:, 1] + draw.normal(0, 3, n)
    frame = pd.DataFrame(X, columns=list("abc")).assign(w=draw.choice([0.5, 1.0, 2.0], n))
    if category:
        frame["k"] = draw.choice(list("uvwxy"), n)
    if missing:
        for name in "ac":
            frame.loc[draw.random(n) < 0.15, name] = np.nan
    return frame.assign(y=np.where(y > np.median(y), "yes", "no") if classes else y.round(1))


def dataset(frame: pd.DataFrame, weighted: bool = False) -> ex.Dataset:
    """Numbers as numbers; weights as a column where asked for."""
    kinds = dict.fromkeys("abc", "numeric") | (
        {} if not pd.api.types.is_numeric_dtype(frame["y"]) else {"y": "numeric"}
    )
    rows = frame if weighted else frame.drop(columns="w")
    rows = rows.assign(y=["yes", "no", *rows["y"][2:]]) if rows["y"].nunique() < 2 else rows
    return ex.Dataset.from_frame(rows, "y", kinds=kinds, weights="w" if weighted else None)


def values(tree: ex.Tree, rows: pd.DataFrame) -> np.ndarray:
    """What is constrained: the mean, or the probability of the second class."""
    return tree.predict(rows).astype(float) if tree.is_regression else tree.predict_proba(rows)[:, 1]


SIGNS = st.fixed_dictionaries({"a": st.sampled_from([-1, 0, 1]), "b": st.sampled_from([-1, 1])})
RECIPES = st.sampled_from([
    ex.CART, ex.CART.replace(min_rows_leaf=3), ex.CART.replace(categorical="one_vs_rest", max_depth=3),
    ex.CART.replace(threshold_at="observed", max_leaf_nodes=6),
])  # fmt: skip


@law(60)
@given(st.integers(0, 10**9), SIGNS, RECIPES, st.booleans(), st.booleans(), st.booleans(), st.booleans())
def test_predictions_are_monotone_whatever_the_other_features_are(
    seed, signs, recipe, classes, category, missing, weighted
):
    frame = random_frame(seed, classes, category, missing)
    data = dataset(frame, weighted)
    tree = ex.grow(data, recipe.replace(monotone=signs, missing="most_common"))
    scale = 1.0 if classes else float(np.ptp(frame["y"])) or 1.0
    for name, sign in signs.items():
        grid = pd.concat([frame.assign(**{name: value}) for value in np.arange(0.0, 9.0)])
        along = values(tree, grid).reshape(9, -1)
        assert (sign * np.diff(along, axis=0) >= -1e-8 * scale).all()
    pruned = ex.prune_at_alpha(tree, 0.01)
    for name, sign in signs.items():
        grid = pd.concat([frame.assign(**{name: value}) for value in np.arange(0.0, 9.0)])
        assert (sign * np.diff(values(pruned, grid).reshape(9, -1), axis=0) >= -1e-8 * scale).all()


@law(60)
@given(st.integers(0, 10**9), SIGNS, RECIPES, st.booleans(), st.booleans(), st.booleans(), st.booleans())
def test_the_compiled_loops_grow_the_tree_of_the_definition(seed, signs, recipe, classes, category, missing, weighted):
    data = dataset(random_frame(seed, classes, category, missing), weighted)
    recipe = recipe.replace(monotone=signs, missing="most_common")
    fast = ex.grow(data, recipe, keep_candidates=True)
    with compiling():
        slow = ex.grow(data, recipe)
    assert fast.feature.tolist() == slow.feature.tolist()
    assert fast.stop.tolist() == slow.stop.tolist()
    np.testing.assert_array_equal(fast.threshold, slow.threshold)
    np.testing.assert_array_equal(fast.cat_branch, slow.cat_branch)
    for node in range(fast.n_nodes_grown):
        decision = ex.decide(fast, data, node)
        assert decision.stop == fast.stop[node]
        if decision.chosen is not None:
            assert decision.chosen.condition == fast.condition(node)
        for feature, usage in enumerate(fast.features):
            best = decision.best.get(usage.name)
            has_none = best is None or (best.rejected or "").startswith("violates")
            assert np.isnan(fast.evidence.gain[node, feature]) == has_none or decision.stop not in (0, 7)


@pytest.mark.parametrize("sign", [-1, 1])
def test_subtrees_below_a_choice_keep_the_bounds_from_above_it(sign):
    data = dataset(random_frame(4, False))
    recipe = ex.CART.replace(monotone={"b": sign})
    choices = ex.Choices().force((), "b", threshold=2.5 if sign < 0 else 5.5)
    fast = ex.grow(data, recipe, choices=choices)
    with compiling():
        slow = ex.grow(data, recipe, choices=choices)
    assert fast.feature.tolist() == slow.feature.tolist()
    np.testing.assert_array_equal(fast.threshold, slow.threshold)


def clips(peer: DecisionTreeRegressor, X: np.ndarray, y: np.ndarray, weights: np.ndarray) -> bool:
    """Whether a node of scikit-learn's tree has another value than its rows."""
    passes, truth = peer.decision_path(X).toarray().T.astype(bool), y == "yes" if y.dtype.kind == "U" else y
    own = [np.average(truth[rows], weights=weights[rows]) for rows in passes]
    return not np.allclose(own, peer.tree_.value[:, 0, -1], atol=1e-9)


def both_trees(seed: int, signs: tuple[int, ...], classes: bool) -> tuple[ex.Tree, pd.DataFrame, DecisionTreeRegressor]:
    """Our tree, its rows (weights w, target y) and scikit-learn's; weights are such that no two gains are equal."""
    draw = np.random.default_rng(seed)
    X = draw.permuted(np.tile(np.arange(300.0), (3, 1)), axis=1).T / 8
    number = X[:, 0] - X[:, 1] + 9 * np.sin(X[:, 2] / 5) + draw.normal(0, 9, 300)
    weights, y = draw.uniform(0.5, 2.0, 300), np.where(number > np.median(number), "yes", "no") if classes else number
    frame = pd.DataFrame(X, columns=list("abc")).assign(y=y, w=weights)
    kinds = {**dict.fromkeys("abc", "numeric"), "y": ["no", "yes"] if classes else "numeric"}
    limits = {"max_depth": 5, "min_rows_leaf": 0.04 * weights.sum()}
    recipe = ex.CART.replace(monotone=dict(zip("abc", signs, strict=True)), **limits)
    tree = ex.grow(ex.Dataset.from_frame(frame, "y", kinds=kinds, weights="w"), recipe)
    kind = DecisionTreeClassifier if classes else DecisionTreeRegressor
    limits = {"max_depth": 5, "min_weight_fraction_leaf": 0.04, "min_impurity_decrease": 1e-9}  # rounded purities
    return tree, frame, kind(monotonic_cst=list(signs), random_state=0, **limits).fit(X, y, weights)


def assert_same(tree: ex.Tree, frame: pd.DataFrame, peer: DecisionTreeRegressor) -> None:
    """The same leaves, with the same values."""
    X = frame[list("abc")].to_numpy()
    assert tree.n_leaves == peer.get_n_leaves() > 4
    assert len(set(zip(tree.apply(frame).tolist(), peer.apply(X).tolist(), strict=True))) == tree.n_leaves
    theirs = peer.predict(X) if tree.is_regression else peer.predict_proba(X)[:, 1]
    np.testing.assert_allclose(values(tree, frame), theirs, atol=1e-9)


@pytest.mark.parametrize("classes", [False, True], ids=["number", "two classes"])
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("signs", [(1, -1, 1), (-1, -1, 1)])
def test_scikit_learn_grows_the_same_tree_where_all_features_have_a_constraint(seed, signs, classes):
    assert_same(*both_trees(seed, signs, classes))


def is_clipped(frame: pd.DataFrame, peer: DecisionTreeRegressor) -> bool:
    """Whether a node of scikit-learn's tree has another value than the mean of its rows."""
    passes = peer.decision_path(frame[list("abc")].to_numpy()).toarray().T.astype(bool)
    truth = frame["y"] if pd.api.types.is_numeric_dtype(frame["y"]) else (frame["y"] == "yes").astype(float)
    own = [np.average(truth[rows], weights=frame["w"][rows]) for rows in passes]
    return not np.allclose(own, peer.tree_.value[:, 0, -1], atol=1e-9)


def test_scikit_learn_grows_the_same_tree_unless_it_clips_a_value():
    # Where a split on a free feature leaves the bounds, scikit-learn clips the values; we reject the split.
    every = itertools.product(range(4), [(1, -1, 0), (0, 1, 0)], [False, True])
    cases = [both_trees(seed, signs, classes) for seed, signs, classes in every]
    unclipped = [case for case in cases if not is_clipped(*case[1:])]
    assert 3 <= len(unclipped) < len(cases)
    for case in unclipped:
        assert_same(*case)


def test_bounds_of_branches():
    assert Bounds().below(0, 0, 1.0, 2.0) == Bounds()
    assert Bounds(0.0, 9.0).below(1, 1, 2.0, 6.0) == Bounds(4.0, 9.0)
    assert Bounds(0.0, 9.0).below(-1, 1, 6.0, 2.0) == Bounds(0.0, 4.0)


def test_a_recipe_keeps_its_constraints_as_pairs_and_a_saved_tree_has_them():
    recipe = ex.CART.replace(monotone={"x": 1, "z": 0})
    assert recipe.monotone == (("x", 1),)
    tree = ex.grow(four_rows([1.0, 2.0, 3.0, 9.0]), recipe)
    assert ex.Tree.from_dict(tree.to_dict()).recipe == recipe


@pytest.mark.parametrize("sign", [2, 0.5, "up", True, None])
def test_other_signs_are_refused(sign):
    with pytest.raises(ex.InputError, match="give 1 where predictions must increase"):
        ex.CART.replace(monotone={"x": sign})


@pytest.mark.parametrize("other", [{"score": "newton"}, {"random_thresholds": True}])
def test_scores_and_thresholds_that_cannot_keep_bounds_are_refused(other):
    with pytest.raises(ex.InputError, match="do not go with"):
        ex.CART.replace(monotone={"a": 1}, **other)


def test_what_can_have_no_constraint_is_refused_with_the_remedy():
    rising = ex.CART.replace(monotone={"a": 1})
    with pytest.raises(ex.InputError, match="'Wind' is categorical"):
        ex.grow(TENNIS, ex.CART.replace(monotone={"Wind": 1}))
    with pytest.raises(ex.InputError, match="is not a column of the table"):
        ex.grow(TENNIS, rising)
    iris = ex.Dataset.from_frame(ex.load_sample("iris").frame, "class")
    with pytest.raises(ex.InputError, match="two classes, but 'class' has 3"):
        ex.grow(iris, ex.CART.replace(monotone={iris.features[0].name: 1}))
    numbers = dataset(random_frame(1, True))
    with pytest.raises(ex.InputError, match="branch for each value"):
        ex.grow(numbers, ex.ID3.replace(monotone={"a": 1}))
    lacking = dataset(random_frame(1, True, missing=True))
    with pytest.raises(ex.InputError, match="choose missing 'most_common' or 'drop'"):
        ex.grow(lacking, rising)
    for missing in ("most_common", "drop"):
        assert ex.grow(lacking, rising.replace(missing=missing)).n_leaves > 1
