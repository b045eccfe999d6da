"""Greedy and best trees of one size: losses and their difference on held-out rows, worked out row by row."""

import numpy as np
import pandas as pd
import pytest

import explorer as ex
from explorer.evaluation.comparison.greedy_and_optimal import held_out_sentence


def table(seed: int, rows: int, is_numeric: bool = False) -> ex.Dataset:
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(rng.integers(0, 6, (rows, 3)).astype(float), columns=list("abc"))
    signal = (frame["a"] > 2) ^ (frame["b"] > 2)
    frame["y"] = signal * 2.0 + rng.normal(size=rows).round(2) if is_numeric else np.where(signal, "p", "q")
    frame.loc[0, "c"] = np.nan
    return ex.Dataset.from_frame(frame, "y", list("abc"), {"y": "numeric" if is_numeric else "categorical"})


@pytest.mark.parametrize("is_numeric", [False, True])
def test_losses_are_those_of_the_trees_row_by_row(is_numeric):
    train, apart = table(1, 60, is_numeric), table(2, 40, is_numeric)
    found = ex.greedy_and_optimal(train, 2, ex.CART, apart)
    assert [pair.leaves for pair in found.pairs] == [2, 3, 4]
    assert (found.n_rows, found.n_held_out) == (59, 39)
    for pair in found.pairs:
        losses = []
        for tree in (pair.best.greedy, pair.best.tree):
            assert tree.n_leaves <= pair.leaves
            rows = apart.take(np.arange(1, 40))
            predicted = tree.predict(rows)
            if is_numeric:
                losses.append((predicted - rows.y) ** 2)
            else:
                losses.append((predicted != np.array(rows.classes)[rows.y]).astype(float))
        assert pair.greedy_held_out == pytest.approx(losses[0].mean())
        assert pair.held_out == pytest.approx(losses[1].mean())
        apart_by = losses[1] - losses[0]
        assert pair.difference == pytest.approx((apart_by.mean(), apart_by.std(ddof=1) / np.sqrt(39)), abs=1e-12)
        assert pair.loss <= pair.greedy_loss + 1e-12


def test_class_weights_count_on_held_out_rows_as_on_training_rows():
    """A row of p counts three times as much as one of q; together they weigh as many as there are."""
    train, apart = table(1, 60, False), table(2, 40, False)
    found = ex.greedy_and_optimal(train, 2, ex.CART.replace(class_weights={"p": 3.0, "q": 1.0}), apart)
    rows = apart.take(np.arange(1, 40))
    true = np.array(rows.classes)[rows.y]
    counts = np.where(true == "p", 3.0, 1.0)
    for pair in found.pairs:
        wrong = pair.best.tree.predict(rows) != true
        assert pair.held_out == pytest.approx(counts[wrong].sum() / counts.sum())


def test_exclusive_or_costs_greed_rows_that_the_best_tree_saves_on_new_rows_too():
    found = ex.greedy_and_optimal(table(3, 200), 2, ex.CART, table(4, 200))
    last = found.pairs[-1]
    assert last.loss == 0.0
    assert last.greedy_loss > 0.1
    assert last.is_better_on_held_out
    assert "loses less too" in held_out_sentence(last, found.n_held_out, True)


def test_without_held_out_rows_nothing_is_said_of_new_rows():
    pair = ex.greedy_and_optimal(table(5, 30), 1, ex.CART).pairs[0]
    assert (pair.greedy_held_out, pair.held_out, pair.difference) == (None, None, None)
    assert "No held-out rows" in held_out_sentence(pair, 0, True)


def test_progress_may_stop_the_search():
    def stop(done: int, total: int) -> None:
        assert total == 3
        if done == 1:
            raise ex.Stopped

    with pytest.raises(ex.Stopped):
        ex.greedy_and_optimal(table(6, 30), 2, ex.CART, progress=stop)
