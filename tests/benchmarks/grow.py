"""Print how many times as fast as scikit-learn trees grow here, end to end, both measured in this run.

Then the whole curve over α, the price of missing cells, what pruning takes beside growing, and the peak memory.

Run `python -m tests.benchmarks.grow [--full | --most ROWS] [--json FILE]`.
"""

import argparse
import json
import os
import platform
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

import sklearn

from tests.benchmarks.alpha import AlphaTimes, alpha_contest
from tests.benchmarks.contest import contest, peak_growth
from tests.benchmarks.data import MAKERS
from tests.benchmarks.missing import missing_contest
from tests.benchmarks.prune import WANTED as MOST_OF_GROWING
from tests.benchmarks.prune import pruning_contest

ALPHA_TARGET = 20_000
MEMORY_TARGET = 2.5
"""Times scikit-learn's peak, at most."""
ABOUT = """Ours: from a pandas frame to a tree (kinds, rank codes, CART).
scikit-learn {version}: fit on the float32 array.
In turn, a first call of each not counted; times are medians (minima in brackets), the ratio is that of the medians.
"census-like": real categories with subset tests here, their codes as numbers there; "as numbers": codes on both sides.
"""


@dataclass(frozen=True)
class Row:
    """One line of the table: which table, how many rows, how deep, how often, and the least ratio wanted."""

    maker: str
    rows: int
    repeats: int
    target: float | None = None
    depth: int | None = None

    @property
    def name(self) -> str:
        """The line's title."""
        return f"{self.rows:,} {self.maker}" + ("" if self.depth is None else f", depth {self.depth}")


ROWS = (
    Row("breast_cancer", 569, 15, 3.0),
    Row("digits", 1797, 11, 3.0),
    Row("two classes", 1_000, 15, 3.0),
    Row("two classes", 10_000, 7, 9.0),
    Row("regression", 10_000, 7, 5.0),
    Row("census-like", 10_000, 7, 4.0),
    Row("census-like, as numbers", 10_000, 7, 4.0),
    Row("two classes", 100_000, 3, 15.0),
    Row("two classes", 100_000, 3, None, 8),
    Row("five classes", 100_000, 3, 12.0),
    Row("regression", 100_000, 3, 7.0),
    Row("few values", 100_000, 3, 7.0),
    Row("few values, regression", 100_000, 3, 5.0),
    Row("census-like", 100_000, 3, 6.0),
    Row("census-like, as numbers", 100_000, 3, 6.0),
)
FULL_ROWS = (Row("two classes", 1_000_000, 1, 18.0), Row("two classes", 1_000_000, 1, 12.0, 8))


def measure(row: Row) -> dict[str, object]:
    """Time both growers on a row's table and print the line."""
    times = contest(MAKERS[row.maker](row.rows), row.depth, row.repeats)
    wanted = "" if row.target is None else f"{row.target:g}×" + ("" if times.ratio >= row.target else "  MISSED")
    print(
        f"{row.name:<38} {_seconds(times.peers):>18} {_seconds(times.ours):>18} {times.ratio:>6.1f}×  {wanted:<13}"
        f" {times.our_leaves:>8,} / {times.peer_leaves:,}",
        flush=True,
    )
    return {"row": row.name, "target": row.target, "ratio": times.ratio, **asdict(times)}


def _seconds(times: list[float]) -> str:
    return f"{median(times):.4f} ({min(times):.4f})"


def measure_memory(row: Row) -> dict[str, object]:
    """Print by how much each grower's process grows at its peak."""
    (ours, of_node), (peers, _) = (peak_growth(row.maker, row.rows, side, row.depth) for side in ("ours", "peer"))
    ratio = ours / max(peers, 1e-9)
    missed = "" if ratio <= MEMORY_TARGET else "  MISSED"
    print(
        f"{row.name:<38} {peers:>10.0f} MB {ours:>10.0f} MB {ratio:>8.1f}×  {MEMORY_TARGET:g}×{missed:<8}"
        f" {of_node:>6.0f} B a node of the tree",
        flush=True,
    )
    return {"row": row.name, "ours_mb": ours, "peer_mb": peers, "bytes_a_node": of_node}


def print_alpha(times: AlphaTimes) -> None:
    """Print the comparison of the two ways to a validation curve over α."""
    missed = "" if times.ratio >= ALPHA_TARGET else "  MISSED"
    print(f"\nValidation accuracy at every α, {times.rows:,} two classes ({times.alphas} α)")
    print(f"  scikit-learn: path {times.peer_path:.3f} s, {times.alphas} refits and scores of {times.peer_refit:.3f} s")
    print(f"                = {times.peer_loop:.1f} s (extrapolated from {times.refits} spread refits)")
    print(f"  ours: path and curve {times.path_and_curve:.4f} s, growing {times.growing:.4f} s before")
    print(
        f"  ratio {times.ratio:,.0f}×, with growing {times.ratio_with_growing:,.0f}× (wanted {ALPHA_TARGET:,}×){missed}"
    )


def main() -> None:
    """Run the contests and print the tables."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.grow", description=__doc__)
    parser.add_argument("--full", action="store_true", help="also grow on a million rows (some minutes)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to a file")
    parser.add_argument("--most", type=int, default=100_000, metavar="ROWS", help="leave out larger tables (100,000)")
    options = parser.parse_args()
    most = options.most
    rows = [row for row in ROWS if row.rows <= most] + [*FULL_ROWS] * options.full
    print(ABOUT.format(version=sklearn.__version__))
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores\n")
    print(f"{'table':<38} {'scikit-learn s':>18} {'ours s':>18} {'ratio':>7}  {'wanted':<13} {'leaves ours / theirs'}")
    figures: dict[str, object] = {"grow": [measure(row) for row in rows]}
    alpha = alpha_contest(min(most, 10_000), min(most, 5_000))
    print_alpha(alpha)
    figures["missing"] = missing_contest(most)
    print(f"\nPruning a full tree, as a share of growing it; at most {MOST_OF_GROWING:.0%} wanted")
    figures["pruning"] = pruning_contest(most)
    figures["alpha"] = {**asdict(alpha), "ratio": alpha.ratio, "ratio_with_growing": alpha.ratio_with_growing}
    if sys.platform == "linux":
        print(f"\n{'peak memory while growing':<38} {'scikit-learn':>13} {'ours':>13} {'ratio':>9}  at most")
        figures["memory"] = [measure_memory(row) for row in rows if row.rows >= most]
    if options.json is not None:
        options.json.write_text(json.dumps(figures, indent=1), "utf-8")


if __name__ == "__main__":
    main()
