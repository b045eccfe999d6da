"""What each option of a recipe does to a tree, and how growing refuses, reports and stops."""

from __future__ import annotations

from math import log

import numpy as np
import pandas as pd
import pytest

import explorer as ex
from explorer.recipe import complete_rows
from tests.oracles.golden_walk import dataset_of


def table(rows: int = 200, seed: int = 0) -> ex.Dataset:
    """Two numbers, a category of four, and two noisy classes."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({"x": rng.normal(size=rows), "z": rng.normal(size=rows), "c": rng.choice(list("abcd"), rows)})
    frame["y"] = np.where(frame["x"] + (frame["c"] == "a") + rng.normal(size=rows) > 0.3, "yes", "no")
    return ex.Dataset.from_frame(frame, "y", ["x", "z", "c"], {"c": list("abcd")})


def leaf_reasons(tree: ex.Tree) -> set[str]:
    """Why the leaves of a tree are leaves."""
    return {tree.node(leaf).stop_reason for leaf in tree.leaves()}


def inner_nodes(tree: ex.Tree) -> list[int]:
    """Ids of the nodes with a test."""
    return [number for number in range(tree.n_nodes_grown) if not tree.node(number).is_leaf]


def test_a_full_tree_has_pure_leaves():
    tree = ex.grow(table(), ex.CART)
    assert all(tree.impurity[leaf] == 0 for leaf in tree.leaves())
    assert all("pure" in reason for reason in leaf_reasons(tree))


def test_max_depth():
    tree = ex.grow(table(), ex.CART.replace(max_depth=3))
    assert tree.max_depth == 3
    assert any("depth" in reason for reason in leaf_reasons(tree))
    assert ex.grow(table(), ex.CART.replace(max_depth=0)).n_leaves == 1


def test_min_rows_to_split_and_per_leaf():
    tree = ex.grow(table(), ex.CART.replace(min_rows_split=30.0, min_rows_leaf=7.0))
    assert min(tree.weight[number] for number in inner_nodes(tree)) >= 30
    assert min(tree.weight[leaf] for leaf in tree.leaves()) >= 7


def test_min_rows_in_two_branches_lets_a_third_be_small():
    data = dataset_of("play_tennis")
    strict = ex.grow(data, ex.C45.replace(min_rows_leaf=5.0))
    loose = ex.grow(data, ex.C45.replace(min_rows_leaf=5.0, min_rows_in="two"))
    assert strict.node(0).condition.feature != "Outlook"
    assert loose.node(0).condition.feature == "Outlook"
    assert min(loose.weight[list(loose.node(0).children)]) == 4


def test_min_score_stops_below_and_not_at_the_limit():
    data = dataset_of("play_tennis")
    gain = ex.decide(ex.grow(data, ex.ID3), data, 0).chosen.score
    assert ex.grow(data, ex.ID3.replace(min_score=gain)).n_leaves > 1
    assert ex.grow(data, ex.ID3.replace(min_score=gain * 1.000001)).n_leaves == 1


def test_min_impurity_decrease_weighs_a_node_by_its_share():
    data = table()
    full = ex.grow(data, ex.CART)
    limit = 0.004
    tree = ex.grow(data, ex.CART.replace(min_impurity_decrease=limit))
    for number in inner_nodes(tree):
        gain = ex.decide(tree, data, number).chosen.gain
        assert tree.weight[number] / tree.weight[0] * gain >= limit
    assert 1 < tree.n_leaves < full.n_leaves


def test_max_impurity_makes_leaves_of_nearly_pure_nodes():
    tree = ex.grow(table(), ex.CART.replace(max_impurity=0.3))
    assert all(tree.impurity[number] >= 0.3 for number in inner_nodes(tree))
    assert any(0 < tree.impurity[leaf] < 0.3 for leaf in tree.leaves())


def test_nats_are_bits_times_ln_2_and_choose_the_same_tree():
    data = table()
    bits, nats = (ex.grow(data, ex.C45.replace(log_base=base)) for base in (2, "e"))
    np.testing.assert_array_equal(bits.feature, nats.feature)
    np.testing.assert_allclose(bits.impurity * log(2), nats.impurity, atol=1e-15)
    first, second = (ex.decide(tree, data, 0).chosen for tree in (bits, nats))
    assert second.gain == pytest.approx(first.gain * log(2), rel=1e-12)
    assert second.split_info == pytest.approx(first.split_info * log(2), rel=1e-12)
    assert second.gain_ratio == pytest.approx(first.gain_ratio, rel=1e-12)


def test_empty_branches_are_leaves_with_their_parents_label():
    data = dataset_of("watermelon_2_0")
    kept, left_out = (ex.grow(data, ex.ID3.replace(empty_branches=keep)) for keep in (True, False))
    empty = [leaf for leaf in kept.leaves() if kept.node(leaf).is_empty]
    assert kept.n_leaves == left_out.n_leaves + len(empty)
    assert empty
    for leaf in empty:
        node, parent = kept.node(leaf), kept.node(kept.node(leaf).parent)
        assert (node.weight, node.label) == (0, parent.label)
        np.testing.assert_array_equal(node.probabilities, parent.probabilities)
        assert "empty" in node.stop_reason


def test_a_numeric_feature_can_be_left_out_or_taken_value_by_value():
    data = dataset_of("golf")
    without = ex.grow(data, ex.ID3.replace(numeric="leave_out"))
    assert {usage.name for usage in without.features} == {"outlook", "windy"}
    each = ex.grow(data, ex.ID3.replace(numeric="each_value", empty_branches=False))
    assert ex.decide(each, data, 0).best["temperature"].condition.n_branches == 12


def test_an_unknown_category_stays_at_the_node_or_follows_most_rows():
    frame = pd.DataFrame({"c": list("aaabbc"), "y": ["p", "p", "p", "q", "q", "q"]})
    data = ex.Dataset.from_frame(frame, "y", ["c"], {"c": ["a", "b", "c"]})
    stays, follows = (ex.grow(data, ex.C45.replace(unseen=where)) for where in ("node", "heaviest"))
    new = pd.DataFrame({"c": ["d", "a", "c"]})
    assert list(stays.apply(new)) == [0, 1, 3]
    assert list(stays.predict(new)) == ["p", "p", "q"]
    assert list(follows.apply(new)) == [1, 1, 3]


def test_a_known_category_that_a_node_lacks_is_unknown_there():
    frame = pd.DataFrame({"x": [0.0, 0, 0, 0, 1, 1, 1], "c": list("aabbccc"), "y": list("ppqqrrr")})
    data = ex.Dataset.from_frame(frame, "y", ["x", "c"], {"x": "numeric", "c": list("abc")})
    tree = ex.grow(data, ex.CART)
    assert tree.node(0).condition.feature == "x"
    assert list(tree.apply(pd.DataFrame({"x": [0.0], "c": ["c"]}))) == [1]


def test_missing_cells_at_prediction_go_where_they_went_in_training():
    frame = pd.DataFrame({"x": [1.0, 2, 3, 4, 5, None], "y": ["p", "p", "q", "q", "q", "q"]})
    data = ex.Dataset.from_frame(frame, "y", ["x"], {"x": "numeric"})
    tree = ex.grow(data, ex.CART)
    assert tree.node(0).condition.threshold == 2.5
    assert tree.node(0).missing_weight == 1
    assert list(tree.rows_at(data, 2)) == [2, 3, 4, 5], "the median of 1, 2, 3, 4, 5 is above the threshold"
    assert list(tree.apply(pd.DataFrame({"x": [np.nan, 0.0]}))) == [2, 1]


def test_a_row_with_a_missing_cell_is_dropped_if_chosen():
    frame = pd.DataFrame({"x": [1.0, 2, 3, None], "y": ["p", "p", "q", "q"]})
    data = ex.Dataset.from_frame(frame, "y", ["x"], {"x": "numeric"})
    tree = ex.grow(data, ex.CART.replace(missing="drop"))
    assert tree.weight[0] == 3
    assert list(tree.rows_at(data, 0)) == [0, 1, 2]
    assert any("1 of 4 rows" in note for note in tree.notes)
    nothing = frame.assign(x=[1.0, None, 3.0, None], z=[None, 2.0, None, 4.0])
    empty = ex.Dataset.from_frame(nothing, "y", ["x", "z"])
    with pytest.raises(ex.InputError, match=r"missing"):
        ex.grow(empty, ex.CART.replace(missing="drop"))


def test_only_missing_cells_of_features_in_use_count_for_dropping():
    frame = pd.DataFrame({"x": [1.0, None, 3.0, 4.0], "c": list("abab"), "y": list("pqpq")})
    data = ex.Dataset.from_frame(frame, "y", ["x", "c"], {"c": "categorical"})
    recipe = ex.ID3.replace(numeric="leave_out", missing="drop")
    assert ex.grow(data, recipe).weight[0] == 4


def test_a_numeric_target_needs_a_recipe_for_numbers():
    frame = pd.DataFrame({"x": [1.0, 2, 3], "y": [0.5, 1.5, 9.5]})
    data = ex.Dataset.from_frame(frame, "y", ["x"], {"y": "numeric"})
    for recipe in (ex.ID3, ex.C45, ex.CART.replace(impurity="gini")):
        with pytest.raises(ex.InputError, match=r"numeric"):
            ex.grow(data, recipe)
    with pytest.raises(ex.InputError, match=r"variance"):
        ex.grow(table(), ex.CART.replace(impurity="variance"))


@pytest.mark.parametrize(
    "change",
    [{"impurity": "ginny"}, {"max_depth": -1}, {"max_depth": 2.5}, {"min_rows_leaf": -1}, {"min_score": float("nan")}],
)
def test_a_recipe_refuses_what_means_nothing(change):
    field = next(iter(change))
    with pytest.raises(ex.InputError, match=field):
        ex.CART.replace(**change)


def test_progress_is_reported_and_can_stop_the_run():
    data, told = table(3000), []
    tree = ex.grow(data, ex.CART, progress=lambda done, total: told.append((done, total)))
    assert told
    assert told[-1] == (3000, 3000)
    assert all(0 <= done <= total == 3000 for done, total in told)
    assert tree.n_leaves > 1

    def stop(done: int, total: int) -> None:
        raise ex.Stopped(f"stopped at {done} of {total}")

    with pytest.raises(ex.Stopped):
        ex.grow(data, ex.CART, progress=stop)
    assert ex.grow(data, ex.CART).n_leaves == tree.n_leaves


def test_the_decision_ranks_the_winner_first_and_gives_every_loser_a_place():
    data = dataset_of("play_tennis")
    tree = ex.grow(data, ex.C45)
    decision = ex.decide(tree, data, 0)
    assert decision.candidates[0] == decision.chosen
    assert (decision.chosen.feature, decision.runner_up.feature) == ("Outlook", "Humidity")
    assert decision.margin == pytest.approx(0.1564275624 - 0.1518355014, abs=1e-9)
    assert not decision.tie
    assert {c.feature for c in decision.candidates if c.rejected} == {"Temperature", "Wind"}
    assert decision.stop_reason is None
    for number in inner_nodes(tree):
        assert ex.decide(tree, data, number).chosen.condition == tree.node(number).condition


def test_a_decision_needs_the_tables_own_rows():
    data = table()
    tree = ex.grow(data.take(range(100)), ex.CART)
    with pytest.raises(ex.InputError, match=r"rows"):
        ex.decide(tree, data, 0)
    with pytest.raises(ex.InputError, match=r"node"):
        ex.decide(tree, data.take(range(100)), tree.n_nodes_grown)


@pytest.mark.parametrize("grower", [lambda data: ex.grow(data, ex.CART), ex.shortest_tree])
def test_a_table_without_rows_is_refused(grower):
    data = ex.Dataset.from_frame(ex.load_sample("play_tennis").frame, "PlayTennis")
    with pytest.raises(ex.InputError, match="The training set has no rows"):
        grower(data.take([]))


@pytest.mark.parametrize("grower", [lambda data: ex.grow(data, ex.CART), lambda data: ex.bagging(data, ex.CART, 2)])
def test_a_table_with_more_rows_than_nodes_are_numbered_for_is_refused(grower, monkeypatch):
    data = ex.Dataset.from_frame(ex.load_sample("play_tennis").frame, "PlayTennis")
    monkeypatch.setattr(complete_rows, "MOST_ROWS", data.n_rows)
    grower(data)
    monkeypatch.setattr(complete_rows, "MOST_ROWS", data.n_rows - 1)
    with pytest.raises(ex.InputError, match="14 rows"):
        grower(data)


@pytest.mark.parametrize("levels", [40, 64, 65, 90])
def test_rows_are_routed_by_their_category_however_many_there_are(levels):
    rng = np.random.default_rng(levels)
    codes = rng.permutation(np.arange(6 * levels) % levels)
    frame = pd.DataFrame({"c": [f"v{code:02d}" for code in codes], "x": rng.normal(size=codes.size)})
    frame["y"] = np.where((codes * 7) % 5 + frame["x"] > 2, "yes", "no")
    data = ex.Dataset.from_frame(frame, "y", kinds={"c": "categorical"})
    tree = ex.grow(data, ex.CART)
    ends = tree.apply(frame)
    assert (ends == tree.apply(data)).all()
    assert np.bincount(ends, minlength=tree.n_nodes_grown)[tree.is_leaf].tolist() == tree.weight[tree.is_leaf].tolist()
