"""Which tables are so large that their first tree is limited, so that it can be read."""

from __future__ import annotations

import explorer as ex

LARGE_TABLE, LARGE_TABLE_OF_NUMBERS = 500, 100
"""From so many rows on the first tree has leaves of at least a share of the training rows: the second holds for a
reader's own table with more numbers than categories among its features."""


def is_large(table: ex.Dataset, is_own: bool) -> bool:
    """Whether the first tree of a table, a reader's own or a sample, has a least size of its leaves."""
    n_numbers = sum(feature.kind == "numeric" for feature in table.features)
    is_of_numbers = is_own and 2 * n_numbers > len(table.features)
    return table.n_rows >= (LARGE_TABLE_OF_NUMBERS if is_of_numbers else LARGE_TABLE)
