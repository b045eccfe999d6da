"""Groups of a connected table by end and class give every score that its rows give."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import explorer as ex
from explorer.pruning.node_score_terms import node_score_terms
from explorer.tree import grouped_rows as module
from explorer.tree.grouped_rows import grouped_rows
from explorer.tree.metrics import baseline, cost_baseline, expected_cost, score
from tests.oracles.counting_engine import array_source, same_data
from tests.oracles.tables import MIXED_FEATURES, mixed_frame

RECIPES = {
    "cart": ex.CART.replace(missing="most_common"),
    "heaviest": ex.CART.replace(missing="most_common", unseen="heaviest", categorical="one_vs_rest"),
    "id3": ex.ID3.replace(missing="drop"),
    "bins": ex.ID3.replace(numeric="bins", bins=4, missing="own_branch"),
    "each number": ex.ID3.replace(numeric="each_value", unseen="random", missing="drop"),
    "c45": ex.C45.replace(missing="same_class"),
    "own branch": ex.CART.replace(missing="own_branch", categorical="each_value"),
    "missing or not": ex.CART.replace(missing="default_direction"),
}
METRICS = ["accuracy", "error", "log_loss", "auc"]


def frame_with(target, missing=0.0, seed=0, rows=90, prefix=""):
    """A mixed table with one target; `prefix` renames some categories, as a later table may have new ones."""
    frame = mixed_frame(rows, seed, missing)[[*MIXED_FEATURES, target, "fractions"]]
    if prefix:
        frame["c6"] = frame["c6"].replace({"v01": f"{prefix}1", "v04": f"{prefix}4"})
        frame.loc[:5, "real"] += 1e6
    return frame


def grown_and_validation(target, recipe, seed=0, missing=0.0, weights=None):
    """A tree grown on one table; another table with new categories as a Dataset and as a source."""
    tree = ex.grow(same_data(frame_with(target, missing, seed).drop(columns="fractions"), target), recipe)
    frame = frame_with(target, missing, seed + 1, 140, "a")
    if weights is None:
        frame = frame.drop(columns="fractions")
    return tree, same_data(frame, target, weights), array_source(frame, target, weights)


@given(
    st.sampled_from(sorted(RECIPES)), st.sampled_from(["two", "four"]), st.integers(0, 9), st.sampled_from([0.0, 0.1])
)
def test_scores_of_classes_are_those_of_the_rows(name, target, seed, missing):
    tree, rows, source = grown_and_validation(target, RECIPES[name], seed, missing)
    path = ex.cost_complexity_path(tree)
    for metric in METRICS:
        from_rows, from_groups = path.curve(rows, metric), path.curve(source, metric)
        if metric in ("accuracy", "error"):
            assert from_groups.tolist() == from_rows.tolist()
        assert from_groups == pytest.approx(from_rows, rel=1e-12)
    for order in ("best_first", "bottom_up"):
        for ties in ("prune", "keep"):
            steps = ex.reduced_error_steps(tree, rows, order, ties)
            assert ex.reduced_error_steps(tree, source, order, ties) == steps
            pruned = ex.reduced_error_prune(tree, source, order, ties)
            assert np.array_equal(pruned.is_pruned, ex.reduced_error_prune(tree, rows, order, ties).is_pruned)


def evaluations(tree, rows, source):
    by_rows, by_groups = ex.evaluate(tree, rows), ex.evaluate(tree, source)
    assert by_groups.n_rows == by_rows.n_rows == source.n_rows
    assert by_groups.weight == pytest.approx(by_rows.weight, rel=1e-12)
    return by_rows, by_groups


@given(st.sampled_from(sorted(RECIPES)), st.integers(0, 9), st.sampled_from([None, "fractions"]), st.booleans())
def test_evaluation_of_classes_is_that_of_the_rows(name, seed, weights, pruned):
    tree, rows, source = grown_and_validation("four", RECIPES[name], seed, 0.1, weights)
    if pruned:
        tree = ex.cost_complexity_path(tree).subtree(leaves=4)
    by_rows, by_groups = evaluations(tree, rows, source)
    assert by_groups.labels == by_rows.labels
    assert by_groups.confusion == pytest.approx(by_rows.confusion)
    for name_of_score, own in by_rows.scores.items():
        other = by_groups.scores[name_of_score]
        assert (other.value, other.baseline) == pytest.approx((own.value, own.baseline), rel=1e-12)
    for own, other in zip(by_rows.classes, by_groups.classes, strict=True):
        assert other.__dict__ == pytest.approx(own.__dict__, nan_ok=True)
    by_leaf, other = ex.leaf_calibration(tree, rows), ex.leaf_calibration(tree, source)
    assert other.nodes.tolist() == by_leaf.nodes.tolist()
    assert other.observed == pytest.approx(by_leaf.observed)
    curves, others = ex.class_curves(tree, rows, "x"), ex.class_curves(tree, source, "x")
    assert (others.area, others.average_precision) == pytest.approx((curves.area, curves.average_precision))
    assert others.thresholds.tolist() == curves.thresholds.tolist()
    assert others.recall == pytest.approx(curves.recall)
    assert score(tree, source) == pytest.approx(score(tree, rows))
    assert baseline(source, source) == pytest.approx(baseline(rows, rows))


@given(st.sampled_from(["cart", "heaviest", "own branch", "missing or not"]), st.integers(0, 9), st.booleans())
def test_scores_of_numbers_are_those_of_the_rows(name, seed, weighted):
    recipe = RECIPES[name].replace(impurity="variance")
    tree, rows, source = grown_and_validation("number", recipe, seed, 0.1, "fractions" if weighted else None)
    path = ex.cost_complexity_path(tree)
    assert path.curve(source) == pytest.approx(path.curve(rows), rel=1e-9)
    by_rows, by_groups = evaluations(tree, rows, source)
    assert set(by_groups.scores) == {"mse", "rmse", "r2"}
    for name_of_score, own in by_groups.scores.items():
        other = by_rows.scores[name_of_score]
        assert (own.value, own.baseline) == pytest.approx((other.value, other.baseline), rel=1e-9)
    for order in ("best_first", "bottom_up"):
        steps = zip(ex.reduced_error_steps(tree, rows, order), ex.reduced_error_steps(tree, source, order), strict=True)
        for own, other in steps:
            assert (other.node, other.pruned) == (own.node, own.pruned)
            assert other.loss_below == pytest.approx(own.loss_below, rel=1e-9, abs=1e-9)
    assert baseline(source, source) == pytest.approx(baseline(rows, rows), rel=1e-9)


def test_costs_are_those_of_the_rows():
    recipe = RECIPES["cart"].replace(costs={"yes": {"no": 4.0}, "no": {"yes": 1.0}}, class_weights={"yes": 2.0})
    tree, rows, source = grown_and_validation("two", recipe)
    path = ex.cost_complexity_path(tree)
    assert path.curve(source, "expected_cost").tolist() == path.curve(rows, "expected_cost").tolist()
    assert expected_cost(tree, source) == expected_cost(tree, rows)
    assert cost_baseline(tree, source) == cost_baseline(tree, rows)
    assert ex.evaluate(tree, source).scores["expected_cost"] == ex.evaluate(tree, rows).scores["expected_cost"]


@pytest.mark.parametrize("target", ["four", "number"])
def test_terms_of_nodes_are_those_of_the_rows(target):
    tree, rows, source = grown_and_validation(target, RECIPES["cart"])
    own, other = node_score_terms(tree, rows), node_score_terms(tree, source)
    assert other.total == own.total
    assert other.as_leaf == pytest.approx(own.as_leaf)
    assert other.at_node == pytest.approx(own.at_node)


@pytest.mark.parametrize("target", ["four", "number"])
def test_prepruning_by_a_connected_table_keeps_the_same_splits(target):
    recipe = RECIPES["cart"].replace(prepruning=True)
    frame = frame_with(target).drop(columns="fractions")
    train, counted = same_data(frame, target), array_source(frame, target)
    _, rows, source = grown_and_validation(target, RECIPES["cart"])
    own = ex.grow(train, recipe, rows)
    for other in (ex.grow(train, recipe, source), ex.grow(counted, recipe, source), ex.grow(counted, recipe, rows)):
        assert 1 < own.n_nodes == other.n_nodes
        assert other.feature.tolist() == own.feature.tolist()
        assert other.validation == pytest.approx(own.validation, nan_ok=True)


def test_methods_that_need_training_rows_are_left_out():
    tree, rows, source = grown_and_validation("two", RECIPES["cart"])
    train = frame_with("two").drop(columns="fractions")
    by_rows = {result.name: result for result in ex.prune_methods(tree, same_data(train, "two"), rows)}
    by_groups = {result.name: result for result in ex.prune_methods(tree, array_source(train, "two"), source)}
    assert by_rows.keys() - by_groups.keys() == {"pessimistic, raising", "description length"}
    for name, result in by_groups.items():
        assert result.training_score == by_rows[name].training_score
        assert result.validation_score == by_rows[name].validation_score
        assert np.array_equal(result.tree.is_pruned, by_rows[name].tree.is_pruned)


def has_rows_astray(tree, rows, frame):
    """Whether a row goes down several branches, or meets a missing value at a node with surrogate splits."""
    if (tree.routes(rows)[2] < 1).any():
        return True
    if tree.surrogates is None:
        return False
    nodes = np.flatnonzero(np.diff(tree.surrogates.offset) > 0)
    names = [tree.features[tree.feature[node]].name for node in nodes]
    return any(frame[name].iloc[tree.rows_at(rows, node)].isna().any() for name, node in zip(names, nodes, strict=True))


@given(st.sampled_from(["fractional", "surrogate"]), st.integers(0, 9), st.sampled_from([0.0, 0.01, 0.05]))
def test_rows_without_a_single_path_are_refused_and_only_they(policy, seed, missing):
    recipe = ex.CART.replace(missing=policy, max_depth=3)
    tree = ex.grow(same_data(frame_with("two", 0.1, seed, 60).drop(columns="fractions"), "two"), recipe)
    frame = frame_with("two", missing, seed + 1, 50).drop(columns="fractions")
    rows, source = same_data(frame, "two"), array_source(frame, "two")
    if has_rows_astray(tree, rows, frame):
        with pytest.raises(ex.InputError, match=rf"missing='{policy}'.*source\.sample"):
            ex.evaluate(tree, source)
    else:
        assert np.array_equal(ex.evaluate(tree, source).confusion, ex.evaluate(tree, rows).confusion)


def test_values_without_a_branch_that_go_down_every_branch_are_refused():
    tree, _, source = grown_and_validation("two", ex.ID3.replace(missing="most_common", unseen="fractional"))
    with pytest.raises(ex.InputError, match=r"\d+ rows? at node \d+ .*'c6' without a branch.*unseen='fractional'"):
        score(tree, source)


@pytest.mark.parametrize("target", ["four", "number"])
def test_the_lower_part_of_a_large_tree_is_walked_in_memory(target, monkeypatch):
    tree, rows, source = grown_and_validation(target, RECIPES["cart"], missing=0.1)
    whole = grouped_rows(tree, source)
    monkeypatch.setattr(module, "MOST_TESTS", 4)
    monkeypatch.setattr(module, "UPPER_TESTS", 4)
    monkeypatch.setattr(module, "ROWS_AT_ONCE", 40)
    other = array_source(frame_with(target, 0.1, 1, 140, "a").drop(columns="fractions"), target)
    in_parts = grouped_rows(tree, other)
    assert "rows" in other.engine.calls
    assert "rows" not in source.engine.calls
    assert sorted(tree.apply(in_parts)) == sorted(tree.apply(whole))
    path = ex.cost_complexity_path(tree)
    assert path.curve(other) == pytest.approx(path.curve(rows))


def test_rows_astray_in_the_lower_part_are_refused_by_their_node(monkeypatch):
    monkeypatch.setattr(module, "MOST_TESTS", 1)
    monkeypatch.setattr(module, "UPPER_TESTS", 1)
    frame = pd.DataFrame({"a": [0.0] * 4 + [1.0] * 4, "b": [1.0, 1.0, 2.0, 2.0] * 2, "y": list("nnyyyyyy")})
    tree = ex.grow(same_data(frame, "y"), ex.CART.replace(missing="fractional"))
    assert [tree.features[f].name for f in tree.feature[:2]] == ["a", "b"]
    holed = frame.assign(b=[1.0, 1.0, None, 2.0, 1.0, 1.0, 2.0, 2.0])
    with pytest.raises(ex.InputError, match="1 row at node 1 has no value of 'b', and missing='fractional'"):
        score(tree, array_source(holed, "y"))


def test_the_same_tree_is_counted_once_whatever_is_pruned(monkeypatch):
    tree, _, source = grown_and_validation("two", RECIPES["cart"])
    calls = []
    ends = source.engine.ends
    monkeypatch.setattr(source.engine, "ends", lambda routing: calls.append(routing) or ends(routing))
    path = ex.cost_complexity_path(tree)
    path.curve(source)
    ex.evaluate(path.subtree(leaves=2), source)
    assert len(calls) == 1
    ex.evaluate(ex.grow(same_data(frame_with("two", seed=5).drop(columns="fractions"), "two"), ex.CART), source)
    assert len(calls) == 2


def test_a_column_of_another_kind_or_none_is_named():
    tree, _, _ = grown_and_validation("two", RECIPES["cart"])
    frame = frame_with("two", seed=1).drop(columns="fractions")
    with pytest.raises(ex.InputError, match="The table has no column 'real', which the tree splits on"):
        score(tree, array_source(frame.drop(columns="real"), "two"))
    with pytest.raises(ex.InputError, match=r"'real' is categorical .* kinds=\{'real': 'numeric'\}"):
        score(tree, array_source(frame.assign(real=frame["real"].astype(str)), "two"))


def test_numbers_as_categories_have_branches_for_exactly_their_values():
    frame = pd.DataFrame({"x": [1.0, 2.0, 2.5] * 4, "y": list("abc") * 4})
    tree = ex.grow(same_data(frame, "y"), ex.ID3.replace(numeric="each_value"))
    new = pd.DataFrame({"x": [1.0, np.nextafter(1.0, 2), 2.0, np.nextafter(2.0, 0), 2.5, 9.0], "y": list("abbbca")})
    groups = grouped_rows(tree, array_source(new, "y"))
    assert sorted(zip(tree.apply(groups).tolist(), groups.y.tolist(), groups.weights.tolist(), strict=True)) == [
        (0, 0, 1.0), (0, 1, 2.0), (1, 0, 1.0), (2, 1, 1.0), (3, 2, 1.0)
    ]  # fmt: skip


def test_a_part_without_rows_is_named():
    tree, _, _ = grown_and_validation("two", RECIPES["cart"])
    whole = array_source(frame_with("two").drop(columns="fractions"), "two", parts=np.ones(90, int))
    with pytest.raises(ex.InputError, match="has no rows"):
        ex.evaluate(tree, type(whole)(whole.workspace, 0))
