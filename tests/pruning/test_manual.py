"""Collapse and restore: single steps by hand, and the laws of many."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.errors import InputError
from explorer.pruning import RISKS, cost_complexity_path, prune_by_hand, pruned_at
from tests.oracles.handmade import BINARY_TENNIS, knots, tree_of

TREE = tree_of(BINARY_TENNIS)  # 0: 1 leaf, 2 with 3 and 4; 3: 5 leaf, 6; 4: 7 leaf, 8; 6 and 8 have two leaves each


def test_collapsing_makes_a_leaf():
    assert list(prune_by_hand(TREE, [("collapse", 3)]).leaves()) == [1, 3, 7, 11, 12]
    assert prune_by_hand(TREE, [("collapse", 0)]).n_leaves == 1
    assert prune_by_hand(TREE, []).n_leaves == 7


def test_the_later_step_wins():
    assert prune_by_hand(TREE, [("collapse", 3), ("restore", 3)]).n_leaves == 7
    assert prune_by_hand(TREE, [("restore", 3), ("collapse", 3)]).n_leaves == 5


def test_restoring_keeps_the_path_down_and_nothing_else():
    steps = [("collapse", 6), ("collapse", 4), ("collapse", 2), ("collapse", 0), ("restore", 3)]
    pruned = prune_by_hand(TREE, steps)
    assert list(pruned.leaves()) == [1, 4, 5, 6], "4 and 6 keep their own flags, 2 and 0 are open again"


def test_a_restored_node_shows_its_branches_as_they_stand_at_alpha():
    path = cost_complexity_path(TREE)
    closed = pruned_at(path, 2)
    assert list(np.flatnonzero(closed)) == [0, 3, 4, 6, 8], "node 2 goes at 9/70 by itself, the root at 113/980 before"
    assert list(prune_by_hand(TREE.with_pruned(closed), [("restore", 0)]).leaves()) == [1, 3, 4]


@pytest.mark.parametrize(
    ("step", "fact"),
    [
        (("prune", 0), "no step called 'prune': choose one of collapse, restore"),
        (("collapse", 13), "no node 13: ids go from 0 to 12"),
        (("restore", -1), "no node -1"),
        (("collapse", True), "no node True"),
        (("collapse", 1.0), "no node 1.0"),
        (("restore", 1), "Node 1 was grown as a leaf"),
    ],
)
def test_odd_steps_are_refused(step, fact):
    with pytest.raises(InputError, match=fact):
        prune_by_hand(TREE, [step])


@pytest.mark.parametrize("position", [-1, 3])
def test_odd_positions_are_refused(position):
    with pytest.raises(InputError, match=f"no pruned subtree at position {position}"):
        pruned_at(cost_complexity_path(TREE), position)


@given(knots(3), st.sampled_from(RISKS))
def test_own_flags_show_the_subtrees_of_the_sequence(root, risk):
    path = cost_complexity_path(tree_of(root), risk)
    for k in range(len(path)):
        own = path.tree.with_pruned(pruned_at(path, k))
        assert list(own.leaves()) == list(path.subtree(position=k).leaves())


@given(knots(3), st.data())
def test_the_last_step_is_seen(root, data):
    tree = tree_of(root)
    inner = [int(t) for t in np.flatnonzero(tree.feature >= 0)]
    if not inner:
        return
    step = st.tuples(st.sampled_from(["collapse", "restore"]), st.sampled_from(inner))
    steps = data.draw(st.lists(step, min_size=1, max_size=8))
    pruned, (operation, node) = prune_by_hand(tree, steps), steps[-1]
    assert pruned.is_pruned[node] == (operation == "collapse")
    assert operation == "collapse" or (pruned.is_kept[node] and not pruned.is_leaf[node])
    assert not tree.is_pruned.any(), "the tree given is as it was"


def test_a_node_hidden_in_a_pruned_tree_can_be_restored():
    small = cost_complexity_path(TREE).subtree(position=2)
    assert list(prune_by_hand(small, [("restore", 2)]).leaves()) == [1, 5, 7, 9, 10, 11, 12]
    assert pruned_at(cost_complexity_path(small), 0).tolist() == small.is_pruned.tolist()
