"""The trees side by side on the stage, their first difference ringed, and below each the candidates at its node."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import partial

import streamlit as st

import explorer as ex
from explorer.explaining import reached_by
from explorer.formatting import name_text
from explorer.messages import message, plural
from pages.grow import candidates_table
from pages.results import trees
from pages.results.comparing import compared, comparison
from pages.settings import session
from pages.settings.page_settings import SIDES
from pages.settings.settings import Settings, changed
from pages.text import escape_markdown
from pages.widgets import node_text, page_frame, row_table, tree_panels, tree_view

_LONGEST = 40
_LEAST_ABREAST, _MOST_ABREAST = 2, 3


keep_compare_changes = partial(session.keep_part, "compare")
"""Change what was chosen on the Compare page."""


def keep_compare_value(field: str, key: str) -> None:
    """Take a widget's value into a field of the comparison."""
    keep_compare_changes(**{field: st.session_state[key]})


def show(settings: Settings, slots: list[str], show_below: Callable[[str], None] | None = None) -> None:
    """The trees of these sides, and below each the candidates at its selected node, or what `show_below` shows."""
    link = tree_view.Link("compare", settings.compare.moves_together)
    means = tree_panels.common_range([compared.tree(settings, slot) for slot in slots])
    with st.container(key="stages"):
        for slot in slots:
            with st.container(key=f"tree_{slot}"):
                tree_panels.show(
                    settings,
                    slot,
                    slot,
                    _node_selected,
                    link,
                    means,
                    marks=marks(settings, slot),
                    path_nodes=_path_of_row(settings, slot),
                    pruned=compared.tree(settings, slot),
                )
    with st.container(key="counterparts"):
        for slot in slots:
            if show_below is not None:
                with st.container(key=f"picture_{slot}"), page_frame.errors_shown():
                    show_below(slot)
                continue
            with st.container(key=f"candidates_{slot}", gap="small"):
                _show_candidates(settings, slot, len(slots))


def _show_candidates(settings: Settings, slot: str, n_sides: int) -> None:
    """What competed at a side's node, the split that was chosen first; for a leaf also why it stopped."""
    tree, node = compared.tree(settings, slot), tree_panels.selected_node(settings, slot)
    title = message("{letter}: candidates at {node}", letter=SIDES[slot], node=_node_name(tree, node))
    decision = trees.decision(settings, node, slot)
    is_leaf = tree.node(node).is_leaf
    st.markdown(f"**{title}** · {node_text.stop_text(tree.node(node), decision)}" if is_leaf else f"**{title}**")
    if candidates_table.ranked(decision) or not is_leaf:
        abreast = min(max(n_sides, _LEAST_ABREAST), _MOST_ABREAST)
        candidates_table.show(decision, tree.recipe, tree.is_regression, f"{slot}.candidates", abreast=abreast)


def _node_name(tree: ex.Tree, node: int) -> str:
    """The node with the branch that leads to it, safe for Markdown."""
    if node == 0:
        return message("the root")
    branch = escape_markdown(name_text(reached_by(tree, node), _LONGEST))
    return message("node {node} ({branch})", node=node, branch=branch)


def marks(settings: Settings, slot: str) -> list[tree_view.Mark]:
    """A ring at the first difference, and one at every leaf that the rows of the selected cell end in."""
    tree, rings = compared.tree(settings, slot), dict[int, str]()
    pair = comparison.compared_pair(settings)
    difference = comparison.walk(settings, pair).difference if pair is not None and slot in pair else None
    rows = comparison.rows_of_cell(settings)
    if rows is not None and settings.compare.row is None:
        for leaf, count in comparison.leaves_reached(tree, rows).items():
            rings[leaf] = plural(
                count, "{n:,} row of the selected cell ends here", "{n:,} rows of the selected cell end here"
            )
    if difference is not None and pair is not None:
        node = difference.node_a if slot == pair[0] else difference.node_b
        rings[node] = message("First difference")
    return [tree_view.Mark(node, "ring", text) for node, text in rings.items()]


def _path_of_row(settings: Settings, slot: str) -> list[tuple[int, float]]:
    """The decision path of the row that is chosen among the predictions."""
    if settings.compare.row is None:
        return []
    row = row_table.numbered(comparison.compared_rows(settings)[1], settings.compare.row)
    if row.n_rows == 0:
        return []
    return [(visit.node, visit.part) for visit in ex.row_path(compared.tree(settings, slot), row).visits]


def show_difference() -> None:
    """Select the first difference again."""
    settings = session.read()
    compare = dataclasses.replace(settings.compare, row=None, has_chosen_node=False)
    session.keep(changed(settings, left_node=0, right_node=0, third_node=0, compare=compare))


def choose_nodes(nodes: dict[str, int]) -> None:
    """Select a node in each of these sides; the others keep theirs."""
    settings = comparison.with_selected_nodes(session.read())
    session.keep(dataclasses.replace(settings, compare=dataclasses.replace(settings.compare, has_chosen_node=True)))
    for slot, node in nodes.items():
        tree_panels.take_node(slot, node)


def _node_selected(slot: str, node: int) -> None:
    """A node was chosen in one side's tree: select it and, where they have the same decision path, its counterparts."""
    settings = comparison.with_counterparts(comparison.with_selected_nodes(session.read()), slot, node)
    compare = dataclasses.replace(settings.compare, row=None, has_chosen_node=True)
    session.keep(dataclasses.replace(settings, compare=compare))
