"""More about the selected nodes: why the trees differ, the χ² test, rows without a value, and surrogate splits."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from explorer.messages import message
from pages.compare import first_difference
from pages.grow import split_evidence
from pages.results import trees
from pages.results.comparing import compared
from pages.settings.page_settings import SIDES
from pages.settings.settings import Settings
from pages.widgets import node_text, tree_panels


def show(settings: Settings, slots: Sequence[str], pair: tuple[str, str] | None) -> None:
    """The reason of the first difference; then what else speaks for the split of one side's selected node."""
    if pair is not None:
        first_difference.show_reason(settings, pair)
    nodes = {slot: tree_panels.selected_node(settings, slot) for slot in slots}
    slot = st.segmented_control(
        message("Selected node"),
        list(nodes),
        key="details.of",
        format_func=lambda slot: message("{letter}: node {node}", letter=SIDES[slot], node=nodes[slot]),
        default=slots[0],
        required=True,
    )
    node = compared.tree(settings, slot).node(nodes[slot])
    st.markdown(node_text.stop_text(node, trees.decision(settings, nodes[slot], slot)))
    split_evidence.show(settings, nodes[slot], slot)
