"""Nodes whose features are divided among threads against those that one thread grows: the same arrays, bit for bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import explorer as ex
from explorer.growing.engine import scheduler
from explorer.growing.engine.scheduler import KeysTree
from explorer.growing.grow import grow_fast
from explorer.growing.scans.problem import problem_for
from explorer.recipe.columns import columns_for
from explorer.recipe.parameters import parameters_for
from explorer.threads import shared_pool
from tests.oracles.examples import law


def arrays(data: ex.Dataset, recipe: ex.Recipe, limit: int | None) -> dict[str, Any]:
    """The arrays of the tree, where nodes of more than `limit` rows are split by threads."""
    grown = dict(grow_fast(data, columns_for(data, recipe), recipe, keep=True, limit=limit))
    surrogates = grown.pop("surrogates")
    of_surrogates = {} if surrogates is None else vars(surrogates)
    return {**grown, **{f"surrogates.{name}": array for name, array in of_surrogates.items()}}


def random_table(seed: int, rows: int, is_regression: bool, *, weighted: bool = True, gaps: float = 0.07) -> ex.Dataset:
    """Rows with missing cells in two numeric columns and one of words."""
    draw = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "tenths": draw.normal(size=rows).round(1),
            "whole": draw.integers(0, 9, rows).astype(float),
            "word": draw.choice(list("abcd"), rows).astype(object),
        }
    )
    goal = frame["tenths"] + (frame["word"] == "b") + draw.normal(size=rows)
    frame["goal"] = goal.round(1) if is_regression else np.array(["low", "mid", "top"])[np.digitize(goal, [-0.5, 1.0])]
    frame[["tenths", "whole", "word"]] = frame[["tenths", "whole", "word"]].mask(draw.random((rows, 3)) < gaps)
    weights = draw.integers(1, 5, rows) / 2
    return ex.Dataset.from_frame(frame, "goal", weights=weights if weighted else None)


@pytest.fixture(autouse=True)
def _buffers_hold_their_segment(monkeypatch):
    """A buffer that is too short is written beyond its end, which would end this process some time later."""
    partition_column = scheduler.partition_column

    def checked(keys, branch_of, start, end, n_branches, branch_rows, key_buffer):
        assert key_buffer.size >= end - start
        partition_column(keys, branch_of, start, end, n_branches, branch_rows, key_buffer)

    monkeypatch.setattr(scheduler, "partition_column", checked)


@law(12)
@given(st.integers(0, 10_000), st.integers(20, 400), st.booleans())
@pytest.mark.parametrize("missing", ["most_common", "surrogate", "fractional", "own_branch"])
def test_threads_split_the_nodes_of_small_tables_as_one_thread_does(missing, seed, rows, is_regression):
    data = random_table(seed, rows, is_regression)
    recipe = ex.CART.replace(missing=missing, categorical="each_value" if seed % 2 else "subset", min_rows_leaf=2.0)
    assert_same_by_threads(data, recipe)


@pytest.mark.parametrize("categorical", ["subset", "one_vs_rest"], ids=["loops for complete tables", "loops for all"])
def test_gains_of_a_numeric_target_are_the_same_to_the_last_digit(categorical):
    data = random_table(1, 300, True, weighted=False, gaps=0.0)
    assert_same_by_threads(data, ex.CART.replace(categorical=categorical))


def assert_same_by_threads(data: ex.Dataset, recipe: ex.Recipe) -> None:
    alone = arrays(data, recipe, None)
    for limit in (1, data.n_rows // 3):
        by_threads = arrays(data, recipe, limit)
        assert by_threads.keys() == alone.keys()
        for name, expected in alone.items():
            np.testing.assert_array_equal(by_threads[name], expected, err_msg=f"{name}, limit {limit}")


def test_memory_of_a_thread_that_fails_goes_to_the_others(monkeypatch):
    """None is made anew for each node, which would take as much memory as there are nodes."""
    data = random_table(0, 60, False)
    columns = columns_for(data, ex.CART)
    upper = KeysTree(problem_for(data, columns, shared_pool()), parameters_for(ex.CART, data), False)

    def fail(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(scheduler, "grow_subtree", fail)
    with pytest.raises(MemoryError):
        upper.split_large_nodes(1, None)
    assert upper.works.qsize() == 1
