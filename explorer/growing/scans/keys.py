"""The keys of a sorted column, in two forms, and the weights of rows, in two types.

A key of 32 bits is a row, and a bit that marks the first row of a value; one of 64 bits is a code and a row. Loops take
`has_ties` beside keys: whether rows of a 32-bit column may agree in their value, None beside keys of 64 bits. Weights
are None where every row weighs 1, bytes where they are whole, else 64-bit numbers. numba leaves out what follows `if …
is None` for other types: so one text is compiled for each.
"""

import numpy as np

from explorer.jit import borrowing

STARTS_VALUE = np.uint32(1 << 31)
"""The bit of a key of 32 bits that marks the first row of a value."""
ROW_MASK = np.uint32((1 << 31) - 1)
NOTHING = np.int64(0)
"""With a byte it makes a whole number of 64 bits; a real weight stays what it is."""
CODE_BITS = 32
"""Bits below the code in a key of 64 bits."""


@borrowing
def row_in(key):
    """The row in a key."""
    return key & ROW_MASK


@borrowing
def starts_value(key, before, has_ties):
    """Whether a key has another value than the one before it."""
    if has_ties is None:
        return key >> CODE_BITS != before >> CODE_BITS
    return not has_ties or key >= STARTS_VALUE


@borrowing
def weight_in(weights, row):
    """A row's weight. Where it is 1 for every row, `weights` is None, and nothing of this is compiled."""
    if weights is None:
        return 1
    return NOTHING + weights[row]


@borrowing
def is_weighted(weights):
    """Whether rows may weigh more than 1."""
    return weights is not None


@borrowing
def is_light(weights, left, right, least):
    """Whether a branch weighs less than the least; where rows weigh 1, a scan goes over none that does."""
    if weights is None:
        return False
    return left < least or right < least


@borrowing
def rows_below(weights, least):
    """How many rows at each end of a node are too few for a branch whatever they are."""
    if weights is None:
        return np.int64(least) - 1
    return 0
