"""C4.5's pessimistic error estimate: the upper limit U(E, N) of a node's error rate (DEFINITIONS section 7).

Quinlan (1993), section 4.2: E errors in N rows are treated as a sample, and the rate as the upper end of an interval
that the true rate exceeds with probability CF. Three definitions of that end: the binomial distribution itself, and the
normal approximations of C4.5 release 8 and of Weka's J48.
"""

from collections.abc import Callable
from typing import overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.errors import InputError
from explorer.messages import listing, message
from explorer.pruning.raising.limits import BINOMIAL, NORMAL, RELEASE8, Limit, limit_of

LIMITS = ("release8", "binomial", "normal")

TABLE = (0.0, 0.001, 0.005, 0.01, 0.05, 0.10, 0.20, 0.40, 1.00), (4.0, 3.09, 2.58, 2.33, 1.65, 1.28, 0.84, 0.25, 0.0)
"""Confidences and their normal deviates in release 8, which interpolates in between."""

FEW = {"release8": 0.9999, "normal": 1.0}
"""Errors below which the normal approximations interpolate between none and one."""

Floats = NDArray[np.float64]


@overload
def upper_error(errors: float, rows: float, confidence: float = 0.25, limit: str = "release8") -> float: ...
@overload
def upper_error(errors: Floats, rows: Floats, confidence: float = 0.25, limit: str = "release8") -> Floats: ...
def upper_error(
    errors: float | Floats, rows: float | Floats, confidence: float = 0.25, limit: str = "release8"
) -> float | Floats:
    """Upper limit of the error rate, from errors/rows to 1; numbers may be fractions, and arrays of them.

    `limit` "binomial" solves P(at most `errors` of `rows` wrong) = `confidence` by the Beta quantile, "release8" and
    "normal" approximate it. No rows, no error: 0. Raises InputError for impossible counts or other names.

    >>> round(upper_error(0, 6), 3), round(upper_error(1, 16), 3)
    (0.206, 0.157)
    """
    checked_confidence(confidence, limit)
    wrong, weight = (np.asarray(numbers, dtype=np.float64) for numbers in np.broadcast_arrays(errors, rows))
    if not (np.isfinite(weight).all() and ((wrong >= 0) & (wrong <= weight * (1 + 1e-9))).all()):
        raise InputError(message("An error rate needs errors from 0 up to the number of rows: correct the counts."))
    rates = np.zeros(wrong.shape)
    reached = weight > 0
    e, n = np.minimum(wrong[reached], weight[reached]), weight[reached]
    rates[reached] = np.clip(_UPPER_LIMITS[limit](e, n, float(confidence)), e / n, 1.0)
    return rates if rates.ndim else float(rates)


def lower_accuracy(errors: float, rows: float, confidence: float = 0.25, limit: str = "release8") -> float:
    """Lower limit of the accuracy, 1 − U(errors, rows); 0 without rows, which support nothing.

    >>> round(lower_accuracy(0, 1), 3), round(lower_accuracy(3, 60), 3), lower_accuracy(0, 0)
    (0.25, 0.917, 0.0)
    """
    return 1.0 - upper_error(errors, rows, confidence, limit) if rows > 0 else 0.0


def checked_confidence(confidence: float, limit: str) -> None:
    """InputError unless the limit has a name and the confidence lies between 0 and 1."""
    if limit not in LIMITS:
        raise InputError(
            message("There is no limit called '{limit}': choose one of {limits}.", limit=limit, limits=listing(LIMITS))
        )
    if not 0 < confidence < 1:
        raise InputError(
            message(
                "The confidence is {confidence}: give a number between 0 and 1 (C4.5's 25 % is 0.25).",
                confidence=confidence,
            )
        )


def upper_errors(errors: ArrayLike, rows: ArrayLike, confidence: float, limit: str) -> Floats:
    """Rows times their upper error rate, N·U(E, N).

    Equal pairs are computed once for the binomial limit: most leaves of a full tree have the same counts.
    """
    wrong, weight = np.asarray(errors, dtype=np.float64), np.asarray(rows, dtype=np.float64)
    if limit != "binomial":
        return weight * upper_error(wrong, weight, confidence, limit)
    pairs, pair_of_node = np.unique(wrong + 1j * weight, return_inverse=True)
    return weight * upper_error(pairs.real, pairs.imag, confidence, limit)[pair_of_node]


def limit_for(confidence: float, limit: str, slack: float) -> Limit:
    """One of the limits for the loops, which may prefer a simpler tree that makes `slack` errors more."""
    numbers = {"release8": RELEASE8, "binomial": BINOMIAL, "normal": NORMAL}
    deviate = float(np.interp(confidence, *TABLE)) if limit == "release8" else normal_deviate(confidence)
    return limit_of(numbers[limit], float(confidence), deviate, FEW.get(limit, 0.0), slack)


def normal_deviate(confidence: float) -> float:
    """The number that a standard normal one exceeds with this probability."""
    from scipy.special import ndtri  # takes a fifth of a second, and few need it

    return float(ndtri(1.0 - confidence))


def _binomial(errors: Floats, rows: Floats, confidence: float) -> Floats:
    from scipy.special import betaincinv  # takes a fifth of a second, and few need it

    right = rows - errors
    return np.where(right > 0, betaincinv(errors + 1.0, np.where(right > 0, right, 1.0), 1.0 - confidence), 1.0)


def _release8(errors: Floats, rows: Floats, confidence: float) -> Floats:
    """C4.5 release 8: the deviate from its table; where errors + 1/2 ≥ rows, 0.67 of the other rows are added."""
    deviate = float(np.interp(confidence, *TABLE))
    return _approximated(errors, rows, confidence, deviate, lambda rest: 0.67 * rest, FEW["release8"])


def _normal(errors: Floats, rows: Floats, confidence: float) -> Floats:
    """Weka's J48: the exact deviate; where errors + 1/2 ≥ rows, all rows may be wrong."""
    deviate = normal_deviate(confidence)
    return _approximated(errors, rows, confidence, deviate, lambda rest: np.maximum(rest, 0.0), FEW["normal"])


def _approximated(
    errors: Floats, rows: Floats, confidence: float, deviate: float, nearly_all: Callable[[Floats], Floats], few: float
) -> Floats:
    """Exact for no error; below `few` errors interpolated between none and one; else the normal interval."""

    def extra(wrong: Floats | float) -> Floats:
        within = rows * _normal_limit(wrong, rows, deviate) - wrong
        return np.where(wrong + 0.5 >= rows, nearly_all(rows - wrong), within)

    none = rows * (1.0 - confidence ** (1.0 / rows))
    between = none + errors * (extra(1.0) - none)
    return np.asarray((errors + np.where(errors < few, between, extra(errors))) / rows)


def _normal_limit(wrong: Floats | float, rows: Floats, deviate: float) -> Floats:
    """Upper end of Wilson's interval around (wrong + 1/2)/rows."""
    share, square = np.minimum((wrong + 0.5) / rows, 1.0), deviate * deviate / rows
    spread = np.sqrt(share * (1.0 - share) / rows + square / (4.0 * rows))
    return np.asarray((share + square / 2.0 + deviate * spread) / (1.0 + square))


_UPPER_LIMITS: dict[str, Callable[[Floats, Floats, float], Floats]] = {
    "release8": _release8,
    "binomial": _binomial,
    "normal": _normal,
}
