"""Growing a tree, in the order of the books: look at the rows, choose a test, split, go on with every branch."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from explorer.by_definition import grow_by_definition
from explorer.costs import NONE, Floats, class_factors, rows_that_count, with_growing_weights
from explorer.dataset import Dataset
from explorer.errors import InputError
from explorer.kernels.assemble import Tables, tree_arrays
from explorer.kernels.grower import Progress, grow_tables
from explorer.kernels.pool import shared_pool
from explorer.kernels.problem import centre, problem_for
from explorer.limits import rules_for
from explorer.missing import training_rows
from explorer.recipe import Recipe
from explorer.stops import judge
from explorer.tree import Evidence, Tree
from explorer.usage import Column, columns_for

_warming = threading.Event()
SMALL = 20_000
"""Cells up to which a table is grown by definition while the fast loops are still being compiled."""


def grow(
    data: Dataset,
    recipe: Recipe,
    validation: Dataset | None = None,
    progress: Progress | None = None,
    keep_candidates: bool = False,
) -> Tree:
    """Grow a full tree on all rows of `data`.

    `validation` are rows that only a recipe with `prepruning` looks at, to judge every split by them.
    `progress(rows done, rows in all)` is called now and then and may raise `Stopped`. `keep_candidates` keeps the best
    candidate of every feature at every node in `tree.evidence`. Ids and results are the same for any number of
    threads. Raises InputError where recipe and data do not go together.
    """
    _check_validation(data, recipe, validation)
    counted, told = rows_that_count(data, recipe.class_pairs, recipe.cost_pairs)
    used, notes = training_rows(counted, recipe)
    columns = columns_for(used, recipe)
    factors = class_factors(used, recipe.class_pairs, recipe.cost_pairs)
    growing = with_growing_weights(used, factors)
    if _warming.is_set() and used.n_rows * len(columns) <= SMALL:
        tables = [grow_by_definition(growing, columns, recipe, factors)]
    else:
        tables = grow_fast(growing, columns, recipe, progress, keep_candidates, factors)
    return judge(_tree(growing, recipe, columns, tables, told + notes, factors), data, validation)


def _check_validation(data: Dataset, recipe: Recipe, validation: Dataset | None) -> None:
    """Pre-pruning needs rows of the same target."""
    if not recipe.prepruning:
        return
    if validation is None:
        raise InputError(
            "Pre-pruning judges splits by validation rows: give them as grow(data, recipe, validation=…), "
            "or take prepruning away."
        )
    if validation.n_rows == 0 or validation.is_regression != data.is_regression:
        problem = "no rows" if validation.n_rows == 0 else "another kind of target than the training part"
        raise InputError(f"The validation part has {problem}: cut both from one table with `data.split`.")


def grow_fast(
    data: Dataset,
    columns: list[Column],
    recipe: Recipe,
    progress: Progress | None = None,
    keep: bool = False,
    factors: Floats = NONE,
) -> list[Tables]:
    """The tables of nodes by the compiled loops."""
    problem, rules = problem_for(data, columns, shared_pool()), rules_for(recipe, data, keep, factors)
    return grow_tables(problem, rules, keep, progress)


def _tree(
    data: Dataset,
    recipe: Recipe,
    columns: list[Column],
    tables: list[Tables],
    notes: tuple[str, ...],
    factors: Floats,
) -> Tree:
    unit = recipe.unit(data.is_regression)
    arrays = tree_arrays(tables, unit)
    evidence = arrays.pop("evidence")
    if data.is_regression:
        arrays["stats"][:, 1] += np.where(arrays["weight"] > 0, centre(data), 0.0)
    kept = None if evidence is None else Evidence(evidence[..., 0] * unit, evidence[..., 1] * unit, evidence[..., 2])
    return Tree(
        features=tuple(column.usage for column in columns),
        target=data.target.name,
        classes=data.classes,
        recipe=recipe,
        notes=notes,
        evidence=kept,
        class_factors=factors if factors.size else None,
        **arrays,
    )


@contextmanager
def compiling() -> Iterator[None]:
    """While the block runs, small tables are grown by definition instead of waiting for the fast loops."""
    _warming.set()
    try:
        yield
    finally:
        _warming.clear()
