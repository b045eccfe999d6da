"""Laws of repairs on random tables: written numbers read back, order, idempotence, and nothing raised."""

import datetime
import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import explorer as ex
from explorer.data.suggestions.repair import KINDS, TABLE_KINDS, Repair
from tests.oracles.repairs import apply_all

ODD_CELLS = st.one_of(
    st.none(),
    st.text(max_size=8),
    st.sampled_from(
        [
            "$1,200",
            "11.4%",
            "(1,200)",
            "1.200,50 €",
            "12 kg",
            "3 g",
            "-999",
            "9999",
            "unknown",
            "n/a",
            "-",
            " yes",
            "Yes",
            "no",
            "true",
            "1",
            "0",
            "low",
            "medium",
            "HIGH ",
            "1 star",
            "5 stars",
            "18-25",
            "26-35",
            "36+",
            "2024-01-05",
            "3/4/2024",
            "13/4/2024",
            "14:30",
            "Total",
            "a",
            "１２",
            "−5",
            "\xa0",
            "1e400",
            "2024-02-31",
            "²",
            "٣",
        ]
    ),
)


def table_of(**columns):
    return ex.Table(pd.DataFrame({name: pd.Series(cells, dtype="str") for name, cells in columns.items()}), (), "t")


@st.composite
def tables(draw):
    """A few columns, each mostly of one sort."""
    n = draw(st.integers(1, 25))
    pools = draw(st.lists(st.lists(ODD_CELLS, min_size=1, max_size=4), min_size=1, max_size=3))
    columns = {}
    for i, pool in enumerate(pools):
        columns[f"c{i}"] = draw(st.lists(st.sampled_from(pool), min_size=n, max_size=n))
    columns["number"] = draw(st.lists(st.sampled_from([1, 2, 3, -999, 9999, 20240105]), min_size=n, max_size=n))
    frame = pd.DataFrame(
        {name: pd.Series(cells, dtype=None if name == "number" else "str") for name, cells in columns.items()}
    )
    return ex.Table(frame, (), "t")


@given(tables())
def test_after_three_rounds_of_yes_nothing_is_suggested_any_more(table):
    before = table.frame.copy(deep=True)
    repaired = apply_all(table)
    assert repaired.suggestions == ()
    pd.testing.assert_frame_equal(table.frame, before)
    if not {repair.kind for repair in repaired.repairs}.intersection(kind.name for kind in TABLE_KINDS):
        assert len(repaired.frame) == len(table.frame)


@given(tables())
def test_the_second_file_becomes_what_the_first_one_became(table):
    repaired = apply_all(table)
    kept = json.loads(json.dumps([repair.to_plain() for repair in repaired.repairs]))
    again = ex.apply_repairs(table, [Repair.from_plain(plain) for plain in kept])
    pd.testing.assert_frame_equal(again.frame, repaired.frame)
    assert again.repairs == repaired.repairs


@given(tables(), tables())
def test_repairs_of_one_table_never_fail_on_another(table, other):
    repaired = ex.apply_repairs(other, apply_all(table).repairs)
    assert all(isinstance(note, str) for note in repaired.notes)
    assert all(repair.label for repair in repaired.repairs)


@given(tables())
def test_what_is_said_is_what_happens(table):
    for suggestion in table.suggestions:
        repaired = suggestion.apply(table)
        assert suggestion.sentence.endswith(("?", "."))
        assert suggestion.n_cells > 0
        assert len(suggestion.examples) <= 3
        if suggestion.column:
            changed = _texts(table.frame[suggestion.column]) != _texts(repaired.frame[suggestion.column])
            assert changed.sum() > 0
        else:
            assert len(table.frame) - len(repaired.frame) == suggestion.n_cells


def _texts(column):
    return np.array([f"{type(cell).__name__} {cell}" for cell in column])


GROUPS = [(",", "."), (".", ","), (" ", ","), ("'", "."), ("\u00a0", ","), ("\u202f", ",")]
AROUND = [("", "", "numbers"), ("$", "", "money"), ("", " €", "money"), ("", " %", "per_cent"), ("", " kg", "units")]


@pytest.mark.parametrize(("group", "decimal"), GROUPS)
@pytest.mark.parametrize(("before", "after", "kind"), AROUND)
@given(numbers=st.lists(st.decimals(-(10**9), 10**9, places=2), min_size=3, max_size=20, unique=True))
def test_numbers_written_in_a_known_way_are_read_back(group, decimal, before, after, kind, numbers):
    numbers = [*numbers, 1234567.25]  # which shows how both separators are meant
    cells = [f"{number:,.2f}".translate({ord(","): group, ord("."): decimal}) for number in numbers]
    table = table_of(
        x=[f"-{before}{cell[1:]}{after}" if cell[0] == "-" else f"{before}{cell}{after}" for cell in cells]
    )
    (suggestion,) = table.suggestions
    assert suggestion.repair.kind == kind
    assert not suggestion.is_question
    assert suggestion.apply(table).frame["x"].tolist() == [float(number) for number in numbers]


FORMS = ["%Y-%m-%d", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d %b %Y", "%B %d, %Y", "%Y%m%d", "%Y年%m月%d日", "%d-%b-%y"]


@pytest.mark.parametrize("form", FORMS)
@given(days=st.lists(st.dates(datetime.date(1990, 1, 1), datetime.date(2060, 1, 1)), min_size=3, max_size=20))
def test_dates_written_in_a_known_way_are_read_back(form, days):
    if "%y" in form:  # two digits of a year to come are those of a birth a hundred years ago, or a question
        days = [day.replace(year=1990 + day.year % 35, day=min(day.day, 28)) for day in days]
    days = [*days, datetime.date(2001, 2, 27), datetime.date(2002, 5, 3)]  # 27 cannot be a month
    table = table_of(x=[day.strftime(form) for day in days])
    (suggestion,) = table.suggestions
    frame = suggestion.apply(table).frame
    assert not suggestion.is_question
    assert frame["x"].tolist() == [float((day - min(days)).days) for day in days]
    assert frame["x (year)"].tolist() == [float(day.year) for day in days]
    assert frame["x (month)"].tolist() == [float(day.month) for day in days]


@given(
    st.lists(
        st.sampled_from(["New York", "new york", "NEW\u00a0YORK", "Köln", "Ko\u0308ln", "Rom", "ROM "]), min_size=4
    )
)
def test_a_merged_column_never_has_more_values(cells):
    table = table_of(city=cells)
    repaired = apply_all(table)
    assert repaired.frame["city"].nunique() == len({c.casefold().strip()[:1] for c in cells})
    assert repaired.frame["city"].isin({cell.strip() for cell in cells}).all()


def test_every_kind_is_made_from_its_plain_form_alone():
    assert all(kind.name == name for name, kind in KINDS.items())
