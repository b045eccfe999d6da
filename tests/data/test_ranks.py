"""Rank codes of numbers are those of sorting them as a whole, however many share their first 32 bits."""

import threading

import numpy as np
import pandas as pd
import pytest

from explorer import Dataset
from explorer.data.codes.late_values import LateValues
from explorer.data.codes.ranks import rank_codes, rank_codes_of_all
from explorer.errors import ColumnError
from explorer.messages import catalogue_of, language

ROWS = 400
DRAW = np.random.default_rng(11)
NORMAL = DRAW.normal(size=ROWS)
NUMBERS = {
    "exact in 32 bits": NORMAL.astype(np.float32).astype(np.float64),
    "not exact": NORMAL,
    "a few with the same 32 bits": np.round(NORMAL, 1) + DRAW.choice([0.0, 1e-12], ROWS),
    "all with the same 32 bits": 1.7e9 + DRAW.integers(0, 300, ROWS) / 8,
    "whole in a short range": DRAW.integers(-20, 20, ROWS).astype(np.float64),
    "whole in a long range": DRAW.integers(-(10**12), 10**12, ROWS).astype(np.float64),
    "beyond 32 bits": NORMAL * 1e300,
    "below 32 bits": NORMAL * 1e-300,
    "two zeros": DRAW.choice([-0.0, 0.0, 0.5, 5e-324, -5e-324], ROWS),
    "infinite": DRAW.choice([np.inf, -np.inf, 1e308, -1e308, 1.0], ROWS),
    "one value": np.full(ROWS, 1.1),
    "one infinite value": np.full(ROWS, np.inf),
    "no value": np.full(ROWS, np.nan),
}


def by_sorting(numbers):
    """The distinct numbers, ascending, and each row's position among them; nan one past the last."""
    values = np.unique(numbers[~np.isnan(numbers)]) + 0.0
    return values, np.where(np.isnan(numbers), len(values), np.searchsorted(values, numbers))


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_codes_are_positions_among_the_sorted_numbers(name, missing):
    numbers = np.where(DRAW.random(ROWS) < missing, np.nan, NUMBERS[name])
    codes = np.empty(ROWS, dtype=np.int32)
    values, expected = rank_codes(numbers, codes), by_sorting(numbers)
    assert values.tobytes() == expected[0].tobytes()  # −0.0 is 0.0
    assert codes.tolist() == expected[1].tolist()


def test_columns_are_coded_together_as_one_by_one():
    codes = np.empty((len(NUMBERS), ROWS), dtype=np.int32)
    values = rank_codes_of_all(np.array(list(NUMBERS.values())), codes)
    for column, numbers in enumerate(NUMBERS.values()):
        expected = by_sorting(numbers)
        assert values[column].tobytes() == expected[0].tobytes()
        assert codes[column].tolist() == expected[1].tolist()


def test_an_error_in_a_large_table_is_in_the_readers_language(monkeypatch):
    reader = threading.get_ident()  # an app knows the language by the thread of a reader
    asked = [lambda: catalogue_of("zh" if threading.get_ident() == reader else "en")]
    monkeypatch.setattr(language, "_asked", asked)
    frame = pd.DataFrame({"x": np.arange(60_000.0), "y": np.arange(60_000) % 2})
    frame.loc[9, "x"] = np.inf
    with pytest.raises(ColumnError, match="无穷大"):
        Dataset.from_frame(frame, "y")


def test_a_long_list_of_values_is_made_of_the_cells_that_were_encoded():
    draw = np.random.default_rng(3)
    numbers = np.where(draw.random(60_000) < 0.1, np.nan, draw.normal(size=60_000))
    numbers[:9] = -0.0
    frame = pd.DataFrame({"x": numbers, "y": np.arange(60_000) % 2})
    data = Dataset.from_frame(frame, "y")
    frame.loc[:, "x"] = 7.0
    values, codes = by_sorting(numbers)
    (feature,) = data.take(np.arange(0, 60_000, 3)).features
    assert isinstance(feature.listed, LateValues)
    assert np.asarray(feature.listed).tobytes() == feature.values.tobytes() == values.tobytes()
    assert data.codes[0].tolist() == codes.tolist()
