"""What typed files say beside their cells: sizes, logs, weights, indexes, comments. Nothing is dropped unsaid."""

import contextlib
import gzip
import io
import sqlite3
from decimal import Decimal
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import explorer as ex
from explorer.messages import chinese, spoken_in


def written(write) -> bytes:
    out = io.BytesIO()
    write(out)
    return out.getvalue()


def message(raw: bytes, name: str) -> str:
    with pytest.raises(ex.InputError) as caught:
        ex.read_table(raw, name=name)
    return str(caught.value)


@pytest.mark.parametrize("compression", ["uncompressed", "lz4", "zstd"])
def test_arrow_files_of_polars_are_read_and_their_sizes_known_before(compression):
    frame = pl.DataFrame({"x": list(range(5000)), "word": ["a", None] * 2500})
    raw = written(lambda out: frame.write_ipc(out, compression=compression))
    assert ex.read_table(raw, name="t.arrow").frame["x"].tolist() == frame["x"].to_list()
    with pytest.raises(ex.InputError, match=r"1,000 rows"):
        ex.read_table(raw, name="t.arrow", budget=ex.Budget(rows=1000))
    stream = written(lambda out: frame.write_ipc_stream(out, compression=compression))
    assert ex.read_table(stream, name="t.arrows").frame.shape == (5000, 2)


@pytest.mark.parametrize(("name", "write"), [("t.parquet", "write_parquet"), ("t.arrow", "write_ipc")])
def test_a_column_of_128_bits_is_named(name, write):
    frame = pl.DataFrame({"a": [1], "big one": pl.Series([1], dtype=pl.Int128), "c": ["x"]})
    assert "because of column 'big one': its whole numbers have 128 bits" in message(
        written(getattr(frame, write)), name
    )


def test_decimals_are_the_nearest_floats():
    """Expected: Python's own reading of the digits, which is rounded once."""
    rng = np.random.default_rng(0)
    for digits, scale in ((9, 2), (12, 4), (15, 15), (18, 6), (38, 10)):
        exact = [Decimal(int(rng.integers(0, 10 ** min(digits, 18)))) / 10**scale for _ in range(500)]
        table = pa.table({"p": pa.array([*exact, None], pa.decimal128(digits, scale)), "z": [1] * 501})
        read = ex.read_table(table).frame["p"]
        expected = [float(number) for number in exact]
        if read.dtype == np.float64:
            assert read.tolist()[:-1] == expected
        else:
            assert [float(text) for text in read[:-1]] == expected
        assert read.isna().tolist() == [False] * 500 + [True]
        assert ex.read_table(table.slice(7, 9)).frame["p"].tolist() == read[7:16].tolist()


@pytest.mark.parametrize("index", [pd.Index([5, 3, 4], name="pos"), pd.Index([0, 1, 0])], ids=["named", "repeated"])
def test_the_index_of_pandas_is_no_column_in_memory_and_connected(index, tmp_path: Path):
    frame = pd.DataFrame({"x": [1.5, 2, 3], "y": ["a", "b", "a"]}, index=index)
    frame.to_parquet(tmp_path / "t.parquet")
    table = ex.read_table(tmp_path / "t.parquet")
    name = index.name or "__index_level_0__"
    assert list(table.frame) == ["x", "y"]
    assert any(f"index of pandas, not a column: '{name}'" in note for note in table.notes)
    source = ex.connect(tmp_path / "t.parquet", "y")
    assert [feature.name for feature in source.features] == ["x"]
    assert any(f"'{name}'" in note.text for note in source.notes)
    source.close()


def test_a_database_with_a_log_is_read_with_the_log_where_it_lies_and_said_where_it_is_not(tmp_path: Path):
    path = tmp_path / "shop.db"
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("PRAGMA wal_autocheckpoint=0")
        database.execute("CREATE TABLE s (x REAL, y TEXT)")
        database.executemany("INSERT INTO s VALUES (?, ?)", [(1, "a"), (2, "a")])
        database.commit()
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        raw = path.read_bytes()
        for packed in (raw, gzip.compress(raw)):
            table = ex.read_table(packed, name="shop.db")
            assert table.frame["x"].tolist() == [1, 2]
            assert any("only in 'shop.db-wal' are not in this table" in note for note in table.notes)
        database.execute("INSERT INTO s VALUES (3, 'b')")
        database.commit()
        table = ex.read_table(path)
        assert table.frame["x"].tolist() == [1, 2, 3]
        assert "Read with the changes in 'shop.db-wal'." in table.notes


def test_a_duckdb_file_is_read_in_chinese(tmp_path: Path):
    with duckdb.connect(str(tmp_path / "t.duckdb")) as database:
        database.execute("CREATE TABLE t AS SELECT 1 AS x, 'a' AS y, TIMETZ '10:00:00+02' AS at, 7::BIGNUM AS big")
    with spoken_in(chinese()):
        frame = ex.read_table(tmp_path / "t.duckdb").frame
    assert frame.to_dict("records") == [{"x": 1, "y": "a", "at": "10:00:00+02"}]
    assert any("'big' was left out" in note for note in ex.read_table(tmp_path / "t.duckdb").notes)


HEAD = (
    "@relation s % a comment\n@attribute a numeric\n@attribute b {x,'y, z','p}q'} % one\n@attribute y {no,yes}\n@data\n"
)
SPARSE = {
    "{0 1.5, 1 'y, z'}": [1.5, "y, z", "no"],
    "{0\t2, 2\tyes}": [2.0, "x", "yes"],
    "{1 'p}q', 2 yes} % comment": [0.0, "p}q", "yes"],
    "{ }": [0.0, "x", "no"],
    "1, 'y, z' , yes % comment": [1.0, "y, z", "yes"],
}


@pytest.mark.parametrize(("row", "cells"), SPARSE.items())
def test_rows_of_arff_end_where_weka_ends_them(row, cells):
    table = ex.read_table((HEAD + row + "\n").encode(), name="s.arff")
    assert table.frame.astype(object).values.tolist() == [cells]


@pytest.mark.parametrize(
    "row",
    ["{0 2} 2 yes", "{0 2, 0 3}", "{0 2", "{0 2, }", "{0 2,, 2 yes}", "{3 1}", "1,x,'yes' 'no'", "1,x,yes {2} {3}"],
)
def test_rows_that_are_no_arff_are_refused_with_their_line(row):
    assert message((HEAD + row + "\n").encode(), "s.arff").startswith("Line 6 of 's.arff' is not valid ARFF")


def test_weights_of_arff_become_a_column_and_those_of_attributes_are_named():
    raw = b"@relation w\n@attribute side {l,r} {2.0}\n@attribute weight string\n@attribute y {no,yes}\n@data\n"
    table = ex.read_table(raw + b"l,a,no,{3}\nl,b,yes\n{0 r, 2 yes}, {0.5}\n", name="w.arff")
    assert table.weight_column == "weight (2)"
    assert table.frame["weight (2)"].tolist() == [3, 1, 0.5]
    said = " ".join(table.notes)
    assert "The rows have weights, which are the column 'weight (2)'." in said
    assert "The weight of attribute 'side' is not used" in said
    assert "1 cell of text that a sparse row leaves out is missing." in said
    assert ex.Dataset.from_frame(table.frame, "y", weights=table.weight_column).weights is not None


def test_declared_classes_stay_classes_whatever_they_look_like():
    raw = b"@relation s\n@attribute x numeric\n@attribute y {1,0}\n@attribute r {AF,NA}\n@data\n"
    rows = b"".join(b"%d,%d,%s\n" % (i % 7, i % 2, b"NA" if i % 3 else b"AF") for i in range(30))
    frame = ex.read_table(raw + rows, name="n.arff").frame
    assert ex.Dataset.from_frame(frame, "y").classes == ("0", "1")
    assert ex.Dataset.from_frame(frame, "r").classes == ("AF", "NA")


def test_a_column_of_one_value_and_gaps_says_what_its_gaps_may_tell():
    frame = pd.DataFrame({"flag": [0.0, 0, 0, None, None], "x": [1, 2, 1, 2, 1], "y": list("nnnyy")})
    said = "'flag' has one value, and 2 rows lack it, which may tell the target."
    for features in (None, ["flag", "x"]):
        notes = [note.text for note in ex.Dataset.from_frame(frame, "y", features=features).notes]
        assert any(note.startswith(said) for note in notes)
        assert not any("Leave it out" in note for note in notes)


@pytest.mark.parametrize("value", [0.0, "ok"])
def test_what_the_note_on_gaps_advises_splits_on_them(value):
    """“Send missing cells to the better side”: a number of one value has no threshold, which a third branch needs."""
    frame = pd.DataFrame({"flag": [value] * 3 + [None] * 2, "y": list("nnnyy")})
    data = ex.Dataset.from_frame(frame, "y", features=["flag"])
    assert any(note.text.endswith("send missing cells to the better side of each split.") for note in data.notes)
    assert ex.grow(data, ex.CART.replace(missing="default_direction")).predict(frame).tolist() == list("nnnyy")


def test_a_table_of_missing_cells_and_one_without_single_values_say_so():
    empty = written(pd.DataFrame({"a": [None, None], "b": [np.nan, np.nan]}).to_parquet)
    assert "every cell of its 2 rows is missing" in message(empty, "e.parquet")
    nested = pa.table({"a": [[1]], "b": [b"x"]})
    assert "its cells are list<element: int64>, binary" in message(
        written(lambda out: pq.write_table(nested, out)), "n.parquet"
    )
