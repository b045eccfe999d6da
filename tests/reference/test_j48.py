"""Pessimistic pruning beside Weka's J48 (recorded by `python -m tests.reference.weka.record`, see golden/j48.json).

J48 prints the tree it would prune under -U (both are collapsed first: subtrees that save no training error go). Here
that tree is laid out on the same rows, pruned with the normal limit, and must be the one that J48 prints.
"""

import json

import numpy as np
import pytest

import explorer as ex
from tests.folders import GOLDEN_FOLDER
from tests.reference.weka import printed
from tests.reference.weka.record import TARGETS, nominal_complete

RECORDED = json.loads((GOLDEN_FOLDER / "j48.json").read_text("utf-8"))
UNPRUNED, REPLACED, RAISED = "-U -M 1", "-C 0.25 -S -M 1", "-C 0.25 -M 1"


def recorded(name: str, options: str) -> printed.Printed:
    return printed.without_empty_labels(printed.read(RECORDED[name][options]))


@pytest.fixture(params=list(TARGETS))
def table(request):
    name = request.param
    data = printed.dataset(nominal_complete(name))
    return name, data, printed.as_tree(recorded(name, UNPRUNED), data)


def test_replacing_subtrees_gives_the_tree_of_j48(table):
    name, _, tree = table
    assert printed.written(tree) == recorded(name, UNPRUNED)
    pruned = ex.pessimistic_prune(tree, 0.25, limit="normal")
    assert 1 < pruned.n_leaves < tree.n_leaves
    assert printed.written(pruned) == recorded(name, REPLACED)


def test_raising_subtrees_gives_the_tree_of_j48(table):
    name, data, tree = table
    pruned = ex.pessimistic_prune(tree, 0.25, raising=True, limit="normal", train=data)
    assert printed.written(pruned) == recorded(name, RAISED)


def collapsed(tree: ex.Tree) -> ex.Tree:
    """As J48 does before anything: from the leaves up, no subtree that saves less than 0.001 training errors."""
    errors = (tree.weight - tree.stats.max(axis=1)).tolist()
    closed, below = np.zeros(tree.n_nodes_grown, dtype=bool), errors.copy()
    for node in range(tree.n_nodes_grown - 1, -1, -1):
        if tree.node(node).children:
            below[node] = sum(below[child] for child in tree.node(node).children)
            if below[node] >= errors[node] - 0.001:
                closed[node], below[node] = True, errors[node]
    return tree.with_pruned(closed)


def test_growing_gives_the_tree_of_j48(table):
    # J48 also takes 0.001 off the mean gain in its filter; on these tables that lets nothing else in
    name, data, _ = table
    assert printed.written(collapsed(ex.grow(data, ex.C45))) == recorded(name, UNPRUNED)
