"""Columns of text that name what several rows are about, such as the country of a year, without being called an id."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from explorer.data.codes.feature import Feature
from explorer.data.codes.leaks import BY_CHANCE, SOME_ROWS, log_arrangements

FEWEST_UNITS, MOST_COLUMNS = 20, 20
"""A column of fewer values is a plain category; so many columns of text are looked at."""
MOST_ROWS_OF_UNIT, MOST_ROWS_OF_FACTS = 20, 1000
"""Rows per value on average, by the order of rows or by facts alone; where both show it."""
_IS_DATE = re.compile(r"\d{1,4}[-/.:年]\d{1,2}")


def units_of(columns: Sequence[tuple[Feature, NDArray[np.int32]]]) -> dict[str, int]:
    """The columns of text that name units, each with the most rows per value that it may have.

    A unit has 2 rows or more on average, no missing cell, and its rows stand one after another, or at least two other
    columns have one value in all rows of each unit, which is no chance.

    >>> make = Feature("make", "categorical", categories=tuple(f"m{i}" for i in range(30)))
    >>> country = Feature("country", "categorical", categories=tuple("abcde"))
    >>> units_of([(make, np.repeat(np.arange(30), 3)), (country, np.repeat(np.arange(30) % 5, 3))])
    {'make': 1000}
    """
    text = [pair for pair in columns if may_be_unit(pair[0]) and not (pair[1] == pair[0].n_values).any()]
    most = {}
    for feature, codes in text[:MOST_COLUMNS]:
        if 2 * feature.n_values > len(codes):
            continue
        are_together = np.count_nonzero(np.diff(codes)) == feature.n_values - 1
        others = [pair for pair in columns if pair[0] is not feature]
        n_facts = _count_facts(feature.n_values, codes, others, 1 if are_together else 2)
        if are_together or n_facts == 2:
            most[feature.name] = MOST_ROWS_OF_FACTS if are_together and n_facts else MOST_ROWS_OF_UNIT
    return most


def may_be_unit(feature: Feature) -> bool:
    """Whether a column is text, other than dates, with enough values."""
    return (
        feature.kind == "categorical"
        and feature.n_values >= FEWEST_UNITS
        and not _IS_DATE.match(str(feature.categories[0]))
    )


def _count_facts(
    n_units: int, units: NDArray[np.int32], others: Sequence[tuple[Feature, NDArray[np.int32]]], enough: int
) -> int:
    """How many other columns have one value in all rows of each unit, more than by chance; no more than are enough."""
    n_facts = 0
    for _, codes in others:
        if n_facts < enough and _is_fact(n_units, units[SOME_ROWS], codes[SOME_ROWS]):
            n_facts += _is_fact(n_units, units, codes) and _is_no_chance(n_units, codes)
    return n_facts


def _is_fact(n_units: int, units: NDArray[np.int32], codes: NDArray[np.int32]) -> bool:
    """Whether all rows of each unit have the same code."""
    of_unit = np.zeros(n_units, np.int32)
    of_unit[units] = codes
    return bool((of_unit[units] == codes).all())


def _is_no_chance(n_units: int, codes: NDArray[np.int32]) -> bool:
    """Whether few of the ways to arrange the values over the rows give each unit one, as few as by chance."""
    counts = np.bincount(codes)
    n_used = np.count_nonzero(counts)
    return bool(n_used > 1 and n_units * math.log(n_used) < log_arrangements(counts) + math.log(BY_CHANCE))
