"""Every way of pruning on the same tree, side by side."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from explorer.data.dataset import Dataset
from explorer.growing.training_rows import training_rows_of
from explorer.pruning.cost_complexity.path import cost_complexity_path
from explorer.pruning.mdl import mdl_prune
from explorer.pruning.pessimistic import pessimistic_prune
from explorer.pruning.reduced_error import reduced_error_prune
from explorer.pruning.subtree_raising import cannot_raise
from explorer.tree.metrics import score
from explorer.tree.tree import Tree


@dataclass(frozen=True)
class Pruner:
    """A method: what a report calls it, the function of the package, and what a script gives it before its options."""

    words: str
    function: str
    given: str

    @property
    def needs_validation(self) -> bool:
        """Whether it decides by validation rows."""
        return "valid" in self.given


PRUNERS = {
    "reduced_error": Pruner("reduced error, on the validation rows", "reduced_error_prune", "tree, valid"),
    "pessimistic": Pruner("C4.5’s pessimistic estimates", "pessimistic_prune", "tree, train=train"),
    "mdl": Pruner("description length", "mdl_prune", "tree, train"),
}


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
    left_out = () if cannot_raise(tree, training_rows_of(tree, train)) is None else (RAISING,)
    return _ON_ANY_TARGET | {name: prune for name, prune in _ON_CLASSES.items() if name not in left_out}
