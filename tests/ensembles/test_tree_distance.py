"""Distances of trees: against pairs of rows counted one by one, and the laws of a distance."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pandas as pd
import pytest

import explorer as ex
from explorer.ensembles.stability.tree_distance import leaf_numbers, order_by_distance, partition_distances


def tennis(*features):
    return ex.Dataset.from_frame(ex.load_sample("play_tennis").frame, "PlayTennis", features or None)


def noisy(n=60, seed=0, weights=None):
    random = np.random.default_rng(seed)
    frame = pd.DataFrame(random.integers(0, 8, (n, 3)), columns=list("uvw")).astype(float)
    frame["y"] = random.choice(["a", "b", "c"], n)
    return ex.Dataset.from_frame(frame, "y", weights=weights)


def rand_by_pairs(leaves_a, leaves_b, weights):
    """1 - Rand index, pair by pair."""
    apart = total = Fraction(0)
    for i, j in combinations(range(len(weights)), 2):
        pair = Fraction(weights[i]) * Fraction(weights[j])
        total += pair
        apart += pair * ((leaves_a[i] == leaves_a[j]) != (leaves_b[i] == leaves_b[j]))
    return float(apart / total)


def test_the_stumps_on_outlook_and_humidity_treat_48_of_91_pairs_differently():
    outlook, humidity = (ex.grow(tennis(name), ex.ID3) for name in ("Outlook", "Humidity"))
    assert ex.tree_distance(outlook, humidity, tennis(), "partition") == pytest.approx(48 / 91, abs=1e-15)


@pytest.mark.parametrize("seed", range(5))
def test_partitions_are_compared_as_if_pair_by_pair(seed):
    weights = np.random.default_rng(seed).choice([0.5, 1.0, 2.0], 60)
    data = noisy(seed=seed, weights=weights)
    trees = [ex.grow(noisy(seed=seed).take(np.arange(60) % k != 0), ex.CART.replace(max_depth=k)) for k in (2, 3, 4)]
    leaves = [leaf_numbers(tree, data) for tree in trees]
    distances = partition_distances(np.stack(leaves), weights)
    for i, j in combinations(range(3), 2):
        expected = rand_by_pairs(leaves[i], leaves[j], weights)
        assert distances[i, j] == distances[j, i] == pytest.approx(expected, abs=1e-12)
        assert ex.tree_distance(trees[i], trees[j], data, "partition") == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("kind", ["answers", "partition", "structure"])
@pytest.mark.parametrize("name", ["golf_missing", "titanic", "auto_mpg", "car"])
def test_a_tree_is_at_no_distance_from_itself_and_distances_are_symmetric(kind, name):
    known = ex.SAMPLES[name]
    data = ex.Dataset.from_frame(ex.load_sample(name).frame, known.target, known.features, dict(known.kinds))
    recipe = ex.CART if name == "auto_mpg" else ex.C45
    tree, other = ex.grow(data, recipe), ex.grow(data.take(np.arange(data.n_rows) % 3 != 0), recipe)
    assert ex.tree_distance(tree, tree, data, kind) == pytest.approx(0, abs=1e-12)
    there, back = ex.tree_distance(tree, other, data, kind), ex.tree_distance(other, tree, data, kind)
    assert there == pytest.approx(back, abs=1e-12)
    assert 0 < there <= 1


def test_answers_are_the_share_predicted_differently():
    """Majorities: Sunny No, Overcast and Rain Yes; High No, Normal Yes. They differ on 6 of 14 days."""
    frame = ex.load_sample("play_tennis").frame
    by_outlook, by_humidity = frame["Outlook"] != "Sunny", frame["Humidity"] == "Normal"
    differ = int((by_outlook != by_humidity).sum())
    outlook, humidity = (ex.grow(tennis(name), ex.ID3) for name in ("Outlook", "Humidity"))
    assert ex.tree_distance(outlook, humidity, tennis(), "answers") == pytest.approx(differ / 14)


def test_structure_is_the_weight_that_does_not_come_to_a_leaf_of_both():
    """ID3's tree and its stump part below Sunny (5 days) and Rain (5 days); Overcast is a leaf of both."""
    tree, stump = ex.grow(tennis(), ex.ID3), ex.grow(tennis(), ex.ID3.replace(max_depth=1))
    assert ex.tree_distance(tree, stump, tennis(), "structure") == pytest.approx(10 / 14)
    humidity = ex.grow(tennis("Humidity"), ex.ID3)
    assert ex.tree_distance(stump, humidity, tennis(), "structure") == 1


def test_thresholds_between_the_same_values_are_the_same_structure():
    frame = pd.DataFrame({"x": [1.0, 2.0, 7.0, 8.0], "y": ["a", "a", "b", "b"]})
    fewer = frame.iloc[[0, 3]]
    trees = [ex.grow(ex.Dataset.from_frame(table, "y"), ex.CART) for table in (frame, fewer)]
    assert trees[0].threshold[0] == trees[1].threshold[0] == 4.5
    moved = ex.grow(ex.Dataset.from_frame(frame.iloc[[0, 2]], "y"), ex.CART)
    assert moved.threshold[0] == 4.0
    assert ex.tree_distance(trees[0], moved, ex.Dataset.from_frame(frame, "y"), "structure") == 0


def test_similar_trees_stand_side_by_side():
    partitions = np.array([[0, 0, 0, 0], [0, 1, 2, 3], [0, 0, 0, 1], [0, 1, 2, 2]], dtype=np.int32)
    order = order_by_distance(partition_distances(partitions, np.ones(4)))
    assert abs(order.index(0) - order.index(2)) == abs(order.index(1) - order.index(3)) == 1


def test_no_pair_of_rows_is_no_distance():
    assert partition_distances(np.zeros((2, 1), dtype=np.int32), np.ones(1)).tolist() == [[0, 0], [0, 0]]


def test_what_has_no_distance_is_said():
    tree = ex.grow(tennis(), ex.ID3)
    with pytest.raises(ex.InputError, match="no distance 'edit'"):
        ex.tree_distance(tree, tree, tennis(), "edit")
    with pytest.raises(ex.InputError, match="same target"):
        ex.tree_distance(tree, ex.grow(noisy(), ex.CART), tennis())
