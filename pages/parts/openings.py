"""The note that the test part was opened: which split, how large a tree, what score."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self

from explorer.names import leaves
from pages.parts.words import score_name, score_text


@dataclass(frozen=True)
class Opening:
    """One look at the test rows of the split with this seed, by a tree of so many leaves."""

    seed: int
    leaves: int
    score: float
    baseline: float

    @classmethod
    def read(cls, note: str) -> Self | None:
        """The opening that a note of the settings tells of; None if it cannot be read.

        >>> Opening.read("0:8:0.8125:0.618"), Opening.read("0:8:1e999:0.5")
        (Opening(seed=0, leaves=8, score=0.8125, baseline=0.618), None)
        """
        try:
            seed, leaves, score, baseline = note.split(":")
            found = cls(int(seed), int(leaves), float(score), float(baseline))
        except ValueError:
            return None
        return found if math.isfinite(found.score) and math.isfinite(found.baseline) else None

    def note(self) -> str:
        """The opening as the settings keep it: numbers only.

        >>> Opening(0, 8, 0.8125, 0.618).note()
        '0:8:0.8125:0.618'
        """
        return f"{self.seed}:{self.leaves}:{self.score!r}:{self.baseline!r}"

    def text(self, is_regression: bool) -> str:
        """One sentence for the reader.

        >>> Opening(0, 8, 0.8125, 0.618).text(False)
        'The test part was opened for a tree of 8 leaves (seed 0): accuracy 81.2 %, baseline 61.8 %.'
        """
        score = f"{score_name(is_regression)} {score_text(self.score, is_regression)}"
        base = f"baseline {score_text(self.baseline, is_regression)}"
        return f"The test part was opened for a tree of {leaves(self.leaves)} (seed {self.seed}): {score}, {base}."
