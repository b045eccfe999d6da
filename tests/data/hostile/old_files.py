"""Hostile files of old Excel, dBase and R: cut, with counts that lie, and with wrong bytes."""

from importlib.util import find_spec

from tests.data.hostile.case import SMALL, Case
from tests.folders import ROOT

TOOLS = ROOT / "tests" / "data" / "tools"


def content(name: str) -> bytes:
    return (TOOLS / name).read_bytes()


def with_bytes(name: str, place: int, new: bytes) -> bytes:
    """The file with other bytes at one place."""
    raw = content(name)
    return raw[:place] + new + raw[place + len(new) :]


DBASE = "dbf/three.dbf"
RECORDS = int.from_bytes(content(DBASE)[8:10], "little")
SIZE = int.from_bytes(content(DBASE)[10:12], "little")
PRICE = RECORDS + 1 + 12 + 9
DBF = [
    Case("plain.dbf", content(DBASE), (3, 5), (0, "NAME", "Köln"), noted="dBase"),
    *(Case(f"cut{size}.dbf", content(DBASE)[:size], said="cut off") for size in (260, 400, 424)),
    Case("many.dbf", with_bytes(DBASE, 4, b"\xff\xff\xff\x7f"), said="cut off"),
    Case("few.dbf", with_bytes(DBASE, 4, b"\x01\0\0\0"), (3, 5), (2, "N", 99_999_999), noted="the header counts 1"),
    Case("mark.dbf", with_bytes(DBASE, RECORDS, b"x"), said="cut off"),
    Case("deleted.dbf", content(DBASE)[:RECORDS] + b"*" + content(DBASE)[RECORDS + 1 :], (2, 5), (0, "NAME", "Ulm")),
    Case("width.dbf", with_bytes(DBASE, 10, b"\x01\x00"), said="not a text file"),
    Case("zero_width.dbf", with_bytes(DBASE, 10, b"\x00\x00"), said="not a text file"),
    Case("header.dbf", with_bytes(DBASE, 8, b"\xff\xff"), said="cut off"),
    Case("number.dbf", with_bytes(DBASE, PRICE, b"__import_"), said="does not fit"),
    Case("binary.dbf", with_bytes(DBASE, PRICE, b"\xff" * 9), said="does not fit"),
    Case("date.dbf", with_bytes(DBASE, PRICE + 9, b"20241399"), said="does not fit"),
    Case("infinite.dbf", with_bytes(DBASE, PRICE, b"      inf"), (3, 5), (0, "PRICE", float("inf"))),
    Case("type.dbf", with_bytes(DBASE, 32 + 11, b"\x07"), (3, 4), (0, "N", 12), noted="'NAME' was left out"),
    Case("name.dbf", with_bytes(DBASE, 32, b"\0" * 11), (3, 5), (0, "column 1", "Köln")),
    Case("rows.dbf", with_bytes(DBASE, 4, (150_000).to_bytes(4, "little"))
         + content(DBASE)[RECORDS : RECORDS + SIZE] * 150_000, said="100,000 rows", budget=SMALL),
    Case("page.dbf", with_bytes(DBASE, 29, b"\xee"), (3, 5), (0, "NAME", "Köln"), noted="does not say which encoding"),
]  # fmt: skip

BOOK = "xls/book.xls"
XLS = [
    Case("plain.xls", content(BOOK), (4, 8), (2, "word", "007"), noted="Read from sheet 'rows'"),
    *(Case(f"cut{size}.xls", content(BOOK)[:size], said="without a workbook") for size in (600, 12_500, 13_000)),
    Case("ones.xls", content(BOOK)[:512] + b"\xff" * 13_000, said="without a workbook"),
    Case("records.xls", with_bytes(BOOK, 512, b"\xff" * 2000), said="file of Excel (.xls)"),
    Case("sectors.xls", with_bytes(BOOK, 44, b"\xff\xff\xff\x7f"), (4, 8), (2, "word", "007")),
]
PEOPLE = "r/people_plain.rds"
R = [
    Case("plain.rds", content(PEOPLE), (5, 8), (1, "size", "l"), noted="file of R"),
    *(Case(f"cut{size}.rds", content(PEOPLE)[:size], said="of R") for size in (14, 500)),
    Case("ones.rds", content(PEOPLE)[:14] + b"\xff" * 500, said="of R"),
]
CASES = [*DBF, *(XLS if find_spec("xlrd") else ()), *(R if find_spec("pyreadr") else ())]
