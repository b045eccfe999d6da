"""How large a table may become while it is read: a small file can hold a very large one."""

from __future__ import annotations

from dataclasses import dataclass

from explorer.errors import InputError
from explorer.messages import message


@dataclass(frozen=True)
class Budget:
    """The most that reading one table may take: `bytes` after unpacking, `rows`, `columns`, and `cells` in all.

    >>> Budget(rows=2).check("t.csv", rows=3)
    Traceback (most recent call last):
    ...
    explorer.errors.InputError: 't.csv' has more than 2 rows, the limit for one table: load fewer rows.
    """

    bytes: int = 1 << 30
    rows: int = 10_000_000
    columns: int = 100_000
    cells: int = 50_000_000

    def check(self, name: str, rows: int = 0, columns: int = 0, unpacked: int = 0) -> None:
        """Raise `InputError` where a table of this extent, or this many unpacked bytes, is too large."""
        if unpacked > self.bytes:
            raise InputError(
                message(
                    "'{file}' takes more than {limit:,} MB, the limit for one table: load a part of it.",
                    file=name,
                    limit=self.bytes >> 20,
                )
            )
        if rows > self.rows:
            raise InputError(
                message(
                    "'{file}' has more than {limit:,} rows, the limit for one table: load fewer rows.",
                    file=name,
                    limit=self.rows,
                )
            )
        if columns > self.columns:
            raise InputError(
                message(
                    "'{file}' has more than {limit:,} columns, the limit for one table: load fewer columns.",
                    file=name,
                    limit=self.columns,
                )
            )
        self.check_cells(name, rows * columns)

    def check_cells(self, name: str, cells: int) -> None:
        """Raise `InputError` for this many cells, if they are too many."""
        if cells > self.cells:
            raise InputError(
                message(
                    "'{file}' has more than {limit:,} cells, the limit for one table: load fewer rows or columns.",
                    file=name,
                    limit=self.cells,
                )
            )


DEFAULT = Budget()
"""The budget where none is given."""
