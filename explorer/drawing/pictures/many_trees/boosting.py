"""Boosting by hand on one feature: weights of points and the vote of stumps, or residuals that each tree fits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from explorer.drawing.pictures.picture import Picture


@dataclass(frozen=True)
class Stump:
    """A threshold with the classes that it predicts on its two sides, and the weight of the points it gets wrong."""

    threshold: float
    left: int
    right: int
    error: float


@dataclass(frozen=True, kw_only=True)
class WeightedPoints(Picture):
    """Points of two classes whose area is their weight, and a threshold that can be moved over bars of its errors.

    `names` are the signs of the two classes; `stumps` are all thresholds with the heavier class of each side; `stump`
    is the one shown at first. `hides_errors` leaves the errors out: while they are asked for.
    """

    kind: ClassVar[str] = "weighted_points"
    title: str
    x: tuple[float, ...]
    codes: tuple[int, ...]
    names: tuple[str, str]
    weights: tuple[float, ...]
    stumps: tuple[Stump, ...]
    stump: int
    hides_errors: bool = False


@dataclass(frozen=True, kw_only=True)
class WeightedVote(Picture):
    """The sum of weighted votes over one feature, stage by stage: `scores` [stages + 1][points] of the second class.

    `votes` are the α of the members, `stumps` what they predict; `stage` is the stage shown at first.
    """

    kind: ClassVar[str] = "weighted_vote"
    title: str
    x: tuple[float, ...]
    codes: tuple[int, ...]
    names: tuple[str, str]
    stumps: tuple[Stump, ...]
    votes: tuple[float, ...]
    scores: tuple[tuple[float, ...], ...]
    stage: int


@dataclass(frozen=True, kw_only=True)
class BoostedFit(Picture):
    """Points of one feature, the fit of a stage as a staircase, and the residuals that it leaves as bars.

    `fits` [stages + 1][points] begin with the start value; `edges` are the middles between neighbouring points; `steps`
    [stages][points] are what each tree adds, `losses` [stages + 1] the sums of squared residuals. `shows_next` draws
    the next tree over the residuals.
    """

    kind: ClassVar[str] = "boosted_fit"
    title: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    fits: tuple[tuple[float, ...], ...]
    steps: tuple[tuple[float, ...], ...]
    losses: tuple[float, ...]
    stage: int
    shows_next: bool = False
