"""Dates and times become numbers; whether the day or the month comes first is asked where it cannot be told."""

import datetime

import pandas as pd
import pytest

import explorer as ex
from explorer.data.suggestions.apply import settled
from tests.data.suggestions.columns import kinds_of, only, repaired, table_of


def test_iso_dates_become_days_since_the_first_with_their_parts():
    cells = ["2023-12-30", "2024-01-01", "2024-03-01"]
    table = table_of(cells, name="when")
    frame = only(table).apply(table).frame
    assert frame["when"].tolist() == [0, 2, 62]
    assert frame["when (year)"].tolist() == [2023, 2024, 2024]
    assert frame["when (month)"].tolist() == [12, 1, 3]
    assert frame["when (weekday)"].tolist() == [datetime.date.fromisoformat(cell).isoweekday() for cell in cells]
    assert list(frame.columns) == ["when", "when (year)", "when (month)", "when (weekday)", "row"]


def test_the_order_of_day_and_month_is_asked_where_both_fit():
    table = table_of(["3/4/2024", "5/6/2024", "7/8/2024"])
    suggestion = only(table)
    assert suggestion.is_question
    assert "cannot be told" in suggestion.sentence
    day_first, month_first = suggestion.alternatives[:2]
    assert {dict(day_first.options)["order"], dict(month_first.options)["order"]} == {"dmy", "mdy"}
    by_order = {dict(one.options)["order"]: ex.apply_repairs(table, [one]) for one in suggestion.alternatives[:2]}
    assert by_order["dmy"].frame["x (month)"].tolist() == [4, 6, 8]
    assert by_order["mdy"].frame["x (month)"].tolist() == [3, 5, 7]


def test_one_day_after_the_twelfth_answers_the_question():
    assert not only(table_of(["3/4/2024", "13/6/2024", "7/8/2024"])).is_question
    assert repaired(["3/4/2024", "3/14/2024", "3/5/2024"]) == [0, 10, 1]
    assert not only(table_of(["3.4.2024", "5.6.2024"])).is_question


def test_only_the_number_can_be_chosen():
    suggestion = only(table_of(["2024-01-05", "2024-02-07"]))
    assert [dict(one.options)["parts"] for one in suggestion.alternatives] == [("month", "weekday"), ()]


def test_the_first_date_is_kept_for_a_second_file():
    repair = only(table_of(["2024-01-05", "2024-02-07"])).repair
    other = ex.apply_repairs(table_of(["2024-01-04", "2025-01-05", "soon"]), [repair])
    assert other.frame["x"].tolist()[:2] == [-1, 366]
    assert "'soon'" in other.notes[-1]


@pytest.mark.parametrize("n", [4_001, 24_001])
def test_dates_count_from_the_earliest_of_a_column_that_was_estimated_from_some_cells(n):
    days = [datetime.date(2019, 1, 2) + datetime.timedelta(days=day % 1799) for day in range(n)]
    days[n // 2 + 1] = datetime.date(2019, 1, 1)  # no cell of the sample
    table = table_of(list(map(str, days)))
    suggestion = only(table)
    assert "Estimated" in suggestion.sentence
    assert dict(suggestion.repair.options)["origin"] == "2019-01-02"
    fixed = suggestion.apply(table)
    assert dict(fixed.repairs[0].options)["origin"] == "2019-01-01"
    assert fixed.frame["x"].min() == 0
    assert ex.apply_repairs(table_of(["2019-01-01", "2019-01-11"]), fixed.repairs).frame["x"].tolist() == [0, 10]


def test_the_earliest_date_is_found_after_an_earlier_repair_took_cells_out():
    table = table_of(["2024-01-05", "1900-01-01", "2024-02-07"])
    without = ex.Repair("missing_codes", "x", {"codes": ("1900-01-01",), "numbers": ()})
    dates = only(table_of(["2024-01-06", "2024-02-07"])).repair
    assert dict(settled(table, [without, dates])[1].options)["origin"] == "2024-01-05"


@pytest.mark.parametrize(
    ("cells", "days"),
    [
        (["2024-01-05T06:00:00Z", "2024-01-06 12:00"], [0.25, 1.5]),
        (["Mon, 5 Feb 2024", "Tue, 6 Feb 2024"], [0, 1]),
        (["5. März 2024", "1. April 2024"], [0, 27]),
        (["1er janvier 2024", "2 février 2024"], [0, 32]),
        (["Jan 5, 2024", "February 1, 2024"], [0, 27]),
        (["2024-01", "2024-03"], [0, 60]),
        (["2024-Q1", "2024-Q2"], [0, 91]),
        (["31/12/99", "01/01/00"], [0, 1]),
        (["1/5/2024 1:30 PM", "1/6/2024 12:00 AM", "1/16/2024 1:00 AM"], [13.5 / 24, 1, 11 + 1 / 24]),
    ],
)
def test_dates_in_many_forms(cells, days):
    assert repaired(cells) == pytest.approx(days, abs=1e-12)


def test_whole_numbers_are_dates_only_if_all_are():
    assert kinds_of(table_of([20240105, 20240107])) == ["dates"]
    assert kinds_of(table_of([20240105, 20241307])) == []
    assert kinds_of(table_of([20240105, 12])) == []


def test_dates_that_came_as_dates_get_their_parts():
    frame = pd.DataFrame({"at": pd.to_datetime(["2024-01-05", "2024-02-07"]), "y": ["a", "b"]})
    table = ex.Table(frame, (), "t")
    assert only(table).apply(table).frame["at"].tolist() == [0, 33]


def test_times_become_hours():
    assert repaired(["14:30", "2:15 pm", "0:45:00"]) == [14.5, 14.25, 0.75]


@pytest.mark.parametrize(
    "cells", [["2024-02-31", "2024-02-30"], ["1.2", "3.4x"], ["2019/20", "2020/21"], ["may", "march"]]
)
def test_what_is_no_date_stays(cells):
    assert "dates" not in kinds_of(table_of(cells))


def test_a_name_that_is_taken_gets_a_number():
    table = ex.read_table(b"d,d (month),y\n2024-01-05,1,a\n2024-02-07,2,b\n", name="t.csv")
    assert "d (month) (2)" in only(table).apply(table).frame.columns


def test_alternatives_begin_with_what_tells_them_apart():
    suggestion = only(table_of(["3/4/2024", "5/6/2024", "8/8/2024"]))
    assert [one.choice for one in suggestion.alternatives] == [
        "Day first, with month and weekday",
        "Month first, with month and weekday",
        "Day first, number only",
        "Month first, number only",
    ]
    assert suggestion.sentence.endswith("cannot be told. Convert them to days since the first date?")
    suggestion = only(table_of(["2024-01-05", "2024-02-07"]))
    assert [one.choice for one in suggestion.alternatives] == ["With month and weekday", "Number only"]
    assert suggestion.sentence.endswith("to days since the first date, with columns for month and weekday?")
    stamps = only(table_of(["2024-03-01 12:00:00.000", "2024-03-01 13:00:00.137"]))
    assert stamps.sentence.endswith("to days since the first date, with a column for hour?")


def test_examples_follow_the_alternative():
    suggestion = only(table_of(["3/4/2024", "5/6/2024", "8/8/2024"]))
    for repair in suggestion.alternatives:
        form = {"dmy": "%d/%m/%Y", "mdy": "%m/%d/%Y"}[repair.settings["order"]]
        days = [datetime.datetime.strptime(text, form) for text, _ in suggestion.examples]
        expected = [(text, str((day - days[0]).days)) for (text, _), day in zip(suggestion.examples, days, strict=True)]
        assert list(suggestion.examples_of(repair)) == expected


def test_examples_of_a_question_are_dates_that_the_orders_read_differently():
    suggestion = only(table_of(["1/1/2024", "2/2/2024", "3/3/2024", "4/4/2024", "3/5/2024"]))
    assert suggestion.examples[0][0] == "3/5/2024"


def _numbers_named(name, numbers):
    frame = pd.DataFrame({name: numbers, "y": range(len(numbers))})
    return ex.read_table(frame.to_csv(index=False).encode(), "t.csv")


def _about(table, name):
    return [one for one in table.suggestions if one.column == name]


@pytest.mark.parametrize(
    ("name", "numbers", "forms", "form"),
    [
        ("date", [123194, 10593, 63095, 72196], ["MMDDYY"], "%m%d%y"),
        ("date", [311294, 10593, 300695, 210796], ["DDMMYY"], "%d%m%y"),
        ("datum", [930131, 940225, 951231], ["YYMMDD"], "%y%m%d"),
        ("Date", [3011994, 31121995, 15061996], ["DDMMYYYY"], "%d%m%Y"),
        ("sale_date", [3011994, 12311995, 6151996], ["MMDDYYYY"], "%m%d%Y"),
        ("ship_date", [10203.0, None, 40506, 70809], ["MMDDYY", "DDMMYY", "YYMMDD"], "%m%d%y"),
    ],
)
def test_numbers_that_are_all_dates_of_six_or_eight_digits_are_asked_about(name, numbers, forms, form):
    table = _numbers_named(name, numbers)
    (suggestion,) = _about(table, name)
    assert (suggestion.repair.kind, suggestion.is_certain) == ("dates", False)
    assert ", ".join(forms) + "." in suggestion.sentence
    n_digits = 8 if "%Y" in form else 6
    expected = [
        None if pd.isna(number) else datetime.datetime.strptime(f"{int(number):0{n_digits}}", form)
        for number in numbers
    ]
    first = min(day for day in expected if day is not None)
    days = suggestion.apply(table).frame[name].tolist()
    assert [None if pd.isna(day) else day for day in days] == [day and (day - first).days for day in expected]
    for repair in suggestion.alternatives:
        assert all(after for _, after in suggestion.examples_of(repair)), "each example is a date in each order"


@pytest.mark.parametrize(
    ("name", "numbers"),
    [
        ("n", [123194, 10593, 63095]),  # no name of a date
        ("update_n", [123194, 10593, 63095]),
        ("date", [123194, 10593, 999999]),  # one is no date
        ("date", [1990, 1991, 1992]),
        ("date", [199001, 199002, 199112]),  # year and month
        ("date", [200112, 200212, 200301]),
        ("date", [12.5, 123194, 10593]),
        ("date", [-10593, 123194, 10593]),
        ("date", [1111111111, 1222222222, 1333333333]),  # seconds
        ("date", [40178, 40179, 41243]),  # days of a spreadsheet
        ("date", [123194, 123194, 10593]),  # two days
    ],
)
def test_other_numbers_are_no_dates(name, numbers):
    assert "dates" not in [one.repair.kind for one in _about(_numbers_named(name, numbers), name)]
