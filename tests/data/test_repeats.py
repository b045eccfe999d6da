"""Rows that are equal by chance, and rows entered twice."""

import numpy as np
import pytest

from explorer.data.codes import repeats
from explorer.data.codes.repeats import are_by_chance, have_usual_values


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


def _gifts(rows=900, seed=4):
    """Donors: most gave nothing and differ in little; the others have amounts of their own."""
    rng = np.random.default_rng(seed)
    gave = rng.random(rows) < 0.5
    amount = np.where(gave, rng.integers(1, 400, rows), 0)
    return [gave.astype(int), amount, np.where(gave, rng.integers(0, 90, rows), rng.integers(0, 9, rows))]


@pytest.mark.parametrize(
    ("columns", "is_usual"),
    [
        (_gifts(), True),
        ([np.append(column, column[100:120]) for column in _drawn([10**6, 9, 2])], False),
        ([np.append(column, column[:9]) for column in _drawn([40, 40, 40, 40])], False),
        ([np.tile(column, 2) for column in _drawn([10**6, 3, 2], 40)], False),  # all are repeated
        ([np.arange(50), np.arange(50) % 2], False),  # none is
        ([np.array([], int)], False),
    ],
)
def test_cases_that_are_equal_have_frequent_values_and_cases_entered_twice_any(columns, is_usual):
    assert have_usual_values(columns) == is_usual
    order = np.random.default_rng(1).permutation(len(columns[0]))
    assert have_usual_values([column[order] for column in columns[::-1]]) == is_usual


def test_the_probability_that_a_repeated_row_is_the_more_usual_is_that_of_counted_pairs():
    a, b = (column[:60] for column in _drawn([7, 5]))
    rows = list(zip(a.tolist(), b.tolist(), strict=True))
    once = sorted(set(rows))
    others = {row: [other for other in rows if other != row] for row in once}
    usual = {
        (x, y): (1 + sum(row[0] == x for row in rest)) * (1 + sum(row[1] == y for row in rest))
        for (x, y), rest in others.items()
    }
    repeated, alone = ([row for row in once if (rows.count(row) > 1) == is_repeated] for is_repeated in (True, False))
    wins = sum((usual[r] > usual[s]) + (usual[r] == usual[s]) / 2 for r in repeated for s in alone)
    share = wins / len(repeated) / len(alone)
    for limit, is_usual in ((share - 1e-9, True), (share + 1e-9, False)):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(repeats, "USUAL", limit)
            assert have_usual_values([a, b]) == is_usual
