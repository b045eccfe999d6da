"""The validation curve over all α: read off one tree here, refitted for every α with scikit-learn."""

from dataclasses import dataclass
from statistics import mean

import numpy as np
from sklearn.tree import DecisionTreeClassifier

import explorer as ex
from tests.benchmarks.contest import grow_ours, timed
from tests.benchmarks.data import TARGET, Grown, two_classes

REFITS = 25


@dataclass(frozen=True)
class AlphaTimes:
    """Seconds: growing, path and curve here; path and one refit (mean of `refits`) there; `alphas` is their number."""

    rows: int
    growing: float
    path_and_curve: float
    peer_path: float
    peer_refit: float
    refits: int
    alphas: int

    @property
    def peer_loop(self) -> float:
        """The documented loop: the path, then a refit and a score per α (extrapolated from the sample of refits)."""
        return self.peer_path + self.alphas * self.peer_refit

    @property
    def ratio(self) -> float:
        """How many times as long the loop takes as path and curve of a grown tree."""
        return self.peer_loop / self.path_and_curve

    @property
    def ratio_with_growing(self) -> float:
        """The same with growing our tree counted too."""
        return self.peer_loop / (self.growing + self.path_and_curve)


def alpha_contest(rows: int, valid_rows: int) -> AlphaTimes:
    """Measure both on two classes; our first run (compiling) does not count."""
    table, valid = two_classes(rows), two_classes(valid_rows, seed=1)
    held_out = ex.Dataset.from_frame(valid.frame, TARGET, kinds=valid.kinds)
    _curve(grow_ours(table, None), held_out)
    growing, tree = timed(lambda: grow_ours(table, None))
    path_and_curve, _ = timed(lambda: _curve(tree, held_out))
    model = DecisionTreeClassifier(random_state=0)
    peer_path, path = timed(lambda: model.cost_complexity_pruning_path(table.x, table.y))
    alphas = path.ccp_alphas
    sample = alphas[np.linspace(0, len(alphas) - 1, min(REFITS, len(alphas))).astype(int)]
    refits = [timed(lambda a=a: _refit(table, valid, a))[0] for a in sample]
    return AlphaTimes(rows, growing, path_and_curve, peer_path, mean(refits), len(refits), len(alphas))


def _curve(tree: ex.Tree, held_out: ex.Dataset) -> object:
    return ex.cost_complexity_path(tree).curve(held_out, metric="accuracy")


def _refit(table: Grown, valid: Grown, alpha: float) -> float:
    model = DecisionTreeClassifier(random_state=0, ccp_alpha=max(alpha, 0.0)).fit(table.x, table.y)
    return model.score(valid.x, valid.y)
