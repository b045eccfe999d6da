"""Decision regions: what each tree predicts over two numeric features; α and a picture below each tree."""

from __future__ import annotations

import numpy as np
import streamlit as st

from explorer.drawing.figures.decision_regions import regions_figure
from explorer.evaluation.decision_regions import MOST_CELLS, Regions, default_axes, equal_regions, numeric_features
from explorer.formatting import leaves, shortened
from explorer.messages import listing, message, paragraph, plural
from pages.compare import pruned_alike, side_by_side
from pages.results import pruned_tree, trees
from pages.results.comparing import compared, comparison
from pages.settings import session
from pages.settings.page_settings import SIDES
from pages.settings.settings import Settings
from pages.text import escape_markdown, number
from pages.widgets import page_frame
from pages.widgets.controls import feed

_MOST_POINTS, _MOST_HELD, _LONGEST = 2000, 5, 40


def show(settings: Settings, slots: list[str]) -> None:
    """The axes, and what the picture of every side leaves out."""
    chosen = axes(settings, slots)
    if chosen is None:
        st.markdown(message("Decision regions need two numeric features, and this table has fewer."))
        return
    _choose_axes(settings, chosen)
    if chosen[0] == chosen[1]:
        st.caption(message("Choose two different features."))
        return
    for slot in slots:
        with page_frame.errors_shown():
            text = _caption(comparison.region(settings, slot, *chosen), trees.parts(settings).train.n_rows)
            st.caption(f"**{SIDES[slot]}** {text}")


def axes(settings: Settings, slots: list[str]) -> tuple[str, str] | None:
    """The two features, by default those that the first tree splits on first; None without two numeric ones."""
    data = trees.parts(settings).train
    first = default_axes(compared.tree(settings, slots[0]), data)
    if first is None:
        return None
    wanted, names = (settings.compare.x_feature, settings.compare.y_feature), numeric_features(data)
    across, up = (name if name in names else other for name, other in zip(wanted, first, strict=True))
    return across, up


def _choose_axes(settings: Settings, chosen: tuple[str, str]) -> None:
    names = numeric_features(trees.parts(settings).train)
    for name in (settings.compare.x_feature, settings.compare.y_feature):
        if name and name not in names:
            page_frame.show_notice(
                "warning", message("“{name}” is not a numeric feature of this table: another axis is shown.", name=name)
            )
    labels = message("Horizontal axis"), message("Vertical axis")
    for column, label, field, now in zip(st.columns(2), labels, ("x_feature", "y_feature"), chosen, strict=True):
        column.selectbox(
            label,
            names,
            key=feed(f"axis.{field}", now),
            on_change=side_by_side.keep_compare_value,
            args=(field, f"axis.{field}"),
        )


def show_picture(settings: Settings, slots: list[str], slot: str) -> None:
    """A side's α, and what its tree predicts over the two features, with the training rows.

    Its classes are named by the tree. A picture that equals one before it says so.
    """
    chosen = axes(settings, slots)
    if chosen is None or chosen[0] == chosen[1]:
        return
    across, up = chosen
    _slide(settings, slot)
    regions = comparison.region(settings, slot, across, up)
    data = trees.parts(settings).train
    shown = data.take(np.linspace(0, data.n_rows - 1, min(data.n_rows, _MOST_POINTS)).astype(np.intp))
    colours = page_frame.colours()
    columns = [shown.frame[name] for name in (across, up)]
    figure = regions_figure(regions, data.classes, columns[0], columns[1], shown.y, colours)
    figure.update_layout(showlegend=False, height=None)
    before = slots[: slots.index(slot)]
    equal = [other for other in before if equal_regions(comparison.region(settings, other, across, up), regions)]
    if equal:
        text = message("the same regions as {letter}", letter=SIDES[equal[0]])
        figure.add_annotation(text=text, x=1, y=1, xref="paper", yref="paper", xanchor="right", yanchor="top")
        figure.update_annotations(showarrow=False, bgcolor=colours.background, font_color=colours.text)
    st.plotly_chart(figure, key=f"regions.{slot}", height="stretch", config=page_frame.STILL)


def _slide(settings: Settings, slot: str) -> None:
    """The side's α, by the sizes of its own sequence."""
    path, position = compared.sequence(settings, slot)
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
        label_visibility="collapsed",
    )


def _slid(slot: str) -> None:
    """Every tree at an α of its own from now on; the others stay as large as they are."""
    settings, compare = session.read(), session.read().compare
    for side in comparison.grown_slots(settings):
        path, position = compared.sequence(settings, side)
        position = st.session_state[f"alpha.{slot}"] if side == slot else position
        compare = compare.with_alpha(side, pruned_tree.alpha_at(path, position))
    pruned = compare.pruned if any(alpha is not None for alpha in compare.alphas) else "full"
    pruned_alike.keep(settings, alphas=compare.alphas, pruned=pruned)


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
