"""The bars of a column count its rows, whatever is in it."""

import numpy as np
import pandas as pd
import pytest

import explorer as ex
from explorer.data.distribution import BINS, column_distribution


def data(**columns):
    return ex.Dataset.from_frame(
        pd.DataFrame({**columns, "y": ["a", "b"] * (len(next(iter(columns.values()))) // 2)}), "y"
    )


def test_numbers_are_counted_in_equal_intervals():
    values = [0.0, 0.5, 1.0, 5.9, 12.0, 12.0, 11.1, 3.3, 4.4, 7.7, 8.8, 9.9, 2.2, 6.6]
    expected = [
        sum(1 for v in values if min(int(v), 11) == i) for i in range(12)
    ]  # intervals of length 1, the last closed
    assert column_distribution(data(x=values), "x") == tuple(expected)


def test_categories_are_counted_from_the_most_frequent():
    assert column_distribution(data(x=["u", "v", "v", "w", "v", "u"]), "x") == (3, 2, 1)


def test_missing_cells_are_in_no_bar():
    assert sum(column_distribution(data(x=[1.0, np.nan, 2.0, 4.0]), "x")) == 3
    assert sum(column_distribution(data(x=["u", None, "v", "u"]), "x")) == 3


def test_of_many_values_twelve_bars_are_left():
    assert column_distribution(data(x=[f"v{i}" for i in range(40)]), "x") == (1,) * BINS
    assert len(column_distribution(data(x=np.arange(40.0)), "x")) == BINS


@pytest.mark.parametrize("huge", [1e308, -1e308])
def test_huge_numbers_have_bars(huge):
    assert sum(column_distribution(data(x=[huge, -huge, 1.0, 2.0]), "x")) == 4


def test_the_target_has_bars_too_and_an_unknown_column_none():
    table = data(x=[1.0, 2.0, 3.0, 4.0])
    assert column_distribution(table, "y") == (2, 2)
    assert column_distribution(table, "no such") == ()
