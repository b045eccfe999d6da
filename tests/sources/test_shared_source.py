"""Sessions of a server share a source: they count at the same time, encode once, and each stops on its own."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import pytest

import explorer as ex
from explorer.data.codes.feature import Feature
from explorer.growing.from_counts.training_table import training_table
from explorer.sources.counting import Coding, Layout
from explorer.sources.query_steps import stoppable
from explorer.sources.source import Selection, Tuning, WorkingTable, Workspace

N = 50_000
ENDLESS = "SELECT SUM(one.range * two.range) AS n FROM range(10_000_000) AS one, range(10_000_000) AS two"


@pytest.fixture(scope="module")
def source(tmp_path_factory) -> ex.Source:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"x": rng.normal(size=N), "z": rng.normal(size=N), "y": rng.choice(["no", "yes"], N)})
    path = tmp_path_factory.mktemp("tables") / "table.parquet"
    frame.to_parquet(path)
    source = ex.connect(path, "y", engine="duckdb")
    yield source
    source.close()


def counts(source: ex.Source) -> np.ndarray:
    return source.engine.bins(source.routing, [0], [Coding(0), Coding(1)])[0, 1]


def test_threads_count_at_the_same_time(source):
    expected = counts(source)
    with ThreadPoolExecutor(3) as pool:
        for found in pool.map(lambda _: counts(source), range(12)):
            assert np.array_equal(found, expected)


def test_a_thread_that_stops_does_not_end_the_queries_of_another(source):
    expected = counts(source)

    def stop_soon() -> None:
        for _ in range(10):
            with stoppable(raises_after(0.02)), pytest.raises(ex.Stopped):
                source.engine.run(lambda: "Count for longer than anyone waits", ENDLESS)

    with ThreadPoolExecutor(1) as pool:
        stops = pool.submit(stop_soon)
        while not stops.done():
            assert np.array_equal(counts(source), expected)
        stops.result()


def raises_after(seconds: float) -> Callable[[], None]:
    start = time.monotonic()

    def check() -> None:
        if time.monotonic() - start > seconds:
            raise ex.Stopped("stopped")

    return check


class SlowOrigin:
    """An origin that takes a while, and counts how often it is asked."""

    name = "slow"

    def __init__(self) -> None:
        self.n_prepared = 0

    def prepare(self, selection: Selection, tuning: Tuning, progress: object = None) -> WorkingTable:
        self.n_prepared += 1
        time.sleep(0.1)
        return WorkingTable(Layout(Feature("y", "categorical"), (), 0), None)

    def fingerprint(self) -> str:
        return "always the same"

    def close(self) -> None:
        """Nothing is kept."""


def test_a_table_that_two_threads_need_at_once_is_encoded_once():
    origin = SlowOrigin()
    workspace = Workspace(origin, Selection("y"), Tuning())
    start = threading.Barrier(3)

    def needed(i: int) -> WorkingTable:
        start.wait()
        return workspace.prepared() if i else workspace.table

    with ThreadPoolExecutor(3) as pool:
        found = list(pool.map(needed, range(3)))
    assert origin.n_prepared == 1
    assert all(table is found[0] for table in found)


class ClearedByAnother(dict):
    """Facts that another session replaces as soon as they are noted."""

    def __setitem__(self, key, value):
        super().__setitem__(key, value)
        self.clear()


def test_another_recipe_of_another_session_does_not_take_the_facts_away(source, monkeypatch):
    monkeypatch.setattr(source.workspace, "facts", ClearedByAnother())
    table = training_table(source, ex.Recipe(), False)
    assert table.root.n_rows == N
