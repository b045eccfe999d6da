"""The log of uses of the test set: which split, how large a tree, what score."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self

from explorer.formatting import METRIC_NAMES, leaves
from explorer.messages import message
from pages.text import metric_text, score_name, score_text


@dataclass(frozen=True)
class SelectionScore:
    """The metric that the tree was selected by, where it is not the one that every use reports; named as in METRICS."""

    metric: str
    score: float
    baseline: float


@dataclass(frozen=True)
class NotedTestScore:
    """One evaluation on the test set of the split with this seed, of a tree with so many leaves.

    `score` and `baseline` are accuracies, or mean squared errors; `selection` is the metric of the selection, if it is
    another one.
    """

    seed: int
    leaves: int
    score: float
    baseline: float
    selection: SelectionScore | None = None

    @classmethod
    def read(cls, note: str) -> Self | None:
        """The use that a note in the settings records; None if it cannot be read.

        >>> NotedTestScore.read("0:8:0.8125:0.618"), NotedTestScore.read("0:8:1e999:0.5")
        (NotedTestScore(seed=0, leaves=8, score=0.8125, baseline=0.618, selection=None), None)
        >>> NotedTestScore.read("0:8:0.8125:0.618:auc:0.9:0.5").selection
        SelectionScore(metric='auc', score=0.9, baseline=0.5)
        """
        try:
            seed, leaves, score, baseline, *more = note.split(":")
            use = cls(int(seed), int(leaves), float(score), float(baseline), _selection_score(more))
        except ValueError:
            return None
        selection = use.selection
        numbers = [use.score, use.baseline, *([selection.score, selection.baseline] if selection else [])]
        return use if all(map(math.isfinite, numbers)) else None

    def note(self) -> str:
        """The use as the settings keep it: numbers, and the name of the selection metric before its own.

        >>> NotedTestScore(0, 8, 0.8125, 0.618).note()
        '0:8:0.8125:0.618'
        >>> NotedTestScore(0, 8, 0.8125, 0.618, SelectionScore("auc", 0.9, 0.5)).note()
        '0:8:0.8125:0.618:auc:0.9:0.5'
        """
        selection = self.selection
        more = f":{selection.metric}:{selection.score!r}:{selection.baseline!r}" if selection else ""
        return f"{self.seed}:{self.leaves}:{self.score!r}:{self.baseline!r}{more}"

    def text(self, is_regression: bool) -> str:
        """One sentence for the reader.

        >>> NotedTestScore(0, 8, 0.8125, 0.618).text(False)
        'Test set used for a tree of 8 leaves (seed 0): accuracy 81.2 %, baseline 61.8 %.'
        >>> NotedTestScore(0, 8, 0.8125, 0.618, SelectionScore("auc", 0.9, 0.5)).text(False)[-56:]
        'accuracy 81.2 %, baseline 61.8 %; AUC 0.9, baseline 0.5.'
        """
        fields = {
            "leaves": leaves(self.leaves),
            "seed": self.seed,
            "name": score_name(is_regression),
            "score": score_text(self.score, is_regression),
            "baseline": score_text(self.baseline, is_regression),
        }
        if self.selection is None:
            return message(
                "Test set used for a tree of {leaves} (seed {seed}): {name} {score}, baseline {baseline}.", **fields
            )
        metric = self.selection.metric
        score, base = (metric_text(value, metric) for value in (self.selection.score, self.selection.baseline))
        return message(
            "Test set used for a tree of {leaves} (seed {seed}): {name} {score}, baseline {baseline}; {metric} "
            "{value}, baseline {base}.",
            metric=METRIC_NAMES[metric],
            value=score,
            base=base,
            **fields,
        )


def _selection_score(parts: list[str]) -> SelectionScore | None:
    """The selection score at the end of a note; None without one. ValueError for anything else."""
    if not parts:
        return None
    metric, score, baseline = parts
    if metric not in METRIC_NAMES:
        raise ValueError(metric)
    return SelectionScore(metric, float(score), float(baseline))
