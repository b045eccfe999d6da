"""The drawing of a session: its points and how its tree is grown, which the link holds too."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

import explorer as ex
from explorer.drawing.drawn_table.grown import ALGORITHMS, Grown, grow_drawn, recipe_of
from explorer.drawing.drawn_table.points import TARGETS, DrawnTable, points_of
from explorer.drawing.drawn_table.presets import PRESETS, preset_of
from explorer.drawing.drawn_table.tipping import Change, changes
from pages.settings import session
from pages.settings.learn_settings import DrawnSettings
from pages.settings.settings import changed

_DRAWING = "learn.drawing"
_DEEPEST = 99


@dataclass
class Drawing:
    """What is drawn now: the points, the algorithm, the depth (None: any), and the path to the selected node.

    `number` is that of the last question from the browser, `version` counts how often Python itself set the points.
    `grown` is the tree, None where there is nothing to predict (`problem` says why), and `changed` what the last
    question changed in it. `linked` is what the settings hold of it: after a step back they hold another drawing.
    """

    table: DrawnTable
    algorithm: str = "CART"
    depth: int | None = 3
    path: str = ""
    number: int = 0
    version: int = 1
    grown: Grown | None = None
    problem: str = ""
    changed: list[Change] = field(default_factory=list)
    linked: DrawnSettings = field(default_factory=DrawnSettings)

    @property
    def recipe(self) -> ex.Recipe:
        """How its tree is grown."""
        return recipe_of(self.algorithm, self.depth)

    def grow(self) -> None:
        """Grow the tree of the points as they are now, and note what changed."""
        before = self.grown
        try:
            self.grown, self.problem = grow_drawn(self.table, self.recipe), ""
        except ex.InputError as error:
            self.grown, self.problem = None, str(error)
        self.changed = changes(before, self.grown) if before is not None and self.grown is not None else []


def drawing() -> Drawing:
    """The drawing of this session; at first that of the link, or the first preset."""
    kept: Drawing | None = st.session_state.get(_DRAWING)
    linked = session.read().learn.drawn
    if kept is None or kept.linked != linked:
        before, kept = kept, _of_settings(linked)
        kept.linked = linked
        if before is not None:
            kept.number, kept.version = before.number, before.version + 1
        kept.grow()
        st.session_state[_DRAWING] = kept
    return kept


def _of_settings(drawn: DrawnSettings) -> Drawing:
    """What a link describes; without points the first preset."""
    if not drawn.points:
        return Drawing(PRESETS[0].drawn())
    algorithm = "CART" if drawn.target == "number" else drawn.algorithm
    try:
        return Drawing(points_of(drawn.points, drawn.target), algorithm, drawn.depth or None)
    except ex.InputError as error:
        session.notify("warning", str(error))
        return Drawing(PRESETS[0].drawn())


def take(question: Mapping[str, Any]) -> None:
    """Take over what the browser asks: the points as they are now, or a preset, and grow their tree.

    Raises InputError for a drawing that the canvas cannot have made.
    """
    now = drawing()
    number = int(question["number"])
    if number <= now.number:
        return
    now.number = number
    preset = preset_of(str(question.get("preset", "")))
    if preset is not None:
        now.table, now.path, now.grown, now.version = preset.drawn(), "", None, now.version + 1
    else:
        target = str(question["target"])
        now.table = points_of(str(question["points"]), target if target in TARGETS else TARGETS[0])
        now.path = "".join(step for step in str(question["path"]) if step in "01")
    algorithm = str(question["algorithm"])
    now.algorithm = algorithm if algorithm in ALGORITHMS and not now.table.is_regression else "CART"
    depth = question["depth"]
    now.depth = min(max(int(depth), 1), _DEEPEST) if depth else None
    now.grow()
    if question["last"]:
        keep_in_link(now)


def keep_in_link(now: Drawing) -> None:
    """Put the drawing into the settings, and so into the link."""
    points = now.table.text()
    drawn = DrawnSettings(points, now.table.target, now.algorithm, now.depth or 0) if points else DrawnSettings()
    settings, now.linked = session.read(), drawn
    session.keep(changed(settings, learn=dataclasses.replace(settings.learn, drawn=drawn)))
