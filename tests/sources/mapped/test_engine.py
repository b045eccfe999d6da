from contextlib import contextmanager
from dataclasses import replace

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.errors import ColumnError, EngineError, Stopped
from explorer.sources.counting import Coding
from explorer.sources.encoding.column_codes import CategoryCoder, NumericCoder
from explorer.sources.encoding.encode_batch import NumberCoder
from explorer.sources.mapped.writer import TableWriter
from explorer.sources.query_steps import stoppable
from explorer.sources.routing import Routing
from explorer.sources.work_folder import new_work_folder, remove_work_folder
from tests.oracles.counting_engine import ArrayEngine, array_source
from tests.oracles.routings import open_nodes, random_routing


def frame_of(rng, rows: int, missing: float) -> pd.DataFrame:
    frame = pd.DataFrame(
        {
            "real": rng.normal(size=rows),
            "few": rng.integers(0, 6, rows) / 2.0,
            "heavy": np.where(rng.random(rows) < 0.6, 1.0, 10.0 ** rng.integers(-9, 9, rows)),
            "word": pd.Series(rng.choice(list("abcde"), rows), dtype=object),
            "name": pd.Series([f"n{i % 300:03d}" for i in rng.integers(0, 900, rows)], dtype=object),
        }
    )
    for name in frame.columns:
        frame.loc[rng.random(rows) < missing, name] = None
        frame.loc[0, name] = {"word": "a", "name": "n000"}.get(name, 1.0)
    frame["class"] = ["p", "q", *rng.choice(["p", "q", "r"], rows - 2)]
    frame["number"] = rng.normal(size=rows) * 10.0
    frame["weight"] = rng.choice([0.1, 0.7, 1.0, 2.5], rows)
    return frame


def oracle(seed: int, rows: int, target="class", weighted=False, missing=0.2, parts=None, **tuning) -> ArrayEngine:
    frame = frame_of(np.random.default_rng(seed), rows, missing)
    kept = ["real", "few", "heavy", "word", "name", target, *["weight"] * weighted]
    weights = "weight" if weighted else None
    return array_source(frame[kept], target, weights, parts, bins=4, codes_per_bin=3, **tuning).engine


def coder_of(layout):
    if layout.is_numeric:
        return NumericCoder(layout.feature.name, NumberCoder(layout.edges, layout.bin_starts))
    categories = layout.feature.categories
    return CategoryCoder(layout.feature, pa.array(categories), np.arange(len(categories)), 0)


def batches(engine: ArrayEngine, has_parts: bool, size: int):
    """Cells of the features, target, weights and parts, so many rows at a time."""
    data, frame = engine.data, engine.data.frame
    columns = [pa.array(frame[feature.name], from_pandas=True) for feature in data.features]
    for begin in range(0, data.n_rows, size):
        rows = slice(begin, begin + size)
        weights = None if data.weights is None else data.weights[rows]
        part = engine.part_of_row[rows] if has_parts else None
        yield [column[rows] for column in columns], data.y[rows], weights, part


def writer_of(peer: ArrayEngine, folder, has_parts=False, chunk=3) -> TableWriter:
    layout = peer.layout
    return TableWriter(
        folder, layout.target, [coder_of(column) for column in layout.columns], layout.has_weights, has_parts, chunk
    )


@contextmanager
def mapped(peer: ArrayEngine, has_parts=False, size=5, threads=2, chunk=3):
    """The same table in files."""
    folder = new_work_folder()
    try:
        writer = writer_of(peer, folder, has_parts, chunk)
        for batch in batches(peer, has_parts, size):
            writer.add(*batch)
        files = writer.finish([], lambda: remove_work_folder(folder), threads=threads)
        yield files
        files.close()
    finally:
        remove_work_folder(folder)


def equal(found, expected) -> bool:
    return len(found) == len(expected) and all(
        np.array_equal(mine, theirs) for mine, theirs in zip(found, expected, strict=True)
    )


def assert_same_counts(files, peer, routing, rng):
    """bins, fine and values of all nodes, equal to the last bit: both add the rows in their order."""
    nodes, layout = open_nodes(routing), peer.layout
    codings = [Coding(column) for column in range(len(layout.columns))]
    codings += [Coding(0, (-0.5, 0.1, 2.0)), Coding(2, (1.0,)), Coding(1, (0.25, 1.0))]
    expected = peer.bins(routing, nodes, codings)
    found = files.bins(routing, nodes, codings)
    assert found.keys() == expected.keys()
    assert all(np.array_equal(found[key], expected[key]) for key in expected)
    reached = sorted({node for node, _ in expected})
    numeric = [position for position, column in enumerate(layout.columns) if column.is_numeric]
    pairs = [(node, column) for node in reached for column in numeric if rng.random() < 0.7]
    some = {
        (node, column): np.unique(rng.integers(0, layout.columns[column].n_bins, 2)).astype(np.int64)
        for node, column in pairs
    }
    expected, found = peer.fine(routing, some), files.fine(routing, some)
    assert found.keys() == expected.keys()
    assert all(equal(found[key], expected[key]) for key in expected)
    codes = {key: present[: 1 + len(present) // 2] for key, (present, _) in expected.items()}
    expected, found = peer.values(routing, codes), files.values(routing, codes)
    assert found.keys() == expected.keys()
    assert all(equal(found[key], expected[key]) for key in expected)


def assert_same_rows(files, peer, routing):
    """targets, rows and ends."""
    nodes = open_nodes(routing)
    expected, found = peer.targets(routing, nodes), files.targets(routing, nodes)
    assert found.keys() == expected.keys()
    for node, target in expected.items():
        assert np.allclose(found[node].counts, target.counts, rtol=1e-12, atol=1e-9)
        assert found[node][1:] == target[1:]
    expected, found = peer.rows(routing, nodes), files.rows(routing, nodes)
    for node, block in expected.items():
        mine = found[node]
        assert all(np.array_equal(a, b, equal_nan=True) for a, b in zip(mine.columns, block.columns, strict=True))
        assert np.array_equal(mine.y, block.y)
        assert (mine.weights is None and block.weights is None) or np.array_equal(mine.weights, block.weights)
    expected, found = peer.ends(routing), files.ends(routing)
    assert np.array_equal(found.node, expected.node)
    assert np.array_equal(found.n_rows, expected.n_rows)
    assert np.allclose(found.counts, expected.counts, rtol=1e-12, atol=1e-9)
    assert all(np.array_equal(a, b, equal_nan=True) for a, b in zip(found.example, expected.example, strict=True))


@given(
    seed=st.integers(0, 10_000),
    rows=st.integers(2, 60),
    target=st.sampled_from(["class", "number"]),
    weighted=st.booleans(),
    missing=st.sampled_from([0.0, 0.3]),
    has_parts=st.booleans(),
    n_tests=st.integers(0, 6),
    chunk=st.sampled_from([3, 1000]),
    threads=st.sampled_from([1, 2]),
)
def test_counts_are_those_of_plain_numpy(seed, rows, target, weighted, missing, has_parts, n_tests, chunk, threads):
    rng = np.random.default_rng(seed)
    parts = rng.integers(0, 2, rows) if has_parts else None
    peer = oracle(seed, rows, target, weighted, missing, parts)
    numbers = [feature.values for feature in peer.data.features]
    complete = tuple(np.flatnonzero(rng.random(5) < 0.2).tolist())
    whole = random_routing(rng, peer.layout, numbers, n_tests, 1 if has_parts else None, complete)
    with mapped(peer, has_parts, int(rng.integers(1, 70)), threads, chunk) as files:
        for n in (0, n_tests // 2, n_tests):  # as a tree grows: tests are added
            routing = replace(whole, tests=whole.tests[:n])
            assert_same_counts(files, peer, routing, rng)
            assert_same_rows(files, peer, routing)
        assert_same_rows(files, peer, Routing(whole.tests[:1]))  # and another tree on other rows


def test_the_layout_says_which_codes_have_one_value():
    peer = oracle(1, 300)
    with mapped(peer) as files:
        for mine, theirs in zip(files.layout.columns, peer.layout.columns, strict=True):
            assert np.array_equal(mine.only_value, theirs.only_value, equal_nan=True)
            assert mine.n_missing == theirs.n_missing
        assert files.layout.n_rows == 300
        written = {path.name for path in files._files.folder.iterdir()}
    assert "numbers0.bin" in written
    assert "numbers1.bin" not in written, "every code of 'few' has one value"


def test_one_thread_and_two_give_the_same_bits():
    peer = oracle(3, 5000, "number", True)
    nodes, wanted = [0], {(0, 0): np.arange(4)}
    results = []
    for threads in (1, 2):
        with mapped(peer, size=700, threads=threads, chunk=512) as files:
            bins = files.bins(Routing(), nodes, [Coding(column) for column in range(5)])
            results.append(
                [*bins.values(), *files.fine(Routing(), wanted)[0, 0], files.targets(Routing(), nodes)[0].counts]
            )
    assert all(np.array_equal(one, two) for one, two in zip(*results, strict=True))


def test_sums_of_values_go_on_after_the_rows_kept_are_many(monkeypatch):
    peer = oracle(5, 200, "number", True)
    wanted = {(0, 0): np.arange(12), (0, 2): np.arange(4)}
    wanted = {key: codes[codes < peer.layout.columns[key[1]].n_codes] for key, codes in wanted.items()}
    monkeypatch.setattr("explorer.sources.mapped.cells.MOST_WAITING", 10)
    with mapped(peer) as files:
        found, expected = files.values(Routing(), wanted), peer.values(Routing(), wanted)
        assert all(equal(found[key], expected[key]) for key in wanted)


def test_a_stop_between_chunks_leaves_an_engine_that_counts_on():
    peer = oracle(2, 100)
    routing = random_routing(np.random.default_rng(2), peer.layout, [f.values for f in peer.data.features], 4, None)
    with mapped(peer) as files:
        files.targets(replace(routing, tests=routing.tests[:2]), [0])
        calls = iter(range(5))

        def stop():
            if next(calls, None) is None:
                raise Stopped

        with stoppable(stop), pytest.raises(Stopped):
            files.targets(routing, open_nodes(routing))
        assert_same_rows(files, peer, routing)


@pytest.mark.parametrize("n", [1, 17, 1000])
def test_a_sample_has_so_many_rows_of_the_routing_and_comes_again(n):
    peer = oracle(11, 200, weighted=True)
    routing = random_routing(
        np.random.default_rng(1), peer.layout, [f.values for f in peer.data.features], 2, None, (0,)
    )
    with mapped(peer) as files:
        drawn, again, other = (files.sample(routing, n, seed) for seed in (1, 1, 2))
    assert np.array_equal(drawn.columns[0], again.columns[0])
    reached = np.flatnonzero(peer.node_of_row(routing) >= 0)
    assert len(drawn.y) == len(drawn.weights) == min(n, len(reached))
    known = set(peer.cells(0)[reached].tolist())
    assert set(drawn.columns[0].tolist()) <= known
    assert len(set(drawn.columns[0].tolist())) == len(drawn.y), "no row twice"
    assert n != 17 or not np.array_equal(drawn.columns[0], other.columns[0])


def test_a_full_disk_is_named(tmp_path):
    peer = oracle(4, 50)
    (tmp_path / "codes3.bin").symlink_to("/dev/full")
    with pytest.raises(EngineError, match=r"disk of the temporary folder .* is full"):
        writer_of(peer, tmp_path).add(*next(batches(peer, False, 50)))


@pytest.mark.parametrize("name", ["codes0", "numbers0", "target", "node"])
@pytest.mark.parametrize("harm", [lambda path: path.unlink(), lambda path: path.write_bytes(path.read_bytes()[:20])])
def test_a_file_removed_or_cut_short_is_named(name, harm):
    with mapped(oracle(6, 50)) as files:
        files.targets(Routing(), [0])
        harm(files._files.folder / f"{name}.bin")
        with pytest.raises(EngineError, match=f"{name}.bin was removed or cut short"):
            files.values(Routing(), {(0, 0): np.arange(12)})


def test_closing_removes_the_files_and_ends_counting():
    with mapped(oracle(7, 50)) as files:
        files.targets(Routing(), [0])
        files.close()
        assert not files._files.folder.exists()
        with pytest.raises(EngineError, match="closed"):
            files.targets(Routing(), [0])
        files.close()


def test_an_infinite_number_is_refused_by_its_column(tmp_path):
    peer = oracle(8, 50)
    columns, *others = next(batches(peer, False, 50))
    columns[0] = pa.array([np.inf] * 50)
    with pytest.raises(ColumnError, match="'real' has an infinite number"):
        writer_of(peer, tmp_path).add(columns, *others)


def test_every_pass_is_a_step_with_sql_that_says_it_is_an_equivalent():
    with mapped(oracle(9, 50)) as files:
        files.bins(Routing(), [0], [Coding(0), Coding(3)])
        files.fine(Routing(), {(0, 0): np.array([1])})
        files.ends(Routing())
        steps = files._steps
    assert [step.what for step in steps] == [
        "Count bins and categories of 2 features at 1 node",
        "Look closer into bins of 'real' at 1 node",
        "Count the rows of every node where rows end",
    ]
    assert all(step.sql.startswith("-- The same in SQL.") and "FROM work" in step.sql for step in steps)
