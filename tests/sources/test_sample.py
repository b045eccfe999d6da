"""A sample of a connected table: rows in memory, in the table's own order of classes and categories."""

import numpy as np
import pandas as pd
import pytest

import explorer as ex
from tests.oracles.counting_engine import array_source, same_data
from tests.oracles.tables import mixed_frame

FRAME = mixed_frame(120, seed=3, missing=0.1)[["real", "few", "c6", "c13", "four", "fractions"]]


def rows_of(data, frame=FRAME):
    """The rows of a Dataset as tuples of its features' values and the class."""
    columns = [*(feature.name for feature in data.features), data.target.name]
    cells = data.frame[columns].astype(object)
    return sorted(map(repr, cells.where(cells.notna(), None).itertuples(index=False, name=None)))


@pytest.mark.parametrize("weights", [None, "fractions"])
def test_all_rows_make_the_dataset_of_the_table(weights):
    frame = FRAME if weights else FRAME.drop(columns="fractions")
    data, sample = same_data(frame, "four", weights), array_source(frame, "four", weights).sample()
    assert sample.n_rows == data.n_rows
    assert sample.dropped == ()
    assert (sample.classes, sample.weight_column) == (data.classes, weights)
    assert [f.categories for f in sample.features] == [f.categories for f in data.features]
    for own, other in zip(sample.features, data.features, strict=True):
        assert own.values.tolist() == other.values.tolist()
    assert rows_of(sample) == rows_of(data)
    tree, other = ex.grow(sample, ex.CART), ex.grow(data, ex.CART)
    assert ex.to_text(tree) == ex.to_text(other)


def test_a_sample_is_some_of_the_rows_and_says_so():
    source = array_source(FRAME, "four", "fractions")
    sample = source.sample(30, seed=1)
    assert sample.n_rows == 30
    everything = rows_of(source.sample())
    assert all(row in everything for row in rows_of(sample))
    assert "A sample of 30 of the 120 rows of the table" in sample.notes[0].text
    assert sample.classes == source.classes
    assert [f.categories for f in sample.features if f.kind != "numeric"] == [
        f.categories for f in source.features if f.kind != "numeric"
    ]
    assert rows_of(sample) == rows_of(source.sample(30, seed=1)) != rows_of(source.sample(30, seed=2))
    assert sample.weights.tolist() == sample.frame["fractions"].tolist()


def test_a_sample_of_a_part_has_rows_of_that_part_alone():
    frame = FRAME.assign(set=np.where(np.arange(len(FRAME)) < 50, "train", "valid"))
    train, valid = array_source(frame, "four").split_by("set")
    assert (train.sample().n_rows, valid.sample(20).n_rows) == (50, 20)
    assert rows_of(train.sample()) == rows_of(same_data(frame.drop(columns="set").iloc[:50], "four"))


def test_numbers_and_columns_are_those_of_a_dataset():
    frame = pd.DataFrame({"x": [3.0, 1.0, np.nan, 3.0], "y": [1.5, 2.5, 1.5, 0.0]})
    source = array_source(frame, "y")
    sample = source.sample(10)
    assert sample.is_regression
    assert (sample.codes.tolist(), sample.features[0].values.tolist()) == ([[1, 0, 2, 1]], [1.0, 3.0])
    assert sample.target.values.tolist() == [0.0, 1.5, 2.5]
    facts = [(c.name, c.role, c.kind, c.n_values, c.n_missing) for c in source.columns]
    assert facts == [("y", "target", "numeric", 3, 0), ("x", "feature", "numeric", 2, 1)]


@pytest.mark.parametrize("n", [0, -5, 2.5, True])
def test_a_sample_has_a_whole_number_of_rows(n):
    with pytest.raises(ex.InputError, match="A sample cannot have"):
        array_source(FRAME, "four").sample(n)


@pytest.mark.parametrize("seed", [-1, 2**32, 1.5, True])
def test_the_seed_of_a_sample_suits_every_engine(seed):
    with pytest.raises(ex.InputError, match="The seed is"):
        array_source(FRAME, "four").sample(5, seed)


def test_numbers_of_numpy_are_numbers_of_rows_and_seeds():
    source = array_source(FRAME, "four")
    assert rows_of(source.sample(np.int64(5), np.int64(2))) == rows_of(source.sample(5, 2))


def test_a_target_beyond_32_bits_is_taken_into_memory_as_it_is():
    frame = pd.DataFrame({"x": [1.0, 2.0, 3.0], "y": [-1e13, 3e12, 5.5e12]})
    source = array_source(frame, "y")
    assert sorted(source.sample().y.tolist()) == [-1e13, 3e12, 5.5e12]
