"""Long work asks often whether to go on: before its first tree, while trees are grown, and between its parts."""

import numpy as np
import pandas as pd
import pytest

import explorer as ex
from explorer.growing.grow_many import Presorted

DRAW = np.random.default_rng(0)
FRAME = pd.DataFrame(DRAW.normal(size=(6_000, 4)).round(3), columns=list("abcd"))
FRAME.loc[DRAW.random(6_000) < 0.1, "a"] = np.nan
FRAME["y"] = np.where(FRAME["b"] + DRAW.normal(size=6_000) > 0, "p", "q")
DATA = ex.Dataset.from_frame(FRAME, "y")
"""Cells enough for background threads."""
WORK = {
    "cross-validation": lambda recipe, ask: ex.cross_validate_path(DATA, recipe, folds=3, progress=ask),
    "learning curve": lambda recipe, ask: ex.learning_curve(DATA, recipe, sizes=[0.5, 1.0], folds=3, progress=ask),
    "paired scores": lambda recipe, ask: ex.paired_scores(DATA, [recipe, ex.CART], folds=3, progress=ask),
    "permutation importance": lambda recipe, ask: ex.permutation_importance(TREE, DATA, 3, progress=ask),
    "near ties": lambda recipe, ask: ex.near_ties(TREE, DATA, progress=ask),
    "stability": lambda recipe, ask: ex.stability(DATA, recipe, 3, progress=ask, tree=TREE),
    "shortest tree": lambda recipe, ask: ex.shortest_tree(DATA, recipe=ex.ID3, progress=ask),
}
TREE = ex.grow(DATA, ex.CART.replace(max_depth=4))


@pytest.mark.parametrize("recipe", [ex.CART.replace(max_depth=4), ex.C45.replace(max_depth=4)], ids=["cart", "c45"])
@pytest.mark.parametrize("name", WORK)
def test_work_ends_at_the_first_question_that_is_answered_by_stop(name, recipe):
    asked = []

    def ask(done, total):
        asked.append((done, total))
        raise ex.Stopped

    with pytest.raises(ex.Stopped):
        WORK[name](recipe, ask)
    assert len(asked) == 1
    assert asked[0][0] <= 1, "nothing but a first part is done by then"


def test_cross_validation_asks_before_its_first_fold():
    asked = []
    ex.cross_validate_path(DATA, ex.CART.replace(max_depth=2), folds=3, progress=lambda *at: asked.append(at))
    assert asked.count((0, 3)) >= 2
    assert asked[-1] == (3, 3)
    assert asked == sorted(asked)


@pytest.mark.parametrize("recipe", [ex.CART, ex.C45, ex.CART.replace(missing="own_branch")], ids=lambda r: r.missing)
@pytest.mark.parametrize("choices", [None, ex.Choices().lock(TREE.place(0))], ids=["free", "by hand"])
def test_a_fold_that_is_not_wanted_any_more_is_given_up(recipe, choices):
    halted = np.ones(1, dtype=np.uint8)
    with pytest.raises(ex.Stopped):
        Presorted(DATA, recipe).grow_rows(np.arange(DATA.n_rows) % 3 > 0, choices=choices, halt=halted)


@pytest.mark.parametrize("more", [{"choices": ex.Choices().lock(TREE.place(0))}, {"validation": DATA}], ids=str)
def test_trees_by_hand_and_pre_pruned_ones_are_given_up_while_they_grow(more, monkeypatch):
    recipe, grown = ex.CART.replace(max_depth=2, prepruning="validation" in more), []

    def grow(data, its_recipe, validation, progress, choices):
        grown.append(data)
        progress(0, data.n_rows)
        raise AssertionError("who is asked has said stop")

    monkeypatch.setattr("explorer.ensembles.stability.stability.grow", grow)

    def ask(done, total):
        if grown:
            raise ex.Stopped

    with pytest.raises(ex.Stopped):
        ex.stability(DATA, recipe, 3, progress=ask, tree=TREE, **more)
    assert len(grown) == 1


def test_the_search_for_the_shortest_tree_asks_within_a_state(monkeypatch):
    """States of many rows take long: with a clock that jumps, each feature that is tried asks."""
    clock = iter(range(10**9))
    monkeypatch.setattr("explorer.growing.consistent_trees.time.monotonic", lambda: next(clock) / 5)
    asked = []
    data = ex.Dataset.from_frame(ex.load_sample("play_tennis").frame, "PlayTennis")
    ex.shortest_tree(data, limit=1e9, progress=lambda *at: asked.append(at))
    states = [done for done, _ in asked]
    assert len(states) > 2 * len(set(states)), "several questions while the number of states stays"
