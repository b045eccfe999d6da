"""Training and validation parts of a connected table, by a hash of a key or by a column."""

import hashlib

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import explorer as ex
from explorer.errors import ColumnError
from explorer.sources.splits import ColumnSplit, KeySplit, parts_in_order
from tests.oracles.counting_engine import array_source, same_data
from tests.oracles.splits import part_of_key

ROWS = 600


def table():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"x": rng.normal(size=ROWS).round(2), "id": [f"c{i % 250}" for i in range(ROWS)]})
    frame["y"] = np.where(frame["x"] + rng.normal(size=ROWS) > 0, "yes", "no")
    frame["set"] = rng.choice(["valid", "train", "test"], ROWS)
    return frame


KEYS = st.text(st.characters(codec="utf-8"), max_size=8) | st.integers()


@given(KEYS, st.sampled_from([(0.7,), (0.6, 0.2), (1 / 3, 1 / 3)]), st.integers(0, 99))
def test_the_text_of_a_hash_is_compared_as_its_number(key, shares, seed):
    digest = hashlib.md5(f"{seed}:{key}".encode()).hexdigest()
    part = sum(digest >= end for end in KeySplit("id", shares, seed).ends)
    assert part == part_of_key(key, shares, seed)


def test_parts_by_a_key_have_the_shares_and_keep_rows_of_a_key_together():
    frame, source = table(), array_source(table(), "y")
    train, valid, test = source.split(0.6, 0.2, key="id", seed=3)
    assert train.n_rows + valid.n_rows + test.n_rows == ROWS
    for part, share in ((train, 0.6), (valid, 0.2), (test, 0.2)):
        assert part.n_rows / ROWS == pytest.approx(share, abs=0.08)
    assert train.workspace is valid.workspace is test.workspace
    belongs = [part_of_key(key, (0.6, 0.2), 3) for key in frame["id"]]
    rows = valid.engine.rows(valid.routing, [0])[0]
    assert sorted(rows.columns[0]) == sorted(frame["x"][np.array(belongs) == 1])
    assert [feature.name for feature in train.features] == ["x", "set"]


def test_another_seed_gives_other_parts():
    source = array_source(table(), "y")
    first, second = (source.split(0.5, key="id", seed=seed)[0] for seed in (0, 1))
    assert first.engine.rows(first.routing, [0])[0].columns[0].tolist() != (
        second.engine.rows(second.routing, [0])[0].columns[0].tolist()
    )


def test_parts_by_a_column_are_its_values_in_order():
    frame, source = table(), array_source(table(), "y")
    counts = frame["set"].value_counts()
    assert [part.n_rows for part in source.split_by("set")] == [counts["test"], counts["train"], counts["valid"]]
    train, valid, _ = source.split_by("set", ["train", "valid", "test"])
    assert (train.n_rows, valid.n_rows) == (counts["train"], counts["valid"])
    assert "set" not in [feature.name for feature in train.features]


@pytest.mark.parametrize("values", [[], ["train"], ["train", "train", "valid"], ["a", "b", "c", "d"]])
def test_values_of_parts_are_named_once_each(values):
    with pytest.raises(ColumnError, match="two or three values of 'set' once"):
        array_source(table(), "y").split_by("set", values)


def test_a_part_is_scored_as_its_rows():
    frame = table()
    train, valid = array_source(frame, "y").split(0.7, key="id")
    belongs = np.array([part_of_key(key, (0.7,), 0) for key in frame["id"]])
    rows = same_data(frame.drop(columns="id"), "y")
    tree = ex.grow(rows.take(belongs == 0), ex.CART)
    path = ex.cost_complexity_path(tree)
    assert path.curve(valid).tolist() == path.curve(rows.take(belongs == 1)).tolist()
    assert path.curve(train).tolist() == path.curve(rows.take(belongs == 0)).tolist()


@pytest.mark.parametrize("shares", [(), (0.0,), (1.0,), (0.6, 0.5), (0.2, 0.2, 0.2)])
def test_shares_leave_a_rest(shares):
    with pytest.raises(ex.InputError, match="do not split a table"):
        array_source(table(), "y").split(*shares, key="id")


def test_a_part_is_not_divided_again():
    train, _ = array_source(table(), "y").split(0.5, key="id")
    with pytest.raises(ex.InputError, match="divided already"):
        train.split_by("set")


def test_the_target_divides_nothing():
    with pytest.raises(ex.InputError, match="'y' is the target"):
        array_source(table(), "y").split(0.5, key="y")


@pytest.mark.parametrize(
    ("values", "found", "text"),
    [
        (None, ["a"], "has 1 value, but"),
        (None, ["a", "b", "c", "d"], "has more than 3 values"),
        (None, [0.5, 1.0], "text, whole numbers"),
        (("a", "b"), ["a", "c"], "has the values 'a', 'c', not 'a', 'b'"),
    ],
)
def test_a_column_that_cannot_divide_the_rows_is_named(values, found, text):
    with pytest.raises(ColumnError, match=text) as error:
        parts_in_order(ColumnSplit("set", values), found)
    assert error.value.column == "set"
