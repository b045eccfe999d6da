"""Counts from blocks of codes equal those of plain numpy, and a level takes two passes; Spark is not needed."""

import pickle
from functools import partial
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import explorer as ex
from explorer.sources.blocks import worker_coding, worker_counts
from explorer.sources.blocks.codings import coding
from explorer.sources.blocks.engine import BlockEngine, joined, types_of
from explorer.sources.counting import Coding
from explorer.sources.source import Selection, Source, Tuning, WorkingTable, Workspace
from tests.oracles.bridge import assert_same_tree
from tests.oracles.counted_tables import assert_close, mixed_frame, recipes, small_tables
from tests.oracles.counting_engine import ArrayEngine, ArrayOrigin, array_source, same_data
from tests.oracles.engine_checks import assert_same, assert_same_ends, assert_same_rows, random_frame
from tests.oracles.examples import law
from tests.oracles.routings import open_nodes, random_routing


class LocalPasses:
    """Passes over rows of bytes in this process, with a note of every one."""

    def __init__(self, partitions: list[list[pa.RecordBatch]], types: dict[str, str]) -> None:
        self.partitions, self.types, self.n_parts = partitions, types, len(partitions)
        self.passes: list[list[str]] = []

    def __call__(self, what, text, arrays, way, asked):
        self.passes.append([name for name, *_ in asked])
        assert text().startswith("--")
        types = {name: self.types[name] for name in arrays}
        answers = [worker_counts.answer_in_batches(batches, types, way, asked) for batches in self.partitions]
        return [pickle.loads(batch.column("found")[0].as_py()) for (batch,) in answers]

    def close(self):
        self.partitions = []


def in_blocks(peer: ArrayEngine, has_parts: bool = False, n_partitions: int = 4) -> tuple[BlockEngine, list]:
    """The table of an oracle as an engine over blocks, coded as on Spark's workers, and the facts of its partitions."""
    data, layout, codings, columns = peer.data, peer.layout, [], []
    for i, column in enumerate(layout.columns):
        feature = data.features[i]
        if column.is_numeric:
            codings.append(coding(f"x{i}", edges=column.edges))
            columns.append(pa.array(peer.cells(i), from_pandas=True))
        else:
            cells = pa.array(feature.categories)
            codings.append(coding(f"c{i}", cells, np.arange(len(cells) + 1.0), kind="u2"))
            columns.append(pa.array([(*feature.categories, None)[code] for code in peer.cells(i)], cells.type))
    codings.append(coding("y", kind="f8" if data.is_regression else "u2"))
    columns.append(pa.array(data.y))
    if data.weights is not None:
        codings.append(coding("w"))
        columns.append(pa.array(data.weights))
    if has_parts:
        codings.append(coding("part", kind="u1"))
        columns.append(pa.array(peer.part_of_row))
    table = pa.table(columns, [each.name for each in codings])
    ends = [0, *np.linspace(0, data.n_rows, n_partitions).astype(int).tolist()]  # the first has no rows
    partitions = [
        list(
            worker_coding.encode(table.slice(begin, end - begin).to_batches(max_chunksize=7), codings, partial(int, i))
        )
        for i, (begin, end) in enumerate(pairwise(ends))
    ]
    facts = [pickle.loads(batches[-1].column("facts")[0].as_py()) for batches in partitions]
    types = types_of(layout, has_parts)
    return BlockEngine(layout, types, LocalPasses(partitions, types), []), facts


class BlockOrigin(ArrayOrigin):
    """A frame counted in blocks."""

    def prepare(self, selection, tuning, progress=None):
        peer = super().prepare(selection, tuning, progress).engine
        return WorkingTable(peer.layout, in_blocks(peer, n_partitions=3)[0])


def block_source(frame, weights=None, **tuning) -> Source:
    tuning = {"values_at_once": 10**6} | tuning
    return Source(Workspace(BlockOrigin(frame), Selection("goal", weights=weights), Tuning(**tuning)))


@pytest.fixture(autouse=True)
def _small_blocks(monkeypatch):
    """Several blocks in a partition of a small table."""
    monkeypatch.setattr(worker_coding, "BLOCK_ROWS", 20)
    monkeypatch.setattr(worker_counts, "FEW_BRANCHES", 2)
    monkeypatch.setattr(worker_counts, "MOST_WAITING", 5)


@law(60)
@given(
    seed=st.integers(0, 10_000),
    n=st.integers(4, 120),
    n_tests=st.integers(0, 6),
    is_regression=st.booleans(),
    weighted=st.booleans(),
    has_parts=st.booleans(),
)
def test_every_method_equals_plain_numpy(seed, n, n_tests, is_regression, weighted, has_parts):
    rng = np.random.default_rng(seed)
    frame = random_frame(seed, n, is_regression, weighted)
    peer = array_source(
        frame, "y", "w" if weighted else None, rng.integers(0, 2, n) if has_parts else None, bins=4, codes_per_bin=3
    ).engine
    engine, _ = in_blocks(peer, has_parts)
    numbers = [np.nan_to_num(peer.cells(i)) if c.is_numeric else [0.0] for i, c in enumerate(peer.layout.columns)]
    complete = tuple(np.flatnonzero(rng.random(len(peer.layout.columns)) < 0.1).tolist())
    routing = random_routing(rng, peer.layout, numbers, n_tests, 1 if has_parts else None, complete)
    nodes = [node for node in open_nodes(routing) if rng.random() < 0.8]
    codings = [*(Coding(i) for i in range(5)), Coding(1, (-0.5, 0.25)), Coding(0, ())]
    numeric = [i for i, column in enumerate(peer.layout.columns) if column.is_numeric]
    for _ in ("in passes", "from rows that were fetched"):
        assert_same(engine.targets(routing, nodes), peer.targets(routing, nodes))
        assert_same(engine.bins(routing, nodes, codings), peer.bins(routing, nodes, codings))
        for method, size in (("fine", "n_bins"), ("values", "n_codes")):
            sizes = {(node, i): getattr(peer.layout.columns[i], size) for node in nodes for i in numeric}
            wanted = {place: np.flatnonzero(rng.random(n_cells) < 0.6) for place, n_cells in sizes.items()}
            assert_same(getattr(engine, method)(routing, wanted), getattr(peer, method)(routing, wanted))
        assert_same_rows(engine.rows(routing, nodes), peer.rows(routing, nodes))
        passes = len(engine.passes.passes)
    assert passes <= 6
    assert_same_ends(engine, peer, routing)


def test_the_bins_asked_for_after_the_target_were_counted_with_it():
    engine, _ = in_blocks(array_source(mixed_frame(1), "goal", bins=4).engine)
    routing = ex.sources.routing.Routing()
    engine.targets(routing, [0])
    engine.bins(routing, [0], [Coding(i) for i in range(4)])
    assert engine.passes.passes == [["Targets", "Codes"]]


def test_a_sample_is_the_same_for_the_same_seed_whatever_was_fetched_before():
    peer = array_source(mixed_frame(3), "goal").engine
    engine, _ = in_blocks(peer)
    routing = ex.sources.routing.Routing()
    drawn = [np.stack(engine.sample(routing, 40, seed).columns) for seed in (5, 5, 6)]
    assert drawn[0].shape == (4, 40)
    np.testing.assert_array_equal(drawn[0], drawn[1])
    assert not np.array_equal(drawn[0], drawn[2])
    everything = engine.sample(routing, 10_000, 0)
    assert_same_rows({0: everything}, peer.rows(routing, [0]))


def test_facts_say_which_codes_have_one_value():
    peer = array_source(mixed_frame(2, missing=0.1), "goal", bins=4, codes_per_bin=3).engine
    _, facts = in_blocks(peer, n_partitions=2)
    n_rows, _, columns = facts[1]
    assert n_rows == peer.data.n_rows
    for i, column in enumerate(peer.layout.columns):
        if column.is_numeric:
            n_missing, n_infinite, single, several, values = columns[f"x{i}"]
            assert (n_missing, n_infinite) == (column.n_missing, 0)
            is_single = ~np.isnan(column.only_value)
            np.testing.assert_array_equal(np.unpackbits(single, count=column.n_codes), is_single)
            np.testing.assert_array_equal(np.unpackbits(several, count=column.n_codes), ~is_single)
            np.testing.assert_array_equal(values, column.only_value[is_single])


@law(40)
@given(table=small_tables(regression=False), recipe=recipes(regression=False), rows_in_memory=st.sampled_from([0, 4]))
def test_a_tree_from_blocks_is_that_from_memory(table, recipe, rows_in_memory):
    try:
        expected = ex.grow(same_data(table, "goal"), recipe)
    except ex.InputError:
        return
    assert_same_tree(
        ex.grow(block_source(table, bins=3, codes_per_bin=2, rows_in_memory=rows_in_memory), recipe), expected
    )


@law(40)
@given(seed=st.integers(0, 10_000), regression=st.booleans(), missing=st.sampled_from([0.0, 0.15]),
       rows_in_memory=st.sampled_from([0, 20, 60]), weighted=st.booleans())  # fmt: skip
def test_a_level_takes_two_passes_at_most_and_small_nodes_one_in_all(
    seed, regression, missing, rows_in_memory, weighted
):
    frame = mixed_frame(seed, missing=missing, regression=regression)
    frame = frame.assign(weight=np.arange(150) % 4 / 4 + 0.25) if weighted else frame
    weights = "weight" if weighted else None
    source = block_source(frame, weights, bins=4, codes_per_bin=2, rows_in_memory=rows_in_memory)
    recipe = ex.CART.replace(max_depth=4, missing="most_common")
    passes, reports = source.engine.passes.passes, {}
    tree = ex.grow(source.watched_by(lambda report: reports.update({report.depth: report})), recipe)
    assert_close(tree, ex.grow(same_data(frame, "goal", weights), recipe))
    counted = sum(report.nodes > 0 for report in reports.values())
    assert 0 < len(passes) <= 2 * counted + 1 + (rows_in_memory > 0)
    assert [kinds for kinds in passes if "Fetched" in kinds] == [["Fetched"]] * any(r.fetched for r in reports.values())
    n_grown = len(passes)
    small = np.flatnonzero((tree.weight <= rows_in_memory) & (tree.feature >= 0)) if not weighted else []
    for node in small[:3]:
        ex.decide(tree, source, int(node))
    assert len(passes) == n_grown, "rows of small nodes are here"


def test_rows_that_were_fetched_first_go_where_there_are_too_many(monkeypatch):
    from explorer.sources.blocks import engine as blocks

    monkeypatch.setattr(blocks, "KEPT_ROWS", 100)
    engine, _ = in_blocks(array_source(mixed_frame(1), "goal").engine)
    rows = {"y": np.zeros(60)}
    for step in "abc":
        engine.keep(((None, ()), step), rows)
    assert [path[1] for path in engine._kept] == ["c"]
    engine.keep(((None, ()),), rows)
    engine.keep(((None, ()), "d"), rows)
    assert joined([rows, rows])["y"].shape == (120,)
