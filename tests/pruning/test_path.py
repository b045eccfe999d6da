"""Cost-complexity pruning: hand numbers, brute force over all prunings, and the laws of the sequence."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.errors import InputError
from explorer.pruning import cost_complexity_path, node_risk, prune_at_alpha
from tests.oracles.golden_walk import GOLDEN, GOLDEN_RISKS, GOLDEN_TREES, from_golden
from tests.oracles.handmade import BINARY_TENNIS, COUNTEREXAMPLE_1, Knot, knot, knots, tree_of
from tests.oracles.pruning import ADDITIVE, Book


def node_at(tree, name: str) -> int:
    """The id of a golden node: "rootLR" is the second branch of the first branch."""
    node = 0
    for side in name.removeprefix("root"):
        node = tree.node(node).children["LR".index(side)]
    return node


@pytest.mark.parametrize(("table", "name", "risk"), GOLDEN_TREES)
def test_golden_sequences(table, name, risk):
    entry = GOLDEN[table][name]
    tree = tree_of(from_golden(entry["tree"]), "variance" if name == "cart" else "gini")
    path = cost_complexity_path(tree, GOLDEN_RISKS[risk])
    sequence = entry["cost_complexity"][risk]["sequence"]
    total = tree.weight[0] if risk == "sse" else 1.0
    alphas = [float(Fraction(step["alpha_exact"])) for step in sequence]
    assert path.alphas == pytest.approx(alphas, rel=1e-8, abs=1e-12)
    assert list(path.n_leaves) == [step["leaves"] for step in sequence]
    assert path.risks == pytest.approx([step["total_risk"] for step in sequence], abs=1e-9 * total)
    for step in sequence:
        for pruned in step["pruned"]:
            assert path.collapse_alpha[node_at(tree, pruned)] == pytest.approx(step["alpha"], abs=1e-9 * total)


def test_play_tennis_by_hand():
    path = cost_complexity_path(tree_of(BINARY_TENNIS))
    assert path.alphas == pytest.approx([0, 2 / 35, 113 / 980], rel=1e-12)
    assert list(path.n_leaves) == [7, 3, 1]
    assert path.risks == pytest.approx([0, 8 / 35, 45 / 98], rel=1e-12)
    assert path.midpoints == pytest.approx([0, np.sqrt(2 / 35 * 113 / 980), np.inf])
    assert [path.position(alpha) for alpha in (0, 0.05, 2 / 35, 0.1, 113 / 980, np.inf)] == [0, 0, 1, 1, 2, 2]
    assert [path.subtree(leaves=n).n_leaves for n in (9, 7, 6, 3, 2, 1)] == [7, 7, 3, 3, 1, 1]
    assert [path.subtree(position=k).n_leaves for k in (0, 1, 2, -1)] == [7, 3, 1, 1]


def test_free_collapses_make_a_second_entry_at_zero():
    path = cost_complexity_path(tree_of(knot((0, 7), knot((6, 0), (1, 0)))), "error")
    assert path.alphas == pytest.approx([0, 0, 1 / 2])
    assert list(path.n_leaves) == [3, 2, 1]
    assert path.subtree(0.0).n_leaves == 2
    assert path.subtree(position=0).n_leaves == 3


def test_a_tree_of_one_leaf_has_one_subtree():
    path = cost_complexity_path(tree_of(Knot((3, 2))))
    assert (list(path.alphas), list(path.n_leaves), list(path.midpoints)) == ([0], [1], [np.inf])
    assert path.risks == pytest.approx([0.48])


def test_a_node_may_collapse_later_on_its_own_than_with_its_ancestor():
    path = cost_complexity_path(tree_of(knot((5, 5), knot((0, 9), (9, 0)))))
    assert path.alphas == pytest.approx([0, (0.5 - 10 / 28 * 0.5) / 2])
    assert path.collapse_alpha[2] == pytest.approx(18 / 28 * 0.5)


def test_losses_divided_by_the_own_node_are_not_nested():
    tree = tree_of(COUNTEREXAMPLE_1)
    between = [0.1, 2 / 9 + 1e-6, 0.24, 12 / 49 + 1e-6, 0.25, 16 / 63 + 1e-6]
    assert [prune_at_alpha(tree, alpha, "per_node").n_leaves for alpha in between] == [3, 1, 1, 2, 2, 1]
    path = cost_complexity_path(tree, "per_node")
    assert path.alphas == pytest.approx([0, 2 / 9])
    assert list(path.n_leaves) == [3, 1]
    assert cost_complexity_path(tree).alphas == pytest.approx([0, 4 / 21, 16 / 63])


def test_risks_of_one_node():
    tree = tree_of(BINARY_TENNIS)
    assert node_risk(tree, "impurity")[0] == pytest.approx(45 / 98)
    assert node_risk(tree, "error")[0] == pytest.approx(5 / 14)
    assert node_risk(tree, "unnormalised")[2] == pytest.approx(5)
    assert node_risk(tree, "per_node")[2] == pytest.approx(0.5)
    sums = tree_of(Knot((4, 2.0, 6.0), [Knot((2, 1.0, 1.0)), Knot((2, 3.0, 1.0))]), "variance")
    assert list(node_risk(sums, "impurity")) == [1.5, 0.25, 0.25]
    assert list(node_risk(sums, "unnormalised")) == [6, 1, 1]
    assert list(node_risk(sums, "per_node")) == [1.5, 0.5, 0.5]


@pytest.mark.parametrize(
    ("call", "fact"),
    [
        (lambda tree: cost_complexity_path(tree, "gini"), "no risk called 'gini'"),
        (lambda tree: prune_at_alpha(tree, -1.0), "penalty of a leaf"),
        (lambda tree: prune_at_alpha(tree, float("nan")), "penalty of a leaf"),
        (lambda tree: cost_complexity_path(tree).subtree(), "exactly one"),
        (lambda tree: cost_complexity_path(tree).subtree(0.1, leaves=2), "exactly one"),
        (lambda tree: cost_complexity_path(tree).subtree(position=3), "no.* position 3"),
        (lambda tree: cost_complexity_path(tree).subtree(leaves=0), "at least 1 leaf"),
        (lambda tree: cost_complexity_path(tree).best([0.1, 0.2, 0.3], "r2"), "no metric called 'r2'"),
        (lambda tree: cost_complexity_path(tree).best([0.1, 0.2, 0.3], "mse"), "does not suit the categorical"),
    ],
)
def test_errors_name_the_fact(call, fact):
    with pytest.raises(InputError, match=fact):
        call(tree_of(BINARY_TENNIS))


def test_misclassified_rows_need_classes():
    with pytest.raises(InputError, match="numeric"):
        node_risk(tree_of(Knot((4, 2.0, 6.0)), "variance"), "error")


def test_best_takes_the_simpler_of_equal_trees():
    path = cost_complexity_path(tree_of(BINARY_TENNIS))
    assert path.best([0.7, 0.7, 0.6]) == 1
    assert path.best([0.2, 0.1 + 0.2, 0.3], "error") == 0
    assert path.best([0.5, 0.1 + 0.2, 0.3], "log_loss") == 2


@given(knots(3), st.sampled_from([*ADDITIVE, "per_node"]))
def test_the_sequence_is_the_books(root, risk):
    book, path = Book(root, risk), cost_complexity_path(tree_of(root), risk)
    sequence = book.weakest_links()
    if len(sequence) > 1 and sequence[1][0] == 0:
        assert path.alphas[1] == 0
    assert path.alphas == pytest.approx([float(alpha) for alpha, _ in sequence], rel=1e-12)
    assert [set(path.subtree(position=k).leaves()) for k in range(len(path))] == [leaves for _, leaves in sequence]
    n_weighted = Book(root, "impurity" if risk == "per_node" else risk)
    assert path.risks == pytest.approx([float(n_weighted.cost(0, leaves)) for _, leaves in sequence], abs=1e-12)


@given(knots(), st.sampled_from(ADDITIVE))
def test_every_subtree_is_the_best_of_all_prunings(root, risk):
    book, tree = Book(root, risk), tree_of(root)
    path = cost_complexity_path(tree, risk)
    steps = [alpha for alpha, _ in book.weakest_links()]
    for alpha in [*steps, *((low + high) / 2 for low, high in pairwise(steps)), steps[-1] + 1]:
        best = book.best_pruning(alpha)
        assert set(path.subtree(float(alpha)).leaves()) == best
        assert set(prune_at_alpha(tree, float(alpha), risk).leaves()) == best


@given(knots(), st.fractions(0, 1, max_denominator=97))
def test_bottom_up_with_own_node_losses(root, alpha):
    pruned = prune_at_alpha(tree_of(root), float(alpha), "per_node")
    assert set(pruned.leaves()) == Book(root, "per_node").bottom_up(alpha)


@given(knots(3), st.sampled_from(ADDITIVE), st.floats(0, 5))
def test_a_fixed_alpha_and_the_sequence_agree(root, risk, alpha):
    tree = tree_of(root, "entropy")
    path = cost_complexity_path(tree, risk)
    assert list(prune_at_alpha(tree, alpha, risk).leaves()) == list(path.subtree(alpha).leaves())
    for k, midpoint in enumerate(path.midpoints):
        assert list(prune_at_alpha(tree, midpoint, risk).leaves()) == list(path.subtree(midpoint).leaves())
        assert path.position(midpoint) == k or path.alphas[k] == 0


@given(knots(3), st.sampled_from([*ADDITIVE, "per_node"]))
def test_subtrees_are_nested_and_risks_rise(root, risk):
    path = cost_complexity_path(tree_of(root, "entropy"), risk)
    trees = [path.subtree(position=k) for k in range(len(path))]
    assert all((small.is_kept <= large.is_kept).all() for large, small in pairwise(trees))
    assert [tree.n_leaves for tree in trees] == list(path.n_leaves)
    assert (np.diff(path.n_leaves) < 0).all()
    assert (np.diff(path.alphas[1:]) > 0).all()
    assert (np.diff(path.risks) >= -1e-12 * path.risks[-1]).all()
    assert trees[-1].n_leaves == 1


@given(knots(3), st.sampled_from([*ADDITIVE, "per_node"]), st.data())
def test_pruning_goes_on_from_a_pruned_tree(root, risk, data):
    path = cost_complexity_path(tree_of(root), risk)
    start = data.draw(st.integers(0, len(path) - 1))
    rest = cost_complexity_path(path.subtree(position=start), risk)
    later = list(range(start, len(path)))
    assert list(rest.n_leaves) == list(path.n_leaves[later])
    assert rest.alphas[1:] == pytest.approx(path.alphas[later[1:]], rel=1e-12)
    assert set(rest.subtree(position=0).leaves()) == set(path.subtree(position=start).leaves())


def test_a_chain_of_many_nodes_needs_no_recursion():
    root = knot((1, 0), (0, 1))
    for step in range(20_000):
        root = Knot((root.stats[0] + step % 2, root.stats[1] + 1 - step % 2), [Knot((step % 2, 1 - step % 2)), root])
    path = cost_complexity_path(tree_of(root))
    assert path.n_leaves[0] == 20_002
    assert path.risks[-1] == pytest.approx(0.5, abs=1e-3)
