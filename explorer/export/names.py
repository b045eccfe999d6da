"""Where `explorer.names` used to be: the same names, for pages that still import them from here."""

from explorer.names import (
    IMPURITY_NAMES,
    METRIC_NAMES,
    amount,
    leaves,
    number,
    percent,
    rows,
    shortened,
    spread,
    visible,
)

__all__ = [
    "IMPURITY_NAMES",
    "METRIC_NAMES",
    "amount",
    "leaves",
    "number",
    "percent",
    "rows",
    "shortened",
    "spread",
    "visible",
]
