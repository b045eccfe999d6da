"""Which tables readers may connect, how their rows are divided, and when working tables are given back."""

import datetime
import os

import duckdb
import numpy as np
import pandas as pd
import pytest

import explorer as ex
from explorer.sources.origins.preview import preview, tables_in
from pages.results.connected import allowed, division, estimate, opened
from pages.results.connected.division import Division
from pages.results.connected.opened import Connected, Registry, Wanted
from pages.settings.settings import Settings

ROWS = 3_000


def rows(n=ROWS):
    draw = np.random.default_rng(0)
    x = draw.integers(0, 50, n)
    frame = pd.DataFrame({"id": np.arange(n), "x": x, "half": x / 2, "set": draw.choice(["valid", "train"], n)})
    frame.loc[x == 7, "half"] = np.nan
    return frame.assign(y=np.where(x > 20, "a", "b"))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with tables that is allowed, beside one that is not."""
    inside, outside = tmp_path / "shared", tmp_path / "secret"
    (inside / "parts").mkdir(parents=True)
    outside.mkdir()
    rows().to_parquet(inside / "one.parquet", index=False)
    rows().to_parquet(outside / "other.parquet", index=False)
    for part in range(2):
        rows().iloc[part::2].to_parquet(inside / "parts" / f"p{part}.parquet", index=False)
    (inside / "notes.txt").write_text("no table")
    monkeypatch.setenv(allowed.VARIABLE, str(inside))
    return inside


def names():
    return [table.name for table in allowed.tables()]


def test_nothing_is_offered_unless_the_owner_names_it(monkeypatch):
    monkeypatch.delenv(allowed.VARIABLE, raising=False)
    assert not allowed.is_offered()
    assert allowed.tables() == []


def test_files_and_patterns_below_the_folder_are_listed_by_relative_names(folder):
    assert names() == [
        "shared/one.parquet",
        "shared/parts/*.parquet",
        "shared/parts/p0.parquet",
        "shared/parts/p1.parquet",
    ]


def test_a_symbolic_link_is_not_followed_and_spoils_a_pattern(folder):
    (folder / "parts" / "linked.parquet").symlink_to(folder.parent / "secret" / "other.parquet")
    (folder / "door").symlink_to(folder.parent / "secret")
    assert names() == ["shared/one.parquet", "shared/parts/p0.parquet", "shared/parts/p1.parquet"]


@pytest.mark.parametrize(
    "name", ["shared/../secret/other.parquet", "secret/other.parquet", "/etc/passwd", "shared/notes.txt", ""]
)
def test_a_name_that_is_not_listed_is_refused_in_words(folder, name):
    with pytest.raises(ex.InputError, match="is not among those that can be connected"):
        allowed.find(name)


def test_the_tables_of_a_database_are_listed_but_no_view(tmp_path, monkeypatch):
    database = duckdb.connect(str(tmp_path / "base.duckdb"))
    database.execute("CREATE TABLE people AS SELECT 1 AS a")
    database.execute("CREATE VIEW sly AS SELECT * FROM read_csv('/etc/passwd')")
    database.close()
    monkeypatch.setenv(allowed.VARIABLE, str(tmp_path / "base.duckdb"))
    assert names() == ["base.duckdb ▸ people"]
    assert tables_in(str(tmp_path / "base.duckdb")) == ("people",)


def test_two_folders_and_a_missing_one(folder, monkeypatch):
    named = os.pathsep.join([str(folder / "parts"), str(folder.parent / "gone"), str(folder / "one.parquet")])
    monkeypatch.setenv(allowed.VARIABLE, named)
    assert names() == ["parts/*.parquet", "parts/p0.parquet", "parts/p1.parquet", "one.parquet"]


def test_a_preview_counts_all_rows_and_draws_some(folder):
    frame = rows()
    seen = preview(str(folder / "parts" / "*.parquet"), n_rows=100)
    assert (seen.n_rows, len(seen.frame), seen.is_sample) == (ROWS, 100, True)
    assert seen.n_missing == frame.isna().sum().to_dict()
    assert seen.n_distinct["set"] == 2
    assert seen.n_distinct["id"] == pytest.approx(ROWS, rel=0.1)
    whole = preview(str(folder / "one.parquet"))
    assert not whole.is_sample
    assert whole.frame.astype(object).equals(frame.astype(object).set_axis(whole.frame.columns, axis=1))


def test_a_preview_reads_files_as_a_connected_table_does(folder):
    pd.DataFrame({"x": [1, 2], "y": ["a", "b"]}).to_parquet(folder / "p1.parquet")
    pd.DataFrame({"x": [1.5, np.nan], "y": ["a", "b"]}).to_parquet(folder / "p2.parquet")
    both = preview(str(folder / "p*.parquet"))
    assert both.frame["x"].dropna().tolist() == [1.0, 2.0, 1.5]
    (folder / "text[1].csv").write_text("x,y\n1.5,a\nNA,b\n2.5,a\n")
    text = preview(str(folder / "text[1].csv"))
    assert text.n_missing == {"x": 1, "y": 0}
    assert text.frame["x"].dropna().tolist() == [1.5, 2.5]


def test_a_preview_has_cells_as_the_engine_takes_them(tmp_path):
    """Dates are days, booleans no texts, blanks and nan are missing, "n/a" is a text: here and where connected."""
    days = pd.Series([datetime.date(2021, 1, 1), None, datetime.date(2024, 5, 6), datetime.date(2022, 2, 2)] * 30)
    columns = {"day": days, "known": [True, False, None, True] * 30, "plan": ["pro", "n/a", " ", "basic"] * 30}
    frame = pd.DataFrame(columns | {"spent": [1.5, float("nan"), 2.5, 3.5] * 30, "y": ["a", "b", "a", "a"] * 30})
    frame.to_parquet(tmp_path / "untidy.parquet", index=False)
    seen = preview(str(tmp_path / "untidy.parquet"))
    assert seen.n_missing == {"day": 30, "known": 30, "plan": 30, "spent": 30, "y": 0}
    encoded = ex.Dataset.from_frame(seen.frame, target="y")
    assert {column.name: column.n_missing for column in encoded.columns} == seen.n_missing
    source = ex.connect(tmp_path / "untidy.parquet", target="y")
    expected = [(feature.name, feature.kind, feature.categories) for feature in source.features]
    source.close()
    found = [(feature.name, feature.kind, tuple(sorted(feature.categories))) for feature in encoded.features]
    assert found == expected
    assert encoded.features[0].kind == "numeric"
    assert (seen.frame["day"].dropna().iloc[0] - pd.Timestamp(1970, 1, 1)).days == 18_628


def test_a_file_that_is_no_table_is_an_error_without_the_folder(folder):
    (folder / "bad.parquet").write_bytes(b"nothing")
    with pytest.raises(ex.InputError) as error:
        preview(str(folder / "bad.parquet"))
    assert "'bad.parquet' cannot be read" in str(error.value)
    assert str(folder) not in str(error.value)


def divided(folder, **chosen):
    return division.of(Settings(**chosen), "y", preview(str(folder / "one.parquet")))


def test_rows_are_divided_by_the_column_with_the_most_values_unless_another_is_chosen(folder):
    assert divided(folder) == Division("id", (0.7,), 0)
    assert divided(folder, split="three", seed=4) == Division("id", (0.7, 0.15), 4)
    assert divided(folder, split="two", split_by="x", share=60) == Division("x", (0.6,), 0)
    assert divided(folder, split="all") == Division()


def test_the_values_of_a_column_name_the_sets_training_first(folder):
    by_values = divided(folder, split="column")
    assert (by_values.column, by_values.values, by_values.how) == ("set", ("train", "valid"), "two")
    turned = divided(folder, split="column", split_by="set", split_values=("valid", "train"))
    assert turned.values == ("valid", "train")


def test_a_column_whose_values_are_called_like_sets_is_offered_first(folder):
    """Another column of three values, with gaps, would be first by its number of values."""
    frame = rows().drop(columns="set").assign(plan=["a", "b", "c", None] * (ROWS // 4))
    frame.assign(used=["training", "test"] * (ROWS // 2)).to_parquet(folder / "one.parquet", index=False)
    found = divided(folder, split="column")
    assert (found.column, found.values) == ("used", ("training", "test"))


def test_a_column_that_names_no_sets_is_refused(folder):
    with pytest.raises(ex.InputError, match="does not have two or three values"):
        divided(folder, split="column", split_by="x")


def connected(folder):
    table = allowed.find("shared/one.parquet")
    return Connected(table, table.version(), preview(table.path))


def wanted(target="y"):
    return Wanted(target, None, (), "", Division())


def test_sessions_share_a_working_table_which_the_last_one_closes(folder, monkeypatch):
    closed = []
    monkeypatch.setattr(opened, "_close", closed.extend)
    registry, table = Registry(), connected(folder)
    first = registry.use(table, wanted(), "ann")
    assert registry.use(table, wanted(), "bob") is first
    registry.leave("ann")
    assert closed == []
    registry.leave("bob")
    assert closed == [first]
    assert len(registry) == 0


def test_a_session_keeps_the_working_tables_that_it_used_last(folder, monkeypatch):
    closed = []
    monkeypatch.setattr(opened, "_close", closed.extend)
    registry, table = Registry(), connected(folder)
    made = [registry.use(table, wanted(target), "ann") for target in ("y", "x", "set")]
    assert closed == made[:1]
    assert registry.use(table, wanted("set"), "ann") is made[2]


def test_a_table_that_was_written_again_has_another_version(folder):
    before = connected(folder)
    assert connected(folder).key == before.key
    rows(10).to_parquet(folder / "one.parquet", index=False)
    assert connected(folder).key != before.key


def test_an_estimate_grows_in_a_line_with_the_rows():
    flat = [(10_000, 1.0, 0.1, 1e6), (40_000, 1.0, 0.1, 4e6)]
    steep = [(10_000, 1.0, 0.1, 1e6), (40_000, 1.6, 0.1, 4e6)]
    once, twice = (estimate.extrapolated(steep, n) for n in (1_000_000, 2_000_000))
    assert once.n_bytes == 1e8
    assert twice.seconds > once.seconds > estimate.extrapolated(flat[:1], 10_000).seconds
