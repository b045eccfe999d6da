"""Features and thresholds that nodes draw: the generator, both layers alike, and `decide` finds the draw again."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import explorer as ex
from explorer.compiling import compiling
from explorer.recipe.feature_draw import draw_first, number_of_features, path_hash, philox_numbers, random_threshold
from explorer.threads import using_threads
from tests.oracles import bridge
from tests.oracles.bridge import assert_alike


def own_path_hash(path) -> int:
    """The hash by whole numbers of any size, cut to 64 bits."""
    hashed, low = 0, 2**64 - 1
    for branch in path:
        mixed = (hashed + 0x9E3779B97F4A7C15 * (branch + 1)) & low
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & low
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & low
        hashed = mixed ^ (mixed >> 31)
    return hashed


def words(seed: int, path, number: int, purpose: int, size: int) -> list[int]:
    """The words that numpy's generator draws."""
    counter = np.array([0, own_path_hash(path), number, purpose], dtype=np.uint64)
    return np.random.Philox(key=seed, counter=counter).random_raw(size).tolist()


@pytest.mark.parametrize(("seed", "path"), [(0, ()), (2**53 - 1, (0, 1, 1)), (7, (3,) * 20)])
def test_words_are_those_of_numpys_philox(seed: int, path):
    assert path_hash(path) % 2**64 == own_path_hash(path)
    drawn = np.zeros(11, dtype=np.uint64)
    philox_numbers(seed, path_hash(path), 5, 2, drawn)
    assert drawn.tolist() == words(seed, path, 5, 2, 11)


def test_draws_follow_the_published_steps():
    seed, path = 12, (1, 0)
    expected, items = list(range(9)), np.arange(9)
    for i, word in enumerate(words(seed, path, 0, 1, 6)):
        other = i + (word * (9 - i) >> 64)
        expected[i], expected[other] = expected[other], expected[i]
    draw_first(seed, path_hash(path), 6, items, 9)
    assert items.tolist() == expected
    share = (words(seed, path, 4, 2, 1)[0] >> 11) / 2**53
    assert random_threshold(seed, path_hash(path), 4, -2.0, 6.0) == -2.0 * (1 - share) + 6.0 * share


def test_random_threshold_never_leaves_the_upper_branch_empty():
    above = np.nextafter(1.0, 2.0)
    assert {random_threshold(seed, 0, 0, 1.0, above) for seed in range(50)} == {1.0}
    assert all(-1e308 <= random_threshold(seed, 0, 0, -1e308, 1e308) < 1e308 for seed in range(50))


def test_numbers_of_features():
    assert [number_of_features(rule, 10) for rule in ("sqrt", "log2", 0.35, 0.01, 7, 30)] == [3, 3, 3, 1, 7, 30]
    assert number_of_features(None, 10) > 10


@st.composite
def drawing(draw: st.DrawFn):
    """A small table with holes and weights, and a recipe that draws features, thresholds or both."""
    sample = draw(bridge.samples())
    recipe = bridge.to_recipe(draw(bridge.rules_for(sample)))
    changes = {
        "max_features": draw(st.sampled_from([None, 1, 2, "sqrt", 0.7])),
        "feature_seed": draw(st.integers(0, 99)),
    }
    changes["random_thresholds"] = draw(st.booleans())
    policies = ["drop", "most_common", "fractional", "surrogate", "own_branch"]
    return bridge.to_dataset(sample), recipe.replace(missing=draw(st.sampled_from(policies)), **changes)


@given(drawing())
def test_both_layers_draw_alike(case):
    data, recipe = case
    try:
        fast = ex.grow(data, recipe)
    except ex.InputError:
        return  # no complete row, or one class left
    with compiling():
        by_definition = ex.grow(data, recipe)
    assert_alike(fast, by_definition)


@given(drawing())
def test_decide_finds_the_draw_again(case):
    data, recipe = case
    try:
        tree = ex.grow(data, recipe)
    except ex.InputError:
        return
    for node in np.flatnonzero(tree.feature >= 0):
        decision = ex.decide(tree, data, int(node))
        assert decision.chosen.condition == tree.condition(int(node))
        competing = {c.feature for c in decision.candidates if c.rejected is None}
        most = number_of_features(recipe.max_features, len(tree.features))
        assert len(competing) <= most


def large_table() -> ex.Dataset:
    """Enough rows that several threads share a tree, with missing cells and categories."""
    rng = np.random.default_rng(5)
    frame = pd.DataFrame({f"x{i}": rng.normal(size=6000).round(2) for i in range(4)})
    frame["c"] = rng.choice(list("abcdef"), 6000)
    frame["y"] = np.where(frame.x0 * frame.x1 + (frame.c < "c") + rng.normal(size=6000) > 0.4, "p", "q")
    return ex.Dataset.from_frame(frame.mask((rng.random(frame.shape) < 0.02) & (frame.columns != "y")), "y")


@pytest.mark.parametrize(
    "recipe", [ex.CART, ex.C45, ex.CART.replace(random_thresholds=True)], ids=["cart", "c45", "extra"]
)
def test_draws_do_not_depend_on_threads(recipe: ex.Recipe):
    data, recipe = large_table(), recipe.replace(max_features=2, feature_seed=8, min_rows_leaf=2.0)
    trees = []
    for threads in (1, 2, 3):
        with using_threads(threads):
            trees.append(ex.grow(data, recipe))
    for tree in trees[1:]:
        bridge.assert_same_tree(trees[0], tree)


def test_a_branch_below_a_forced_split_draws_as_in_the_whole_tree():
    data, recipe = large_table(), ex.CART.replace(max_features=2, feature_seed=3, max_depth=5)
    plain = ex.grow(data, recipe)
    condition = plain.condition(0)
    request = ex.SplitRequest.of(condition)
    forced = ex.grow(data, recipe, choices=ex.Choices().force((), request.feature))
    if forced.condition(0) == condition:
        assert_alike(plain, forced)
    for node in np.flatnonzero(forced.feature >= 0)[1:]:
        assert ex.decide(forced, data, int(node)).chosen.condition == forced.condition(int(node))


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"max_features": 0}, "'max_features' is 0"),
        ({"max_features": True}, "'max_features' is True"),
        ({"max_features": "all"}, "'max_features' is 'all'"),
        ({"feature_seed": -1}, "'feature_seed' is -1"),
        ({"feature_seed": 0.5}, "'feature_seed' is 0.5"),
        ({"random_thresholds": 1}, "'random_thresholds' is 1"),
        ({"random_thresholds": True, "missing": "same_class"}, "'missing' is 'same_class'"),
    ],
)
def test_impossible_draws_are_refused(changes: dict, says: str):
    with pytest.raises(ex.InputError, match=says):
        ex.CART.replace(**changes)
