"""Print how many times as long rpart and Weka's J48 take to grow the same tables, both measured in this run.

Run `python -m tests.benchmarks.peers [--rows N ...] [--weka /usr/share/java/weka.jar]` (Debian: `apt install
r-base-core r-cran-rpart weka`, and Java 11 or later). A program that is not installed is left out, and the
output says so.
"""

import argparse
import os
import platform
import shutil
import subprocess
import tempfile
from pathlib import Path
from statistics import median

import pandas as pd

import explorer as ex
from tests.benchmarks.contest import grow, timed
from tests.benchmarks.data import MAKERS, TARGET, Grown

HERE = Path(__file__).parent
REPEATS = 5
TABLE, ROWS = "two classes", (10_000, 100_000)
RPART = ex.CART.replace(min_rows_split=20.0, min_rows_leaf=7.0, max_depth=30)
"""rpart with minsplit 20, minbucket 7, cp 0, xval 0."""
J48 = ex.C45.replace(min_rows_leaf=2.0, min_rows_in="two")
"""J48 -U -M 2."""
RPART_WANTED, J48_WANTED = 8.0, 15.0


def arff(frame: pd.DataFrame) -> str:
    """A table of numbers with a target of classes in Weka's format."""
    classes = ", ".join(str(value) for value in sorted(frame[TARGET].unique()))
    head = [f"@attribute {name} numeric" for name in frame.columns[:-1]]
    body = frame.to_csv(index=False, header=False)
    return "\n".join(["@relation table", *head, f"@attribute {TARGET} {{{classes}}}", "@data", body])


def seconds_and_leaves(command: tuple[str, ...]) -> tuple[float, int]:
    """What a peer's program prints."""
    seconds, leaves = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    return float(seconds), int(float(leaves))


def compare(title: str, table: Grown, recipe: ex.Recipe, command: tuple[str, ...], wanted: float) -> None:
    """Let both grow in turn, from a table in memory, and print a line."""
    n_leaves = grow(table, recipe).n_leaves  # the first call loads the compiled loops
    ours, theirs, their_leaves = [], [], 0
    for _ in range(REPEATS):
        seconds, their_leaves = seconds_and_leaves(command)
        theirs.append(seconds)
        ours.append(timed(lambda: grow(table, recipe))[0])
    ratio = median(theirs) / median(ours)
    missed = "" if ratio >= wanted else "  MISSED"
    print(
        f"{title:<34} {median(theirs):>9.3f} {median(ours):>9.4f} {ratio:>7.1f}×  {wanted:g}×{missed}"
        f"   {n_leaves:,} / {their_leaves:,}",
        flush=True,
    )


def has_rpart() -> bool:
    """Whether R is there, with its package rpart."""
    rscript = shutil.which("Rscript")
    return rscript is not None and not subprocess.run([rscript, "-e", "library(rpart)"], capture_output=True).returncode


def main() -> None:
    """Write the tables to files, and measure whoever is installed."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.peers", description=__doc__)
    parser.add_argument("--weka", type=Path, default=Path("/usr/share/java/weka.jar"), help="where weka.jar is")
    parser.add_argument("--rows", type=int, nargs="+", metavar="N", default=ROWS, help="sizes of the table")
    options = parser.parse_args()
    weka = options.weka
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores; medians of {REPEATS}, in turn\n")
    print(f"{'program and table':<34} {'theirs s':>9} {'ours s':>9} {'ratio':>8}  wanted   leaves ours / theirs")
    has_r, has_weka = has_rpart(), weka.is_file() and shutil.which("java") is not None
    for rows in options.rows:
        table = MAKERS[TABLE](rows)
        with tempfile.TemporaryDirectory() as folder:
            csv, file = Path(folder) / "table.csv", Path(folder) / "table.arff"
            if has_r:
                table.frame.to_csv(csv, index=False)
                command = ("Rscript", str(HERE / "grow_rpart.R"), str(csv), "class")
                compare(f"rpart, {rows:,} {TABLE}", table, RPART, command, RPART_WANTED)
            if has_weka:
                file.write_text(arff(table.frame), "utf-8")
                command = ("java", "-cp", str(weka), str(HERE / "GrowJ48.java"), str(file), "-U", "-M", "2")
                compare(f"J48, {rows:,} {TABLE}", table, J48, command, J48_WANTED)
    for is_there, program in ((has_r, "rpart"), (has_weka, "J48")):
        if not is_there:
            print(f"{program} is not installed and was left out.")


if __name__ == "__main__":
    main()
