"""Drawings to start from, each with a lesson of its own; the same points every time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.drawing.drawn_table.points import DrawnTable
from explorer.messages import Worded, message

Points = NDArray[np.float64]
_ONE_STEP = 100
"""Steps in one unit of a feature."""


@dataclass(frozen=True, kw_only=True)
class Preset:
    """A drawing to start from: its name in links, its title, its kind of target, and what makes its points.

    `make` gives x, y and the class code or number of every point, [n, 3].
    """

    name: str
    title: Worded = Worded()
    target: str
    make: Callable[[np.random.Generator], Points]

    def drawn(self) -> DrawnTable:
        """Its points, rounded to the steps of the canvas."""
        points = self.make(np.random.default_rng(7))
        x, y = np.clip(np.round(points[:, :2] * _ONE_STEP).astype(np.int64).T, 0, 10 * _ONE_STEP)
        marks = np.round(points[:, 2] * (10 if self.target == "number" else 1)).astype(np.int64)
        return DrawnTable(x, y, np.clip(marks, 0, 100), self.target)


def _blob(rng: np.random.Generator, n: int, x: float, y: float, mark: float, spread: float = 0.9) -> Points:
    """Points around a middle, all of one class."""
    return np.column_stack([rng.normal(x, spread, n), rng.normal(y, spread, n), np.full(n, mark)])


def _square(rng: np.random.Generator, n: int) -> Points:
    """Points anywhere on the canvas but at its border."""
    return rng.uniform(0.4, 9.6, (n, 2))


def _blobs(rng: np.random.Generator) -> Points:
    return np.vstack([_blob(rng, 22, 3.2, 6.2, 0), _blob(rng, 22, 6.6, 3.8, 1)])


def _three(rng: np.random.Generator) -> Points:
    return np.vstack([_blob(rng, 18, 2.5, 3.0, 0), _blob(rng, 18, 7.3, 3.4, 1), _blob(rng, 18, 5.2, 7.6, 2)])


def _xor(rng: np.random.Generator) -> Points:
    corners = [(2.6, 2.6, 0), (7.4, 7.4, 0), (2.6, 7.4, 1), (7.4, 2.6, 1)]
    return np.vstack([_blob(rng, 12, x, y, mark, 0.8) for x, y, mark in corners])


def _diagonal(rng: np.random.Generator) -> Points:
    places = _square(rng, 52)
    return np.column_stack([places, places[:, 0] + places[:, 1] > 10.0])


def _circle(rng: np.random.Generator) -> Points:
    places = _square(rng, 56)
    return np.column_stack([places, np.hypot(*(places - 5.0).T) < 3.4])


def _outlier(rng: np.random.Generator) -> Points:
    sides = np.vstack([_blob(rng, 20, 3.0, 5.0, 0, 0.8), _blob(rng, 20, 7.0, 5.0, 1, 0.8)])
    return np.vstack([sides, [[8.6, 7.4, 0]]])


def _staircase(_: np.random.Generator) -> Points:
    """The numbers of Li Hang's table 8.2, to one decimal, from left to right and at three heights."""
    steps = np.array([5.56, 5.70, 5.91, 6.40, 6.80, 7.05, 8.90, 8.70, 9.00, 9.05])
    x = np.tile(np.linspace(0.5, 9.5, 10), 3)
    return np.column_stack([x, np.repeat([2.0, 5.0, 8.0], 10), np.tile(steps, 3)])


PRESETS = (
    Preset(name="blobs", title=lambda: message("Two blobs"), target="2", make=_blobs),
    Preset(name="three", title=lambda: message("Three blobs"), target="3", make=_three),
    Preset(name="xor", title=lambda: message("XOR"), target="2", make=_xor),
    Preset(name="diagonal", title=lambda: message("Diagonal border"), target="2", make=_diagonal),
    Preset(name="circle", title=lambda: message("Circle"), target="2", make=_circle),
    Preset(name="outlier", title=lambda: message("One outlier"), target="2", make=_outlier),
    Preset(name="staircase", title=lambda: message("Staircase of numbers"), target="number", make=_staircase),
)
"""In the order in which they are offered; the page opens with the first."""


def preset_of(name: str) -> Preset | None:
    """The preset of this name."""
    return next((preset for preset in PRESETS if preset.name == name), None)
