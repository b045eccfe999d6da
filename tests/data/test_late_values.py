"""Lists of values made late, and the working memory that growing takes and gives back."""

import mmap

import numpy as np
import pandas as pd
import pytest

import explorer as ex
from explorer import scratch
from explorer.data.codes.late_values import LateValues

N = 60_000
"""Rows from which a column's list of values is made late."""


def numbers():
    return np.random.default_rng(0).normal(size=N)


def encoded(column):
    data = ex.Dataset.from_frame(pd.DataFrame({"x": column, "y": ["a", "b"] * (N // 2)}, copy=False), "y")
    assert isinstance(data.features[0].listed, LateValues), "it is a list made late"
    return data.features[0]


@pytest.mark.parametrize("dtype", ["float64", "float32", "Float64"])
def test_the_list_is_that_of_the_distinct_numbers(dtype):
    column = pd.Series(numbers()).astype(dtype)
    column.iloc[3] = np.nan if dtype != "Float64" else pd.NA
    assert encoded(column).values.tolist() == np.unique(column.dropna().to_numpy(np.float64)).tolist()


def test_a_frame_that_is_written_to_leaves_it_as_it_was():
    frame = pd.DataFrame({"x": numbers(), "y": ["a", "b"] * (N // 2)})
    feature = ex.Dataset.from_frame(frame, "y").features[0]
    before = np.unique(frame["x"])
    frame.loc[:100, "x"] = 7.0
    assert feature.values.tolist() == before.tolist()


def test_an_array_that_is_written_to_is_said():
    array = numbers()
    feature = encoded(pd.Series(array, copy=False))
    array[:100] = 7.0
    with pytest.raises(ex.InputError, match="'x' were changed after the table was read"):
        _ = feature.values


@pytest.mark.parametrize("what", ["mmap", "madvise"])
def test_working_memory_is_there_where_the_system_refuses_special_pages(monkeypatch, what):
    class Refusing(mmap.mmap):
        def madvise(self, *advice):
            raise OSError(22, "Invalid argument")

    def refuse(*args, **options):
        raise OSError(12, "Cannot allocate memory")

    monkeypatch.setattr(scratch.mmap, "mmap", Refusing if what == "madvise" else refuse)
    room = scratch.scratch((3, 1 << 18))
    room[:] = 1.0
    assert room.shape == (3, 1 << 18)
    assert room.sum() == 3 << 18
