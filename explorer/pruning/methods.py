"""The registry of pruning methods: what each is called, which functions carry it out, what it needs and its options.

Reports, scripts and pages list the methods of `PRUNING_METHODS` and nothing else. The formulas of their steps are in
`explorer.explaining.formulas.pruning_steps`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Protocol

from explorer.data.dataset import Dataset
from explorer.errors import NeedsRowsError
from explorer.growing.training_rows import training_rows_of
from explorer.messages import Worded, WordedTable, message
from explorer.pruning.cost_complexity.path import cost_complexity_path, prune_at_position
from explorer.pruning.mdl import mdl_prune, mdl_steps
from explorer.pruning.newton import newton_prune, newton_steps
from explorer.pruning.pessimistic import pessimistic_prune, pessimistic_steps
from explorer.pruning.reduced_error import reduced_error_prune, reduced_error_steps
from explorer.pruning.subtree_raising import cannot_raise
from explorer.sources.source import Source
from explorer.tree.metrics import score
from explorer.tree.tree import Tree

NEEDS = ("valid", "train", "position")
"""What a method may need beside the tree: validation rows, training rows, or a position of the α sequence."""


class PruningStep(Protocol):
    """What the steps of all methods have in common."""

    @property
    def node(self) -> int:
        """The node that was decided."""

    @property
    def pruned(self) -> bool:
        """Whether the node was pruned or replaced."""

    @property
    def text(self) -> str:
        """The decision in one sentence, with its numbers."""


@dataclass(frozen=True)
class MethodOption:
    """One option of a method: the name of its argument, its default, and its label (see `explorer.messages.Worded`).

    `values` maps every allowed value to its label; None for numbers and switches. `help_text` says what it changes.
    """

    name: str
    default: object
    label: Worded = Worded()
    values: Mapping[str, str] | None = None
    help_text: Worded = Worded("")


@dataclass(frozen=True)
class Variant:
    """A line of `prune_methods`: a method with some options.

    `is_possible(tree, training set)` says whether the tree allows these options.
    """

    name: str
    options: Mapping[str, object] = field(default_factory=dict)
    is_possible: Callable[[Tree, Any], bool] = lambda tree, train: True


@dataclass(frozen=True, kw_only=True)
class PruningMethod:
    """A pruning method.

    Tables call it `label`; a report says "Pruned by `phrase`". `prune` takes the tree, what the method `needs` (some of
    `NEEDS`, under these names) and its `options`, and returns the pruned tree. `steps` takes the same and returns the
    decisions in order; None for a method that chooses a position of the α sequence, whose steps are the weakest links.
    Such a method has `chosen_position`: the attribute ("best", "one_se") of the scores that holds its position.
    """

    key: str
    label: Worded = Worded()
    phrase: Worded = Worded()
    prune: Callable[..., Tree]
    steps: Callable[..., Sequence[PruningStep]] | None = None
    needs: tuple[str, ...] = ()
    needs_classes: bool = False
    options: tuple[MethodOption, ...] = ()
    variants: tuple[Variant, ...] = ()
    chosen_position: str | None = None

    @property
    def needs_validation(self) -> bool:
        """Whether it decides by validation rows."""
        return "valid" in self.needs

    @property
    def arguments(self) -> str:
        """What a script gives `prune` before the options, such as "tree, train=train"."""
        parameters = list(inspect.signature(self.prune).parameters)
        is_positional = [name == parameters[1 + position] for position, name in enumerate(self.needs)]
        listed = [name if first else f"{name}={name}" for name, first in zip(self.needs, is_positional, strict=True)]
        return ", ".join(["tree", *listed])

    def values_of(self, option_name: str) -> Mapping[str, str]:
        """The values that an option allows, with their labels."""
        return next(option.values or {} for option in self.options if option.name == option_name)


_METHODS = (
    PruningMethod(
        key="cost_complexity",
        label=lambda: message("Cost-complexity, best α"),
        phrase=lambda: message("cost-complexity at the α with the best score"),
        prune=prune_at_position,
        needs=("position",),
        variants=(Variant("cost-complexity, best α"),),
        chosen_position="best",
    ),
    PruningMethod(
        key="one_se",
        label=lambda: message("Cost-complexity, 1-SE"),
        phrase=lambda: message("cost-complexity at the α of the 1-SE rule"),
        prune=prune_at_position,
        needs=("position",),
        chosen_position="one_se",
    ),
    PruningMethod(
        key="reduced_error",
        label=lambda: message("Reduced error"),
        phrase=lambda: message("reduced error on the validation set"),
        prune=reduced_error_prune,
        steps=reduced_error_steps,
        needs=("valid",),
        options=(
            MethodOption(
                "order",
                "best_first",
                lambda: message("Reduced error: order"),
                WordedTable(
                    {
                        "best_first": lambda: message("Best first (Mitchell)"),
                        "bottom_up": lambda: message("Bottom-up (Quinlan)"),
                    }
                ),
                lambda: message(
                    "Which node is considered next: the one whose pruning improves the validation score most, or "
                    "children first."
                ),
            ),
            MethodOption(
                "ties",
                "prune",
                lambda: message("Reduced error: ties"),
                WordedTable(
                    {
                        "prune": lambda: message("Pruned: the smaller tree"),
                        "keep": lambda: message("Kept: only if better"),
                    }
                ),
                lambda: message(
                    "Whether a node is pruned when that leaves the validation score unchanged. Zhou keeps it."
                ),
            ),
        ),
        variants=(
            Variant("reduced error, best first"),
            Variant("reduced error, bottom-up", {"order": "bottom_up"}),
            Variant("reduced error, only if better", {"order": "bottom_up", "ties": "keep"}),
        ),
    ),
    PruningMethod(
        key="pessimistic",
        label=lambda: message("Pessimistic (C4.5)"),
        phrase=lambda: message("C4.5’s pessimistic estimates"),
        prune=pessimistic_prune,
        steps=pessimistic_steps,
        needs=("train",),
        needs_classes=True,
        options=(
            MethodOption(
                "confidence",
                0.25,
                lambda: message("Pessimistic: confidence"),
                None,
                lambda: message(
                    "The probability that a leaf's true error rate exceeds its estimate: a smaller one prunes more. "
                    "C4.5 uses 0.25."
                ),
            ),
            MethodOption("raising", False, lambda: message("Raise subtrees")),
            MethodOption(
                "limit",
                "release8",
                lambda: message("Pessimistic: limit"),
                WordedTable(
                    {
                        "release8": lambda: message("As C4.5 release 8"),
                        "binomial": lambda: message("Binomial, exact"),
                        "normal": lambda: message("Normal (Weka’s J48)"),
                    }
                ),
                lambda: message("How the upper limit of an error rate is computed."),
            ),
        ),
        variants=(
            Variant("pessimistic"),
            Variant(
                "pessimistic, raising",
                {"raising": True},
                lambda tree, train: cannot_raise(tree, training_rows_of(tree, train)) is None,
            ),
        ),
    ),
    PruningMethod(
        key="mdl",
        label=lambda: message("MDL (description length)"),
        phrase=lambda: message("MDL (description length)"),
        prune=mdl_prune,
        steps=mdl_steps,
        needs=("train",),
        needs_classes=True,
        variants=(Variant("description length"),),
    ),
    PruningMethod(
        key="newton",
        label=lambda: message("Gain below γ (XGBoost)"),
        phrase=lambda: message("XGBoost's γ"),
        prune=newton_prune,
        steps=newton_steps,
        options=(
            MethodOption(
                "gamma",
                1.0,
                lambda: message("XGBoost: γ"),
                None,
                lambda: message(
                    "From the leaves up, a split goes if its gain is below γ. In units of the library, twice the "
                    "paper's."
                ),
            ),
        ),
    ),
)

PRUNING_METHODS = {method.key: method for method in _METHODS}
"""Every pruning method by its key, in the order of tables."""

NODE_METHODS = {key: method for key, method in PRUNING_METHODS.items() if method.chosen_position is None}
"""Those that decide node by node; for the others a report names the chosen α."""


@dataclass(frozen=True)
class MethodResult:
    """A tree pruned by one method: its size, and its accuracy (numeric targets: mean squared error) on two sets."""

    name: str
    n_leaves: int
    training_score: float
    validation_score: float
    tree: Tree = field(repr=False)


def prune_methods(tree: Tree, train: Dataset | Source, valid: Dataset | Source) -> list[MethodResult]:
    """Prune a tree by every method, the unpruned tree first; methods that need classes only where there are classes.

    Subtree raising is left out where rows with missing values are in several leaves. On a connected table, methods that
    need the training rows are left out: subtree raising, and description length. Reduced-error pruning and the α
    of cost-complexity pruning are chosen on `valid`, so their scores there are optimistic. Raising takes longer
    than all the rest, as rows move: about as long as growing.

    >>> from explorer import CART, Dataset, grow, load_sample
    >>> train, valid = Dataset.from_frame(load_sample("iris").frame, "class").split(0.7)
    >>> [(row.name, row.n_leaves) for row in prune_methods(grow(train, CART), train, valid)][0][0]
    'unpruned'
    """
    results = [_result("unpruned", tree, train, valid)]
    for method in PRUNING_METHODS.values():
        if method.needs_classes and tree.is_regression:
            continue
        for variant in method.variants:
            with suppress(NeedsRowsError):
                if variant.is_possible(tree, train):
                    pruned = method.prune(tree, **_needed(method, tree, train, valid), **variant.options)
                    results.append(_result(variant.name, pruned, train, valid))
    return results


def _needed(method: PruningMethod, tree: Tree, train: Dataset | Source, valid: Dataset | Source) -> dict[str, object]:
    """The arguments that a method needs beside the tree; the best position of the α sequence by accuracy on `valid`."""
    known: dict[str, object] = {"train": train, "valid": valid}
    if "position" in method.needs:
        path = cost_complexity_path(tree)
        known["position"] = path.best(path.curve(valid))
    return {name: known[name] for name in method.needs}


def _result(name: str, pruned: Tree, train: Dataset | Source, valid: Dataset | Source) -> MethodResult:
    return MethodResult(name, pruned.n_leaves, score(pruned, train), score(pruned, valid), pruned)
