"""Sheets, tables and members of one shape are put below each other, with a column that tells where a row is from."""

import io
import sqlite3
import zipfile
from contextlib import closing

import pandas as pd
import pytest

import explorer as ex
from explorer.data.reading import ReadingOptions
from tests.data.spreadsheets import ods, xlsx

MONTHS = {
    "jan": pd.DataFrame({"x": [1, 2], "y": ["a", "b"]}),
    "feb": pd.DataFrame({"x": [3.5], "y": ["a"]}),
    "mar": pd.DataFrame({"x": ["?", "many"], "y": ["c", "a"]}),
}
NOTES = pd.DataFrame({"made": ["by"], "on": ["Monday"], "for": ["all"]})


def expected(names: tuple[str, ...] = ("jan", "feb")) -> list[list[object]]:
    return [[*row, name] for name in names for row in MONTHS[name].astype(object).to_numpy().tolist()]


def zipped(names: tuple[str, ...]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name in names:
            archive.writestr(f"{name}.csv", MONTHS[name].to_csv(index=False))
        archive.writestr("notes.csv", NOTES.to_csv(index=False))
    return packed.getvalue()


def database() -> bytes:
    with closing(sqlite3.connect(":memory:")) as connection:
        for name in ("jan", "feb"):
            MONTHS[name].to_sql(name, connection, index=False)
        NOTES.to_sql("notes", connection, index=False)
        connection.commit()
        return connection.serialize()


@pytest.mark.parametrize("write", [xlsx, ods], ids=["xlsx", "ods"])
def test_sheets_of_one_shape_are_stacked(write):
    sheets = {name: [tuple(MONTHS[name]), *MONTHS[name].itertuples(index=False)] for name in ("jan", "feb")}
    sheets["notes"] = [tuple(NOTES), *NOTES.itertuples(index=False)]
    table = ex.read_table(write(sheets), name="book", stacked=True)
    assert list(table.frame) == ["x", "y", "source"]
    assert table.frame.astype(object).to_numpy().tolist() == expected()
    assert any("2 tables with the same columns" in note and "'jan'" in note for note in table.notes)
    assert any("since their columns differ: 'notes'" in note for note in table.notes)


@pytest.mark.parametrize(
    ("content", "suffix"), [(zipped(("jan", "feb")), ".csv"), (database(), "")], ids=["zip", "sql"]
)
def test_members_and_tables_of_one_shape_are_stacked(content, suffix):
    table = ex.read_table(content, stacked=True)
    assert table.frame.astype(object).to_numpy().tolist() == [[x, y, name + suffix] for x, y, name in expected()]
    assert ex.read_table(content).frame.shape == (2, 2)


def test_numbers_beside_texts_become_texts():
    table = ex.read_table(zipped(("jan", "feb", "mar")), stacked=True)
    assert table.frame["x"].astype(object).where(table.frame["x"].notna(), None).tolist() == [
        "1",
        "2",
        "3.5",
        None,
        "many",
    ]


def test_levels_are_joined_in_order():
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, levels in (("a", "low high"), ("b", "high top")):
            archive.writestr(f"{name}.tab", f"x\ty\nc\t{levels}\n\tclass\n1\thigh\n2\t{levels.split()[0]}\n")
    table = ex.read_table(packed.getvalue(), stacked=True)
    assert list(table.frame["y"].cat.categories) == ["low", "high", "top"]
    assert table.frame["y"].tolist() == ["high", "low", "high", "high"]


def test_a_table_alone_is_read_as_it_is():
    assert ex.read_table(b"a,b\n1,2\n", stacked=True).frame.shape == (1, 2)
    table = ex.read_table(zipped(("jan",)), stacked=True)
    assert table.frame.shape == (2, 2)
    assert any("nothing was stacked" in note for note in table.notes)


def test_the_limits_hold_for_all_tables_together():
    with pytest.raises(ex.InputError, match="more than 2 rows"):
        ex.read_table(zipped(("jan", "feb")), stacked=True, budget=ex.Budget(rows=2))


def test_the_choice_goes_through_a_link():
    assert ReadingOptions.from_plain({"stacked": True}) == ReadingOptions(stacked=True)
    with pytest.raises(ex.InputError):
        ReadingOptions.from_plain({"stacked": 1})
