"""The selected node in the resamples: its share, what was split on there instead, and the spread of its threshold."""

from __future__ import annotations

import streamlit as st

import explorer as ex
from explorer.data.codes.scale import Scale
from explorer.drawing.figures.stability_figures import share_bars, threshold_figure
from explorer.ensembles.stability.stability import Alternative, Thresholds
from explorer.formatting import percent
from explorer.messages import message
from pages.settings.settings import Settings
from pages.text import escape_markdown
from pages.widgets import page_frame


def show(settings: Settings, made: ex.Stability, node_id: int) -> None:
    """Share, alternatives and thresholds of one node."""
    tree = made.tree
    condition = tree.condition(node_id) if tree.is_inner[node_id] else None
    own = message("(leaf)") if condition is None else condition.feature
    if node_id == 0 and 0 not in made.thresholds:
        return
    st.markdown(message("**Node {node} in the resamples**", node=node_id))
    if not tree.weight[node_id] > 0:
        st.caption(message("No training row reaches this node."))
        return
    if node_id != 0:
        _shares(made, node_id, own, is_leaf=condition is None)
    spread = made.thresholds.get(node_id)
    if spread is not None and condition is not None:
        _thresholds(spread, condition.scale)


def _thresholds(spread: Thresholds, scale: Scale) -> None:
    """The spread of the threshold, in words and as a figure."""
    own = scale.text(spread.own)
    if spread.values[0] == spread.values[-1] == spread.own:
        st.markdown(message("Threshold: {own}, wherever trees split on it here.", own=own))
        return
    low, middle, high = (scale.text(quartile) for quartile in spread.quartiles)
    st.markdown(
        message(
            "Threshold: {own}. In the resamples the median is {middle}, and half lie between {low} and {high}.",
            own=own,
            low=low,
            middle=middle,
            high=high,
        )
    )
    figure = threshold_figure(spread.values, spread.own, page_frame.colours(), scale)
    st.plotly_chart(figure, key="stability.threshold", config=page_frame.STILL)


def _shares(made: ex.Stability, node_id: int, own: str, is_leaf: bool) -> None:
    """How often it is the same, and what is there instead; the root has its own part."""
    count = int(made.node_counts[node_id])
    share = percent(count / made.n_resamples)
    fields = {"count": count, "all": made.n_resamples, "share": share, "feature": escape_markdown(own)}
    if is_leaf:
        st.markdown(message("A leaf at the same place in {count:,} of {all:,} trees ({share}).", **fields))
    else:
        st.markdown(message("Splits on {feature} at the same place in {count:,} of {all:,} trees ({share}).", **fields))
    lines = [(own, count), *((_word(other), other.count) for other in made.alternatives(node_id))]
    st.html(share_bars(lines, made.n_resamples, page_frame.colours(), own))
    if made.reached(node_id) < made.n_resamples:
        st.caption(message("Not reached: the splits above it are others."))


def _word(other: Alternative) -> str:
    if other.feature is not None:
        return other.feature
    return message("(leaf)") if other.is_leaf else message("(not reached)")
