"""Print where the time of growing goes, stage by stage, beside the least that each stage could take on this machine.

Run `python -m tests.benchmarks.stages [--full | --most ROWS] [--json FILE]`. One thread, so that the stages add up;
processor time, the least of several repeats. docs/performance.md says what the stages do and where their bounds
come from.
"""

import argparse
import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

import explorer as ex
from explorer.growing.plain.grow_plain import grow_plain
from explorer.growing.plain.search import search_node, work_for
from explorer.growing.plain.table import NodeRows, PlainTable, plain_table
from explorer.recipe.columns import TrainingColumn, columns_for
from explorer.recipe.parameters import GrowParameters, parameters_for
from explorer.threads import using_threads
from tests.benchmarks.contest import collect, encode
from tests.benchmarks.data import MAKERS, Grown

TABLES = (
    ("breast_cancer", 569),
    ("digits", 1797),
    ("two classes", 1_000),
    ("two classes", 10_000),
    ("regression", 10_000),
    ("two classes", 100_000),
    ("five classes", 100_000),
    ("regression", 100_000),
    ("few values", 100_000),
    ("few values, regression", 100_000),
    ("census-like", 100_000),
)
FULL_TABLES = (("two classes", 1_000_000),)
SPLITS = (10_000, 100, 0)
"""Rows down to which nodes are split, one run after another: the differences are the times of nodes in between."""
BYTES_TO_CODE = 20
"""Of a cell that is encoded: its number, its code, and an entry in the list of values."""
BYTES_TO_SORT = 12
"""Of a cell whose row is put in order: its code twice, its key once."""
BYTES_PER_LEVEL = 18
"""Of a cell at every node above it: key and class for the scan, key, branch and new key for the partition."""


@dataclass(frozen=True)
class Stage:
    """Seconds of one stage, and the least that it could take."""

    name: str
    seconds: float
    bound: float


@dataclass(frozen=True)
class Machine:
    """Bytes that are copied in a second."""

    bandwidth: float


def least(run: Callable[[], object], repeats: int) -> float:
    """Seconds of processor time of the fastest call, by which other programs change little."""
    seconds = np.inf
    for _ in range(repeats):
        collect()
        start = time.process_time()
        run()
        seconds = min(seconds, time.process_time() - start)
    return seconds


def this_machine() -> Machine:
    """Measured on arrays larger than the caches."""
    source = np.ones(8_000_000)
    target = np.zeros_like(source)
    seconds = least(lambda: np.copyto(target, source), 5)
    return Machine(2 * source.nbytes / seconds)


def _search_root(table: PlainTable, parameters: GrowParameters, data: ex.Dataset) -> None:
    """The search of all features among all rows."""
    work = work_for(table, parameters)
    work.live[:] = np.arange(len(table.tests))
    if data.is_regression:
        mean = table.numbers.mean()
        stats = np.array([data.n_rows, mean, ((table.numbers - mean) ** 2).sum()])
    else:
        stats = np.bincount(table.classes, minlength=parameters.n_stats).astype(np.float64)
    search_node(table, parameters, NodeRows(0, data.n_rows, True, 0), stats, len(table.tests), work)


def stages_of(table: Grown, repeats: int, machine: Machine) -> list[Stage]:
    """The stages of one table, in order."""
    data, recipe = encode(table), ex.CART
    columns: list[TrainingColumn] = columns_for(data, recipe)
    parameters = parameters_for(recipe, data)
    laid_out, tree = plain_table(data, columns, parameters), ex.grow(data, recipe)
    cells = data.n_rows * len(columns)

    def grown_down_to(rows: int) -> float:
        limits = parameters._replace(min_split=float(rows))
        return least(lambda: grow_plain(data, columns, limits, None, False), repeats)

    def rows_searched(most: int, fewest: int) -> float:
        is_between = tree.is_inner & (tree.weight < most) & (tree.weight >= fewest)
        return float(tree.weight[is_between].sum()) * len(columns)

    to_sort = least(lambda: plain_table(data, columns, parameters), repeats)
    root = least(lambda: _search_root(laid_out, parameters, data), repeats)
    whole = least(lambda: ex.grow(data, recipe), repeats)
    by_bytes = 1.0 / machine.bandwidth
    stages = [
        Stage(
            "encode: kinds and rank codes",
            least(lambda: encode(table), repeats),
            cells * BYTES_TO_CODE * by_bytes,
        ),
        Stage("sort: rows of every column in order", to_sort, cells * BYTES_TO_SORT * by_bytes),
        Stage("search of the root", root, cells * 5 * by_bytes),
    ]
    times = [grown_down_to(rows) for rows in SPLITS]
    bounds = [*(data.n_rows + 1, *SPLITS[:-1]), 0]
    for i, rows in enumerate(SPLITS):
        most, fewest = (bounds[i], max(rows, 1))
        seconds = times[0] - to_sort - root if i == 0 else times[i] - times[i - 1]
        name = f"nodes of {fewest:,} to {most - 1:,} rows" + (", but that search" if i == 0 else "")
        stages.append(Stage(name, max(seconds, 0.0), rows_searched(most, fewest) * BYTES_PER_LEVEL * by_bytes))
    tree_bytes = sum(a.nbytes for a in (tree.parent, tree.stats, tree.threshold, tree.weight, tree.impurity)) * 3
    stages.append(Stage("record and units of the tree", max(whole - times[-1], 0.0), tree_bytes * by_bytes))
    return stages


def print_stages(name: str, rows: int, stages: list[Stage]) -> None:
    """A table of stages: milliseconds, share, bound, and how many times the bound it takes."""
    total = sum(stage.seconds for stage in stages)
    print(f"\n{rows:,} {name}: {1e3 * total:.1f} ms\n{'stage':<48} {'ms':>8} {'share':>6} {'bound ms':>9} {'times':>6}")
    for stage in stages:
        times = stage.seconds / stage.bound if stage.bound else np.nan
        print(
            f"{stage.name:<48} {1e3 * stage.seconds:>8.2f} {stage.seconds / total:>6.0%} {1e3 * stage.bound:>9.3f}"
            f" {times:>6.1f}",
            flush=True,
        )


def main() -> None:
    """Measure all tables and print them."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.stages", description=__doc__)
    parser.add_argument("--full", action="store_true", help="also a million rows")
    parser.add_argument("--most", type=int, default=100_000, metavar="ROWS", help="leave out larger tables (100,000)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to a file")
    options = parser.parse_args()
    machine, figures = this_machine(), []
    print(f"{machine.bandwidth / 1e9:.1f} GB/s copied")
    with using_threads(1):
        small = [(name, rows) for name, rows in TABLES if rows <= options.most]
        for name, rows in small + [*FULL_TABLES] * options.full:
            table = MAKERS[name](rows)
            repeats = 9 if rows <= 10_000 else 3
            stages = stages_of(table, repeats, machine)
            print_stages(name, rows, stages)
            figures.append({"table": name, "rows": rows, "stages": [asdict(stage) for stage in stages]})
    if options.json is not None:
        options.json.write_text(json.dumps({"machine": asdict(machine), "tables": figures}, indent=1), "utf-8")


if __name__ == "__main__":
    main()
