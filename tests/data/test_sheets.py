"""Which sheet of a workbook is read, and what becomes of merged cells; in both formats of spreadsheets."""

import io
import zipfile
from xml.sax.saxutils import escape

import openpyxl
import pytest

import explorer as ex

NAMES = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in ("office", "table", "text")
)


def xlsx(sheets, merged=()):
    book, out = openpyxl.Workbook(), io.BytesIO()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
        for cells in merged:
            sheet.merge_cells(cells)
    book.save(out)
    return out.getvalue()


def ods(sheets, merged=()):
    spans = {}
    for cells in merged:
        first, last = (openpyxl.utils.cell.coordinate_to_tuple(end) for end in cells.split(":"))
        spans[first] = (last[0] - first[0] + 1, last[1] - first[1] + 1)

    def cell(value, place):
        rows, columns = spans.get(place, (1, 1))
        span = f'table:number-rows-spanned="{rows}" table:number-columns-spanned="{columns}"' if place in spans else ""
        if value is None:
            return f"<table:table-cell {span}/>"
        kind = "string" if isinstance(value, str) else "float"
        number = "" if kind == "string" else f'office:value="{value}"'
        return (
            f'<table:table-cell {span} office:value-type="{kind}" {number}><text:p>{escape(str(value))}</text:p>'
            "</table:table-cell>"
        )

    body = ""
    for name, rows in sheets.items():
        lines = (
            f"<table:table-row>{''.join(cell(value, (i, j)) for j, value in enumerate(row, 1))}</table:table-row>"
            for i, row in enumerate(rows, 1)
        )
        body += f'<table:table table:name="{name}">{"".join(lines)}</table:table>'
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr(
            "content.xml",
            f"<office:document-content {NAMES}><office:body><office:spreadsheet>{body}</office:spreadsheet>"
            "</office:body></office:document-content>",
        )
    return out.getvalue()


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
