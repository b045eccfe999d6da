"""Grow a branch on its own rows, so that it can be joined to the tree above it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.growing.engine.node_tables import FEATURE, Tables, join
from explorer.growing.engine.scheduler import grow_tables
from explorer.growing.scans.problem import centre, problem_for
from explorer.recipe.columns import TrainingColumn
from explorer.recipe.feature_constraints import Bounds, common_sets
from explorer.recipe.feature_draw import path_hash
from explorer.recipe.parameters import GrowParameters
from explorer.threads import shared_pool


class WholeTable(NamedTuple):
    """What is measured on all training rows: their weight, and what is taken off a numeric target."""

    weight: float
    centre: float


class BranchPlace(NamedTuple):
    """Where a branch is joined: its node, depth and path, the bounds of monotone constraints, what is tested above."""

    node: int
    depth: int
    path: tuple[int, ...]
    bounds: Bounds
    tested: tuple[int, ...]


def whole_table(data: Dataset) -> WholeTable:
    """The same of these rows."""
    return WholeTable(float(data.weight_of_rows().sum()), centre(data) if data.is_regression else 0.0)


def grow_branch(
    data: Dataset,
    columns: list[TrainingColumn],
    excluded: Collection[int],
    parameters: GrowParameters,
    whole: WholeTable,
    place: BranchPlace,
    keep: bool,
) -> Tables:
    """Grow a branch on its own rows `data`, of which only target and weights are read.

    What is measured on the whole table stays so: its weight, the centre of the target, which categories it has (the
    columns' `seen`). The `excluded` columns are not tested.
    """
    used = [i for i in range(len(columns)) if i not in excluded]
    sets = common_sets([column.sets for column in columns], place.tested)
    own = [columns[i] if sets is None else replace(columns[i], sets=(columns[i].sets or sets) & sets) for i in used]
    problem = problem_for(data, own, shared_pool())
    problem = problem._replace(
        total_weight=whole.weight,
        numbers=np.asarray(data.y - whole.centre, np.float64) if data.is_regression else problem.numbers,
        centre=whole.centre,
        bounds=np.array(place.bounds) - whole.centre,
    )
    below = parameters._replace(max_depth=parameters.max_depth - place.depth)
    tables = join(grow_tables(problem, below, keep, None, path=path_hash(place.path)))
    return _in_whole_tree(tables, place, np.array(used), len(columns))


def _in_whole_tree(tables: Tables, place: BranchPlace, used: NDArray[np.intp], n_columns: int) -> Tables:
    """A branch's table with features as in the whole tree, to be joined at its node."""
    ints, surrogates = tables.ints.copy(), tables.surrogates.ints.copy()
    ints[:, FEATURE] = np.where(ints[:, FEATURE] >= 0, used[ints[:, FEATURE]], -1)
    surrogates[:, 1] = used[surrogates[:, 1]]
    evidence = np.full((len(tables.evidence), n_columns, 3), np.nan)
    evidence[:, used] = tables.evidence
    return tables._replace(
        at=place.node, ints=ints, evidence=evidence, surrogates=tables.surrogates._replace(ints=surrogates)
    )
