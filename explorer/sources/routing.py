"""Which node a row reaches, as a list of tests: all that an engine needs to know of a tree."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class NodeTest:
    """The test of one node on the column at position `column`; `children` are node ids in branch order.

    A row with a number takes `children[0]` where x ≤ `threshold`, else `children[1]`. Where `threshold` is nan, a code
    decides: that of a category, or for a number how many of the ascending `edges` lie below it; the row takes
    `children[branch_of_code[code]]`. A row without a value takes `children[missing_branch]`. A branch of −1 says that
    the row stays at the node.
    """

    node: int
    column: int
    threshold: float
    branch_of_code: NDArray[np.int64]
    edges: NDArray[np.float64]
    missing_branch: int
    children: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Routing:
    """The rows that are asked about, and the tests that send them to nodes, parents first; the root is node 0.

    Rows are those of `part` (None: of every part) that have a value in each of the `complete` columns.
    """

    tests: tuple[NodeTest, ...] = ()
    part: int | None = None
    complete: tuple[int, ...] = ()
