"""The decisions of a pruning method as a sequence of steps for the tree view, and as sentences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

import explorer as ex
from explorer import explaining
from explorer.drawing.tree_view.payload import signature, step_sequence_payload, tree_payload, variants_payload
from explorer.explaining import Derivation
from explorer.formatting import leaves
from explorer.messages import listing, message, plural
from explorer.pruning.methods import PRUNING_METHODS, PruningStep
from pages.results import pruning, trees
from pages.results.cache import kept
from pages.settings.settings import Settings
from pages.text import number

MOST_TESTS = 500
"""Steps are shown for trees of up to so many splits."""


@dataclass(frozen=True)
class StepSequence:
    """A tree, it and its steps as the view reads them, the step to begin with; `decisions` are steps without pictures.

    `captions` are those of the tree before and of every step. `formula` gives the numbers of a step, from 1, as
    formulas; none where the steps have no numbers of their own.
    """

    tree: ex.Tree
    pack: bytes
    content: bytes
    begin: int
    remark: str = ""
    decisions: tuple[str, ...] = ()
    captions: tuple[str, ...] = ()
    formula: Callable[[int], Derivation | None] = lambda step: None


def step_sequence(settings: Settings, method: str) -> StepSequence:
    """The steps of one method on the reader's tree; shown first is the last step, which is the method's tree."""
    key = f"{pruning.key(settings, method)} steps"
    return _step_sequence(key, settings, method)


def sentences(settings: Settings, method: str) -> tuple[tuple[str, ...], str]:
    """The steps of a method in words, or why the steps of this tree are not described."""
    if method == "unpruned":
        return (), ""
    if _is_long(trees.grown(settings).tree):
        return (), message("The steps are described for trees of up to {n} internal nodes.", n=MOST_TESTS)
    if pruning.has_chosen_alpha(method):
        path = trees.path(settings)
        return tuple(_link_text(path, position) for position in range(1, pruning.position(settings, method) + 1)), ""
    return tuple(step.text for step in _decisions(settings, method)), ""


def _is_long(tree: ex.Tree) -> bool:
    return int(tree.is_inner.sum()) > MOST_TESTS


@kept(by_language=True)
def _step_sequence(key: str, _settings: Settings, _method: str) -> StepSequence:
    tree, pruned = trees.grown(_settings).tree, pruning.result(_settings, _method).tree
    is_long = _is_long(tree)
    remark = message("Above {n} internal nodes the tree is shown as grown and as pruned, without steps.", n=MOST_TESTS)
    if pruned.n_nodes_grown != tree.n_nodes_grown:
        sentences_without_steps = () if is_long else tuple(step.text for step in _decisions(_settings, _method))
        return _raised(pruned, remark if is_long else "", sentences_without_steps)
    pack = trees.tree_payload(_settings)
    if is_long and _method != "unpruned":
        return StepSequence(tree, pack, grown_and_pruned(tree, pack, pruned), 1, remark)
    if pruning.has_chosen_alpha(_method):
        position = pruning.position(_settings, _method)
        path = trees.path(_settings)
        captions, content = _alpha_steps(path, signature(pack), position)
        return StepSequence(
            tree, pack, content, position, captions=captions, formula=lambda step: _link_formula(path, step)
        )
    steps = _decisions(_settings, _method)
    return of_steps(tree, pack, steps, lambda step: _step_formula(_settings, _method, steps, step))


def _link_formula(path: ex.Path, step: int) -> Derivation | None:
    """g(t) of the first of the links that a step of the sequence collapses."""
    weakest = weakest_links(path, step)
    return explaining.link_formula(path, weakest[0]) if weakest else None


def _step_formula(settings: Settings, method: str, steps: Sequence[PruningStep], step: int) -> Derivation | None:
    """The numbers that decided a step."""
    if not 0 < step <= len(steps):
        return None
    tree, train = trees.grown(settings).tree, trees.parts(settings).train
    return explaining.step_formula(method, tree, steps, step - 1, train, pruning.options(settings, method))


def _decisions(settings: Settings, method: str) -> Sequence[PruningStep]:
    steps = PRUNING_METHODS[method].steps if method in PRUNING_METHODS else None
    return [] if steps is None else steps(trees.grown(settings).tree, **pruning.arguments(settings, method))


def of_steps(
    tree: ex.Tree, pack: bytes, steps: Sequence[PruningStep], formula_of: Callable[[int], Derivation | None]
) -> StepSequence:
    """One step after the other, with the formulas of each; the last one is shown first."""
    is_inner = tree.is_inner
    collapse = np.where(is_inner, len(steps) + 1, 0)
    for position, step in enumerate(steps, 1):
        if step.pruned:
            collapse[step.node] = position
    captions = [message("The grown tree: {leaves}.", leaves=leaves(tree.n_leaves)), *(step.text for step in steps)]
    focus = [-1, *(step.node for step in steps)]
    content = step_sequence_payload(tree, signature(pack), collapse, captions, focus)
    return StepSequence(tree, pack, content, len(steps), captions=tuple(captions), formula=formula_of)


def _alpha_steps(path: ex.Path, tree_sig: str, position: int) -> tuple[tuple[str, ...], bytes]:
    """The captions of the sequence of weakest links up to a position, and the sequence."""
    captions, focus = [message("The grown tree: {leaves}.", leaves=leaves(int(path.n_leaves[0])))], [-1]
    for step in range(1, position + 1):
        weakest = weakest_links(path, step)
        focus.append(weakest[0] if weakest else -1)
        captions.append(_link_text(path, step))
    content = step_sequence_payload(path.tree, tree_sig, path.collapse_position, captions, focus)
    return tuple(captions), content


def _link_text(path: ex.Path, position: int) -> str:
    """What collapses at a position of the sequence, and what remains."""
    weakest = weakest_links(path, position)
    named = listing(str(node) for node in weakest[:5]) + (" …" if len(weakest) > 5 else "")
    alpha, left = number(float(path.alphas[position]), 6), leaves(int(path.n_leaves[position]))
    return plural(
        len(weakest),
        "α = {alpha}: the weakest link, node {nodes}, is pruned; {left} remain.",
        "α = {alpha}: the weakest links, nodes {nodes}, are pruned; {left} remain.",
        alpha=alpha,
        nodes=named,
        left=left,
    )


def weakest_links(path: ex.Path, position: int) -> list[int]:
    """The nodes that become leaves at a position of the sequence."""
    closing = (path.leaf_from == position) & (path.leaf_until > position) & (path.tree.feature >= 0)
    nodes: list[int] = np.flatnonzero(closing).tolist()
    return nodes


def grown_and_pruned(tree: ex.Tree, pack: bytes, pruned: ex.Tree) -> bytes:
    """Two forms of a tree: as grown, and pruned."""
    captions = [
        message("The grown tree: {leaves}.", leaves=leaves(tree.n_leaves)),
        message("The pruned tree: {leaves}.", leaves=leaves(pruned.n_leaves)),
    ]
    return variants_payload(tree, signature(pack), np.array([tree.is_pruned, pruned.is_pruned]), captions)


def _raised(pruned: ex.Tree, remark: str, decisions: tuple[str, ...]) -> StepSequence:
    """A tree with raised subtrees has nodes of its own: shown before and after it is pruned."""
    pack = tree_payload(pruned)
    full = pruned.with_pruned(np.zeros(pruned.n_nodes_grown, dtype=bool))
    captions = [
        message("With raised subtrees, before pruning: {leaves}.", leaves=leaves(full.n_leaves)),
        message("With raised subtrees, pruned: {leaves}.", leaves=leaves(pruned.n_leaves)),
    ]
    variants = variants_payload(pruned, signature(pack), np.array([full.is_pruned, pruned.is_pruned]), captions)
    text = message("Subtree raising moved rows to other branches, so the nodes of this tree have new numbers.")
    return StepSequence(pruned, pack, variants, 1, f"{text} {remark}".strip(), decisions)
