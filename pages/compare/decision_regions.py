"""Decision regions: what each tree predicts over two numeric features, at an α of its own."""

from __future__ import annotations

import numpy as np
import streamlit as st

import explorer as ex
from explorer.drawing.figures.decision_regions import regions_figure
from explorer.evaluation.decision_regions import MOST_CELLS, Regions, default_axes, numeric_features
from explorer.formatting import leaves, number_text, shortened
from pages.compare import side_by_side
from pages.results import comparison, pruned_tree, trees
from pages.settings import session
from pages.settings.page_settings import SIDES
from pages.settings.settings import Settings, changed
from pages.text import escape_markdown, number
from pages.widgets import page_frame
from pages.widgets.controls import feed

_MOST_POINTS, _MOST_HELD, _LONGEST = 2000, 5, 40


def show(settings: Settings, slots: list[str]) -> None:
    """The axes, and a picture of every side's tree."""
    data = trees.parts(settings).train
    first = default_axes(trees.grown(settings, slots[0]).tree, data)
    if first is None:
        st.markdown("Regions are drawn over two numeric features, and this table has fewer.")
        return
    across, up = _axes(settings, numeric_features(data), first)
    if across == up:
        st.caption("Choose two different features.")
        return
    for slot, column in zip(slots, st.columns(len(slots), gap="medium"), strict=True):
        with column, page_frame.errors_shown():
            _show_side(settings, slot, across, up)


def _axes(settings: Settings, names: list[str], first: tuple[str, str]) -> tuple[str, str]:
    """The two features, by default those that the first tree splits on first."""
    wanted = (settings.compare.x_feature, settings.compare.y_feature)
    unknown = [name for name in wanted if name and name not in names]
    for name in unknown:
        page_frame.show_notice("warning", f"“{name}” is no numeric feature of this table: another axis is shown.")
    chosen = [name if name in names else other for name, other in zip(wanted, first, strict=True)]
    with st.container(horizontal=True):
        for label, field, now in (("Across", "across", chosen[0]), ("Upwards", "up", chosen[1])):
            st.selectbox(
                label,
                names,
                key=feed(f"axis.{field}", now),
                on_change=side_by_side.keep_compare_value,
                args=(field, f"axis.{field}"),
                width=300,
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
    st.plotly_chart(figure, key=f"regions.{slot}", config=page_frame.STILL)
    st.caption(_caption(regions, data.n_rows))


def _slide(slot: str, path: ex.Path, position: int) -> None:
    """The side's α, by the sizes of its own sequence."""
    label = f"{SIDES[slot]} ({path.tree.recipe.name}): pruned at α"
    sizes = [f"α = {number(alpha)}, {leaves(int(n))}" for alpha, n in zip(path.alphas, path.n_leaves, strict=True)]
    sizes[0] = f"unpruned, {leaves(int(path.n_leaves[0]))}"
    if len(path) == 1:
        st.markdown(f"{label}: {sizes[0]}.")
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
        text = "The tree asks only these two features: the regions are exact."
    else:
        held = [f"{shortened(name, _LONGEST)} = {_value(value)}" for name, value in regions.held.items()]
        more = f" and {len(held) - _MOST_HELD} more" if len(held) > _MOST_HELD else ""
        text = f"The tree also asks other features, held here at {', '.join(held[:_MOST_HELD])}{more}."
    if regions.is_stepped:
        text += f" Borders are drawn in {MOST_CELLS} steps."
    if n_rows > _MOST_POINTS:
        text += f" {_MOST_POINTS:,} of {n_rows:,} training rows are shown."
    return escape_markdown(text)


def _value(value: object) -> str:
    return number_text(value, 6) if isinstance(value, float) else shortened(str(value), _LONGEST)
