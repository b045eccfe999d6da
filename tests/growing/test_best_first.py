"""Trees of at most so many leaves: scikit-learn's best-first trees, a queue by definition, choices by hand."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import explorer as ex
from explorer.compiling import compiling
from explorer.growing.best_first import split_left_out
from explorer.recipe.parameters import MOST_LEAVES
from tests.oracles import bridge, brute_force
from tests.oracles.examples import law

TENNIS = ex.Dataset.from_frame(ex.load_sample("play_tennis").frame, "PlayTennis")


def tie_free(seed: int, classes: int) -> tuple[np.ndarray, np.ndarray]:
    """Numbers exact in 32 bits, all different in every column, and a target with noise; numbers without classes."""
    draw = np.random.default_rng(seed)
    X = draw.permuted(np.tile(np.arange(900.0), (4, 1)), axis=1).T / 8
    signal = X[:, 0] * X[:, 1] / 40 + X[:, 2] + draw.normal(0, 25, 900)
    if not classes:
        return X, signal
    return X, np.searchsorted(np.quantile(signal, np.arange(1, classes) / classes), signal)


@pytest.mark.parametrize("leaves", [2, 3, 7, 20])
@pytest.mark.parametrize("classes", [0, 2, 3])
@pytest.mark.parametrize("seed", range(4))
def test_scikit_learn_splits_in_the_same_order(seed, classes, leaves):
    X, y = tie_free(seed, classes)
    weights = np.random.default_rng(seed).uniform(0.5, 2.0, len(y))  # so that no two decreases are equal
    frame = pd.DataFrame(X, columns=list("abcd")).assign(y=y if not classes else np.array(list("uvw"))[y], w=weights)
    tree = ex.grow(ex.Dataset.from_frame(frame, "y", weights="w"), ex.CART.replace(max_leaf_nodes=leaves))
    kind = DecisionTreeClassifier if classes else DecisionTreeRegressor
    peer = kind(max_leaf_nodes=leaves, random_state=0).fit(X, y, weights)
    assert tree.n_leaves == peer.get_n_leaves() == leaves
    pairs = set(zip(tree.apply(frame).tolist(), peer.apply(X).tolist(), strict=True))
    assert len(pairs) == leaves


def queue_by_definition(tree: ex.Tree, most: int) -> set[tuple[int, ...]]:
    """The places split when always the open leaf with the largest decrease that still fits is split."""

    def decrease(node: int) -> float:
        total = tree.weight * tree.impurity
        return float(total[node] - sum(total[child] for child in tree.children_of(node)))

    waiting, leaves, made = [0] if tree.feature[0] >= 0 else [], 1, set()
    margin = 1e-9 * max(float(tree.weight[0] * tree.impurity[0]), 1e-300)
    while waiting:
        largest = max(decrease(node) for node in waiting)
        node = min(node for node in waiting if decrease(node) >= largest - margin)
        waiting.remove(node)
        added = len(tree.children_of(node)) - 1
        if leaves + added <= most:
            leaves += added
            made.add(tree.place(node).path)
            waiting += [child for child in tree.children_of(node) if tree.feature[child] >= 0]
    return made


@st.composite
def cases(draw: st.DrawFn):
    """A random table, a recipe for it and a number of leaves."""
    sample = draw(bridge.samples(weights="any"))
    rules = draw(bridge.rules_for(sample))
    assume(len(brute_force.training_rows(sample, rules)) > 1)
    return bridge.to_dataset(sample), bridge.to_recipe(rules), draw(st.integers(2, 9))


@law(60)
@given(cases())
def test_the_tree_is_that_of_a_queue_and_its_ids_are_breadth_first(case):
    data, recipe, most = case
    full, cut = ex.grow(data, recipe), ex.grow(data, recipe.replace(max_leaf_nodes=most))
    assert {cut.place(n).path for n in np.flatnonzero(cut.feature >= 0)} == queue_by_definition(full, most)
    assert cut.n_leaves <= most
    assert (np.diff(cut.depth) >= 0).all()
    assert (np.diff(cut.parent[1:]) >= 0).all()
    for node in np.flatnonzero(cut.stop == MOST_LEAVES):
        assert cut.node(int(node)).stop_reason == "maximum number of leaves reached"
    with compiling():
        by_definition = ex.grow(data, recipe.replace(max_leaf_nodes=most))
    assert [cut.place(n) for n in range(cut.n_nodes_grown)] == [
        by_definition.place(n) for n in range(by_definition.n_nodes_grown)
    ]
    assert cut.stop.tolist() == by_definition.stop.tolist()


def test_as_many_leaves_as_there_are_change_nothing():
    full = ex.grow(TENNIS, ex.CART)
    same = ex.grow(TENNIS, ex.CART.replace(max_leaf_nodes=full.n_leaves))
    assert same.to_dict()["feature"] == full.to_dict()["feature"]
    assert MOST_LEAVES not in same.stop


def test_a_split_of_many_branches_that_does_not_fit_gives_way_to_one_that_does():
    # Outlook has three branches, so two leaves are too few for it; the root stays a leaf.
    assert ex.grow(TENNIS, ex.ID3.replace(max_leaf_nodes=2)).n_leaves == 1
    assert ex.grow(TENNIS, ex.ID3.replace(max_leaf_nodes=3)).n_leaves == 3
    assert ex.grow(TENNIS, ex.ID3.replace(max_leaf_nodes=4)).n_leaves == 4


def test_a_decision_tells_what_the_split_left_out_would_have_been():
    tree = ex.grow(TENNIS, ex.CART.replace(max_leaf_nodes=3))
    node = int(np.flatnonzero(tree.stop == MOST_LEAVES)[0])
    decision = ex.decide(tree, TENNIS, node)
    assert decision.chosen is None
    assert decision.stop_reason == "maximum number of leaves reached"
    assert decision.winner is not None
    left_out = split_left_out(tree, node, decision.winner.gain)
    assert left_out is not None
    assert left_out.decrease == pytest.approx(tree.weight[node] / 14 * decision.winner.gain)
    gains = [tree.weight[n] / 14 * ex.decide(tree, TENNIS, n).chosen.gain for n in np.flatnonzero(tree.feature >= 0)]
    assert left_out.least_made == pytest.approx(min(gains))
    assert left_out.decrease <= left_out.least_made
    assert split_left_out(tree, 0, 1.0) is None
    assert "use up the leaves" in ex.splitting_sentence(tree, decision, node)


def test_splits_by_hand_are_made_first():
    choices = ex.Choices().force((), "Wind").force((0,), "Temperature")
    tree = ex.grow(TENNIS, ex.CART.replace(max_leaf_nodes=2), choices=choices)
    assert tree.condition(0).feature == "Wind"
    assert tree.condition(1).feature == "Temperature"
    assert tree.n_leaves == 3
    assert [status.reason for status in ex.constraint_statuses(tree)] == ["", ""]


def test_what_is_kept_beside_the_nodes_stays_with_them():
    data = ex.Dataset.from_frame(ex.load_sample("titanic").frame.head(300), "survived")
    tree = ex.grow(data, ex.CART.replace(max_leaf_nodes=6), keep_candidates=True)
    assert tree.evidence is not None
    assert len(tree.evidence.gain) == tree.n_nodes_grown == 11
    for node in np.flatnonzero(tree.feature >= 0):
        best = ex.decide(tree, data, int(node)).best
        names = [usage.name for usage in tree.features]
        assert tree.evidence.gain[node, names.index(tree.condition(node).feature)] == pytest.approx(
            best[tree.condition(node).feature].gain
        )


@pytest.mark.parametrize("most", [0, 1, -3, 2.5, True, "many"])
def test_fewer_than_two_leaves_are_refused(most):
    with pytest.raises(ex.InputError, match=r"max_leaf_nodes.*whole number from 2"):
        ex.CART.replace(max_leaf_nodes=most)
