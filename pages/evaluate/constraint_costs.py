"""What each limit, direction, cost, manual choice and column of the tree costs: on demand, in the background."""

from __future__ import annotations

import pandas as pd
import streamlit as st

import explorer as ex
from explorer.evaluation.comparison.constraint_costs import CHOICE, COLUMN, Constraint, ConstraintCost, constraints_of
from explorer.formatting import number, shortened, visible
from explorer.messages import message
from pages.results import cross_validation, jobs, trees
from pages.settings.growing_options import BY_FIELD
from pages.settings.settings import Settings
from pages.widgets import job_button, tables

_MOST_COLUMNS = 10
_LONGEST = 40


def come_first(settings: Settings) -> bool:
    """Whether the reader has set what to ask the cost of: a direction, or splits chosen by hand."""
    return bool(trees.recipe(settings).monotone or settings.choices)


def show(settings: Settings, tree: ex.Tree) -> None:
    """A button, progress, and what each costs."""
    st.markdown(message("**What each limit and column costs**"))
    st.caption(
        message(
            "The tree is grown anew without each limit, direction, cost and choice of Grow, and without each column "
            "that it tests; trees of the folds show how the loss of held-out rows changes."
        )
    )
    train, recipe = trees.parts(settings).train, trees.recipe(settings)
    if recipe.prepruning or settings.connected:
        st.markdown(message("Folds need the rows in memory, and no pre-pruning."))
        return
    columns = [tree.features[position].name for position in tree.tested_features()][:_MOST_COLUMNS]
    alpha = (settings.alpha or 0.0) if settings.risk == "impurity" else 0.0

    folds, seed = cross_validation.n_folds(settings), settings.fold_seed

    def work(progress: jobs.Progress) -> object:
        return ex.constraint_costs(train, recipe, settings.choices, columns, alpha, folds, seed, progress)

    n_variants = 1 + len(columns) + len(constraints_of(recipe, settings.choices))
    steps = message("Tree"), n_variants * (folds + 1)
    how = f"{trees.grown_key(settings)} {columns} {alpha} {folds} {seed}"
    label = message("Grow without each")
    found = job_button.on_folds("without", label, steps, f"without each {how}", work, settings)
    if isinstance(found, ex.ConstraintCosts):
        _table(found, alpha, tree.is_regression)


def _table(found: ex.ConstraintCosts, alpha: float, is_regression: bool) -> None:
    """A line for each, the costliest first, below that of the tree as it is."""
    costs = sorted(found.costs, key=lambda cost: cost.change[0])
    lines = [_line(message("as it is"), found.tree, found.loss, "", is_regression, is_change=False)]
    lines += [
        _line(name_of(cost.constraint), cost.tree, cost.change, _place(cost), is_regression, is_change=True)
        for cost in costs
    ]
    tables.numbers_table(pd.DataFrame(lines), [False] * len(lines), "without.table")
    loss = message("mean squared error") if is_regression else message("error rate in points")
    st.caption(
        message(
            "Loss: {loss} on held-out rows, and its change ± one standard error; below 0 the tree without it is "
            "better. Trees are pruned at α = {alpha}.",
            loss=loss,
            alpha=number(alpha),
        )
    )


def _line(
    name: str, tree: ex.Tree, loss: tuple[float, float], place: str, is_regression: bool, is_change: bool
) -> dict[str, object]:
    mean, error = (value if is_regression else 100 * value for value in loss)
    sign = "+" if is_change and mean > 0 else ""
    return {
        message("without"): name,
        message("leaves"): tree.n_leaves,
        message("loss"): f"{sign}{_short(mean, is_regression)} ± {_short(error, is_regression)}",
        message("first differs"): place,
    }


def _short(value: float, is_regression: bool) -> str:
    return number(value, 3) if is_regression else f"{value:.1f}".replace("-", "−").replace("−0.0", "0.0")


def _place(cost: ConstraintCost) -> str:
    """The node of the tree as it is where the other first differs."""
    difference = cost.first_difference
    return message("nowhere") if difference is None else message("node {node}", node=difference.node_a)


def name_of(constraint: Constraint) -> str:
    """A constraint in words.

    >>> name_of(Constraint("max_depth")), name_of(Constraint("monotone", "age")), name_of(Constraint("choice", 1))
    ('Max. depth', 'Monotone constraints: age', 'choice 2')
    """
    if constraint.field == CHOICE:
        return message("choice {n}", n=int(constraint.subject or 0) + 1)
    subject = shortened(visible(str(constraint.subject)), _LONGEST)
    if constraint.field == COLUMN:
        return message("column {name}", name=subject)
    label = BY_FIELD[constraint.field].label
    return label if constraint.subject is None else f"{label}: {subject}"
