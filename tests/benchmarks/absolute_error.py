"""Print how many times as fast as scikit-learn trees grow by absolute error, end to end, both in this run.

Run `python -m tests.benchmarks.absolute_error [--rows ROWS] [--repeats N]`. Processor time counts all threads, and does
not depend on what else the machine does.
"""

import argparse
import time
from statistics import median

from sklearn.tree import DecisionTreeRegressor

import explorer as ex
from tests.benchmarks.contest import encode
from tests.benchmarks.data import MAKERS


def main() -> None:
    """Grow by both in turn, a first call of each not counted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--repeats", type=int, default=5)
    asked = parser.parse_args()
    table = MAKERS["regression"](asked.rows)
    for depth in (6, None):
        runs = {
            "ours": lambda depth=depth: ex.grow(
                encode(table), ex.CART.replace(impurity="absolute_error", max_depth=depth)
            ),
            "scikit-learn": lambda depth=depth: DecisionTreeRegressor(
                criterion="absolute_error", max_depth=depth, random_state=0
            ).fit(table.x, table.y),
        }
        clock, processor = {name: [] for name in runs}, {name: [] for name in runs}
        for repeat in range(asked.repeats + 1):
            for name, run in runs.items():
                begun, begun_processor = time.perf_counter(), time.process_time()
                run()
                if repeat:
                    clock[name].append(time.perf_counter() - begun)
                    processor[name].append(time.process_time() - begun_processor)
        by_clock, by_processor = (median(times["scikit-learn"]) / median(times["ours"]) for times in (clock, processor))
        where = "full depth" if depth is None else f"depth {depth}"
        print(f"{asked.rows:,} rows, {where}: {by_clock:.1f} times as fast, {by_processor:.1f} by processor time")


if __name__ == "__main__":
    main()
