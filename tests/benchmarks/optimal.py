"""The best tree of a depth, beside STreeD where it is installed: `python -m tests.benchmarks.optimal`.

STreeD reads columns of 0 and 1, one for every threshold; with as many thresholds as rows there are too many for it.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
import pandas as pd
from sklearn.datasets import make_classification

import explorer as ex


def table(rows: int, columns: int, thresholds: int | None) -> tuple[pd.DataFrame, np.ndarray]:
    """Numeric columns, each in so many quantiles less one (None: as they are), and two classes."""
    x, y = make_classification(rows, columns, n_informative=5, n_redundant=2, flip_y=0.05, random_state=0)
    frame = pd.DataFrame(x, columns=[f"x{i}" for i in range(columns)])
    if thresholds is not None:
        shares = np.linspace(0.0, 1.0, thresholds + 2)[1:-1]
        frame = frame.apply(lambda column: np.searchsorted(np.quantile(column, shares), column).astype(float))
    return frame, y


def by_streed(frame: pd.DataFrame, y: np.ndarray, depth: int) -> tuple[float, int] | None:
    """Seconds and errors of STreeD; None where it is not installed."""
    try:
        from pystreed import STreeDClassifier
    except ImportError:
        return None
    binary = np.column_stack([frame[name] <= value for name in frame for value in np.unique(frame[name])[:-1]])
    start = time.perf_counter()
    model = STreeDClassifier("accuracy", max_depth=depth, time_limit=600).fit(binary.astype(int), y)
    return time.perf_counter() - start, int((model.predict(binary.astype(int)) != y).sum())


def by_search(frame: pd.DataFrame, y: np.ndarray, depth: int) -> tuple[float, ex.BestSubtree]:
    """Seconds and the result of `best_subtree`."""
    data = ex.Dataset.from_frame(frame.assign(y=np.where(y == 1, "p", "q")), "y")
    start = time.perf_counter()
    best = ex.best_subtree(data, depth)
    return time.perf_counter() - start, best


def main() -> None:
    """Print one line a case."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--columns", type=int, default=10)
    parser.add_argument("--depths", type=int, nargs="+", default=[2, 3])
    parser.add_argument("--thresholds", type=int, nargs="*", default=[10, 30], help="per column; all are always tried")
    given = parser.parse_args()
    by_search(*table(50, 7, None), 3)  # compiles
    for thresholds in (*given.thresholds, None):
        frame, y = table(given.rows, given.columns, thresholds)
        for depth in given.depths:
            seconds, best = by_search(frame, y, depth)
            peer = by_streed(frame, y, depth) if thresholds is not None else None
            beside = "" if peer is None else f", STreeD {peer[0]:.2f} s ({peer[1]} errors)"
            proven = "proven" if best.is_proven else f"not below {best.lower_bound:.6g}"
            print(
                f"depth {depth}, {thresholds or 'all'} thresholds a column: {best.loss:.6g} errors ({proven}), greedy "
                f"{best.greedy_loss:.6g}, {seconds:.2f} s{beside}",
                flush=True,
            )


if __name__ == "__main__":
    main()
