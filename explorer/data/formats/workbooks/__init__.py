"""Workbooks: Excel (.xlsx, .xls) and OpenDocument, sheet by sheet."""
