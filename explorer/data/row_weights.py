"""The weight of each row: numbers from 0 on, neither too large nor too small for exact sums (DEFINITIONS section 9)."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from explorer.data.source_column import SourceColumn
from explorer.errors import InputError
from explorer.formatting import rows
from explorer.messages import message

LARGEST_TOTAL, SMALLEST = 1e25, 1e-25
"""Products of several weights stay within the range of a float as long as all of them lie between these."""


def row_weights(frame: pd.DataFrame, weights: str | ArrayLike | None) -> NDArray[np.float64] | None:
    """The weights [n] of a frame's rows, from a column or n numbers; None for none.

    Raises ColumnError for a column, InputError for numbers, that are text, negative or not finite.
    """
    if weights is None:
        return None
    source = SourceColumn(frame[weights]) if isinstance(weights, str) else None
    numbers = _as_numbers(weights, source)
    if numbers.shape != (len(frame),):
        raise InputError(
            message(
                "The table has {rows}, but the number of weights is {weights:,}: give one per row.",
                weights=numbers.size,
                rows=rows(len(frame)),
            )
        )
    bad = ~np.isfinite(numbers) | (numbers < 0)
    if bad.any():
        row = int(np.flatnonzero(bad)[0])
        _refuse(source, bad, _bad_weight(source, float(numbers[row]), row + 1))
    _check_size(numbers, source)
    return numbers


def _check_size(numbers: NDArray[np.float64], source: SourceColumn | None) -> None:
    """Refuse weights whose products would leave the range of a float."""
    check_total(numbers, source)
    vanishing = (numbers > 0) & (numbers < SMALLEST)
    if vanishing.any():
        row = int(np.flatnonzero(vanishing)[0])
        _refuse(
            source,
            vanishing,
            message(
                "The row weights are {number:.3g} in row {row:,}, too small for exact products: multiply all of them, "
                "or give rows that do not matter the weight 0. The least weight is {least:.0e}.",
                number=float(numbers[row]),
                row=row + 1,
                least=SMALLEST,
            ),
        )


def check_total(numbers: NDArray[np.float64], source: SourceColumn | None = None) -> None:
    """Refuse weights [n] whose sum is too large for products of several."""
    total = float(numbers.sum())
    if not total <= LARGEST_TOTAL:
        _refuse(
            source,
            numbers == numbers.max(),
            message("The row weights add up to {total:.3g}, too large for exact sums: divide them all.", total=total),
        )


def _as_numbers(weights: str | ArrayLike, source: SourceColumn | None) -> NDArray[np.float64]:
    try:
        return np.asarray(weights if source is None else source.column, dtype=np.float64)
    except (TypeError, ValueError):
        if source is None:
            raise InputError(message("The row weights hold text: give numbers.")) from None
    bad = pd.to_numeric(source.column, errors="coerce").isna().to_numpy(bool) & source.column.notna().to_numpy(bool)
    text = message("Column '{column}' holds the row weights but has text: give numbers.", column=source.name)
    raise source.error(text, bad)


def _refuse(source: SourceColumn | None, bad: NDArray[np.bool_], text: str) -> None:
    raise InputError(text) if source is None else source.error(text, bad)


def _bad_weight(source: SourceColumn | None, number: float, row: int) -> str:
    if source is not None:
        return message(
            "Column '{column}' has the weight {number} in row {row:,}: give finite weights from 0 on.",
            column=source.name,
            number=number,
            row=row,
        )
    return message("The weights have {number} in row {row:,}: give finite weights from 0 on.", number=number, row=row)
