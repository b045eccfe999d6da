"""Print what pruning a full tree takes, as a share of growing it, both measured in this run.

Run `python -m tests.benchmarks.prune [--rows N] [--json FILE]`; `tests.benchmarks.grow` prints it too.
"""

import argparse
import json
import os
import platform
from collections.abc import Callable
from pathlib import Path
from statistics import median

import explorer as ex
from tests.benchmarks.contest import grow_ours, timed
from tests.benchmarks.data import MAKERS, TARGET

REPEATS = 7
ROWS = 100_000
TABLES = ("two classes", "five classes", "regression", "census-like")
RAISING = "pessimistic, raising"
WANTED, WANTED_OF_RAISING = 0.15, 0.3
"""Shares of growing's time that pruning has to stay below, on every table; raising sends rows down again."""


def prunings(train: ex.Dataset, valid: ex.Dataset) -> dict[str, Callable[[ex.Tree], ex.Tree]]:
    """What is measured; the last five count classes."""
    return {
        "reduced error, best first": lambda tree: ex.reduced_error_prune(tree, valid),
        "reduced error, bottom-up": lambda tree: ex.reduced_error_prune(tree, valid, "bottom_up"),
        "pessimistic, release8": lambda tree: ex.pessimistic_prune(tree),
        "pessimistic, binomial": lambda tree: ex.pessimistic_prune(tree, limit="binomial"),
        "pessimistic, normal": lambda tree: ex.pessimistic_prune(tree, limit="normal"),
        "description length": ex.mdl_prune,
        RAISING: lambda tree: ex.pessimistic_prune(tree, raising=True, train=train),
    }


def measure(maker: str, rows: int) -> list[dict[str, object]]:
    """Grow and prune in turn, after a first call of each; validation rows are 3 for every 7 in training."""
    whole = MAKERS[maker](rows * 10 // 7)
    table, held_out = whole.head(rows), whole.frame.iloc[rows:]
    valid = ex.Dataset.from_frame(held_out, TARGET, kinds=whole.kinds)
    ways = prunings(ex.Dataset.from_frame(table.frame, TARGET, kinds=whole.kinds), valid)
    if table.is_regression:
        ways = {name: prune for name, prune in ways.items() if name.startswith("reduced")}
    growing, pruning = [], {name: [] for name in ways}
    tree = grow_ours(table, None)
    leaves = {name: prune(tree).n_leaves for name, prune in ways.items()}
    for _ in range(REPEATS):
        seconds, tree = timed(lambda: grow_ours(table, None))
        growing.append(seconds)
        for name, prune in ways.items():
            pruning[name].append(timed(lambda prune=prune, tree=tree: prune(tree))[0])
    print(f"\n{rows:,} {maker} ({valid.n_rows:,} for validation): growing {median(growing):.4f} s", end="")
    print(f", {tree.n_leaves:,} leaves")
    return [line(maker, name, median(times), median(growing), leaves[name]) for name, times in pruning.items()]


def line(maker: str, name: str, seconds: float, growing: float, leaves: int) -> dict[str, object]:
    """Print one share."""
    share = seconds / growing
    missed = "  MISSED" if share > (WANTED_OF_RAISING if name == RAISING else WANTED) else ""
    print(f"  {name:<28} {seconds:.4f} s  {100 * share:5.1f} %  {leaves:>8,} leaves{missed}", flush=True)
    return {"table": maker, "pruning": name, "seconds": seconds, "growing": growing, "share": share}


def pruning_contest(rows: int) -> list[dict[str, object]]:
    """Measure every table and print the shares."""
    return [row for maker in TABLES for row in measure(maker, rows)]


def main() -> None:
    """Print the table alone."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.prune", description=__doc__)
    parser.add_argument("--rows", type=int, default=ROWS, help=f"training rows ({ROWS:,})")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to a file")
    options = parser.parse_args()
    wanted = f"at most {WANTED:.0%} of growing wanted, {WANTED_OF_RAISING:.0%} with raising"
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores; {wanted}")
    figures = pruning_contest(options.rows)
    if options.json is not None:
        options.json.write_text(json.dumps(figures, indent=1), "utf-8")


if __name__ == "__main__":
    main()
