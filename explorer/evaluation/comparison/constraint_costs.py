"""What each constraint of a tree costs: the tree is grown without it, and scored on held-out rows (DEFINITIONS 11).

A constraint is a limit or direction of the recipe, its costs or weights, or a manual choice; leaving a column out is
compared in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.data.dataset import Dataset
from explorer.evaluation.comparison.first_difference import FirstDifference, Walk, walk_together
from explorer.evaluation.folds import folds_for
from explorer.evaluation.paired_scores import losses_of, mean_and_error
from explorer.evaluation.subset_trees import with_each_tree
from explorer.growing.constraints import remembered
from explorer.growing.grow import grow
from explorer.pruning.cost_complexity.path import prune_at_alpha
from explorer.recipe.class_weights import cost_matrix
from explorer.recipe.recipe import Recipe
from explorer.threads import WORTH_A_THREAD, side_by_side
from explorer.tree.constraints import Choices
from explorer.tree.metrics import targets_of
from explorer.tree.tree import Tree

Floats = NDArray[np.float64]
CHOICE, COLUMN = "choice", "column"
_BY_COLUMN = ("monotone", "feature_costs")
_WHOLE = (
    "interactions",
    "class_weights",
    "costs",
    "max_depth",
    "max_leaf_nodes",
    "min_rows_split",
    "min_rows_leaf",
    "min_score",
    "min_impurity_decrease",
    "max_impurity",
    "min_squared_error",
    "chi2_level",
    "mdl_stop",
    "stop_at_one_feature",
)
_DEFAULT = Recipe()


@dataclass(frozen=True)
class Constraint:
    """One constraint: the recipe's field, "choice" or "column", and the column, the position of the choice, or None."""

    field: str
    subject: str | int | None = None


@dataclass(frozen=True, eq=False)
class ConstraintCost:
    """The tree without one constraint, and every held-out row's loss then less the loss as it is, [n].

    `walk` compares the two trees of all rows, the tree as it is first.
    """

    constraint: Constraint
    tree: Tree
    walk: Walk = field(repr=False)
    differences: Floats = field(repr=False)
    weights: Floats = field(repr=False)

    @property
    def first_difference(self) -> FirstDifference | None:
        """Where the two trees of all rows part, None where they do not."""
        return self.walk.difference

    @property
    def change(self) -> tuple[float, float]:
        """Mean change of the loss without the constraint, and its standard error; below 0 the constraint costs that."""
        return mean_and_error(self.differences, self.weights)


@dataclass(frozen=True, eq=False)
class ConstraintCosts:
    """The tree as it is, the losses of its held-out rows [n], and what each constraint costs.

    `metric` names the loss: "expected_cost" where the recipe has costs, else "error"; of a numeric target "mae",
    "quantile_loss" or "mse", the one that the recipe's impurity stands for.
    """

    tree: Tree
    costs: tuple[ConstraintCost, ...]
    metric: str
    losses: Floats = field(repr=False)
    weights: Floats = field(repr=False)

    @property
    def loss(self) -> tuple[float, float]:
        """Mean loss as it is, and its standard error."""
        return mean_and_error(self.losses, self.weights)

    @property
    def surrogates_lost(self) -> dict[str, int]:
        """Of each column left out, on how many splits of the tree as it is a surrogate split tests it, if any."""
        surrogates = self.tree.surrogates
        if surrogates is None:
            return {}
        in_use = surrogates.feature[self.tree.is_inner[surrogates.node]]
        counts = np.bincount(in_use, minlength=len(self.tree.features)).tolist()
        by_column = {feature.name: n for feature, n in zip(self.tree.features, counts, strict=True)}
        left_out = [str(cost.constraint.subject) for cost in self.costs if cost.constraint.field == COLUMN]
        return {column: by_column[column] for column in left_out if by_column.get(column)}


def constraints_of(recipe: Recipe, choices: Choices | None = None) -> list[Constraint]:
    """Every constraint of a recipe and of manual choices.

    >>> from explorer import CART
    >>> [(each.field, each.subject) for each in constraints_of(CART.replace(max_depth=3, monotone={"age": 1}))]
    [('monotone', 'age'), ('max_depth', None)]
    """
    by_column = (Constraint(name, column) for name in _BY_COLUMN for column, _ in getattr(recipe, name) or ())
    whole = (Constraint(name) for name in _WHOLE if getattr(recipe, name) != getattr(_DEFAULT, name))
    return [*by_column, *whole, *(Constraint(CHOICE, position) for position in range(len(choices or ())))]


def constraint_costs(
    data: Dataset,
    recipe: Recipe,
    choices: Choices | None = None,
    columns: Sequence[str] = (),
    alpha: float | None = None,
    folds: int | ArrayLike = 5,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
    constraints: Sequence[Constraint] | None = None,
) -> ConstraintCosts:
    """Grow the tree without each of `constraints` (all of them, if not given), and without each of `columns`.

    Trees are pruned at `alpha`, in units of the training error's impurity as in `prune_at_alpha`; None leaves them as
    they grow. Choices that are not in force for all rows are left out of the folds. `folds`, `seed` and `progress`
    (trees grown, in all) are those of `cross_validate_path`. Raises InputError for a column that is no feature, folds
    that do not suit the rows, or a recipe that needs validation rows.

    >>> from explorer import CART, load_sample
    >>> tennis = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> (cost,) = constraint_costs(tennis, CART.replace(max_depth=1), folds=7).costs
    >>> cost.constraint.field, cost.tree.n_leaves, round(14 * cost.change[0])
    ('max_depth', 7, 0)
    """
    divided = folds_for(data, folds, seed)
    constraints = constraints_of(recipe, choices) if constraints is None else constraints
    constraints = [*constraints, *(Constraint(COLUMN, column) for column in columns)]
    variants = [(recipe, choices), *(_without(recipe, choices, constraint) for constraint in constraints)]
    per_tree, rows = divided.names.size + 1, divided.held_out
    total, metric = per_tree * len(variants), _metric_of(recipe, data)

    def pruned(tree: Tree) -> Tree:
        return tree if alpha is None else prune_at_alpha(tree, alpha)

    def scored(position: int, variant: tuple[Recipe, Choices | None]) -> tuple[Tree, Floats]:
        def report(done: int = 0, _: int = 0) -> None:
            if progress is not None:
                progress(position * per_tree + done, total)

        def lose(tree: Tree, _: Any, held_out: NDArray[np.bool_]) -> None:
            losses[held_out] = _losses(metric, pruned(tree), data.take(held_out), recipe, data)

        report()
        losses = np.full(data.n_rows, np.nan)
        whole = grow(data, variant[0], choices=variant[1], progress=lambda *_: report())
        held = remembered(whole) if variant[1] else None
        with_each_tree(data, variant[0], divided.subsets(), per_tree - 1, lose, report, choices=held)
        report(per_tree)
        return pruned(whole), losses[rows]

    def report_last() -> None:
        if progress is not None:
            progress(total, total)

    trees = [scored(position, variant) for position, variant in enumerate(variants)]
    return _compared(trees, constraints, metric, data, data.weight_of_rows()[rows], report_last)


def _compared(
    trees: Sequence[tuple[Tree, Floats]],
    constraints: Sequence[Constraint],
    metric: str,
    data: Dataset,
    weights: Floats,
    report: Callable[[], None],
) -> ConstraintCosts:
    """The tree without each constraint beside the one as it is, which comes first; each with its losses."""
    tree, losses = trees[0]

    def cost_of(position: int) -> ConstraintCost:
        other, without = trees[position + 1]
        walk = walk_together(tree, other, data)
        return ConstraintCost(constraints[position], other, walk, without - losses, weights)

    positions, is_small = range(len(constraints)), data.codes.size < WORTH_A_THREAD
    costs = map(cost_of, positions) if is_small else side_by_side(cost_of, positions, report)
    return ConstraintCosts(tree, tuple(costs), metric, losses, weights)


def _metric_of(recipe: Recipe, data: Dataset) -> str:
    """The loss that belongs to the target and to what the recipe aims at."""
    if data.is_regression:
        return {"absolute_error": "mae", "quantile": "quantile_loss"}.get(recipe.impurity or "", "mse")
    return "error" if recipe.cost_pairs is None else "expected_cost"


def _losses(metric: str, tree: Tree, held_out: Dataset, recipe: Recipe, data: Dataset) -> Floats:
    """The loss of every held-out row, [n]; costs and quantile are those of the recipe, whatever the tree's own."""
    if metric == "expected_cost":
        code = {name: number for number, name in enumerate(data.classes)}
        truth, predicted = (np.array([code[name] for name in names]) for names in (held_out.classes, tree.classes))
        costs = cost_matrix(recipe.cost_pairs or (), data.classes)
        return np.asarray(costs[truth[held_out.y], predicted[tree.predict_encoded(held_out)]])
    if metric in ("mae", "quantile_loss"):
        excess = targets_of(tree, held_out)[0] - tree.predict_encoded(held_out)
        share = recipe.quantile if metric == "quantile_loss" else 0.5
        loss = np.maximum(share * excess, (share - 1.0) * excess)
        return np.asarray(loss if metric == "quantile_loss" else 2.0 * loss)
    return losses_of(tree, held_out)


def _without(recipe: Recipe, choices: Choices | None, constraint: Constraint) -> tuple[Recipe, Choices | None]:
    """Recipe and choices without one constraint."""
    name, subject = constraint.field, constraint.subject
    if name == COLUMN:
        return recipe, (choices or Choices()).forbid((), str(subject))
    if name == CHOICE:
        return recipe, (choices or Choices()).without(int(subject or 0)) or None
    if subject is None:
        return recipe.replace(**{name: getattr(_DEFAULT, name)}), choices
    others = {column: value for column, value in getattr(recipe, name) if column != subject}
    return recipe.replace(**{name: others or None}), choices
