"""Fine codes of numbers: how many edges lie below each, whatever the edges and the numbers."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from explorer.sources.encoding.encode_batch import NumberCoder, number_coder
from tests.oracles.examples import examples

NUMBERS = st.floats(allow_nan=False, allow_infinity=False) | st.sampled_from([0.0, -0.0, 1.0, 5e-324, 1e308, -1e308])


@examples(100)
@example([1e308, -7.976931348623158e307], [0.0])  # their distance is infinite
@given(st.lists(NUMBERS, max_size=60), st.lists(NUMBERS | st.just(np.nan), max_size=60))
def test_a_code_is_how_many_edges_lie_below(edges, numbers):
    edges, numbers = np.unique(np.array(edges) + 0.0), np.array(numbers, dtype=float)
    coder = NumberCoder(edges, np.zeros(1, dtype=np.int64))
    codes, bins, infinite = coder.encode(numbers.copy())
    expected = [len(edges) + 1 if np.isnan(x) else int((edges < x).sum()) for x in numbers]
    assert codes.tolist() == expected
    assert bins.tolist() == [int(np.isnan(x)) for x in numbers]
    assert infinite == -1
    assert coder.n_missing == int(np.isnan(numbers).sum())


@examples(50)
@given(st.lists(st.integers(-5, 5).map(float), min_size=1, max_size=80), st.integers(1, 4), st.integers(1, 4))
def test_codes_and_bins_are_not_too_many_and_their_single_values_are_known(numbers, bins, codes_per_bin):
    numbers = np.array(numbers)
    coder = number_coder(numbers[::2], bins, codes_per_bin)
    codes, bin_of_row, _ = coder.encode(numbers.copy())
    assert len(coder.edges) + 1 <= max(bins * codes_per_bin, 1)
    assert 1 <= len(coder.bin_starts) <= bins
    assert coder.bin_starts[0] == 0
    assert (bin_of_row == np.searchsorted(coder.bin_starts, codes, side="right") - 1).all()
    for code in range(len(coder.edges) + 1):
        values = set(numbers[codes == code].tolist())
        only = coder.only_value[code]
        assert (only in values and len(values) == 1) if not np.isnan(only) else len(values) != 1


@pytest.mark.parametrize("sigma", [0.0, 1.0, 5.0])
def test_no_bin_of_a_heavy_tail_holds_many_rows(sigma):
    numbers = np.exp(sigma * np.random.default_rng(0).normal(size=20_000))
    coder = number_coder(numbers, 16, 4)
    largest = np.bincount(coder.encode(numbers)[1]).max() / len(numbers)
    assert largest < 2 / 16 or sigma == 0.0


def test_a_frequent_value_has_a_code_of_its_own():
    numbers = np.concatenate([np.random.default_rng(0).normal(size=5_000), np.zeros(5_000)])
    coder = number_coder(numbers, 8, 8)
    coder.encode(numbers.copy())
    assert 0.0 in coder.only_value


def test_infinite_numbers_are_found():
    coder = number_coder(np.arange(10.0), 4, 4)
    assert coder.encode(np.array([1.0, np.nan, -np.inf, np.inf]))[2] == 2
