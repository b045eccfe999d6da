"""All scenes as cards, with the shortest way through them."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from functools import cache

import streamlit as st

from explorer.data.samples import SAMPLES
from explorer.drawing.palette import class_colours, mean_ends, mix, theme
from explorer.drawing.tree_icon import tree_icon
from explorer.messages import message, plural
from pages.data.sample_shapes import SHAPES
from pages.layout import shell
from pages.learn import moves, scene_order
from pages.learn.path import SCENES
from pages.learn.scenes.step import Scene
from pages.settings.settings import Settings
from pages.text import escape_markdown
from pages.widgets import page_frame

_SHAPES = {
    "growing": "((01)1(10))",
    "pruning": "(((01)(10))0)",
    "many_trees": "((01)(10))",
    "textbooks": "(0(01))",
}
"""The trees on the cards of each folder, in the notation of `tree_icon`."""


def show(settings: Settings) -> None:
    """The short path, then one card a scene: its title, the question it answers, and how long it takes."""
    with shell.scrolling_page(), st.container(key="learn_overview"):
        _head()
        _draw_trees(settings.palette)
        for folder, scenes in scene_order.folders():
            st.caption(scene_order.group_name(folder))
            with st.container(key=f"learn_cards_{folder}"):
                for scene in scenes:
                    _card(scene)


def _head() -> None:
    """What the page is, the short path to begin or go on with, and how far the reader has come."""
    st.subheader(message("How a decision tree is grown and pruned, one idea a step"), anchor=False)
    with st.container(key="learn_short_path", horizontal=True, vertical_alignment="center"):
        st.button(
            _invitation(scene_order.short_path()),
            key="learn.short_path",
            type="primary",
            icon=":material/play_arrow:",
            on_click=moves.start_short_path,
        )
        st.markdown(message("Its scenes have a ★. Keys: ← and → move, 1 to 9 answer."))
    finished = sum(bool(moves.finished(scene.name)) for scene in SCENES)
    if finished:
        st.progress(
            finished / len(SCENES),
            message("{finished} of {scenes} scenes finished", finished=finished, scenes=len(SCENES)),
        )


def _invitation(short: Sequence[Scene]) -> str:
    """The label of the button that opens the first scene of the short path that is not finished."""
    to_come = [scene for scene in short if not moves.finished(scene.name)]
    if len(to_come) in (0, len(short)):
        minutes = sum(scene.minutes for scene in short)
        return plural(minutes, "Start the {n}-minute path", "Start the {n}-minute path")
    return message("Go on with: {title}", title=escape_markdown(to_come[0].title))


def _card(scene: Scene) -> None:
    """A button with all that a card says; the style sheet gives title, time and question their own lines."""
    title, asks = escape_markdown(scene.title), escape_markdown(scene.asks)
    time = plural(scene.minutes, "{n} minute", "{n} minutes")
    signs = [time, *(["★"] if scene.on_short_path else []), *(_progress(scene))]
    label = f"**{title}** {asks} *{' · '.join(signs)}*"
    key = f"learn.card.{scene_order.folder(scene)}.{scene.name}"
    st.button(label, key=key, width="stretch", on_click=moves.go_to, args=(scene.name,))


def _progress(scene: Scene) -> list[str]:
    finished = moves.finished(scene.name)
    if finished is None:
        return []
    return [message("✓ finished") if finished else message("begun")]


def _draw_trees(palette: str) -> None:
    """The pictures as a style sheet of our own: one background for the card of each scene."""
    st.html(f"<style>{_pictures(page_frame.colours().name, palette)}</style>")


@cache
def _pictures(name: str, palette: str) -> str:
    """The first tree of the scene's table on its card; without a table that of the folder."""
    rules = []
    for scene in SCENES:
        folder = scene_order.folder(scene)
        shape = SHAPES.get(scene.sample, _SHAPES[folder])
        picture = tree_icon(shape, _digit_colours(scene, name, palette), theme(name).line)
        encoded = base64.b64encode(picture.encode()).decode()
        rules.append(f".st-key-learn-card-{folder}-{scene.name}{{--tree:url(data:image/svg+xml;base64,{encoded})}}")
    return "\n".join(rules)


def _digit_colours(scene: Scene, name: str, palette: str) -> list[str]:
    """The colours of the digits of a shape: those of classes, or ten from the lowest mean to the highest."""
    if scene.sample not in SAMPLES or not SAMPLES[scene.sample].is_regression:
        return class_colours(10, name, palette)
    low, high = mean_ends(name, palette)
    return [mix(low, high, (digit + 1) / 10) for digit in range(10)]
