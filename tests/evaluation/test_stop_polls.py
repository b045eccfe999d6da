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
