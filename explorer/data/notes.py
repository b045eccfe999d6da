"""Notes on a table, and the facts of its columns."""

from __future__ import annotations

from dataclasses import dataclass

from explorer.messages import Worded


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
