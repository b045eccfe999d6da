"""A frame written to Parquet and connected, for tests that hold it against the same frame in memory."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd

import explorer as ex
from tests.oracles import bridge, brute_force

ENGINES = ["duckdb", "mapped"]
COARSE = {"bins": 4, "codes_per_bin": 2}
"""So few bins and fine codes that most of them hold several values, and refinement has to find the threshold."""


@contextmanager
def connected(frame: pd.DataFrame, target: str, **options) -> Iterator["ex.Source"]:
    """The frame as a Parquet file, connected; closed and removed at the end."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "table.parquet"
        frame.to_parquet(file, index=False)
        source = ex.connect(file, target=target, **options)
        try:
            yield source
        finally:
            source.close()


@contextmanager
def connected_sample(sample: brute_force.Sample, **options) -> Iterator["ex.Source"]:
    """An oracle's table, connected with its own order of classes and categories."""
    names = [column.name for column in sample.columns]
    kinds = {column.name: list(column.categories) if column.categories else "numeric" for column in sample.columns}
    kinds["goal"] = "categorical" if sample.classes else "numeric"
    order = {"classes": list(sample.classes)} if sample.classes else {}
    settings = {"features": names, "kinds": kinds, "weights": "weight", **order, **options}
    with connected(bridge.to_frame(sample), "goal", **settings) as source:
        yield source


def assert_same(tree: ex.Tree, expected: ex.Tree) -> None:
    """Equal in every array for classes; for numbers, whose sums depend on the order of rows, in all but those sums."""
    if not tree.is_regression:
        bridge.assert_same_tree(tree, expected)
        return
    exact = ["parent", "first_child", "child_count", "depth", "feature", "threshold", "stop", "is_pruned"]
    for name in [*exact, "cat_offset", "cat_code", "cat_branch", "missing_branch"]:
        np.testing.assert_array_equal(getattr(tree, name), getattr(expected, name), err_msg=name)
    bridge.same_numbers(tree.weight, expected.weight)
    bridge.same_numbers(tree.missing_weight, expected.missing_weight)
    spread = np.sqrt(expected.impurity[0]) + np.abs(expected.stats[:, 1]).max()
    np.testing.assert_allclose(tree.impurity, expected.impurity, rtol=1e-9, atol=1e-9 * spread**2)
    np.testing.assert_allclose(tree.stats[:, 1], expected.stats[:, 1], rtol=1e-9, atol=1e-9 * spread)


def in_memory(frame: pd.DataFrame, target: str, weights: str | None = None) -> ex.Dataset:
    """The frame with the order of classes and categories that a connected table has."""
    words = [name for name in frame if frame[name].dtype.kind not in "fiu"]
    numbers = dict.fromkeys([name for name in frame if name not in (*words, weights)], "numeric")
    features = [name for name in frame if name not in (target, weights)]
    found = ex.Dataset.from_frame(frame, target, features, {**numbers, **dict.fromkeys(words, "categorical")}, weights)
    kinds = {
        feature.name: sorted(feature.categories) for feature in (found.target, *found.features) if feature.categories
    }
    return ex.Dataset.from_frame(frame, target, features, {**numbers, **kinds}, weights)
