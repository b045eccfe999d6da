"""Print how many times as fast as scikit-learn's ensembles grow here, end to end, both measured in this run.

Run `python -m tests.benchmarks.ensembles [--only NAME] [--rows N] [--repeats N] [--json FILE]`; without options
it prints every ratio, and what a member keeps in memory.
"""

import argparse
import gc
import json
import os
import platform
import time
import warnings
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import sklearn
from sklearn.ensemble import (
    AdaBoostClassifier,
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    RandomForestClassifier,
)
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils import resample

import explorer as ex
from explorer.ensembles.boosting.score_steps import ScoreStep
from explorer.ensembles.members import Ensemble
from explorer.threads import thread_count, using_threads
from tests.benchmarks.data import TARGET, Grown, regression, two_classes

TREES, ROUNDS, DEPTH, RESAMPLES = 10, 20, 3, 200
SIZES = (10_000, 100_000)
ABOUT = """Ten numeric features; two classes, but for squared error. Ours: from a pandas frame to the ensemble.
scikit-learn {version}: fit on the float32 array. In turn, a first call of each not counted; processor time, medians,
ratios of medians; the last ratio is that of the time on the clock. Newton's boosting has the peer of log loss.
"""


@dataclass(frozen=True)
class Row:
    """One line: what is measured on how many rows by how many threads, the two sides, the least ratio, the table."""

    group: str
    name: str
    rows: int
    threads: int
    ours: Callable[[Grown], object]
    peer: Callable[[Grown], object]
    target: float
    table: Callable[[int], Grown] = two_classes


def data_of(table: Grown) -> ex.Dataset:
    """The table as a data set."""
    return ex.Dataset.from_frame(table.frame, TARGET, kinds=table.kinds)


def our_forest(table: Grown) -> Ensemble:
    """A random forest here."""
    return ex.forest(data_of(table), ex.CART, TREES, max_features="sqrt", seed=1)


def peer_forest(threads: int) -> Callable[[Grown], object]:
    """A random forest of scikit-learn with this many jobs."""
    return lambda table: RandomForestClassifier(TREES, n_jobs=threads, random_state=1).fit(table.x, table.y)


def our_extra_trees(table: Grown) -> Ensemble:
    """Extremely randomised trees here."""
    return ex.extra_trees(data_of(table), ex.CART, TREES, max_features="sqrt", seed=1)


def peer_extra_trees(threads: int) -> Callable[[Grown], object]:
    """Those of scikit-learn with this many jobs."""
    return lambda table: ExtraTreesClassifier(TREES, n_jobs=threads, random_state=1).fit(table.x, table.y)


def our_boosting(table: Grown) -> Ensemble:
    """Gradient boosting here, by squared error or log loss."""
    return ex.gradient_boost(data_of(table), ex.CART.replace(max_depth=DEPTH), n_estimators=ROUNDS, learning_rate=0.1)


def peer_boosting(table: Grown) -> object:
    """Gradient boosting of scikit-learn, by its exact splitter."""
    booster = GradientBoostingRegressor if table.is_regression else GradientBoostingClassifier
    return booster(n_estimators=ROUNDS, max_depth=DEPTH, learning_rate=0.1, random_state=1).fit(table.x, table.y)


def our_newton(table: Grown) -> Ensemble:
    """Newton's boosting here."""
    return ex.newton_boost(data_of(table), ROUNDS, max_depth=DEPTH)


def our_adaboost(table: Grown) -> Ensemble:
    """AdaBoost of stumps here."""
    return ex.adaboost(data_of(table), n_estimators=ROUNDS)


def peer_adaboost(table: Grown) -> object:
    """AdaBoost of stumps of scikit-learn."""
    stump = DecisionTreeClassifier(max_depth=1, random_state=1)
    return AdaBoostClassifier(stump, n_estimators=ROUNDS, random_state=1).fit(table.x, table.y)


def our_stability(table: Grown) -> object:
    """How stable the tree of all rows is, with everything that the page shows."""
    return ex.stability(data_of(table), ex.CART.replace(max_depth=5), RESAMPLES, seed=1)


def peer_stability(table: Grown) -> object:
    """Only the trees of as many bootstrap samples: there is no such thing in scikit-learn."""
    trees = []
    for seed in range(RESAMPLES):
        x, y = resample(table.x, table.y, random_state=seed)
        trees.append(DecisionTreeClassifier(max_depth=5, random_state=1).fit(x, y))
    return trees


def all_rows() -> list[Row]:
    """Every line of the table."""
    most = thread_count()
    kinds = (
        ("forest", f"forest of {TREES} trees", our_forest, peer_forest, two_classes, (7.0, 12.0)),
        ("extra", f"{TREES} extremely randomised trees", our_extra_trees, peer_extra_trees, two_classes, (4.0, 4.0)),
        ("boosting", f"{ROUNDS} rounds, squared error", our_boosting, _alone(peer_boosting), regression, (9.0, 16.0)),
        ("boosting", f"{ROUNDS} rounds, log loss", our_boosting, _alone(peer_boosting), two_classes, (1.0, 1.0)),
        ("newton", f"{ROUNDS} of Newton's rounds", our_newton, _alone(peer_boosting), two_classes, (6.0, 8.0)),
        ("adaboost", f"{ROUNDS} stumps by AdaBoost", our_adaboost, _alone(peer_adaboost), two_classes, (1.0, 1.0)),
    )
    rows = [
        Row(group, name, size, threads, ours, peer(threads), target, table)
        for group, name, ours, peer, table, targets in kinds
        for size, target in zip(SIZES, targets, strict=True)
        for threads in sorted({1, most})
    ]
    name = f"stability, {RESAMPLES} resamples"
    return [*rows, Row("stability", name, SIZES[0], most, our_stability, peer_stability, 10.0)]


def _alone(peer: Callable[[Grown], object]) -> Callable[[int], Callable[[Grown], object]]:
    """A peer that takes one thread, however many there are."""
    return lambda _threads: peer


def seconds(call: Callable[[Grown], object], table: Grown) -> tuple[float, float]:
    """How long one call takes: of the processors, and on the clock."""
    gc.collect()
    start = time.process_time(), time.perf_counter()
    call(table)
    return time.process_time() - start[0], time.perf_counter() - start[1]


def measure(row: Row, repeats: int) -> dict[str, object]:
    """Time both sides in turn and print the line."""
    table, small = row.table(row.rows), row.table(200)
    times = list[tuple[tuple[float, float], tuple[float, float]]]()
    threads = nullcontext() if row.threads == thread_count() else using_threads(row.threads)
    with threads:
        row.ours(small)
        row.peer(small)
        for _ in range(repeats):
            times.append((seconds(row.ours, table), seconds(row.peer, table)))
    (ours, our_clock), (peer, peer_clock) = np.median(times, axis=0).tolist()
    ratio, missed = peer / ours, "" if peer >= row.target * ours else "  MISSED"
    title = f"{row.name}, {row.rows:,} rows"
    print(
        f"{title:<52} {row.threads:>7} {peer:>12.2f} s {ours:>8.3f} s {ratio:>6.1f}× {peer_clock / our_clock:>6.1f}×"
        f"  {row.target:g}×{missed}",
        flush=True,
    )
    return {"name": title, "threads": row.threads, "times": times, "ratio": ratio, "target": row.target}


def bytes_of(made: Ensemble) -> int:
    """The memory of an ensemble's members: their trees, rows and targets, and the steps that they replay."""
    replays = {id(kept.replay): kept.replay for kept in _kept_by(made) if hasattr(kept, "replay")}
    parts = [*made.members, *(member.tree for member in made.members)]
    parts += [step for replay in replays.values() for step in replay.steps]
    return sum(array.nbytes for part in parts for array in arrays_of(part))


def _kept_by(made: Ensemble) -> list[object]:
    """What the members keep in their fields."""
    return [kept for member in made.members for kept in vars(member).values()]


def arrays_of(record: object) -> list[np.ndarray]:
    """The arrays in the fields of a record, and in those of the steps in it."""
    found = []
    for value in vars(record).values():
        for part in value if isinstance(value, tuple) else (value,):
            if isinstance(part, np.ndarray):
                found.append(part)
            elif isinstance(part, ScoreStep):
                found += arrays_of(part)
    return found


def memory() -> list[dict[str, object]]:
    """Print what one member takes, beside the arrays of scikit-learn's trees."""
    lines = []
    for size in SIZES:
        table = two_classes(size)
        peer = RandomForestClassifier(TREES, n_jobs=2, random_state=1).fit(table.x, table.y)
        states = [tree.tree_.__getstate__().values() for tree in peer.estimators_]
        sizes = {
            "peer": sum(array.nbytes for state in states for array in state if isinstance(array, np.ndarray)),
            "forest": bytes_of(our_forest(table)),
            "boosting": bytes_of(our_boosting(table)),
            "adaboost": bytes_of(our_adaboost(table)),
        }
        members = {"peer": TREES, "forest": TREES, "boosting": ROUNDS, "adaboost": ROUNDS}
        of_member = {name: in_all / 1e3 / members[name] for name, in_all in sizes.items()}
        print(
            "memory of a member, {rows:,} rows: forest {forest:,.0f} kB (scikit-learn {peer:,.0f} kB, without the rows "
            "drawn), boosting {boosting:,.1f} kB, AdaBoost {adaboost:,.1f} kB".format(rows=size, **of_member)
        )
        lines.append({"rows": size, **sizes})
    return lines


def main() -> None:
    """Run the contests and print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.ensembles", description=__doc__)
    names = "forest, extra, boosting, newton, adaboost, stability or memory"
    parser.add_argument("--only", metavar="NAME", help=names)
    parser.add_argument("--rows", type=int, help="only tables of this size")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to a file")
    options = parser.parse_args()
    warnings.filterwarnings("ignore", category=UserWarning)
    print(ABOUT.format(version=sklearn.__version__))
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores\n")
    print(f"{'':<52} {'threads':>7} {'scikit-learn':>14} {'ours':>10} {'ratio':>7} {'clock':>7}  wanted")
    figures: dict[str, object] = {}
    for row in all_rows():
        if options.only in (None, row.group) and options.rows in (None, row.rows):
            figures[f"{row.name} {row.rows} {row.threads}"] = measure(row, options.repeats)
    if options.only in (None, "memory"):
        figures["memory"] = memory()
    if options.json is not None:
        options.json.write_text(json.dumps(figures, indent=1), "utf-8")


if __name__ == "__main__":
    main()
