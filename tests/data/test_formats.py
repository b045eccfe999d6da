"""Every format gives the same table; sheets are chosen by name; reading reports progress, stops, and writes nothing."""

import builtins
import contextlib
import gzip
import io
import itertools
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import openpyxl
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import explorer as ex
from explorer.data.column_names import unique_names
from explorer.data.formats.apart import run as apart
from explorer.data.formats.arrow_sizes import unpacked_sizes
from tests.data.hostile.workbooks import ods, ods_number, ods_row
from tests.folders import ROOT

FRAME = pd.DataFrame({"n": [1, 2, 3], "x": [0.5, None, 2.25], "word": ["a", "b c", "ä"]})
CELLS = [[1, 0.5, "a"], [2, None, "b c"], [3, 2.25, "ä"]]


def binary(write: Callable[[io.BytesIO], object]) -> bytes:
    out = io.BytesIO()
    write(out)
    return out.getvalue()


def zipped(*members: tuple[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in members:
            archive.writestr(name, content)
    return out.getvalue()


def arrow_stream(out: io.BytesIO) -> None:
    table = pa.table(FRAME)
    with pa.ipc.new_stream(out, table.schema) as stream:
        stream.write_table(table)


def sqlite_bytes(*statements: str) -> bytes:
    with contextlib.closing(sqlite3.connect(":memory:")) as database:
        database.execute("CREATE TABLE t (n INTEGER, x REAL, word TEXT)")
        database.executemany("INSERT INTO t VALUES (?, ?, ?)", CELLS)
        for statement in statements:
            database.execute(statement)
        database.commit()
        return database.serialize()


def duckdb_file(folder: Path) -> Path:
    path = folder / "t.duckdb"
    with duckdb.connect(str(path)) as database:
        database.execute("CREATE TABLE t (n INTEGER, x DOUBLE, word VARCHAR)")
        database.executemany("INSERT INTO t VALUES (?, ?, ?)", CELLS)
        database.execute("CREATE TABLE u AS SELECT 7 AS q")
    return path


ARFF = "@relation t\n@attribute n integer\n@attribute x real\n@attribute word string\n@data\n"
CSV = FRAME.to_csv(index=False).encode()
FORMATS: dict[str, Callable[[], bytes]] = {
    "t.csv": lambda: CSV,
    "t.tsv": lambda: FRAME.to_csv(index=False, sep="\t").encode("utf-16"),
    "return.csv": lambda: CSV.replace(b"\n", b"\r"),
    "t.csv.gz": lambda: gzip.compress(CSV),
    "t.zip": lambda: zipped(("t.csv", CSV)),
    "t.xlsx": lambda: binary(lambda out: FRAME.to_excel(out, index=False)),
    "t.parquet": lambda: binary(FRAME.to_parquet),
    "t.feather": lambda: binary(FRAME.to_feather),
    "t.arrow": lambda: binary(arrow_stream),
    "t.jsonl": lambda: FRAME.to_json(orient="records", lines=True).encode(),
    "t.json": lambda: FRAME.to_json(orient="records", indent=2, force_ascii=False).encode(),
    "t.arff": lambda: (ARFF + "1,0.5,a\n2,?,'b c'\n3,2.25,ä\n").encode(),
    "t.sqlite": sqlite_bytes,
}


def cells(table: ex.Table) -> list[list[object]]:
    return table.frame.to_numpy(dtype=object, na_value=None).tolist()


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_gives_the_same_table(name: str, tmp_path: Path) -> None:
    raw = FORMATS[name]()
    (tmp_path / name).write_bytes(raw)
    for source in (raw, tmp_path / name, io.BytesIO(raw)):
        table = ex.read_table(source, name=name)
        assert list(table.frame) == ["n", "x", "word"]
        assert cells(table) == CELLS
        by_mark = name.endswith((".csv", ".tsv", ".gz", ".zip", ".xlsx"))
        assert f"1 cell is missing{' (empty, ?, NA, NaN, N/A or null)' if by_mark else ''}." in table.notes


@pytest.mark.parametrize("as_bytes", [False, True])
def test_duckdb_is_read_from_path_and_bytes(as_bytes: bool, tmp_path: Path) -> None:
    path = duckdb_file(tmp_path)
    source = path.read_bytes() if as_bytes else path
    table = ex.read_table(source, name="t.duckdb")
    assert (cells(table), table.sheets, table.sheet) == (CELLS, ("t", "u"), "t")
    assert cells(ex.read_table(source, name="t.duckdb", sheet="u")) == [[7]]


def test_without_duckdb_the_error_names_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def refuse(name: str, *rest: Any) -> Any:
        if name == "duckdb":
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(ex.InputError, match="pip install duckdb"):
        ex.read_table(b"\x00" * 8 + b"DUCK" + b"\x00" * 100, name="t.duckdb")


def test_without_pyreadstat_the_error_names_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apart, "find_spec", lambda name: None)
    with pytest.raises(ex.InputError, match=r"'t.sav' is a file of SPSS, .*: run 'pip install pyreadstat'"):
        ex.read_table(b"$FL2" + b"\x00" * 400, name="t.sav")


@pytest.mark.parametrize("convert", [pl.from_pandas, pa.table, lambda frame: duckdb.from_arrow(pa.table(frame))])
def test_frames_of_other_libraries_are_read(convert: Callable[[pd.DataFrame], Any]) -> None:
    assert cells(ex.read_table(convert(FRAME))) == CELLS


def test_a_tree_is_grown_and_predicts_from_polars() -> None:
    frame = ex.load_sample("golf").frame
    foreign = pl.from_pandas(frame)
    tree = ex.grow(ex.Dataset.from_frame(foreign, "class"), ex.CART)
    assert tree.to_dict() == ex.grow(ex.Dataset.from_frame(frame, "class"), ex.CART).to_dict()
    assert tree.predict(foreign).tolist() == tree.predict(frame).tolist()


def two_sheets() -> bytes:
    book = openpyxl.Workbook()
    for row in (["Title"], [], ["a", "b"], [1, "x"], [2, "y"]):
        book.worksheets[0].append(row)
    other = book.create_sheet("Other")
    other.append(["q"])
    other.append([5])
    return binary(book.save)


@pytest.mark.parametrize(
    ("make", "sheets", "second"),
    [
        (two_sheets, ("Sheet", "Other"), [[5]]),
        (lambda: zipped(("a.csv", CSV), ("b.csv", b"q\n5\n")), ("a.csv", "b.csv"), [[5]]),
        (lambda: sqlite_bytes("CREATE TABLE u (q)", "INSERT INTO u VALUES (5)"), ("t", "u"), [[5]]),
    ],
)
def test_a_sheet_is_chosen_by_name(
    make: Callable[[], bytes], sheets: tuple[str, ...], second: list[list[object]]
) -> None:
    first = ex.read_table(make(), name="t")
    assert (first.sheets, first.sheet) == (sheets, sheets[0])
    chosen = ex.read_table(make(), name="t", sheet=sheets[1])
    assert (cells(chosen), chosen.sheets, chosen.sheet) == (second, sheets, sheets[1])
    with pytest.raises(ex.InputError, match=f"no sheet 'nowhere': choose one of '{sheets[0]}', '{sheets[1]}'"):
        ex.read_table(make(), name="t", sheet="nowhere")


def test_a_file_with_one_table_has_no_sheets() -> None:
    table = ex.read_table(CSV)
    assert (table.sheets, table.sheet) == ((), "")
    with pytest.raises(ex.InputError, match="holds a single table"):
        ex.read_table(CSV, sheet="t")


@pytest.mark.parametrize(
    ("raw", "line"), [(CSV, 1), (two_sheets(), 3), (b"# x\n\n# y\n" + CSV, 4), (b"sep=,\n" + CSV, 2)]
)
def test_the_line_of_the_header_is_found(raw: bytes, line: int) -> None:
    assert ex.read_table(raw).header_line == line


@pytest.mark.parametrize(("line", "names"), [(2, ["a", "b"]), (3, ["1", "x"])])
def test_the_header_line_can_be_given(line: int, names: list[str]) -> None:
    table = ex.read_table(b"one,two\na,b\n1,x\n2,y\n", header_line=line)
    assert list(table.frame) == names
    assert table.header_line == line
    assert len(table.frame) == 4 - line
    with pytest.raises(ex.InputError, match="no header in line 9"):
        ex.read_table(b"a,b\n1,2\n", header_line=9)


def test_the_row_of_a_sheet_can_be_given() -> None:
    assert list(ex.read_table(two_sheets(), header_line=4).frame) == ["1", "x"]
    rows = ods_row(ods_number("1", 2)) + ods_row(ods_number("2", 2))
    assert list(ex.read_table(ods(rows), header_line=2).frame) == ["1", "1 (2)"]


def test_keel_gives_numbers_ranges_and_missing_cells_a_mark() -> None:
    head = "@relation t\n@attribute x real[4.3,7.9]\n@attribute n integer [1, 6]\n@attribute class{b, a}\n"
    raw = f"{head}@inputs x, n\n@outputs class\n@data\n4.3, 1, a\n<null>, 6, <null>\n7.9, <null>, b\n"
    table = ex.read_table(raw.encode(), name="t.dat")
    assert cells(table) == [[4.3, 1.0, "a"], [None, 6.0, None], [7.9, None, "b"]]
    assert list(table.frame["class"].cat.categories) == ["b", "a"]
    assert table.notes == ("Read as KEEL.", "3 cells are missing.")


def test_levels_of_a_nominal_column_keep_their_order() -> None:
    raw = b"@relation r\n@attribute size {small, 'very big', big}\n@attribute y {n, p}\n@data\nbig,p\nsmall,n\n?,p\n"
    table = ex.read_table(raw, name="t.arff")
    assert table.frame["size"].cat.categories.tolist() == ["small", "very big", "big"]
    assert ex.Dataset.from_frame(table.frame, "y").classes == ("p", "n")


@pytest.mark.parametrize("ending", ["1", "NA"])
def test_long_whole_numbers_are_not_merged(ending: str) -> None:
    numbers = [1234567890123456789 + i for i in range(10)]
    raw = "id,x\n" + "".join(f"{number},1\n" for number in numbers) + f"{ending},2\n"
    assert ex.read_table(raw.encode()).frame["id"].nunique() == len(numbers) + (ending == "1")


def test_progress_rises_to_the_size_and_starts_at_once() -> None:
    raw = b"a,b\n" + b"1,word\n" * 300_000
    calls: list[tuple[int, int]] = []
    ex.read_table(raw, progress=lambda done, total: calls.append((done, total)))
    done = [done for done, _ in calls]
    assert done == sorted(done)
    assert (done[0], done[-1]) == (0, len(raw))
    assert {total for _, total in calls} == {len(raw)}
    assert max(later - earlier for earlier, later in itertools.pairwise(done)) < len(raw) / 3


@pytest.mark.parametrize("name", FORMATS)
def test_reading_stops_where_the_callback_raises(name: str) -> None:
    def stop(done: int, total: int) -> None:
        if done:
            raise ex.Stopped

    with pytest.raises(ex.Stopped):
        ex.read_table(FORMATS[name](), name=name, progress=stop)


def test_a_path_is_read_in_parts(tmp_path: Path) -> None:
    """A stop after a tenth of the file has not read all of it: the file is not taken into memory first."""
    path = tmp_path / "t.csv"
    path.write_bytes(b"a,b\n" + b"1,word\n" * 500_000)
    calls = []

    def stop(done: int, total: int) -> None:
        calls.append(done)
        if done > total / 10:
            raise ex.Stopped

    with pytest.raises(ex.Stopped):
        ex.read_table(path, progress=stop)
    assert max(calls) < path.stat().st_size / 4


def test_nothing_is_written(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def refuse(*_: object, **__: object) -> Any:
        raise AssertionError("a temporary file")

    files = {name: make() for name, make in FORMATS.items()}

    for name in ("TemporaryDirectory", "NamedTemporaryFile", "TemporaryFile", "mkstemp", "mkdtemp"):
        monkeypatch.setattr(tempfile, name, refuse)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("SQLITE_TMPDIR", str(tmp_path))
    assert len(ex.read_table(b"a,b\n" + b"1,word\n" * 2_000_000).frame) == 2_000_000
    for name, raw in files.items():
        ex.read_table(raw, name=name)
    assert os.listdir(tmp_path) == []  # noqa: PTH208 - the folder that Python's tempfile would use


def test_a_header_of_any_length_keeps_its_names() -> None:
    names = [f"a rather long name of column number {i}" for i in range(9000)]
    raw = ",".join(names) + "\n" + ",".join(["1"] * len(names))
    assert len(",".join(names)) > 1 << 18
    table = ex.read_table(raw.encode())
    assert list(table.frame) == names
    assert len(table.notes) == 1


class CountedName(str):
    """A name that counts how often it is looked up."""

    lookups = 0

    def __hash__(self) -> int:
        CountedName.lookups += 1
        return super().__hash__()

    def strip(self, *_: Any) -> "CountedName":
        return self


def test_names_that_repeat_take_linear_work() -> None:
    notes: list[Any] = []
    CountedName.lookups = 0
    names = unique_names([CountedName("x")] * 3000, notes)
    assert names[-1] == "x (3000)"
    assert len(set(names)) == 3000
    assert CountedName.lookups < 20 * 3000
    assert len(notes) == 1


@pytest.mark.parametrize(
    ("budget", "said"),
    [
        (ex.Budget(bytes=1000 << 10), "takes more than 0 MB"),
        (ex.Budget(rows=99_999), "more than 99,999 rows"),
        (ex.Budget(columns=1), "more than 1 columns"),
        (ex.Budget(cells=199_999), "more than 199,999 cells"),
    ],
)
def test_each_limit_of_a_budget_is_named(budget: ex.Budget, said: str) -> None:
    raw = gzip.compress(b"a,b\n" + b"1,long word\n" * 100_000)
    assert ex.read_table(raw).frame.shape == (100_000, 2)
    with pytest.raises(ex.InputError, match=said):
        ex.read_table(raw, budget=budget)


def test_lack_of_memory_is_an_input_error() -> None:
    def fail(done: int, total: int) -> None:
        raise MemoryError

    with pytest.raises(ex.InputError, match="too large for the memory"):
        ex.read_table(CSV, progress=fail)


def test_an_sqlite_path_may_hold_signs_of_an_address(tmp_path: Path) -> None:
    path = tmp_path / "a b?mode=rw#%41.sqlite"
    path.write_bytes(sqlite_bytes())
    before = path.read_bytes()
    assert cells(ex.read_table(path)) == CELLS
    assert path.read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize("compression", [None, "zstd", "lz4"])
def test_the_size_of_a_batch_is_known_before_it_is_unpacked(compression: str | None) -> None:
    batch = pa.record_batch({"a": pa.array([1] * 1000)})
    out = io.BytesIO()
    with pa.ipc.new_stream(out, batch.schema, options=pa.ipc.IpcWriteOptions(compression=compression)) as stream:
        stream.write_batch(batch)
    out.seek(0)
    assert list(unpacked_sizes(out)) == [(1000, 8000)]


def test_json_values_keep_their_text() -> None:
    raw = json.dumps([{"a": "007", "b": True, "c": None}, {"a": "x", "b": False, "c": 1}]).encode()
    assert cells(ex.read_table(raw, name="t.json")) == [["007", True, None], ["x", False, 1]]


DAMAGED_FOOTERS = """
import io, sys
import pandas as pd, pyarrow as pa, pyarrow.parquet as pq
import explorer as ex
out = io.BytesIO()
table = pa.table({"a": [1, None, 3], "b": ["x", None, "z"]})
pq.write_table(table, out, write_page_index=True)
raw = out.getvalue()
footer = int.from_bytes(raw[-8:-4], "little")
for place in range(len(raw) - 8 - footer, len(raw) - 8):
    for change in (1, 2, 0x10):
        damaged = bytearray(raw)
        damaged[place] ^= change
        try:
            ex.read_table(bytes(damaged), name="t.parquet")
        except ex.InputError:
            pass
"""


def test_a_damaged_parquet_footer_never_ends_the_process() -> None:
    command = [sys.executable, "-c", DAMAGED_FOOTERS]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-400:]
