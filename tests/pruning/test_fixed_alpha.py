"""Pruning with a fixed α step by step: the same tree as `prune_at_alpha`, every number of a step by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import explorer as ex
from explorer.data.samples import load_sample
from explorer.pruning import RISKS, cost_complexity_path, fixed_alpha_steps, fixed_alpha_trees, prune_at_alpha
from tests.oracles.golden_walk import GOLDEN, GOLDEN_RISKS, GOLDEN_TREES, from_golden
from tests.oracles.handmade import BINARY_TENNIS, COUNTEREXAMPLE_1, Knot, knots, tree_of
from tests.oracles.pruning import ADDITIVE


def left_by(tree, steps):
    """The tree with every collapsed node pruned."""
    closed = np.zeros(tree.n_nodes_grown, dtype=bool)
    closed[[step.node for step in steps if step.collapsed]] = True
    return tree.with_pruned(closed | tree.is_pruned)


def test_three_leaves_by_hand():
    # α = 0.23, losses per own node: 12/49 + α = 0.4749 > 0 + 2α, kept; 4/9 + α = 0.6744 < 0 + 3α, collapsed
    first, last = fixed_alpha_steps(tree_of(COUNTEREXAMPLE_1), 0.23, "per_node")
    assert (first.node, first.leaves_below, first.collapsed, first.stack) == (1, 2, False, (0,))
    assert (first.risk, first.risk_below) == pytest.approx((12 / 49, 0))
    assert (first.penalised_as_leaf, first.penalised_as_subtree) == pytest.approx((12 / 49 + 0.23, 0.46))
    assert (last.node, last.leaves_below, last.collapsed, last.stack) == (0, 3, True, ())
    assert (last.penalised_as_leaf, last.penalised_as_subtree) == pytest.approx((4 / 9 + 0.23, 0.69))


def test_the_stack_holds_what_still_waits():
    steps = fixed_alpha_steps(tree_of(BINARY_TENNIS), 0.0)
    assert [step.node for step in steps][-1] == 0
    for number, step in enumerate(steps):
        later = {following.node for following in steps[number + 1 :]}
        assert set(step.stack) <= later
        assert not later or step.stack[0] == 0


@pytest.mark.parametrize(("table", "name", "risk"), GOLDEN_TREES)
def test_golden_trees_at_and_between_their_alphas(table, name, risk):
    tree = tree_of(from_golden(GOLDEN[table][name]["tree"]), "variance" if name == "cart" else "gini")
    risk = GOLDEN_RISKS[risk]
    path = cost_complexity_path(tree, risk)
    drawn = np.random.default_rng(7).uniform(0, 1.5 * path.alphas[-1], 10)
    for alpha in [*path.alphas, *path.midpoints, *drawn]:
        pruned = left_by(tree, fixed_alpha_steps(tree, alpha, risk))
        assert list(pruned.leaves()) == list(prune_at_alpha(tree, alpha, risk).leaves())
        if risk != "per_node":
            assert list(pruned.leaves()) == list(path.subtree(alpha).leaves())


@given(knots(3), st.sampled_from(RISKS), st.floats(0, 2))
def test_the_steps_end_at_the_pruned_tree(root, risk, alpha):
    tree = tree_of(root)
    steps = fixed_alpha_steps(tree, alpha, risk)
    assert list(left_by(tree, steps).leaves()) == list(prune_at_alpha(tree, alpha, risk).leaves())
    if risk in ADDITIVE:
        assert list(left_by(tree, steps).leaves()) == list(cost_complexity_path(tree, risk).subtree(alpha).leaves())
    assert sorted(step.node for step in steps) == list(np.flatnonzero(tree.is_kept & ~tree.is_leaf))
    place = {step.node: number for number, step in enumerate(steps)}
    assert all(place[node] < place[int(tree.parent[node])] for node in place if node > 0)
    for step in steps:
        gap = step.penalised_as_leaf - step.penalised_as_subtree
        assert abs(gap) < 1e-9 or step.collapsed == (gap < 0)


def test_steps_go_on_from_a_pruned_tree():
    tree = cost_complexity_path(tree_of(BINARY_TENNIS)).subtree(position=1)
    steps = fixed_alpha_steps(tree, 0.1)
    assert [step.node for step in steps] == [2, 0]
    assert list(left_by(tree, steps).leaves()) == list(prune_at_alpha(tree, 0.1).leaves())


def test_a_tree_of_one_leaf_has_nothing_to_decide():
    assert fixed_alpha_steps(tree_of(Knot((3, 2))), 0.1) == []
    assert [(found.begin, found.end, found.n_leaves) for found in fixed_alpha_trees(tree_of(Knot((3, 2))))] == [
        (0.0, np.inf, 1)
    ]


def test_odd_alphas_and_risks_are_refused():
    with pytest.raises(ex.InputError, match="penalty of a leaf"):
        fixed_alpha_steps(tree_of(BINARY_TENNIS), -1.0)
    with pytest.raises(ex.InputError, match="no risk called"):
        fixed_alpha_trees(tree_of(BINARY_TENNIS), "gini")


def test_a_larger_alpha_may_leave_a_larger_tree():
    frame = load_sample("fixed_alpha").frame
    data = ex.Dataset.from_frame(frame, "y", kinds=dict.fromkeys("ABy", "categorical"))
    found = fixed_alpha_trees(ex.grow(data, ex.CART))
    assert [entry.n_leaves for entry in found] == [3, 1, 2, 1]
    assert [entry.begin for entry in found] == pytest.approx([0, 2 / 9, 12 / 49, 16 / 63], rel=1e-14)
    assert [entry.end for entry in found] == [*(entry.begin for entry in found[1:]), np.inf]


@given(knots(3), st.sampled_from(RISKS), st.floats(0, 1))
def test_every_fixed_alpha_is_in_its_interval(root, risk, share):
    tree = tree_of(root)
    found = fixed_alpha_trees(tree, risk)
    assert found[0].begin == 0
    for entry in found:
        inside = entry.begin + 1 if np.isinf(entry.end) else entry.begin + share * (entry.end - entry.begin)
        near_the_end = np.isclose(inside, entry.end, rtol=1e-9, atol=1e-12)
        for alpha in [entry.begin, *([] if near_the_end else [inside])]:
            assert list(prune_at_alpha(tree, alpha, risk).leaves()) == list(entry.tree.leaves())


@given(knots(3), st.sampled_from(ADDITIVE))
def test_with_losses_that_add_up_the_trees_are_the_sequence(root, risk):
    tree = tree_of(root)
    path, found = cost_complexity_path(tree, risk), fixed_alpha_trees(tree, risk)
    start = int(len(path) > 1 and path.alphas[1] == 0)
    assert [entry.begin for entry in found] == pytest.approx(path.alphas[start:], rel=1e-9, abs=1e-12)
    assert [entry.n_leaves for entry in found] == list(path.n_leaves[start:])
