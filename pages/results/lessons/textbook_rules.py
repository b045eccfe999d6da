"""Small tables on which rules of textbooks differ, and the trees by either rule."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

import explorer as ex
from pages.results.cache import kept
from pages.results.lessons import trees


def top(tree: ex.Tree, levels: int = 2) -> ex.Tree:
    """The first levels of a tree."""
    return tree.with_pruned(tree.is_pruned | (tree.depth >= levels))


def errors(tree: ex.Tree, rows: ex.Dataset) -> int:
    """How many of the rows the tree predicts wrong."""
    return int((tree.predict_encoded(rows) != rows.y).sum())


@kept()
def squared_errors() -> tuple[tuple[float, float, float], ...]:
    """For each threshold of the four numbers: the squared errors added up, and each side's times its rows added up."""
    rows = trees.rows("four numbers")
    candidates = ex.decide(ex.grow(rows, ex.CART.replace(max_depth=1)), rows, 0).candidates
    sums = []
    for candidate in candidates:
        weights, variances = np.array(candidate.weights), np.array(candidate.impurities)
        assert candidate.condition.threshold is not None
        plain, literal = float((weights * variances).sum()), float((weights**2 * variances).sum())
        sums.append((float(candidate.condition.threshold), plain, literal))
    return tuple(sorted(sums))


@kept()
def split_at(threshold: float) -> ex.Tree:
    """The four numbers split once, at this threshold."""
    request = ex.SplitRequest("x", "threshold", threshold)
    return ex.grow(trees.rows("four numbers"), ex.CART.replace(max_depth=1), choices=ex.Choices().force((), request))


UNSEEN_ROW = {"Outlook": "Foggy", "Temperature": "Hot", "Humidity": "High", "Wind": "Strong"}
"""A day with a value of Outlook that no training day has."""


@kept()
def unseen_shares(rule: str) -> float:
    """The share of Yes that ID3's tree predicts for it by a rule for unseen values."""
    tree = trees.grown("play_tennis", "ID3", (("unseen", rule),))
    return float(tree.predict_proba(pd.DataFrame([UNSEEN_ROW]))[0, 1])


@kept()
def outlook_of(policy: str) -> tuple[float, str]:
    """The gain of outlook on the golf table with a missing cell, and the root, by a policy for missing values."""
    changes = (("missing", policy),)
    decision = trees.decision("golf_missing", "C4.5", 0, changes)
    assert decision.chosen is not None
    return decision.best["outlook"].gain, decision.chosen.condition.text


@kept()
def scores_by_cost(score: str, costs: Sequence[tuple[str, float]], w: float = 1.0) -> dict[str, float]:
    """The score of every feature of the 14 days at the root, with costs of knowing the features."""
    changes = (("score", score), ("feature_costs", tuple(costs)), ("nunez_w", w))
    return {name: found.score or 0.0 for name, found in trees.decision("play_tennis", "ID3", 0, changes).best.items()}


def refused_costs(costs: Mapping[str, float]) -> str:
    """What the package says to costs by which a score could not be worked out."""
    try:
        ex.ID3.replace(score="tan_schlimmer", feature_costs=dict(costs))
    except ex.InputError as error:
        return str(error)
    return ""


@kept()
def parts_of_unknown() -> tuple[float, ...]:
    """The shares with which a row without a value goes down the branches of C4.5's split."""
    tree, rows = trees.grown("one unknown", "C4.5", (("max_depth", 1),)), trees.rows("one unknown")
    _, _, weights = tree.routes(rows.take([rows.n_rows - 1]))
    return tuple(weights.tolist())


@kept()
def presentation_shares() -> tuple[float, float]:
    """The share of sections among 3 of 32 births, and the same smoothed by Laplace's rule."""
    tree = ex.grow(trees.rows("births"), ex.CART)
    section = list(map(str, tree.classes)).index("yes")
    return float(tree.probabilities[0, section]), float(tree.smoothed_by(ex.Smoothing("laplace"))[0, section])
