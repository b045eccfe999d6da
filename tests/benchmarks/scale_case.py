"""One case of `tests.benchmarks.scale` in a process of its own: a case as JSON on the command line, figures printed.

What is imported, compiled or loaded is so by a first run on a small table: its seconds do not count, its memory does.
"""

import copy
import hashlib
import json
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import explorer as ex
from tests.benchmarks.data import CENSUS_LEVELS, TARGET
from tests.benchmarks.process_account import Account, Spent, peak_megabytes
from tests.benchmarks.watched_engine import Level, watched

ARRAYS = (
    *("parent", "first_child", "child_count", "depth", "feature", "threshold", "cat_offset", "cat_code", "cat_branch"),
    *("missing_branch", "weight", "stats", "impurity", "stop", "missing_weight", "is_pruned"),
)
STRUCTURE = ARRAYS[:10]
"""What is equal bit for bit for a numeric target too, whose sums depend on the order of the rows."""
STOPPED_AT = (0.1, 0.3, 0.5, 0.7, 0.9)
"""The shares of the time for growing after which growing is stopped, to see how long that takes."""
LONGEST_STOP = "longest wait for a stop"


@dataclass(frozen=True)
class Case:
    """Who grows what: a side of `SIDES`, a Parquet file and a small one of the same kind, and the depth of the tree."""

    side: str
    kind: str
    file: str
    small: str
    depth: int
    memory_limit: str = "300MB"
    extras: bool = False
    """Whether to measure evidence at a node, the curve, reduced error and how long a stop takes."""

    @property
    def recipe(self) -> ex.Recipe:
        """CART of this depth, without surrogate splits: no cell is missing."""
        return ex.CART.replace(max_depth=self.depth, missing="most_common")

    @property
    def words(self) -> list[str]:
        """The columns of text."""
        return [*(CENSUS_LEVELS if self.kind == "census-like" else []), *([TARGET] if not self.is_regression else [])]

    @property
    def is_regression(self) -> bool:
        """Whether the target is numeric."""
        return self.kind == "regression"


@dataclass
class Figures:
    """What a case took; `tree` is a hash of the arrays of the tree, the same for equal trees."""

    account: Account = field(default_factory=Account)
    peak_before: float = 0.0
    peak: float = 0.0
    leaves: int = 0
    tree: str = ""
    levels: dict[int, Level] = field(default_factory=dict)
    error: str = ""

    def keep(self, tree: ex.Tree) -> None:
        """Note which tree it is."""
        names = STRUCTURE if tree.is_regression else ARRAYS
        content = b"".join(np.ascontiguousarray(getattr(tree, name)).tobytes() for name in names)
        self.leaves, self.tree = tree.n_leaves, hashlib.sha256(content).hexdigest()


def in_memory(case: Case, file: str, figures: Figures) -> None:
    """Read with pandas, encode and grow, with the order of categories that a connected table has."""
    with figures.account.step("read"):
        frame = pd.read_parquet(file)
    with figures.account.step("encode"):
        kinds = {name: sorted(frame[name].unique()) for name in case.words}
        data = ex.Dataset.from_frame(frame, TARGET, kinds=kinds)
    with figures.account.step("grow"):
        figures.keep(ex.grow(data, case.recipe))


def connected(case: Case, file: str, figures: Figures) -> None:
    """Connect the file, which encodes it once, and grow from counts."""
    engine = {"connected, SQL": "duckdb", "connected, mapped": "mapped"}[case.side]
    measure(case, ex.connect(file, target=TARGET, memory_limit=case.memory_limit, engine=engine), file, figures)


def measure(case: Case, source: Any, file: str, figures: Figures) -> None:
    """Encode, grow, and what else the case asks for."""
    try:
        with figures.account.step("connect and encode"):
            watch = watched(source)
        with figures.account.step("grow"):
            tree = ex.grow(source.watched_by(watch.take_report), case.recipe)
        figures.keep(tree)
        figures.levels = copy.deepcopy(watch.levels)  # what follows asks the same engine
        if case.extras and file == case.file:
            measure_extras(tree, source, figures)
    except ex.ExplorerError as error:
        figures.error = str(error)
    finally:
        source.close()


def measure_extras(tree: ex.Tree, source: Any, figures: Figures) -> None:
    """Evidence at large nodes of two levels, the curve, reduced error, and stops at several moments of growing."""
    account = figures.account
    for depth in (1, int(tree.depth.max()) - 1):
        node = int(np.argmax(np.where(tree.depth == depth, tree.weight, -1)))
        with account.step(f"evidence at a node of {tree.weight[node]:,.0f} rows"):
            ex.decide(tree, source, node)
    with account.step("curve over α"):
        ex.cost_complexity_path(tree).curve(source)
    with account.step("reduced-error pruning"):
        ex.reduced_error_prune(tree, source)
    seconds = account.steps["grow"].wall
    waits = [seconds_to_stop(tree.recipe, source, seconds * share) for share in STOPPED_AT]
    account.steps[LONGEST_STOP] = Spent(0.0, max(waits))


def seconds_to_stop(recipe: ex.Recipe, source: Any, after: float) -> float:
    """Seconds from the wish to stop, so long after the start, to the end; 0 where growing was faster."""
    end = time.perf_counter() + after

    def stop(*_: object) -> None:
        if time.perf_counter() > end:
            raise ex.Stopped

    try:
        ex.grow(source, recipe, progress=stop)
    except ex.Stopped:
        return time.perf_counter() - end
    return 0.0


def numbers_and_target(case: Case, file: str, kind: type) -> tuple[np.ndarray, np.ndarray]:
    """The table as one array, words as codes in sorted order, and the target."""
    frame = pd.read_parquet(file)
    for name in case.words:
        frame[name] = pd.Categorical(frame[name]).codes
    return frame.drop(columns=TARGET).to_numpy(kind), frame[TARGET].to_numpy()


def lightgbm(case: Case, file: str, figures: Figures) -> None:
    """One tree of LightGBM from histograms of 255 bins: thresholds only at their ends."""
    import lightgbm

    with figures.account.step("read"):
        x, y = numbers_and_target(case, file, np.float64)
    settings = {"max_bin": 255, "max_depth": case.depth, "num_leaves": 2**case.depth, "min_data_in_leaf": 1}
    settings |= {"objective": "regression" if case.is_regression else "binary", "verbosity": -1, "num_threads": 2}
    with figures.account.step("encode"):
        categories = [i for i, name in enumerate(CENSUS_LEVELS, start=x.shape[1] - len(CENSUS_LEVELS))]
        given = categories if case.kind == "census-like" else "auto"
        data = lightgbm.Dataset(x, y, params=settings, categorical_feature=given).construct()
    with figures.account.step("grow"):
        booster = lightgbm.train(settings, data, num_boost_round=1)
    figures.leaves = int(booster.dump_model()["tree_info"][0]["num_leaves"])


def scikit_learn(case: Case, file: str, figures: Figures) -> None:
    """A tree of scikit-learn on 32-bit numbers."""
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    with figures.account.step("read"):
        x, y = numbers_and_target(case, file, np.float32)
    kind = DecisionTreeRegressor if case.is_regression else DecisionTreeClassifier
    with figures.account.step("grow"):
        figures.leaves = int(kind(max_depth=case.depth, random_state=0).fit(x, y).get_n_leaves())


SIDES: dict[str, Callable[[Case, str, Figures], None]] = {
    "connected, SQL": connected,
    "connected, mapped": connected,
    "in memory": in_memory,
    "LightGBM": lightgbm,
    "scikit-learn": scikit_learn,
}


def main() -> None:
    """Run the case twice, first on its small table, and print the figures of the second run."""
    case = Case(**json.loads(sys.argv[1]))
    run = SIDES[case.side]
    run(case, case.small, Figures())
    figures = Figures(peak_before=peak_megabytes())
    run(case, case.file, figures)
    figures.peak = peak_megabytes()
    Path(sys.argv[2]).write_text(json.dumps(asdict(figures)), "utf-8")


if __name__ == "__main__":
    main()
