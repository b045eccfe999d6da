"""Positions of nodes: hand-worked slots, a naive recursion beside the vectorised one, no two nodes at one position."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.drawing.svg.layout import node_centres
from tests.oracles.examples import law
from tests.oracles.handmade import Knot, knot, tree_of

LAW = law(100)
TENNIS = knot(knot((0, 3), (2, 0)), (4, 0), knot((3, 0), (0, 2)))


@st.composite
def trees(draw):
    """A tree of up to some thirty nodes, some of them pruned."""
    root = Knot((1, 1))
    ends = [root]
    for _ in range(draw(st.integers(0, 9))):
        chosen = ends.pop(draw(st.integers(0, len(ends) - 1)))
        chosen.children = [Knot((1, 1)) for _ in range(draw(st.integers(2, 4)))]
        ends += chosen.children
    tree = tree_of(root)
    return tree.with_pruned(
        draw(st.lists(st.sampled_from([False, False, True]), min_size=tree.n_nodes_grown, max_size=tree.n_nodes_grown))
    )


def leaf_slots(tree):
    """Places, and how many slots there are, when every open leaf has a slot of width 1."""
    return node_centres(tree, tree.is_leaf.astype(float))


def slots_by_recursion(tree) -> dict[int, float]:
    """The same by the definition."""
    found: dict[int, float] = {}
    leaves = [node for node in tree.preorder() if tree.is_leaf[node]]

    def visit(node: int) -> float:
        below = [] if tree.is_leaf[node] else [visit(child) for child in tree.children_of(node)]
        found[node] = (below[0] + below[-1]) / 2 if below else leaves.index(node) + 0.5
        return found[node]

    visit(0)
    return found


def test_slots_of_play_tennis():
    x, slots = leaf_slots(tree_of(TENNIS))
    assert x.tolist() == [2.5, 1.0, 2.5, 4.0, 0.5, 1.5, 3.5, 4.5]
    assert slots == 5


def test_a_pruned_node_takes_one_slot_and_hides_what_is_below():
    x, slots = leaf_slots(tree_of(TENNIS).with_pruned(np.arange(8) == 1))
    np.testing.assert_array_equal(x, [1.75, 0.5, 1.5, 3.0, np.nan, np.nan, 2.5, 3.5])
    assert slots == 4


def test_a_root_alone_has_one_slot():
    x, slots = leaf_slots(tree_of(Knot((3, 1))))
    assert (x.tolist(), slots) == ([0.5], 1)


@LAW
@given(trees())
def test_slots_are_those_of_the_definition(tree):
    x, slots = leaf_slots(tree)
    expected = slots_by_recursion(tree)
    assert slots == tree.n_leaves
    assert {int(node): x[node] for node in np.flatnonzero(~np.isnan(x))} == expected


@LAW
@given(trees(), st.data())
def test_nodes_of_a_level_keep_the_room_they_need(tree, data):
    room = np.array(
        data.draw(st.lists(st.integers(1, 9), min_size=tree.n_nodes_grown, max_size=tree.n_nodes_grown)), dtype=float
    )
    x, width = node_centres(tree, room)
    shown = tree.is_kept
    assert (x[shown] - room[shown] / 2 >= -1e-9).all()
    assert (x[shown] + room[shown] / 2 <= width + 1e-9).all()
    for depth in range(tree.max_depth + 1):
        level = np.flatnonzero(shown & (tree.depth == depth))
        gaps = np.diff(x[level]) - (room[level][:-1] + room[level][1:]) / 2
        assert (gaps >= -1e-9).all()


def test_a_wide_parent_has_its_children_under_its_middle():
    x, width = node_centres(tree_of(knot((1, 0), (0, 1))), np.array([10.0, 2.0, 2.0]))
    assert (x.tolist(), width) == ([5.0, 4.0, 6.0], 10.0)


@pytest.mark.parametrize("depth", [3000])
def test_a_deep_tree_needs_no_recursion(depth):
    root = Knot((1, 1))
    for _ in range(depth):
        root = Knot((1, 1), [Knot((1, 0)), root])
    x, slots = leaf_slots(tree_of(root))
    assert slots == depth + 1
    assert np.isfinite(x).all()
