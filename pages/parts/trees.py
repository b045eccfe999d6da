"""The trees of the pages: a view of the settings' tree, and what the reader does in it taken into the settings."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

import explorer as ex
from explorer.draw.payload import closed_by_hand, signature
from explorer.draw.tree_view import look
from explorer.explain import rule_words
from explorer.names import visible
from pages.parts import cached, state, tree_view
from pages.parts.state import Settings
from pages.parts.tree_view import Shown

_LEVEL = 124
"""Pixels for one level of a tree."""


def room(tree: ex.Tree, most: int = 620) -> int:
    """Pixels for the picture: enough for boxes with all their lines on every level of a shallow tree."""
    return min(max(_LEVEL * (tree.max_depth + 1), 380), most)


def show(
    settings: Settings,
    name: str,
    slot: str = "grow",
    height: int | None = None,
    on_node: Callable[[str, int], None] | None = None,
    link: tree_view.Link | None = None,
    value_range: tuple[float, float] | None = None,
) -> int:
    """The grown tree of a slot; gives the selected node. `on_node` takes a choice; alone, the slot's node changes.

    `value_range` are the means at the ends of the scale of colours; without it they are the tree's own.
    """
    tree, pack = cached.grown(settings, slot).tree, cached.tree_pack(settings, slot)
    selected = selected_node(settings, slot)
    tree_view.view(
        name,
        pack,
        Shown(selected),
        look(len(tree.classes), settings.palette),
        lambda shown: (on_node or take_node)(slot, max(shown.selected, 0)),
        rule=rule(tree, selected),
        link=link,
        value_range=value_range,
        height=height or room(tree),
    )
    return selected


def common_range(several: Sequence[ex.Tree]) -> tuple[float, float] | None:
    """The least and the largest mean of several trees of a number; None where there are classes."""
    if not several or not several[0].is_regression:
        return None
    return min(float(tree.values.min()) for tree in several), max(float(tree.values.max()) for tree in several)


def show_sequence(settings: Settings, cross_validation: ex.CrossValidation | None) -> None:
    """The tree with the slider over α, the curves and the table of its sequence."""
    path = cached.path(settings)
    selected = selected_node(settings, "grow")
    tree_view.view(
        "prune",
        cached.tree_pack(settings),
        Shown(selected, position(settings, path), known_hand(settings, path.tree)),
        look(len(path.tree.classes), settings.palette),
        _sequence_taken,
        sequence=cached.sequence_pack(settings, cross_validation),
        rule=rule(path.tree, selected),
        by_hand=True,
        height=room(path.tree),
    )


def show_pruned(settings: Settings, name: str, tree: ex.Tree, ways: Sequence[tuple[int, float]] = ()) -> None:
    """A tree cut from the grown one; `ways` are the nodes that a row comes to, each with the part that comes there."""
    selected = selected_node(settings, "grow")
    tree_view.view(
        name,
        cached.tree_pack(settings),
        Shown(selected, hand=closed_by_hand(tree)),
        look(len(tree.classes), settings.palette),
        lambda shown: take_node("grow", max(shown.selected, 0)),
        rule=rule(tree, selected),
        ways=ways,
        height=room(tree),
    )


def show_film(name: str, tree: ex.Tree, pack: bytes, film: bytes, palette: str, begin: int | None = None) -> int:
    """A tree with a slider over the steps of a procedure; selection and step stay within the view's own page.

    With `begin`, every new film begins at that step; else the step of the film before is kept. Gives the step shown.
    """
    key, kept = f"{name}.shown", f"{name}.film"
    shown: Shown = st.session_state.get(key, Shown())
    if begin is not None and st.session_state.get(kept) != signature(film):
        shown = st.session_state[key] = Shown(0, begin)
    st.session_state[kept] = signature(film)
    if shown.selected >= tree.n_grown:
        shown = Shown()

    def taken(now: Shown) -> None:
        st.session_state[key] = now

    colours, said = look(len(tree.classes), palette), rule(tree, shown.selected)
    tree_view.view(name, pack, shown, colours, taken, sequence=film, rule=said, height=room(tree))
    return shown.position


def rule(tree: ex.Tree, node: int) -> str:
    """The node's rule in words, as text."""
    return f"Node {node}: {visible(rule_words(tree, node))}" if 0 <= node < tree.n_grown else ""


def selected_node(settings: Settings, slot: str) -> int:
    """The node that the settings select, if the tree has it; else the root, with a word about it."""
    tree = cached.grown(settings, slot).tree
    node: int = getattr(settings, state.node_field(settings, slot))
    if 0 <= node < tree.n_grown:
        return node
    st.warning(f"There is no node {node} to choose: this tree has the nodes 0 to {tree.n_grown - 1}.")
    return 0


def position(settings: Settings, path: ex.Path) -> int:
    """Where the settings' α stands in the sequence; no α is the unpruned tree."""
    return 0 if settings.alpha is None else path.position(settings.alpha)


def pruned(settings: Settings) -> ex.Tree:
    """The tree at the settings' α, with what was pruned by hand."""
    path = cached.path(settings)
    at_alpha = path.tree.with_closed(ex.closed_at(path, position(settings, path)))
    return ex.prune_by_hand(at_alpha, known_hand(settings, path.tree))


def known_hand(settings: Settings, tree: ex.Tree) -> tuple[tuple[str, int], ...]:
    """The hand-made steps that this tree can take: an old address may name nodes that it has not."""
    return tuple((op, node) for op, node in settings.hand if node < tree.n_grown and tree.feature[node] >= 0)


def alpha_at(path: ex.Path, step: int) -> float | None:
    """The settings' α for a step of the sequence: none for the unpruned tree."""
    return None if step == 0 else float(path.alphas[min(step, len(path) - 1)])


def take_node(slot: str, node: int) -> None:
    """Select a node of a slot."""
    settings = state.read()
    state.keep(state.changed(settings, **{state.node_field(settings, slot): node}))


def _sequence_taken(shown: Shown) -> None:
    settings = state.read()
    alpha = alpha_at(cached.path(settings), shown.position)
    state.keep(state.changed(settings, node=max(shown.selected, 0), alpha=alpha, hand=shown.hand))
