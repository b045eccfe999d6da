"""What an engine that counts has to offer, and the layout of codes that its counts are by.

A numeric column has two levels of codes. Its *fine code* is how many of its ascending `edges` lie below the number, so
fine code i holds edges[i − 1] < x ≤ edges[i]. Neighbouring fine codes together make a *bin*. Any edges are valid: no
result depends on them, only the time that it takes. A categorical column has one code per category, in sorted order.
Counts are [K] per cell: class weights in class order, or (W, Σ w·d, Σ w·d²) of a numeric target, d = y − centre.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from explorer.data.codes.feature import Feature
from explorer.sources.routing import Routing
from explorer.values import Value

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
NodeColumn = tuple[int, int]
"""A node and the position of a column."""


@dataclass(frozen=True, eq=False)
class ColumnLayout:
    """One feature as the engine has it.

    `edges` [c − 1] are those of the c fine codes of a number, `bin_starts` the first fine code of every bin (the first
    is 0). `only_value` [c] is the value of a fine code where all its rows have the same one, else nan.
    """

    feature: Feature
    n_missing: int
    edges: Floats = field(default_factory=lambda: np.empty(0))
    bin_starts: Ints = field(default_factory=lambda: np.zeros(1, np.int64))
    only_value: Floats = field(default_factory=lambda: np.empty(0))
    n_distinct: int | None = None
    """How many different values the column has, where that is known."""
    is_date: bool = False
    """Whether the numbers are days since 1970-01-01."""

    @property
    def is_numeric(self) -> bool:
        """Whether the column has thresholds."""
        return self.feature.kind == "numeric"

    @property
    def n_codes(self) -> int:
        """How many fine codes, or categories, there are."""
        return len(self.edges) + 1 if self.is_numeric else self.feature.n_values

    @property
    def n_bins(self) -> int:
        """How many bins, or categories, there are."""
        return len(self.bin_starts) if self.is_numeric else self.feature.n_values


@dataclass(frozen=True, eq=False)
class Layout:
    """All features, the target, and what is known of the whole table. `centre` is taken off a numeric target."""

    target: Feature
    columns: tuple[ColumnLayout, ...]
    n_rows: int
    centre: float = 0.0
    has_weights: bool = False
    parts: tuple[Value, ...] = ()
    """The value of every part, where a column divides the rows."""


def exact_centre(mean: float, least: float, greatest: float) -> float:
    """The mean of a numeric target where taking it off is exact: every value lies within a factor of 2 of it; else 0.

    The difference of two such doubles is a double (Sterbenz 1974).

    >>> exact_centre(10.0, 5.0, 20.0), exact_centre(10.0, 4.9, 20.0)
    (10.0, 0.0)
    """
    low, high = sorted((mean / 2.0, mean * 2.0))
    return mean if low <= least and greatest <= high else 0.0


class Coding(NamedTuple):
    """How a column is to be counted: by its bins (or categories), or by intervals with these upper ends but the last.

    `edges` None stands for the bins; (10.0, 20.0) for x ≤ 10, 10 < x ≤ 20 and x > 20.
    """

    column: int
    edges: tuple[float, ...] | None = None


class RowBlock(NamedTuple):
    """Rows in memory: a number (nan: missing) or code (n_values: missing) per column, target, weights (None: all 1)."""

    columns: tuple[NDArray[np.float64] | NDArray[np.int32], ...]
    y: NDArray[np.float64] | NDArray[np.int32]
    weights: Floats | None


class NodeTarget(NamedTuple):
    """The target at a node: counts [K], number of rows, and the least and the greatest value of a numeric one."""

    counts: Floats
    n_rows: int
    low: float
    high: float


class EndGroups(NamedTuple):
    """Rows grouped by the node where they end: node [g] and counts [g, K], with values that lead there.

    `example` has one number or code per group and column, as in a `RowBlock`: a row made of them ends at the same node.
    `n_rows` [g] counts rows.
    """

    node: Ints
    counts: Floats
    n_rows: Ints
    example: tuple[NDArray[np.float64] | NDArray[np.int32], ...]


class CountingEngine(Protocol):
    """An engine that counts the rows of one working table. Every method raises EngineError when it cannot go on.

    `nodes` and the nodes in `wanted` are ones that rows reach by the routing and have no test there.
    """

    def targets(self, routing: Routing, nodes: Sequence[int]) -> dict[int, NodeTarget]:
        """The target at every node; a node that no row reaches is left out."""

    def bins(self, routing: Routing, nodes: Sequence[int], codings: Sequence[Coding]) -> dict[tuple[int, int], Floats]:
        """Counts [codes + 1, K] by (node, position in `codings`), those of missing cells last; empty nodes left out."""

    def fine(self, routing: Routing, wanted: Mapping[NodeColumn, Ints]) -> dict[NodeColumn, tuple[Ints, Floats]]:
        """Of the wanted bins of a numeric column at a node: the fine codes that rows have, ascending, and counts."""

    def values(self, routing: Routing, wanted: Mapping[NodeColumn, Ints]) -> dict[NodeColumn, tuple[Floats, Floats]]:
        """Of the wanted fine codes: the different numbers that rows have, ascending, and counts [v, K]."""

    def rows(self, routing: Routing, nodes: Sequence[int]) -> dict[int, RowBlock]:
        """All rows of these nodes, in no particular order."""

    def sample(self, routing: Routing, n: int, seed: int) -> RowBlock:
        """Draw n rows of the routing at random, or all where there are no more; the same rows for the same seed."""

    def ends(self, routing: Routing) -> EndGroups:
        """All rows of the routing by the node where they end."""

    def close(self) -> None:
        """Give back everything on disk and in memory; may be called twice."""
