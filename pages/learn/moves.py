"""What moves a reader through a scene: to another step, an answer, a change; the settings hold where one is."""

from __future__ import annotations

import dataclasses

import streamlit as st

from pages.learn import scene_order
from pages.learn.scenes.step import Scene
from pages.settings import session
from pages.settings.learn_settings import LearnSettings
from pages.settings.settings import changed

_ANSWERS = "learn.answers"
"""Where a session keeps the answers: by scene and step, the option picked, or −1 where the answer was asked for."""
_FINISHED = "learn.finished"
"""Where a session keeps its progress: by scene, whether its last step was reached."""


def go_to(scene: str, step: int = 0) -> None:
    """Open a scene at a step."""
    _keep(session.read().learn.at(scene, step))


def open_section(section: str) -> None:
    """Open the overview, the exercises, the glossary or the drawn table."""
    _keep(dataclasses.replace(session.read().learn, section=section))


def start_short_path() -> None:
    """Open the first scene of the short path that is not finished; each is followed by the next on it."""
    short = scene_order.short_path()
    first = next((scene for scene in short if not finished(scene.name)), short[0])
    _keep(dataclasses.replace(session.read().learn.at(first.name), follows_short_path=True))


def go_on(scene: Scene) -> None:
    """Open the scene that follows, or after the last one the overview."""
    follower = scene_order.following(scene, session.read().learn.follows_short_path)
    if follower is None:
        open_section("path")
    else:
        go_to(follower.name)


def choose(name: str, value: str) -> None:
    """Change something in the scene."""
    _keep(session.read().learn.with_choice(name, value))


def answer(scene: str, step: str, option: int) -> None:
    """Keep the answer to the question of a step; −1 shows the right one."""
    answers = st.session_state.setdefault(_ANSWERS, {})
    answers[scene, step] = option


def answer_to(scene: str, step: str) -> int | None:
    """The answer given; None while the question is open."""
    given: int | None = st.session_state.get(_ANSWERS, {}).get((scene, step))
    return given


def note_step(scene: str, is_last: bool) -> bool:
    """Note that a step of the scene is shown; whether the scene is finished by that for the first time."""
    progress = st.session_state.setdefault(_FINISHED, {})
    was_finished = bool(progress.get(scene))
    progress[scene] = is_last or was_finished
    return is_last and not was_finished


def finished(scene: str) -> bool | None:
    """Whether the last step of the scene was reached in this session; None for a scene not begun."""
    is_finished: bool | None = st.session_state.get(_FINISHED, {}).get(scene)
    return is_finished


def _keep(learn: LearnSettings) -> None:
    session.keep(changed(session.read(), learn=learn))
