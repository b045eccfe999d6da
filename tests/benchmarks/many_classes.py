"""Print what trees cost whose target has hundreds of classes, beside the same rows with few classes.

Run `python -m tests.benchmarks.many_classes [--classes 240 900]`. Times are seconds of processor time.
"""

import argparse
import time
from collections.abc import Callable

import numpy as np
import pandas as pd

import explorer as ex
from explorer.data.samples import load_sample

RECIPES = (ex.ID3, ex.C45, ex.CART)
FEW = 8
WORK: dict[str, Callable[[ex.Dataset, ex.Tree], object]] = {
    "grow": lambda data, tree: ex.grow(data, tree.recipe),
    "decide": lambda data, tree: ex.decide(tree, data, 0),
    "near tie": lambda data, tree: ex.near_tie(tree, data, 0),
    "path": lambda data, tree: ex.cost_complexity_path(tree),
    "pessimistic": lambda data, tree: ex.pessimistic_prune(tree),
    "predict": lambda data, tree: tree.predict_proba(data),
}


def data_with(classes: int, rows: int) -> ex.Dataset:
    """Rows of so many classes, with numbers and with categories of which more than ten are at a node."""
    rng = np.random.default_rng(0)
    cells = {"a": rng.normal(size=rows), "b": rng.choice(list("abcdefghij"), rows), "c": rng.integers(0, 30, rows)}
    frame = pd.DataFrame({**cells, "d": rng.normal(size=rows), "goal": [f"class {i % classes}" for i in range(rows)]})
    return ex.Dataset.from_frame(frame, "goal", ["a", "b", "c", "d"], {"c": "categorical"})


def names_of_passengers() -> ex.Dataset:
    """Titanic with the name as target, a class for each row."""
    frame = load_sample("titanic").frame
    return ex.Dataset.from_frame(frame, "name", [name for name in frame.columns if name != "name"])


def seconds(work: Callable[[], object]) -> float:
    """Processor time."""
    start = time.process_time()
    work()
    return time.process_time() - start


def table(title: str, data: ex.Dataset, few: ex.Dataset) -> None:
    """A line per kind of work: seconds with many classes and with few."""
    print(f"\n{title + ': seconds (and with 8 classes)':<52}" + "".join(f"{recipe.name:>20}" for recipe in RECIPES))
    trees = [(ex.grow(data, recipe), ex.grow(few, recipe)) for recipe in RECIPES]  # compiles
    for label, work in WORK.items():
        cells = []
        for many_tree, few_tree in trees:
            work(few, few_tree)
            many = seconds(lambda tree=many_tree: work(data, tree))  # noqa: B023
            cells.append(f"{many:10.3f} ({seconds(lambda tree=few_tree: work(few, tree)):.3f})")  # noqa: B023
        print(f"{label:<52}" + "".join(f"{cell:>20}" for cell in cells), flush=True)


def main() -> None:
    """Parse the arguments and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--classes", type=int, nargs="+", default=[240, 900], help="numbers of classes, a row for each")
    for classes in parser.parse_args().classes:
        table(f"{classes} rows of {classes} classes", data_with(classes, classes), data_with(FEW, classes))
    names = names_of_passengers()
    table(f"Titanic's {len(names.classes)} names", names, data_with(FEW, names.n_rows))


if __name__ == "__main__":
    main()
