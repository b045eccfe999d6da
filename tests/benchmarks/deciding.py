"""Print how long each view that helps to decide waits for the package, and what asking for the cost of limits takes.

Run `python -m tests.benchmarks.deciding [--rows N] [--repeats N] [--only NAME]`. A view should be there 300 ms after a
click; the cost of 8 limits in 10 seconds on two cores.
"""

import argparse
import os
import platform
import time
from collections.abc import Callable
from functools import cached_property
from statistics import median

import numpy as np

import explorer as ex
from explorer.drawing.figures import row_figures
from explorer.drawing.figures.parallel_figure import parallel_figure
from explorer.drawing.palette import LIGHT
from explorer.evaluation.comparison.constraint_costs import constraint_costs
from explorer.evaluation.leaf_outcomes import leaf_outcomes
from explorer.explaining.leaf_spreads import leaf_spreads, numbers_of
from explorer.explaining.node_profile import missing_patterns, node_profile
from explorer.explaining.parallel_axes import parallel_axes
from tests.benchmarks.contest import collect, encode
from tests.benchmarks.data import TARGET, Grown, census, two_classes, with_holes
from tests.benchmarks.process_account import processor_seconds

ROWS, FOLDS, SHOWN = 100_000, 5, 600
LIMITS = {
    "max_depth": 8,
    "min_rows_leaf": 20,
    "min_impurity_decrease": 1e-6,
    "max_leaf_nodes": 100,
    "monotone": {"x0": 1, "x1": 1, "x2": 1, "x3": -1},
}
ABOUT = """{rows:,} rows like a census with six columns more, 20 in all, a twentieth of the cells missing; CART with
leaves of 20 rows or more, grown on 70 %. Medians of {repeats} in milliseconds, a first call of each not counted: by the
clock, and of processor, which depends less on what else the machine does.
"""


class Case:
    """The table, its training and validation rows, the tree, and the node that is looked at: the left one below."""

    def __init__(self, rows: int) -> None:
        table, more = census(rows), np.random.default_rng(2).normal(size=(rows, 6)).round(3)
        frame = table.frame.drop(columns=TARGET)
        frame[[f"x{column}" for column in range(6)]] = more
        whole = Grown(frame.assign(**{TARGET: table.frame[TARGET]}), table.x, table.y, table.kinds)
        self.frame = with_holes(whole).frame
        self.data = encode(with_holes(whole))
        self.train, self.valid = self.data.split(0.7)
        self.tree = ex.grow(self.train, ex.CART.replace(min_rows_leaf=20))
        self.node = 1

    @cached_property
    def limited(self) -> ex.Dataset:
        """As many rows of ten numbers."""
        return encode(two_classes(self.data.n_rows))

    @cached_property
    def later(self) -> tuple[object, np.ndarray]:
        """Rows of a file, and their classes by code."""
        rows = self.frame.iloc[self.valid.row_numbers]
        return rows, np.asarray(self.valid.y, dtype=np.float64)

    def in_node(self) -> tuple[np.ndarray, np.ndarray]:
        """Some training rows evenly from all, and which of them are in the node."""
        inside = np.zeros(self.train.n_rows, dtype=bool)
        inside[self.tree.rows_at(self.train, self.node)] = True
        shown = np.linspace(0, self.train.n_rows - 1, SHOWN).astype(np.intp)
        return shown, inside[shown]


def scatter(case: Case) -> object:
    """The picture of a node's rows over two columns."""
    shown, inside = case.in_node()
    x, y = numbers_of(case.train, "age")[shown], numbers_of(case.train, "x0")[shown]
    scales = tuple(next(each.scale for each in case.train.features if each.name == name) for name in ("age", "x0"))
    points = x, y, np.asarray(case.train.y, dtype=np.float64)[shown]
    return row_figures.rows_figure(("age", "x0"), scales, points, inside, shown, case.train.classes, LIGHT)


def parallel(case: Case) -> object:
    """The picture over parallel axes."""
    shown, inside = case.in_node()
    axes = parallel_axes(case.train, [feature.name for feature in case.train.features[:6]], shown)
    truth = np.asarray(case.train.y, dtype=np.float64)[shown]
    return parallel_figure(axes, truth, inside, shown, case.train.classes, LIGHT)


VIEWS: dict[str, Callable[[Case], object]] = {
    "gains": lambda case: ex.gains(case.tree, case.valid, 1, (1, -1, 0, 0), by_training=True),
    "thresholds": lambda case: ex.class_curves(case.tree, case.valid, 1),
    "profile": lambda case: node_profile(case.tree, case.train, case.node),
    "scatter": scatter,
    "boxes": lambda case: leaf_spreads(case.tree, case.train, "age", case.node),
    "parallel": parallel,
    "patterns": lambda case: missing_patterns(case.tree, case.train, case.node),
    "dependence": lambda case: ex.partial_dependence(case.tree, "age", case.valid),
    "drift": lambda case: ex.drift(case.tree, case.train, case.later[0]),
    "outcomes": lambda case: leaf_outcomes(case.tree, case.train, *case.later),
}


def limits(case: Case) -> object:
    """What each of eight limits costs."""
    return constraint_costs(case.limited, ex.CART.replace(**LIMITS), folds=FOLDS)


def measure(name: str, work: Callable[[Case], object], case: Case, repeats: int) -> None:
    """Print the line of one view."""
    work(case)
    clocks, processors = list[float](), list[float]()
    for _ in range(repeats):
        collect()
        processor, start = processor_seconds(), time.perf_counter()
        work(case)
        clocks.append(1000 * (time.perf_counter() - start))
        processors.append(1000 * (processor_seconds() - processor))
    print(f"{name:<12} {median(clocks):>9,.0f} {median(processors):>9,.0f}", flush=True)


def main() -> None:
    """Time the views and print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.deciding", description=__doc__)
    parser.add_argument("--rows", type=int, default=ROWS)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--only", metavar="NAME", help=", ".join([*VIEWS, "limits"]))
    options = parser.parse_args()
    print(ABOUT.format(rows=options.rows, repeats=options.repeats))
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}\n")
    case = Case(options.rows)
    print(f"{case.tree.n_leaves:,} leaves\n\n{'':<12} {'clock':>9} {'processor':>9}")
    for name, work in VIEWS.items():
        if options.only in (None, name):
            measure(name, work, case, options.repeats)
    if options.only in (None, "limits"):
        measure("limits", limits, case, 1)


if __name__ == "__main__":
    main()
