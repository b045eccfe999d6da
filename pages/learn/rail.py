"""The rail of the Learn page: its sections, and all scenes with the shortest way through them marked."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Literal

import streamlit as st

from explorer.messages import message
from pages.learn import moves, scene_order
from pages.learn.scenes import own
from pages.learn.scenes.step import Scene
from pages.settings.settings import Settings
from pages.text import escape_markdown


def show(settings: Settings, sections: Collection[str]) -> None:
    """A button for every section and every scene; that of the open one is primary."""
    learn = settings.learn
    with st.container(key="learn_rail"):
        with st.container(key="learn_sections"):
            for section, label in _sections().items():
                if section in sections:
                    _button(section, label, learn.section == section, moves.open_section, section)
            is_own = learn.section == "scene" and learn.scene == own.SCENE.name
            _button(own.SCENE.name, escape_markdown(own.SCENE.title), is_own, moves.go_to, own.SCENE.name)
        for folder, scenes in scene_order.folders():
            st.caption(scene_order.group_name(folder))
            for scene in scenes:
                is_open = learn.section == "scene" and learn.scene == scene.name
                _button(scene.name, _label(scene), is_open, moves.go_to, scene.name)


def _sections() -> dict[str, str]:
    return {
        "path": message("All scenes"),
        "exercises": message("Exercises"),
        "glossary": message("Glossary"),
        "draw": message("Draw a table"),
    }


def _label(scene: Scene) -> str:
    """The title, with a star on the short path and a tick once its last step was reached."""
    ticked = " :material/check:" if moves.finished(scene.name) else ""
    star = " ★" if scene.on_short_path else ""
    return f"{escape_markdown(scene.title)}{star}{ticked}"


def _button(name: str, label: str, is_open: bool, on_click: Callable[[str], None], target: str) -> None:
    kind: Literal["primary", "tertiary"] = "primary" if is_open else "tertiary"
    st.button(label, key=f"learn.open.{name}", type=kind, width="stretch", on_click=on_click, args=(target,))
