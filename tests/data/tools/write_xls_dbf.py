"""Write xls/, dbf/ and memos/, and what other readers find: `python tests/data/tools/write_xls_dbf.py`.

Needs xlwt 1.3.0 and openpyxl (the same sheets as .xlsx), dbf 0.99.11 as the writer and dbfread 2.0.7 as the reader.
"""

import datetime as dt
import json
from pathlib import Path
from typing import Any

import dbf
import dbfread
import openpyxl
import xlwt

HERE = Path(__file__).parent
FORMATS = {"day": "YYYY-MM-DD", "moment": "YYYY-MM-DD HH:MM:SS", "clock": "HH:MM", "spent": "[h]:mm:ss", "share": "0%"}
ROWS: list[dict[str, Any]] = [
    {"n": 1, "word": "Köln", "flag": True, "day": dt.date(2024, 1, 2), "moment": dt.datetime(2024, 1, 2, 10, 30),
     "clock": dt.time(8, 30), "spent": 1.5, "share": 0.25},
    {"n": 2.5, "word": "", "flag": False, "day": dt.date(1900, 3, 1), "moment": dt.datetime(1999, 12, 31, 23, 59, 59),
     "clock": dt.time(0, 0), "spent": 0.1, "share": 1},
    {"n": 1234567890123, "word": "007", "flag": True},
    {"n": 0.1, "word": "x" * 300, "share": 1e-7},
]  # fmt: skip
NAMES = list(ROWS[0])


def write_xls() -> None:
    """The same two sheets as .xls and .xlsx; in the second, cells are merged, and a third is hidden."""
    book, other = xlwt.Workbook(), openpyxl.Workbook()
    sheets = [(book.add_sheet("rows"), other.active), (book.add_sheet("merged"), other.create_sheet("merged"))]
    sheets[0][1].title = "rows"
    for k, name in enumerate(NAMES):
        sheets[0][0].write(0, k, name)
        sheets[0][1].cell(1, k + 1, name)
        for i, row in enumerate(ROWS, 1):
            if name in row:
                style = xlwt.easyxf(num_format_str=FORMATS.get(name, "General"))
                sheets[0][0].write(i, k, row[name], style)
                sheets[0][1].cell(i + 1, k + 1, row[name]).number_format = FORMATS.get(name, "General")
    old, new = sheets[1]
    for i, row in enumerate((["id", "group"], [1, "a"], [2, ""], [3, "b"])):
        for k, cell in enumerate(row):
            if cell != "" and (i, k) != (1, 1):
                old.write(i, k, cell)
            if cell != "":
                new.cell(i + 1, k + 1, cell)
    old.write_merge(1, 2, 1, 1, "a")
    new.merge_cells("B2:B3")
    hidden = book.add_sheet("hidden")
    hidden.visibility = 1
    other.create_sheet("hidden").sheet_state = "hidden"
    for i in range(50):
        for k in range(20):
            hidden.write(i, k, i * k)
            other["hidden"].cell(i + 1, k + 1, i * k)
    book.save(HERE / "xls" / "book.xls")
    other.save(HERE / "xls" / "book.xlsx")


def write_dbf() -> None:
    """Tables of dBase III and of Visual FoxPro, which has more types; one record is deleted."""
    common = "name C(12); n N(9,0); price N(9,2); day D; ok L"
    records = [
        ("Köln", 12, 3.25, dt.date(2024, 2, 29), True),
        ("Ulm", None, -0.5, None, None),
        ("gone", 1, 1.0, dt.date(2024, 1, 1), False),
        ("", 99_999_999, 0.0, dt.date(1899, 12, 31), False),
    ]
    for name, kind, page in (("three.dbf", "db3", "cp1252"), ("dos.dbf", "db3", "cp850"), ("fox.dbf", "vfp", "cp1252")):
        fields = common + ("; i I; d B; money Y; at T; note M" if kind == "vfp" else "; note M")
        table = dbf.Table(str(HERE / "dbf" / name), fields, codepage=page, dbf_type=kind)
        with table.open(mode=dbf.READ_WRITE):
            for i, record in enumerate(records):
                own = (-7 * i, 0.1 * i, 1234.5678, dt.datetime(2024, 1, 2, 10, 30, i), "") if kind == "vfp" else ("",)
                table.append((*record, *own))
        _delete(HERE / "dbf" / name, 2)
        for memo in (HERE / "dbf").glob("*.[df][bp]t"):
            memo.unlink()
        read = dbfread.DBF(HERE / "dbf" / name, load=True, ignore_missing_memofile=True)
        cells = {field: [_plain(record[field]) for record in read] for field in read.field_names}
        (HERE / "dbf" / f"{name}.json").write_text(json.dumps({"encoding": read.encoding, "cells": cells}, indent=1))


def write_memos() -> None:
    """A table of dBase III with its memos beside it, one longer than the blocks of 512 bytes."""
    (HERE / "memos").mkdir(exist_ok=True)
    table = dbf.Table(str(HERE / "memos" / "three.dbf"), "n N(5,0); note M", codepage="cp1252", dbf_type="db3")
    with table.open(mode=dbf.READ_WRITE):
        for i, text in enumerate(["Köln", "", "word " * 300 + "end", "two\r\nlines", "x" * 511]):
            table.append((i, text))
    read = dbfread.DBF(HERE / "memos" / "three.dbf", load=True)
    (HERE / "memos" / "three.json").write_text(json.dumps([record["NOTE"] for record in read], indent=1))


def _delete(path: Path, record: int) -> None:
    """Mark a record as deleted, by the asterisk before it: dbf.delete does not reach the disk."""
    content = bytearray(path.read_bytes())
    begin, size = (int.from_bytes(content[at : at + 2], "little") for at in (8, 10))
    content[begin + record * size] = ord("*")
    path.write_bytes(content)


def _plain(value: object) -> object:
    return value.isoformat() if isinstance(value, dt.date) else float(value) if hasattr(value, "as_tuple") else value


if __name__ == "__main__":
    write_xls()
    write_dbf()
    write_memos()
