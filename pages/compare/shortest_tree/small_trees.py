"""The levels of the search as rows of small trees, those that are consistent in colour and framed."""

from __future__ import annotations

import base64
from html import escape

import streamlit as st

import explorer as ex
from explorer.drawing.shape_thumbnail import shape_thumbnail
from explorer.drawing.thumbnail import thumbnail_svg
from explorer.formatting import visible
from explorer.growing.consistent_trees import Shape
from explorer.growing.shortest_tree import count_text
from explorer.messages import listing, message, plural
from pages.results.class_colours import palette
from pages.settings.settings import Settings
from pages.widgets import page_frame

MOST = 300
"""Trees that are drawn; a level of more is only counted."""


def show(settings: Settings, found: ex.ShortestTree) -> None:
    """Level by level, as far as all trees of a level can be drawn."""
    st.caption(
        message(
            "All trees of each depth. Framed: consistent, every leaf has one class. Grey leaves hold several classes."
        )
    )
    colours = [*page_frame.class_colours_of(len(found.greedy.classes), palette(settings)), _grey(), _grey()]
    total = 0
    for depth in range(found.searched_to + 1):
        new = found.trees_by_depth[depth] - total
        good = found.consistent_by_depth[depth] - (found.consistent_by_depth[depth - 1] if depth else 0)
        st.markdown(_title(depth, new, good))
        total += new
        if total > MOST:
            st.caption(message("Too many to draw."))
            break
        level = [entry for entry in found.all_trees(depth, MOST) if entry[0].depth == depth]
        st.html(_row(found, level, colours))


def _title(depth: int, new: int, good: int) -> str:
    return plural(
        new,
        "**Depth {depth}**: {count} tree, {good} consistent",
        "**Depth {depth}**: {count} trees, {good} consistent",
        depth=depth,
        count=count_text(new),
        good=count_text(good),
    )


def _row(found: ex.ShortestTree, level: list[tuple[Shape, bool]], colours: list[str]) -> str:
    """The pictures of a level, consistent trees first; each says its tests to who points at it."""
    cells = []
    for shape, is_consistent in sorted(level, key=lambda entry: not entry[1]):
        look = "consistent" if is_consistent else "other"
        picture = thumbnail_svg(shape_thumbnail(found, shape), _grey(), colours)
        source = f"data:image/svg+xml;base64,{base64.b64encode(picture.encode()).decode()}"
        text = escape(_tests(found, shape), quote=True)
        cells.append(f'<img class="small-tree {look}" src="{source}" title="{text}" alt="{text}">')
    return f'<div class="small-trees">{"".join(cells)}</div>'


def _tests(found: ex.ShortestTree, shape: Shape) -> str:
    """The features that a tree tests, level by level."""
    names = [visible(found.features[feature]) for _, feature in shape.paths()]
    return listing(names) or message("no test")


def _grey() -> str:
    return page_frame.colours().line
