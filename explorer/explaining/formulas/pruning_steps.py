"""The formulas of a step of each pruning method, by the keys of `explorer.pruning.methods.PRUNING_METHODS`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from explorer.data.dataset import Dataset
from explorer.explaining.formulas.derivation import Derivation
from explorer.explaining.formulas.description_length import mdl_formula
from explorer.explaining.formulas.newton import newton_step_formula
from explorer.explaining.formulas.other_pruning import pessimistic_formula, reduced_error_formula
from explorer.tree.tree import Tree


@dataclass(frozen=True)
class StepContext:
    """Step `index` of the `steps` that a method with some `options` decided on a tree grown on `train`."""

    tree: Tree
    steps: Sequence[Any]
    index: int
    train: Dataset
    options: Mapping[str, Any]


def _reduced_error(context: StepContext) -> Derivation:
    return reduced_error_formula(context.steps[context.index])


def _pessimistic(context: StepContext) -> Derivation:
    confidence, limit = context.options["confidence"], context.options["limit"]
    return pessimistic_formula(context.tree, context.steps, context.index, confidence, limit)


def _mdl(context: StepContext) -> Derivation:
    return mdl_formula(context.tree, context.steps, context.index, context.train)


def _newton(context: StepContext) -> Derivation:
    return newton_step_formula(context.tree, context.steps[context.index])


STEP_FORMULAS: dict[str, Callable[[StepContext], Derivation]] = {
    "reduced_error": _reduced_error,
    "pessimistic": _pessimistic,
    "mdl": _mdl,
    "newton": _newton,
}
"""The formulas that decide a step, for every method that has steps; weakest links have `link_formula`."""


def step_formula(
    method: str, tree: Tree, steps: Sequence[Any], index: int, train: Dataset, options: Mapping[str, Any]
) -> Derivation:
    """The formulas that decide a step of a method."""
    return STEP_FORMULAS[method](StepContext(tree, steps, index, train, options))
