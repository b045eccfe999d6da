"""Cells of a worksheet as other programs write them: numbers, dates, durations and texts."""

import io
import zipfile

import openpyxl
import pytest

import explorer as ex

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
PHONETIC = '<rPh sb="0" eb="2"><t>トウ</t></rPh>'


def workbook(rows):
    """A workbook whose only sheet has these rows as XML."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(
            "xl/workbook.xml",
            f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets>'
            "</workbook>",
        )
        archive.writestr(
            "xl/_rels/workbook.xml.rels",
            f'<Relationships xmlns="{RELATIONS}"><Relationship Id="r1" Type="{OFFICE}/worksheet" '
            'Target="worksheets/sheet1.xml"/></Relationships>',
        )
        archive.writestr(
            "xl/worksheets/sheet1.xml", f'<worksheet xmlns="{MAIN}"><sheetData>{rows}</sheetData></worksheet>'
        )
    return out.getvalue()


def text(ref, inner):
    return f'<c r="{ref}" t="inlineStr"><is>{inner}</is></c>'


def column(cells):
    """The cells of a column in a workbook, given as numbers in XML or as the inner part of a text."""
    rows = f'<row r="1">{text("A1", "<t>c</t>")}{text("B1", "<t>y</t>")}</row>'
    for i, cell in enumerate(cells, 2):
        own = text(f"A{i}", cell) if cell.startswith("<") else f'<c r="A{i}"><v>{cell}</v></c>'
        rows += f'<row r="{i}">{own}{text(f"B{i}", "<t>a</t>")}</row>'
    return ex.read_table(workbook(rows), name="b.xlsx").frame["c"].tolist()


BESIDE_TEXT = [
    ("1.1000000000000001", "1.1"),
    ("7.4999999999999997E-2", "0.075"),
    ("0.28999999999999998", "0.29"),
    ("1.0000000000000001E-5", "1e-05"),
    ("1E+20", "100000000000000000000"),
    ("1.0", "1"),
    ("-2.0", "-2"),
    ("2.5", "2.5"),
    ("1234567890123456789", "1234567890123456789"),
]


@pytest.mark.parametrize(("written", "shown"), BESIDE_TEXT)
def test_a_number_beside_text_is_its_shortest_decimal(written, shown):
    assert column([written, "<t>2a</t>"]) == [shown, "2a"]


def test_numbers_alone_stay_the_numbers():
    assert column([written for written, _ in BESIDE_TEXT[:8]]) == [1.1, 0.075, 0.29, 1e-5, 1e20, 1.0, -2.0, 2.5]


def test_texts_keep_their_signs_and_not_their_pronunciation():
    cells = [f"<t>東京</t>{PHONETIC}", f"<r><t>大</t></r>{PHONETIC}<r><t>阪</t></r>", f"{PHONETIC}<r><t>京都</t></r>"]
    assert column(cells) == ["東京", "大阪", "京都"]


def dated(values, number_format):
    book, out = openpyxl.Workbook(), io.BytesIO()
    book.active.append(["d", "y"])
    for value in values:
        book.active.append([value, "a"])
        book.active.cell(book.active.max_row, 1).number_format = number_format
    book.save(out)
    return ex.read_table(out.getvalue(), name="d.xlsx").frame["d"].tolist()


def test_the_first_days_of_excel_are_as_it_shows_them():
    assert dated([1, 59, 60, 61], "yyyy-mm-dd") == ["1900-01-01", "1900-02-28", "1900-02-29", "1900-03-01"]
    assert dated([60.25, 0], "yyyy-mm-dd hh:mm") == ["1900-02-29 06:00:00", "1900-01-00"]
    assert dated([0.5, 0.25], "hh:mm") == ["12:00:00", "06:00:00"]


def test_durations_are_hours_minutes_and_seconds():
    assert dated([1.5, 0.0625, 2 + 1 / 86400], "[h]:mm:ss") == ["36:00:00", "01:30:00", "48:00:01"]
