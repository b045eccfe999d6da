"""Parts of `grow_plain_subtree` that are compiled without it, by a second process."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import typeof

from explorer.data.dataset import Dataset
from explorer.growing.plain.node_record import nodes_below
from explorer.growing.plain.partition import assign_branches
from explorer.growing.plain.search import search_values, work_for
from explorer.growing.plain.subtree import divide, plan_for, write_children
from explorer.growing.plain.table import NodeRows, plain_table
from explorer.growing.scans.thresholds import NodeLimits
from explorer.recipe.columns import TrainingColumn
from explorer.recipe.parameters import GrowParameters


def compile_parts(data: Dataset, columns: list[TrainingColumn], parameters: GrowParameters) -> None:
    """Compile, for the types that arguments have there, about a third of what `grow_plain_subtree` consists of."""
    table, n = plain_table(data, columns, parameters), data.n_rows
    work, plan, stats = work_for(table, parameters), plan_for(table, parameters), np.zeros(parameters.n_stats)
    nodes, node = nodes_below(n, len(columns), parameters, False), NodeLimits(1.0, 1.0, 1, 1, 0.0, 0.0)
    rows, result = NodeRows(0, n, True, 0), work.results[0]
    segment = (table, parameters, 0, rows, stats)
    calls: list[tuple[Any, tuple[Any, ...]]] = [
        (search_values, (*segment, node, work, result)),
        (assign_branches, (*segment, work, result, plan)),
        (write_children, (table, parameters, (0, 0, 2, 1, 2), plan, nodes, work.keys, 0, stats)),
        (divide, (table, 0, rows, 2, 1, 0, work.live, 1, True, plan, np.zeros(n, np.uint32))),
    ]
    for loop, arguments in calls:
        loop.part.compile(tuple(map(typeof, arguments)))
