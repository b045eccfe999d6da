"""Learning curves by hand and by a plain loop."""

import numpy as np
import pandas as pd
import pytest

import explorer as ex
from explorer.evaluation.folds import folds_of
from explorer.evaluation.learning_curve import learning_curve
from tests.oracles.scores import textbook_score
from tests.oracles.tables import noisy_table


def test_two_folds_by_hand():
    # y = x: two folds of two rows; one row of a fold's rest is too few, so the only sizes are 2
    frame = pd.DataFrame({"x": [0.0, 1.0, 2.0, 3.0], "y": [0.0, 1.0, 2.0, 3.0]})
    data = ex.Dataset.from_frame(frame, "y", ["x"], {"x": "numeric", "y": "numeric"})
    found = learning_curve(data, ex.CART, [1.0], np.array([0, 1, 0, 1]))
    assert found.sizes.tolist() == [2]
    assert (found.n_leaves.tolist(), found.train.tolist(), found.train_error.tolist()) == ([2.0], [0.0], [0.0])
    # grown on 1 and 3, cut at 2: rows 0 and 2 get 1 and 1; grown on 0 and 2, cut at 1: rows 1 and 3 get 0 and 2
    assert (found.valid.tolist(), found.valid_error.tolist()) == ([1.0], [0.0])
    assert found.metric == "mse"


@pytest.mark.parametrize("metric", ["accuracy", "log_loss", "mse"])
def test_a_plain_loop_gives_the_same(metric):
    data = noisy_table(5, regression=metric == "mse")
    folds = folds_of(data, 4, seed=2)
    found = learning_curve(data, ex.CART, [20, 40, 60], folds, seed=8, metric=metric)
    draw, train, valid, leaves = np.random.default_rng(8), [], [], []
    for fold in range(4):
        rest = draw.permutation(np.flatnonzero(folds != fold))
        parts = [data.take(np.sort(rest[:count])) for count in (20, 40, 60)]
        trees = [ex.grow(part, ex.CART) for part in parts]
        leaves.append([tree.n_leaves for tree in trees])
        train.append([textbook_score(tree, part, metric) for tree, part in zip(trees, parts, strict=True)])
        valid.append([textbook_score(tree, data.take(folds == fold), metric) for tree in trees])
    assert found.sizes.tolist() == [20, 40, 60]
    assert found.n_leaves == pytest.approx(np.mean(leaves, axis=0))
    assert found.train == pytest.approx(np.mean(train, axis=0))
    assert found.valid == pytest.approx(np.mean(valid, axis=0))
    assert found.valid_error == pytest.approx(np.std(valid, axis=0) / 2)
    assert found.train_error == pytest.approx(np.std(train, axis=0) / 2)


def test_more_rows_teach_more():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(400, 3)), columns=list("abc"))
    frame["y"] = np.where(frame["a"] + frame["b"] > 0, "up", "down")
    found = learning_curve(ex.Dataset.from_frame(frame, "y"), ex.CART, [0.05, 0.3, 1.0])
    assert found.sizes.tolist() == [16, 96, 320]
    assert found.valid[0] < found.valid[1] < found.valid[2]
    assert found.train.tolist() == [1.0, 1.0, 1.0]


def test_progress_is_reported_tree_by_tree_and_may_stop():
    data, seen = noisy_table(5), []

    def told(done, total):
        seen.append((done, total))
        if done == 3:
            raise ex.Stopped("enough")

    with pytest.raises(ex.Stopped):
        learning_curve(data, ex.CART, [0.5, 1.0], 3, progress=told)
    assert seen == [(1, 6), (2, 6), (3, 6)]


@pytest.mark.parametrize("sizes", [[], [0.5, 0.2], [1.5], [1, 5], [20, 1000], ["all"], [[0.5]], 0.5, [np.nan]])
def test_odd_sizes_are_refused(sizes):
    with pytest.raises(ex.InputError, match=r"ascending shares up to 1\.0, or whole numbers of rows from 2 to 72"):
        learning_curve(noisy_table(5), ex.CART, sizes)
