"""The order of the scenes: which follows which, which are on the short path, and how they are grouped."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from explorer.messages import message
from pages.learn import path
from pages.learn.path import SCENES
from pages.learn.scenes import own
from pages.learn.scenes.step import Scene

_GROUPS: Mapping[str, Callable[[], str]] = {
    "growing": lambda: message("Growing"),
    "pruning": lambda: message("Pruning"),
    "many_trees": lambda: message("From one tree to many"),
    "textbooks": lambda: message("Where textbooks differ"),
}
"""What the folders of the scenes are called."""


def folders() -> list[tuple[str, list[Scene]]]:
    """The scenes by their folders, in the order of the path; folders without scenes are left out."""
    found = [(name, [scene for scene in SCENES if folder(scene) == name]) for name in _GROUPS]
    return [(name, scenes) for name, scenes in found if scenes]


def folder(scene: Scene) -> str:
    """The folder of the file that has the steps of the scene."""
    return scene.folder or scene.steps.__module__.split(".")[-2]


def group_name(name: str) -> str:
    """What the scenes of a folder are called."""
    return _GROUPS[name]()


def short_path() -> tuple[Scene, ...]:
    """The scenes of the shortest way through, which takes about 15 minutes."""
    return tuple(scene for scene in SCENES if scene.on_short_path)


def following(scene: Scene, on_short_path: bool = False) -> Scene | None:
    """The scene after this one, on the short path or of all scenes; None after the last, and for one in neither."""
    way = short_path() if on_short_path and scene.on_short_path else SCENES
    names = [each.name for each in way]
    after = names.index(scene.name) + 1 if scene.name in names else len(way)
    return way[after] if after < len(way) else None


def scene_of(name: str) -> Scene:
    """The scene of this name, on the path or the one of the reader's own table; InputError where there is none."""
    return own.SCENE if name == own.SCENE.name else path.scene_of(name)
