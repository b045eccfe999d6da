"""What a writer of a format is, and how files are packed without the time of day."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Mapping

import pandas as pd

from tests.fuzz.mutations import Damage

Write = Callable[[pd.DataFrame, Damage], tuple[str, bytes]]
"""Writes a table into a file (name, bytes), and damages the content before it is packed."""


def zipped(members: Mapping[str, bytes]) -> bytes:
    """A zip archive without the time of day."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def of_one_type(cells: list[object]) -> list[object]:
    """The cells as they are where they are all numbers, else all as text."""
    known = [cell for cell in cells if cell is not None]
    if all(isinstance(cell, float) for cell in known) or all(isinstance(cell, int) for cell in known):
        return cells
    return [None if cell is None else str(cell) for cell in cells]


def columns_of(frame: pd.DataFrame) -> list[list[object]]:
    """The columns of a table, each of numbers or of text."""
    return [of_one_type(list(frame.iloc[:, i])) for i in range(frame.shape[1])]
