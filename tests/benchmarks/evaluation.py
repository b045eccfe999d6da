"""Print how long it takes to judge a tree, beside scikit-learn, and how long other readers wait meanwhile.

Run `python -m tests.benchmarks.evaluation [--only NAME] [--rows N] [--repeats N] [--json FILE]`.
"""

import argparse
import json
import os
import platform
import threading
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from statistics import median

import numpy as np
import sklearn
from numpy.typing import NDArray
from sklearn.inspection import permutation_importance
from sklearn.model_selection import StratifiedKFold, cross_val_score, learning_curve
from sklearn.tree import DecisionTreeClassifier

import explorer as ex
from explorer.evaluation.decision_regions import MOST_CELLS, decision_regions
from explorer.evaluation.learning_curve import SHARES
from explorer.evaluation.out_of_fold import out_of_fold
from explorer.threads import thread_count
from tests.benchmarks.contest import collect
from tests.benchmarks.data import TARGET, Grown, two_classes
from tests.benchmarks.process_account import processor_seconds

Cost = NDArray[np.float64]
"""Seconds by the clock, and of processor over all threads and processes."""
ROWS, SMALL_ROWS, SHUFFLES, FOLDS, CURVE_FOLDS = 100_000, 1_000, 10, 10, 5
ABOUT = """Two classes, ten numeric features, {rows:,} rows; CART at full depth. 70 % of the rows for growing and the
rest for shuffling, all rows for folds. Medians of {repeats}, a first call of each not counted. scikit-learn {version}
with {jobs} jobs. "processor": our seconds of processor, which depend less on what else the machine does; "cores": these
by clock time. Ratios: scikit-learn's by ours, of the clock and of the processor. A figure with ~ is one step times the
number of steps. Last columns: the longest wait of another reader in milliseconds, alone → meanwhile, for a tree of
{small:,} rows, for the candidates at its root, and for those at the root of the large tree.
"""


class Case:
    """One table on both sides, with the tree that is judged."""

    def __init__(self, rows: int) -> None:
        table = two_classes(rows)
        self.x, self.y = table.x, table.y
        self.data = data_of(table)
        self.train, self.valid = self.data.split(0.7)
        self.tree = ex.grow(self.train, ex.CART)

    @cached_property
    def fitted(self) -> DecisionTreeClassifier:
        """scikit-learn's tree on the same rows."""
        rows = self.train.row_numbers
        return DecisionTreeClassifier(random_state=0).fit(self.x[rows], self.y[rows])


@dataclass(frozen=True)
class Task:
    """What is measured; the peer says what it takes, measured or (`is_estimate`) added up."""

    group: str
    name: str
    ours: Callable[[Case], object]
    peer: Callable[[Case], Cost] | None
    is_estimate: bool = False


def data_of(table: Grown) -> ex.Dataset:
    """The table as a data set."""
    return ex.Dataset.from_frame(table.frame, TARGET, kinds=table.kinds)


def cost(call: Callable[[], object]) -> Cost:
    """What one call takes."""
    collect()
    processor, start = processor_seconds(), time.perf_counter()
    call()
    return np.array([time.perf_counter() - start, processor_seconds() - processor])


def peer_regions(case: Case) -> Cost:
    """The predictions behind scikit-learn's DecisionBoundaryDisplay, on a grid of as many points."""
    low, high = case.x.min(axis=0), case.x.max(axis=0)
    across, up = (np.linspace(low[k], high[k], MOST_CELLS, dtype=np.float32) for k in range(2))

    def predict() -> NDArray[np.int64]:
        grid = np.tile(np.median(case.x, axis=0), (MOST_CELLS**2, 1))
        grid[:, 0], grid[:, 1] = np.tile(across, MOST_CELLS), np.repeat(up, MOST_CELLS)
        return np.asarray(fitted.predict(grid))

    fitted = case.fitted
    return cost(predict)


def peer_permutation(case: Case) -> Cost:
    """scikit-learn's permutation importance."""
    fitted, rows = case.fitted, case.valid.row_numbers
    x, y = case.x[rows], case.y[rows]
    return cost(lambda: permutation_importance(fitted, x, y, n_repeats=SHUFFLES, n_jobs=thread_count()))


def peer_learning_curve(case: Case) -> Cost:
    """scikit-learn's learning curve of the same sizes."""
    folds = StratifiedKFold(CURVE_FOLDS, shuffle=True, random_state=0)
    tree = DecisionTreeClassifier(random_state=0)
    arguments = {"train_sizes": SHARES, "cv": folds, "shuffle": True, "n_jobs": thread_count()}
    return cost(lambda: learning_curve(tree, case.x, case.y, **arguments))


def peer_folds(case: Case) -> Cost:
    """A tree for every α of the sequence in every fold, as scikit-learn's guide chooses α; one α is measured."""
    tree = DecisionTreeClassifier(random_state=0)
    paths: list[NDArray[np.float64]] = []
    found = cost(lambda: paths.append(tree.cost_complexity_pruning_path(case.x, case.y).ccp_alphas))
    alphas = np.unique(paths[0])
    one = tree.set_params(ccp_alpha=float(np.median(alphas)))
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=0)
    return found + alphas.size * cost(lambda: cross_val_score(one, case.x, case.y, cv=folds, n_jobs=thread_count()))


TASKS = (
    Task("regions", "decision regions", lambda case: decision_regions(case.tree, case.train, "x0", "x1"), peer_regions),
    Task(
        "permutation",
        f"permutation importance, {SHUFFLES} shuffles",
        lambda case: ex.permutation_importance(case.tree, case.valid, SHUFFLES),
        peer_permutation,
    ),
    Task(
        "learning",
        f"learning curve, {len(SHARES)} sizes, {CURVE_FOLDS} folds",
        lambda case: ex.learning_curve(case.data, ex.CART, folds=CURVE_FOLDS),
        peer_learning_curve,
    ),
    Task(
        "folds",
        f"every pruned tree in {FOLDS} folds",
        lambda case: ex.cross_validate_path(case.data, ex.CART, FOLDS),
        peer_folds,
        is_estimate=True,
    ),
    Task(
        "c45",
        f"the same by C4.5 in {FOLDS} folds",
        lambda case: ex.cross_validate_path(case.data, ex.C45, FOLDS),
        None,
    ),
    Task(
        "predictions",
        f"predictions of {FOLDS} folds",
        lambda case: out_of_fold(case.data, ex.CART, 0, FOLDS),
        None,
    ),
)


class Reader:
    """Another reader, who asks for one small thing after the other in a thread of their own."""

    def __init__(self, case: Case) -> None:
        self.large, self.small = case, data_of(two_classes(SMALL_ROWS, seed=1))
        self.has_left = threading.Event()
        self.waits: dict[str, list[float]] = {"grow": [], "decide": [], "decide large": []}
        self.ask()

    def ask(self) -> None:
        """Ask for one thing after the other."""
        start = time.perf_counter()
        tree = ex.grow(self.small, ex.CART)
        grown = time.perf_counter()
        ex.decide(tree, self.small, 0)
        decided = time.perf_counter()
        ex.decide(self.large.tree, self.large.train, 0)
        ends = (grown - start, decided - grown, time.perf_counter() - decided)
        for name, seconds in zip(self.waits, ends, strict=True):
            self.waits[name].append(seconds)

    def stay(self) -> None:
        """Ask, look at the answers for a while, and ask again."""
        while not self.has_left.wait(0.01):
            self.ask()

    def longest(self, work: Callable[[], object]) -> dict[str, float]:
        """The longest waits while work is done, in milliseconds."""
        self.has_left.clear()
        for waits in self.waits.values():
            waits.clear()
        thread = threading.Thread(target=self.stay)
        thread.start()
        try:
            work()
        finally:
            self.has_left.set()
            thread.join()
        return {name: 1000 * max(waits, default=float("nan")) for name, waits in self.waits.items()}


def measure(task: Task, case: Case, repeats: int, has_peer: bool) -> dict[str, object]:
    """Time both sides in turn, then let another reader ask while the task is done; print the line."""
    small, reader = Case(3_000), Reader(case)
    task.ours(small)
    ours, peers = list[Cost](), list[Cost]()
    peer = task.peer if has_peer else None
    if peer is not None:
        peer(small)
    for _ in range(repeats):
        ours.append(cost(lambda: task.ours(case)))
        if peer is not None:
            peers.append(peer(case))
    alone = reader.longest(lambda: time.sleep(2.0 if repeats > 1 else 0.1))
    meanwhile = reader.longest(lambda: [task.ours(case) for _ in range(repeats)])
    print(f"{task.name:<40} {in_words(ours, peers, task.is_estimate)}   {waits(alone, meanwhile)}", flush=True)
    figures = {"ours": np.array(ours).tolist(), "peer": np.array(peers).tolist()}
    return {**figures, "alone": alone, "meanwhile": meanwhile}


def in_words(ours: list[Cost], peers: list[Cost], is_estimate: bool) -> str:
    """What both sides take, and how many times as much the peer."""
    (mine, processor), cores = np.median(ours, axis=0), median(float(each[1] / each[0]) for each in ours)
    text = f"{mine:>7.3f} s {processor:>7.3f} s {cores:>5.2f}"
    if not peers:
        return f"{text} {'–':>12} {'–':>9} {'–':>9}"
    sign, (theirs, of_theirs) = "~" if is_estimate else "", np.median(peers, axis=0)
    ratios = [f"{sign}{ratio:,.1f}×" for ratio in (theirs / mine, of_theirs / processor)]
    return f"{text} {f'{sign}{theirs:,.2f} s':>12} {ratios[0]:>9} {ratios[1]:>9}"


def waits(alone: dict[str, float], meanwhile: dict[str, float]) -> str:
    """The longest waits for each thing."""
    return "  ".join(f"{alone[name]:>5.0f} →{meanwhile[name]:>5.0f}" for name in alone)


def main() -> None:
    """Run the tasks and print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.evaluation", description=__doc__)
    parser.add_argument("--only", metavar="NAME", help=", ".join(task.group for task in TASKS))
    parser.add_argument("--rows", type=int, default=ROWS)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--alone", action="store_true", help="leave scikit-learn out")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to a file")
    options = parser.parse_args()
    warnings.filterwarnings("ignore", category=UserWarning)
    facts = {"rows": options.rows, "repeats": options.repeats, "small": SMALL_ROWS, "version": sklearn.__version__}
    print(ABOUT.format(jobs=thread_count(), **facts))
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}\n")
    titles = f"{'':<40} {'ours':>9} {'processor':>9} {'cores':>5} {'scikit-learn':>12} {'ratio':>9} {'processor':>9}"
    print(f"{titles}   {'grow':>12}  {'decide':>12}  {'large':>12}")
    case, figures = Case(options.rows), {}
    for task in TASKS:
        if options.only in (None, task.group):
            figures[task.name] = measure(task, case, options.repeats, not options.alone)
    if options.json is not None:
        options.json.write_text(json.dumps(figures, indent=1), "utf-8")


if __name__ == "__main__":
    main()
