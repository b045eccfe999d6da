"""All scenes, in the order of the path through them."""

from __future__ import annotations

from pathlib import Path

from explorer.errors import InputError
from explorer.messages import message
from pages.learn.scenes.step import Scene
from pages.learn.written import scene_from

_FOLDER = Path(__file__).with_name("scenes")
SCENES = tuple(scene_from(_FOLDER / f"{name}.md") for name in (_FOLDER / "order.txt").read_text("utf-8").split())


def scene_of(name: str) -> Scene:
    """The scene of this name; InputError where there is none."""
    for scene in SCENES:
        if scene.name == name:
            return scene
    names = ", ".join(scene.name for scene in SCENES)
    raise InputError(message("There is no scene '{name}': choose one of {names}.", name=name, names=names))
