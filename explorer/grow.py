"""Growing a tree, in the order of the books: look at the rows, choose a test, split, go on with every branch."""

from __future__ import annotations

import threading

import numpy as np

from explorer.by_definition import grow_by_definition
from explorer.dataset import Dataset
from explorer.kernels.assemble import Tables, tree_arrays
from explorer.kernels.grower import Progress, grow_tables
from explorer.kernels.pool import shared_pool
from explorer.kernels.problem import centre, problem_for
from explorer.limits import rules_for
from explorer.missing import training_rows
from explorer.recipe import C45, CART, Recipe
from explorer.tree import Evidence, Tree
from explorer.usage import Column, columns_for

_warming = threading.Event()
SMALL = 20_000
"""Cells up to which a table is grown by definition while the fast loops are still being compiled."""


def grow(data: Dataset, recipe: Recipe, progress: Progress | None = None, keep_candidates: bool = False) -> Tree:
    """Grow a full tree on all rows of `data`.

    `progress(rows done, rows in all)` is called now and then and may raise `Stopped`. `keep_candidates` keeps the best
    candidate of every feature at every node in `tree.evidence`. Ids and results are the same for any number of
    threads. Raises InputError where recipe and data do not go together.
    """
    used, notes = training_rows(data, recipe)
    columns = columns_for(used, recipe)
    if _warming.is_set() and used.n_rows * len(columns) <= SMALL:
        tables = [grow_by_definition(used, columns, recipe)]
    else:
        problem, rules = problem_for(used, columns, shared_pool()), rules_for(recipe, used, keep_candidates)
        tables = grow_tables(problem, rules, keep_candidates, progress)
    return _tree(used, recipe, columns, tables, notes)


def _tree(data: Dataset, recipe: Recipe, columns: list[Column], tables: list[Tables], notes: tuple[str, ...]) -> Tree:
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
        **arrays,
    )


def warm_up() -> None:
    """Compile the fast loops (or load them from disk), so that the first tree of a session does not wait for it."""
    import pandas as pd

    _warming.set()
    try:
        frame = pd.DataFrame({"x": [1.0, 2.0, 3.0, None], "c": ["a", "b", "c", "a"], "y": ["p", "q", "p", "q"]})
        data = Dataset.from_frame(frame, "y", features=["x", "c"])
        for recipe in (CART, C45):
            problem, rules = problem_for(data, columns_for(data, recipe), shared_pool()), rules_for(recipe, data)
            _tree(data, recipe, columns_for(data, recipe), grow_tables(problem, rules, False, None), ())
    finally:
        _warming.clear()
