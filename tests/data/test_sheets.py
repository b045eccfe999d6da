"""Which sheet of a workbook is read, and what becomes of merged cells; in both formats of spreadsheets."""

import io

import openpyxl
import pytest

import explorer as ex
from tests.data.spreadsheets import ods, xlsx


def cells(table):
    return table.frame.astype(object).where(table.frame.notna(), None).to_numpy().tolist()


FORMATS = pytest.mark.parametrize("write", [xlsx, ods])
TABLE = [("x", "y"), (1, "a"), (2, "b"), (3, "a")]


@FORMATS
def test_the_largest_sheet_is_read_and_the_others_can_be_chosen(write):
    sheets = {"About": [("made", "by"), ("me", "today")], "Data": TABLE, "Codes": [("a", "yes"), ("b", "no")]}
    table = ex.read_table(write(sheets), name="book")
    assert (table.sheet, table.sheets) == ("Data", ("About", "Data", "Codes"))
    assert ex.read_table(write(sheets), sheet="Codes").sheet == "Codes"


@FORMATS
def test_a_sheet_that_is_no_table_gives_way(write):
    notes = [[f"# note {i}"] for i in range(9)]
    for refused in (notes, [["one"], ["column"], ["only"], ["of"], ["many"], ["many"], ["many"], ["rows"], ["!"]]):
        table = ex.read_table(write({"Notes": refused, "Data": TABLE}), name="book")
        assert (table.sheet, table.sheets) == ("Data", ("Notes", "Data"))
    with pytest.raises(ex.InputError):
        ex.read_table(write({"Notes": notes, "Data": TABLE}), sheet="Notes")


MERGED = [
    (
        [("region", "x"), ("north", 1), (None, 2), (None, 3), ("south", 4)],
        ["A2:A4"],
        [["north", 1], ["north", 2], ["north", 3], ["south", 4]],
    ),
    ([("a", "b", "c"), (1, "x", None), (2, "y", "z")], ["B2:C2"], [[1, "x", "x"], [2, "y", "z"]]),
    ([("a", "b"), (1, "x"), (2, None)], ["B2:B3"], [[1, "x"], [2, "x"]]),
]


@FORMATS
@pytest.mark.parametrize(("rows", "merged", "expected"), MERGED)
def test_merged_cells_are_read_in_each_of_their_places_and_noted(write, rows, merged, expected):
    table = ex.read_table(write({"S": rows}, merged), name="book")
    assert cells(table) == expected
    assert "1 merged cell was read" in " ".join(table.notes)


@FORMATS
def test_a_header_of_two_lines_in_merged_cells(write):
    rows = [("id", "size", None, "y"), (None, "width", "height", None), (1, 2, 3, "a"), (4, 5, 6, "b")]
    table = ex.read_table(write({"S": rows}, ["A1:A2", "B1:C1", "D1:D2"]), name="book")
    assert list(table.frame) == ["id", "size width", "size height", "y"]
    assert cells(table) == [[1, 2, 3, "a"], [4, 5, 6, "b"]]
    assert "lines 1 to 2" in " ".join(table.notes)


@FORMATS
def test_a_merged_title_is_a_title(write):
    rows = [("Sales of the year", None, None), ("shop", "part", "sum"), ("A", "x", 1), ("B", "y", 2)]
    table = ex.read_table(write({"S": rows}, ["A1:C1"]), name="book")
    assert list(table.frame) == ["shop", "part", "sum"]
    assert cells(table) == [["A", "x", 1], ["B", "y", 2]]
    assert "merged" not in " ".join(table.notes)


def test_a_hidden_sheet_is_not_the_first_choice_though_each_sheet_has_a_state():
    book = openpyxl.Workbook()
    book.active.append(["a", "b"])
    book.active.append([1, 2])
    hidden = book.create_sheet("hidden")
    for row in range(9):
        hidden.append([row] * 5)
    hidden.sheet_state = "hidden"
    content = io.BytesIO()
    book.save(content)
    assert ex.read_table(content.getvalue()).sheet == "Sheet"
