"""What a move changed in the tree, and the sentence about it."""

import re

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from explorer.drawing.drawn_table.grown import grow_drawn, recipe_of
from explorer.drawing.drawn_table.points import DrawnTable
from explorer.drawing.drawn_table.tipping import changes
from tests.drawing.drawn_table.drawings import drawings, has_something_to_predict
from tests.oracles.examples import law


def drawn(*points):
    """A table of (x, y, class code) in tenths."""
    x, y, marks = np.array(points).T
    return DrawnTable(x * 10, y * 10, marks)


def moved(table, index, x, y):
    """The same table with a point elsewhere."""
    x_steps, y_steps = table.x_steps.copy(), table.y_steps.copy()
    x_steps[index], y_steps[index] = x, y
    return DrawnTable(x_steps, y_steps, table.marks, table.target)


def groups(grown, rows):
    """How a tree divides some points at its root, with the feature; None for a leaf."""
    feature = grown.feature_of(0)
    if feature is None:
        return None
    return feature, tuple((getattr(grown.table, feature)[rows] <= grown.tree.threshold[0]).tolist())


@given(
    table=drawings(least=3), place=st.tuples(st.integers(0, 1000), st.integers(0, 1000)), depth=st.sampled_from([1, 3])
)
@law(80)
def test_the_root_changed_where_it_divides_the_other_points_otherwise(table, place, depth):
    after = moved(table, 0, *place)
    assume(has_something_to_predict(table))
    recipe = recipe_of("CART", depth)
    before, now = grow_drawn(table, recipe), grow_drawn(after, recipe)
    others = np.arange(1, table.n_points)
    is_changed = groups(before, others) != groups(now, others)
    told = changes(before, now)
    assert (0 in {change.node for change in told}) == is_changed
    if is_changed:
        assert len(told) == 1, "below a changed root everything is new"


@given(table=drawings(), algorithm=st.sampled_from(["CART", "C4.5"]))
@law(20)
def test_nothing_changed_without_a_move(table, algorithm):
    assume(has_something_to_predict(table))
    recipe = recipe_of("CART" if table.is_regression else algorithm, None)
    assert changes(grow_drawn(table, recipe), grow_drawn(table, recipe)) == []


def test_the_sentence_has_both_splits_and_their_numbers():
    """Four points of A to the left, four of B to the right; then one of B goes to the left, below all others."""
    left = [(10, 50, 0), (12, 60, 0), (14, 70, 0), (16, 80, 0)]
    right = [(80, 10, 1), (82, 20, 1), (84, 30, 1), (86, 75, 1)]
    before = grow_drawn(drawn(*left, *right), recipe_of("CART", 3))
    now = grow_drawn(drawn(*left, (5, 10, 1), *right[1:3], (86, 35, 1)), recipe_of("CART", 3))
    (change,) = changes(before, now)
    assert change.node == 0
    # y ≤ 4.25 divides the classes: Gini ½ → 0. x ≤ 4.9 leaves A4 B1 and B3: 5/8 · 8/25 = 1/5, a decrease of 0.3.
    assert change.text == "Root: y ≤ 4.25 (Gini decrease 0.500) overtook x ≤ 4.9 (0.300)."


def test_a_threshold_that_moves_with_its_point_is_no_change():
    points = [(10, 50, 0), (20, 50, 0), (60, 50, 1), (70, 50, 1)]
    before = grow_drawn(drawn(*points), recipe_of("CART", 3))
    now = grow_drawn(drawn(points[0], (30, 50, 0), *points[2:]), recipe_of("CART", 3))
    assert before.tree.threshold[0] != now.tree.threshold[0]
    assert changes(before, now) == []


def test_a_node_that_becomes_a_leaf_says_why():
    points = [(10, 50, 0), (20, 50, 0), (60, 50, 1), (70, 50, 1), (80, 90, 0)]
    before = grow_drawn(drawn(*points), recipe_of("CART", 3))
    now = grow_drawn(drawn(*points[:4], (5, 90, 0)), recipe_of("CART", 3))
    (change,) = changes(before, now)
    assert (change.node, change.text) == (2, "Node 2 is a leaf now (pure: all rows agree).")


@given(table=drawings(targets=("2", "3"), least=6), place=st.tuples(st.integers(0, 1000), st.integers(0, 1000)))
@law(60)
def test_what_overtook_has_at_least_the_number_of_the_other(table, place):
    assume(has_something_to_predict(table))
    for algorithm in ("CART", "C4.5"):
        recipe = recipe_of(algorithm, 3)
        for change in changes(grow_drawn(table, recipe), grow_drawn(moved(table, 0, *place), recipe)):
            numbers = re.search(r"\([a-zA-Z ]*([\d.]+)\) overtook .*\(([\d.]+)\)\.$", change.text)
            assert numbers is None or float(numbers[1]) >= float(numbers[2])
