"""The trees of a comparison, pruned by the one rule that the reader has chosen for all of them."""

from __future__ import annotations

import explorer as ex
from explorer.data.division import way_of_folds, way_text
from explorer.messages import message
from pages.results import jobs, pruned_tree, trees
from pages.results.cache import kept
from pages.results.cross_validation import folding, n_folds
from pages.settings.memo import remembered
from pages.settings.settings import Settings, node_field

AS_ON_PRUNE = ("size", "alpha")
"""The reader's tree as it is on the Prune page, the others of its size, or at its α."""
BY_SCORE = ("best", "one_se")
"""Rules by which held-out rows choose every tree's size, called as that position is of scores along a path."""


@remembered
def tree(settings: Settings, slot: str) -> ex.Tree:
    """The tree of a side as it is compared; raises InputError."""
    if rule(settings) == "full":
        return trees.grown(settings, slot).tree
    path, at = sequence(settings, slot)
    if is_readers(settings, slot) and _is_as_on_prune(settings, slot):
        return pruned_tree.pruned(settings)
    return path.tree.with_pruned(ex.pruned_at(path, at))


@remembered
def rule(settings: Settings) -> str:
    """How the trees are pruned, one of `labels.PRUNED_ALIKE`: as the reader chose, or by the rule of the Prune page."""
    if _has_own_alphas(settings):
        return "own"
    chosen = settings.compare.pruned
    return chosen if chosen in choices(settings) else _rule_of_prune(settings)


def _has_own_alphas(settings: Settings) -> bool:
    return any(alpha is not None for alpha in settings.compare.alphas)


def _rule_of_prune(settings: Settings) -> str:
    """The rule that leads to the reader's tree, as far as validation rows or those left out tell; else its size."""
    if not is_pruned(settings):
        return "full"
    scores, position = trees.curves(settings), pruned_tree.position(settings, trees.path(settings))
    by_score = [name for name in BY_SCORE if getattr(scores, name) == position and name in choices(settings)]
    return by_score[0] if by_score and not settings.manual_steps else "size"


def choices(settings: Settings) -> list[str]:
    """The rules that the reader can choose between."""
    has_held_out = not settings.connected or trees.parts(settings).valid is not None
    by_score = ["best"] * has_held_out + ["one_se"] * (not settings.connected)
    return [*(AS_ON_PRUNE if is_pruned(settings) else ()), *by_score, "full"]


def is_pruned(settings: Settings) -> bool:
    """Whether the reader's tree is pruned on the Prune page."""
    return settings.alpha is not None or bool(settings.manual_steps)


def is_readers(settings: Settings, slot: str) -> bool:
    """Whether a side has the tree of the Grow page."""
    return node_field(settings, slot) == "node"


def grown_first(settings: Settings) -> tuple[str, ...]:
    """The slots whose trees are needed: those of the sides, and the reader's own with its scores for the rule of it."""
    needs_own = is_pruned(settings) and not _has_own_alphas(settings) and settings.compare.pruned in ("", "size")
    return ("grow", *settings.compare.slots) if needs_own else settings.compare.slots


def sequence(settings: Settings, slot: str) -> tuple[ex.Path, int]:
    """The pruning sequence of a side, and where the tree that is compared stands in it; of steps by hand their α."""
    path, kind, compare = trees.path(settings, slot), rule(settings), settings.compare
    if kind in BY_SCORE:
        return path, _by_score(settings, slot, kind)
    if kind == "size" and not is_readers(settings, slot):
        return path, path.position_of_leaves(pruned_tree.pruned(settings).n_leaves)
    alpha = {"full": None, "own": compare.alpha(slot)}.get(kind, settings.alpha)
    return path, 0 if alpha is None else path.position(alpha)


def _is_as_on_prune(settings: Settings, slot: str) -> bool:
    kind = rule(settings)
    return kind in AS_ON_PRUNE or (kind == "own" and settings.compare.alpha(slot) == settings.alpha)


def _by_score(settings: Settings, slot: str, name: str) -> int:
    """The position that held-out rows choose: validation rows or leave-one-out, else folds."""
    position: int | None = getattr(trees.curves_by(settings, slot, trees.metric(settings, slot)), name)
    if position is None:
        position = getattr(_folded(*_folds_in_use(settings, slot)), name)
    assert position is not None, "folds choose a size"
    return position


def is_ready(settings: Settings, slot: str) -> bool:
    """Whether the tree as it is compared takes no time worth mentioning, once it is grown."""
    kind = rule(settings)
    if kind not in BY_SCORE:
        return True
    if not trees.has_curves(settings, slot):
        return False
    found = getattr(trees.curves_by(settings, slot, trees.metric(settings, slot)), kind)
    return found is not None or _folded.is_kept(*_folds_in_use(settings, slot))


def held_out(settings: Settings) -> str:
    """Which rows choose the sizes, in words."""
    slot, kind = settings.compare.slots[0], rule(settings)
    curves, folds = trees.curves_by(settings, slot, trees.metric(settings, slot)), n_folds(settings)
    if getattr(curves, kind) is None:
        return way_text(way_of_folds(trees.parts(settings).train.division, folds), folds)
    if curves.left_out is None:
        return message("the validation set")
    return way_text(curves.how, curves.left_out.n_folds)


def _folds_in_use(settings: Settings, slot: str) -> tuple[str, Settings, str]:
    how = f"{settings.risk} {trees.metric(settings, slot)} {n_folds(settings)} {settings.fold_seed}"
    return f"{trees.grown_key(settings, slot)} {how}", settings, slot


@kept()
def _folded(key: str, _settings: Settings, _slot: str) -> ex.CrossValidation:
    return folding(_settings, _slot)(jobs.reporting())
