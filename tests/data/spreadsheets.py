"""Workbooks and OpenDocument sheets with given rows and merged cells."""

import io
import zipfile
from xml.sax.saxutils import escape

import openpyxl

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
