"""What a column cannot tell is asked, and what would lose cells is not done with all the rest."""

import datetime

import pandas as pd
import pytest

import explorer as ex
from explorer.data.suggestions import dates
from explorer.data.suggestions.written_dates import centuries_of
from tests.data.suggestions.columns import kinds_of, only, repaired, table_of

POINTS = [
    ("kg,y\n2.620,a\n146,b\n", "kg", [2620, 146]),
    ("kg;z\n2.620;45,0\n146;3,5\n", "kg", [2620, 146]),
    ("kg,y\n1.000,a\n2.000,b\n", "kg", [1000, 2000]),
    ("kg,y\n" + "1,a\n" * 1500 + "2.620,b\n", "kg", [2620]),
    ("p,y\n€ 2.620,a\n€ 146,b\n", "p", [2620, 146]),
    ("p,y\n2.620 ft,a\n146 ft,b\n", "p", [2620, 146]),
]


@pytest.mark.parametrize(("text", "name", "thousands"), POINTS)
def test_three_digits_after_every_point_are_a_question(text, name, thousands):
    table = ex.read_table(text.encode(), name="t.csv")
    suggestion = only(table)
    assert suggestion.is_question
    assert not suggestion.is_certain
    as_thousands, as_decimals = suggestion.alternatives
    n = len(thousands)
    assert ex.apply_repairs(table, [as_thousands]).frame[name].tolist()[-n:] == thousands
    decimals = [number / 1000 if number > 999 else number for number in thousands]
    assert ex.apply_repairs(table, [as_decimals]).frame[name].tolist()[-n:] == decimals


BELOW = ["Quelle: Amt", "Quelle: Amt;;", "Total;;", "x;kg;y", "unknown;unknown;a"]


@pytest.mark.parametrize("below", BELOW)
@pytest.mark.parametrize("cells", [("2.620", "146"), ("01067", "50667"), ("9007199254740993", "7")])
def test_a_column_without_its_last_row_is_read_as_one_that_never_had_it(cells, below):
    """A note, a total, the header again and a word for a missing cell: what is removed leaves the other cells alone."""
    lines = [f"{cell};{cell};{state}" for cell, state in zip(cells * 3, "abaaba", strict=True)]
    tidy = ex.read_table("\n".join(["x;kg;y", *lines]).encode(), name="t.csv")
    table = ex.read_table("\n".join(["x;kg;y", *lines, below]).encode(), name="t.csv")
    removed = [one.repair for one in table.suggestions if one.repair.kind != "numbers"]
    assert removed
    repaired = ex.apply_repairs(table, removed)
    assert [*map(str, repaired.frame["x"][:6])] == [*map(str, tidy.frame["x"])]
    assert not any("no rows of the table" in note for note in repaired.notes)
    questions = [one.repair for one in tidy.suggestions]
    assert [one.repair for one in repaired.suggestions if one.repair.kind != "footers"] == questions


CLEAR = [
    "kg,z\n2.620,1.5\n146,2\n",  # another column shows what a point is
    "kg,y\n0.620,a\n1.500,b\n",
    "kg,y\n2.6200,a\n1.500,b\n",
    "kg,y\n1234.620,a\n1.500,b\n",
    "rate,y\n6.125%,a\n5.250%,b\n",
]


@pytest.mark.parametrize("text", CLEAR)
def test_a_point_that_can_only_be_a_decimal_sign_is_no_question(text):
    table = ex.read_table(text.encode(), name="t.csv")
    assert all(suggestion.is_certain for suggestion in table.suggestions)
    repaired = ex.apply_repairs(table, [suggestion.repair for suggestion in table.suggestions])
    assert repaired.frame.iloc[:, 0].max() < 2000


CENTURIES = [
    ({58, 64, 45, 59}, (1927,)),  # births
    ({98, 99, 0, 3}, (1927,)),
    ({26}, (1927,)),
    ({27}, (1927,)),
    ({24, 31}, (1978, 1927)),  # the end of a contract, or a birth
    (set(range(100)), (1927,)),
]


@pytest.mark.parametrize(("years", "expected"), CENTURIES)
def test_years_of_two_digits_lie_close_together_and_not_in_the_future(years, expected):
    assert centuries_of(years, 2026) == expected


BIRTHS = [
    ["16-07-58", "23-10-64", "28-02-45", "11-11-59"],
    ["16/07/58", "23/10/64", "28/02/45", "11/11/59"],
    ["16 Jul 58", "23 Oct 64", "28 Feb 45", "11 Nov 59"],
    ["58-07-16", "64-10-23", "45-02-28", "59-11-11"],
]


@pytest.mark.parametrize("cells", BIRTHS)
def test_births_are_of_the_past_and_the_sentence_says_so(cells, monkeypatch):
    monkeypatch.setattr(dates, "_today", lambda: datetime.date(2026, 11, 28))
    suggestion = only(table_of(cells))
    assert suggestion.sentence.endswith("Its years have two digits and count as 1945 to 1964.")
    table = suggestion.apply(table_of(cells))
    assert table.frame["x (year)"].tolist() == [1958, 1964, 1945, 1959]
    monkeypatch.setattr(dates, "_today", lambda: datetime.date(2096, 11, 28))
    assert ex.apply_repairs(table_of(cells), table.repairs).frame["x (year)"].tolist() == [1958, 1964, 1945, 1959]


def test_a_repair_without_a_century_is_still_one():
    plain = ["dates", "x", {"order": "dmy", "origin": "2001-01-01", "parts": []}]
    repair = ex.Repair.from_plain(plain)
    assert ex.apply_repairs(table_of(["02-01-01", "01-01-68"]), [repair]).frame["x"].tolist()[0] == 1.0


LOSING = [
    ["1-9km/h", "10-19km/h", "20-29km/h", "fast"] + ["10-19km/h"] * 40,
    ["low", "medium", "high", "lowish"] + ["low"] * 40,
]


@pytest.mark.parametrize("cells", LOSING)
def test_an_order_is_offered_only_where_every_cell_has_a_place(cells):
    assert "levels" not in kinds_of(table_of(cells))
    whole = [cell for cell in cells if cell not in ("fast", "lowish")]
    table = table_of(whole)
    assert only(table).repair.kind == "levels"
    assert only(table).apply(table).frame["x"].notna().all()


def test_a_repair_that_loses_cells_says_so_and_is_not_certain():
    suggestion = only(table_of(["1,200.5", "3,400"] * 30 + ["soon"]))
    assert (suggestion.n_lost, suggestion.is_certain, suggestion.is_question) == (1, False, False)
    assert "becomes missing: 'soon'" in suggestion.sentence


@pytest.mark.parametrize("end", [" 00:00:00", "T00:00:00", "", " 00:00:00.000000"])
@pytest.mark.parametrize("far", ["9999-12-31", "2999-12-31", "0001-01-01"])
def test_the_end_of_the_calendar_stands_for_no_date(far, end):
    cells = [f"2024-01-05{end}", f"{far}{end}", f"2024-03-01{end}", f"{far}{end}", f"2023-05-06{end}"]
    assert kinds_of(table_of(cells)) == ["missing_codes", "dates"]


def test_time_stamps_at_the_end_of_the_calendar_too():
    stamps = pd.Series(pd.array(["2024-01-05", "9999-12-31", "2024-03-01"], dtype="datetime64[us]"))
    table = ex.read_table(pd.DataFrame({"end": stamps, "y": list("aba")}))
    missing, as_days = table.suggestions
    assert (missing.repair.kind, as_days.repair.kind) == ("missing_codes", "dates")
    assert ex.apply_repairs(table, [missing.repair, as_days.repair]).frame["end"].isna().tolist() == [
        False,
        True,
        False,
    ]


def test_a_negative_amount_may_have_its_currency_before_the_bracket():
    assert repaired(["$(1,200)", "$3,400", "($15)"]) == [-1200, 3400, -15]


ERRORS = ["#SPILL!", "#CALC!", "#GETTING_DATA", "#NV", "#WERT!", "#BEZUG!", "#ZAHL!", "#VALEUR!", "Err:502", "#ERROR!"]


@pytest.mark.parametrize("error", ERRORS)
def test_errors_of_spreadsheets_stand_for_no_cell(error):
    assert repaired([1, 2, error, 4])[:2] == [1, 2]
    assert kinds_of(table_of([1, 2, error, 4])) == ["missing_codes"]
