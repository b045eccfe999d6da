"""Rows that are equal by chance, and rows entered twice."""

import numpy as np
import pytest

from explorer.data.codes import repeats
from explorer.data.codes.repeats import are_by_chance


def _drawn(levels, rows=600, seed=2):
    rng = np.random.default_rng(seed)
    return [rng.integers(0, n, rows) for n in levels]


@pytest.mark.parametrize(
    ("columns", "is_chance"),
    [
        (_drawn([6, 4, 4, 2]), True),
        (_drawn([3] * 8), True),
        ([np.append(column, column[:20]) for column in _drawn([10**6, 9, 2])], False),
        ([np.tile(column, 9) for column in _drawn([10**6, 3, 2], 40)], False),
        ([np.arange(50) // 2, np.arange(50) % 2], False),
        ([np.zeros(50, int)], True),
        ([np.array([], int)], False),
    ],
)
def test_equal_rows_are_by_chance_where_the_halves_of_the_columns_meet_so_often(columns, is_chance):
    assert are_by_chance(columns) == is_chance
    if len(columns) > 1:
        assert are_by_chance(columns[::-1]) == is_chance, "whatever the order of the columns"


def test_the_share_by_chance_is_that_of_counted_pairs():
    """Ranks by equal pairs are b, d, c, a: the halves are b and a, d and c."""
    a, b, c, d = (column[:40] for column in _drawn([2, 9, 3, 5]))

    def equal(*columns):
        rows = list(zip(*(column.tolist() for column in columns), strict=True))
        return sum(rows[i] == rows[j] for i in range(40) for j in range(i))

    assert equal(b) < equal(d) < equal(c) < equal(a)
    share = equal(a, b) * equal(c, d) / (40 * 39 / 2) / equal(a, b, c, d)
    for limit, is_chance in ((share - 1e-9, True), (share + 1e-9, False)):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(repeats, "CHANCE", limit)
            assert are_by_chance([a, b, c, d]) == is_chance
