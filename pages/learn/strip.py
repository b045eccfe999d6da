"""The strip below the picture: the steps of the scene, back and next, playing, and the keys of the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import streamlit as st

from explorer.drawing.joined_modules import component_file
from explorer.messages import message
from pages.learn import moves, scene_order
from pages.learn.scenes.step import Scene, Step
from pages.settings.settings import Settings

_HERE = Path(__file__).parent
_KEY, _ECHO = "learn.strip", "learn.strip.echo"


def show(settings: Settings, scene: Scene, steps: Sequence[Step], position: int) -> None:
    """Mount the strip; its keys move the step and answer the question wherever the focus is."""
    step = steps[position]
    is_open = step.question is not None and moves.answer_to(scene.name, step.name) is None
    follower = scene_order.following(scene, settings.learn.follows_short_path)
    data = {
        "scene": scene.name,
        "titles": [each.title for each in steps],
        "said": [message("Step {step} of {n}", step=number + 1, n=len(steps)) for number in range(len(steps))],
        "position": position,
        "open": len(step.question.options) if step.question is not None and is_open else 0,
        "next": message("Next scene") if follower is not None else message("All scenes"),
        "presenter": settings.view.presenter,
        "echo": st.session_state.get(_ECHO, 0),
        "words": _words(),
    }
    with st.container(key="lesson_strip"):
        mount = st.components.v2.component(
            "lesson_strip", js=component_file(_HERE / "strip.js"), css=component_file(_HERE / "strip.css")
        )
        mount(data=data, key=_KEY, on_event_change=lambda: _take(scene, step))


def _words() -> dict[str, str]:
    return {
        "steps": message("Steps of the scene"),
        "back": message("Back (←)"),
        "next": message("Next (→)"),
        "play": message("Play: goes on by itself"),
        "pause": message("Pause"),
    }


def _take(scene: Scene, step: Step) -> None:
    """Do what the strip reports, once: another step, an answer, or the scene that follows."""
    report: Mapping[str, Any] | None = st.session_state[_KEY].get("event")
    if not report or int(report["number"]) <= st.session_state.get(_ECHO, 0):
        return
    st.session_state[_ECHO] = int(report["number"])
    if "go" in report:
        moves.go_to(scene.name, int(report["go"]))
    elif "answer" in report:
        moves.answer(scene.name, step.name, int(report["answer"]))
    elif "next" in report:
        moves.go_on(scene)
