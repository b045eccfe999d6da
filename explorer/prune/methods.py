"""Every way of pruning on the same tree, side by side."""

from collections.abc import Callable
from dataclasses import dataclass, field

from explorer.dataset import Dataset
from explorer.evaluate import score
from explorer.prune.mdl import mdl_prune
from explorer.prune.path import cost_complexity_path
from explorer.prune.pessimistic import pessimistic_prune
from explorer.prune.raising import cannot_raise
from explorer.prune.reduced_error import reduced_error_prune
from explorer.training import grown_on
from explorer.tree import Tree

RAISING = "pessimistic, raising"


@dataclass(frozen=True)
class Pruned:
    """What one method leaves of a tree: its size, and accuracy (mean squared error for numbers) on both parts."""

    name: str
    n_leaves: int
    training_score: float
    validation_score: float
    tree: Tree = field(repr=False)


def prune_methods(tree: Tree, train: Dataset, valid: Dataset) -> list[Pruned]:
    """One row per method, the unpruned tree first; methods that count classes are left out for a numeric target.

    So is raising where rows with missing cells are in several leaves. Reduced-error pruning and the α of
    cost-complexity are chosen on `valid`, so their scores there flatter them.
    Raising subtrees takes far longer than all the rest: some seconds for a full tree on 100,000 rows.

    >>> from explorer import CART, Dataset, grow, load_sample
    >>> train, valid = Dataset.from_frame(load_sample("iris").frame, "class").split(0.7)
    >>> [(row.name, row.n_leaves) for row in prune_methods(grow(train, CART), train, valid)][0][0]
    'unpruned'
    """
    trees = ((name, prune(tree, train, valid)) for name, prune in _methods(tree, train).items())
    return [_row(name, pruned, train, valid) for name, pruned in trees]


def _row(name: str, pruned: Tree, train: Dataset, valid: Dataset) -> Pruned:
    return Pruned(name, pruned.n_leaves, score(pruned, train), score(pruned, valid), pruned)


def _cost_complexity(tree: Tree, train: Dataset, valid: Dataset) -> Tree:
    path = cost_complexity_path(tree)
    return path.subtree(position=path.best(path.curve(valid)))


_ON_ANY_TARGET: dict[str, Callable[[Tree, Dataset, Dataset], Tree]] = {
    "unpruned": lambda tree, train, valid: tree,
    "cost-complexity, best α": _cost_complexity,
    "reduced error, best first": lambda tree, train, valid: reduced_error_prune(tree, valid),
    "reduced error, bottom-up": lambda tree, train, valid: reduced_error_prune(tree, valid, "bottom_up"),
    "reduced error, only if better": lambda tree, train, valid: reduced_error_prune(tree, valid, "bottom_up", "keep"),
}
_ON_CLASSES: dict[str, Callable[[Tree, Dataset, Dataset], Tree]] = {
    "pessimistic": lambda tree, train, valid: pessimistic_prune(tree),
    RAISING: lambda tree, train, valid: pessimistic_prune(tree, raising=True, train=train),
    "description length": lambda tree, train, valid: mdl_prune(tree, train),
}


def _methods(tree: Tree, train: Dataset) -> dict[str, Callable[[Tree, Dataset, Dataset], Tree]]:
    if tree.is_regression:
        return _ON_ANY_TARGET
    left_out = () if cannot_raise(tree, grown_on(tree, train)) is None else (RAISING,)
    return _ON_ANY_TARGET | {name: prune for name, prune in _ON_CLASSES.items() if name not in left_out}
