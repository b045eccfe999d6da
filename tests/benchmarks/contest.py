"""Both growers on one table: a run of each, their times side by side, and the memory of each in its own process."""

import ctypes
import gc
import json
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import TypeVar

import numpy as np
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import explorer as ex
from tests.benchmarks.data import MAKERS, TARGET, Grown

T = TypeVar("T")
WARM_UP_ROWS = 40_000  # enough for both the serial and the parallel kernels


@dataclass(frozen=True)
class Times:
    """Seconds of every repeat of both, in the order they ran, and the leaves of the last trees."""

    ours: list[float]
    peers: list[float]
    our_leaves: int
    peer_leaves: int

    @property
    def ratio(self) -> float:
        """How many times as long scikit-learn takes, by the medians."""
        return median(self.peers) / median(self.ours)


def encode(table: Grown) -> ex.Dataset:
    """Kinds and rank codes of the frame."""
    return ex.Dataset.from_frame(table.frame, TARGET, features=table.frame.columns.tolist()[:-1], kinds=table.kinds)


def grow(table: Grown, recipe: ex.Recipe) -> ex.Tree:
    """From the frame to a tree."""
    return ex.grow(encode(table), recipe)


def grow_ours(table: Grown, depth: int | None) -> ex.Tree:
    """The same with CART, to this depth."""
    return grow(table, ex.CART.replace(max_depth=depth))


def grow_peer(table: Grown, depth: int | None) -> DecisionTreeClassifier | DecisionTreeRegressor:
    """From the float array to a tree."""
    kind = DecisionTreeRegressor if table.is_regression else DecisionTreeClassifier
    return kind(max_depth=depth, random_state=0).fit(table.x, table.y)


def collect() -> None:
    """Collect the garbage, and leave what is not to those that collect later: modules alone take 0.1 s each time."""
    gc.collect()
    gc.freeze()


def timed(run: Callable[[], T]) -> tuple[float, T]:
    """Seconds and result of one call, with the garbage collected before it."""
    collect()
    start = time.perf_counter()
    result = run()
    return time.perf_counter() - start, result


def contest(table: Grown, depth: int | None, repeats: int) -> Times:
    """Let both grow in turn; a first call of each on the first rows (compiling, loading) does not count."""
    first = table.head(WARM_UP_ROWS)
    grow_ours(first, depth)
    grow_peer(first, depth)
    ours, peers, trees = [], [], None
    for _ in range(repeats):
        peer_seconds, peer = timed(lambda: grow_peer(table, depth))
        our_seconds, tree = timed(lambda: grow_ours(table, depth))
        ours.append(our_seconds)
        peers.append(peer_seconds)
        trees = (tree.n_leaves, int(peer.get_n_leaves()))
    assert trees is not None
    return Times(ours, peers, *trees)


def peak_growth(maker: str, rows: int, side: str, depth: int | None = None) -> tuple[float, float]:
    """Megabytes by which a process of its own grows while one side grows a tree, and bytes a node of ours."""
    command = [sys.executable, "-m", "tests.benchmarks.contest", maker, str(rows), side, json.dumps(depth)]
    root = Path(__file__).parents[2]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
    peak, of_node = map(float, done.stdout.split())
    return peak, of_node


def _kilobytes(field: str) -> int:
    """One line of Linux's account of this process."""
    lines = Path("/proc/self/status").read_text("ascii").splitlines()
    return int(next(line for line in lines if line.startswith(field)).split()[1])


def _measure(maker: str, rows: int, side: str, depth: int | None) -> tuple[float, float]:
    """Megabytes between the memory held before growing and the peak while growing (Linux), and bytes a node of ours."""
    run = {"ours": grow_ours, "peer": grow_peer}[side]
    table = MAKERS[maker](rows)
    run(table.head(min(rows, WARM_UP_ROWS) // 2), depth)
    gc.collect()
    ctypes.CDLL("libc.so.6").malloc_trim(0)  # what was freed before goes back to the system
    before = _kilobytes("VmRSS")
    Path("/proc/self/clear_refs").write_text("5", "ascii")  # sets the peak back to the present
    tree = run(table, depth)
    peak = (_kilobytes("VmHWM") - before) / 1024
    if not isinstance(tree, ex.Tree):
        return peak, 0.0
    arrays = [array for array in vars(tree).values() if isinstance(array, np.ndarray)]
    return peak, sum(array.nbytes for array in arrays) / tree.n_nodes_grown


if __name__ == "__main__":
    print(*_measure(sys.argv[1], int(sys.argv[2]), sys.argv[3], json.loads(sys.argv[4])))
