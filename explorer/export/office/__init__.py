"""The tree as files of an office: a page or a picture to print, slides, and a workbook."""

from explorer.export.office.printed import to_pdf, to_png
from explorer.export.office.slides import to_pptx
from explorer.export.office.spreadsheet import to_spreadsheet
from explorer.export.office.workbook import to_xlsx

__all__ = ["to_pdf", "to_png", "to_pptx", "to_spreadsheet", "to_xlsx"]
