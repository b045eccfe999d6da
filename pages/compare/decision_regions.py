"""Decision regions: what each tree predicts over two numeric features, at an α of its own."""

from __future__ import annotations

import numpy as np
import streamlit as st

import explorer as ex
from explorer.drawing.figures.decision_regions import regions_figure
from explorer.evaluation.decision_regions import MOST_CELLS, Regions, default_axes, numeric_features
from explorer.formatting import leaves, shortened
from explorer.messages import listing, message, paragraph, plural
from pages.compare import side_by_side
from pages.results import comparison, pruned_tree, trees
from pages.settings import session
from pages.settings.page_settings import SIDES
from pages.settings.settings import Settings, changed
from pages.text import escape_markdown, number
from pages.widgets import page_frame
from pages.widgets.controls import feed

_MOST_POINTS, _MOST_HELD, _LONGEST = 2000, 5, 40
_HEIGHT = 300
"""Pixels for one picture."""


def show(settings: Settings, slots: list[str]) -> None:
    """The axes, and a picture of every side's tree."""
    data = trees.parts(settings).train
    first = default_axes(trees.grown(settings, slots[0]).tree, data)
    if first is None:
        st.markdown(message("Decision regions need two numeric features, and this table has fewer."))
        return
    across, up = _axes(settings, numeric_features(data), first)
    if across == up:
        st.caption(message("Choose two different features."))
        return
    for slot in slots:
        with page_frame.errors_shown():
            _show_side(settings, slot, across, up)


def _axes(settings: Settings, names: list[str], first: tuple[str, str]) -> tuple[str, str]:
    """The two features, by default those that the first tree splits on first."""
    wanted = (settings.compare.x_feature, settings.compare.y_feature)
    unknown = [name for name in wanted if name and name not in names]
    for name in unknown:
        page_frame.show_notice(
            "warning", message("“{name}” is not a numeric feature of this table: another axis is shown.", name=name)
        )
    chosen = [name if name in names else other for name, other in zip(wanted, first, strict=True)]
    labels = message("Horizontal axis"), message("Vertical axis")
    for column, label, field, now in zip(st.columns(2), labels, ("x_feature", "y_feature"), chosen, strict=True):
        column.selectbox(
            label,
            names,
            key=feed(f"axis.{field}", now),
            on_change=side_by_side.keep_compare_value,
            args=(field, f"axis.{field}"),
        )
    return chosen[0], chosen[1]


def _show_side(settings: Settings, slot: str, across: str, up: str) -> None:
    path, position = comparison.pruned(settings, slot)
    _slide(slot, path, position)
    regions = comparison.region(settings, slot, across, up)
    data = trees.parts(settings).train
    shown = data.take(np.linspace(0, data.n_rows - 1, min(data.n_rows, _MOST_POINTS)).astype(np.intp))
    colours = page_frame.colours()
    columns = [shown.frame[name] for name in (across, up)]
    figure = regions_figure(regions, path.tree.classes, columns[0], columns[1], shown.y, colours)
    figure.update_layout(height=_HEIGHT)
    st.plotly_chart(figure, key=f"regions.{slot}", config=page_frame.STILL)
    st.caption(_caption(regions, data.n_rows))


def _slide(slot: str, path: ex.Path, position: int) -> None:
    """The side's α, by the sizes of its own sequence."""
    label = message("{letter}: {algorithm}, pruned at α", letter=SIDES[slot], algorithm=path.tree.recipe.name)
    sizes = [
        message("α = {alpha}, {leaves}", alpha=number(alpha), leaves=leaves(int(n)))
        for alpha, n in zip(path.alphas, path.n_leaves, strict=True)
    ]
    sizes[0] = message("unpruned, {leaves}", leaves=leaves(int(path.n_leaves[0])))
    if len(path) == 1:
        st.markdown(message("{label}: {size}.", label=label, size=sizes[0]))
        return
    st.select_slider(
        label,
        list(range(len(path))),
        key=feed(f"alpha.{slot}", position),
        format_func=lambda position: sizes[position],
        on_change=_slid,
        args=(slot,),
    )


def _slid(slot: str) -> None:
    settings = session.read()
    path, _ = comparison.pruned(settings, slot)
    alpha = pruned_tree.alpha_at(path, st.session_state[f"alpha.{slot}"])
    session.keep(changed(settings, compare=settings.compare.with_alpha(slot, alpha)))


def _caption(regions: Regions, n_rows: int) -> str:
    """What the picture leaves out."""
    if regions.is_whole_tree:
        sentences = [message("The tree splits only on these two features: the regions are exact.")]
    else:
        sentences = [_held_text(regions)]
    if regions.is_stepped:
        sentences.append(message("Borders are drawn in {steps:,} steps.", steps=MOST_CELLS))
    if n_rows > _MOST_POINTS:
        sentences.append(message("{shown:,} of {count:,} training rows are shown.", shown=_MOST_POINTS, count=n_rows))
    return escape_markdown(paragraph(sentences))


def _held_text(regions: Regions) -> str:
    """The other features that the tree splits on, with the values they are held at."""
    held = [f"{shortened(name, _LONGEST)} = {_value(regions, name, value)}" for name, value in regions.held.items()]
    values, more = listing(held[:_MOST_HELD]), len(held) - _MOST_HELD
    if more > 0:
        return plural(
            more,
            "The tree also splits on other features, held here at {values} and {n:,} more.",
            "The tree also splits on other features, held here at {values} and {n:,} more.",
            values=values,
        )
    return message("The tree also splits on other features, held here at {values}.", values=values)


def _value(regions: Regions, name: str, value: object) -> str:
    return regions.scale(name).text(value) if isinstance(value, float) else shortened(str(value), _LONGEST)
