"""What a round of boosting adds to the scores of the training rows, and when nothing is left to add (section 21)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.ensembles.boosting.node_values import NodeRows
from explorer.ensembles.boosting.replay import small

Floats = NDArray[np.float64]
CERTAIN = 1e-14
"""Gradients of class probabilities below this are rounding noise."""


def nothing_is_left(gradients: Floats) -> bool:
    """Whether every gradient [n, S] of a loss of class probabilities is 0 but for rounding, so that no tree fits it.

    >>> nothing_is_left(np.array([[1e-16], [0.0]])), nothing_is_left(np.array([[0.5], [-0.5]]))
    (True, False)
    """
    return bool(np.abs(gradients).max() <= CERTAIN)


def is_fitted(residuals: Floats, targets: NDArray[Any], learning_rate: float) -> bool:
    """Whether the scores are the targets [n] but for rounding: a step no longer moves a score of the targets' size.

    That is so from residuals of one unit in the last place of the largest target on, and of a multiple of it where the
    learning rate makes steps of them that are lost in rounding.

    >>> targets = np.array([3.0, 5.0]) * 1e-15
    >>> is_fitted(np.array([1e-16, 0.0]), targets, 0.1), is_fitted(np.array([1e-30, 0.0]), targets, 0.1)
    (False, True)
    """
    last_place = float(np.spacing(np.abs(targets).max()))
    return bool(np.abs(residuals).max() <= last_place * max(1.0, 0.5 / learning_rate))


@dataclass(frozen=True, eq=False)
class ScoreStep:
    """What a tree adds to one score: `values` of the nodes `ends` [n] where the rows end, or of the rows themselves."""

    column: int
    values: Floats
    ends: NDArray[Any] | None

    @classmethod
    def of(cls, column: int, values: Floats, ends: NodeRows) -> ScoreStep:
        """A byte or two per row, unless rows have several ends."""
        has_one_end = len(ends.rows) == ends.n_rows
        return cls(column, values, small(ends.nodes)) if has_one_end else cls(column, ends.answers(values), None)

    @property
    def of_rows(self) -> Floats:
        """What is added to the score of every row, [n]."""
        return self.values if self.ends is None else self.values[self.ends]


@dataclass(frozen=True, eq=False)
class RoundStep:
    """What a round adds to all scores."""

    steps: tuple[ScoreStep, ...]

    def __call__(self, raw: Floats) -> Floats:
        """The scores after the round, [n, S]."""
        after = raw.copy()
        for step in self.steps:
            after[:, step.column] += step.of_rows
        return after
