"""A long column is read at once, and each of its cells becomes what it becomes in a short one."""

import numpy as np
import pandas as pd
import pytest

import explorer as ex
from explorer.data.suggestions.quick_reading import LONG

NUMBERS = [
    "1,200",
    "-1,200.5",
    "12,00",
    "7",
    " 8 ",
    "(9)",
    "0.5",
    ".5",
    "1,200,000",
    "−3",
    "x",
    None,
    "1e3",
    "0,200",
    "5.",
]
REPAIRS = {
    "numbers": ({"decimal": ".", "group": ","}, NUMBERS),
    "per_cent": ({"decimal": ",", "group": ""}, ["1,5%", "2 %", "3", "% 4", "5%%", "-6%", "6,%", "7 percent", None]),
    "money": (
        {"decimal": ".", "group": "'", "currency": "CHF"},
        ["CHF 1'200.5", "5 CHF", "-CHF 6", "CHF -7", "chf 8", "CHF9", "CHF 9 CHF", "CHF 1'20", "10", None],
    ),
    "units": (
        {"decimal": ".", "group": "", "units": (("kg", 1.0), ("Kg", 1.0))},
        ["5 kg", "6.5Kg", "7", "kg 8", "9 g", "-1 kg", "1 kg kg"],
    ),
    "dates": (
        {"order": "dmy", "origin": "2000-01-01", "parts": ("year", "month", "weekday", "hour")},
        ["03.04.2024", "31.12.1999", "3.4.2024", "31.02.2024", "2024-04-03", "03.04.0999", "03/04/2024", None, "soon"],
    ),
}
CLOCK = ["2024-04-03 14:30:15", "2024-04-03 24:30:00", "2024-04-03 23:59:60", "2024-04-03", "1850-01-01 00:00:00"]


def columns_of(kind, options, cells):
    table = ex.Table(pd.DataFrame({"x": pd.Series(cells, dtype="str")}), (), "t")
    return ex.apply_repairs(table, [ex.Repair(kind, "x", options)]).frame


@pytest.mark.parametrize(("kind", "options", "cells"), [(kind, *rest) for kind, rest in REPAIRS.items()])
def test_a_cell_of_a_long_column_becomes_what_it_becomes_in_a_short_one(kind, options, cells):
    short = columns_of(kind, options, cells)
    assert short["x"].notna().any()
    long = columns_of(kind, options, cells * (LONG // len(cells) + 1))
    pd.testing.assert_frame_equal(long.head(len(cells)), short, check_exact=True)


def test_times_of_a_long_column_are_those_of_a_short_one():
    options = {"order": "ymd", "origin": "2000-01-01", "parts": ("weekday", "hour")}
    short = columns_of("dates", options, CLOCK)
    assert short["x (hour)"].iloc[0] == 14 + 30 / 60 + 15 / 3600
    long = columns_of("dates", options, CLOCK * LONG)
    pd.testing.assert_frame_equal(long.head(len(CLOCK)), short, check_exact=True)


def test_dates_that_came_as_dates_are_read_as_their_texts_are():
    cells = ["2024-04-03 14:30:15", "1969-12-31 00:00:00", None]
    options = {"order": "ymd", "origin": "2000-01-01", "parts": ("year", "hour")}
    table = ex.Table(pd.DataFrame({"x": pd.to_datetime(pd.Series(cells))}), (), "t")
    found = ex.apply_repairs(table, [ex.Repair("dates", "x", options)]).frame
    np.testing.assert_array_equal(found.to_numpy(), columns_of("dates", options, cells).to_numpy())
