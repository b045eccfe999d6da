"""Print what missing cells cost, and how long C4.5 takes beside scikit-learn's full CART, both measured in this run.

Run `python -m tests.benchmarks.missing [rows]`. Five per cent of the cells of every feature are empty; C4.5 asks for
two rows in two branches, as Quinlan's program does.
"""

import sys
from collections.abc import Callable
from statistics import median

import explorer as ex
from tests.benchmarks.contest import grow_peer, timed
from tests.benchmarks.data import TARGET, Grown, census, two_classes, with_holes

MOST = 1.6
MOST_OF_PEER = 0.7
REPEATS = 3
C45 = ex.C45.replace(min_rows_leaf=2.0, min_rows_in="two")


def grow(table: Grown, recipe: ex.Recipe) -> ex.Tree:
    """From the frame to a tree."""
    data = ex.Dataset.from_frame(table.frame, TARGET, features=list(table.frame.columns[:-1]), kinds=table.kinds)
    return ex.grow(data, recipe)


def seconds(run: Callable[[], object]) -> float:
    """Median time of a few calls; a first one does not count."""
    run()
    return median(timed(run)[0] for _ in range(REPEATS))


def main(rows: int) -> None:
    """Print one line per table and recipe."""
    print(f"{'table':<24} {'recipe':<18} {'complete s':>10} {'missing s':>10} {'ratio':>6}  leaves   of scikit-learn")
    for name, maker in (("two classes", two_classes), ("census-like", census)):
        table = maker(rows)
        holes, peer = with_holes(table), seconds(lambda table=table: grow_peer(table, None))
        for recipe, policy in ((C45, "fractional"), (ex.CART, "surrogate"), (ex.CART, "most_common")):
            wanted = recipe.replace(missing=policy)
            complete, missing = (seconds(lambda t=t, r=wanted: grow(t, r)) for t in (table, holes))
            leaves = [grow(t, wanted).n_leaves for t in (table, holes)]
            print(
                f"{rows:,} {name:<16} {recipe.name + ' ' + policy:<18} {complete:>10.3f} {missing:>10.3f} "
                f"{missing / complete:>5.1f}×  {leaves[0]:,} → {leaves[1]:,}   {complete / peer:.2f}",
                flush=True,
            )
    print(f"wanted: fractional at most {MOST}× the complete table, C4.5 at most {MOST_OF_PEER}× scikit-learn's time")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
