"""XGBoost's exact search written down naively (Chen and Guestrin 2016, algorithms 1 and 3), for a handful of rows."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

LEAST_GAIN = 1e-6


@dataclass(frozen=True)
class Objective:
    """The regularisation of the trees."""

    reg_lambda: float
    gamma: float
    min_child_weight: float
    max_depth: int

    def score(self, g: np.ndarray, h: np.ndarray) -> float:
        """G²/(H + λ)."""
        return float(g.sum() ** 2 / (h.sum() + self.reg_lambda))


def sides(column: np.ndarray, rows: np.ndarray):
    """Every way to send some rows to the left by one column: each threshold with both defaults, missing | present."""
    values = column[rows]
    is_missing = np.isnan(values)
    distinct = np.unique(values[~is_missing])
    for low, high in pairwise(distinct):
        below = values < (low + high) / 2
        yield below
        if is_missing.any():
            yield below | is_missing
    if is_missing.any() and not is_missing.all():
        yield is_missing


def leaves_of(x: np.ndarray, g: np.ndarray, h: np.ndarray, rows: np.ndarray, objective: Objective, depth: int = 0):
    """The rows of every leaf below a node, after pruning by γ: one array where the node itself is a leaf."""
    best_gain, best = LEAST_GAIN, None
    if depth < objective.max_depth:
        for column in x.T:
            for to_left in sides(column, rows):
                left, right = rows[to_left], rows[~to_left]
                if min(h[left].sum(), h[right].sum()) < objective.min_child_weight:
                    continue
                parts = objective.score(g[left], h[left]) + objective.score(g[right], h[right])
                gain = parts - objective.score(g[rows], h[rows])
                if gain > best_gain:
                    best_gain, best = gain, (left, right)
    if best is None:
        return [rows]
    below = [leaves_of(x, g, h, part, objective, depth + 1) for part in best]
    if best_gain < objective.gamma and all(len(leaves) == 1 for leaves in below):
        return [rows]
    return [leaf for leaves in below for leaf in leaves]


def boosted(x: np.ndarray, y: np.ndarray, rounds: int, rate: float, start: float, objective: Objective, logistic: bool):
    """The scores of the training rows after every round, [rounds, n]."""
    raw, after = np.full(len(y), start), []
    for _ in range(rounds):
        p = 1 / (1 + np.exp(-raw))
        g, h = (p - y, p * (1 - p)) if logistic else (raw - y, np.ones(len(y)))
        step = np.zeros(len(y))
        for leaf in leaves_of(x, g, h, np.arange(len(y)), objective):
            step[leaf] = -g[leaf].sum() / (h[leaf].sum() + objective.reg_lambda)
        raw = raw + rate * step
        after.append(raw)
    return np.array(after)
