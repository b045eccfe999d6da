"""What every link weighs when it breaks: golden collapse α, the books' numbers, and brute force with fractions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.pruning import RISKS, cost_complexity_path
from explorer.pruning.cost_complexity.weakest_links import links
from tests.oracles.golden_walk import GOLDEN, GOLDEN_RISKS, GOLDEN_TREES, from_golden
from tests.oracles.handmade import BINARY_TENNIS, COUNTEREXAMPLE_1, Knot, knot, knots, tree_of
from tests.oracles.pruning import Book


def breaking(path):
    """The nodes that collapse by themselves."""
    return np.flatnonzero((path.collapse_position > 0) & (path.collapse_position == path.leaf_from))


@pytest.mark.parametrize(("table", "name", "risk"), GOLDEN_TREES)
def test_the_strength_of_every_golden_link_is_its_critical_alpha(table, name, risk):
    tree = tree_of(from_golden(GOLDEN[table][name]["tree"]), "variance" if name == "cart" else "gini")
    path = cost_complexity_path(tree, GOLDEN_RISKS[risk])
    found, nodes = links(path), breaking(path)
    scale = tree.weight[0] if risk == "sse" else 1.0
    assert found.link_strength[nodes] == pytest.approx(path.collapse_alpha[nodes], rel=1e-9, abs=1e-12 * scale)
    assert (np.flatnonzero(found.leaves_below) == nodes).all()
    assert (np.isfinite(found.risk_below) == (found.leaves_below > 0)).all()


def test_play_tennis_by_hand():
    # both nodes of five days go together at 2/35, each from three leaves without risk; then the root from three leaves;
    # the nodes of two days (1/14 > 2/35) and the one of ten (9/70 > 113/980) would outlive the nodes above them
    found = links(cost_complexity_path(tree_of(BINARY_TENNIS)))
    assert {t: n for t, n in enumerate(found.leaves_below.tolist()) if n} == {0: 3, 3: 3, 4: 3}
    assert found.risk_below[[0, 3, 4]] == pytest.approx([8 / 35, 0, 0])
    assert found.link_strength[[0, 3, 4]] == pytest.approx([113 / 980, 2 / 35, 2 / 35])


def test_own_node_losses_by_hand():
    # R(root) = 4/9 over three pure leaves; the node of seven rows would go at 12/49, but the root goes first, at 2/9
    found = links(cost_complexity_path(tree_of(COUNTEREXAMPLE_1), "per_node"))
    assert found.risk[:2] == pytest.approx([4 / 9, 12 / 49])
    assert found.risk_below[0] == 0
    assert list(found.leaves_below) == [3, 0, 0, 0, 0]
    assert found.link_strength[0] == pytest.approx(2 / 9)


@given(knots(3), st.sampled_from(RISKS))
def test_links_are_the_books(root, risk):
    book, path = Book(root, risk), cost_complexity_path(tree_of(root), risk)
    found, collapsed, before = links(path), set(), {}
    while inner := book.inner_below(0, collapsed):
        prices = {node: book.price(node, collapsed) for node in inner}
        weakest = [node for node in inner if prices[node] == min(prices.values())]
        before |= {node: book.leaves_below(node, collapsed) for node in weakest}
        collapsed |= set(weakest)
    assert {int(t): int(found.leaves_below[t]) for t in breaking(path)} == {t: len(b) for t, b in before.items()}
    for node, leaves in before.items():
        assert found.risk[node] == pytest.approx(float(book.risk[node]))
        assert found.risk_below[node] == pytest.approx(float(book.cost(node, leaves)), abs=1e-12)


def test_a_tree_of_one_leaf_has_no_link():
    found = links(cost_complexity_path(tree_of(Knot((3, 2)))))
    assert (list(found.leaves_below), np.isnan(found.risk_below).all()) == ([0], True)


def test_a_pruned_tree_has_the_links_that_are_left():
    path = cost_complexity_path(tree_of(knot((5, 5), knot((0, 9), (9, 1), knot((1, 1), (2, 0))))))
    whole, rest = links(path), links(cost_complexity_path(path.subtree(position=1)))
    kept = np.flatnonzero(rest.leaves_below)
    assert kept.size
    assert (rest.leaves_below[kept] == whole.leaves_below[kept]).all()
    assert rest.risk_below[kept] == pytest.approx(whole.risk_below[kept])
