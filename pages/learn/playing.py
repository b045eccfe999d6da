"""A scene as it is played: its picture on the stage, beside it what the step says and asks, below it the steps."""

from __future__ import annotations

import dataclasses

import streamlit as st

from explorer.errors import ExplorerError
from explorer.messages import message
from pages.layout import shell
from pages.learn import moves, overview, stage, strip, words
from pages.learn.scene_order import scene_of
from pages.settings import session, url
from pages.settings.learn_settings import LearnSettings
from pages.settings.settings import Settings, changed
from pages.widgets import page_frame


def show(settings: Settings) -> None:
    """The scene of the settings; a step runs only this again. A scene that is not there is said above all scenes.

    Without a scene, the short path begins where the reader has left it.
    """
    if settings.learn.follows_short_path and not settings.learn.scene:
        moves.start_short_path()
        settings = session.read()
    problem = _mend(settings)
    if problem:
        page_frame.show_notice("warning", problem)
    if session.read().learn.section == "path":
        overview.show(session.read())
    else:
        _show(session.read().learn.scene)


def _mend(settings: Settings) -> str:
    """What of a link cannot be shown, in words: its scene, what it changes there, its step; the settings are mended."""
    learn = settings.learn
    try:
        scene = scene_of(learn.scene)
    except ExplorerError as error:
        _keep(dataclasses.replace(learn, section="path", scene="", step=0, chosen=()))
        return str(error)
    try:
        n_steps, problem = len(scene.steps(dict(learn.chosen))), ""
    except (ExplorerError, KeyError, ValueError):
        if not learn.chosen:
            raise
        n_steps = len(scene.steps({}))
        problem = message("The link changes something that this scene does not have: it opens as it begins.")
        _keep(dataclasses.replace(learn, chosen=()))
    moves.note_step(scene.name, learn.step >= n_steps - 1)
    if learn.step < n_steps:
        return problem
    _keep(session.read().learn.at(scene.name, n_steps - 1))
    return message("This scene has {n} steps, and the link names step {step}.", n=n_steps, step=learn.step + 1)


def _keep(learn: LearnSettings) -> None:
    session.keep(changed(session.read(), learn=learn))


@st.fragment
def _show(opened: str) -> None:
    """The scene at its step; what changes the rail runs the whole page."""
    settings = session.read()
    url.write()
    if (settings.learn.section, settings.learn.scene) != ("scene", opened):
        st.rerun()
    with page_frame.errors_shown():
        scene = scene_of(opened)
        steps = scene.steps(dict(settings.learn.chosen))
        position = min(settings.learn.step, len(steps) - 1)
        if moves.note_step(scene.name, position == len(steps) - 1):
            st.rerun()
        step = steps[position]
        place, inspector = shell.workbench()
        with place:
            stage.show(settings, scene, step)
            strip.show(settings, scene, steps, position)
        with inspector:
            words.show(settings, scene, steps, position)
