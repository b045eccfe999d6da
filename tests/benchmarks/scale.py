"""Grow the same tree from a connected Parquet file as in memory, and print processor seconds and memory of both.

Tables are written batch by batch to a temporary folder and never held whole. Every case runs in a process of its own.
Processor seconds count all threads and children; the peak is the highest resident memory of the process, Python and
compiled loops included (before: the peak of a first run on a small table). Beside it, where they fit: growing in
memory, and one tree of LightGBM and scikit-learn (`tests.benchmarks.spark` has Spark).

Run `python -m tests.benchmarks.scale [--rows N …] [--full] [--json FILE]`.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tests.benchmarks.big_tables import MAKERS, write_parquet
from tests.benchmarks.scale_case import LONGEST_STOP, SIDES, Case
from tests.folders import ROOT

ROWS, COLUMNS, DEPTH = (100_000,), 10, 6
FULL_ROWS = (100_000, 1_000_000, 10_000_000)
SMALL_ROWS = 3_000
MOST_ROWS = {
    "in memory": 3_000_000,
    "scikit-learn": 1_000_000,
    "LightGBM": 10_000_000,
}
"""Above so many rows a side is left out, since it would take too long or too much memory."""
OURS, PEERS = ("connected, SQL", "connected, mapped", "in memory"), ("LightGBM", "scikit-learn")


@dataclass(frozen=True)
class Table:
    """One table to grow on, and how deep."""

    kind: str
    rows: int
    columns: int = COLUMNS
    depth: int = DEPTH

    @property
    def n_columns(self) -> int:
        """How many features it has."""
        return 14 if self.kind == "census-like" else self.columns

    @property
    def name(self) -> str:
        """The title of its cases."""
        return f"{self.rows:,} rows × {self.n_columns} columns, {self.kind}, depth {self.depth}"

    def file(self, folder: Path, rows: int) -> Path:
        """Its Parquet file, written when it is first needed."""
        file = folder / f"{self.kind}-{rows}-{self.columns}.parquet"
        return file if file.exists() else write_parquet(file, self.kind, rows, self.columns)


def tables(options: argparse.Namespace) -> list[Table]:
    """Every kind at every number of rows, then columns and depths at the least of them."""
    wanted = [Table(kind, rows) for rows in options.rows for kind in options.kinds]
    if options.full or options.shapes:
        rows = options.rows[min(1, len(options.rows) - 1)]
        wanted += [Table("continuous", rows, columns=columns) for columns in (5, 20)]
        wanted += [Table("continuous", rows, depth=depth) for depth in (4, 8)]
    return wanted


def figures_of(case: Case) -> dict[str, Any]:
    """Run a case in its own process."""
    with tempfile.TemporaryDirectory() as folder:
        result = Path(folder) / "figures.json"
        command = [sys.executable, "-m", "tests.benchmarks.scale_case", json.dumps(asdict(case)), str(result)]
        done = subprocess.run(command, cwd=ROOT, stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode:
            return {"error": f"ended with code {done.returncode}: {done.stderr.strip().splitlines()[-1:]}"}
        return json.loads(result.read_text("utf-8"))


def run_table(table: Table, options: argparse.Namespace, folder: Path) -> list[dict[str, Any]]:
    """All sides on one table, each compared with growing in memory."""
    file, small = table.file(folder, table.rows), table.file(folder, min(SMALL_ROWS, table.rows))
    print(f"\n{table.name} ({file.stat().st_size / 1e6:,.0f} MB)", flush=True)
    print(f"  {'':<20} {'encode':>17} {'grow':>17} {'in all':>17} {'peak (before)':>17} {'leaves':>7}", flush=True)
    rows = []
    for side in options.sides:
        if table.rows > MOST_ROWS.get(side, table.rows):
            continue
        extras = side.startswith("connected") and table.rows <= 1_000_000
        case = Case(side, table.kind, str(file), str(small), table.depth, options.memory_limit, extras)
        figures = figures_of(case)
        rows.append({**asdict(case), "table": asdict(table), **figures})
        print_case(rows[-1], options.levels)
    print_comparison(rows)
    return rows


def print_case(row: dict[str, Any], with_levels: bool) -> None:
    """A side's seconds (processor, wall) and memory, then levels and extras."""
    if row["error"]:
        print(f"  {row['side']}: {row['error']}", flush=True)
    if not row.get("leaves"):
        return
    steps = row["account"]["steps"]
    encode = [steps[name] for name in ("read", "encode", "connect and encode") if name in steps]
    total = [*encode, steps["grow"]]
    print(
        f"  {row['side']:<20} {_seconds(encode)} {_seconds([steps['grow']])} {_seconds(total)}"
        f" {row['peak']:>6,.0f} ({row['peak_before']:,.0f}) MB {row['leaves']:>7,}",
        flush=True,
    )
    if with_levels:
        for number, level in sorted(row["levels"].items(), key=lambda item: int(item[0])):
            print_level(int(number), level)
    for name, spent in steps.items():
        if name == LONGEST_STOP or name.startswith(("evidence", "curve", "reduced")):
            print(f"    {name}: {spent['wall']:.2f} s wall")
    print_limits(row)


def _seconds(steps: list[dict[str, float]]) -> str:
    """Processor seconds, and those of wall time in brackets."""
    return f"{sum(step['processor'] for step in steps):>7.2f} ({sum(step['wall'] for step in steps):>6.2f}) s"


def print_level(number: int, level: dict[str, Any]) -> None:
    """How far a level had to look, and what its questions took."""
    share = level["alive"] / level["tried"] if level["tried"] else 0.0
    steps = ", ".join(f"{name} {spent['processor']:.2f}" for name, spent in level["account"]["steps"].items())
    print(
        f"    level {number}: {level['nodes']:>3} nodes, {level['tried']:>6,} bins, {level['alive']:>5,} looked into"
        f" ({share:.1%}; {level['rows_in_bins']:,} rows, in fine codes {level['rows_in_parts']:,});"
        f" {level['rows_fetched']:,} rows fetched; seconds: {steps}"
    )


def print_comparison(rows: list[dict[str, Any]]) -> None:
    """Ratios of processor seconds and memory to growing in memory, and whether the trees are the same."""
    done = {row["side"]: row for row in rows if row.get("leaves")}
    memory = done.get("in memory")
    trees = {row["tree"] for row in done.values() if row["tree"]}
    if len([row for row in done.values() if row["tree"]]) > 1:
        print(f"  trees: {'all the same' if len(trees) == 1 else 'NOT THE SAME'}")
    if memory is None:
        return
    for side, row in done.items():
        if side != "in memory":
            seconds, peak = _total(row) / _total(memory), row["peak"] / memory["peak"]
            print(f"  {side}: {seconds:.2f} × the processor seconds in memory, {peak:.2f} × the peak")


@dataclass(frozen=True)
class Limit:
    """What a side may take for CART of depth 6 on 10,000,000 rows × 10 columns (census-like 14), at most."""

    seconds: float
    megabytes: float = float("inf")
    seconds_a_level: float = float("inf")
    """Of counting bins."""
    alive: float = 0.03
    """The share of bins that are looked into, at any level."""


LIMITS = {
    ("connected, SQL", "continuous"): Limit(60, 700),
    ("connected, SQL", "census-like"): Limit(35, 500),
    ("connected, mapped", "continuous"): Limit(15, seconds_a_level=0.5),
    ("connected, mapped", "census-like"): Limit(15, seconds_a_level=0.5),
}


def print_limits(row: dict[str, Any]) -> None:
    """What a case took beside what it may take."""
    limit = LIMITS.get((row["side"], row["kind"]))
    if limit is None or Table(**row["table"]) != Table(row["kind"], FULL_ROWS[-1]):
        return
    levels = row["levels"].values()
    counting = max(
        (level["account"]["steps"].get("bins", {"processor": 0.0})["processor"] for level in levels), default=0.0
    )
    alive = max((level["alive"] / level["tried"] for level in levels if level["tried"]), default=0.0)
    taken = (
        ("seconds", _total(row), limit.seconds),
        ("MB at the peak", row["peak"], limit.megabytes),
        ("seconds of counting at a level", counting, limit.seconds_a_level),
        ("% of bins looked into at a level", 100 * alive, 100 * limit.alive),
    )
    for name, value, most in taken:
        if most < float("inf"):
            print(f"    {'met' if value <= most else 'MISSED'}: {value:,.2f} of at most {most:,.1f} {name}")


def print_costs(rows: list[dict[str, Any]]) -> None:
    """Processor seconds of every side against rows, columns and depth, in all and for a million cells."""
    done = [row for row in rows if row.get("leaves")]
    print("\nCost: processor seconds from the file to the tree (a million cells), peak", flush=True)
    for side in dict.fromkeys(row["side"] for row in done):
        print(f"  {side}")
        for row in (row for row in done if row["side"] == side):
            table = Table(**row["table"])
            seconds, cells = _total(row), table.rows * table.n_columns / 1e6
            print(f"    {table.name:<60} {seconds:>8.2f} ({seconds / cells:.3f}) s {row['peak']:>7,.0f} MB")


def _total(row: dict[str, Any]) -> float:
    """Processor seconds from the file to the tree."""
    steps = row["account"]["steps"]
    return sum(steps[name]["processor"] for name in ("read", "encode", "connect and encode", "grow") if name in steps)


def parsed() -> argparse.Namespace:
    """The options given."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.scale", description=__doc__)
    parser.add_argument("--rows", type=int, nargs="+", metavar="N", help=f"numbers of rows (default {ROWS[0]:,})")
    parser.add_argument("--kinds", nargs="+", choices=list(MAKERS), default=list(MAKERS), help="kinds of tables")
    parser.add_argument("--sides", nargs="+", choices=list(SIDES), default=[*OURS, *PEERS], help="who grows")
    parser.add_argument("--memory-limit", default="300MB", help="limit given to the engine that counts")
    parser.add_argument("--shapes", action="store_true", help="also 5 and 20 columns, and depths 4 and 8")
    parser.add_argument("--levels", action="store_true", help="print every level of the tree")
    parser.add_argument("--full", action="store_true", help="10^5, 10^6 and 10^7 rows, shapes, levels (an hour)")
    parser.add_argument("--largest", action="store_true", help="also 3·10^7 continuous rows: 2.4 GB of numbers")
    parser.add_argument("--folder", type=Path, help="keep the tables here, and use those that are here")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to a file")
    options = parser.parse_args()
    options.rows = options.rows or (FULL_ROWS if options.full else ROWS)
    options.levels = options.levels or options.full
    return options


def main() -> None:
    """Run the cases and print them."""
    options = parsed()
    wanted = tables(options) + [Table("continuous", 30_000_000)] * options.largest
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores; seconds of processor (wall)", flush=True)
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or Path(temporary)
        rows = [row for table in wanted for row in run_table(table, options, folder)]
    print_costs(rows)
    if options.json is not None:
        options.json.write_text(json.dumps(rows, indent=1), "utf-8")


if __name__ == "__main__":
    main()
