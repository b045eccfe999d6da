"""Notes on a table, and the facts of its columns."""

from __future__ import annotations

from dataclasses import dataclass

from explorer.messages import Worded, plural


@dataclass(frozen=True)
class Note:
    """A note: its text, how much it matters ("info" or "warning"), and the columns it is about."""

    text: Worded = Worded()
    level: str = "info"
    columns: tuple[str, ...] = ()


@dataclass(frozen=True)
class ColumnInfo:
    """Facts of one column: its role ("feature", "target", "weight", "left out") and why it was left out, if it was."""

    name: str
    role: str
    kind: str
    n_values: int
    n_missing: int
    reason: Worded = Worded("")


@dataclass(frozen=True)
class MissingCells:
    """The remark on how many cells of a table are missing: a record, so that it can be counted again after repairs."""

    n: int
    is_repaired: bool = False

    def __call__(self) -> str:
        """The remark in the language in force."""
        if self.is_repaired:
            return plural(
                self.n, "{n:,} cell is missing after the repairs.", "{n:,} cells are missing after the repairs."
            )
        return plural(
            self.n,
            "{n:,} cell is missing (empty, ?, NA, NaN, N/A or null).",
            "{n:,} cells are missing (empty, ?, NA, NaN, N/A or null).",
        )
