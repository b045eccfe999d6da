"""Hostile workbooks: Excel's and OpenDocument's XML written by hand."""

import io
import zipfile
from collections.abc import Callable, Mapping

from explorer.data.budget import Budget
from tests.data.hostile.case import SMALL, Case

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
LAUGHS = '<!DOCTYPE x [<!ENTITY a "ha">' + "".join(
    f'<!ENTITY {new} "{f"&{old};" * 10}">' for old, new in zip("abcdefgh", "bcdefghi", strict=True)
)
ROWS = '<row r="1"><c r="A1" t="inlineStr"><is><t>a</t></is></c><c r="B1" t="inlineStr"><is><t>b</t></is></c></row>'


def packed(parts: Mapping[str, str | bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return out.getvalue()


def workbook(rows: str, more: Mapping[str, str] | None = None, sheets: str = "", relations: str = "") -> bytes:
    """A workbook with the sheet "One" and these rows below a header a, b."""
    listed = f'<sheet name="One" sheetId="1" r:id="r1"/>{sheets}'
    kind = f"{OFFICE}/worksheet"
    return packed(
        {
            "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets>{listed}</sheets></workbook>',
            "xl/_rels/workbook.xml.rels": f'<Relationships><Relationship Id="r1" Type="{kind}" '
            f'Target="worksheets/sheet1.xml"/>{relations}</Relationships>',
            "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{MAIN}"><sheetData>{ROWS}{rows}</sheetData></worksheet>',
            **(more or {}),
        }
    )


def row(cells: str, number: int = 2) -> str:
    return f'<row r="{number}">{cells}</row>'


def relation(kind: str, target: str, more: str = "") -> str:
    return f'<Relationship Id="x{kind}" Type="{OFFICE}/{kind}" Target="{target}" {more}/>'


def sheet(rows: str) -> Callable[[], bytes]:
    return lambda: workbook(rows)


def with_entities() -> bytes:
    xml = f'<?xml version="1.0"?>{LAUGHS}]><worksheet xmlns="{MAIN}"><sheetData>{ROWS}{row("<c><v>&i;</v></c>")}'
    return workbook("", {"xl/worksheets/sheet1.xml": xml + "</sheetData></worksheet>"})


def with_outside_entity() -> bytes:
    xml = f'<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]><worksheet xmlns="{MAIN}"><sheetData>{ROWS}'
    return workbook("", {"xl/worksheets/sheet1.xml": f"{xml}{row('<c><v>&f;</v></c>')}</sheetData></worksheet>"})


def with_styles() -> bytes:
    formats = '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>'
    return workbook(
        row('<c r="A2" s="1"><v>43831</v></c><c r="B2" s="1"><v>-5e9</v></c>'),
        {"xl/styles.xml": f'<styleSheet xmlns="{MAIN}">{formats}</styleSheet>'},
        relations=relation("styles", "styles.xml"),
    )


def with_hidden_sheet() -> bytes:
    return workbook(
        row("<c><v>1</v></c><c><v>2</v></c>"),
        {"xl/worksheets/sheet2.xml": f"<worksheet><sheetData>{ROWS}{row('<c><v>7</v></c>')}</sheetData></worksheet>"},
        sheets='<sheet name="Two" sheetId="2" state="hidden" r:id="xworksheet"/>',
        relations=relation("worksheet", "/xl/worksheets/sheet2.xml"),
    )


def with_shared_strings(index: int) -> bytes:
    return workbook(
        row(f'<c t="s"><v>{index}</v></c><c><v>1</v></c>'),
        {"xl/sharedStrings.xml": "<sst><si><r><t>x</t></r><r><t>y</t></r><rPh><t>z</t></rPh></si></sst>"},
        relations=relation("sharedStrings", "sharedStrings.xml"),
    )


def shared_string_bomb() -> bytes:
    return workbook(
        row('<c t="s"><v>0</v></c>'),
        {"xl/sharedStrings.xml": f"<sst>{'<si><t>x</t></si>' * 300_000}</sst>"},
        relations=relation("sharedStrings", "sharedStrings.xml"),
    )


def long_text_in_many_cells() -> bytes:
    """A text of 1 MB, stored once, in 100 cells of one row."""
    return workbook(
        row('<c t="s"><v>0</v></c>' * 100),
        {"xl/sharedStrings.xml": f"<sst><si><t>{'x' * 1_000_000}</t></si></sst>"},
        relations=relation("sharedStrings", "sharedStrings.xml"),
    )


def with_long_name() -> bytes:
    names, cells = ROWS.replace(">a<", f">{'a' * 200_000}<"), row("<c><v>1</v></c><c><v>2</v></c>")
    return workbook("", {"xl/worksheets/sheet1.xml": f"<worksheet><sheetData>{names}{cells}</sheetData></worksheet>"})


def with_outside_link() -> bytes:
    outside = relation("externalLink", "https://example.org/x.xlsx", 'TargetMode="External"')
    return workbook(row("<c><v>1</v></c><c><v>2</v></c>"), relations=outside)


def with_its_own_part_twice() -> bytes:
    return workbook("", sheets='<sheet name="Two" r:id="xworksheet"/>', relations=relation("worksheet", "workbook.xml"))


def dense_sparse() -> bytes:
    """20,000 rows, each with a value in the last column that Excel has."""
    return workbook("".join(row(f'<c r="XFD{i}"><v>1</v></c>', i) for i in range(2, 20_002)))


EXCEL = [
    Case(
        "row_1e9.xlsx", sheet('<row r="1000000000"><c><v>1</v></c></row>'), said="1000000000, beyond Excel's last cell"
    ),
    Case(
        "last_cell.xlsx", sheet('<row r="1048576"><c r="XFD1048576"><v>7</v></c></row>'), (1, 3), (0, "column 16384", 7)
    ),
    Case("beyond_column.xlsx", sheet(row('<c r="XFE2"><v>1</v></c>')), said="XFE2, beyond Excel's last cell"),
    Case("no_reference.xlsx", sheet(row('<c r="2A"><v>1</v></c>')), said="2A, beyond"),
    Case(
        "sparse.xlsx", sheet(row("<c><v>1</v></c><c><v>5</v></c>", 900_000)), (1, 2), (0, "b", 5), noted="899,998 rows"
    ),
    Case("dense_sparse.xlsx", dense_sparse, said="2,000,000 cells", budget=SMALL),
    Case("laughs.xlsx", with_entities, said="XML entities"),
    Case("outside_entity.xlsx", with_outside_entity, said="XML entities"),
    Case("outside_link.xlsx", with_outside_link, (1, 2), (0, "b", 2)),
    Case(
        "formula.xlsx",
        sheet(row("<c><f>1+1</f></c><c><f>A1</f><v>3</v></c>")),
        (1, 2),
        (0, "b", 3),
        noted="1 cell holds a formula",
    ),
    Case("errors.xlsx", sheet(row('<c t="e"><v>#DIV/0!</v></c><c t="b"><v>1</v></c>')), (1, 2), (0, "b", "TRUE")),
    Case("dates.xlsx", with_styles, (1, 2), (0, "a", "2020-01-01")),
    Case("hidden.xlsx", with_hidden_sheet, (1, 2), (0, "a", 1)),
    Case("hidden_chosen.xlsx", with_hidden_sheet, (1, 2), (0, "a", 7), sheet="Two"),
    Case("no_such_sheet.xlsx", with_hidden_sheet, said="no sheet 'Three': choose one of 'One', 'Two'", sheet="Three"),
    Case("shared.xlsx", lambda: with_shared_strings(0), (1, 2), (0, "a", "xy")),
    Case("shared_beyond.xlsx", lambda: with_shared_strings(9), said="damaged workbook"),
    Case("shared_bomb.xlsx", shared_string_bomb, said="limit for one table", budget=Budget(cells=200_000)),
    Case("long_text.xlsx", long_text_in_many_cells, said="takes more than 32 MB", budget=SMALL),
    Case("long_name.xlsx", with_long_name, (1, 2), (0, "b", 2)),
    Case("no_part.xlsx", lambda: packed({"xl/workbook.xml": "<workbook/>"}), said="damaged workbook"),
    Case("circle.xlsx", with_its_own_part_twice, said="no rows"),
    Case("cut.xlsx", lambda: workbook(row("<c><v>1</v></c>"))[:-80], said="damaged Excel file"),
    Case("cut_xml.xlsx", lambda: workbook("<row><c>"), said="damaged workbook"),
    Case(
        "open_tags.xlsx",
        lambda: workbook("", {"xl/worksheets/sheet1.xml": "<mergeCell " * 90_000}),
        said="damaged workbook",
    ),
    Case("binary.xlsb", lambda: packed({"xl/workbook.bin": b"x"}), said=".xlsb"),
    Case("letter.docx", lambda: packed({"word/document.xml": "<x/>"}), said="is a document"),
]

ODS_KIND = "application/vnd.oasis.opendocument.spreadsheet"
TEXT = "<table:table-cell office:value-type='string'><text:p>{}</text:p></table:table-cell>"
HEADER = f"<table:table-row>{TEXT.format('a')}{TEXT.format('b')}</table:table-row>"


def ods(rows: str, start: str = "", more: Mapping[str, str] | None = None, kind: str = ODS_KIND) -> bytes:
    spaces = "xmlns:office='o' xmlns:table='t' xmlns:text='x'"
    body = f"<table:table table:name='One'>{HEADER}{rows}</table:table>"
    content = f"{start}<office:document-content {spaces}>{body}</office:document-content>"
    return packed({"mimetype": kind, "content.xml": content, **(more or {})})


def ods_row(cells: str, repeat: int = 1) -> str:
    return f"<table:table-row table:number-rows-repeated='{repeat}'>{cells}</table:table-row>"


def ods_number(value: str, repeat: int = 1) -> str:
    return (
        f"<table:table-cell table:number-columns-repeated='{repeat}' office:value-type='float' office:value='{value}'>"
        f"<text:p>shown</text:p></table:table-cell>"
    )


def many_sheets() -> bytes:
    """Sheets of one column, any of which will do if no other is a table."""
    rows = "".join(f"<table:table-row>{TEXT.format(cell)}</table:table-row>" for cell in "xy")
    return ods("</table:table>" + f"<table:table>{rows}</table:table>" * 3000 + "<table:table>")


OPEN_DOCUMENT = [
    Case("plain.ods", lambda: ods(ods_row(ods_number("1.5") + TEXT.format("x"))), (1, 2), (0, "a", 1.5)),
    Case(
        "blank_rows.ods",
        lambda: ods(ods_row(ods_number("1", 2), 2) + ods_row("<table:table-cell/>", 1_048_000)),
        (2, 2),
        (1, "b", 1),
    ),
    Case("rows_1e9.ods", lambda: ods(ods_row(ods_number("1", 2), 10**9)), said="10,000,000 rows"),
    Case("columns_1e9.ods", lambda: ods(ods_row(ods_number("1", 10**9))), said="100,000 columns"),
    Case(
        "gap_1e9.ods",
        lambda: ods(ods_row("<table:table-cell table:number-columns-repeated='1000000000'/>" + ods_number("1"))),
        said="100,000 columns",
    ),
    Case(
        "comment.ods",
        lambda: ods(
            ods_row(
                "<table:table-cell><office:annotation><text:p>no</text:p></office:annotation><text:p>x<text:s/>y</text:p></table:table-cell>"
                + ods_number("2")
            )
        ),
        (1, 2),
        (0, "a", "x y"),
    ),
    Case(
        "spaces.ods",
        lambda: ods(ods_row(TEXT.format("<text:s text:c='1000'/>" * 40_000))),
        said="takes more than 32 MB",
        budget=SMALL,
    ),
    Case(
        "long_paragraph.ods",
        lambda: ods(ods_row(TEXT.format("x" * 30_000_000) + ods_number("2"))),
        (1, 2),
        (0, "b", 2),
    ),
    Case("many_sheets.ods", many_sheets, (1, 1), (0, "x", "y")),
    Case("laughs.ods", lambda: ods("", LAUGHS + "]>"), said="XML entities"),
    Case("locked.ods", lambda: ods("", more={"META-INF/manifest.xml": "<encryption-data/>"}), said="password"),
    Case("text.odt", lambda: ods("", kind="application/vnd.oasis.opendocument.text"), said="without a table"),
    Case("no_number.ods", lambda: ods(ods_row(TEXT.format("x"), 1).replace("'1'", "'x'")), said="damaged workbook"),
]

CASES = [*EXCEL, *OPEN_DOCUMENT]
