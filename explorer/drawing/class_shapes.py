"""A shape per class, so that no picture depends on colour alone."""

from __future__ import annotations

import math

SHAPES = (
    "circle",
    "square",
    "triangle",
    "diamond",
    "triangle_down",
    "pentagon",
    "cross",
    "star",
    "hexagon",
    "plus",
)
"""Shapes in class order, cycled."""


def shape_path(class_code: int, x: float, y: float, radius: float) -> str:
    """The outline of a class's shape around a point, as the `d` of an SVG path.

    >>> shape_path(1, 10.0, 10.0, 5.0)
    'M6 6H14V14H6Z'
    """
    name = SHAPES[class_code % len(SHAPES)]
    if name == "circle":
        r, across = short(0.92 * radius), short(1.84 * radius)
        return f"M{short(x - 0.92 * radius)} {short(y)}a{r} {r} 0 1 0 {across} 0a{r} {r} 0 1 0 -{across} 0Z"
    if name == "square":
        half = 0.8 * radius
        return f"M{short(x - half)} {short(y - half)}H{short(x + half)}V{short(y + half)}H{short(x - half)}Z"
    corners = [(x + radius * dx, y + radius * dy) for dx, dy in _CORNERS[name]]
    return "M" + "L".join(f"{short(px)} {short(py)}" for px, py in corners) + "Z"


def short(number: float) -> str:
    """A coordinate with two decimals at most.

    >>> short(12.0), short(0.256), short(-0.001)
    ('12', '0.26', '0')
    """
    text = f"{number:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _ring(corners: int, start: float, inner: float = 1.0) -> list[tuple[float, float]]:
    """Corners on a circle, `start` in turns; every other corner has the radius `inner`."""
    angles = [2.0 * math.pi * (start + i / corners) for i in range(corners)]
    radii = [inner if i % 2 else 1.0 for i in range(corners)]
    return [(r * math.cos(a), r * math.sin(a)) for a, r in zip(angles, radii, strict=True)]


def _bars(turn: float) -> list[tuple[float, float]]:
    """The twelve corners of two crossed bars, turned by a share of a full turn."""
    arm, half = 0.95, 0.3
    quarter = [(half, -half), (arm, -half), (arm, half)]
    points = [(x, y) for x, y in quarter]
    for _ in range(3):
        quarter = [(-y, x) for x, y in quarter]
        points += quarter
    c, s = math.cos(2.0 * math.pi * turn), math.sin(2.0 * math.pi * turn)
    return [(c * x - s * y, s * x + c * y) for x, y in points]


_CORNERS = {
    "triangle": [(0.0, -0.95), (1.0, 0.75), (-1.0, 0.75)],
    "diamond": [(0.0, -1.1), (1.0, 0.0), (0.0, 1.1), (-1.0, 0.0)],
    "triangle_down": [(0.0, 0.95), (-1.0, -0.75), (1.0, -0.75)],
    "pentagon": _ring(5, -0.25),
    "cross": _bars(0.125),
    "star": _ring(10, -0.25, 0.45),
    "hexagon": _ring(6, 0.0),
    "plus": _bars(0.0),
}
