"""The order in which nodes are split: the books', by level, best first, and a reader's own."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import explorer as ex
from tests.oracles import bridge, brute_force
from tests.oracles.examples import law
from tests.oracles.golden_walk import dataset_of

ORDERS = ("depth_first", "breadth_first", "best_first")


def grown(name: str = "play_tennis", recipe: ex.Recipe = ex.ID3) -> ex.Tree:
    return ex.grow(dataset_of(name), recipe)


def any_tree(data: st.DataObject) -> ex.Tree:
    """A tree of a random table and recipe."""
    sample = data.draw(bridge.samples(weights="any"))
    rules = data.draw(bridge.rules_for(sample))
    assume(len(brute_force.training_rows(sample, rules)) > 1)
    return ex.grow(bridge.to_dataset(sample), bridge.to_recipe(rules))


def features_in(tree: ex.Tree, steps: ex.GrowingSteps) -> list[str]:
    return [tree.condition(node).text for node in steps.nodes]


def assert_valid(tree: ex.Tree, steps: ex.GrowingSteps) -> None:
    """Every internal node once, each after its parent; leaves and open leaves as in a tree grown by hand."""
    inner = np.flatnonzero(tree.feature >= 0)
    assert sorted(steps.nodes) == inner.tolist()
    assert [steps.step_of[node] for node in steps.nodes] == list(range(1, len(inner) + 1))
    assert not steps.step_of[tree.feature < 0].any()
    leaves = {0}
    for step in range(len(steps.nodes) + 1):
        assert steps.leaves(step).tolist() == sorted(leaves)
        assert steps.open_leaves(step).tolist() == sorted(node for node in leaves if tree.feature[node] >= 0)
        if step < len(steps.nodes):
            node = steps.nodes[step]
            leaves = (leaves - {node}) | set(tree.children_of(node))


def test_play_tennis_is_split_in_the_order_of_the_books():
    tree = grown()
    steps = ex.growing_steps(tree)
    assert features_in(tree, steps) == ["Outlook", "Humidity", "Wind"]
    assert [tree.place(node).branch_texts for node in steps.nodes] == [(), ("Outlook = Sunny",), ("Outlook = Rain",)]


def test_the_steps_of_a_pruned_tree_are_those_of_the_grown_tree():
    tree = grown()
    assert ex.growing_steps(tree.with_pruned(np.arange(tree.n_nodes_grown) == 1)).nodes == (0, 1, 3)


def test_a_single_leaf_has_no_steps():
    tree = grown(recipe=ex.ID3.replace(max_depth=0))
    steps = ex.growing_steps(tree, "best_first")
    assert steps.nodes == ()
    assert steps.leaves(0).tolist() == [0]
    assert steps.open_leaves(0).tolist() == []


@pytest.mark.parametrize("order", ORDERS)
@law(30)
@given(st.data())
def test_every_order_splits_each_node_after_its_parent(order, data):
    tree = any_tree(data)
    assert_valid(tree, ex.growing_steps(tree, order))
    open_root = ex.growing_steps(tree).nodes[:1]
    chosen = list(open_root)
    for _ in range(3):
        left = sorted({child for node in chosen for child in tree.children_of(node)} - set(chosen))
        left = [node for node in left if tree.feature[node] >= 0]
        chosen += [data.draw(st.sampled_from(left))] if left else []
    steps = ex.growing_steps(tree, order, first=chosen)
    assert_valid(tree, steps)
    assert list(steps.nodes[: len(chosen)]) == chosen


@law(30)
@given(st.data())
def test_best_first_takes_the_largest_weighted_decrease_of_all_open_leaves(data):
    tree = any_tree(data)
    steps = ex.growing_steps(tree, "best_first")
    total = tree.weight * tree.impurity
    for step, node in enumerate(steps.nodes):
        decreases = {i: total[i] - total[list(tree.children_of(i))].sum() for i in steps.open_leaves(step).tolist()}
        largest = max(decreases.values())
        tied = [i for i, decrease in decreases.items() if decrease >= largest - 1e-11 * max(total[0], 1e-9)]
        assert node in tied


@pytest.mark.parametrize("leaves", [2, 3, 5, 9, 16])
@pytest.mark.parametrize("is_regression", [False, True])
def test_best_first_is_scikit_learns_order(leaves, is_regression):
    """Limited to some leaves, scikit-learn splits the same nodes first."""
    rng = np.random.default_rng(4)
    X = rng.integers(0, 50, size=(300, 4)).astype(float)
    y = X[:, 0] * 3 + X[:, 1] + rng.normal(size=300) * 20
    kind = DecisionTreeRegressor if is_regression else DecisionTreeClassifier
    target = y if is_regression else np.digitize(y, [50, 90, 130])
    full = ex.Tree.from_sklearn(kind(random_state=0).fit(X, target))
    limited = ex.Tree.from_sklearn(kind(random_state=0, max_leaf_nodes=leaves).fit(X, target))
    steps = ex.growing_steps(full, "best_first")
    kept = {full.place(node).path for node in steps.nodes[: leaves - 1]}
    assert kept == {limited.place(int(node)).path for node in np.flatnonzero(limited.feature >= 0)}


def test_the_reader_splits_first_and_the_order_goes_on_from_there():
    tree = grown()
    assert ex.growing_steps(tree, first=(0, 3)).nodes == (0, 3, 1)


@pytest.mark.parametrize(
    ("first", "words"),
    [
        ((1,), "Node 1 does not exist until node 0 is split"),
        ((0, 0), "Node 0 is named twice"),
        ((0, 2), "Node 2 is a leaf"),
        ((0, 99), "no node 99"),
    ],
)
def test_a_node_that_is_not_open_is_refused(first, words):
    with pytest.raises(ex.InputError, match=words):
        ex.growing_steps(grown(), first=first)


def test_an_unknown_order_is_refused():
    with pytest.raises(ex.InputError, match="no order 'random': choose one of depth_first"):
        ex.growing_steps(grown(), "random")


def test_breadth_first_goes_level_by_level():
    tree = grown("watermelon_2_0")
    depths = [tree.node(node).depth for node in ex.growing_steps(tree, "breadth_first").nodes]
    assert all(above <= below for above, below in pairwise(depths))
