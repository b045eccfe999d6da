"""Print how many times as fast as scikit-learn boosting is here, end to end, both measured in this run.

Run `python -m tests.benchmarks.boosting`.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, fields
from statistics import median

import numpy as np
import pandas as pd
import sklearn
from sklearn.ensemble import AdaBoostClassifier, GradientBoostingClassifier
from sklearn.tree import DecisionTreeClassifier

import explorer as ex

FEATURES, ROUNDS, DEPTH = 10, 100, 3
LEAST_RATIO = 1.0
ABOUT = """Ours: from a pandas frame to the ensemble. scikit-learn {version}: fit on the float array, exact splitter.
In turn, a first call of each not counted; times are medians of {repeats}, the ratio is that of the medians.
"""


@dataclass(frozen=True)
class Contest:
    """One line: what is boosted, on how many rows, and the two ways to do it."""

    name: str
    rows: int
    repeats: int
    ours: Callable[[pd.DataFrame], ex.Ensemble]
    peer: Callable[[np.ndarray, np.ndarray], object]


def table(rows: int) -> pd.DataFrame:
    """Ten numbers and two classes that depend on three of them and on luck."""
    draw = np.random.default_rng(0)
    numbers = draw.normal(size=(rows, FEATURES)).astype(np.float32).astype(np.float64)
    score = numbers[:, 0] + numbers[:, 1] * numbers[:, 2] + draw.normal(size=rows)
    return pd.DataFrame(numbers, columns=[f"x{i}" for i in range(FEATURES)]).assign(y=(score > 0).astype(int))


def dataset(frame: pd.DataFrame) -> ex.Dataset:
    """The frame, encoded."""
    return ex.Dataset.from_frame(frame, "y", classes=[0, 1])


def gradient_ours(frame: pd.DataFrame) -> ex.Ensemble:
    """100 rounds of depth 3."""
    return ex.gradient_boost(dataset(frame), ex.CART.replace(max_depth=DEPTH), n_estimators=ROUNDS)


def gradient_peer(x: np.ndarray, y: np.ndarray) -> object:
    """The same by scikit-learn."""
    return GradientBoostingClassifier(n_estimators=ROUNDS, max_depth=DEPTH, random_state=0).fit(x, y)


def adaboost_ours(frame: pd.DataFrame) -> ex.Ensemble:
    """100 stumps."""
    return ex.adaboost(dataset(frame), n_estimators=ROUNDS)


def adaboost_peer(x: np.ndarray, y: np.ndarray) -> object:
    """The same by scikit-learn."""
    stump = DecisionTreeClassifier(max_depth=1, random_state=0)
    return AdaBoostClassifier(stump, n_estimators=ROUNDS, random_state=0).fit(x, y)


CONTESTS = (
    Contest("gradient boosting, depth 3", 10_000, 3, gradient_ours, gradient_peer),
    Contest("gradient boosting, depth 3", 100_000, 1, gradient_ours, gradient_peer),
    Contest("AdaBoost, stumps", 10_000, 3, adaboost_ours, adaboost_peer),
    Contest("AdaBoost, stumps", 100_000, 1, adaboost_ours, adaboost_peer),
)


def seconds_of(run: Callable[[], object]) -> float:
    """How long a call takes."""
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def bytes_per_member(ensemble: ex.Ensemble) -> float:
    """What one more member keeps: the arrays of its tree, its row weights, and a step of the scores or weights."""
    replay = next(kept.replay for kept in ensemble.members[0].__dict__.values() if hasattr(kept, "replay"))
    steps = sum(array.nbytes for step in replay.steps for array in _arrays_of(step))
    trees = sum(array.nbytes for member in ensemble.members for array in _arrays_of(member.tree))
    return (steps + trees) / len(ensemble.members)


def _arrays_of(record: object) -> list[np.ndarray]:
    """The arrays in the fields of a record, and of the records in it."""
    found = []
    for field in fields(record):  # type: ignore[arg-type]
        value = getattr(record, field.name)
        for part in value if isinstance(value, tuple) else (value,):
            if isinstance(part, np.ndarray):
                found.append(part)
            elif hasattr(part, "ends"):
                found += _arrays_of(part)
    return found


def measure(contest: Contest) -> float:
    """Time both in turn, print the line, and give the ratio."""
    frame = table(contest.rows)
    x, y = frame.drop(columns="y").to_numpy(), frame["y"].to_numpy()
    contest.ours(frame.head(1000))
    contest.peer(x[:1000], y[:1000])
    ours, peers = [], []
    for _ in range(contest.repeats):
        ours.append(seconds_of(lambda: contest.ours(frame)))
        peers.append(seconds_of(lambda: contest.peer(x, y)))
    ratio = median(peers) / median(ours)
    kept = bytes_per_member(contest.ours(frame)) / 1024
    missed = "" if ratio >= LEAST_RATIO else "  MISSED"
    print(
        f"{contest.name:<28} {contest.rows:>8,} {median(peers):>9.2f} s {median(ours):>9.2f} s {ratio:>6.1f}×"
        f" {kept:>8.1f} KiB{missed}",
        flush=True,
    )
    return ratio


def main() -> None:
    """Print all lines."""
    print(ABOUT.format(version=sklearn.__version__, repeats="3 (1 with 100,000 rows)"))
    print(f"{f'{ROUNDS} rounds':<28} {'rows':>8} {'scikit-learn':>11} {'ours':>11} {'ratio':>7} {'a member':>12}")
    for contest in CONTESTS:
        measure(contest)


if __name__ == "__main__":
    main()
