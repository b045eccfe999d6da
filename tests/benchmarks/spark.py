"""Grow a tree from a Spark data frame and fit one of MLlib in turns, and print seconds and jobs of both.

Ours is everything from the data frame to the tree: connecting, coding, growing. MLlib's is `fit` alone, of 256 bins, on
vectors that are assembled on the way. Both run on a small table first. The tree is held against that from memory.

Run `python -m tests.benchmarks.spark [--rows N …] [--columns C] [--depth D] [--rounds R]`; pyspark and Java are needed.
"""

import argparse
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

import pandas as pd

import explorer as ex
from tests.benchmarks.big_tables import write_parquet
from tests.benchmarks.data import TARGET
from tests.oracles.bridge import assert_same_tree
from tests.oracles.spark import JobCount, new_session

SMALL_ROWS = 3_000


def ours(frame: Any, recipe: ex.Recipe) -> tuple[float, float, ex.Tree]:
    """Seconds of connecting and coding, seconds of growing, and the tree."""
    start = time.perf_counter()
    source = ex.connect(frame, TARGET)
    try:
        assert source.layout.n_rows
        coded = time.perf_counter()
        tree = ex.grow(source, recipe)
        return coded - start, time.perf_counter() - coded, tree
    finally:
        source.close()


def mllib(frame: Any, depth: int) -> float:
    """Seconds of fitting MLlib's tree."""
    from pyspark.ml.classification import DecisionTreeClassifier
    from pyspark.ml.feature import StringIndexer, VectorAssembler

    frame = StringIndexer(inputCol=TARGET, outputCol="class").fit(frame).transform(frame).drop(TARGET)
    features = [name for name in frame.columns if name != "class"]
    table = VectorAssembler(inputCols=features, outputCol="features").transform(frame).select("features", "class")
    start = time.perf_counter()
    DecisionTreeClassifier(labelCol="class", maxDepth=depth, maxBins=256, maxMemoryInMB=512).fit(table)
    return time.perf_counter() - start


def compare(session: Any, file: Path, recipe: ex.Recipe, rounds: int) -> None:
    """Both sides in turns on one file."""
    frame, jobs, found = session.read.parquet(str(file)), JobCount(session), list[tuple[float, float, float]]()
    for _ in range(rounds):
        jobs()
        coding, growing, tree = ours(frame, recipe)
        n_ours = jobs()
        fit = mllib(frame, recipe.max_depth or 5)
        print(
            f"  coded in {coding:.2f} s, grown in {growing:.2f} s, {n_ours} jobs; MLlib fitted in {fit:.2f} s,"
            f" {jobs()} jobs: {(coding + growing) / fit:.2f} × MLlib",
            flush=True,
        )
        found.append((coding, growing, fit))
    table = pd.read_parquet(file)
    assert_same_tree(
        tree, ex.grow(ex.Dataset.from_frame(table, TARGET, kinds={TARGET: sorted(table[TARGET].unique())}), recipe)
    )
    ratio = median((coding + growing) / fit for coding, growing, fit in found)
    print(f"  median {ratio:.2f} × MLlib; the tree is that from memory, {tree.n_leaves} leaves", flush=True)


def main() -> None:
    """Run the tables and print them."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.spark", description=__doc__)
    parser.add_argument("--rows", type=int, nargs="+", default=[2_000, 100_000, 1_000_000], help="numbers of rows")
    parser.add_argument("--columns", type=int, default=10)
    parser.add_argument("--depth", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    recipe = ex.CART.replace(max_depth=options.depth, missing="most_common")
    session = new_session(**{"spark.driver.memory": "3g"})
    try:
        with tempfile.TemporaryDirectory() as folder:
            for rows in (SMALL_ROWS, *options.rows):
                file = write_parquet(Path(folder) / f"{rows}.parquet", "continuous", rows, options.columns)
                print(
                    f"{rows:,} rows × {options.columns} columns, depth {options.depth}"
                    + " (to warm up)" * (rows == SMALL_ROWS)
                )
                compare(session, file, recipe, 1 if rows == SMALL_ROWS else options.rounds)
    finally:
        session.stop()


if __name__ == "__main__":
    main()
