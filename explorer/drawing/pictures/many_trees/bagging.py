"""Bagging in pictures: what bootstrap samples draw, and fits to noisy points."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from explorer.drawing.pictures.picture import Picture


@dataclass(frozen=True, kw_only=True)
class Draws(Picture):
    """How often each row is drawn by each member: `counts` [members][rows]; a row with 0 is out of bag.

    `codes` are the classes of the rows; `answers` [rows] are what the members that did not draw a row say of it, empty
    where there are none; `wrong` are the rows of which they say the wrong class.
    """

    kind: ClassVar[str] = "draws"
    title: str
    rows: tuple[str, ...]
    codes: tuple[int, ...]
    members: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]
    answers: tuple[str, ...] = ()
    wrong: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True)
class NoisyFits(Picture):
    """Four points, each one step of noise above or below the truth, and the fits to them.

    `fits` [samples][points] is the tree's fit and `bagged` the mean of the trees on all bootstrap samples; the bits of
    a sample's number say which points are above. `mean` and `bagged_mean` are the means over all samples.
    """

    kind: ClassVar[str] = "noisy_fits"
    title: str
    x: tuple[float, ...]
    truth: tuple[float, ...]
    noise: float
    fits: tuple[tuple[float, ...], ...]
    bagged: tuple[tuple[float, ...], ...]
    mean: tuple[float, ...]
    bagged_mean: tuple[float, ...]
    sample: int
    shows_bagged: bool = True
