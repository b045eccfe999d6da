"""The weakest links of trees from files: scikit-learn's path by the file's rows, brute force by rows of one's own."""

import contextlib
import dataclasses

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import explorer as ex
from tests.reference.foreign_cases import OF_LIBRARIES, opened_case, rows_of

PEERS = [
    *((load, DecisionTreeClassifier, {}) for load in (load_iris, load_wine, load_breast_cancer)),
    (load_wine, DecisionTreeClassifier, {"criterion": "entropy"}),
    (load_diabetes, DecisionTreeRegressor, {"min_samples_leaf": 3}),
]


def by_snippet(clf, folder):
    """The tree as the lines for a notebook write it and as it opens."""
    with contextlib.chdir(folder):
        exec(ex.sklearn_snippet(), {"clf": clf})
    (file,) = folder.iterdir()
    return ex.open_model(file.read_bytes())


@pytest.mark.parametrize(("load", "estimator", "options"), PEERS)
def test_a_tree_of_the_snippet_has_scikit_learns_sequence_and_predicts_as_ccp_alpha(load, estimator, options, tmp_path):
    X, y = load(return_X_y=True, as_frame=True)
    fitted = estimator(random_state=0, **options).fit(X, y)
    tree = by_snippet(fitted, tmp_path)
    path, peers = ex.cost_complexity_path(tree), fitted.cost_complexity_pruning_path(X, y)
    scale = peers.impurities[-1]

    # Every α of either is one of the other: scikit-learn lists one α once for each link that breaks there.
    apart = np.abs(path.alphas[:, None] - peers.ccp_alphas[None]) / max(scale, 1.0)
    assert apart.min(axis=0).max() <= 1e-12
    assert apart.min(axis=1).max() <= 1e-12

    for position in np.unique(np.linspace(1, len(path) - 1, 5).astype(int)).tolist():
        alpha = float(path.midpoints[position]) if position < len(path) - 1 else float(path.alphas[-1] * 2)
        refit = estimator(random_state=0, ccp_alpha=alpha, **options).fit(X, y)
        chosen = path.subtree(position=position)
        assert chosen.n_leaves == refit.get_n_leaves()
        if chosen.is_regression:
            assert chosen.predict(X) == pytest.approx(refit.predict(X), rel=1e-12)
        else:
            assert chosen.predict_proba(X) == pytest.approx(refit.predict_proba(X), abs=1e-12)


def below(tree, node, collapsed):
    """The leaves below a node, and the nodes with a test, where those of `collapsed` are leaves."""
    if tree.feature[node] < 0 or node in collapsed:
        return [node], []
    parts = [below(tree, child, collapsed) for child in tree.children_of(node)]
    return [leaf for leaves, _ in parts for leaf in leaves], [node, *(one for _, inner in parts for one in inner)]


def gini_risk(tree, data):
    """(rows/N)·Gini of every node, from the rows that reach it or a node below it."""
    ends, n = tree.apply(data.frame), tree.n_nodes_grown
    counts = np.zeros((n, len(data.classes)))
    np.add.at(counts, (ends, data.y), 1)
    for node in range(n - 1, 0, -1):
        counts[tree.parent[node]] += counts[node]
    totals = counts.sum(axis=1)
    return (totals - (counts**2).sum(axis=1) / np.maximum(totals, 1)) / len(ends)


def weakest_links(tree, risk):
    """α and leaves of every step by brute force: collapse all links of least g(t), again and again."""
    collapsed, steps = set(), []
    while (parts := below(tree, 0, collapsed))[1]:
        strength = {}
        for node in parts[1]:
            leaves = below(tree, node, collapsed)[0]
            strength[node] = (risk[node] - risk[leaves].sum()) / (len(leaves) - 1)
        least = min(strength.values())
        collapsed |= {node for node, value in strength.items() if value <= least + 1e-13}
        steps.append((least, len(below(tree, 0, collapsed)[0])))
    return steps


@pytest.mark.parametrize("case", OF_LIBRARIES)
def test_trees_of_other_libraries_lose_their_weakest_links_by_the_readers_rows(case):
    made = opened_case(case)
    rows = rows_of(case, made)
    table = rows.assign(target=np.where(np.random.default_rng(3).random(len(rows)) < 0.4, "a", "b"))
    kinds = {f.name: "numeric" if f.test == "threshold" else "categorical" for f in made.features if f.name in rows}
    data = ex.Dataset.from_frame(table, "target", list(rows), kinds=kinds)
    tree = made.members[0].tree
    counted = ex.recount(tree, data, ex.CART)
    path = ex.cost_complexity_path(counted)
    assert (np.diff(path.alphas) >= 0).all()
    steps, last = weakest_links(tree, gini_risk(tree, data)), {}
    for alpha, n_leaves in steps:  # of steps at one α the last is in the sequence
        at = next((known for known in last if abs(known - alpha) <= 1e-12), alpha)
        last[at] = n_leaves
    assert path.alphas[1:] == pytest.approx(list(last), abs=1e-12)
    assert path.n_leaves[1:].tolist() == list(last.values())

    # The file's tree, cut at the same nodes, still predicts by its own leaves where they are left.
    half = len(path) // 2
    cut = dataclasses.replace(path, tree=tree).subtree(position=half)
    assert cut.is_pruned.tolist() == path.subtree(position=half).is_pruned.tolist()
    kept = np.isin(tree.apply(rows), cut.leaves())
    if tree.is_regression and kept.any():
        assert cut.predict(rows)[kept].tolist() == tree.predict(rows)[kept].tolist()


def test_rows_of_another_table_change_the_sequence_and_not_the_tree():
    iris = ex.load_sample("iris").frame
    fitted = DecisionTreeClassifier(random_state=0).fit(iris.drop(columns="class"), iris["class"])
    tree = ex.Tree.from_sklearn(fitted, "class")
    some = ex.Dataset.from_frame(pd.concat([iris[:60], iris[90:]]), "class")
    counted = ex.recount(tree, some, ex.CART)
    assert counted.weight[0] == 120
    assert ex.cost_complexity_path(counted).risks[-1] == pytest.approx(gini_risk(tree, some)[0])
