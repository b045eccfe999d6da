"""The selected node in the resamples: its share, what was split on there instead, and the spread of its threshold."""

from __future__ import annotations

import streamlit as st

import explorer as ex
from explorer.drawing.figures.stability_figures import fraction, share_bars, threshold_figure
from explorer.ensembles.stability import Alternative
from explorer.formatting import number_text
from explorer.messages import message
from pages.settings.settings import Settings
from pages.text import escape_markdown
from pages.widgets import page_frame


def show(settings: Settings, made: ex.Stability, node_id: int) -> None:
    """Share, alternatives and thresholds of one node."""
    tree, colours = made.tree, page_frame.colours()
    condition = tree.condition(node_id) if tree.is_inner[node_id] else None
    own = message("(leaf)") if condition is None else condition.feature
    st.markdown(message("**Node {node} in the resamples**", node=node_id))
    if not tree.weight[node_id] > 0:
        st.caption(message("No training row reaches this node."))
        return
    share = fraction(int(made.node_counts[node_id]), made.n_resamples)
    if condition is None:
        st.markdown(message("A leaf at the same place in {share} trees.", share=share))
    else:
        st.markdown(
            message(
                "Splits on {feature} at the same place in {share} trees.", feature=escape_markdown(own), share=share
            )
        )
    others = [(_word(other), other.count) for other in made.alternatives(node_id)]
    lines = [(own, int(made.node_counts[node_id])), *others]
    if node_id != 0:
        st.html(share_bars(lines, made.n_resamples, colours, own))
    if made.reached(node_id) < made.n_resamples:
        st.caption(message("Not reached: the splits above are others there."))
    spread = made.thresholds.get(node_id)
    if spread is not None and condition is not None:
        low, middle, high = map(number_text, spread.quartiles)
        st.markdown(
            message(
                "Threshold: {own}. In the resamples the median is {middle}, half lie between {low} and {high}.",
                own=number_text(spread.own),
                low=low,
                middle=middle,
                high=high,
            )
        )
        figure = threshold_figure(spread.values, spread.own, condition.feature, colours)
        st.plotly_chart(figure, key="stability.threshold", config=page_frame.STILL)


def _word(other: Alternative) -> str:
    if other.feature is not None:
        return other.feature
    return message("(leaf)") if other.is_leaf else message("(not reached)")
