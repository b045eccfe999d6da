"""Print what trees with thousands of branches or classes cost: rules, predictions and exports.

Run `python -m tests.benchmarks.many_values [--values 500 2000 10000]`. Times are seconds of processor time.
"""

import argparse
import time
from collections.abc import Callable

import numpy as np
import pandas as pd

import explorer as ex
from tests.oracles.many_values import WORK

RECIPES = {"each value": ex.ID3.replace(max_depth=2), "fractional": ex.C45, "subset": ex.CART.replace(max_depth=6)}


def data_with(values: int) -> ex.Dataset:
    """Two rows for each of so many categories, of two classes that mostly depend on the category."""
    rng = np.random.default_rng(0)
    codes = np.repeat(np.arange(values), 2)
    classes = np.where(rng.random(codes.size) < 0.9, codes * 7919 % 2, rng.integers(0, 2, codes.size))
    cells = {"code": [f"c{code:05d}" for code in codes], "x": rng.random(codes.size), "y": [f"k{k}" for k in classes]}
    return ex.Dataset.from_frame(pd.DataFrame(cells), "y", ["code", "x"])


def seconds(work: Callable[[], object]) -> float:
    """Processor time."""
    start = time.process_time()
    work()
    return time.process_time() - start


def branches(sizes: list[int]) -> None:
    """A table of what is done with trees whose features have so many categories."""
    for name, recipe in RECIPES.items():
        print(f"\n{name:32s}" + "".join(f"{size:>12,}" for size in sizes) + "  categories")
        cases = [(data, ex.grow(data, recipe)) for data in map(data_with, sizes)]
        for label, work in WORK.items():
            work(cases[0][1], cases[0][0])  # compiles
            times = [seconds(lambda case=case: work(case[1], case[0])) for case in cases]  # noqa: B023
            print(f"{label:32s}" + "".join(f"{time_taken:12.3f}" for time_taken in times))


def main() -> None:
    """Parse the arguments and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--values", type=int, nargs="+", default=[500, 2000, 10_000], help="numbers of categories")
    branches(parser.parse_args().values)


if __name__ == "__main__":
    main()
