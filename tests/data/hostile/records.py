"""Hostile JSON, ARFF, SQLite and DuckDB files."""

import contextlib
import math
import sqlite3
import tempfile
from collections.abc import Callable
from pathlib import Path

from tests.data.hostile.case import SMALL, Case

LONG = 1234567890123456789

JSON = [
    Case("lines.jsonl", b'{"a": 1, "b": "x"}\n\n{"b": "y", "c": true}\n', (2, 3), (1, "c", True)),
    Case("array.json", b'[{"a": 1}, {"a": 2.5}]', (2, 1), (1, "a", 2.5)),
    Case("cut.json", b'[{"a": 1}, {"a": ', said="Line 1 of 'cut.json' is not valid JSON"),
    Case("cut.jsonl", b'{"a": 1}\n{"a": \n', said="Line 2 of 'cut.jsonl' is not valid JSON"),
    Case("nested.json", b'[{"a": 1, "b": {"c": 2}, "d": [3]}]', (1, 2), (0, "b.c", 2), noted="'d' was left out"),
    Case("numbers.json", b"[1, 2]", said="no flat record"),
    Case("scalar.jsonl", b'{"a": 1}\n7\n', said="line 2 is no flat record"),
    Case("empty.json", b"[]", said="no flat record"),
    Case("deep.json", b'[{"a": ' + b"[" * 100_000, said="not valid JSON"),
    Case("long.json", f'[{{"a": {LONG}, "b": 1}}, {{"a": null, "b": 2}}]'.encode(), (2, 2), (0, "a", str(LONG))),
    Case("longest.json", b'[{"a": ' + b"9" * 5000 + b"}]", (1, 1), (0, "a", "9" * 5000)),
    Case("surrogate.json", rb'[{"a": "x\ud800"}]', (1, 1), (0, "a", "x\ufffd")),
    Case("words.json", b'[{"a": NaN, "b": 1}, {"a": Infinity, "b": 2}]', (2, 2), (1, "a", math.inf)),
    Case("mixed.json", b'[{"a": 1}, {"a": "x"}, {"a": false}]', (3, 1), (0, "a", "1")),
    Case("same_key.json", b'[{"a": 1, "a": 2}]', (1, 1), (0, "a", 2)),
    Case("new_keys.jsonl", "".join(f'{{"k{i}": 1}}\n' for i in range(5000)).encode(), said="cells", budget=SMALL),
    Case("html.json", b'[{"<b>": "<img src=x onerror=alert(1)>"}]', (1, 1), (0, "<b>", "<img src=x onerror=alert(1)>")),
]

HEAD = "@relation r\n@attribute size {small, 'very big'}\n@attribute x real\n"
KEEL = (
    "@relation r\n@attribute x real[4.3,7.9]\n@attribute n integer [1, 6]\n@attribute class{a, b c}\n"
    "@inputs x, n\n@outputs class\n@data\n"
)
ARFF = [
    Case("plain.arff", f"% c\n{HEAD}@data\nsmall,1\n'very big',?\n".encode(), (2, 2), (1, "size", "very big")),
    Case("quotes.arff", b"@RELATION r\n@ATTRIBUTE 'a\\'b' string\n@DATA\n\"x, y\"\n", (1, 1), (0, "a'b", "x, y")),
    Case("sparse.arff", f"{HEAD}@data\n{{1 5}}\n{{0 'very big'}}\n".encode(), (2, 2), (0, "size", "small")),
    Case("sparse_beyond.arff", f"{HEAD}@data\n{{9 5}}\n".encode(), said="Line 5 of 'sparse_beyond.arff' is not valid"),
    Case("position.arff", f"{HEAD}@data\n{{{'9' * 5000} 5}}\n".encode(), said="Line 5 of 'position.arff' is not"),
    Case("blanks.arff", f"{HEAD}@data\nsmall{' ' * 10**6}{{'\n".encode(), said="Line 5 of 'blanks.arff' is not"),
    Case("brackets.arff", f"@relation r\n@attribute {'{' * 10**6}\n".encode(), said="Line 2 of 'brackets.arff' is not"),
    Case("level.arff", f"{HEAD}@data\nhuge,1\n".encode(), said="Line 5 of 'level.arff' has 'huge' in column 'size'"),
    Case("text.arff", f"{HEAD}@data\nsmall,x\n".encode(), said="'x' in the numeric column 'x'"),
    Case("width.arff", f"{HEAD}@data\nsmall\n".encode(), said="Line 5 of 'width.arff' has 1 cells, but 2 columns"),
    Case("no_data.arff", HEAD.encode(), said="no @attribute or no @data"),
    Case("open_quote.arff", f"{HEAD}@data\n'small,1\n".encode(), said="Line 5 of 'open_quote.arff'"),
    Case("relational.arff", b"@relation r\n@attribute m relational\n@end m\n@data\n", said="as relational"),
    Case("keel.dat", f"{KEEL}4.3, 1, a\n<null>, 6, b c\n".encode(), (2, 3), (1, "x", None), noted="Read as KEEL"),
    Case("keel_level.dat", f"{KEEL}4.3, 1, c\n".encode(), said="has 'c' in column 'class'"),
    Case("keel_text.dat", f"{KEEL}one, 1, a\n".encode(), said="'one' in the numeric column 'x'"),
    Case("keel_width.dat", f"{KEEL}4.3, 1\n".encode(), said="has 2 cells, but 3 columns"),
    Case("keel_range.dat", f"@relation r\n@attribute x real{'[' * 10**6}\n".encode(), said="no @attribute or no @"),
    Case("keel_roles.dat", b"@relation r\n@inputs x\n@outputs y\n@data\n1\n", said="no @attribute or no @data"),
    Case("null.arff", b"@relation r\n@attribute c {<null>,b}\n@data\n<null>\nb\n", (2, 1), (0, "c", "<null>")),
    Case("no_rows.arff", f"{HEAD}@data\n".encode(), said="no rows"),
]


def sqlite(*statements: str, change: Callable[[bytes], bytes] = bytes) -> Callable[[], bytes]:
    def make() -> bytes:
        with contextlib.closing(sqlite3.connect(":memory:")) as database:
            for statement in statements:
                database.execute(statement)
            database.commit()
            return change(database.serialize())

    return make


TABLE = ("CREATE TABLE t (a INTEGER, b TEXT)", "INSERT INTO t VALUES (1, 'x'), (2, 'y')")
VIEW = "CREATE VIEW v AS WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT n FROM c"
DISGUISED = "UPDATE sqlite_schema SET sql = 'CREATE VIEW t AS SELECT load_extension(''x'')' WHERE name = 't'"

SQLITE = [
    Case("plain.sqlite", sqlite(*TABLE), (2, 2), (1, "b", "y"), noted="Read from table 't'"),
    Case("view.sqlite", sqlite(VIEW), said="no base table with rows"),
    Case("view_first.sqlite", sqlite(VIEW, *TABLE), (2, 2), (0, "a", 1)),
    Case("view_chosen.sqlite", sqlite(VIEW, *TABLE), said="choose one of 't'", sheet="v"),
    Case(
        "trigger.sqlite",
        sqlite(*TABLE, "CREATE TRIGGER g AFTER DELETE ON t BEGIN DELETE FROM t; END"),
        (2, 2),
        (0, "a", 1),
    ),
    Case("virtual.sqlite", sqlite("CREATE VIRTUAL TABLE f USING fts5(x)", *TABLE), (2, 2), (0, "a", 1), sheet="t"),
    Case(
        "virtual_chosen.sqlite", sqlite("CREATE VIRTUAL TABLE f USING fts5(x)", *TABLE), said="no sheet 'f'", sheet="f"
    ),
    Case(
        "generated.sqlite",
        sqlite("CREATE TABLE t (a, b AS (printf('%.*c', 500000000, 'x')))", "INSERT INTO t(a) VALUES (5)"),
        (1, 1),
        (0, "a", 5),
    ),
    Case(
        "attach.sqlite",
        sqlite(
            'CREATE TABLE "t; ATTACH \'/etc/passwd\' AS p --" ("a""; DROP TABLE t")',
            "INSERT INTO \"t; ATTACH '/etc/passwd' AS p --\" VALUES (3)",
        ),
        (1, 1),
        (0, 'a"; DROP TABLE t', 3),
    ),
    Case(
        "binary.sqlite",
        sqlite("CREATE TABLE t (a, b)", "INSERT INTO t VALUES (1, x'00ff'), (2, 'y')"),
        (2, 1),
        (1, "a", 2),
        noted="'b' was left out",
    ),
    Case(
        "bad_text.sqlite",
        sqlite("CREATE TABLE t (a)", "INSERT INTO t VALUES (CAST(x'78ff' AS TEXT))"),
        (1, 1),
        (0, "a", "x\ufffd"),
    ),
    Case(
        "long.sqlite",
        sqlite("CREATE TABLE t (a, b)", f"INSERT INTO t VALUES ({LONG}, 1), (NULL, 2), ({LONG + 1}, 3)"),
        (3, 2),
        (2, "a", str(LONG + 1)),
    ),
    Case("disguised.sqlite", sqlite(*TABLE, "PRAGMA writable_schema = ON", DISGUISED), said="SQLite database"),
    Case("cut.sqlite", sqlite(*TABLE, change=lambda raw: raw[:4500]), said="SQLite database"),
    Case(
        "noise.sqlite",
        sqlite(*TABLE, change=lambda raw: raw[:100] + b"\xaa" * (len(raw) - 100)),
        said="SQLite database",
    ),
    Case("header.sqlite", b"SQLite format 3\x00", said="SQLite database"),
    Case(
        "rows.sqlite",
        sqlite(
            "CREATE TABLE t AS WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c LIMIT 200000) "
            "SELECT n FROM c"
        ),
        said="100,000 rows",
        budget=SMALL,
    ),
]


def duckdb(*statements: str, change: Callable[[bytes], bytes] = bytes) -> Callable[[], bytes]:
    def make() -> bytes:
        import duckdb as package

        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "x.duckdb"
            with package.connect(str(path)) as database:
                for statement in statements:
                    database.execute(statement)
            return change(path.read_bytes())

    return make


DUCK_TABLE = "CREATE TABLE t AS SELECT 1 AS a, 'x' AS b"
DUCKDB = [
    Case("plain.duckdb", duckdb(DUCK_TABLE), (1, 2), (0, "b", "x")),
    Case(
        "chosen.duckdb",
        duckdb(DUCK_TABLE, "CREATE SCHEMA s", "CREATE TABLE s.u AS SELECT 9 AS q"),
        (1, 1),
        (0, "q", 9),
        sheet="s.u",
    ),
    Case("view.duckdb", duckdb("CREATE VIEW v AS SELECT 1 AS a"), said="no base table with rows"),
    Case(
        "file_view.duckdb",
        duckdb("CREATE TABLE e(a INT)", "CREATE MACRO m() AS TABLE SELECT * FROM read_text('/etc/passwd')"),
        said="no base table",
    ),
    Case(
        "view_chosen.duckdb", duckdb(DUCK_TABLE, "CREATE VIEW v AS SELECT 1 AS a"), said="choose one of 't'", sheet="v"
    ),
    Case("cut.duckdb", duckdb(DUCK_TABLE, change=lambda raw: raw[:9000]), said="DuckDB database"),
    Case("rows.duckdb", duckdb("CREATE TABLE t AS SELECT * FROM range(300000)"), said="100,000 rows", budget=SMALL),
]

CASES = [*JSON, *ARFF, *SQLITE, *DUCKDB]
