"""Every node on held-out rows: beside sums row by row, and on the training rows the numbers of the tree."""

import numpy as np
import pandas as pd
import pytest

import explorer as ex
from explorer.evaluation.held_out_nodes import held_out_nodes
from explorer.recipe.impurity import IMPURITIES

RECIPES = {
    "CART": ex.CART.replace(min_rows_leaf=5),
    "fractional": ex.C45.replace(min_rows_leaf=3),
    "each value": ex.ID3.replace(max_depth=4, missing="own_branch"),
}


def parts(numeric=False, gaps=0.0, seed=0):
    random = np.random.default_rng(seed)
    x, z = random.random(300).round(2), random.integers(4, size=300)
    frame = pd.DataFrame({"x": x, "z": np.array(list("abcd"))[z]})
    frame["x"] = frame["x"].where(random.random(300) >= gaps)
    frame["y"] = (
        x + random.random(300) if numeric else np.where(x + random.random(300) > 1, "p", np.where(z > 1, "q", "r"))
    )
    return ex.Dataset.from_frame(frame, "y").split(0.6, seed=seed)


def by_rows(tree, data, node):
    """The rows at a node as pandas selects them, each with its weight there."""
    rows, ends, shares = tree.routes(data)
    inside = np.array([node in above(tree, end) for end in ends])
    return pd.DataFrame({"y": data.frame["y"].to_numpy()[rows[inside]], "w": shares[inside], "end": ends[inside]})


def above(tree, node):
    while node >= 0:
        yield node
        node = tree.parent[node]


@pytest.mark.parametrize("recipe", RECIPES.values(), ids=RECIPES)
@pytest.mark.parametrize("gaps", [0.0, 0.2])
def test_classes_and_scores_are_those_of_the_rows(recipe, gaps):
    train, valid = parts(gaps=gaps)
    tree = ex.grow(train, recipe)
    nodes = held_out_nodes(tree, valid)
    assert nodes.weight[0] == pytest.approx(valid.n_rows)
    for node in range(tree.n_nodes_grown):
        rows = by_rows(tree, valid, node)
        weights = rows.groupby("y")["w"].sum().reindex(tree.classes, fill_value=0.0)
        np.testing.assert_allclose(nodes.stats[node, :-1], weights, atol=1e-9)
        if not len(rows):
            assert np.isnan(nodes.score[node])
            continue
        label = tree.classes[tree.labels[node]]
        assert nodes.score[node] == pytest.approx(weights[label] / weights.sum())
        assert nodes.differs[node] == (weights.max() > weights[label] + 1e-12)


def squared_error(tree, node, truth):
    if tree.is_regression:
        return (truth - tree.values[node]) ** 2
    one_hot = np.array([name == truth for name in tree.classes])
    return ((one_hot - tree.shares[node]) ** 2).sum()


@pytest.mark.parametrize("numeric", [False, True])
@pytest.mark.parametrize("gaps", [0.0, 0.2])
def test_the_decrease_is_the_squared_error_that_the_split_takes_off(numeric, gaps):
    train, valid = parts(numeric, gaps)
    tree = ex.grow(train, (ex.CART if numeric or not gaps else ex.C45).replace(min_rows_leaf=8))
    nodes = held_out_nodes(tree, valid)
    assert np.isnan(nodes.decrease[~tree.is_inner]).all()
    for node in np.flatnonzero(tree.is_inner):
        rows = by_rows(tree, valid, node)
        if not len(rows):
            continue
        path = [[*above(tree, end)] for end in rows["end"]]
        goes_to = [steps[steps.index(node) - 1] if steps[0] != node else node for steps in path]
        off = [
            squared_error(tree, node, y) - squared_error(tree, child, y)
            for y, child in zip(rows["y"], goes_to, strict=True)
        ]
        assert nodes.decrease[node] == pytest.approx(np.average(off, weights=rows["w"]))
    assert (nodes.gains_nothing == (nodes.decrease <= 1e-12)).all()
    assert nodes.gains_nothing.any(), "deep splits fit noise"


@pytest.mark.parametrize("numeric", [False, True])
def test_on_the_training_rows_they_are_the_numbers_of_the_tree(numeric):
    train, _ = parts(numeric)
    tree = ex.grow(train, ex.CART.replace(min_rows_leaf=5))
    nodes = held_out_nodes(tree, train)
    assert not nodes.differs.any()
    np.testing.assert_allclose(nodes.weight, tree.weight)
    for node in np.flatnonzero(tree.is_inner):
        gain = ex.decide(tree, train, node).chosen.gain
        assert nodes.decrease[node] == pytest.approx(gain)
    if numeric:
        assert IMPURITIES[tree.recipe.impurity_for(True)].name == "variance"
        np.testing.assert_allclose(
            nodes.score, [tree.node(node).impurity for node in range(tree.n_nodes_grown)], atol=1e-12
        )


def test_a_pruned_tree_ends_where_it_was_pruned_and_a_class_unseen_in_training_is_never_right():
    train, valid = parts()
    pruned = ex.prune_at_alpha(ex.grow(train, ex.CART), 0.02)
    nodes, leaf = held_out_nodes(pruned, valid), int(np.flatnonzero(pruned.is_pruned)[0])
    assert np.isnan(nodes.decrease[leaf])
    assert nodes.stats[0].sum() == valid.n_rows
    whole = ex.Dataset.from_frame(pd.DataFrame({"x": [1, 1, 2, 2, 2], "y": list("aabcc")}), "y")
    tree = ex.grow(whole.take([0, 1, 2]), ex.CART)
    unseen = held_out_nodes(tree, whole.take([3, 4]))
    assert unseen.stats[0].tolist() == [0, 0, 0, 2] or unseen.score[0] == 0
    assert unseen.differs[0]
