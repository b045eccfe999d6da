"""What a reader has chosen on the Learn page: the section, the scene, the step, and what a scene lets one change."""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass

from explorer.drawing.drawn_table.points import LETTERS, MOST_POINTS
from pages.settings.query_reader import QueryReader
from pages.settings.query_record import (
    TEXT,
    Format,
    Query,
    QueryRecord,
    choice,
    in_query,
    nested,
    parsed,
    switch,
    whole,
)

SECTIONS = ("path", "scene", "exercises", "glossary", "draw")
"""The overview of all scenes, a scene, exercises, the glossary, and the table that one draws."""

OWN = "own"
"""The scene of the reader's own table, and what the exercises call that table."""
Chosen = tuple[tuple[str, str], ...]


def _read_chosen(reader: QueryReader, key: str, default: Chosen) -> Chosen:
    pairs = [text.partition("=")[::2] for text in reader.texts(key)]
    if all(name and value for name, value in pairs):
        return tuple(pairs)
    reader.refuse(key, None)
    return default


def _write_chosen(key: str, chosen: Chosen) -> Query:
    return {key: [f"{name}={value}" for name, value in chosen]}


CHOSEN = Format(_read_chosen, _write_chosen)


def _parse_points(text: str) -> str | None:
    return text if re.fullmatch(r"[0-9a-z]*", text, re.ASCII) and len(text) <= LETTERS * MOST_POINTS else None


@dataclass(frozen=True)
class DrawnSettings(QueryRecord):
    """The table that one draws: its points as a short text, and how its tree is grown; a `depth` of 0 has no limit."""

    points: str = in_query("", "points", parsed(_parse_points))
    target: str = in_query("2", "points_of", choice(("2", "3", "number")))
    algorithm: str = in_query("CART", "drawn_by", choice(("CART", "C4.5")))
    depth: int = in_query(3, "drawn_depth", whole(0, 99))


@dataclass(frozen=True)
class LearnSettings(QueryRecord):
    """The section, and within "scene" the scene, its step (from 0) and what the reader changed in it, by name.

    With `follows_short_path` a scene of the short path is followed by the next one on it. `find` is what is
    searched for in the glossary.
    """

    section: str = in_query("path", "learn", choice(SECTIONS))
    scene: str = in_query("", "scene", TEXT)
    step: int = in_query(0, "scene_step", whole(0, 99))
    chosen: Chosen = in_query((), "with", CHOSEN)
    follows_short_path: bool = in_query(False, "short_path", switch())
    find: str = in_query("", "find", TEXT)
    drawn: DrawnSettings = in_query(DrawnSettings(), "drawn", nested(DrawnSettings))

    @property
    def uses_table(self) -> bool:
        """Whether what is open shows the table in use, and not rows of its own.

        >>> LearnSettings("scene", "gini").uses_table, LearnSettings("scene", OWN).uses_table
        (False, True)
        """
        shows_own = {"scene": self.scene == OWN, "exercises": ("exercise.table", OWN) in self.chosen}
        return shows_own.get(self.section, False)

    def at(self, scene: str, step: int = 0) -> LearnSettings:
        """The same at a step of a scene; what was changed in another scene is forgotten."""
        chosen = self.chosen if scene == self.scene else ()
        return dataclasses.replace(self, section="scene", scene=scene, step=step, chosen=chosen)

    def with_choice(self, name: str, value: str) -> LearnSettings:
        """The same with one more thing changed."""
        return dataclasses.replace(self, chosen=tuple(sorted({**dict(self.chosen), name: value}.items())))
