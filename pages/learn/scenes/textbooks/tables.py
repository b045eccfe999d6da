"""The rows of a table that an experiment is about, as a picture before its question is answered."""

from __future__ import annotations

import explorer as ex
from explorer.messages import message
from pages.learn.scenes.step import TablePicture


def rows_picture(rows: ex.Dataset) -> TablePicture:
    """The features and the target of all rows; a missing cell is a question mark."""
    names = [*(feature.name for feature in rows.features), rows.target.name]
    cells = rows.frame[names].astype(object).to_numpy().tolist()
    return TablePicture(
        says=message("The rows of the table."),
        columns=tuple(names),
        rows=tuple(tuple("?" if cell is None or cell != cell else _text(cell) for cell in row) for row in cells),
    )


def _text(cell: object) -> str:
    return f"{cell:g}" if isinstance(cell, float) else str(cell)
