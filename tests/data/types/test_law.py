"""The law of the types on some random tables; `python -m tests.data.types.law 2000` tries more."""

import pytest

from tests.data.types.law import differences


@pytest.mark.parametrize("first", [0, pytest.param(10, marks=pytest.mark.slow)])
def test_the_same_rows_give_the_same_tree_from_every_format_and_connected(first: int):
    tables = range(first, first + (6 if first == 0 else 100))
    assert [text for seed in tables for text in differences(seed)] == []
