"""What a split tells: conditional entropy and mutual information as areas, and the decrease of measures as a distance.

Counts go by class, in the order of the classes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from explorer.drawing.pictures.picture import Picture


@dataclass(frozen=True)
class Branch:
    """A branch: its value, its rows by class, and its entropy in bits."""

    label: str
    counts: tuple[float, ...]
    impurity: float


@dataclass(frozen=True, kw_only=True)
class SplitAreas(Picture):
    """Branches as columns as wide as their shares of the rows: their classes and, with `has_entropy`, their entropy.

    `before` and `after` are the entropy of the node and the conditional entropy; `names` has the words for "before",
    "after" and "gain". `is_level` begins with all columns at the height of their mean; `asks` hides the numbers.
    """

    kind: ClassVar[str] = "split_areas"
    classes: tuple[str, ...]
    branches: tuple[Branch, ...]
    before: float
    after: float
    names: Mapping[str, str]
    has_entropy: bool = True
    is_level: bool = False
    asks: bool = False


@dataclass(frozen=True)
class Uncertain:
    """A column and its entropy, and of that what is left once the other column is known; both with their words."""

    label: str
    entropy: float
    rest_label: str
    rest: float


@dataclass(frozen=True, kw_only=True)
class EntropyOverlap(Picture):
    """The entropies of two columns as bars that overlap by their mutual information."""

    kind: ClassVar[str] = "entropy_overlap"
    first: Uncertain
    second: Uncertain
    shared: float
    shared_label: str


@dataclass(frozen=True, kw_only=True)
class Chords(Picture):
    """A split into two branches on the curves of some measures, for two classes.

    `decreases` says by how much the split lowers each measure, as text.
    """

    kind: ClassVar[str] = "chords"
    classes: tuple[str, str]
    counts: tuple[float, ...]
    branches: tuple[Branch, ...]
    measures: tuple[str, ...]
    decreases: tuple[str, ...]
