"""The functions of a tree written as Python: this text is copied into the file that `to_python` writes.

A row is a mapping from column names to cells. `tree["nodes"]` has a test per node: "column" is its column; "up_to"
lists the upper bounds of the "children" in order, and the last child takes larger values; "cells" maps numbers, or
categories as text, to children. "missing" and "unseen" are the child of such rows, the node itself where they stop,
or a dict {child: weight} where they follow every branch. "surrogates" are tests for rows without a value. "marks" are
texts such as "NA" that are categories of the column. "shares" are the probabilities by which a row of several leaves is
predicted: the shares of the training rows; "smoothed" are the probabilities where they are others.
"""

import datetime
import decimal
import math
import numbers
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

# What follows is copied.

MISSING = {"", "?", "NA", "N/A", "n/a", "NaN", "nan", "null", "NULL", "<NA>", "#N/A", "\\N"}
TIE = 1e-10


def predict_row(tree: dict[str, Any], row: Mapping[str, Any]) -> tuple[Any, dict[Any, float] | None]:
    """The prediction for a row, and the probability of each class (None for numbers)."""
    ends = list(ends_of(tree, row))
    if tree["classes"] is None:
        return sum(part * tree["predictions"][node] for node, part, _ in ends), None
    shares = average(tree["shares"], ends, len(tree["classes"]))
    whole = [tree["predictions"][node] for node, _, spread in ends if not spread]
    prediction = whole[0] if whole else tree["classes"][best_of(shares, tree["costs"])]
    probabilities = average(tree["smoothed"], ends, len(tree["classes"])) if "smoothed" in tree else shares
    return prediction, dict(zip(tree["classes"], probabilities, strict=True))


def average(shares: Mapping[int, Sequence[float]], ends: Sequence[tuple[int, float, bool]], size: int) -> list[float]:
    """The shares of the nodes where a row ends, weighted by its parts."""
    return [sum(part * shares[node][k] for node, part, _ in ends) for k in range(size)]


def best_of(shares: list[float], costs: list[list[float]] | None) -> int:
    """The index of the largest share, or of the least expected cost; of equal ones the first."""
    if costs is None:
        return next(k for k, share in enumerate(shares) if share >= max(shares) - TIE)
    expected = [sum(share * row[k] for share, row in zip(shares, costs, strict=True)) for k in range(len(shares))]
    limit = min(expected) * (1.0 + TIE)
    return next(k for k, cost in enumerate(expected) if cost <= limit)


def ends_of(tree: dict[str, Any], row: Mapping[str, Any]) -> Iterator[tuple[int, float, bool]]:
    """Where a row ends: node, weight of the row there, and whether the row was split over branches."""
    pending = [(0, 1.0, False)]
    while pending:
        node, part, spread = pending.pop()
        to = next_of(tree, node, row)
        if isinstance(to, dict):
            pending.extend((child, part * share, True) for child, share in reversed(to.items()) if share > 0)
        elif to == node:
            yield node, part, spread
        else:
            pending.append((to, part, spread))


def next_of(tree: dict[str, Any], node: int, row: Mapping[str, Any]) -> Any:
    """The child that a row follows, the node itself where it ends, or {child: weight}."""
    test = tree["nodes"].get(node)
    if test is None:
        return node
    if test["column"] not in row:
        raise KeyError(f"The row has no cell {test['column']!r}, which the tree tests: add it (it may be None).")
    to, is_missing = child_of(test, row[test["column"]])
    if not is_missing:
        return test["unseen"] if to is None else to
    for surrogate in test.get("surrogates", ()):
        to, _ = child_of(surrogate, row.get(surrogate["column"]))
        if to is not None:
            return to
    return test["missing"]


def child_of(test: dict[str, Any], cell: Any) -> tuple[int | None, bool]:
    """The child of a cell, None without one; and whether the cell is missing."""
    value = number_of(cell, test["column"]) if test["number"] else category_of(cell, test.get("marks", ()))
    if value is None:
        return None, True
    if "up_to" in test:
        child = sum(value > end for end in test["up_to"])
        return test["children"][child], False
    cells = test["cells"]
    return cells.get(value if test["number"] else str(value)), False


def is_missing(cell: Any) -> bool:
    """Whether a cell is missing: None, not a number, or one of the usual marks."""
    if cell is None or type(cell).__name__ in ("NAType", "NaTType"):
        return True
    return str(cell).strip() in MISSING if not isinstance(cell, float) else bool(cell != cell)


def number_of(cell: Any, column: str) -> float | None:
    """A cell as a number, dates as days since 1970, durations as seconds, truth values as 1 and 0; else ValueError."""
    if is_missing(cell):
        return None
    if isinstance(cell, datetime.date):
        return days_of(cell)
    if isinstance(cell, datetime.timedelta):
        return cell.total_seconds()
    is_number = isinstance(cell, (numbers.Real, decimal.Decimal)) or type(cell).__name__ in ("bool", "bool_")
    readable = cell if is_number else str(cell)
    try:
        number = math.nan if "_" in str(readable) else float(readable)
    except (ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(f"{column!r} has {cell!r}, which is not a finite number: correct it.")
    return number


def days_of(moment: datetime.date) -> float:
    """Days since 1970-01-01, in UTC."""
    if not isinstance(moment, datetime.datetime):
        moment = datetime.datetime(moment.year, moment.month, moment.day)
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=datetime.UTC)
    return (moment - datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)) / datetime.timedelta(days=1)


def category_of(cell: Any, marks: Sequence[str] = ()) -> Any:
    """A cell as a category: text without blanks around it, whole numbers without a point; None if it is missing."""
    if isinstance(cell, str) and cell.strip() in marks:
        return cell.strip()
    if is_missing(cell):
        return None
    if isinstance(cell, datetime.timedelta):
        cell = cell.total_seconds()
    if isinstance(cell, datetime.date):
        return str(cell).removesuffix(" 00:00:00")
    if isinstance(cell, datetime.time):
        return str(cell).rstrip("0") if "." in str(cell) else str(cell)
    if isinstance(cell, decimal.Decimal):
        if not cell.is_finite() or cell.adjusted() > 400:
            return str(cell)
        if cell == cell.to_integral_value():
            return int(cell)
        return float(cell) if decimal.Decimal(repr(float(cell))) == cell else str(cell)
    if isinstance(cell, numbers.Real) and not isinstance(cell, numbers.Rational):
        return int(float(cell)) if float(cell).is_integer() else float(cell)
    return cell.strip() if isinstance(cell, str) else cell
