"""Pre- beside post-pruning: the trees are the package's, and times are the shortest of runs taken in turn."""

import itertools

import pytest

import explorer as ex
from explorer.evaluation.pruning_times import pruning_times
from tests.oracles.tables import titanic_tree


class Clock:
    """Every look at it comes so many seconds after the one before."""

    def __init__(self, *steps):
        self.now, self.steps = 0.0, itertools.cycle(steps)

    def __call__(self):
        self.now += next(self.steps)
        return self.now


def test_the_trees_are_those_of_the_package_and_no_larger_than_the_full_one():
    tree, train, valid = titanic_tree()
    times = pruning_times(train, valid, tree.recipe, runs=1)
    assert list(times) == ["unpruned", "pre", "post"]
    pruned = ex.reduced_error_prune(tree, valid, order="bottom_up")
    early = ex.grow(train, tree.recipe.replace(prepruning=True), validation=valid)
    for name, expected in (("unpruned", tree), ("pre", early), ("post", pruned)):
        assert times[name].tree.n_leaves == expected.n_leaves
        right = (expected.predict_encoded(valid) == valid.y).mean()
        assert times[name].score == pytest.approx(right)
    assert max(times["pre"].tree.n_leaves, times["post"].tree.n_leaves) <= tree.n_leaves


def test_times_are_the_shortest_of_the_runs():
    """A run looks three times at the clock: before growing, after it, and after predicting."""
    tree, train, valid = titanic_tree()
    looks = 0, 5, 2, 0, 7, 3, 0, 9, 4, 0, 6, 1, 0, 4, 8, 0, 11, 3  # two runs
    times = pruning_times(train, valid, tree.recipe, runs=2, clock=Clock(*looks))
    assert {name: (each.grow, each.predict) for name, each in times.items()} == {
        "unpruned": (5, 1),
        "pre": (4, 3),
        "post": (9, 3),
    }
