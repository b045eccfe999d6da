"""The validation curve equals scoring each subtree's own predictions."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import log_loss

from explorer.data.dataset import Dataset
from explorer.errors import InputError
from explorer.growing.grow import grow
from explorer.pruning import cost_complexity_path
from explorer.recipe.recipe import CART
from tests.oracles.examples import examples
from tests.oracles.recipes import FOUR_RECIPES
from tests.oracles.scores import textbook_score
from tests.oracles.tables import noisy_table


@pytest.mark.parametrize("metric", ["accuracy", "error", "log_loss", "auc"])
@examples(25)
@given(seed=st.integers(0, 10_000), recipe=st.sampled_from(FOUR_RECIPES), risk=st.sampled_from(["impurity", "error"]))
def test_curve_of_classes(metric, seed, recipe, risk):
    train, valid = noisy_table(seed).split(0.6, seed=seed)
    path = cost_complexity_path(grow(train, recipe), risk)
    expected = [textbook_score(path.subtree(position=k), valid, metric) for k in range(len(path))]
    assert path.curve(valid, metric) == pytest.approx(expected, rel=1e-10, abs=1e-12)


@examples(25)
@given(seed=st.integers(0, 10_000))
def test_curve_of_numbers(seed):
    train, valid = noisy_table(seed, regression=True).split(0.6, seed=seed)
    path = cost_complexity_path(grow(train, CART))
    expected = [textbook_score(path.subtree(position=k), valid, "mse") for k in range(len(path))]
    assert path.curve(valid) == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize("recipe", FOUR_RECIPES)
def test_a_category_that_training_never_met_stops_its_row_above(recipe):
    frame = pd.DataFrame({
        "colour": ["r", "r", "g", "g", "b", "b", "z", "z"],
        "size": [1, 2, 1, 2, 1, 2, 1, 2],
        "goal": ["no", "no", "yes", "yes", "no", "yes", "yes", "no"],
    })  # fmt: skip
    data = Dataset.from_frame(frame, "goal", ["colour", "size"])
    path = cost_complexity_path(grow(data.take(range(6)), recipe))
    valid = data.take([5, 6, 7])
    assert len(path) > 1
    assert path.curve(valid) == pytest.approx(
        [textbook_score(path.subtree(position=k), valid, "accuracy") for k in range(len(path))]
    )


def test_curve_of_a_pruned_tree_scores_what_is_left():
    train, valid = noisy_table(3).split(0.6)
    path = cost_complexity_path(grow(train, CART))
    rest = cost_complexity_path(path.subtree(position=2))
    assert rest.curve(valid) == pytest.approx(path.curve(valid)[2:])


def test_classes_are_matched_by_name():
    train, _ = noisy_table(2).split(0.6)
    other = train.frame.assign(goal=train.frame["goal"].replace({"low": "new"}))
    valid = Dataset.from_frame(other, "goal", ["colour", "size", "noise"], classes=["new", "top", "mid"])
    path = cost_complexity_path(grow(train, CART))
    full = path.subtree(position=0).predict(train.frame)
    assert path.curve(valid)[0] == pytest.approx(np.mean(full == other["goal"]))
    assert path.curve(valid, "log_loss")[0] >= -np.log(1e-15) * np.mean(other["goal"] == "new") * (1 - 1e-12)


def test_the_root_alone_ranks_nothing():
    train, valid = noisy_table(5).split(0.6)
    path = cost_complexity_path(grow(train, CART))
    assert path.curve(valid, "auc")[-1] == 0.5


def test_log_loss_is_scikit_learns():
    train, valid = noisy_table(4).split(0.6)
    path = cost_complexity_path(grow(train, CART.replace(min_rows_leaf=12)))
    shares = path.tree.predict_proba(valid.frame)
    order = np.argsort(path.tree.classes)
    peer = log_loss(valid.frame["goal"], shares[:, order], labels=sorted(path.tree.classes))
    assert path.curve(valid, "log_loss")[0] == pytest.approx(peer)


def test_curves_refuse_what_does_not_fit():
    train, valid = noisy_table(6).split(0.6)
    path = cost_complexity_path(grow(train, CART))
    with pytest.raises(InputError, match="does not suit"):
        path.curve(valid, "mse")
    with pytest.raises(InputError, match="numeric"):
        path.curve(noisy_table(6, regression=True))
    with pytest.raises(InputError, match="one class"):
        path.curve(valid.take(np.flatnonzero(valid.y == 0)), "auc")
    with pytest.raises(InputError, match="validation set has no rows"):
        path.curve(valid.take([]))
