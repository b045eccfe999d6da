"""Columns that have the value of the column that the class picks, as the price of the chosen way has."""

import numpy as np
import pandas as pd
import pytest

import explorer as ex

WAYS = ["beach", "boat", "charter"]


def trips(rows=120, same=()):
    """Prices of all ways, and that of the chosen one, written row by row."""
    rng = np.random.default_rng(5)
    prices = {f"p{way}": rng.integers(10, 400, rows) / 8 for way in WAYS}
    prices |= {name: prices["pbeach"].copy() for name in same}
    way = rng.choice(WAYS, rows)
    paid = [prices[f"p{chosen}"][row] for row, chosen in enumerate(way)]
    return pd.DataFrame({**prices, "paid": paid, "age": rng.integers(18, 80, rows), "way": way})


def picked(frame, target):
    notes = ex.Dataset.from_frame(frame, target).notes
    return [note for note in notes if note.is_leak and "value of another column" in note.text]


@pytest.mark.parametrize("same", [(), ("ppier",)])
def test_the_price_of_the_chosen_way_leaks_the_way(same):
    (note,) = picked(trips(same=same), "way")
    assert note.columns == ("paid",)
    assert "'pbeach', 'pboat'" in note.text
    assert "ppier" not in note.text


def test_a_numeric_target_that_a_class_picks_is_told_by_the_class_and_those_columns():
    (note,) = picked(trips(), "paid")
    assert (note.columns[0], set(note.columns[1:])) == ("way", {f"p{way}" for way in WAYS})


def test_missing_cells_are_picked_too_and_one_other_price_is_enough_to_clear_the_column():
    frame = trips()
    row = int(frame.index[frame["way"] == "boat"][3])
    frame.loc[row, ["pboat", "paid"]] = np.nan
    assert picked(frame, "way")
    frame.loc[row, "paid"] = 11.0
    assert not picked(frame, "way")


def test_a_class_with_three_numbers_is_enough_where_the_others_have_many():
    frame = trips()
    few = frame.assign(pbeach=frame["pbeach"].where(frame["way"] != "beach", frame.index % 3))
    few["paid"] = few["paid"].where(frame["way"] != "beach", few["pbeach"])
    assert [note.columns for note in picked(few, "way")] == [("paid",)]
    assert not picked(few.assign(pbeach=few["pbeach"] > 1, paid=few["paid"].where(few["way"] != "beach", 1)), "way")


def test_a_copy_of_one_column_and_columns_of_few_numbers_are_picked_by_no_class():
    frame = trips().drop(columns="paid")
    assert not picked(frame.assign(copy=frame["pboat"]), "way")
    rng = np.random.default_rng(1)
    kind = rng.integers(0, 2, 80)
    ones = pd.DataFrame({"is_a": kind == 0, "is_b": kind == 1, "one": 1, "z": rng.random(80)}).astype(float)
    assert not picked(ones.assign(kind=np.where(kind, "b", "a")), "kind")


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (lambda t: t["before"] + t["after"], "'before' + 'after'"),
        (lambda t: t["before"] - t["after"], "'before' − 'after'"),
        (lambda t: t["after"] - t["before"], "'after' − 'before'"),
    ],
)
def test_a_numeric_target_that_two_columns_make_is_told_by_both(made, words):
    draw = np.random.default_rng(9)
    frame = pd.DataFrame(draw.normal(60, 9, (90, 3)).round(3), columns=["before", "age", "after"])
    frame.loc[draw.random(90) < 0.3, "after"] = np.nan
    frame["change"] = made(frame).fillna(0.0)

    def found(frame):
        notes = ex.Dataset.from_frame(frame, "change").notes
        return [note.text for note in notes if note.is_leak and len(note.columns) == 2]

    (text,) = found(frame)
    assert words in text
    frame.loc[frame["after"].last_valid_index(), "change"] += 0.001
    assert found(frame) == [], "one row is not their sum"


def test_numbers_near_the_largest_are_no_sum_and_no_order():
    draw = np.random.default_rng(10)
    scale = [1.7e308, 1.7e308, 1.0]
    frame = pd.DataFrame(scale * draw.uniform(-1, 1, (60, 3)), columns=["a", "b", "y"])
    assert not [note for note in ex.Dataset.from_frame(frame, "y").notes if note.is_leak]
