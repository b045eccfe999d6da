"""What growing from counts has done at one level of the tree."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class LevelReport:
    """How far a level has come, and how much of the table was looked into.

    `depth` is that of its nodes. `nodes` are searched by counting, `fetched` grown in memory. Of the `bins` with rows
    at these nodes, by feature, `bins_alive` could hold the best test and were looked into; `rows_alive` is the weight
    of the rows in them. `fine_codes` and `values` are what they were divided into.
    """

    depth: int
    nodes: int = 0
    fetched: int = 0
    bins: int = 0
    bins_alive: int = 0
    rows_alive: int = 0
    fine_codes: int = 0
    values: int = 0
    is_done: bool = False

    @property
    def share_looked_into(self) -> float:
        """The share of bins that were looked into."""
        return self.bins_alive / self.bins if self.bins else 0.0
