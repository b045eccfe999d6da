"""Columns of ids that repeat are found by name and counts, and a plain category never is."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import explorer as ex
from explorer.data.codes.repeated_ids import repeated_ids


def found(frame, target="y"):
    encoded = ex.Dataset.from_frame(frame.assign(y=np.arange(len(frame)) % 2), target).encoded
    return [(repeated.column, repeated.n_values, repeated.n_rows) for repeated in repeated_ids(*encoded)]


@pytest.mark.parametrize("sample", ex.SAMPLES)
def test_no_table_that_comes_along_has_one(sample):
    data = ex.Dataset.from_frame(ex.load_sample(sample).frame, ex.SAMPLES[sample].target)
    assert repeated_ids(*data.encoded) == []


@pytest.mark.parametrize(
    "name",
    ["id", "ID", "patient", "Patient ID", "patientId", "customer_no", "USER_ID", "患者编号", "contestant", "player"],
)
def test_visits_of_persons(name):
    visits = pd.DataFrame({name: np.arange(400) // 4, "x": np.arange(400) % 7})
    assert found(visits) == [(name, 100, 400)]
    as_text = visits.assign(**{name: "k" + visits[name].astype(str)})
    assert found(as_text) == [(name, 100, 400)]


def test_a_few_patients_who_come_again_are_found():
    """As in the biopsies of Wolberg and Mangasarian: 645 ids in 699 rows."""
    assert found(pd.DataFrame({"ID": np.append(np.arange(645), np.arange(54))})) == [("ID", 645, 699)]


def test_ids_of_text_are_told_to_divide_the_rows_and_not_to_be_grouped():
    visits = pd.DataFrame({"id": [f"1-{n // 4}" for n in range(400)], "x": np.arange(400) % 7, "y": np.arange(400) % 2})
    of_id = [note.brief for note in ex.Dataset.from_frame(visits, "y").notes if note.columns == ("id",)]
    assert of_id == ["values that repeat: divide the rows by it"]
    mixed = visits.rename(columns={"id": "code"}).assign(code=[f"1-{n * 37 % 397 % 100}" for n in range(400)])
    of_code = ex.Dataset.from_frame(mixed, "y").notes
    assert [note.brief for note in of_code if note.columns == ("code",)] == [
        "100 categories: group them, or leave the column out"
    ]


@pytest.mark.parametrize("name", ["x", "no", "idle", "grid", "age", "customer_type", "patient age", "zip", "房号"])
def test_a_name_of_anything_else_is_none(name):
    assert found(pd.DataFrame({name: np.arange(400) // 4, "z": np.arange(400) % 7})) == []


@pytest.mark.parametrize("name", ["townid", "hhid", "schoolid", "FAMID"])
def test_a_name_that_ends_as_an_id_needs_rows_together_and_a_fact_of_each_value(name):
    """As the towns of Harrison and Rubinfeld's housing values, which have one tax each."""
    town = np.arange(400) // 4
    frame = pd.DataFrame({name: town, "tax": town % 9, "rooms": np.arange(400) % 7})
    assert found(frame) == [(name, 100, 400)]
    assert found(frame.drop(columns="tax")) == [], "acid and grid end so too"
    assert found(frame.assign(**{name: np.arange(400) % 100, "tax": np.arange(400) % 100 % 9})) == []


def countries(rows_of_each=9):
    """As the table of Cheibub, Gandhi and Vreeland: a row for each government, a continent for each country."""
    rng, country = np.random.default_rng(2), np.repeat(np.arange(200), rows_of_each)
    years = rng.integers(1946, 2008, len(country))
    return pd.DataFrame({"country": [f"c{n}" for n in country], "continent": country % 6, "year": years})


def test_names_of_units_are_known_by_their_rows_or_by_facts_and_are_not_to_be_grouped():
    frame = countries()
    assert found(frame) == [("country", 200, 1800)]
    notes = ex.Dataset.from_frame(frame.assign(y=np.arange(1800) % 2), "y").notes
    assert [note.brief for note in notes if note.columns == ("country",)] == [
        "values that repeat: divide the rows by it"
    ]
    mixed = frame.sample(frac=1, random_state=1)
    assert found(mixed) == [], "one fact of a mixed table, as the region of a city, is not enough"
    assert found(mixed.assign(area=mixed["country"].str[1:].astype(int) ** 2)) == [("country", 200, 1800)]
    assert found(frame.drop(columns="continent")) == [("country", 200, 1800)]
    assert found(mixed.drop(columns="continent")) == []


def test_a_text_of_many_rows_is_a_unit_only_where_order_and_facts_show_it():
    frame = countries(40)
    assert found(frame) == [("country", 200, 8000)]
    assert found(frame.drop(columns="continent")) == []


def test_ids_come_before_names_of_units():
    frame = countries().assign(visit_id=lambda rows: np.arange(len(rows)) // 3)
    assert [column for column, _, _ in found(frame)] == ["visit_id", "country"]


def test_a_column_that_is_constant_by_chance_is_no_fact():
    """Two of 80 rows have another value, those of one name: fewer arrangements than names could have facts."""
    rows = np.arange(80)
    frame = pd.DataFrame({"name": [f"n{row % 40}" for row in rows], "rare": rows == 5, "seldom": rows == 7})
    frame.loc[45, "rare"] = frame.loc[47, "seldom"] = True
    assert frame.groupby("name")[["rare", "seldom"]].nunique().eq(1).all(axis=None)
    assert found(frame) == []


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("type_id", np.arange(400) % 12),  # few values
        ("region_id", np.arange(2000) % 50),  # many rows of each: codes of a category
        ("patient", np.arange(400)),  # none repeats
        ("patient", np.append(np.arange(390), np.arange(10))),  # few repeat: mistakes
        ("subject", np.arange(400) / 8),  # no whole numbers
    ],
)
def test_counts_that_are_not_those_of_ids(name, cells):
    assert found(pd.DataFrame({name: cells, "z": np.arange(len(cells)) % 7})) == []


@pytest.mark.law
@given(st.integers(2, 200), st.integers(1, 60), st.sampled_from(["id", "job_id", "patient", "city"]))
def test_one_is_found_where_a_person_has_from_two_to_a_thousand_rows(n_values, times, name):
    frame = pd.DataFrame({name: np.repeat(np.arange(n_values), times), "z": 1.5})
    frame["z"] = np.arange(len(frame)) % 3
    most = {"city": 0, "job_id": 20}.get(name, 1000)
    expected = [(name, n_values, len(frame))] if n_values >= 20 and 2 <= times <= most else []
    assert found(frame) == expected


def test_persons_come_first_then_fewer_values_and_the_note_names_the_first():
    rows = np.arange(480)
    frame = pd.DataFrame({"visit_id": rows // 2, "patient": rows // 4, "person": rows // 8, "y": rows % 2})
    assert [column for column, _, _ in found(frame)] == ["person", "patient", "visit_id"]
    data = ex.Dataset.from_frame(frame, "y")
    assert "'person' has 60 values in 480 rows" in " ".join(note.text for note in data.notes)
    assert "belong together" not in " ".join(note.text for note in data.with_groups("person").notes)
