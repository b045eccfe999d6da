"""Excel's .xls, dBase's .dbf and R's files: what other readers find in them, levels, deleted records, limits."""

import datetime as dt
import gzip
import io
import json
import struct
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import explorer as ex
from explorer.data.formats.apart.r_counts import counts_frame, is_counts, objects_of
from explorer.data.source import Source

TOOLS = Path(__file__).parent / "tools"
BOOK = TOOLS / "xls" / "book.xls"
DBF = sorted((TOOLS / "dbf").glob("*.dbf"))
PEOPLE = {
    "id": [1, 2, 3, 4, 5],
    "size": ["s", "l", None, "m", "s"],
    "town": ["Ulm", "New York", "Ulm", "Köln", None],
    "income": [1200.5, None, -3.0, 1e-7, float("inf")],
    "word": ["a", "b c", None, 'd "e"', None],
    "flag": [True, None, False, True, False],
    "day": ["2024-01-02", None, "1969-12-31", "2024-02-29", "1900-01-01"],
    "time": ["2024-01-02 10:30:00", None, "2024-01-03 00:00:01", "1969-12-31 23:59:59", "2024-01-05 12:00:00"],
}


def cells(column: pd.Series) -> list[object]:
    return [None if pd.isna(cell) else cell for cell in column.tolist()]


@pytest.mark.parametrize("sheet", [None, "rows", "merged", "hidden"])
def test_an_xls_has_the_table_of_the_same_xlsx(sheet: str | None) -> None:
    pytest.importorskip("xlrd")
    old, new = (ex.read_table(BOOK.with_suffix(suffix), sheet=sheet) for suffix in (".xls", ".xlsx"))
    pd.testing.assert_frame_equal(old.frame, new.frame)
    assert (old.sheets, old.sheet, old.notes) == (new.sheets, new.sheet, new.notes)


def test_an_unknown_sheet_of_an_xls_and_each_limit_are_named() -> None:
    pytest.importorskip("xlrd")
    with pytest.raises(ex.InputError, match="no sheet 'x': choose one of 'rows', 'merged', 'hidden'"):
        ex.read_table(BOOK, sheet="x")
    for limit, said in (("rows", "rows"), ("cells", "cells"), ("bytes", "MB")):
        with pytest.raises(ex.InputError, match=f"more than .* {said}, the limit"):
            ex.read_table(BOOK, budget=ex.Budget(**{limit: 3}))


def test_without_its_package_an_xls_names_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("explorer.data.formats.apart.run.find_spec", lambda name: None)
    with pytest.raises(ex.InputError, match="needs the package xlrd: run 'pip install xlrd'"):
        ex.read_table(BOOK)
    with pytest.raises(ex.InputError, match="needs the package pyreadr: run 'pip install pyreadr'"):
        ex.read_table(TOOLS / "r" / "people.rds")


@pytest.mark.parametrize("path", DBF, ids=lambda path: path.stem)
def test_a_dbf_has_the_cells_that_dbfread_finds(path: Path) -> None:
    found = json.loads(Path(f"{path}.json").read_text("utf-8"))
    table = ex.read_table(path)
    assert list(table.frame) == [name for name in found["cells"] if name != "NOTE"]
    for name, column in table.frame.items():
        expected = [None if cell == "" else cell for cell in found["cells"][name]]
        if "datetime" in str(column.dtype):
            expected = [None if cell is None else dt.datetime.fromisoformat(cell) for cell in expected]
        assert cells(column) == expected
    assert len(table.frame) == 3
    assert any(f"its text in {found['encoding']}" in note for note in table.notes)
    assert any("'NOTE' was left out" in note for note in table.notes)
    assert any("1 record is marked as deleted" in note for note in table.notes)


def test_the_memos_beside_a_dbf_are_no_table_and_without_them_their_columns_are_named() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("three.dbt", bytes(4096))
        archive.write(TOOLS / "dbf" / "three.dbf", "three.dbf")
    table = ex.read_table(packed.getvalue(), name="three.zip")
    assert table.sheets == ()
    alone = ex.read_table(TOOLS / "dbf" / "three.dbf")
    assert list(table.frame) == [*alone.frame, "NOTE"]
    assert any("'NOTE' was left out: its cells are memos" in note for note in alone.notes)


def test_memos_are_those_that_dbfread_finds_beside_the_table_and_in_a_zip(tmp_path: Path) -> None:
    expected = [text or None for text in json.loads((TOOLS / "memos" / "three.json").read_text("utf-8"))]
    packed = tmp_path / "notes.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        archive.write(TOOLS / "memos" / "three.dbf", "in/THREE.DBF")
        archive.write(TOOLS / "memos" / "three.dbt", "in/three.DBT")
    for file in (TOOLS / "memos" / "three.dbf", packed):
        table = ex.read_table(file)
        assert [None if pd.isna(text) else text for text in table.frame["NOTE"]] == expected
        assert not any("left out" in note for note in table.notes)
    alone = ex.read_table((TOOLS / "memos" / "three.dbf").read_bytes(), name="three.dbf")
    assert list(alone.frame) == ["N"]


def _with_memos(version: int, cells: list[bytes], memos: bytes, ending: str) -> bytes:
    """A zip of a table with a column of memos, and a file of memos by the published layout of its blocks."""
    field = struct.pack("<11sc4xBB14x", b"NOTE", b"M", len(cells[0]), 0)
    size = 1 + len(cells[0])
    head = struct.pack("<BBBBIHH20x", version, 24, 1, 1, len(cells), 32 + len(field) + 1, size)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("t.dbf", head + field + b"\r" + b"".join(b" " + cell for cell in cells) + b"\x1a")
        archive.writestr("t" + ending, memos)
    return packed.getvalue()


TEXTS = [b"first", b"a second one of more than a block " * 4]


def _of_dbase_iv() -> bytes:
    """Blocks of 64 bytes, whose size stands at 20; a memo counts its own head of 8 bytes."""
    blocks = [b"\xff\xff\x08\x00" + struct.pack("<I", len(text) + 8) + text for text in TEXTS]
    memos = bytes(20) + struct.pack("<H", 64) + bytes(490) + blocks[0].ljust(64, b"\0") + blocks[1]
    return _with_memos(0x8B, [b"8".rjust(10), b"9".rjust(10)], memos, ".dbt")


def _of_foxpro(version: int, second: int = 9) -> bytes:
    """The same size stands at 6, the more significant byte first; of a memo, its type (1 is text) and its length."""
    blocks = [struct.pack(">II", 1, len(text)) + text for text in TEXTS]
    cells = [struct.pack("<I", number) if version == 0x30 else str(number).rjust(10).encode()
             for number in (8, second)]  # fmt: skip
    return _with_memos(version, cells, bytes(6) + struct.pack(">H", 64) + bytes(504)
                       + blocks[0].ljust(64, b"\0") + blocks[1], ".fpt")  # fmt: skip


@pytest.mark.parametrize("content", [_of_dbase_iv(), _of_foxpro(0xF5), _of_foxpro(0x30)])
def test_memos_of_dbase_iv_and_foxpro_have_their_length_before_them(content: bytes) -> None:
    cells = ex.read_table(content, name="t.zip").frame["NOTE"]
    assert cells.tolist() == [text.decode().rstrip() for text in TEXTS]


def test_a_memo_that_is_not_in_its_file_is_named() -> None:
    with pytest.raises(ex.InputError, match=r"Record 2 of 't\.zip' has .*77.* in column 'NOTE'"):
        ex.read_table(_of_foxpro(0xF5, 77), name="t.zip")


def test_a_dbf_of_memos_alone_is_refused_with_their_names() -> None:
    field = struct.pack("<11sc4xBB14x", b"REMARKS", b"M", 10, 0)
    head = struct.pack("<BBBBIHH20x", 0x83, 24, 1, 1, 1, 32 + len(field) + 1, 11)
    with pytest.raises(ex.InputError, match=r"only memos: 'REMARKS'\. Export them as text"):
        ex.read_table(head + field + b"\r" + b" " + b"1".rjust(10) + b"\x1a", name="memos.dbf")


def test_the_encoding_of_a_dbf_is_set_by_hand() -> None:
    assert ex.read_table(TOOLS / "dbf" / "dos.dbf", encoding="cp1252").frame["NAME"][0] == "K”ln"
    with pytest.raises(ex.InputError, match=r"Record 1 of .* in column 'NAME', which does not fit"):
        ex.read_table(TOOLS / "dbf" / "dos.dbf", encoding="utf-8")


def test_a_number_that_did_not_fit_its_field_is_missing() -> None:
    raw = (TOOLS / "dbf" / "three.dbf").read_bytes().replace(b"99999999", b"********")
    table = ex.read_table(raw)
    assert cells(table.frame["N"]) == [12, None, None]
    assert any("1 number did not fit its field" in note for note in table.notes)


@pytest.mark.parametrize("size", [33, 100, 193, 200, 400, 424])
def test_a_dbf_that_was_cut_off_is_refused(size: int) -> None:
    with pytest.raises(ex.InputError):
        ex.read_table((TOOLS / "dbf" / "three.dbf").read_bytes()[:size])


@pytest.mark.parametrize("name", ["people", "people_2", "people_plain"])
def test_a_data_frame_of_r_has_its_cells_and_its_levels(name: str) -> None:
    pytest.importorskip("pyreadr")
    frame = ex.read_table(TOOLS / "r" / f"{name}.rds").frame
    assert list(frame) == list(PEOPLE)
    for column, expected in PEOPLE.items():
        if column in ("day", "time"):
            expected = [None if cell is None else dt.datetime.fromisoformat(str(cell)) for cell in expected]
        assert cells(frame[column]) == expected
    assert list(frame["size"].cat.categories) == ["s", "m", "l"]
    assert list(frame["town"].cat.categories) == ["Köln", "New York", "Ulm"]


def test_each_data_frame_of_an_rdata_is_chosen_by_its_name() -> None:
    pytest.importorskip("pyreadr")
    file = TOOLS / "r" / "tables.RData"
    assert ex.read_table(file).sheets == ("jan", "feb", "people")
    table = ex.read_table(gzip.decompress(file.read_bytes()), sheet="feb")
    assert (table.sheet, table.frame.to_dict("list")) == ("feb", {"x": [3.0], "y": ["b"]})
    with pytest.raises(ex.InputError, match="no sheet 'note'"):
        ex.read_table(file, sheet="note")


@pytest.mark.parametrize("name", ["titanic", "ucb", "xtabs", "one", "two", "three"])
def test_counts_of_r_are_the_data_frame_that_r_makes_of_them(name: str) -> None:
    table = ex.read_table(TOOLS / "r" / f"counts_{name}.rds")
    made = pd.read_csv(TOOLS / "r" / f"counts_{name}.csv", dtype=str, keep_default_na=False, na_values=["NA"])
    assert list(table.frame) == list(made)
    for column in made:
        assert [cell if cell is None else str(cell) for cell in cells(table.frame[column])] == cells(made[column])
    assert any("a row for each cell, with its count in 'Freq'" in note for note in table.notes)


def test_counts_keep_their_levels_in_order_and_offer_a_row_for_each_case() -> None:
    table = ex.read_table(TOOLS / "r" / "counts_titanic.rds")
    assert list(table.frame["Class"].cat.categories) == ["1st", "2nd", "3rd", "Crew"]
    (found,) = [each for each in table.suggestions if each.repair.kind == "one_row_per_case"]
    cases = found.apply(table).frame
    assert len(cases) == 2201, "people aboard"
    assert list(cases) == ["Class", "Sex", "Age", "Survived"]


def test_counts_and_data_frames_of_one_file_are_chosen_by_name() -> None:
    file = TOOLS / "r" / "counts.RData"
    table = ex.read_table(file)
    assert (table.sheets, table.sheet, len(table.frame)) == (("hair", "people", "ucb"), "hair", 32)
    assert ex.read_table(file, sheet="ucb").frame["Freq"].sum() == 4526
    with pytest.raises(ex.InputError, match="no sheet 'x'"):
        ex.read_table(file, sheet="x")


def test_damaged_counts_are_refused_or_are_counts() -> None:
    rng, n_read = np.random.default_rng(0), 0
    whole = [gzip.decompress((TOOLS / "r" / f"counts_{name}.rds").read_bytes()) for name in ("titanic", "xtabs", "two")]
    for number in range(300):
        raw = bytearray(whole[number % 3])
        for place in rng.integers(0, len(raw), int(rng.integers(1, 4))):
            raw[place] = rng.integers(0, 256)
        raw = raw[: int(rng.integers(20, len(raw)))] if number % 5 == 0 else raw
        found = objects_of(Source.of_bytes(bytes(raw)))
        tables = [counts_frame(value) for _, value in found if is_counts(value)]
        n_read += len(tables)
        assert all(frame.columns.is_unique and len(frame.columns) >= 2 for frame in tables)
    assert n_read > 50


@pytest.mark.parametrize(("name", "said"), [("list", "without a data frame"), ("people_ascii", "a file of R as text")])
def test_r_files_without_a_data_frame_are_refused(name: str, said: str) -> None:
    pytest.importorskip("pyreadr")
    with pytest.raises(ex.InputError, match=said):
        ex.read_table(TOOLS / "r" / f"{name}.rds")
