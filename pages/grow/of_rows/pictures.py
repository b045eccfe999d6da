"""The rows of a node to look at: over two columns, a column in every leaf, and the cells missing together."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray

import explorer as ex
from explorer.data.codes.scale import NUMBERS, Scale
from explorer.drawing.figures import row_figures
from explorer.drawing.figures.parallel_figure import parallel_figure
from explorer.drawing.joined_modules import component_file
from explorer.evaluation.decision_regions import default_axes
from explorer.evaluation.row_ends import row_ends
from explorer.explaining.leaf_spreads import LeafSpread, leaf_spreads, numbers_of, numeric_columns
from explorer.explaining.node_profile import MissingPattern, missing_patterns
from explorer.explaining.parallel_axes import parallel_axes
from explorer.formatting import percent, shortened, visible
from explorer.messages import listing, message
from pages.results import pruned_tree, trees
from pages.results.cache import kept
from pages.settings.settings import Settings
from pages.text import readable
from pages.widgets import page_frame, tables, tree_panels
from pages.widgets.controls import feed
from pages.widgets.of_node import node_profile
from pages.widgets.tree_view import Mark

_HERE = Path(__file__).parent
_KIND, _SELECTED, _IS_NEW, _IS_CHOSEN = "look.kind", "look.selected", "look.is_new", "look.is_chosen"
_MOST_POINTS, _MOST_IN_STRIP, _MOST_LEAVES, _MOST_PATTERNS = 2000, 400, 30, 12
_MOST_LINES, _MOST_AXES = 150, 6
_LONGEST, _FEW_VALUES = 40, 8


def show(settings: Settings, node: int) -> None:
    """A picture to choose, and the one chosen; a selection in it is one on the tree, which is outside of the tabs."""
    if st.session_state.pop(_IS_NEW, False):
        st.rerun()
    tree, train = trees.grown(settings).tree, trees.parts(settings).train
    pictures = _pictures(train)
    if not pictures:
        return
    with st.container(key="look"):
        st.markdown(message("**Look at the rows**"))
        kind = st.pills(
            message("Picture"),
            list(pictures),
            key=_KIND,
            format_func=lambda kind: pictures[kind],
            label_visibility="collapsed",
            on_change=_take_kind,
        )
        if kind == "points":
            _points(settings, tree, train, node)
        elif kind == "leaves":
            _leaves(settings, tree, train, node)
        elif kind == "parallel":
            _parallel(settings, tree, train, node)
        elif kind == "missing":
            _missing(settings, tree, train, node)
        into_view = st.components.v2.component("picture_into_view", js=component_file(_HERE / "into_view.js"))
        into_view(data=kind or "" if st.session_state.pop(_IS_CHOSEN, False) else "", key="look.into_view", height=1)


def _take_kind() -> None:
    """Another picture begins without a frame, and in view."""
    _forget_selection()
    st.session_state[_IS_CHOSEN] = True


def _pictures(train: ex.Dataset) -> dict[str, str]:
    """What can be drawn of these rows, by its key."""
    n_numbers = len(numeric_columns(train))
    names = {"points": message("Two columns")} if n_numbers > 1 else {}
    if n_numbers:
        names["leaves"] = message("A column by leaf")
    if len(train.features) > 1:
        names["parallel"] = message("Parallel axes")
    if any((codes == feature.n_values).any() for feature, codes in zip(train.features, train.codes, strict=True)):
        names["missing"] = message("Missing cells")
    return names


def selected_rows(settings: Settings, node: int) -> NDArray[np.intp] | None:
    """The positions of the rows selected in the picture of this node; None where none are."""
    key, rows = st.session_state.get(_SELECTED, ("", ()))
    if not rows or key != _key(settings, node):
        return None
    return np.array(rows, dtype=np.intp)


def marks(settings: Settings) -> list[Mark]:
    """A ring at every node where selected rows end."""
    node = pruned_tree.selected_node(settings, "grow") or 0
    rows = selected_rows(settings, node)
    if rows is None:
        return []
    tree = trees.grown(settings).tree
    ends = row_ends(tree, trees.parts(settings).train, rows)
    return [
        Mark(end, "ring", message("{rows} of the selection end here", rows=tree.rows_text(weight)))
        for end, weight in ends.items()
    ]


def _key(settings: Settings, node: int) -> str:
    return f"{trees.grown_key(settings)} {node}"


def _points(settings: Settings, tree: ex.Tree, train: ex.Dataset, node: int) -> None:
    """All rows over two columns; a frame drawn around some of the node selects them."""
    names = numeric_columns(train)
    across, up = _telling(settings, tree, train, node, names)[:2]
    labels = message("Horizontal axis"), message("Vertical axis")
    columns = st.columns(2)
    across = _column(columns[0], labels[0], names, across, "look.across")
    up = _column(columns[1], labels[1], names, up, "look.up")
    x, y = numbers_of(train, across), numbers_of(train, up)
    is_in_node = np.zeros(train.n_rows, dtype=np.bool_)
    is_in_node[tree.rows_at(train, node)] = True
    is_known = np.isfinite(x) & np.isfinite(y)
    shown = np.concatenate(
        [_evenly(np.flatnonzero(is_known & side), _MOST_POINTS) for side in (is_in_node, ~is_in_node)]
    )
    if not is_in_node[shown].any():
        st.caption(message("No row of this node has a value in both columns."))
        return
    key = f"look.rows.{node}.{across}.{up}"
    figure = row_figures.rows_figure(
        (across, up),
        (_scale(train, across), _scale(train, up)),
        (x[shown], y[shown], np.asarray(train.y, dtype=np.float64)[shown]),
        is_in_node[shown],
        shown,
        train.classes,
        page_frame.colours(),
    )
    st.plotly_chart(
        figure,
        key=key,
        config=page_frame.STILL,
        on_select=lambda: _rows_selected(key, _key(settings, node)),
        selection_mode=("points", "box"),
    )
    st.caption(_points_text(int(is_in_node[shown].sum()), int((is_known & is_in_node).sum())))


def _parallel(settings: Settings, tree: ex.Tree, train: ex.Dataset, node: int) -> None:
    """Rows as lines over the columns that tell most of them; a frame drawn around points selects their rows."""
    is_in_node = np.zeros(train.n_rows, dtype=np.bool_)
    is_in_node[tree.rows_at(train, node)] = True
    if not is_in_node.any():
        st.caption(message("No training row reaches this node."))
        return
    shown = np.concatenate([_evenly(np.flatnonzero(side), _MOST_LINES) for side in (is_in_node, ~is_in_node)])
    names = [feature.name for feature in train.features]
    axes = parallel_axes(train, _telling(settings, tree, train, node, names)[:_MOST_AXES], shown)
    truth, key = np.asarray(train.y, dtype=np.float64)[shown], f"look.parallel.{node}"
    figure = parallel_figure(axes, truth, is_in_node[shown], shown, train.classes, page_frame.colours())
    st.plotly_chart(
        figure,
        key=key,
        config=page_frame.STILL,
        on_select=lambda: _rows_selected(key, _key(settings, node)),
        selection_mode=("points", "box"),
    )
    st.caption(_points_text(int(is_in_node[shown].sum()), int(is_in_node.sum())))


def _points_text(shown: int, known: int) -> str:
    text = message("Draw a frame around rows: their leaves are ringed on the tree, and they are listed below.")
    if shown < known:
        text += " " + message("{shown:,} of the {known:,} rows here are drawn.", shown=shown, known=known)
    return text


def _telling(settings: Settings, tree: ex.Tree, train: ex.Dataset, node: int, names: list[str]) -> list[str]:
    """Those columns first that tell most of a node's rows: that of its split, then those of the largest effect.

    A leaf is told by the split above it. Columns of few values, whose points lie on few lines, come behind others.
    """
    split = node if tree.is_inner[node] else int(tree.parent[node])
    own = [tree.features[tree.feature[split]].name] if split >= 0 and tree.is_inner[split] else []
    effects = [profile.feature.name for profile in node_profile.profiles(settings, node)]
    has_many = {feature.name: feature.n_values > _FEW_VALUES for feature in train.features}
    others = dict.fromkeys([*effects, *(default_axes(tree, train) or ()), *names])
    ordered = dict.fromkeys([*own, *sorted(others, key=lambda name: not has_many.get(name, True))])
    return [name for name in ordered if name in names]


def _column(place: Any, label: str, names: list[str], default: str, key: str) -> str:
    """A column to choose; until the reader has chosen one of the table it is the default."""
    chosen = st.session_state.get(f"{key}.chosen")
    return str(
        place.selectbox(
            label,
            names,
            key=feed(key, chosen if chosen in names else default),
            format_func=lambda name: shortened(visible(name), _LONGEST),
            on_change=_take_column,
            args=(key,),
        )
    )


def _take_column(key: str) -> None:
    st.session_state[f"{key}.chosen"] = st.session_state[key]
    _forget_selection()


def _evenly(positions: NDArray[np.intp], most: int) -> NDArray[np.intp]:
    """At most so many positions, evenly from all."""
    return positions[np.linspace(0, len(positions) - 1, min(len(positions), most)).astype(np.intp)]


def _scale(train: ex.Dataset, column: str) -> Scale:
    return next((feature.scale for feature in train.features if feature.name == column), NUMBERS)


def _rows_selected(key: str, of: str) -> None:
    """Rows were selected in the picture; the others have no position."""
    points = st.session_state[key].selection.points
    rows = sorted({int(point["customdata"]) for point in points if point.get("customdata") is not None})
    st.session_state[_SELECTED], st.session_state[_IS_NEW] = (of, tuple(rows)), True


def _leaves(settings: Settings, tree: ex.Tree, train: ex.Dataset, node: int) -> None:
    """A box for every leaf below the node, of all where it is one; a click on its rows or median selects a leaf."""
    names = numeric_columns(train)
    first = names[0] if tree.is_regression else _telling(settings, tree, train, node, names)[0]
    column = _column(st, message("Column"), names, first, "look.column")
    top = node if tree.is_inner[node] else 0
    spreads = _spreads(_key(settings, top), column, top, tree, train)
    shown = sorted(sorted(spreads, key=lambda each: -each.weight)[:_MOST_LEAVES], key=lambda each: each.node)
    if not shown:
        st.caption(message("No row of this node has a value in this column."))
        return
    labels = [message("node {node}", node=spread.node) for spread in shown]
    figure = row_figures.leaf_boxes(
        shown, labels, column, _scale(train, column), _strip(tree, train, column, shown), page_frame.colours(), node
    )
    key = f"look.leaves.{node}.{column}"
    st.plotly_chart(
        figure, key=key, config=page_frame.STILL, on_select=lambda: _leaf_selected(key), selection_mode="points"
    )
    text = message("The box spans the quartiles, with whiskers up to 1.5 times its width. A click selects a leaf.")
    if len(shown) < len(spreads):
        text += " " + message("The {shown} largest of {n:,} leaves are drawn.", shown=len(shown), n=len(spreads))
    st.caption(text)


def _strip(
    tree: ex.Tree, train: ex.Dataset, column: str, shown: list[LeafSpread]
) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """The numbers of some rows that end in these leaves, evenly from all, and the places of their leaves."""
    numbers, nodes = numbers_of(train, column), np.array([spread.node for spread in shown])
    rows, ends, _ = tree.routes(train)
    places = np.minimum(np.searchsorted(nodes, ends), len(nodes) - 1)
    drawn = _evenly(np.flatnonzero((nodes[places] == ends) & np.isfinite(numbers[rows])), _MOST_IN_STRIP)
    return numbers[rows[drawn]], places[drawn]


def _forget_selection() -> None:
    """Another picture begins without a frame."""
    if st.session_state.pop(_SELECTED, None) is not None:
        st.session_state[_IS_NEW] = True


def _leaf_selected(key: str) -> None:
    points = st.session_state[key].selection.points
    if points and points[0].get("customdata") is not None:
        tree_panels.take_node("grow", int(points[0]["customdata"]))
        st.session_state[_IS_NEW] = True


def _missing(settings: Settings, tree: ex.Tree, train: ex.Dataset, node: int) -> None:
    """A line for each set of columns that are missing together."""
    patterns = _patterns(_key(settings, node), node, tree, train)
    lines = [
        {
            "missing together": readable(listing(map(visible, pattern.columns))) or message("no cell is missing"),
            "here": percent(pattern.inside),
            **({} if np.isnan(pattern.outside) else {"elsewhere": percent(pattern.outside)}),
        }
        for pattern in patterns[:_MOST_PATTERNS]
    ]
    tables.numbers_table(pd.DataFrame(lines), [False] * len(lines), "look.missing", right=["here", "elsewhere"])
    if len(patterns) > len(lines):
        st.caption(message("The {shown} most frequent of {n:,} patterns.", shown=len(lines), n=len(patterns)))


@kept()
def _spreads(key: str, column: str, node: int, _tree: ex.Tree, _train: ex.Dataset) -> list[LeafSpread]:
    return leaf_spreads(_tree, _train, column, node)


@kept()
def _patterns(key: str, node: int, _tree: ex.Tree, _train: ex.Dataset) -> list[MissingPattern]:
    return missing_patterns(_tree, _train, node)
