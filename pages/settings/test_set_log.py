"""The note that the test part was opened: which split, how large a tree, what score."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self

from explorer.formatting import METRIC_NAMES, leaves
from pages.text import metric_text, score_name, score_text


@dataclass(frozen=True)
class JudgedBy:
    """The score that the tree was chosen by, where it is not the one that every opening tells; named as in METRICS."""

    metric: str
    score: float
    baseline: float


@dataclass(frozen=True)
class NotedTestScore:
    """One look at the test rows of the split with this seed, by a tree of so many leaves.

    `score` and `baseline` are accuracies, or mean squared errors; `judged_by` is a second score, if there is one.
    """

    seed: int
    leaves: int
    score: float
    baseline: float
    judged_by: JudgedBy | None = None

    @classmethod
    def read(cls, note: str) -> Self | None:
        """The opening that a note of the settings tells of; None if it cannot be read.

        >>> NotedTestScore.read("0:8:0.8125:0.618"), NotedTestScore.read("0:8:1e999:0.5")
        (NotedTestScore(seed=0, leaves=8, score=0.8125, baseline=0.618, judged_by=None), None)
        >>> NotedTestScore.read("0:8:0.8125:0.618:auc:0.9:0.5").judged_by
        JudgedBy(metric='auc', score=0.9, baseline=0.5)
        """
        try:
            seed, leaves, score, baseline, *more = note.split(":")
            found = cls(int(seed), int(leaves), float(score), float(baseline), _judged_by(more))
        except ValueError:
            return None
        second = found.judged_by
        numbers = [found.score, found.baseline, *([second.score, second.baseline] if second else [])]
        return found if all(map(math.isfinite, numbers)) else None

    def note(self) -> str:
        """The opening as the settings keep it: numbers, and the name of the second score before its own.

        >>> NotedTestScore(0, 8, 0.8125, 0.618).note()
        '0:8:0.8125:0.618'
        >>> NotedTestScore(0, 8, 0.8125, 0.618, JudgedBy("auc", 0.9, 0.5)).note()
        '0:8:0.8125:0.618:auc:0.9:0.5'
        """
        second = self.judged_by
        more = f":{second.metric}:{second.score!r}:{second.baseline!r}" if second else ""
        return f"{self.seed}:{self.leaves}:{self.score!r}:{self.baseline!r}{more}"

    def text(self, is_regression: bool) -> str:
        """One sentence for the reader.

        >>> NotedTestScore(0, 8, 0.8125, 0.618).text(False)
        'The test part was opened for a tree of 8 leaves (seed 0): accuracy 81.2 %, baseline 61.8 %.'
        >>> NotedTestScore(0, 8, 0.8125, 0.618, JudgedBy("auc", 0.9, 0.5)).text(False)[-56:]
        'accuracy 81.2 %, baseline 61.8 %; AUC 0.9, baseline 0.5.'
        """
        score = f"{score_name(is_regression)} {score_text(self.score, is_regression)}"
        base = f"baseline {score_text(self.baseline, is_regression)}"
        told = f"{score}, {base}{'' if self.judged_by is None else _second_text(self.judged_by)}"
        return f"The test part was opened for a tree of {leaves(self.leaves)} (seed {self.seed}): {told}."


def _judged_by(parts: list[str]) -> JudgedBy | None:
    """The second score of a note; a note without one has none. ValueError for anything else."""
    if not parts:
        return None
    metric, score, baseline = parts
    if metric not in METRIC_NAMES:
        raise ValueError(metric)
    return JudgedBy(metric, float(score), float(baseline))


def _second_text(one: JudgedBy) -> str:
    score, base = (metric_text(value, one.metric) for value in (one.score, one.baseline))
    return f"; {METRIC_NAMES[one.metric]} {score}, baseline {base}"
