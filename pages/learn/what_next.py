"""What a reader can do after the last step of a scene: the next scene, the own table, the workbench."""

from __future__ import annotations

import dataclasses

import streamlit as st

from explorer.messages import message
from pages.learn import moves, scene_order
from pages.learn.scenes.step import Scene
from pages.results import trees
from pages.results.fit_to_target import fit_target
from pages.settings import session
from pages.settings.learn_settings import OWN
from pages.settings.page_settings import GrowSettings
from pages.settings.settings import Settings
from pages.text import escape_markdown


def show(settings: Settings, scene: Scene) -> None:
    """The buttons; the own table opens on the scene's page, and without one the Data page says what to do."""
    is_of_own_table = scene.name == OWN and bool(settings.upload or settings.connected)
    with st.container(key="lesson_end"):
        follower = scene_order.following(scene, settings.learn.follows_short_path)
        if follower is not None:  # else the strip leads to all scenes
            label = message("Next scene: {title}", title=escape_markdown(follower.title))
            st.button(label, key="learn.end.next", type="primary", on_click=moves.go_on, args=(scene,), width="stretch")
        label = message("Open in the workbench") if is_of_own_table else message("Try it on your data")
        if st.button(label, key="learn.end.own", width="stretch"):
            _try_own_table(settings, scene)
        is_offered = bool(scene.sample) and not settings.view.frozen
        if is_offered and st.button(message("Open in the workbench"), key="learn.end.workbench", width="stretch"):
            _open_sample(scene)


def _try_own_table(settings: Settings, scene: Scene) -> None:
    """The page of the scene with the reader's table, or the Data page where none is open."""
    if settings.upload or settings.connected:
        st.switch_page(f"pages/{scene.own_page}/page.py")
    session.notify(
        "info", message("Open a table of your own here, then go to the page {page}.", page=page_title(scene.own_page))
    )
    st.switch_page("pages/data/page.py")


def _open_sample(scene: Scene) -> None:
    """The table and the algorithm of the scene on its page."""
    grow = dataclasses.replace(GrowSettings(), name=scene.recipe) if scene.recipe else GrowSettings()
    if session.attempt(trees.parts, sample=scene.sample, upload="", grow=grow):
        fit_target()
    st.switch_page(f"pages/{scene.own_page}/page.py")


def page_title(name: str) -> str:
    """The title of a page of the workbench in the navigation."""
    titles = {
        "data": message("Data"),
        "grow": message("Grow"),
        "prune": message("Prune"),
        "evaluate": message("Evaluate"),
        "rules": message("Rules"),
        "predict": message("Predict"),
        "compare": message("Compare"),
        "ensembles": message("Ensembles"),
    }
    return titles[name]
