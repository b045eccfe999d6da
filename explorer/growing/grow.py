"""Growing a tree, in the order of the books: look at the rows, choose a test, split, go on with every branch."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.errors import InputError
from explorer.growing.constraints import ConstraintTracker, forced_nodes, settled, with_ways
from explorer.growing.engine.node_tables import Tables, join, tree_arrays
from explorer.growing.engine.problem import centre, problem_for
from explorer.growing.engine.scheduler import Progress, grow_tables
from explorer.growing.engine.threads import shared_pool
from explorer.growing.reference import Branch, grow_as_far_as_chosen, grow_by_definition
from explorer.growing.stopping import judge
from explorer.recipe.class_weights import NONE, Floats, class_factors, rows_that_count, with_growing_weights
from explorer.recipe.columns import TrainingColumn, columns_for
from explorer.recipe.complete_rows import training_rows
from explorer.recipe.missing import FRACTIONAL
from explorer.recipe.parameters import GrowParameters, parameters_for
from explorer.recipe.recipe import Recipe
from explorer.tree.constraints import Choices
from explorer.tree.tree import Evidence, Tree

_warming = threading.Event()
SMALL = 20_000
"""Cells up to which a table is grown by definition while the fast loops are still being compiled."""


def grow(
    data: Dataset,
    recipe: Recipe,
    validation: Dataset | None = None,
    progress: Progress | None = None,
    keep_candidates: bool = False,
    choices: Choices | None = None,
) -> Tree:
    """Grow a full tree on all rows of `data`.

    `validation` are rows that only a recipe with `prepruning` looks at, to judge every split by them.
    `progress(rows done, rows in all)` is called now and then and may raise `Stopped`. `keep_candidates` keeps the best
    candidate of every feature at every node in `tree.evidence`. `choices` are what a person decides: splits, leaves,
    features not to be used; `constraint_statuses(tree)` tells which are in force. Ids and results are the same for any
    number of threads. Raises InputError where recipe and data do not go together, or a choice is not possible.
    """
    _check_validation(data, recipe, validation)
    counted, told = rows_that_count(data, recipe.class_pairs, recipe.cost_pairs)
    used, notes = training_rows(counted, recipe)
    columns = columns_for(used, recipe)
    factors = class_factors(used, recipe.class_pairs, recipe.cost_pairs)
    growing = with_growing_weights(used, factors)
    steering = None
    if choices:
        timely = with_ways(choices, lambda early: grow(data, recipe, validation, choices=early))
        steering = ConstraintTracker(timely, used, columns)
    if _warming.is_set() and used.n_rows * len(columns) <= SMALL:
        tables = [grow_by_definition(growing, columns, recipe, factors, steering)]
    elif steering is not None:
        tables = grow_steered(growing, columns, recipe, steering, progress, keep_candidates, factors)
    else:
        tables = grow_fast(growing, columns, recipe, progress, keep_candidates, factors)
    tree = _tree(growing, recipe, columns, tables, told + notes, factors)
    if steering is None or choices is None:
        return judge(tree, data, validation)
    return settled(judge(replace(tree, forced=forced_nodes(tree, steering)), data, validation), choices, steering)


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
    columns: list[TrainingColumn],
    recipe: Recipe,
    progress: Progress | None = None,
    keep: bool = False,
    factors: Floats = NONE,
) -> list[Tables]:
    """The tables of nodes by the compiled loops."""
    problem, rules = problem_for(data, columns, shared_pool()), parameters_for(recipe, data, keep, factors)
    return grow_tables(problem, rules, keep, progress)


def grow_steered(
    data: Dataset,
    columns: list[TrainingColumn],
    recipe: Recipe,
    steering: ConstraintTracker,
    progress: Progress | None = None,
    keep: bool = False,
    factors: Floats = NONE,
) -> list[Tables]:
    """The nodes that choices are about or below by definition, and the branches under them by the compiled loops."""
    top, branches = grow_as_far_as_chosen(data, columns, recipe, factors, steering, keep)
    rules = parameters_for(recipe, data, keep, factors)
    grown, done = [top], data.n_rows - sum(len(branch.part.rows) for branch in branches)
    for branch in branches:
        if progress is not None:
            progress(max(done, 0), data.n_rows)
        grown.append(_grown_branch(data, columns, rules, branch, keep))
        done += len(branch.part.rows)
    if progress is not None:
        progress(data.n_rows, data.n_rows)
    return grown


def _grown_branch(
    data: Dataset, columns: list[TrainingColumn], rules: GrowParameters, branch: Branch, keep: bool
) -> Tables:
    """A branch on its own rows; what is measured on the whole table (weight, centre, categories met) stays so."""
    rows, kept = branch.part.rows, [i for i in range(len(columns)) if i not in branch.closed]
    own = replace(data, y=data.y[rows], weights=None if data.weights is None else branch.part.weights)
    if rules.missing == FRACTIONAL:
        own = replace(own, weights=branch.part.weights)
    problem = problem_for(own, [replace(columns[i], codes=columns[i].codes[rows]) for i in kept], shared_pool())
    problem = problem._replace(
        total_weight=float(data.weight_of_rows().sum()),
        numbers=np.asarray(own.y - centre(data), np.float64) if data.is_regression else problem.numbers,
        in_training=np.concatenate([_codes_met(columns[i]) for i in kept]),
        has_missing=np.array([bool((columns[i].codes == columns[i].n_values).any()) for i in kept]),
    )
    tables = join(grow_tables(problem, rules._replace(max_depth=rules.max_depth - branch.depth), keep, None))
    return _renamed(tables, branch, np.array(kept), len(columns))


def _codes_met(column: TrainingColumn) -> NDArray[np.bool_]:
    """Which codes the training rows have, that of missing cells included, [values + 1]."""
    return np.asarray(np.bincount(column.codes, minlength=column.n_values + 1) > 0)


def _renamed(tables: Tables, branch: Branch, kept: NDArray[np.intp], n_columns: int) -> Tables:
    """A branch's table with depths and features as in the whole tree, to be hung at its node."""
    ints, mimics = tables.ints.copy(), tables.mimics.ints.copy()
    ints[:, 2] = np.where(ints[:, 2] >= 0, kept[ints[:, 2]], -1)
    ints[:, 3] += branch.depth
    mimics[:, 1] = kept[mimics[:, 1]]
    evidence = np.full((len(tables.evidence), n_columns, 3), np.nan)
    evidence[:, kept] = tables.evidence
    return tables._replace(at=branch.node, ints=ints, evidence=evidence, mimics=tables.mimics._replace(ints=mimics))


def _tree(
    data: Dataset,
    recipe: Recipe,
    columns: list[TrainingColumn],
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
        features=tuple(column.encoding for column in columns),
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


def is_compiling() -> bool:
    """Whether the fast loops are still being compiled: what growing takes now says little about growing."""
    return _warming.is_set()
