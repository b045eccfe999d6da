"""Columns that another one makes superfluous, categories with few rows each, and numbers that are codes of units."""

import numpy as np
import pandas as pd
import pytest

import explorer as ex
from explorer.data.codes.repeats import like_features

RNG = np.random.default_rng(7)
PRICE = RNG.integers(50, 900, 200) * 100
GROUP = RNG.integers(0, 12, 200)


def pairs_of(**columns):
    data = ex.Dataset.from_frame(pd.DataFrame({**columns, "y": list("ab") * 100}), "y", [*columns])
    return list(like_features(*data.encoded))


@pytest.mark.parametrize(
    "other",
    [
        PRICE * 0.92,
        np.round(PRICE * 0.92),
        np.log(PRICE),
        -PRICE,
        1000 / PRICE,
        np.round(PRICE / 1.1955, -2),  # ties by rounding
        PRICE**2,
    ],
)
def test_a_number_in_the_order_of_another_is_one_too_many(other):
    assert pairs_of(price=PRICE, other=other) == [("other", "price")]


def test_missing_cells_are_the_same_for_copies():
    gaps = np.where(np.arange(200) % 9 == 0, np.nan, PRICE)
    assert pairs_of(price=gaps, euro=gaps * 0.92) == [("euro", "price")]
    assert pairs_of(price=PRICE, euro=gaps * 0.92) == []


@pytest.mark.parametrize(
    "other",
    [
        PRICE // 10_000,  # classes of it
        np.where(np.arange(200) == 8 * 3 + 1, -PRICE, PRICE),  # one row in another place
        PRICE + RNG.normal(0, 5000, 200),
        PRICE,  # equal in every row, which has a note of its own
    ],
)
def test_what_says_more_or_less_is_no_copy(other):
    assert pairs_of(price=PRICE, other=other) == []


def test_categories_that_stand_for_each_other_are_one_too_many():
    names, codes = np.array([f"town {i}" for i in range(12)])[GROUP], np.array(list("qwertzuiopas"))[GROUP]
    assert pairs_of(town=names, code=codes) == [("code", "town")]
    codes = np.where(GROUP == 3, codes[GROUP == 4][0], codes)
    assert pairs_of(town=names, code=codes) == []


COIN = RNG.integers(0, 2, 200)


@pytest.mark.parametrize("dose", [COIN * 2, 1.0 - COIN, np.array(["none", "2 g"])[COIN], COIN == 1])
def test_two_values_that_stand_for_two_others_are_one_too_many_of_any_type(dose):
    arms = np.array(["placebo", "drug"])[COIN]
    assert pairs_of(arm=arms, dose=dose) == [("dose", "arm")]
    other = np.array(dose)
    other[3] = dose[np.flatnonzero(np.not_equal(COIN, COIN[3]))[0]]
    assert pairs_of(arm=arms, dose=other) == []


def test_two_values_in_few_rows_may_agree_by_chance():
    frame = pd.DataFrame({"arm": list("ab") * 9, "dose": [0, 1] * 9, "y": list("aab") * 6})
    assert list(like_features(*ex.Dataset.from_frame(frame, "y").encoded)) == []


def test_the_note_on_two_values_speaks_of_values_and_not_of_an_order():
    assert notes_of(arm=np.array(["placebo", "drug"])[COIN], dose=COIN * 2)[("dose",)] == (
        "'dose' has one value for each value of 'arm': one of them is enough."
    )


def notes_of(**columns):
    n = len(next(iter(columns.values())))
    frame = pd.DataFrame({**columns, "y": np.arange(n) % 2}).astype({"y": "str"})
    return {note.columns: note.text for note in ex.Dataset.from_frame(frame, "y", [*columns]).notes}


@pytest.mark.parametrize(
    ("n_rows", "n_makes", "is_said"), [(93, 32, True), (400, 32, False), (45, 9, False), (60, 14, True)]
)
def test_categories_with_few_rows_of_each_are_said_to_be_favoured(n_rows, n_makes, is_said):
    makes = np.array([f"make {i % n_makes}" for i in RNG.permutation(n_rows)])
    notes = notes_of(make=makes)
    assert (f"{n_makes} categories in {n_rows} rows" in notes.get(("make",), "")) == is_said


@pytest.mark.parametrize(("name", "is_code"), [("zip", True), ("cowcode2", True), ("FIPS", True), ("income", False)])
def test_numbers_that_are_codes_of_units_are_named(name, is_code):
    codes = RNG.integers(100, 400, 500)
    assert ("named like a code" in notes_of(**{name: codes}).get((name,), "")) == is_code
