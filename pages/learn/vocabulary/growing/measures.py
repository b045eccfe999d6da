"""Gini index against entropy: the first feature that CART splits on the built-in tables by either measure."""

from __future__ import annotations

from explorer.data.samples import SAMPLES
from explorer.formatting import shortened
from explorer.messages import message
from pages.learn.scenes.step import TablePicture
from pages.learn.vocabulary.words import Here, word
from pages.results.lessons import trees

_TABLES = (
    *("play_tennis", "golf", "loan_lihang", "mammals", "watermelon_2_0", "watermelon_3_0"),
    *("iris", "titanic", "car", "credit_g"),
)
_WIDEST = 24
"""Letters of a table's title: three columns fit into 500 pixels."""


def _roots() -> list[tuple[str, ...]]:
    """The feature at the root by Gini index and by entropy, of every table."""
    found = []
    for table in _TABLES:
        conditions = (trees.grown(table, "CART", (("impurity", name),)).condition(0) for name in ("gini", "entropy"))
        found.append(tuple(condition.feature for condition in conditions if condition is not None))
    return found


@word
def known_tables(here: Here) -> int:
    """How many tables are compared."""
    return len(_TABLES)


@word
def tables_apart(here: Here) -> int:
    """On how many of them the measures choose another first feature."""
    return sum(first != second for first, second in _roots())


@word
def first_features(here: Here, asks: bool = False) -> TablePicture:
    """The first feature on every table by both measures; while it asks, without those by entropy."""
    roots = _roots()
    rows = [(shortened(SAMPLES[table].title, _WIDEST), *root) for table, root in zip(_TABLES, roots, strict=True)]
    return TablePicture(
        here.says,
        (message("Table"), message("Gini index"), message("Entropy")),
        tuple((row[0], row[1], "?") for row in rows) if asks else tuple(rows),
        lit=() if asks else tuple(row for row, (first, second) in enumerate(roots) if first != second),
    )
