"""Stability of a tree on resamples: against exact enumeration, a walk by hand, and laws (DEFINITIONS section 26)."""

import json
from itertools import combinations

import numpy as np
import pandas as pd
import pytest

import explorer as ex
from explorer.ensembles.stability.stability import LEAF, NOT_REACHED
from tests.folders import ROOT

GOLDEN = json.loads((ROOT / "tests/reference/golden/golden_ensembles.json").read_text("utf-8"))["stability"]
TABLES = ("play_tennis", "loan_lihang", "watermelon_2_0")


def sample(name):
    known = ex.SAMPLES[name]
    return ex.Dataset.from_frame(ex.load_sample(name).frame, known.target, known.features, dict(known.kinds))


def numbers(n=200, seed=0):
    """A table with one strong and one weak numeric feature, and a category."""
    random = np.random.default_rng(seed)
    x, z = random.normal(size=n).round(2), random.normal(size=n).round(1)
    frame = pd.DataFrame({"x": x, "z": z, "c": random.choice(list("abc"), n)})
    frame["y"] = np.where(x + 0.4 * z + 0.3 * random.normal(size=n) > 0, "p", "q")
    return ex.Dataset.from_frame(frame, "y")


@pytest.mark.parametrize("name", TABLES)
def test_roots_without_every_row_and_every_pair_are_those_of_exact_enumeration(name):
    golden = GOLDEN[name]
    one = ex.stability(sample(name), ex.ID3, "leave-1-out")
    assert one.root_counts == golden["root_without_one_row"]
    assert one.root_ties == golden["ties_without_one_row"]
    tests = [int((picture.feature >= 0).sum()) for picture in one.pictures]
    assert tests == golden["tests_in_id3_tree_without_each_row"]
    two = ex.stability(sample(name), ex.ID3, "leave-2-out")
    assert two.root_counts == golden["root_without_two_rows(all pairs)"]
    assert two.resampling.rows_left_out(1) == (0, 2)


@pytest.mark.slow
@pytest.mark.parametrize("name", TABLES)
def test_roots_without_every_triple_are_those_of_exact_enumeration(name):
    three = ex.stability(sample(name), ex.ID3, "leave-3-out")
    assert three.root_counts == GOLDEN[name]["root_without_three_rows(all triples)"]


def places(tree, node=0, path=()):
    """{path of words: feature, or None for a leaf} of every node with rows."""
    here = tree.node(node)
    if here.is_leaf:
        return {path: None}
    found = {path: here.condition.feature}
    for branch, child in enumerate(here.children):
        if tree.weight[child] > 0:
            found |= places(tree, child, (*path, here.condition.feature, here.condition.word(branch)))
    return found


@pytest.mark.parametrize("name", TABLES)
def test_nodes_of_categories_are_at_the_same_place_when_their_paths_read_the_same(name):
    """A second way: the words of the path, on all resamples that leave two rows out."""
    data = sample(name)
    result = ex.stability(data, ex.ID3, "leave-2-out")
    own = places(result.tree)
    path_of = {node: tuple(w for step, b in result.tree.path_to(node) for w in
                           (result.tree.condition(step).feature, result.tree.condition(step).word(b)))
               for node in range(result.tree.n_nodes) if result.tree.weight[node] > 0}  # fmt: skip
    counts = dict.fromkeys(path_of, 0)
    for pair in combinations(range(data.n_rows), 2):
        other = places(ex.grow(data.take(np.setdiff1d(np.arange(data.n_rows), pair)), ex.ID3))
        for node, path in path_of.items():
            counts[node] += path in other and other[path] == own[path]
    shares = {node: count / result.n_resamples for node, count in counts.items()}
    assert shares == {node: result.node_shares[node] for node in path_of}
    assert np.isnan(np.delete(result.node_shares, list(path_of))).all()


def test_what_resamples_do_at_a_node_adds_up():
    result = ex.stability(numbers(), ex.CART, 40, seed=3)
    for node in np.flatnonzero(result.tree.weight > 0).tolist():
        others = sum(line.count for line in result.alternatives(node))
        assert others + result.node_counts[node] == 40
        above = int(result.tree.parent[node])
        assert node == 0 or result.reached(node) <= result.node_counts[above]
    assert result.reached(0) == sum(result.root_counts.values()) == 40


def test_every_resample_reaches_the_root_and_has_its_tree():
    result = ex.stability(numbers(), ex.CART, 12, seed=5)
    for index in range(12):
        tree = result.grown_tree(index)
        drawn = np.repeat(np.arange(200), result.resampling.times(index).astype(int))
        again = ex.grow(numbers().take(drawn), ex.CART)
        assert tree.feature.tolist() == again.feature.tolist(), "weight 2 is the row twice"
        np.testing.assert_array_equal(tree.threshold, again.threshold)
        assert result.feature_at[index, 0] == tree.feature[0]
        assert result.threshold_at[index, 0] == tree.threshold[0]
        assert result.pictures[index].n_leaves == tree.n_leaves


def test_quartiles_are_those_of_the_thresholds_at_the_root():
    result = ex.stability(numbers(), ex.CART, 30, seed=1)
    same = [tree.threshold[0] for index in range(30) if (tree := result.grown_tree(index)).feature[0] ==
            result.tree.feature[0]]  # fmt: skip
    spread = result.thresholds[0]
    assert spread.values.tolist() == sorted(same)
    assert spread.quartiles == pytest.approx(np.percentile(same, [25, 50, 75]))
    assert spread.own == result.tree.threshold[0]


def test_the_layer_of_the_view_has_the_counts_and_the_spreads():
    result = ex.stability(numbers(), ex.CART, 10, seed=1)
    layer = result.layer
    assert layer.counts.tolist() == result.node_counts.tolist()
    spread = result.thresholds[0]
    assert layer.spreads[0] == (spread.values.min(), spread.values.max(), *np.percentile(spread.values, [25, 50, 75]))
    assert set(layer.spreads) == set(result.thresholds)


def test_a_threshold_that_moves_a_little_leads_to_the_same_places():
    """Of 100 rows on a line, 5 change sides when the root's threshold moves: within 10 %, beyond 2 %."""
    frame = pd.DataFrame({"x": np.arange(100.0), "y": np.where(np.arange(100) < 50, 0.0, 100.0)})
    frame.loc[:9, "y"], moved = -20.0, frame.copy()
    data = ex.Dataset.from_frame(frame, "y")
    tree = ex.grow(data, ex.CART)
    moved["y"] = np.where(np.arange(100) < 55, 0.0, 100.0)
    moved.loc[:9, "y"] = -20.0
    other = ex.grow(ex.Dataset.from_frame(moved, "y"), ex.CART)
    assert (tree.threshold[0], other.threshold[0]) == (49.5, 54.5)
    for tolerance, child in ((0.1, 0), (0.06, 0), (0.04, NOT_REACHED), (0.0, NOT_REACHED)):
        result = ex.stability(moved_data(moved), ex.CART, "leave-1-out", tree=tree, tolerance=tolerance)
        below = result.feature_at[result.threshold_at[:, 0] == 54.5, 1]
        assert below.size > 80
        assert set(below.tolist()) == {child}, tolerance


def moved_data(frame):
    return ex.Dataset.from_frame(frame, "y")


def test_a_threshold_between_the_same_rows_is_alike_without_tolerance():
    """Bootstrap samples skip values, and their midpoints move; the rows they have are divided alike."""
    frame = pd.DataFrame({"x": [*range(20), *range(100, 120)], "z": [0, 1] * 20})
    frame["y"] = np.where(frame["x"] < 50, 0.0, 10.0) + frame["z"]
    data = ex.Dataset.from_frame(frame, "y", ["x", "z"], {"z": "numeric", "y": "numeric"})
    result = ex.stability(data, ex.CART, 30, tolerance=0.0)
    assert len(set(result.threshold_at[:, 0].tolist())) > 3
    assert (result.node_shares == 1).all()


def test_trees_of_resamples_without_the_split_are_alternatives():
    result = ex.stability(sample("play_tennis"), ex.ID3, "leave-1-out")
    (other,) = result.alternatives(0)
    assert (other.feature, other.count, other.is_leaf) == ("Humidity", 3, False)
    instead, nothing = result.alternatives(1)
    assert (instead.feature, instead.count) == ("Temperature", 2)
    assert (nothing.feature, nothing.is_leaf, nothing.count) == (None, False, 3), "no node there without Outlook above"
    assert set(result.feature_at[[2, 5, 11], 0]) == {2}, "rows 3, 6 and 12 decide the root"


@pytest.mark.parametrize(("method", "share", "n_drawn"), [("bootstrap", 0.5, 14), ("subsample", 0.5, 7)])
def test_resamples_are_drawn_by_the_seed(method, share, n_drawn):
    data = sample("play_tennis")
    results = [ex.stability(data, ex.ID3, 25, method, seed, share=share) for seed in (0, 0, 1)]
    np.testing.assert_array_equal(results[0].feature_at, results[1].feature_at)
    assert not np.array_equal(results[0].feature_at, results[2].feature_at)
    times = np.array([results[0].resampling.times(i) for i in range(25)])
    assert (times.sum(axis=1) == n_drawn).all()
    assert times.max() == 1 or method == "bootstrap"
    fewer = ex.stability(data, ex.ID3, 10, method, share=share)
    np.testing.assert_array_equal(fewer.feature_at, results[0].feature_at[:10])


def test_row_weights_count_as_rows():
    """Weight 3 is the row three times: with subsamples of all but one row the trees are those of the longer table."""
    frame = ex.load_sample("play_tennis").frame
    weights = np.ones(14)
    weights[2] = 3
    weighted = ex.Dataset.from_frame(frame, "PlayTennis", weights=weights)
    result = ex.stability(weighted, ex.ID3, "leave-1-out")
    for index in range(14):
        rest = np.repeat(np.arange(14), weights.astype(int) * (np.arange(14) != index))
        expected = ex.grow(ex.Dataset.from_frame(frame, "PlayTennis").take(rest), ex.ID3)
        assert result.feature_at[index, 0] == expected.feature[0]


def test_stopping_keeps_the_resamples_so_far():
    def stop_at_the_eighth(done, total):
        assert total == 50
        if done == 8:
            raise ex.Stopped

    result = ex.stability(sample("play_tennis"), ex.ID3, 50, progress=stop_at_the_eighth)
    assert result.n_resamples == 8
    assert result.ended.text == "Stopped after 8 of 50 resamples."
    whole = ex.stability(sample("play_tennis"), ex.ID3, 50)
    np.testing.assert_array_equal(result.feature_at, whole.feature_at[:8])
    assert whole.ended is None


def test_stopping_before_the_first_tree_leaves_nothing():
    def stop(done, total):
        raise ex.Stopped

    with pytest.raises(ex.Stopped):
        ex.stability(sample("play_tennis"), ex.ID3, 50, progress=stop)


def test_resamples_of_one_class_are_counted_and_are_leaves():
    data = ex.Dataset.from_frame(pd.DataFrame({"x": [1, 2, 3], "y": ["a", "b", "b"]}), "y")
    result = ex.stability(data, ex.CART, "leave-1-out")
    assert result.n_constant == 1
    assert result.root_counts == {"x": 2, None: 1}
    assert result.feature_at[0].tolist() == [LEAF, NOT_REACHED, NOT_REACHED]


def test_one_row_has_one_tree():
    data = sample("play_tennis").take([4])
    result = ex.stability(data, ex.ID3, 10)
    assert result.root_shares == {None: 1.0}
    assert result.node_shares.tolist() == [1.0]
    assert len(result.distinct_trees()) == 1
    with pytest.raises(ex.InputError, match="Leaving 1 out of 1 row leaves none"):
        ex.stability(data, ex.ID3, "leave-1-out")


def test_distinct_trees_hold_every_resample_once_and_neighbours_are_near():
    result = ex.stability(sample("play_tennis"), ex.ID3, "leave-2-out")
    distinct = result.distinct_trees()
    members = sorted(index for tree in distinct for index in tree.resamples)
    assert members == list(range(91))
    same = max(distinct, key=lambda tree: len(tree.resamples))
    assert same.distance == 0
    assert distinct[0].distance <= distinct[-1].distance
    for tree in distinct:
        first = result.grown_tree(tree.resamples[0])
        expected = ex.tree_distance(result.tree, first, sample("play_tennis"), "partition")
        assert tree.distance == pytest.approx(expected, abs=1e-12)
    assert len(result.distinct_trees(3)) == 3


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"resamples": 0}, "whole number from 1 to 5,000"),
        ({"resamples": 2.5}, "whole number"),
        ({"resamples": "leave-one-out"}, "names no resamples"),
        ({"resamples": "leave-9-out"}, "2,002 ways|at most"),
        ({"resamples": 10, "method": "jackknife"}, "no resampling 'jackknife'"),
        ({"resamples": 10, "method": "subsample", "share": 1.5}, "between 0 and 1"),
        ({"resamples": 10, "seed": -1}, "seed"),
        ({"resamples": 10, "tolerance": 1.0}, "tolerance"),
    ],
)
def test_what_cannot_be_done_is_said(arguments, words):
    data = numbers(60) if "9" in str(arguments.get("resamples")) else sample("play_tennis")
    with pytest.raises(ex.InputError, match=words):
        ex.stability(data, ex.ID3, **arguments)


def test_rows_without_a_value_do_not_count():
    """With every other value missing, the trees of all rows still meet at the same places."""
    data = sample("golf_missing")
    result = ex.stability(data, ex.C45, "leave-1-out")
    assert np.nanmax(result.node_shares) <= 1
    assert result.node_counts[0] == sum(result.feature_at[:, 0] == result.tree.feature[0])
