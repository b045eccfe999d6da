"""What a round of boosting adds to the scores of the training rows, and when nothing is left to add (section 21)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.ensembles.boosting.node_values import NodeRows
from explorer.ensembles.boosting.replay import small

Floats = NDArray[np.float64]
NO_GRADIENT = 1e-14
"""Gradients below this share of the largest target are rounding noise."""


def nothing_is_left(gradients: Floats, targets: NDArray[Any]) -> bool:
    """Whether every gradient [n, S] is rounding noise beside the targets [n], so that no tree has anything to fit.

    >>> nothing_is_left(np.array([[1e-16], [0.0]]), np.array([3.0, 5.0]))
    True
    """
    return bool(np.abs(gradients).max() <= NO_GRADIENT * max(1.0, float(np.abs(targets).max())))


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
