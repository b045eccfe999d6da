"""Pruning by description length: bits by hand, the shortest of all prunings by brute force, and laws."""

from math import comb, log2

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import explorer as ex
from explorer.growing.training_rows import values_at_nodes
from tests.oracles import bridge
from tests.oracles.golden_walk import dataset_of
from tests.oracles.handmade import knot, knots, tree_of


def leaf_bits(counts):
    """A node as a leaf, whole counts: 1 + log2 K, then log2(N + 1) + log2 C(N, E) + E·log2(K − 1)."""
    rows, errors, classes = int(sum(counts)), int(sum(counts) - max(counts)), len(counts)
    return 1 + log2(classes), log2(rows + 1) + log2(comb(rows, errors)) + errors * log2(classes - 1)


def test_play_tennis_by_hand():
    data = dataset_of("play_tennis")
    tree = ex.grow(data, ex.ID3)
    steps = {step.node: step for step in ex.mdl_steps(tree)}
    sunny = steps[1]  # 5 days, 2 of them Yes; Humidity, one of 3 features left, parts them into 3 and 2
    assert sunny.tree_bits_as_leaf == 2
    assert sunny.exception_bits_as_leaf == pytest.approx(log2(6) + log2(10))
    assert sunny.tree_bits_below == pytest.approx(1 + log2(3) + 2 * 2)
    assert sunny.exception_bits_below == pytest.approx(log2(4) + log2(3))
    assert sunny.bits_below > sunny.bits_as_leaf == pytest.approx(2 + log2(60))
    assert sunny.pruned
    # Outlook at the root, one of 4: 1 + 2 bits, and three leaves of 5, 4 and 5 days with 2, 0 and 2 exceptions
    root = steps[0]
    assert root.tree_bits_below == pytest.approx(3 + 3 * 2)
    assert root.exception_bits_below == pytest.approx(2 * log2(60) + log2(5))
    assert root.bits_as_leaf == pytest.approx(2 + log2(15) + log2(comb(14, 5)))
    assert root.bits_as_leaf < root.bits_below
    assert ex.mdl_prune(tree).n_leaves == 1
    assert root.text == (
        "Node 0: tree and exceptions take 2.00 + 14.87 = 16.87 bits with a leaf and 9.00 + 14.14 = 23.14 bits with its "
        "3 leaves: pruned to a leaf."
    )


@pytest.mark.parametrize(
    ("categorical", "tests"), [("each_value", 1), ("one_vs_rest", 3), ("subset", 3)], ids=lambda v: str(v)
)
def test_naming_a_test_of_a_category(categorical, tests):
    data = dataset_of("play_tennis")  # Outlook has three values: 3 ways to take one out, 2² − 1 groupings
    tree = ex.grow(data, ex.CART.replace(categorical=categorical, impurity="entropy"))
    assert tree.node(0).condition.feature == "Outlook"
    assert ex.description_bits(tree).test[0] == pytest.approx(log2(4) + log2(tests))


def test_two_values_have_one_test():
    data = dataset_of("play_tennis")
    tree = ex.grow(data.take(data.frame["Outlook"].to_numpy() == "Sunny"), ex.CART.replace(categorical="one_vs_rest"))
    assert tree.node(0).condition.feature == "Humidity"
    assert ex.description_bits(tree).test[0] == pytest.approx(log2(4))


def test_a_feature_used_up_is_not_named_again():
    tree = ex.grow(dataset_of("play_tennis"), ex.ID3)
    bits = ex.description_bits(tree).test
    assert [float(bits[t]) for t in range(3)] == pytest.approx([log2(4), log2(3), 0])


def test_naming_a_threshold():
    # six temperatures: five thresholds; with one of them twice, four, but six rows could have five
    table = b"t,y\n40,N\n48,N\n60,Y\n72,Y\n80,Y\n80,Y\n"
    data = ex.Dataset.from_frame(ex.read_table(table, name="t.csv").frame, "y", ["t"])
    tree = ex.grow(data, ex.CART)
    assert ex.description_bits(tree).test[0] == pytest.approx(log2(5))
    assert ex.description_bits(tree, data).test[0] == pytest.approx(log2(4))


def test_three_classes_pay_for_naming_the_right_one():
    tree = tree_of(knot((5, 2, 1), (0, 1, 3)))
    bits = ex.description_bits(tree)
    assert float(bits.label[1]) == pytest.approx(log2(3))
    assert float(bits.exceptions[1]) == pytest.approx(log2(9) + log2(comb(8, 3)) + 3)


def test_numbers_are_refused():
    data = ex.Dataset.from_frame(ex.load_sample("lihang_8_2_regression").frame, "y")
    with pytest.raises(ex.InputError, match="counts classes, but the target 'y' is numeric"):
        ex.mdl_prune(ex.grow(data, ex.CART))
    with pytest.raises(ex.InputError, match=r"MDL \(description length\) counts classes: remove mdl_stop"):
        ex.grow(data, ex.CART.replace(mdl_stop=True))


def prunings(tree, node=0):
    """Every set of leaves below a node."""
    yield [node]
    below = tree.node(node).children
    if below:
        parts = [[]]
        for child in below:
            parts = [[*left, *right] for left in parts for right in prunings(tree, child)]
        yield from parts


def length(tree, leaves):
    """Bits of a pruning whose features are each tested once (as in `tree_of`): all are named among those left."""
    inner = {above for leaf in leaves for above, _ in tree.path_to(leaf)}
    names = sum(1 + log2(len(tree.features) - int(tree.depth[t])) for t in inner)
    return names + sum(sum(leaf_bits(tree.stats[leaf])) for leaf in leaves)


@given(knots(3))
def test_the_pruned_tree_is_the_shortest_of_all(root):
    tree = tree_of(root)
    every = [(length(tree, leaves), len(leaves)) for leaves in prunings(tree)]
    found = ex.mdl_prune(tree).leaves().tolist()
    shortest = min(bits for bits, _ in every)
    assert length(tree, found) == pytest.approx(shortest, rel=1e-9)
    assert len(found) == min(count for bits, count in every if bits <= shortest * (1 + 1e-12))


@st.composite
def grown(draw):
    """A tree of classes on a random table, and its rows."""
    sample = draw(bridge.samples(regression=False, weights="whole"))
    data = bridge.to_dataset(sample)
    try:
        return ex.grow(data, bridge.to_recipe(draw(bridge.rules_for(sample)))), data
    except ex.InputError:
        assume(False)


@given(grown(), st.booleans())
def test_the_steps_add_up_and_end_at_the_pruned_tree(case, with_rows):
    tree, data = case
    train = data if with_rows else None
    bits, steps, pruned = ex.description_bits(tree, train), ex.mdl_steps(tree, train), ex.mdl_prune(tree, train)
    closed = np.zeros(tree.n_nodes_grown, dtype=bool)
    closed[[step.node for step in steps if step.pruned]] = True
    assert list(tree.with_pruned(closed).leaves()) == list(pruned.leaves())
    for step in steps:
        assert step.tree_bits_as_leaf + step.exception_bits_as_leaf == pytest.approx(bits.as_leaf[step.node])
        gap = step.bits_as_leaf - step.bits_below
        assert abs(gap) < 1e-9 or step.pruned == (gap < 0)
    leaves, inner = pruned.leaves(), pruned.is_kept & ~pruned.is_leaf
    whole = float(bits.as_leaf[leaves].sum() + bits.as_split[inner].sum())
    assert not steps or min(steps[-1].bits_as_leaf, steps[-1].bits_below) == pytest.approx(whole)
    every = tree.leaves()
    assert whole <= float(bits.as_leaf[every].sum() + bits.as_split[tree.feature >= 0].sum()) + 1e-9
    again = bridge.through_json(pruned)
    assert list(again.leaves()) == list(ex.mdl_prune(again, train).leaves()) == list(pruned.leaves())


@given(grown(), st.randoms(use_true_random=False))
def test_values_are_counted_at_every_node_whatever_the_order_of_rows(case, random):
    tree, data = case
    rows = list(range(data.n_rows))
    random.shuffle(rows)
    found = values_at_nodes(tree, data.take(rows))
    for node in range(tree.n_nodes_grown):
        condition, count = tree.condition(node), 0
        if condition is not None and condition.kind == "threshold":
            passing = tree.rows_at(data, node)
            count = data.frame[condition.feature].iloc[passing].nunique()
        assert found[node] == count


# -- as a stop -------------------------------------------------------------------------------------------------------

NOT_SHORTER = "no fewer bits than a leaf"


def test_outlook_is_not_worth_its_bits():
    data = dataset_of("play_tennis")
    tree = ex.grow(data, ex.ID3.replace(mdl_stop=True))
    assert tree.n_nodes_grown == 1
    assert NOT_SHORTER in tree.node(0).stop_reason
    decision = ex.decide(tree, data, 0)
    assert decision.chosen is None
    assert NOT_SHORTER in decision.stop_reason
    # 14 days, 5 exceptions; Outlook is one of 4 features and has leaves of 5, 4 and 5 days with 2, 0 and 2 exceptions
    found = decision.bits
    assert (found.tree_as_leaf, found.tree_as_split) == pytest.approx((2, 1 + 2 + 3 * 2))
    assert found.exceptions_as_leaf == pytest.approx(log2(15) + log2(comb(14, 5)))
    assert found.exceptions_as_split == pytest.approx(2 * log2(60) + log2(5))


def coins(rows):
    """So many rows, half of them good, separated by x and not by z."""
    lines = [f"{'ab'[i % 2]},{'uv'[i // 2 % 2]},{'good' if i % 2 else 'bad'}" for i in range(rows)]
    table = ex.read_table("\n".join(["x,z,y", *lines]).encode(), name="coins.csv")
    return ex.Dataset.from_frame(table.frame, "y", ["x", "z"])


@pytest.mark.parametrize("rows", [4, 16])
def test_a_split_is_made_once_it_saves_more_exceptions_than_it_costs(rows):
    # a leaf: 2 + log2(n + 1) + log2 C(n, n/2); the split by one of 2 features: 1 + 1 + 2·2 and twice log2(n/2 + 1)
    leaf, split = 2 + log2(rows + 1) + log2(comb(rows, rows // 2)), 6 + 2 * log2(rows // 2 + 1)
    assert (split < leaf) == (rows == 16)
    tree = ex.grow(coins(rows), ex.ID3.replace(mdl_stop=True))
    assert tree.n_leaves == (2 if split < leaf else 1)
    found = ex.decide(tree, coins(rows), 0).bits
    assert (found.as_leaf, found.as_split) == pytest.approx((leaf, split))


@given(grown())
def test_a_decision_has_the_bits_of_the_description(case):
    tree, data = case
    bits = ex.description_bits(tree, data)
    for node in np.flatnonzero(tree.feature >= 0):
        found = ex.decide(tree, data, int(node)).bits
        below = bits.as_leaf[list(tree.children_of(node))].sum()
        assert (found.as_leaf, found.as_split) == pytest.approx((bits.as_leaf[node], bits.as_split[node] + below))


@given(grown())
def test_the_stop_keeps_from_the_root_down_what_is_shorter(case):
    full, data = case
    tree = ex.grow(data, full.recipe.replace(mdl_stop=True))
    bits = ex.description_bits(full, data)
    pairs = [(0, 0)]  # the same node in the full tree and in the stopped one
    for there, here in pairs:
        below = list(full.children_of(there))
        saved = bits.as_leaf[there] - bits.as_split[there] - bits.as_leaf[below].sum() if below else 0.0
        if abs(saved) > 1e-9 or not below:
            assert (tree.feature[here] >= 0) == (saved > 0)
        if below and tree.feature[here] < 0:
            assert NOT_SHORTER in tree.node(here).stop_reason
        pairs += zip(below, tree.children_of(here), strict=False)
    assert len(pairs) >= tree.n_nodes_grown


def test_chi2_is_tested_before_the_validation_rows():
    data = dataset_of("play_tennis")
    every = ex.ID3.replace(mdl_stop=True, chi2_level=0.0, prepruning=True)
    assert "not significant" in ex.grow(data, every, data).node(0).stop_reason
    assert NOT_SHORTER in ex.grow(data, every.replace(chi2_level=None), data).node(0).stop_reason
