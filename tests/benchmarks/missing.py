"""What missing cells cost, and how long C4.5 takes beside scikit-learn's full CART, both measured in one run.

Run `python -m tests.benchmarks.missing [rows]`; `tests.benchmarks.grow` prints it too. Five per cent of the cells of
every feature are empty; C4.5 asks for two rows in two branches, as Quinlan's program does.
"""

import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from statistics import median
from time import process_time

import explorer as ex
from tests.benchmarks.contest import grow, grow_peer, timed
from tests.benchmarks.data import MAKERS, with_holes

MOST = {"fractional": 1.6, "surrogate": 2.0}
"""How many times the complete table's time a policy may take; the most common value has no limit."""
MOST_OF_PEER = 0.7
REPEATS = 5
C45 = ex.C45.replace(min_rows_leaf=2.0, min_rows_in="two")
LIMITED = "census-like"
"""The table on which C4.5 has to stay below `MOST_OF_PEER`."""


@dataclass(frozen=True)
class Costs:
    """Seconds of every repeat, on the complete table, with missing cells, and of scikit-learn; and our leaves.

    `work` is how many times as much processor time the missing cells take, by the least of each: other programs on the
    machine hardly move it.
    """

    table: str
    recipe: str
    complete: list[float]
    missing: list[float]
    peer: list[float]
    leaves: tuple[int, int]
    work: float

    @property
    def ratio(self) -> float:
        """How many times as long the table with missing cells takes."""
        return median(self.missing) / median(self.complete)

    @property
    def of_peer(self) -> float:
        """The complete table's time as a part of scikit-learn's."""
        return median(self.complete) / median(self.peer)


def measure(name: str, rows: int, recipe: ex.Recipe) -> Costs:
    """The three in turn, after a first call of each."""
    table = MAKERS[name](rows)
    holes = with_holes(table)
    ways: tuple[Callable[[], object], ...] = (
        lambda: grow(table, recipe),
        lambda: grow(holes, recipe),
        lambda: grow_peer(table, None),
    )
    leaves = grow(table, recipe).n_leaves, grow(holes, recipe).n_leaves
    times = [[clocked(way) for way in ways] for _ in range(REPEATS)]
    complete, missing, peer = ([wall for wall, _ in column] for column in zip(*times, strict=True))
    least = [min(processor for _, processor in column) for column in zip(*times, strict=True)]
    return Costs(name, f"{recipe.name} {recipe.missing}", complete, missing, peer, leaves, least[1] / least[0])


def clocked(run: Callable[[], object]) -> tuple[float, float]:
    """Seconds on the clock, and of processor time (all threads)."""

    def counted() -> float:
        before = process_time()
        run()
        return process_time() - before

    return timed(counted)


def missing_contest(rows: int) -> list[dict[str, object]]:
    """Print one line per table and recipe; medians, with the minima in brackets."""
    columns = f"{'complete s':>16} {'missing s':>16} {'ratio':>14} {'work':>6}  of scikit-learn   leaves"
    print(f"\n{'5 % of the cells missing':<24} {'recipe':<18} {columns}")
    found = []
    for name in ("two classes", "census-like"):
        for recipe, policy in ((C45, "fractional"), (ex.CART, "surrogate"), (ex.CART, "most_common")):
            costs = measure(name, rows, recipe.replace(missing=policy))
            print_costs(costs, rows, MOST.get(policy, float("inf")), policy == "fractional")
            found.append({**asdict(costs), "ratio": costs.ratio, "of_peer": costs.of_peer})
    print(
        f"wanted: {', '.join(f'{policy} at most {most:g}×' for policy, most in MOST.items())} the complete table, "
        f"C4.5 on {LIMITED} at most {MOST_OF_PEER}× scikit-learn"
    )
    return found


def print_costs(costs: Costs, rows: int, most: float, is_quinlan: bool) -> None:
    """One line; `most` is how many times the complete table's time is wanted at most."""
    complete, missing = (f"{median(times):.3f} ({min(times):.3f})" for times in (costs.complete, costs.missing))
    ratios = f"{costs.ratio:>6.1f}×{' MISSED' if costs.ratio > most else '':<7} {costs.work:>5.1f}×"
    behind = " MISSED" if is_quinlan and costs.table == LIMITED and costs.of_peer > MOST_OF_PEER else ""
    print(
        f"{rows:>9,} {costs.table:<14} {costs.recipe:<18} {complete:>16} {missing:>16} {ratios}  "
        f"{costs.of_peer:>6.2f}×{behind:<9} {costs.leaves[0]:,} → {costs.leaves[1]:,}",
        flush=True,
    )


if __name__ == "__main__":
    missing_contest(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
