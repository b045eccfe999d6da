"""How the tree is coloured, and what can be taken away of it."""

from __future__ import annotations

from functools import partial

import streamlit as st

import explorer as ex
from explorer.draw.palette import PALETTES, class_colours, mean_ends, text_on, theme
from pages.parts import page
from pages.parts.controls import feed, taken
from pages.parts.state import Settings


def palette(settings: Settings) -> None:
    """The colours of the classes."""
    st.selectbox(
        "Colours",
        list(PALETTES),
        key=feed("palette", settings.palette),
        format_func=lambda name: PALETTES[name],
        on_change=taken,
        args=("palette", "palette"),
        help="Every class has a shape and its name beside its colour, whatever the palette.",
        width=220,
    )


def downloads(settings: Settings, tree: ex.Tree) -> None:
    """The whole tree as a picture to print, as DOT and as text; the files are made when they are asked for."""
    with st.popover("Download", icon=":material/download:"):
        files = {
            "Picture (SVG)": ("tree.svg", "image/svg+xml", partial(_svg, tree, settings.palette, page.colours().name)),
            "Graphviz (DOT)": ("tree.dot", "text/vnd.graphviz", partial(ex.to_dot, tree)),
            "Text": ("tree.txt", "text/plain", partial(ex.to_text, tree)),
        }
        for label, (name, kind, make) in files.items():
            st.download_button(label, make, file_name=name, mime=kind, key=f"download.{name}", on_click="ignore")


def _svg(tree: ex.Tree, palette_name: str, theme_name: str) -> str:
    if tree.is_regression:
        colours = list(mean_ends(theme_name, palette_name))
    else:
        colours = class_colours(len(tree.classes), theme_name, palette_name)
    ground = theme(theme_name)
    return ex.to_svg(
        tree,
        colours=colours,
        text_colours=[text_on(colour) for colour in colours],
        foreground=ground.text,
        background=ground.background,
    )
