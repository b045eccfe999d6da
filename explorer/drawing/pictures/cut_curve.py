"""The score of every threshold of a numeric feature as a curve over the values of the feature."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from explorer.drawing.pictures.picture import Picture


@dataclass(frozen=True)
class ScoredCut:
    """A threshold, its score, and what is said while it is the one shown."""

    threshold: float
    score: float
    text: str


@dataclass(frozen=True, kw_only=True)
class CutCurve(Picture):
    """Thresholds ascending with their scores; `shown` is the one shown at first, which the reader moves.

    `title` names the score and the feature; `ends` are the least and the largest threshold as texts.
    """

    kind: ClassVar[str] = "cut_curve"
    title: str
    cuts: tuple[ScoredCut, ...]
    shown: int
    ends: tuple[str, str]
