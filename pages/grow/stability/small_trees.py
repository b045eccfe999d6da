"""The different trees of the resamples as small pictures, similar ones side by side; one of them large."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from functools import partial

import streamlit as st

import explorer as ex
from explorer.drawing.palette import mean_ends, mix
from explorer.drawing.svg.svg import drawable_depth, in_theme
from explorer.drawing.thumbnail import HEIGHT, TENTHS, WIDTH, thumbnail_svg
from explorer.ensembles.stability.stability import DistinctTree
from explorer.formatting import leaves, percent
from explorer.messages import listing_with_more, message, plural
from pages.results import class_colours
from pages.results.cache import kept
from pages.results.resampled import stability as results
from pages.settings.settings import Settings
from pages.text import escape_markdown
from pages.widgets import page_frame

_MOST = 36
_OPENED = "stability.opened"
_DEPTH = 4
"""Levels of the tree that is drawn large: the inspector has room for no more."""


def show(settings: Settings, made: ex.Stability) -> None:
    """The pictures, each with the number of its resamples, and the tree that was chosen."""
    key = f"{results.key(settings)} {made.n_resamples}"
    shown, n_different = _distinct(key, made), len(made.groups)
    st.markdown(plural(n_different, "**{n:,} different tree**", "**{n:,} different trees**"))
    st.caption(_caption(n_different, made))
    opened = st.session_state.get(_OPENED)
    chosen = next((tree for tree in shown if opened == (key, tree.resamples[0])), None)
    st.html(f"<style>{_style(shown, made.tree, settings)}</style>")
    with st.container(horizontal=True, gap="small", key="stability_trees"):
        for tree in shown:
            _button(tree, key, tree is chosen)
    if chosen is not None:
        _large(settings, made, chosen)


def _caption(count: int, made: ex.Stability) -> str:
    text = message("Leaves have the colours of the classes. Similar trees stand side by side; click one to see it.")
    if made.tree.is_regression:
        text = message("Leaves are coloured by their means. Similar trees stand side by side; click one to see it.")
    if count > _MOST:
        return message("The {shown} most frequent ones. {text}", shown=_MOST, text=text)
    return text


@kept()
def _distinct(key: str, _made: ex.Stability) -> tuple[DistinctTree, ...]:
    return _made.distinct_trees(_MOST)


def _button(tree: DistinctTree, key: str, is_open: bool) -> None:
    """A picture with the number of resamples; the same one again closes it."""
    first = tree.resamples[0]
    root = tree.picture.root_feature or message("(leaf)")
    st.button(
        f"×{len(tree.resamples)}",
        key=f"stability_tree_{first}",
        type="primary" if is_open else "secondary",
        help=escape_markdown(
            message(
                "{root} at the root, {leaves}. Row pairs divided otherwise: {distance}.",
                root=root,
                leaves=leaves(tree.picture.n_leaves),
                distance=percent(tree.distance),
            )
        ),
        on_click=partial(_open, None if is_open else (key, first)),
    )


def _open(opened: tuple[str, int] | None) -> None:
    st.session_state[_OPENED] = opened


def _style(shown: Sequence[DistinctTree], tree: ex.Tree, settings: Settings) -> str:
    """One background for each button: numbers and colours of our own, no text of a file."""
    theme = page_frame.colours()
    if tree.is_regression:
        low, high = mean_ends(theme.name, class_colours.palette(settings))
        colours = [mix(low, high, (tenth + 1) / TENTHS) for tenth in range(TENTHS)]
    else:
        colours = page_frame.class_colours_of(len(tree.classes), class_colours.palette(settings))
    rules = [
        ".st-key-stability_trees{flex-wrap:wrap;gap:0.375rem;max-height:19rem;overflow:auto}"
        ".st-key-stability_trees button{flex-direction:column;padding:0.25rem;min-height:0;gap:0}"
        ".st-key-stability_trees button::before{content:'';display:block;"
        f"width:{WIDTH}px;height:{HEIGHT}px;border-radius:0.25rem;"
        f"background:var(--tree) center/contain no-repeat {theme.background}}}"
    ]
    for each in shown:
        picture = base64.b64encode(thumbnail_svg(each.picture, theme.line, colours).encode()).decode()
        rules.append(
            f".st-key-stability_tree_{each.resamples[0]} button{{--tree:url(data:image/svg+xml;base64,{picture})}}"
        )
    return "\n".join(rules)


def _large(settings: Settings, made: ex.Stability, chosen: DistinctTree) -> None:
    """The tree of the first of its resamples, and where it parts from the tree in hand."""
    first = chosen.resamples[0]
    tree = made.grown_tree(first)
    st.markdown(_title(made, chosen))
    st.caption(escape_markdown(_difference(made, first)))
    depth = min(drawable_depth(tree), _DEPTH)
    limit = depth if depth < tree.max_depth else None
    st.image(in_theme(tree, class_colours.palette(settings), page_frame.colours().name, limit), width="stretch")
    if limit is not None:
        st.caption(message("The top {depth} of {all} levels.", depth=depth, all=tree.max_depth))


def _title(made: ex.Stability, chosen: DistinctTree) -> str:
    """Which resamples grow it: the rows left out, or how many."""
    fields = {"count": len(chosen.resamples), "all": made.n_resamples}
    if not made.resampling.left_out:
        return message("**The tree of {count:,} of {all:,} resamples**", **fields)
    rows = [
        "+".join(str(made.row_numbers[row] + 1) for row in made.resampling.rows_left_out(index))
        for index in chosen.resamples[:12]
    ]
    shown = listing_with_more(rows, len(chosen.resamples) > len(rows))
    return message("**The tree of {count:,} of {all:,} resamples**, without row {rows}", **fields, rows=shown)


def _difference(made: ex.Stability, resample: int) -> str:
    """The first node where it splits otherwise."""
    node = made.first_difference(resample)
    if node is None:
        return message("At every node it splits on the same feature as this tree.")
    own = _word(made, int(made.tree.feature[node]) if made.tree.is_inner[node] else -1)
    other = _word(made, int(made.feature_at[resample, node]))
    return message("First difference, node {node}: {other} instead of {own}.", node=node, other=other, own=own)


def _word(made: ex.Stability, feature: int) -> str:
    return made.tree.features[feature].name if feature >= 0 else message("a leaf")
