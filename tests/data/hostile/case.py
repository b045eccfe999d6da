"""One hostile file: how it is made, and what reading it gives."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from explorer.data.budget import Budget

SMALL = Budget(bytes=32 << 20, rows=100_000, columns=20_000, cells=2_000_000)
"""A budget that a test reaches in little time."""


@dataclass(frozen=True)
class Case:
    """A file's name and content with either the shape and one cell (row, column, value), or words of the error."""

    name: str
    content: Callable[[], bytes] | bytes
    shape: tuple[int, int] = (0, 0)
    cell: tuple[int, str, Any] | None = None
    said: str = ""
    sheet: str | None = None
    budget: Budget | None = None
    noted: str = ""

    @property
    def raw(self) -> bytes:
        """The file's bytes."""
        return self.content if isinstance(self.content, bytes) else self.content()
