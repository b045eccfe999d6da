"""Names and categories with characters that are not seen, or that SQL and spreadsheets read in their own way."""

from __future__ import annotations

import sqlite3

import duckdb
import pandas as pd
import pytest

import explorer as ex
from explorer.formatting import visible

UNSEEN = ["\u202e", "\u2066", "\u200b", "\u2060", "\ufeff", "\u00ad", "\u3164", "\u200d"]
FRAME = pd.DataFrame({"x": list("aaabbb"), "y": list("nnnyyy")})


def named(sign: str) -> tuple[ex.Tree, ex.Dataset, pd.DataFrame]:
    """A tree whose feature, categories, target and classes hold a sign within a word."""
    frame = FRAME.map(lambda cell: f"{cell}c{sign}d").rename(columns=lambda name: f"{name}e{sign}f")
    frame["n"] = [1.0, 2, 3, 4, 5, 6]
    feature, target = frame.columns[:2]
    data = ex.Dataset.from_frame(frame, target, [feature])
    return ex.grow(data, ex.ID3), data, frame


def exports(tree: ex.Tree, data: ex.Dataset, frame: pd.DataFrame) -> dict[str, str]:
    made = ex.Provenance(ex.Table(frame, (), "t.csv"), data, tree, (data,))
    return {
        "text": ex.to_text(tree),
        "listing": ex.to_listing(tree),
        "rules": ex.rules(tree).to_text(),
        "dot": ex.to_dot(tree),
        "svg": ex.to_svg(tree),
        "html": ex.to_html(tree),
        "python": ex.to_python(tree),
        "report": ex.to_report(made, "html"),
        "markdown": ex.to_report(made, "markdown"),
        "script": ex.to_script(made),
    }


@pytest.mark.parametrize("sign", UNSEEN, ids=lambda sign: f"U+{ord(sign):04X}")
def test_no_export_holds_a_character_that_is_not_seen(sign):
    tree, data, frame = named(sign)
    assert [name for name, text in exports(tree, data, frame).items() if sign in text] == []


@pytest.mark.parametrize("sign", UNSEEN, ids=lambda sign: f"U+{ord(sign):04X}")
def test_python_and_sql_predict_by_the_text_as_it_is(sign):
    tree, _, frame = named(sign)
    module: dict = {}
    exec(ex.to_python(tree), module)
    predicted = tree.predict(frame).tolist()
    assert [module["predict"](row)[0] for row in frame.to_dict("records")] == predicted
    query = ex.to_sql(tree)
    assert by_sqlite(query, frame) == predicted
    comment = query.splitlines()[0]
    assert comment.startswith("-- ")
    assert f"U+{ord(sign):04X}" in comment
    assert sign not in comment


@pytest.mark.parametrize("text", ["👩\u200d👧", "क\u094d\u200dष", "می\u200cخواهم", "天气", "é"])
def test_what_joins_letters_and_pictures_stays(text):
    assert visible(text) == text


def by_sqlite(query: str, frame: pd.DataFrame) -> list[object]:
    with sqlite3.connect(":memory:") as database:
        frame.to_sql("rows", database, index=False)
        rows = [row[-1] for row in database.execute(query)]
    database.close()
    return rows


def by_duckdb(query: str, frame: pd.DataFrame) -> list[object]:
    with duckdb.connect() as database:
        database.register("rows", frame)
        return [row[-1] for row in database.execute(query).fetchall()]


HOSTILE = [
    "\\",
    "\\\\",
    "a\\' OR 1=1 --",
    "'",
    "''",
    '"',
    '""',
    "--",
    "/*",
    "a\nb",
    "a\r\n;DROP TABLE rows;",
    "天🌲",
    "%_",
    "$1",
    "?",
    ":x",
    "`",
    "[a]",
    "\\n",
    "\\u0041",
    "E'\\n'",
    "\u202e",
]


@pytest.mark.parametrize("run", [by_sqlite, by_duckdb])
@pytest.mark.parametrize("text", HOSTILE)
def test_sql_reads_every_text_as_the_tree_does(text, run):
    frame = pd.DataFrame({f"x{text}": [f"a{text}", f"b{text}", text, "z"] * 3, f"y{text}": ["n", text, "y", "z"] * 3})
    feature, target = frame.columns
    tree = ex.grow(ex.Dataset.from_frame(frame, target, [feature]), ex.ID3)
    assert run(ex.to_sql(tree), frame) == tree.predict(frame).tolist()


def test_a_text_with_a_nul_is_refused():
    frame = pd.DataFrame({"x": ["a\0", "b"] * 4, "y": ["n", "y"] * 4})
    with pytest.raises(ex.InputError, match="SQL cannot write"):
        ex.to_sql(ex.grow(ex.Dataset.from_frame(frame, "y", ["x"]), ex.ID3))


@pytest.mark.parametrize("dialect", ["mysql", "MariaDB", "bigquery", "spark"])
def test_dialects_that_escape_by_backslashes_are_refused_by_name(dialect):
    tree, *_ = named("")
    with pytest.raises(ex.InputError, match=f"'{dialect}'.*sqlite, duckdb, postgresql"):
        ex.to_sql(tree, dialect=dialect)
    assert ex.to_sql(tree, dialect="DuckDB") == ex.to_sql(tree)


def test_a_query_with_a_backslash_says_where_it_may_run():
    tree, *_ = named("\\")
    assert ex.to_sql(tree).startswith("-- Texts with a backslash: run this query only where")
    assert not ex.to_sql(named("")[0]).startswith("--")
