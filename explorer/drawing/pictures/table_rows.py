"""A small table: its rows as texts, some of them tinted or paled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from explorer.drawing.pictures.picture import Picture


@dataclass(frozen=True, kw_only=True)
class TableRows(Picture):
    """Column names and cells as texts; `lit` rows (from 0) are tinted, `struck` rows are paled and struck through."""

    kind: ClassVar[str] = "table_rows"
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    lit: tuple[int, ...] = ()
    struck: tuple[int, ...] = ()
