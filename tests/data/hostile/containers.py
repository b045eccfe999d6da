"""Hostile archives, and hostile files of Arrow: Parquet and Feather."""

import gzip
import io
import zipfile
from collections.abc import Callable, Mapping
from typing import Any

import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq

from explorer.data.budget import Budget
from tests.data.hostile.case import SMALL, Case
from tests.data.hostile.workbooks import workbook

TABLE = b"a,b\n1,x\n2,y\n"
LONG = 1234567890123456789


def zipped(members: Mapping[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(name), content, method)
    return out.getvalue()


def with_password() -> bytes:
    """An archive whose member claims to be encrypted."""
    raw = bytearray(zipped({"a.csv": TABLE}, zipfile.ZIP_STORED))
    raw[6] |= 1
    raw[raw.index(b"PK\x01\x02") + 8] |= 1
    return bytes(raw)


def with_small_size() -> bytes:
    """An archive whose member claims to unpack to 9 bytes."""
    raw = bytearray(zipped({"a.csv": TABLE * 1000}))
    start = raw.index(b"PK\x01\x02")
    raw[start + 24 : start + 28] = (9).to_bytes(4, "little")
    return bytes(raw)


def with_damaged_lzma() -> bytes:
    raw = bytearray(zipped({"a.csv": TABLE * 1000}, zipfile.ZIP_LZMA))
    for place in range(60, 80):
        raw[place] ^= 0xFF
    return bytes(raw)


def gzip_bomb() -> bytes:
    return gzip.compress(b"a,b\n", mtime=0) + gzip.compress(b"1,2\n" * 1_000_000, mtime=0) * 100


ARCHIVES = [
    Case("one.csv.gz", lambda: gzip.compress(TABLE), (2, 2), (1, "b", "y"), noted="Unpacked with gzip"),
    Case("cut.csv.gz", lambda: gzip.compress(TABLE * 9)[:-9], said="damaged gzip"),
    Case("sum.csv.gz", lambda: gzip.compress(TABLE * 9)[:-8] + b"\x00" * 8, said="damaged gzip"),
    Case("empty.csv.gz", lambda: gzip.compress(b""), said="empty gzip"),
    Case("twice.csv.gz", lambda: gzip.compress(gzip.compress(TABLE)), said="gzip twice"),
    Case("zip.gz", lambda: gzip.compress(zipped({"a.csv": TABLE})), said="archive inside an archive"),
    Case("bomb.csv.gz", gzip_bomb, said="takes more than 32 MB", budget=SMALL),
    Case("one.zip", lambda: zipped({"a.csv": TABLE, "__MACOSX/._a.csv": b"\x00"}), (2, 2), (1, "b", "y")),
    Case("two.zip", lambda: zipped({"readme.txt~": b"x", "b.csv": TABLE}), (2, 2), (0, "a", 1)),
    Case("chosen.zip", lambda: zipped({"a.csv": TABLE, "b.csv": b"q,r\n7,8\n"}), (1, 2), (0, "q", 7), sheet="b.csv"),
    Case("no_member.zip", lambda: zipped({"a.csv": TABLE, "b.csv": TABLE}), said="'a.csv', 'b.csv'", sheet="c.csv"),
    Case("upwards.zip", lambda: zipped({"../../etc/passwd.csv": TABLE}), (2, 2), (1, "a", 2)),
    Case("absolute.zip", lambda: zipped({"/etc/passwd": TABLE}), (2, 2), (1, "a", 2)),
    Case("workbook.zip", lambda: zipped({"a.xlsx": workbook("<row><c><v>1</v></c></row>")}), (1, 2), (0, "a", 1)),
    Case("bomb.zip", lambda: zipped({"a.csv": b"1,2\n" * 12_000_000}), said="takes more than 32 MB", budget=SMALL),
    Case("lzma.zip", with_damaged_lzma, said="damaged zip"),
    Case("size.zip", with_small_size, said="damaged zip"),
    Case("password.zip", with_password, said="'a.csv' in 'password.zip' is protected by a password"),
    Case("nested.zip", lambda: zipped({"a.zip": zipped({"b.csv": TABLE})}), said="archive inside an archive"),
    Case("pictures.zip", lambda: zipped({"a.png": b"x"}), said="without a table"),
    Case("empty.zip", lambda: zipped({}), said="without a table"),
    Case("cut.zip", lambda: zipped({"a.csv": TABLE})[:-30], said="damaged zip"),
    Case("begin.zip", b"PK\x03\x04 something", said="damaged zip"),
    Case("begin.xlsx", b"PK\x03\x04 something", said="is a damaged Excel file: save or download it again"),
    Case("begin.ods", b"PK\x03\x04 something", said="is a damaged OpenDocument file"),
]


def parquet(columns: Mapping[str, Any], **options: Any) -> bytes:
    out = io.BytesIO()
    pq.write_table(pa.table(columns), out, **options)
    return out.getvalue()


def feather(columns: Mapping[str, Any], compression: str = "zstd") -> bytes:
    out = io.BytesIO()
    pyarrow.feather.write_feather(pa.table(columns), out, compression=compression)
    return out.getvalue()


def same_text(rows: int, size: int) -> pa.DictionaryArray:
    return pa.DictionaryArray.from_arrays(pa.array([0] * rows, pa.int32()), ["x" * size])


def one_batch(values: pa.Array) -> bytes:
    """An Arrow file of one batch, packed: what it takes is known only from its header."""
    out = io.BytesIO()
    batch = pa.record_batch({"a": values})
    with pa.ipc.new_file(out, batch.schema, options=pa.ipc.IpcWriteOptions(compression="zstd")) as file:
        file.write_batch(batch)
    return out.getvalue()


def prefixes() -> bytes:
    """Texts that are all equal, each stored as "the same as before"."""
    texts = pa.array(["x" * 100_000] * 2000)
    return parquet({"a": texts}, use_dictionary=False, column_encoding={"a": "DELTA_BYTE_ARRAY"})


def two_names() -> bytes:
    out = io.BytesIO()
    pq.write_table(pa.Table.from_arrays([pa.array([1]), pa.array([2])], names=["a", "a"]), out)
    return out.getvalue()


def made(function: Callable[..., bytes], *given: Any) -> Callable[[], bytes]:
    return lambda: function(*given)


NESTED = {"l": [[1], [2]], "b": [b"\xff", b"x"]}
DAMAGED = "damaged"
ARROW = [
    Case("plain.parquet", made(parquet, {"a": [1, 2], "b": ["x", "?"]}), (2, 2), (1, "b", "?")),
    Case("cut.parquet", lambda: parquet({"a": [1, 2]})[:-20], said=DAMAGED),
    Case("begin.parquet", b"PAR1 broken", said=DAMAGED),
    Case("footer.parquet", lambda: parquet({"a": [1, 2]})[:-8] + b"\xff\xff\xff\x7fPAR1", said=DAMAGED),
    Case("nested.parquet", made(parquet, NESTED), said="no column of numbers, text, dates or truth values"),
    Case("some_nested.parquet", made(parquet, {**NESTED, "a": [1, 2]}), (2, 1), (1, "a", 2), noted="'l' was left out"),
    Case("names.parquet", two_names, (1, 2), (0, "a (2)", 2)),
    Case("no_rows.parquet", lambda: parquet({"a": pa.array([], pa.int64())}), said="no rows"),
    Case("long.parquet", made(parquet, {"a": [LONG, None, LONG + 1], "b": [1, 2, 3]}), (3, 2), (2, "a", str(LONG + 1))),
    Case("rows.parquet", lambda: parquet({"a": [7] * 300_000}), said="100,000 rows", budget=SMALL),
    Case("texts.parquet", lambda: parquet({"a": same_text(90_000, 10_000)}), said="32 MB", budget=SMALL),
    Case("encrypted.parquet", b"PARE" + b"x" * 99, said="encrypted Parquet"),
    Case("plain.feather", made(feather, {"a": [1, 2], "b": ["x", "y"]}), (2, 2), (1, "b", "y")),
    Case("cut.feather", lambda: feather({"a": [1, 2]})[:-20], said=DAMAGED),
    Case("bomb.feather", lambda: feather({"a": pa.array([0] * 3_000_000)}), said="for one table", budget=SMALL),
    Case(
        "bomb.arrow",
        lambda: one_batch(pa.array([0] * 90_000).cast(pa.decimal128(38, 0))),
        said="1 MB",
        budget=Budget(bytes=1 << 20),
    ),
    Case("prefixes.parquet", prefixes, said="32 MB", budget=SMALL),
    Case("texts.feather", lambda: feather({"a": same_text(90_000, 10_000)}), said="32 MB", budget=SMALL),
    Case("nested.feather", made(feather, NESTED), said="no column of numbers, text, dates or truth values"),
    Case("old.feather", b"FEA1" + b"x" * 99, said="old version 1"),
]

CASES = [*ARCHIVES, *ARROW]
