"""Notes on a table, and the facts of its columns."""

from __future__ import annotations

from dataclasses import dataclass

from explorer.messages import Worded, Words, plural


@dataclass(frozen=True)
class Note:
    """A note: its text, how much it matters ("info" or "warning"), and the columns it is about."""

    text: Worded = Worded()
    level: str = "info"
    columns: tuple[str, ...] = ()


@dataclass(frozen=True)
class ColumnInfo:
    """Facts of one column: its role ("feature", "target", "weight", "left out") and why it was left out, if it was.

    `n_values` None: nobody counted them.
    """

    name: str
    role: str
    kind: str
    n_values: int | None
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


def without_target_text(count: int, target: str) -> Words:
    """The sentence on rows left out for want of a target."""
    return lambda: plural(
        count,
        "{n:,} row has no value of the target '{target}' and is left out.",
        "{n:,} rows have no value of the target '{target}' and are left out.",
        target=target,
    )


def without_weight_text(count: int) -> Words:
    """The sentence on rows left out for want of a weight above 0."""
    return lambda: plural(
        count, "{n:,} row has weight 0 and is left out.", "{n:,} rows have weight 0 and are left out."
    )
