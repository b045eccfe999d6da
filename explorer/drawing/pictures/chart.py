"""Charts: marks over one or more pairs of axes, and a place among several that the reader moves to.

A mark is a small mapping, made by one of the functions here; its places are numbers of its panel's axes. Colours are
codes of classes, or names of the theme: primary, text, quiet, panel, border, background.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from explorer.drawing.pictures.lesson_tree import LessonTree, lesson_tree
from explorer.drawing.pictures.picture import Picture
from explorer.tree.tree import Tree

Mark = Mapping[str, Any]
Colour = int | str


def line(key: str, points: Iterable[Sequence[float]], colour: Colour = "primary", **look: Any) -> Mark:
    """A line through points; `dash` and `width` are those of its stroke, `fill` a colour for the area it encloses."""
    return {"mark": "line", "key": key, "points": [list(point) for point in points], "colour": colour, **look}


def across(key: str, x: float, low: float, high: float, colour: Colour = "text", **look: Any) -> Mark:
    """A line straight up at x."""
    return line(key, ((x, low), (x, high)), colour, **look)


def stairs(
    key: str, places: Sequence[float], heights: Sequence[float], colour: Colour = "primary", **look: Any
) -> Mark:
    """A staircase whose heights stand half a unit on both sides of their places."""
    points = (point for x, y in zip(places, heights, strict=True) for point in ((x - 0.5, y), (x + 0.5, y)))
    return line(key, points, colour, **look)


def dot(key: str, x: float, y: float, colour: Colour = "text", **look: Any) -> Mark:
    """A dot of radius `r`, or of at most that where a unit of the axes is `of` ("x", "y") is less; `sign` stands in it.

    `to` is the place that a click opens (with `hovers`, pointing at it), `button` the name of a button over it.
    """
    return {"mark": "dot", "key": key, "x": x, "y": y, "colour": colour, **look}


def rect(key: str, x: Sequence[float], y: Sequence[float], colour: Colour = "quiet", **look: Any) -> Mark:
    """A rectangle over a range of x and one of y, with the `lines` of text that have room in it."""
    return {"mark": "rect", "key": key, "x": list(x), "y": list(y), "colour": colour, **look}


def square(key: str, x: float, y: float, to: float, left: bool = False) -> Mark:
    """The square over the distance from y to another number; to the left of x where that is wanted, or has the room."""
    return {"mark": "square", "key": key, "x": x, "y": y, "to": to, "left": left, "colour": "primary"}


def text(key: str, x: float, y: float, text: str, **look: Any) -> Mark:
    """A text (`dx`, `dy` away); `anchor` and `kind` are those of the canvas. With `yields` it is left out of others."""
    return {"mark": "text", "key": key, "x": x, "y": y, "text": text, **look}


@dataclass(frozen=True, kw_only=True)
class Axis:
    """An axis from `low` to `high`, with round numbers unless its `ticks` are given as (number, text)."""

    low: float
    high: float
    title: str = ""
    ticks: tuple[tuple[float, str], ...] | None = None
    is_log: bool = False
    is_share: bool = False
    has_lines: bool | None = None
    is_drawn: bool | None = None


@dataclass(frozen=True, kw_only=True)
class Panel:
    """Marks over axes, as high as its `share` of the room; `most` is the largest height in units of the picture."""

    x: Axis
    y: Axis
    marks: tuple[Mark, ...] = ()
    title: str = ""
    share: float = 1.0
    most: float | None = None


@dataclass(frozen=True, kw_only=True)
class TreePanel:
    """A tree; a node is a leaf up to the place in `leaf_until`, or where the place says so in its `leaves`.

    `note` has lines of text for every place, or for all of them; `is_best` frames it.
    """

    tree: LessonTree
    leaf_until: tuple[int, ...] = ()
    title: str = ""
    note: tuple[str, ...] = ()
    share: float = 1.0
    most: float | None = None
    is_best: bool = False


@dataclass(frozen=True, kw_only=True)
class Place:
    """What a place of the slider shows: marks more for each panel, a reading, where it is along x, and pruned nodes."""

    said: str
    at: float = 0.0
    reading: str = ""
    marks: tuple[tuple[Mark, ...], ...] = ()
    leaves: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True, kw_only=True)
class Chart(Picture):
    """Columns of panels, the places of its slider (named `slider`), and a legend of (name, colour).

    Columns stand side by side, `shares` wide; where they `wrap`, one below the other in a high picture. `right` is the
    room to the right of the first column. `peeks` are shown while the reader points at marks with their position as
    `peek`. The slider is dragged `along` an axis. `toggle` names two buttons that stand in for a slider of two places.
    """

    kind: ClassVar[str] = "chart"
    title: str = ""
    columns: tuple[tuple[Panel | TreePanel, ...], ...]
    places: tuple[Place, ...] = ()
    peeks: tuple[Place, ...] = ()
    shown: int = 0
    slider: str = ""
    toggle: tuple[str, ...] = ()
    along: str = "x"
    legend: tuple[tuple[str, Colour], ...] = ()
    shares: tuple[float, ...] = ()
    wraps: bool = True
    left: float = 56
    right: float = 24
    state: str = ""
    """Where it changes, the reader's choice of a place ends."""


def small_tree(tree: Tree, title: str = "", *, note: str = "", is_best: bool = False) -> TreePanel:
    """A grown or pruned tree, for a picture of several."""
    drawn = lesson_tree(tree, as_pruned=True)
    return TreePanel(tree=drawn, title=title, note=(note,), is_best=is_best, most=min(150.0 + 110 * drawn.depth, 480))


def beside(says: str, trees: Sequence[TreePanel]) -> Chart:
    """One to three trees side by side."""
    return Chart(
        says=says, columns=tuple((tree,) for tree in trees), places=(Place(said="", leaves=((),) * len(trees)),)
    )


@dataclass(frozen=True, kw_only=True)
class TreeGallery(Picture):
    """Many trees as a grid of small shapes, those at `best` framed; the one pointed at is drawn with its tests."""

    kind: ClassVar[str] = "tree_gallery"
    title: str
    trees: tuple[LessonTree, ...]
    best: tuple[int, ...]
    selected: int = 0
