"""Small tables of a few rows on which rules of textbooks differ."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

import explorer as ex
from pages.results.cache import kept

TABLES: Mapping[str, tuple[tuple[str, ...], tuple[tuple[object, ...], ...]]] = {
    "two perfect features": (("A", "B", "y"), (("a", "p", "yes"),) * 2 + (("b", "q", "no"),) * 2),
    "one feature": (("A", "y"), (("a", "yes"),) * 2 + (("b", "no"),) * 2),
    "cities": (
        ("city", "y"),
        tuple(
            (city, answer) for city, answer in zip("pqrs", ("yes", "yes", "no", "no"), strict=True) for _ in range(3)
        ),
    ),
    "four numbers": (("x", "y"), ((1.0, 0.0), (2.0, 0.0), (3.0, 3.0), (4.0, 7.0))),
    "exclusive or": (("A", "B", "y"), (("0", "0", "0"), ("0", "1", "1"), ("1", "0", "1"), ("1", "1", "0"))),
    "one unknown": (
        ("A", "y"),
        (("1", "yes"),) * 4 + (("1", "no"),) * 2 + (("0", "no"),) * 3 + (("0", "yes"),) + ((None, "yes"),),
    ),
    "births": (("presentation", "section"), (("2", "yes"),) * 3 + (("2", "no"),) * 29),
}
"""Column names, the target last, and rows."""


@kept()
def table(name: str) -> ex.Dataset:
    """One of the small tables."""
    columns, rows = TABLES[name]
    frame = pd.DataFrame(list(rows), columns=list(columns))
    kinds = dict.fromkeys(columns, "numeric" if name == "four numbers" else "categorical")
    return ex.Dataset.from_frame(frame, columns[-1], features=list(columns[:-1]), kinds=kinds)
