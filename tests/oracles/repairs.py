"""Every suggestion of a table applied, as a reader does who says yes to all."""

import explorer as ex

MOST_ROUNDS = 3


def apply_all(table: ex.Table) -> ex.Table:
    """The table after at most three rounds in which every suggestion is applied in order."""
    for _ in range(MOST_ROUNDS):
        for suggestion in table.suggestions:
            table = suggestion.apply(table)
    return table
