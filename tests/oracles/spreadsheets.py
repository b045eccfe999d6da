"""Runs the workbooks that predict in LibreOffice: rows are pasted, formulas calculated, and cells read back."""

from __future__ import annotations

import csv
import io
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import openpyxl
import pandas as pd
import pytest

import explorer as ex
from explorer.export.office.cell_formulas import can_be_cell, exact
from explorer.formatting import visible
from tests.oracles.exported_code import Answers

needs_office = pytest.mark.skipif(not shutil.which("soffice"), reason="needs LibreOffice Calc")


def calculated(files: Sequence[bytes], folder: Path, sheet: int) -> list[list[list[str]]]:
    """The cells of a sheet (from 1 on) of each workbook, as LibreOffice calculates and shows them with all digits."""
    for number, file in enumerate(files):
        folder.joinpath(f"{number}.xlsx").write_bytes(file)
    paths = [str(folder / f"{number}.xlsx") for number in range(len(files))]
    as_csv = f"csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,false,false,false,false,{sheet}"
    profile = f"-env:UserInstallation=file://{tempfile.gettempdir()}/office-of-tests"
    command = ["soffice", profile, "--headless", "--convert-to", as_csv, "--outdir", str(folder), *paths]
    run = subprocess.run(command, capture_output=True, text=True, timeout=240)
    assert run.returncode == 0, run.stderr
    found = [sorted(folder.glob(f"{number}-*.csv")) for number in range(len(files))]
    assert all(len(one) == 1 for one in found), run.stdout + run.stderr
    return [list(csv.reader(io.StringIO(one[0].read_bytes().decode(), newline=""))) for one in found]


def pasted(file: bytes, rows: pd.DataFrame) -> bytes:
    """The workbook with these rows, and their heading, on its sheet for a table."""
    book = openpyxl.load_workbook(io.BytesIO(file))
    sheet = book["Table"]
    sheet.delete_rows(1, 1)
    for at, line in enumerate([rows.columns.tolist(), *rows.astype(object).to_numpy().tolist()], 1):
        for place, value in enumerate(line, 1):
            if not (value is None or value != value):
                value = exact(value.item() if hasattr(value, "item") else value)
                value = visible(value) if isinstance(value, str) and not can_be_cell(value) else value
                cell = sheet.cell(at, place, value)
                if isinstance(value, str):
                    cell.data_type = "s"
    return saved(book)


def _number(cell: str) -> float | str:
    return cell if cell.startswith("several") else float(cell)


def _share(cell: str) -> float:
    return float(cell.removesuffix("%")) / 100 if cell else float("nan")


def saved(book: Any) -> bytes:
    made = io.BytesIO()
    book.save(made)
    return made.getvalue()


def predicted(trees: Sequence[ex.Tree], tables: Sequence[pd.DataFrame], folder: Path) -> list[Answers]:
    """Predictions and probabilities of the rows, by the formulas of each tree's workbook."""
    files = [pasted(ex.to_spreadsheet(tree), rows) for tree, rows in zip(trees, tables, strict=True)]
    found = []
    for tree, rows, lines in zip(trees, tables, calculated(files, folder, 3), strict=True):
        own = lines[2 : 2 + len(rows)]
        names = {str(name): name for name in tree.classes}
        answers = [names.get(line[1], line[1]) if names else _number(line[1]) for line in own]
        shares = [[_share(cell) for cell in line[2 : 2 + len(names)]] for line in own] if names else None
        found.append((answers, shares))
    return found
