"""An engine that counts a table, held against plain numpy on random tables and random trees."""

from __future__ import annotations

import numpy as np
import pandas as pd

import explorer as ex
from explorer.sources.counting import Coding
from explorer.sources.routing import NodeTest, Routing
from tests.oracles.counting_engine import ArrayEngine, same_data

FEATURES = ["few", "many", "whole", "word", "truth"]
"""The features of a random frame; its target is `y`, its weights `w`."""


def random_frame(seed: int, n: int, is_regression: bool, weighted: bool) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "few": rng.choice([0.0, -0.0, 1.5, 2.0, np.nan], n),
            "many": np.round(rng.normal(size=n), 2),
            "whole": rng.integers(-3, 4, n),
            "word": rng.choice(["b", "a", 'c"; drop', None], n),
            "truth": rng.choice(["yes", "no"], n),
        }
    )
    frame.loc[rng.random(n) < 0.2, "many"] = np.nan
    frame["y"] = np.round(rng.normal(5, 1, n), 3) if is_regression else rng.choice(["k2", "k0", "k1"], n)
    frame.loc[:2, "y"] = [1.25, 2.5, 1.25] if is_regression else ["k0", "k1", "k2"]
    if weighted:
        frame["w"] = rng.choice([0.5, 1.0, 2.0], n)
    return frame


def random_routing(layout, rng, n_tests: int) -> Routing:
    """Tests of all forms, each at a node that is still a leaf."""
    tests, leaves, fresh = [], [0], 1
    for _ in range(n_tests):
        node = leaves.pop(int(rng.integers(len(leaves))))
        column = int(rng.integers(len(layout.columns)))
        form = layout.columns[column]
        n_children = int(rng.integers(2, 4))
        threshold, edges, branches = np.nan, np.empty(0), np.empty(0, dtype=np.int64)
        if form.is_numeric and rng.random() < 0.6:
            threshold = float(rng.choice([-1.0, 0.0, 0.3, 1.5]))  # a third branch is that of missing values
        elif form.is_numeric:
            edges = np.unique(rng.choice([-1.0, -0.2, 0.0, 0.5, 1.5], 3))
            branches = rng.integers(-1, n_children, len(edges) + 1)
        else:
            branches = rng.integers(-1, n_children, form.n_codes)
        children = tuple(range(fresh, fresh + n_children))
        missing = int(rng.integers(-1, n_children))
        tests.append(NodeTest(node, column, threshold, branches, edges, missing, children))
        leaves += children
        fresh += n_children
    complete = tuple(np.flatnonzero(rng.random(len(layout.columns)) < 0.1).tolist())
    return Routing(tuple(tests), None, complete)


def leaves_of(routing: Routing) -> list[int]:
    tested = {test.node for test in routing.tests}
    children = [0, *(node for test in routing.tests for node in test.children)]
    return [node for node in children if node not in tested]


def assert_same(found: dict, expected: dict) -> None:
    assert found.keys() == expected.keys()
    for key, arrays in expected.items():
        pairs = zip(found[key], arrays, strict=True) if isinstance(arrays, tuple) else [(found[key], arrays)]
        for one, other in pairs:
            np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-12)


def assert_counts_like_numpy(
    source: ex.Source, frame: pd.DataFrame, weights: str | None, seed: int, n_tests: int
) -> None:
    """Every method of the engine of a connected random frame, at the leaves of a random tree."""
    layout, engine = source.layout, source.engine
    oracle = ArrayEngine(same_data(frame, "y", weights), layout, np.zeros(len(frame), dtype=int))
    assert [f.categories for f in source.features] == [f.categories for f in oracle.data.features]
    assert source.classes == oracle.data.classes
    rng = np.random.default_rng(seed)
    routing = random_routing(layout, rng, n_tests)
    nodes = [node for node in leaves_of(routing) if rng.random() < 0.7]
    assert_same(engine.targets(routing, nodes), oracle.targets(routing, nodes))
    codings = [*(Coding(i) for i in range(5)), Coding(1, (-0.5, 0.25)), Coding(0, ())]
    assert_same(engine.bins(routing, nodes, codings), oracle.bins(routing, nodes, codings))
    numeric = [i for i, column in enumerate(layout.columns) if column.is_numeric]
    bins = {(node, i): np.flatnonzero(rng.random(layout.columns[i].n_bins) < 0.6) for node in nodes for i in numeric}
    assert_same(engine.fine(routing, bins), oracle.fine(routing, bins))
    codes = {(node, i): np.flatnonzero(rng.random(layout.columns[i].n_codes) < 0.6) for node in nodes for i in numeric}
    assert_same(engine.values(routing, codes), oracle.values(routing, codes))
    assert_same_rows(engine.rows(routing, nodes), oracle.rows(routing, nodes))
    assert_same_ends(engine, oracle, routing)


def as_table(block) -> list[tuple]:
    columns = [*block.columns, block.y, *([] if block.weights is None else [block.weights])]
    return sorted(map(tuple, np.nan_to_num(np.stack([c.astype(float) for c in columns], axis=1), nan=-99.0).tolist()))


def assert_same_rows(found, expected) -> None:
    assert found.keys() == expected.keys()
    for node, block in expected.items():
        assert as_table(found[node]) == as_table(block)
        assert [c.dtype for c in found[node].columns] == [c.dtype for c in block.columns]
        assert found[node].y.dtype == block.y.dtype


def assert_same_ends(engine, oracle, routing) -> None:
    found, expected = engine.ends(routing), oracle.ends(routing)
    np.testing.assert_array_equal(found.node, expected.node)
    np.testing.assert_array_equal(found.n_rows, expected.n_rows)
    np.testing.assert_allclose(found.counts, expected.counts, rtol=1e-12, atol=1e-12)
    for group, node in enumerate(found.node.tolist()):
        assert end_of(routing, oracle.layout, [cells[group] for cells in found.example]) == node


def end_of(routing: Routing, layout, row) -> int:
    """Where one row ends, by the definition of a test."""
    at = 0
    for test in routing.tests:
        if test.node != at:
            continue
        form, cell = layout.columns[test.column], row[test.column]
        if np.isnan(cell) if form.is_numeric else cell == form.n_codes:
            branch = test.missing_branch
        elif not np.isnan(test.threshold):
            branch = 0 if cell <= test.threshold else 1
        else:
            branch = test.branch_of_code[int((test.edges < cell).sum()) if form.is_numeric else int(cell)]
        at = test.children[branch] if branch >= 0 else at
    return at
