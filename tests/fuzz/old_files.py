"""Writers of dBase tables, byte by byte."""

from __future__ import annotations

import struct

import pandas as pd

from tests.fuzz.declared import are_numbers
from tests.fuzz.mutations import Damage, mutated_bytes
from tests.fuzz.packing import Write, columns_of

_WIDTH = 20


def dbf(frame: pd.DataFrame, damage: Damage) -> tuple[str, bytes]:
    """A table of dBase III: numbers and texts of twenty letters."""
    columns = columns_of(frame)[:50]
    fields = b"".join(
        struct.pack("<11sc4xBB14x", f"V{i}".encode(), b"N" if are_numbers(cells) else b"C", _WIDTH, 0)
        for i, cells in enumerate(columns)
    )
    records = []
    for row in zip(*columns, strict=True):
        cells = (b"" if cell is None else str(cell).encode("cp1252", "replace")[:_WIDTH] for cell in row)
        records.append(b" " + b"".join(cell.ljust(_WIDTH) for cell in cells))
    sizes = struct.pack("<IHH", len(records), 33 + len(fields), 1 + _WIDTH * len(columns))
    head = b"\x03\x7c\x01\x02" + sizes + bytes(17) + b"\x03" + bytes(2)
    return "t.dbf", damage(head + fields + b"\r" + b"".join(records) + b"\x1a", mutated_bytes)


OLD_FILES: dict[str, Write] = {"dbf": dbf}
