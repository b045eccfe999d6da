"""What the last move changed: the nodes that now split otherwise, and by how much their split leads."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.candidates.candidates import Candidate
from explorer.drawing.drawn_table.grown import Grown
from explorer.errors import InputError
from explorer.formatting import number
from explorer.growing.decide import Decision
from explorer.messages import message
from explorer.recipe.condition import SplitRequest
from explorer.recipe.split_score import GAIN_RATIO, SCORES

_DIGITS = 3


@dataclass(frozen=True)
class Change:
    """A node whose split is another one than before, with the sentence that says what tipped."""

    node: int
    text: str


def changes(before: Grown, now: Grown) -> list[Change]:
    """The highest nodes of the tree that split otherwise than before the move, in preorder.

    A threshold that moves with a point makes no other split: the same feature has to divide the other points otherwise.
    Below a node that changed everything is new, so nothing is said of it.
    """
    if before.tree.is_regression != now.tree.is_regression or before.tree.recipe.name != now.tree.recipe.name:
        return []
    unmoved = np.isin(_keys(now), _keys(before))
    return [Change(node, _sentence(before, now, old, node)) for old, node in _differing(before, now, 0, 0, unmoved)]


def _keys(grown: Grown) -> NDArray[np.int64]:
    """A number per point that only equal points share."""
    table = grown.table
    return (table.x_steps * 1001 + table.y_steps) * 101 + table.marks


def _differing(before: Grown, now: Grown, old: int, node: int, unmoved: NDArray[np.bool_]) -> Iterator[tuple[int, int]]:
    """The pairs of nodes (before, now), the highest of their branch, whose splits differ."""
    feature, was = now.feature_of(node), before.feature_of(old)
    if feature is None and was is None:
        return
    if feature != was or feature is None:
        yield old, node
        return
    values = now.table.x if feature == "x" else now.table.y
    threshold, threshold_before = now.tree.threshold[node], before.tree.threshold[old]
    left = values <= threshold
    if (unmoved & (left != (values <= threshold_before))).any():
        yield old, node
        return
    for branch, rows in enumerate((left, ~left)):
        children = (int(before.tree.first_child[old]) + branch, int(now.tree.first_child[node]) + branch)
        yield from _differing(before, now, *children, unmoved & rows)


def _sentence(before: Grown, now: Grown, old: int, node: int) -> str:
    """What won, what it overtook, and their numbers now."""
    decision = now.decision(node)
    where = message("Root") if node == 0 else message("Node {node}", node=node)
    won = decision.chosen
    if won is None:
        return message("{node} is a leaf now ({reason}).", node=where, reason=decision.stop_reason or "")
    lost = _overtaken(before, decision, old)
    measure, value, other = _compared(now, won, lost)
    if lost is None or other > value:
        return message(
            "{node} now splits on {condition} ({measure} {value}).",
            node=where,
            condition=won.condition.text,
            measure=measure,
            value=number(value, _DIGITS),
        )
    digits = digits_apart(value, other)
    return message(
        "{node}: {condition} ({measure} {value}) overtook {other} ({other_value}).",
        node=where,
        condition=won.condition.text,
        measure=measure,
        value=f"{value:.{digits}f}",
        other=lost.condition.text,
        other_value=f"{other:.{digits}f}",
    )


def _overtaken(before: Grown, decision: Decision, old: int) -> Candidate | None:
    """The split from before with its numbers now: the best of its feature, or another threshold of the winner's."""
    feature = before.feature_of(old)
    if feature is None or decision.chosen is None:
        return None
    if feature != decision.chosen.feature:
        return decision.best.get(feature)
    try:
        return decision.try_split(SplitRequest(feature, "threshold", threshold=float(before.tree.threshold[old])))
    except InputError:  # its rows are all on one side now
        return None


def _compared(now: Grown, won: Candidate, lost: Candidate | None) -> tuple[str, float, float]:
    """The measure by which the two compete, and their numbers; −∞ for none that lost.

    C4.5 compares features by gain ratio, and the thresholds of one feature by gain.
    """
    other = won if lost is None else lost
    if (lost is None or other.feature != won.feature) and won.score is not None and other.score is not None:
        measure, value, rival = score_name(now), won.score, other.score
    else:
        measure, value, rival = gain_name(now), won.gain, other.gain
    return measure, value, -math.inf if lost is None else rival


def gain_name(grown: Grown) -> str:
    """What the decrease of the impurity is called."""
    if grown.tree.is_regression:
        return message("variance decrease")
    return message("gain") if _is_by_ratio(grown) else message("Gini decrease")


def score_name(grown: Grown) -> str:
    """What features compete by."""
    return message("gain ratio") if _is_by_ratio(grown) else gain_name(grown)


def _is_by_ratio(grown: Grown) -> bool:
    return SCORES[grown.tree.recipe.score].compares == GAIN_RATIO


def digits_apart(value: float, other: float) -> int:
    """As many decimals as it takes to see that two numbers differ: three to six.

    >>> digits_apart(0.41, 0.4), digits_apart(0.41012, 0.41031), digits_apart(0.5, 0.5)
    (3, 4, 3)
    """
    if value == other:
        return _DIGITS
    return next((digits for digits in range(_DIGITS, 7) if f"{value:.{digits}f}" != f"{other:.{digits}f}"), 6)
