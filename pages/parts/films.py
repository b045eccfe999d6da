"""The decisions of a method of pruning as a film for the tree view, and as sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import streamlit as st

import explorer as ex
from explorer.draw.payload import album_payload, film_payload, signature, tree_payload
from explorer.export.names import leaves
from pages.parts import cached, pruners
from pages.parts.cached import KEPT
from pages.parts.procedures import MOST_TESTS
from pages.parts.state import Settings
from pages.parts.words import number


class Decision(Protocol):
    """What steps of every method have in common."""

    @property
    def node(self) -> int:
        """The node decided."""

    @property
    def pruned(self) -> bool:
        """Whether it does not stay as it was."""

    @property
    def text(self) -> str:
        """The decision in a sentence."""


@dataclass(frozen=True)
class Film:
    """A tree, it and its steps as the view reads them, the step to begin with; `told` are steps not in the film."""

    tree: ex.Tree
    pack: bytes
    content: bytes
    begin: int
    remark: str = ""
    told: tuple[str, ...] = ()


def film(settings: Settings, method: str) -> Film:
    """The film of one method on the reader's tree; it begins with its end, which is the method's tree."""
    return _film(f"{pruners.key(settings, method)} film", settings, method)


@st.cache_resource(ttl=KEPT, max_entries=24, show_spinner="Telling the steps …")
def _film(key: str, _settings: Settings, _method: str) -> Film:
    tree, pruned = cached.grown(_settings).tree, pruners.cut(_settings, _method).tree
    is_long = int((tree.is_open & ~tree.is_leaf).sum()) > MOST_TESTS
    remark = f"Steps are told for trees of up to {MOST_TESTS} tests: this one is shown as grown and as pruned."
    if pruned.n_grown != tree.n_grown:
        told = () if is_long else tuple(step.text for step in _decisions(_settings, _method))
        return _raised(pruned, remark if is_long else "", told)
    pack = cached.tree_pack(_settings)
    if is_long and _method != "unpruned":
        return Film(tree, pack, grown_and_pruned(tree, pack, pruned), 1, remark)
    if _method in ("cost_complexity", "one_se"):
        position = pruners.position(_settings, _method)
        return Film(tree, pack, _sequence_film(cached.path(_settings), signature(pack), position), position)
    return of_steps(tree, pack, _decisions(_settings, _method))


def _decisions(settings: Settings, method: str) -> Sequence[Decision]:
    tree, train = cached.grown(settings).tree, cached.parts(settings).train
    if method == "reduced_error":
        return ex.reduced_error_steps(tree, pruners.validation_rows(settings), settings.order, settings.ties)
    if method == "pessimistic":
        raising = pruners.raises(settings)
        return ex.pessimistic_steps(tree, settings.confidence, raising, settings.limit, train)
    return ex.mdl_steps(tree, train) if method == "mdl" else []


def of_steps(tree: ex.Tree, pack: bytes, steps: Sequence[Decision]) -> Film:
    """One step after the other; the film begins with the last."""
    is_inner = tree.is_open & ~tree.is_leaf
    collapse = np.where(is_inner, len(steps) + 1, 0)
    for place, step in enumerate(steps, 1):
        if step.pruned:
            collapse[step.node] = place
    captions = [f"The tree as it was grown: {leaves(tree.n_leaves)}.", *(step.text for step in steps)]
    focus = [-1, *(step.node for step in steps)]
    return Film(tree, pack, film_payload(tree, signature(pack), collapse, captions, focus), len(steps))


def _sequence_film(path: ex.Path, tree_sig: str, position: int) -> bytes:
    """The sequence of weakest links up to a position."""
    captions, focus = [f"The tree as it was grown: {leaves(int(path.n_leaves[0]))}, α = 0."], [-1]
    for place in range(1, position + 1):
        closing = (path.leaf_from == place) & (path.leaf_until > place) & (path.tree.feature >= 0)
        weakest = np.flatnonzero(closing).tolist()
        focus.append(weakest[0] if weakest else -1)
        named = ", ".join(str(node) for node in weakest[:5]) + (" …" if len(weakest) > 5 else "")
        alpha, left = number(float(path.alphas[place]), 6), leaves(int(path.n_leaves[place]))
        captions.append(f"α = {alpha}: the weakest {_nodes(len(weakest), named)}; {left} remain.")
    return film_payload(path.tree, tree_sig, path.collapse_position, captions, focus)


def _nodes(count: int, named: str) -> str:
    return f"link, node {named}, collapses" if count == 1 else f"links, nodes {named}, collapse"


def grown_and_pruned(tree: ex.Tree, pack: bytes, pruned: ex.Tree) -> bytes:
    """Two forms of a tree: as grown, and pruned."""
    captions = [f"As grown: {leaves(tree.n_leaves)}.", f"Pruned: {leaves(pruned.n_leaves)}."]
    return album_payload(tree, signature(pack), np.array([tree.closed, pruned.closed]), captions)


def _raised(pruned: ex.Tree, remark: str, told: tuple[str, ...]) -> Film:
    """A tree with raised subtrees has nodes of its own: shown before and after its leaves are cut."""
    pack = tree_payload(pruned)
    full = pruned.with_closed(np.zeros(pruned.n_grown, dtype=bool))
    captions = [
        f"With raised subtrees, and all branches below them: {leaves(full.n_leaves)}.",
        f"With raised subtrees, pruned: {leaves(pruned.n_leaves)}.",
    ]
    album = album_payload(pruned, signature(pack), np.array([full.closed, pruned.closed]), captions)
    text = "Raising has hung rows elsewhere, so this is a tree of its own with new numbers for its nodes."
    return Film(pruned, pack, album, 1, f"{text} {remark}".strip(), told)
