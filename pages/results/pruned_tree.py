"""The tree at the settings' α with what was pruned by hand, and the node selected in it."""

from __future__ import annotations

import streamlit as st

import explorer as ex
from pages.results import trees
from pages.settings.settings import Settings, node_field


def selected_node(settings: Settings, slot: str) -> int:
    """The node that the settings select, if the tree has it; else the root, with a word about it."""
    tree = trees.grown(settings, slot).tree
    node: int = getattr(settings, node_field(settings, slot))
    if 0 <= node < tree.n_nodes_grown:
        return node
    st.warning(f"There is no node {node} to choose: this tree has the nodes 0 to {tree.n_nodes_grown - 1}.")
    return 0


def position(settings: Settings, path: ex.Path) -> int:
    """Where the settings' α stands in the sequence; no α is the unpruned tree."""
    return 0 if settings.alpha is None else path.position(settings.alpha)


def pruned(settings: Settings) -> ex.Tree:
    """The tree at the settings' α, with what was pruned by hand."""
    path = trees.path(settings)
    at_alpha = path.tree.with_pruned(ex.pruned_at(path, position(settings, path)))
    return ex.prune_by_hand(at_alpha, known_hand(settings, path.tree))


def known_hand(settings: Settings, tree: ex.Tree) -> tuple[tuple[str, int], ...]:
    """The hand-made steps that this tree can take: an old address may name nodes that it has not."""
    return tuple(
        (op, node) for op, node in settings.manual_steps if node < tree.n_nodes_grown and tree.feature[node] >= 0
    )


def alpha_at(path: ex.Path, step: int) -> float | None:
    """The settings' α for a step of the sequence: none for the unpruned tree."""
    return None if step == 0 else float(path.alphas[min(step, len(path) - 1)])
