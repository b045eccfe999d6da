"""Writers of texts that declare their columns: C4.5, Orange and libsvm."""

from __future__ import annotations

import re

import pandas as pd

from tests.fuzz.mutations import Damage, mutated_text
from tests.fuzz.packing import Write, columns_of, zipped

_SIGNS = re.compile(r"([,.:|\\])")


def are_numbers(cells: list[object]) -> bool:
    known = [cell for cell in cells if cell is not None]
    return bool(known) and all(isinstance(cell, int | float) for cell in known)


def _c45_text(cell: object) -> str:
    return "?" if cell is None else _SIGNS.sub(r"\\\1", " ".join(str(cell).split())) or "?"


def c45(frame: pd.DataFrame, damage: Damage) -> tuple[str, bytes]:
    """A .names and a .data file in one archive, the last column as the class."""
    columns, names = columns_of(frame), []
    for i, cells in enumerate(columns):
        levels = ", ".join(dict.fromkeys(_c45_text(cell) for cell in cells if cell is not None)) or "?"
        names.append(f"v{i}: {'continuous' if are_numbers(cells) else levels}.")
    rows = [",".join(str(cell) if isinstance(cell, int | float) else _c45_text(cell) for cell in row)
            for row in zip(*columns, strict=True)]  # fmt: skip
    head = f"| made\nv{len(columns) - 1}.\n" + "\n".join(names)
    return "t.zip", zipped(
        {
            "t.data": damage("\n".join(rows).encode("utf-8", "replace"), mutated_text),
            "t.names": damage(head.encode("utf-8", "replace"), mutated_text, is_main=False),
        }
    )


def orange(frame: pd.DataFrame, damage: Damage) -> tuple[str, bytes]:
    """Orange's text with three lines of header."""
    columns = columns_of(frame)
    kinds = ["c" if are_numbers(cells) else "d" for cells in columns]
    heads = [[f"v{i}" for i in range(len(columns))], kinds, [*[""] * (len(columns) - 1), "class"]]
    rows = [["?" if cell is None else " ".join(str(cell).replace('"', "'").split()) for cell in row]
            for row in zip(*columns, strict=True)]  # fmt: skip
    text = "\n".join("\t".join(row) for row in (*heads, *rows))
    return "t.tab", damage(text.encode("utf-8", "replace"), mutated_text)


def libsvm(frame: pd.DataFrame, damage: Damage) -> tuple[str, bytes]:
    """libsvm's text: two labels in turn, and the columns of numbers, or else the numbers of the rows, as values."""
    columns = [cells for cells in columns_of(frame) if are_numbers(cells)] or [list(range(len(frame)))]
    rows = []
    for i in range(len(frame)):
        known = (f"{k}:{float(cells[i])!r}" for k, cells in enumerate(columns, 1) if cells[i] is not None)
        rows.append(" ".join((str(i % 2), *known)))
    return "t.svm", damage("\n".join(rows).encode(), mutated_text)


DECLARED: dict[str, Write] = {"c45": c45, "orange": orange, "libsvm": libsvm}
