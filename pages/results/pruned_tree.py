"""The tree at the settings' α with the manual pruning steps, and the node selected in it."""

from __future__ import annotations

import explorer as ex
from pages.results import opened_tree, trees
from pages.settings.settings import Settings, node_field


def selected_node(settings: Settings, slot: str) -> int | None:
    """The node that the settings select; None if the tree does not have it."""
    node: int = getattr(settings, node_field(settings, slot))
    return node if 0 <= node < shown_tree(settings, slot).n_nodes_grown else None


def shown_tree(settings: Settings, slot: str = "grow") -> ex.Tree:
    """The tree of a slot: the one that is open from a file, or else the grown one."""
    opened = opened_tree.now() if slot == "grow" else None
    return trees.grown(settings, slot).tree if opened is None else opened.tree


def position(settings: Settings, path: ex.Path) -> int:
    """Where the settings' α stands in the sequence; no α is the unpruned tree."""
    return 0 if settings.alpha is None else path.position(settings.alpha)


def pruned(settings: Settings) -> ex.Tree:
    """The tree at the settings' α, with the manual pruning steps."""
    path = trees.path(settings)
    at_alpha = path.tree.with_pruned(ex.pruned_at(path, position(settings, path)))
    return ex.prune_by_hand(at_alpha, known_manual_steps(settings, path.tree))


def predicting(settings: Settings, tree: ex.Tree) -> ex.Tree:
    """A tree with probabilities smoothed, and a class predicted, as the settings say, with their actions."""
    if not tree.is_regression:
        tree = tree.with_smoothing(ex.Smoothing(settings.smoothing, settings.smoothing_m))
    return opened_tree.decided(settings, tree)


def predicting_key(settings: Settings) -> str:
    """A text for how probabilities are smoothed, and from which on a class is predicted."""
    return f"{settings.smoothing} {settings.smoothing_m} {settings.decide} {settings.actions}"


def known_manual_steps(settings: Settings, tree: ex.Tree) -> tuple[tuple[str, int], ...]:
    """The manual steps that this tree can take: an old address may name nodes that it does not have."""
    return tuple(
        (op, node) for op, node in settings.manual_steps if node < tree.n_nodes_grown and tree.feature[node] >= 0
    )


def alpha_at(path: ex.Path, step: int) -> float | None:
    """The settings' α for a step of the sequence: none for the unpruned tree."""
    return None if step == 0 else float(path.alphas[min(step, len(path) - 1)])
