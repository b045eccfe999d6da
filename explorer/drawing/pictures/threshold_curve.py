"""The values of a numeric feature on a line, and above them the gain of every threshold between two of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from explorer.drawing.pictures.picture import Picture


@dataclass(frozen=True)
class Cut:
    """A threshold: the gain, the gain ratio (None: not drawn), and what is said of the rows on either side.

    `is_out` marks one that cannot be the best, `reading` is what is said while it is the threshold in force.
    """

    threshold: float
    height: float
    second: float | None
    below: str
    above: str
    reading: str
    is_out: bool = False


@dataclass(frozen=True)
class Mark:
    """A place on the line of values with a name, such as where another program puts the threshold."""

    value: float
    text: str


@dataclass(frozen=True, kw_only=True)
class ThresholdCurve(Picture):
    """Rows by their value (ascending) and class, and the thresholds between them in ascending order.

    The reader moves the threshold from one cut to the next. `most` is the end of the upper axis; without `has_curve`
    only the rows are drawn. `names` are those of the two curves, gain and ratio.
    """

    kind: ClassVar[str] = "threshold_curve"
    feature: str
    values: tuple[float, ...]
    codes: tuple[int, ...]
    classes: tuple[str, ...]
    cuts: tuple[Cut, ...]
    shown: int
    most: float
    names: tuple[str, ...] = ()
    has_curve: bool = True
    marks: tuple[Mark, ...] = ()
    state: str = ""
    """Where it changes, the reader's choice of a threshold ends."""
