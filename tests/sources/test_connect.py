"""`ex.connect` on files and databases: the kinds and values of a table in memory, clear refusals, no file left."""

import datetime
import gc
import os
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import parquet

import explorer as ex
from explorer.explaining.row_form import inputs
from explorer.sources.origins.duckdb_session import DuckSession
from explorer.sources.origins.preview import preview
from explorer.sources.query_steps import stoppable
from explorer.sources.work_folder import PREFIX, new_work_folder
from tests.folders import ROOT
from tests.oracles.splits import part_of_key

N = 40


@pytest.fixture(autouse=True)
def temporary(tmp_path, monkeypatch) -> Path:
    """An own folder for temporary files."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.fixture
def frame() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "number": rng.normal(size=N),
            "whole": rng.integers(0, 5, N),
            "word": rng.choice(["b", " a ", "?", "c"], N),
            "truth": rng.random(N) < 0.5,
            "day": pd.to_datetime("2020-01-01") + pd.to_timedelta(rng.integers(0, 900, N), unit="h"),
            "y": rng.choice(["no", "yes"], N),
        }
    )


def written(folder: Path, frame: pd.DataFrame, name: str = "table.parquet") -> Path:
    frame.to_parquet(folder / name, index=False)
    return folder / name


def same_in_memory(source: ex.Source, frame: pd.DataFrame, **options) -> ex.Dataset:
    """The Dataset with the same features and the source's order of categories and classes."""
    kinds = {f.name: list(f.categories) for f in (source.target, *source.features) if f.categories}
    kinds |= {f.name: "numeric" for f in (source.target, *source.features) if not f.categories}
    names = [feature.name for feature in source.features]
    return ex.Dataset.from_frame(frame, source.target.name, features=names, kinds=kinds, **options)


def assert_same_cells(source: ex.Source, data: ex.Dataset) -> None:
    """All rows of the source are those of the Dataset, whatever their order."""
    block = source.engine.rows(source.routing, [0])[0]
    coded = zip(data.features, data.codes, strict=True)
    expected = [np.append(f.values, np.nan)[c] if f.kind == "numeric" else c for f, c in coded]
    rows = np.stack([*block.columns, block.y], axis=1).astype(float)
    wanted = np.stack([*expected, data.y], axis=1).astype(float)
    assert sorted(map(tuple, np.nan_to_num(rows, nan=-1e9))) == sorted(map(tuple, np.nan_to_num(wanted, nan=-1e9)))


@pytest.mark.parametrize("ending", ["parquet", "csv", "duckdb"])
def test_every_origin_has_the_cells_of_the_table_in_memory(tmp_path, frame, ending):
    path = tmp_path / f"table.{ending}"
    if ending == "parquet":
        frame.to_parquet(path, index=False)
    elif ending == "csv":
        frame.to_csv(path, index=False)
    else:
        with duckdb.connect(str(path)) as database:
            database.register("given", frame)
            database.execute("CREATE TABLE t AS FROM given")
    kinds = {"day": "numeric"} if ending == "csv" else {}  # dates of a text file are text
    source = ex.connect(path, "y", kinds=kinds, bins=4, codes_per_bin=4)
    assert [feature.kind for feature in source.features] == [
        "numeric",
        "numeric",
        "categorical",
        "categorical",
        "numeric",
    ]
    assert source.features[2].categories == (("a", "b", "c") if ending == "csv" else ("?", "a", "b", "c"))
    assert source.features[3].categories == (("False", "True") if ending == "csv" else (False, True))
    assert source.classes == ("no", "yes")
    assert_same_cells(source, same_in_memory(source, frame))
    source.close()


def test_levels_keep_their_order_though_the_first_rows_of_a_file_are_none(tmp_path):
    sizes = pd.Categorical(["small", "large", "small"], ["small", "large"], ordered=True)
    table = pa.Table.from_pandas(pd.DataFrame({"size": sizes, "y": ["a", "b", "a"]}), preserve_index=False)
    with parquet.ParquetWriter(tmp_path / "t.parquet", table.schema) as file:
        file.write_table(table.slice(0, 0))  # a row group of no rows, as a filter may leave
        file.write_table(table)
    source = ex.connect(tmp_path / "t.parquet", "y")
    assert source.features[0].categories == ("small", "large")
    source.close()


def test_numbers_as_categories_and_text_as_numbers(tmp_path, frame):
    frame["digits"] = frame["whole"].map(lambda n: f" {n}.5 ")
    file = written(tmp_path, frame)
    source = ex.connect(file, "y", kinds={"whole": "categorical", "digits": "numeric", "word": ["c", "b", "a"]})
    kinds = {feature.name: (feature.kind, feature.categories) for feature in source.features}
    assert kinds["whole"] == ("categorical", tuple(range(5)))
    assert kinds["digits"] == ("numeric", ())
    assert kinds["word"] == ("categorical", ("c", "b", "a"))
    assert_same_cells(source, same_in_memory(source, frame))
    source.close()
    with pytest.raises(ex.ColumnError, match=r"'word' has a value that is not a number: 'a'|'b'|'c'"):
        _ = ex.connect(file, "y", kinds={"word": "numeric"}).layout
    with pytest.raises(ex.ColumnError, match="'word' has 'c', not in the order given"):
        _ = ex.connect(file, "y", kinds={"word": ["a", "b"]}).layout


def test_dates_are_days_and_decimals_are_doubles(tmp_path):
    days = [datetime.date(1970, 1, 1), datetime.date(1969, 12, 31), None, datetime.date(2020, 2, 29)]
    prices = [Decimal("0.10"), Decimal("12.30"), Decimal("0.10"), None]
    frame = pd.DataFrame({"day": days, "price": prices, "y": [0, 1, 0, 1]})
    source = ex.connect(written(tmp_path, frame), "y", features=["day", "price"])
    block = source.engine.rows(source.routing, [0])[0]
    assert source.classes == (0, 1)
    assert sorted(np.nan_to_num(block.columns[0], nan=9e9)) == [-1.0, 0.0, 18321.0, 9e9]
    assert sorted(np.nan_to_num(block.columns[1], nan=9e9)) == [0.1, 0.1, 12.3, 9e9]
    source.close()


@pytest.mark.parametrize("engine", ["mapped", "duckdb"])
def test_rows_of_a_sample_have_dates_where_the_table_has(tmp_path, engine):
    days = [datetime.date(1969, 12, 31), datetime.date(2020, 2, 29), None, datetime.date(2024, 5, 6)]
    moments = pd.to_datetime(
        ["1969-12-31 23:59:59.999999", None, "2020-02-29 12:34:56.789012", "2024-05-06 00:00:00.000001"]
    )
    frame = pd.DataFrame({"day": days, "at": moments, "number": [3.0, 1.0, 2.0, 4.0], "y": ["a", "b", "a", "b"]})
    source = ex.connect(written(tmp_path, frame), "y", features=["day", "at", "number"], engine=engine)
    sample = source.sample()
    rows = sample.frame.sort_values("number")
    expected = frame.sort_values("number")
    for name in ("day", "at"):
        stamps = pd.to_datetime(expected[name]).astype("datetime64[us]")
        assert rows[name].astype(object).tolist() == stamps.astype(object).tolist()
    assert rows["number"].tolist() == [1.0, 2.0, 3.0, 4.0]
    tree = ex.grow(sample, ex.ID3.replace(numeric="threshold"))
    since = [field.scale.to_plain().get("days_since", "") for field in inputs(tree, sample)]
    assert since == ["1970-01-01", "1970-01-01 00:00", ""], "the moments have times of day"
    again = ex.Dataset.from_frame(sample.frame, "y", features=["day", "at", "number"])
    for own, other in zip(again.features, sample.features, strict=True):
        assert own.values.tolist() == other.values.tolist()
    source.close()


def test_rows_without_target_or_weight_are_left_out_with_a_note(tmp_path, frame):
    frame.loc[:4, "y"], frame["w"] = None, 1.5
    frame.loc[5:7, "w"] = 0.0
    source = ex.connect(written(tmp_path, frame), "y", weights="w")
    assert source.n_rows == N - 8
    notes = " ".join(note.text for note in source.notes)
    assert "5 rows have no value of the target 'y'" in notes
    assert "3 rows have weight 0" in notes
    assert_same_cells(source, same_in_memory(source, frame, weights="w"))
    source.close()
    frame.loc[9, "w"] = -1.0
    with pytest.raises(ex.ColumnError, match=r"'w'.*negative"):
        _ = ex.connect(written(tmp_path, frame), "y", weights="w").layout


def test_columns_that_a_table_in_memory_leaves_out_are_left_out(tmp_path, frame):
    frame = frame.assign(
        row=np.arange(N),
        real=np.arange(N) + 2.0,
        half=np.arange(N) + 0.5,
        key=[f"k{i}" for i in range(N)],
        same=1,
        rownames=(np.arange(N) + N // 2) % N,
        case=np.where(np.arange(N) % 3, "Train", "Test"),
        shuffled=np.arange(N)[::-1],
    )
    source = ex.connect(written(tmp_path, frame), "y")
    data = ex.Dataset.from_frame(frame.drop(columns="day").assign(day=frame["day"]), "y")
    assert {f.name for f in source.features} == {f.name for f in data.features}
    assert {"real", "half", "case", "rownames"} & {f.name for f in source.features} == {"half"}
    assert any("'row' is id-like" in note.text and "'same' is constant" in note.text for note in source.notes)
    source.close()


def test_without_a_target_only_the_columns_are_known(tmp_path, frame):
    frame.loc[:3, "number"] = np.nan
    source = ex.connect(written(tmp_path, frame))
    facts = source.workspace.origin.reader.facts
    assert (facts["number"].kind, facts["number"].n_missing, facts["word"].kind) == ("numeric", 4, "categorical")
    assert facts["y"].n_distinct == 2
    with pytest.raises(ex.InputError, match=r"target=.*number, whole"):
        _ = source.layout
    source.close()


@pytest.mark.parametrize("n_rows", [5000, 20_000])
def test_estimates_of_different_values_do_not_exceed_the_rows(tmp_path, n_rows):
    # DuckDB 2.0.1 estimates 5,050 different values in 5,000 rows
    file = tmp_path / "t.parquet"
    pd.DataFrame({"x": np.arange(n_rows) * 7 + 1, "y": np.arange(n_rows) % 2}).to_parquet(file)
    assert preview(str(file), n_rows=100).n_distinct["x"] <= n_rows
    source = ex.connect(file, target="y", features=["x"])
    assert source.workspace.origin.reader.n_distinct("x") <= n_rows
    source.close()


def test_a_hostile_name_value_and_file_do_nothing(tmp_path, frame):
    name, value = 'x"; DROP TABLE work; --', "'); DROP VIEW origin; --"
    frame[name] = np.where(frame["truth"], value, 'b"')
    frame["y"] = np.where(frame["y"] == "no", value, None)
    frame.loc[::3, "y"] = "N/A"
    frame.loc[1::3, "y"] = "it's"
    folder = tmp_path / "it's [a] *; --"
    folder.mkdir()
    source = ex.connect(written(folder, frame), "y", features=[name, "number"])
    assert source.features[0].categories == (value, 'b"')
    assert value in source.classes
    assert_same_cells(source, same_in_memory(source, frame))
    source.close()


@pytest.mark.parametrize(
    ("origin", "options", "words"),
    [
        ("nowhere.parquet", {}, "There is no file"),
        ("*.pq", {}, "There is no file"),
        (".", {}, r"is a folder.*\*\.parquet"),
        ("t.xlsx", {}, "none of the endings"),
        ("t.parquet", {"table": "t"}, "leave out table="),
        ("broken.parquet", {}, "broken.parquet.*cannot be read"),
        ("two.duckdb", {}, "Name a table.*one, view, s.two"),
        ("two.duckdb", {"table": "three"}, "no table 'three'.*one, view, s.two"),
        ("broken.duckdb", {"table": "t"}, "broken.duckdb.*cannot be read"),
        ("t.parquet", {"target": "yy"}, "did you mean 'y'"),
        ("t.parquet", {"features": ["y"]}, "target and a feature"),
        ("t.parquet", {"kinds": {"x": "text"}}, "use 'numeric'"),
    ],
)
def test_what_cannot_be_connected_is_refused_by_name(tmp_path, origin, options, words):
    written(tmp_path, pd.DataFrame({"x": [1.0, 2.0], "y": ["a", "b"]}), "t.parquet")
    (tmp_path / "t.xlsx").write_bytes(b"PK")
    (tmp_path / "broken.parquet").write_bytes(b"PAR1 no PAR1")
    (tmp_path / "broken.duckdb").write_bytes(b"no database" * 100)
    with duckdb.connect(str(tmp_path / "two.duckdb")) as database:
        database.execute("CREATE TABLE one (x INT); CREATE SCHEMA s; CREATE TABLE s.two (y INT)")
        database.execute("CREATE VIEW view AS FROM one")
    with pytest.raises(ex.InputError, match=words):
        _ = ex.connect(tmp_path / origin, **{"target": "y", **options}).layout


@pytest.mark.parametrize("options", [{"bins": 1}, {"bins": 2.5}, {"codes_per_bin": 0}, {"rows_in_memory": "many"}])
def test_sizes_that_no_table_can_be_encoded_by_are_refused(tmp_path, frame, options):
    with pytest.raises(ex.InputError, match=f"{next(iter(options))} is .*: give a whole number from"):
        ex.connect(written(tmp_path, frame), "y", **options)


def test_something_that_is_no_table_is_refused():
    with pytest.raises(ex.InputError, match=r"A dict cannot be connected.*Dataset\.from_frame"):
        ex.connect({})


def test_files_of_different_types_are_refused_and_different_numbers_are_not(tmp_path):
    for i, x in enumerate([[1, 2], [3, 4], [0.5, 1.5]]):
        written(tmp_path, pd.DataFrame({"x": x, "y": ["a", "b"]}), f"{i}.parquet")
    source = ex.connect(tmp_path / "*.parquet", "y")
    assert sorted(source.engine.rows(source.routing, [0])[0].columns[0]) == [0.5, 1.0, 1.5, 2.0, 3.0, 4.0]
    source.close()
    written(tmp_path, pd.DataFrame({"x": ["1", "2"], "y": ["a", "b"]}), "2.parquet")
    with pytest.raises(ex.ColumnError, match=r"'x' is of type (large_)?string in '2\.parquet', but of type int64"):
        ex.connect(tmp_path / "*.parquet", "y")


def test_nothing_is_left_when_a_source_is_closed_forgotten_or_stopped(tmp_path, temporary, frame):
    file = written(tmp_path, frame)
    source = ex.connect(file, "y")
    assert source.layout.n_rows == N
    assert len(list(temporary.iterdir())) == 1
    source.close()
    source.close()
    assert list(temporary.iterdir()) == []
    with pytest.raises(ex.EngineError, match="closed"):
        source.engine.targets(source.routing, [0])
    source = ex.connect(file, "y")
    assert source.layout.n_rows == N
    del source
    gc.collect()
    assert list(temporary.iterdir()) == []

    def stop(*_: int) -> None:
        raise ex.Stopped

    source = ex.connect(file, "y")
    with pytest.raises(ex.Stopped):
        source.workspace.prepared(stop)
    assert list(temporary.iterdir()) == []
    assert source.layout.n_rows == N, "it can be connected again"
    source.close()


def test_nothing_is_left_of_a_first_look_that_was_stopped(tmp_path, temporary, frame):
    file = tmp_path / "table.csv"
    frame.to_csv(file, index=False)
    source = ex.connect(file, "y")

    def stop_once_imported() -> None:
        if any(step.sql.startswith("CREATE TABLE imported") for step in source.steps[n_steps:]):
            raise ex.Stopped

    assert source.steps == ()
    for _ in range(2):
        n_steps = len(source.steps)
        with stoppable(stop_once_imported), pytest.raises(ex.Stopped):
            source.workspace.prepared()
        assert list(temporary.iterdir()) == []
    assert source.layout.n_rows == N
    source.close()


def test_folders_of_killed_processes_are_removed(temporary):
    code = "from explorer.sources.work_folder import new_work_folder; print(new_work_folder())"
    environment = {**os.environ, "TMPDIR": str(temporary)}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    left = Path(done.stdout.strip())
    assert left.is_dir()
    assert left.name.startswith(PREFIX)
    own = new_work_folder()
    assert not left.exists()
    assert new_work_folder() != own
    assert own.is_dir()


def test_a_query_stops_soon(tmp_path, frame):
    source = ex.connect(written(tmp_path, frame), "y", engine="duckdb")
    run = source.engine.run
    threads = threading.active_count()
    wish = time.perf_counter() + 0.3

    def check() -> None:
        if time.perf_counter() > wish:
            raise ex.Stopped

    with stoppable(check), pytest.raises(ex.Stopped):
        run(str, "SELECT SUM(a.range * b.range) FROM range(1000000000) a, range(1000000000) b")  # takes years
    assert source.engine.targets(source.routing, [0])[0].n_rows == N, "it goes on counting"
    assert threading.active_count() < threads + 10
    source.close()


def test_too_little_memory_for_a_query_is_said(tmp_path, frame):
    source = ex.connect(written(tmp_path, frame), "y", memory_limit="60MB", engine="duckdb")
    engine = source.engine
    with pytest.raises(ex.EngineError, match="larger memory_limit"):
        engine.run(str, "SELECT list(range) AS numbers FROM range(50000000)")
    assert engine.targets(source.routing, [0])[0].n_rows == N, "it goes on counting"
    source.close()


def test_a_query_that_needs_more_than_a_first_share_of_the_memory_gets_all():
    session = DuckSession([], memory_limit="900MB", threads=2)
    query = "SELECT len(list(range ORDER BY range DESC)) AS n FROM range(6000000)"
    with ThreadPoolExecutor(2) as pool:  # the second must not be told that it had all, while the first was given it
        tables = list(pool.map(lambda _: session.run(str, query), range(2)))
    assert [table["n"].to_pylist() for table in tables] == [[6_000_000]] * 2
    (limit,) = session.run(str, "SELECT current_setting('memory_limit') AS m")["m"].to_pylist()
    assert float(limit.removesuffix(" MiB")) > 850, "it keeps all from now on"
    session.shut()


def test_rows_read_by_one_thread_leave_all_threads_to_later_queries():
    session = DuckSession([], threads=2)
    first, second = (session.batches("SELECT range FROM range(10)", 4) for _ in range(2))
    assert next(first).num_rows + next(second).num_rows == 8
    assert session.run(str, "SELECT current_setting('threads') AS n").to_pylist() == [{"n": 1}]
    list(first)
    list(second)
    assert session.run(str, "SELECT current_setting('threads') AS n").to_pylist() == [{"n": 2}]
    session.shut()


def test_too_little_memory_to_read_a_text_file_is_said(tmp_path, frame):
    file = tmp_path / "table.csv"
    pd.DataFrame({"text": ["a long cell " * 1000] * 1000, "y": ["no", "yes"] * 500}).to_csv(file, index=False)
    source = ex.connect(file, "y", memory_limit="1MB")
    with pytest.raises(ex.EngineError, match="larger memory_limit"):
        _ = source.layout
    source.close()


def test_a_table_that_changed_or_went_is_said(tmp_path, frame):
    file = written(tmp_path, frame)
    source = ex.connect(file, "y")
    assert source.engine.targets(source.routing, [0])[0].n_rows == N
    os.utime(file, (1, 1))
    with pytest.raises(ex.SourceChangedError, match=r"has changed.*grow"):
        _ = source.engine
    file.unlink()
    with pytest.raises(ex.SourceChangedError, match="is gone"):
        _ = source.engine
    source.close()


def test_a_change_in_place_is_said_though_size_and_time_stamp_are_the_old_ones(tmp_path):
    file = tmp_path / "t.csv"
    file.write_text("x,y\n1,a\n2,b\n3,a\n")
    source, before = ex.connect(file, "y"), file.stat()
    assert source.n_rows == 3
    with file.open("r+") as opened:
        opened.write("x,y\n9")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert (file.stat().st_size, file.stat().st_mtime_ns) == (before.st_size, before.st_mtime_ns)
    with pytest.raises(ex.SourceChangedError, match="has changed"):
        _ = source.engine
    source.close()


@pytest.mark.parametrize("engine", ["mapped", "duckdb"])
def test_a_table_that_changed_before_it_is_divided_is_said(tmp_path, frame, engine):
    file = written(tmp_path, frame)
    source = ex.connect(file, "y", engine=engine)
    assert source.n_rows == N
    written(tmp_path, pd.concat([frame, frame]))
    with pytest.raises(ex.SourceChangedError, match=r"has changed.*connect it again"):
        source.split_by("truth")[0].layout  # noqa: B018 - it is encoded here
    source.close()


def test_parts_by_a_hash_follow_the_definition_and_those_by_a_column_its_values(tmp_path, frame):
    frame["key"] = [f"k{i // 2}" for i in range(N)]
    source = ex.connect(written(tmp_path, frame), "y", features=["number"])
    expected = [part_of_key(key, (0.5, 0.25), 3) for key in frame["key"]]
    parts = source.split(0.5, 0.25, key="key", seed=3)
    for part, rows in enumerate(parts):
        block = rows.engine.rows(rows.routing, [0])[0]
        wanted = frame["number"][[p == part for p in expected]]
        assert sorted(block.columns[0]) == sorted(wanted)
    first, second = source.split_by("truth")
    assert (first.layout.parts, first.n_rows, second.n_rows) == ((False, True), *np.bincount(frame["truth"]).tolist())
    source.close()


def test_every_step_is_noted_with_its_sql(tmp_path, frame):
    source = ex.connect(written(tmp_path, frame), "y", engine="duckdb")
    source.engine.targets(source.routing, [0])
    last = source.steps[-1]
    assert last.what == "Count the target at 1 node"
    assert last.sql.startswith("SELECT node, y, COUNT(*) AS n")
    assert last.rows == 2
    source.close()
