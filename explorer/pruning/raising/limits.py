"""The expected errors N·U(E, N) of `explorer.pruning.error_bound`, one pair at a time, as the loops need them."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numba.extending import get_cython_function_address
from numpy.typing import NDArray

from explorer.jit import borrowing

RELEASE8, BINOMIAL, NORMAL = range(3)
KNOWN = 128
"""Rows below which expected errors are remembered: most nodes of a full tree have one of a few pairs of numbers."""
LOWEST, HIGHEST = 0.001, 0.5
"""Confidences between which N·U(E, N) never falls with a row more.

Wilson's upper limit rises with E and with N where the deviate is not negative, but that of no error is another formula:
release 8, whose deviates end at 4, has a smaller limit for one error than for none at confidences near 0.
"""


@cache
def beta_quantile_pointer() -> Any:
    """SciPy's quantile of the Beta distribution for compiled code; its last argument is Cython's and always 0."""
    address = get_cython_function_address("scipy.special.cython_special", "__pyx_fuse_0betaincinv")
    kind = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double, ctypes.c_double, ctypes.c_double, ctypes.c_int)
    return kind(address)


class Limit(NamedTuple):
    """How the error rate's upper limit is computed: its kind, CF, the normal deviate, and numbers that recur.

    Below `few` errors are interpolated; a simpler tree may make `slack` errors more. `never_falls` says that no row
    more, right or wrong, lowers the expected errors of whole rows. `known` [KNOWN, KNOWN] has the expected errors of so
    many rows (first) with so many errors, nan until they are asked for: whoever finds nan fills in the same number.
    """

    kind: int
    confidence: float
    deviate: float
    few: float
    slack: float
    never_falls: bool
    known: NDArray[np.float64]


def limit_of(number: int, confidence: float, deviate: float, few: float, slack: float) -> Limit:
    """A limit that has remembered nothing yet."""
    never_falls = LOWEST <= confidence <= HIGHEST
    return Limit(number, confidence, deviate, few, slack, never_falls, np.full((KNOWN, KNOWN), np.nan))


@borrowing
def errors_beyond(limit, wrong, rows):
    """Errors to add by the normal approximation: Wilson's upper limit around (wrong + 1/2)/rows."""
    if wrong + 0.5 >= rows:
        return 0.67 * (rows - wrong) if limit.kind == RELEASE8 else max(rows - wrong, 0.0)
    share, square = min((wrong + 0.5) / rows, 1.0), limit.deviate * limit.deviate / rows
    spread = np.sqrt(share * (1.0 - share) / rows + square / (4.0 * rows))
    return rows * ((share + square / 2.0 + limit.deviate * spread) / (1.0 + square)) - wrong


@borrowing
def approximate_rate(limit, wrong, rows):
    """The rate by the normal approximation, interpolated between no and one error."""
    if wrong >= limit.few:
        return (wrong + errors_beyond(limit, wrong, rows)) / rows
    none = rows * (1.0 - limit.confidence ** (1.0 / rows))
    if wrong > 0.0:
        none += wrong * (errors_beyond(limit, 1.0, rows) - none)
    return (wrong + none) / rows


@borrowing
def upper_rate(limit, beta_quantile, wrong, rows):
    """The upper limit of the error rate, from wrong/rows to 1."""
    if limit.kind != BINOMIAL:
        rate = approximate_rate(limit, wrong, rows)
    else:
        rate = beta_quantile(wrong + 1.0, rows - wrong, 1.0 - limit.confidence, 0) if rows > wrong else 1.0
    return min(max(rate, wrong / rows), 1.0)


@borrowing
def expected_errors(limit, beta_quantile, wrong, rows):
    """Rows times the upper limit of their error rate."""
    if not rows > 0.0:
        return 0.0
    wrong, n_rows, n_wrong = min(wrong, rows), np.int64(rows), np.int64(wrong)
    if n_rows >= KNOWN or n_rows != rows or n_wrong != wrong:
        return rows * upper_rate(limit, beta_quantile, wrong, rows)
    if np.isnan(limit.known[n_rows, n_wrong]):
        limit.known[n_rows, n_wrong] = rows * upper_rate(limit, beta_quantile, wrong, rows)
    return limit.known[n_rows, n_wrong]
