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
from statistics import median

import numpy as np
import sklearn
from sklearn.ensemble import AdaBoostClassifier, GradientBoostingClassifier, RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils import resample

import explorer as ex
from explorer.ensembles.boosting.score_steps import ScoreStep
from explorer.ensembles.members import Ensemble
from explorer.threads import thread_count, using_threads
from tests.benchmarks.data import TARGET, Grown, two_classes

TREES, ROUNDS, DEPTH, RESAMPLES = 100, 100, 3, 200
SIZES = (10_000, 100_000)
ABOUT = """Two classes, ten numeric features. Ours: from a pandas frame to the ensemble. scikit-learn {version}:
fit on the float32 array. In turn, a first call of each not counted; times are medians, ratios those of medians.
"""


@dataclass(frozen=True)
class Row:
    """One line: what is measured on how many rows by how many threads, the two sides, and the least ratio wanted."""

    group: str
    name: str
    rows: int
    threads: int
    ours: Callable[[Grown], object]
    peer: Callable[[Grown], object]
    target: float


def data_of(table: Grown) -> ex.Dataset:
    """The table as a data set."""
    return ex.Dataset.from_frame(table.frame, TARGET, kinds=table.kinds)


def our_forest(table: Grown) -> Ensemble:
    """A random forest here."""
    return ex.forest(data_of(table), ex.CART, TREES, max_features="sqrt", seed=1)


def peer_forest(threads: int) -> Callable[[Grown], object]:
    """A random forest of scikit-learn with this many jobs."""
    return lambda table: RandomForestClassifier(TREES, n_jobs=threads, random_state=1).fit(table.x, table.y)


def our_boosting(table: Grown) -> Ensemble:
    """Gradient boosting here."""
    return ex.gradient_boost(
        data_of(table), ex.CART.replace(max_depth=DEPTH), loss="log_loss", n_estimators=ROUNDS, learning_rate=0.1
    )


def peer_boosting(table: Grown) -> object:
    """Gradient boosting of scikit-learn, by its exact splitter."""
    return GradientBoostingClassifier(n_estimators=ROUNDS, max_depth=DEPTH, learning_rate=0.1, random_state=1).fit(
        table.x, table.y
    )


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
    rows = [
        Row("forest", f"forest of {TREES} trees", size, threads, our_forest, peer_forest(threads), 1.0)
        for size in SIZES
        for threads in sorted({1, most})
    ]
    rounds = (
        ("boosting", f"{ROUNDS} boosting rounds, depth {DEPTH}", our_boosting, peer_boosting),
        ("adaboost", f"{ROUNDS} stumps by AdaBoost", our_adaboost, peer_adaboost),
    )
    rows += [
        Row(group, name, size, threads, ours, peer, 1.0)
        for group, name, ours, peer in rounds
        for size in SIZES
        for threads in sorted({1, most})
    ]
    rows.append(
        Row("stability", f"stability, {RESAMPLES} resamples", SIZES[0], most, our_stability, peer_stability, 5.0)
    )
    return rows


def seconds(call: Callable[[Grown], object], table: Grown) -> float:
    """How long one call takes."""
    gc.collect()
    start = time.perf_counter()
    call(table)
    return time.perf_counter() - start


def measure(row: Row, repeats: int) -> dict[str, object]:
    """Time both sides in turn and print the line."""
    table, small = two_classes(row.rows), two_classes(200)
    ours, peers = list[float](), list[float]()
    threads = nullcontext() if row.threads == thread_count() else using_threads(row.threads)
    with threads:
        row.ours(small)
        row.peer(small)
        for _ in range(repeats):
            ours.append(seconds(row.ours, table))
            peers.append(seconds(row.peer, table))
    ratio = median(peers) / median(ours)
    missed = "" if ratio >= row.target else "  MISSED"
    title = f"{row.name}, {row.rows:,} rows"
    print(
        f"{title:<52} {row.threads:>7} {median(peers):>12.2f} s {median(ours):>8.2f} s {ratio:>6.1f}×"
        f"  {row.target:g}×{missed}",
        flush=True,
    )
    return {"name": title, "threads": row.threads, "ours": ours, "peer": peers, "ratio": ratio, "target": row.target}


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
        of_member = {name: in_all / 1e3 / TREES for name, in_all in sizes.items()}  # as many rounds as trees
        print(
            "memory of a member, {rows:,} rows: forest {forest:,.0f} kB (scikit-learn {peer:,.0f} kB, without the rows "
            "drawn), boosting {boosting:,.1f} kB, AdaBoost {adaboost:,.1f} kB".format(rows=size, **of_member)
        )
        lines.append({"rows": size, **sizes})
    return lines


def main() -> None:
    """Run the contests and print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.ensembles", description=__doc__)
    parser.add_argument("--only", metavar="NAME", help="forest, boosting, adaboost, stability or memory")
    parser.add_argument("--rows", type=int, help="only tables of this size")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to a file")
    options = parser.parse_args()
    warnings.filterwarnings("ignore", category=UserWarning)
    print(ABOUT.format(version=sklearn.__version__))
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores\n")
    print(f"{'':<52} {'threads':>7} {'scikit-learn':>14} {'ours':>10} {'ratio':>7}  wanted")
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
