"""What Spark counts equals what plain numpy counts, and a connected DataFrame fails in words and leaves nothing."""

import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import date, datetime
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

import explorer as ex
from explorer.sources.blocks import worker_coding
from explorer.sources.counting import Coding
from explorer.sources.origins.spark_passes import by_value
from explorer.sources.query_steps import stoppable
from explorer.sources.routing import Routing
from tests.oracles.bridge import assert_same_tree
from tests.oracles.connected import assert_same as assert_same_but_for_sums
from tests.oracles.counted_tables import COUNTED, mixed_frame
from tests.oracles.counting_engine import same_data
from tests.oracles.engine_checks import FEATURES, assert_counts_like_numpy, assert_same, random_frame
from tests.oracles.spark import JobCount, new_session

pytest.importorskip("pyspark", reason="pyspark is not installed")
pytestmark = [
    pytest.mark.slow,  # a session takes seconds to start, and a query tenths of a second
    pytest.mark.skipif(shutil.which("java") is None, reason="Spark needs Java"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::ResourceWarning"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("tables")


def in_spark(spark, folder, frame: pd.DataFrame, name: str):
    """The frame as a Parquet file that Spark reads."""
    frame.to_parquet(folder / f"{name}.parquet")
    return spark.read.parquet(str(folder / f"{name}.parquet"))


@pytest.mark.parametrize(
    ("seed", "n", "n_tests", "is_regression", "weighted"),
    [(2, 60, 4, False, True), (3, 120, 6, True, False)],
)
def test_every_method_equals_plain_numpy(spark, folder, seed, n, n_tests, is_regression, weighted):
    frame = random_frame(seed, n, is_regression, weighted)
    weights = "w" if weighted else None
    source = ex.connect(
        in_spark(spark, folder, frame, f"t{seed}"),
        "y",
        features=FEATURES,
        weights=weights,
        bins=4,
        codes_per_bin=3,
        kinds={"y": "numeric"} if is_regression else None,
    )
    assert_counts_like_numpy(source, frame, weights, seed, n_tests)
    source.close()


@pytest.mark.parametrize(
    ("seed", "recipe", "missing", "rows_in_memory"),
    [
        (3, ex.CART.replace(max_depth=3), 0.0, 0),
        (5, ex.C45.replace(max_depth=2, missing="own_branch"), 0.15, 0),
        (8, ex.CART.replace(missing="most_common"), 0.15, 20),
    ],
    ids=["cart", "c45", "fetched"],
)
def test_trees_from_spark_duckdb_and_memory_are_equal_bit_for_bit(spark, folder, seed, recipe, missing, rows_in_memory):
    frame = mixed_frame(seed, missing=missing)
    expected = ex.grow(same_data(frame, "goal"), recipe)
    name, tuning = f"mixed{seed}", {**COUNTED, "rows_in_memory": rows_in_memory}
    for table in (in_spark(spark, folder, frame, name), folder / f"{name}.parquet"):
        source = ex.connect(table, "goal", **tuning)
        assert_same_tree(ex.grow(source, recipe), expected)
        source.close()


@pytest.mark.parametrize(
    ("regression", "changes"),
    [(True, {"missing": "default_direction"}), (False, {"missing": "own_branch", "categorical": "one_vs_rest"})],
    ids=["numbers", "classes"],
)
def test_trees_of_weighted_rows_are_those_of_duckdb_and_memory(spark, folder, regression, changes):
    frame = mixed_frame(9, missing=0.15, regression=regression).assign(weight=np.arange(150) % 4 / 4 + 0.25)
    recipe = ex.CART.replace(max_depth=3, **changes)
    expected = ex.grow(same_data(frame, "goal", "weight"), recipe)
    assert expected.n_leaves > 4
    name = f"weighted{regression}"
    for table in (in_spark(spark, folder, frame, name), folder / f"{name}.parquet"):
        source = ex.connect(table, "goal", weights="weight", **{**COUNTED, "rows_in_memory": 0})
        assert_same_but_for_sums(ex.grow(source, recipe), expected)
        source.close()


def test_a_key_divides_the_rows_as_in_duckdb(spark, folder):
    frame = mixed_frame(4, n=60).assign(key=[f"k{i // 2}" for i in range(60)], goal=list("pqr") * 20)
    parts = []
    for table in (in_spark(spark, folder, frame, "keyed"), folder / "keyed.parquet"):
        whole = ex.connect(table, "goal")
        train, valid = whole.split(0.7, key="key", seed=3)
        parts.append([part.engine.targets(part.routing, [0])[0].counts.tolist() for part in (train, valid)])
        whole.close()
    assert parts[0] == parts[1]
    assert np.sum(parts[0]) == 60


def hostile_frame() -> pd.DataFrame:
    """Names and types that need care, 40 rows."""
    rng = np.random.default_rng(7)
    n = 40
    return pd.DataFrame(
        {
            "a`b": rng.normal(size=n),
            'c"; DROP VIEW origin; --': rng.integers(0, 5, n),
            "d.e": rng.choice(["x", "NA", "?", " x ", None], n),
            "work": [Decimal(int(k)) / 4 for k in rng.integers(0, 9, n)],
            "node": [2**53 + int(k) for k in rng.integers(0, 3, n)],
            "day": [date(2020, 1, 1 + int(k)) for k in rng.integers(0, 9, n)],
            "at": [datetime(2020, 1, 1, int(k)) for k in rng.integers(0, 9, n)],
            "flag": rng.choice([True, False], n),
            "single": rng.normal(size=n).astype(np.float32),
            "list": [[1, 2]] * n,
            "constant": 1.0,
            "row": np.arange(n),
            "part": rng.choice([0.0, -0.0, np.nan, 3.5], n),
            "class": rng.choice(["no", "yes", "NA", None], n),
        }
    )


def test_the_layout_of_a_hostile_table_is_that_of_duckdb(spark, folder):
    frame = hostile_frame()
    in_spark_ = ex.connect(in_spark(spark, folder, frame, "hostile"), "class", bins=4)
    in_duckdb = ex.connect(folder / "hostile.parquet", "class", bins=4)
    one, other = in_duckdb.layout, in_spark_.layout
    assert [(c.feature.name, c.feature.kind, c.feature.categories) for c in one.columns] == [
        (c.feature.name, c.feature.kind, c.feature.categories) for c in other.columns
    ]
    assert (one.target.categories, one.n_rows) == (other.target.categories, other.n_rows)
    notes = [note.text.replace("array<bigint>", "BIGINT[]") for note in in_spark_.notes]
    assert notes == [note.text for note in in_duckdb.notes]
    for a, b in zip(one.columns, other.columns, strict=True):
        assert (a.n_missing, a.n_distinct) == (b.n_missing, b.n_distinct)
        np.testing.assert_array_equal(a.edges, b.edges)
        np.testing.assert_array_equal(a.bin_starts, b.bin_starts)
        np.testing.assert_array_equal(a.only_value, b.only_value)
    codings = [Coding(i) for i in range(len(one.columns))]
    assert_same(in_spark_.engine.bins(Routing(), [0], codings), in_duckdb.engine.bins(Routing(), [0], codings))
    in_duckdb.close()
    in_spark_.close()


def test_names_that_differ_by_case_only(spark):
    rows = [(1.0, 5.0, "k", "u"), (2.0, 5.5, "l", "v"), (2.0, 6.0, "l", "u"), (3.0, 6.0, "k", "u")]
    frame = spark.createDataFrame(rows, ["x", "X", "y", ""])
    source = ex.connect(frame, "y", features=["x", "X", ""])
    cells = [column.tolist() for column in source.engine.rows(Routing(), [0])[0].columns]
    assert sorted(zip(*cells, strict=True)) == [
        (1.0, 5.0, 0), (2.0, 5.5, 1), (2.0, 6.0, 0), (3.0, 6.0, 0)
    ]  # fmt: skip
    source.close()


def test_text_is_read_as_numbers_where_that_is_asked(spark):
    rows = [("1.5", "k"), (" 2 ", "l"), ("?", "l"), (None, "k"), ("1e2", "k")]
    source = ex.connect(spark.createDataFrame(rows, "x string, y string"), "y", kinds={"x": "numeric"})
    assert source.layout.columns[0].n_missing == 2
    values, counts = source.engine.values(Routing(), {(0, 0): np.arange(source.layout.columns[0].n_codes)})[0, 0]
    assert values.tolist() == [1.5, 2.0, 100.0]
    assert counts.tolist() == [[1, 0], [0, 1], [1, 0]]
    source.close()
    text = ex.connect(spark.createDataFrame([("two", "k"), ("2", "l")], "x string, y string"), "y",
                      kinds={"x": "numeric"})  # fmt: skip
    with pytest.raises(ex.ColumnError, match="'two'"):
        _ = text.layout
    text.close()


def test_an_infinite_number_is_refused_by_name(spark):
    rows = [(1.0, "k"), (float("inf"), "l"), (2.0, "l")]
    with pytest.raises(ex.ColumnError, match="'x' has an infinite number"):
        _ = ex.connect(spark.createDataFrame(rows, "x double, y string"), "y").layout


def test_the_users_session_is_left_as_it_was(spark):
    spark.createDataFrame([(1,)], ["mine"]).createOrReplaceTempView("work")
    before = dict(spark.conf.getAll), sorted(table.name for table in spark.catalog.listTables())
    rows = spark.createDataFrame([(1.0, "k"), (2.0, "l"), (2.0, "k")], "x double, y string")
    source = ex.connect(rows, "y", rows_in_memory=0)
    assert source.layout.n_rows == 3
    assert spark.sparkContext._jsc.getPersistentRDDs()
    source.close()
    source.close()
    assert (dict(spark.conf.getAll), sorted(table.name for table in spark.catalog.listTables())) == before
    assert spark.table("work").columns == ["mine"]
    assert not spark.sparkContext._jsc.getPersistentRDDs()
    assert not spark.catalog.listTables("global_temp")[1:]
    spark.catalog.dropTempView("work")


def test_stop_cancels_the_jobs(spark):
    """A join of 10¹⁴ rows: without that its job would outlast any wait."""
    slow = spark.sql("SELECT CAST(a.id AS DOUBLE) AS x, IF(a.id < b.id + a.id * 3, 'k', 'l') AS y "
                     "FROM range(10000000) AS a JOIN range(10000000) AS b ON a.id < b.id + a.id * 3")  # fmt: skip
    source, start, jobs = ex.connect(slow, "y"), time.monotonic(), spark.sparkContext.statusTracker()

    def check() -> None:
        if time.monotonic() > start + 3:
            raise ex.Stopped("enough")

    with stoppable(check), pytest.raises(ex.Stopped):
        _ = source.layout
    for _ in range(600):
        if not jobs.getActiveJobsIds():
            break
        time.sleep(0.1)
    assert jobs.getActiveJobsIds() == []
    source.close()
    assert spark.range(3).count() == 3


def test_a_thread_that_stops_does_not_end_the_query_of_another(spark, folder):
    frame = pd.DataFrame({"x": [1.0, 2.0, 3.0], "y": ["a", "b", "a"]})
    source = ex.connect(in_spark(spark, folder, frame, "shared"), "y")
    run = source.workspace.origin.reader.run
    slow = "SELECT COUNT(*) AS n FROM range(10000000) WHERE sha2(CAST(id AS STRING), 256) LIKE 'ffff%'"

    def stop_soon() -> None:
        end = time.monotonic() + 0.3

        def check() -> None:
            if time.monotonic() > end:
                raise ex.Stopped("enough")

        with stoppable(check), pytest.raises(ex.Stopped):
            run(str, slow)

    with ThreadPoolExecutor(2) as pool:
        stopped, other = pool.submit(stop_soon), pool.submit(run, str, slow)
        stopped.result()
        assert not other.done(), "both were running"
        assert other.result().num_rows == 1
    source.close()


def test_the_fingerprint_notices_files_written_again(spark, folder):
    frame = pd.DataFrame({"x": [1.0, 2.0, 3.0], "y": ["a", "b", "a"]})
    source = ex.connect(in_spark(spark, folder, frame, "again"), "y")
    origin = source.workspace.origin
    first = origin.fingerprint()
    assert origin.fingerprint() == first
    time.sleep(0.02)
    frame.iloc[:2].to_parquet(folder / "again.parquet")
    assert origin.fingerprint() != first
    (folder / "again.parquet").unlink()
    with pytest.raises(ex.SourceChangedError, match="is gone"):
        origin.fingerprint()
    source.close()


def test_a_stopped_session_is_told_in_words_and_the_next_one_works(spark):
    rows = [(1.0, "k"), (2.0, "l"), (2.0, "k")]
    source = ex.connect(spark.createDataFrame(rows, "x double, y string"), "y", rows_in_memory=0)
    assert source.layout.n_rows == 3
    spark.stop()
    with pytest.raises(ex.EngineError, match="was stopped"):
        source.engine.targets(Routing(), [0])
    source.close()
    source = ex.connect(new_session().createDataFrame(rows, "x double, y string"), "y", rows_in_memory=0)
    assert ex.grow(source, ex.CART).n_leaves == 2
    source.close()


def test_a_failed_job_is_told_in_words(spark):
    failing = spark.sql(
        "SELECT CAST(id AS DOUBLE) AS x, assert_true(id < 3) AS e, IF(id > 1, 'a', 'b') AS y FROM range(9)"
    )
    with pytest.raises(ex.EngineError, match="Spark could not finish a query"):
        _ = ex.connect(failing, "y").layout


def test_workers_need_numpy_and_pyarrow_but_not_this_package():
    from pyspark.serializers import CloudPickleSerializer

    sent = CloudPickleSerializer().dumps(by_value(worker_coding).encode)
    assert b"numpy" in sent
    alone = "import pickle, sys; encode = pickle.loads(sys.stdin.buffer.read()); print(len(list(encode([], [], int))))"
    done = subprocess.run([sys.executable, "-I", "-c", alone], input=sent, capture_output=True, check=True, timeout=60)
    assert done.stdout.strip() == b"1"


OF_CODING = 10
"""Jobs that code a mixed frame: one takes a sample, one codes, and four queries group rows, by two jobs each."""


@pytest.mark.parametrize("regression", [False, True], ids=["classes", "numbers"])
def test_a_level_takes_two_jobs_at_most_and_small_nodes_one_in_all(spark, folder, regression):
    """Levels 0 to 2 have nodes of more than 20 rows, and those below are fetched."""
    frame = mixed_frame(6, n=300, missing=0.1, regression=regression)
    source = ex.connect(in_spark(spark, folder, frame, f"jobs{regression}"), "goal", bins=8, rows_in_memory=20)
    jobs, recipe = JobCount(spark), ex.CART.replace(max_depth=6, missing="most_common")
    assert source.layout.n_rows == 300
    assert jobs() <= OF_CODING
    reports = {}
    tree = ex.grow(source.watched_by(lambda report: reports.update({report.depth: report})), recipe)
    counted = sum(report.nodes > 0 for report in reports.values())
    assert counted >= 3
    assert any(report.fetched for report in reports.values())
    assert jobs() <= 2 * counted + 2
    small = np.flatnonzero((tree.weight <= 20) & (tree.feature >= 0))
    ex.decide(tree, source, int(small[0]))
    assert jobs() == 0, "its rows are here"
    source.close()


def test_a_small_table_is_fetched_when_it_is_coded(spark, folder):
    source = ex.connect(in_spark(spark, folder, mixed_frame(6, n=300), "little"), "goal")
    jobs = JobCount(spark)
    assert source.layout.n_rows == 300
    assert jobs() <= OF_CODING
    tree = ex.grow(source, ex.CART)
    ex.decide(tree, source, 0)
    ex.cost_complexity_path(tree).curve(source)
    assert jobs() == 0
    assert not spark.sparkContext._jsc.getPersistentRDDs()
    source.close()
