"""The answer to a move as plain numbers and texts: tree, rectangles, candidates with their gain curves, what tipped."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.drawing.drawn_table.grown import Grown
from explorer.drawing.drawn_table.points import CLASSES, FEATURES
from explorer.drawing.drawn_table.tipping import Change, digits_apart, gain_name, score_name
from explorer.formatting import leaves, number, percent
from explorer.growing.decide import Decision
from explorer.messages import message

Plain = dict[str, Any]


def answer(grown: Grown, path: str, changed: Sequence[Change] = ()) -> Plain:
    """Everything that the view shows of a tree; `path` leads to the node whose candidates are shown."""
    selected = grown.node_at(path)
    decision = grown.decision(selected)
    return {
        "tree": _tree(grown),
        "selected": selected,
        "candidates": _candidates(grown, decision),
        "curves": _curves(decision),
        "score": _score(grown),
        "changed": [{"node": change.node, "text": change.text} for change in changed],
    }


def _tree(grown: Grown) -> Plain:
    """The nodes as columns: feature (0: x, 1: y, −1: leaf), threshold, first child, parent, counts, prediction."""
    tree = grown.tree
    feature_codes = np.array([FEATURES.index(feature.name) for feature in tree.features] + [-1])
    return {
        "parent": tree.parent.tolist(),
        "first": tree.first_child.tolist(),
        "depth": tree.depth.tolist(),
        "feature": feature_codes[tree.feature].tolist(),
        "threshold": [number(value) for value in tree.threshold.tolist()],
        "weight": tree.weight.tolist(),
        "counts": None if tree.is_regression else _counts(grown).tolist(),
        "label": _labels(grown).tolist(),
        "boxes": np.round(grown.boxes, 5).tolist(),
    }


def _codes(grown: Grown) -> list[int]:
    """The codes of the drawing for the classes of the tree: a class without a point has none in the tree."""
    return [CLASSES.index(str(value)) for value in grown.tree.classes]


def _counts(grown: Grown) -> NDArray[np.int64]:
    """Points of every class at every node, [n, 3]."""
    counts = np.zeros((grown.tree.n_nodes_grown, len(CLASSES)), dtype=np.int64)
    counts[:, _codes(grown)] = grown.tree.stats
    return counts


def _labels(grown: Grown) -> NDArray[Any]:
    """What every node predicts: the code of a class, or a mean."""
    if grown.tree.is_regression:
        return np.round(grown.tree.values, 4)
    return np.array(_codes(grown))[grown.tree.labels]


def _candidates(grown: Grown, decision: Decision) -> Plain:
    """The best split of each feature, the chosen one first, and its lead."""
    chosen = decision.chosen
    rows = sorted(decision.best.values(), key=lambda each: each is not chosen and each.feature != _name(decision))
    scores = [row.score if row.score is not None else row.gain for row in rows]
    digits = digits_apart(scores[0], scores[1]) if len(scores) > 1 else 3
    return {
        "measure": score_name(grown),
        "gain": gain_name(grown),
        "rows": [
            {
                "feature": row.feature,
                "text": row.condition.text,
                "score": score,
                "shown": f"{score:.{digits}f}",
                "threshold": row.condition.threshold,
                "out": row.rejected or "",
            }
            for row, score in zip(rows, scores, strict=True)
        ],
        "chosen": _name(decision),
        "lead": decision.margin,
        "lead_text": _lead_text(decision, digits),
        "absent": [message("{name}: {value}", name=name, value=reason) for name, reason in decision.absent.items()],
    }


def _name(decision: Decision) -> str:
    return decision.chosen.feature if decision.chosen is not None else ""


def _lead_text(decision: Decision, digits: int) -> str:
    """By how much the split leads, or why there is none."""
    if decision.chosen is None:
        return message("Leaf: {reason}", reason=decision.stop_reason or "")
    if decision.margin is None or decision.runner_up is None:
        return message("No other feature competes.")
    if decision.tied:
        return message("Tie: {feature} wins as the earlier column.", feature=decision.chosen.feature)
    return message(
        "Leads {other} by {lead}",
        other=decision.runner_up.condition.text,
        lead=f"{decision.margin:.{digits}f}",
    )


def _curves(decision: Decision) -> Plain:
    """The gain of every threshold, by feature."""
    curves = {}
    for feature in decision.best:
        profile = decision.profile(feature)
        curves[feature] = [np.round(profile.thresholds, 4).tolist(), np.round(profile.gains, 6).tolist()]
    return curves


def _score(grown: Grown) -> str:
    """How well the tree fits the points that it was grown on, and its size."""
    size = {"leaves": leaves(grown.tree.n_leaves), "depth": grown.tree.max_depth}
    if grown.tree.is_regression:
        error = number(grown.squared_error(), 3)
        return message("{leaves}, depth {depth}. Training mean squared error {error}", **size, error=error)
    return message("{leaves}, depth {depth}. Training accuracy {accuracy}", **size, accuracy=percent(grown.accuracy()))
