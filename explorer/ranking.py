"""Numbers → rank codes by one sort per column.

A number that fits into 32 bits is packed with its row into one 64-bit key, whose order is that of the number; sorting
such keys is several times faster than sorting positions. Other columns are sorted by position.
"""

import numpy as np
from numpy.typing import NDArray

from explorer.jit import kernel

_ROW = np.uint64(0xFFFFFFFF)
_MISSING = np.uint32(0xFFFFFFFF)


@kernel
def pack(numbers, keys):
    """Fill `keys` with (order-preserving bits of the number, row), nan as the largest; False if one is too long."""
    for row in range(numbers.size):
        number = numbers[row] + 0.0  # −0.0 becomes 0.0
        bits = _MISSING
        if not np.isnan(number):
            single = np.float32(number)
            if np.float64(single) != number:
                return False
            bits = single.view(np.uint32)
            bits = ~bits if bits >> np.uint32(31) else bits | np.uint32(0x80000000)
        keys[row] = (np.uint64(bits) << np.uint64(32)) | np.uint64(row)
    return True


@kernel
def code_packed(keys, numbers, codes, values):
    """Write each row's code from sorted keys, and the distinct values in order; returns how many there are."""
    found, last = 0, np.uint64(0)
    for i in range(keys.size):
        row, bits = np.int64(keys[i] & _ROW), keys[i] >> np.uint64(32)
        if bits == np.uint64(_MISSING):
            codes[row] = found
            continue
        if found == 0 or bits != last:
            values[found] = numbers[row] + 0.0
            found += 1
            last = bits
        codes[row] = found - 1
    return found


@kernel
def code_ordered(order, numbers, codes, values):
    """As `code_packed`, from the rows in ascending order of their numbers, nan last."""
    found = 0
    for i in range(order.size):
        row = order[i]
        if np.isnan(numbers[row]):
            codes[row] = found
            continue
        if found == 0 or numbers[row] != values[found - 1]:
            values[found] = numbers[row] + 0.0
            found += 1
        codes[row] = found - 1
    return found


def rank_codes(numbers: NDArray[np.float64], codes: NDArray[np.int32]) -> NDArray[np.float64]:
    """Write the rank code of every number [n] into `codes`, and return the distinct numbers, ascending.

    nan gets the code one past the last. The numbers must be finite otherwise.

    >>> codes = np.empty(4, dtype=np.int32)
    >>> rank_codes(np.array([5.0, np.nan, -1.0, 5.0]), codes).tolist(), codes.tolist()
    ([-1.0, 5.0], [1, 2, 0, 1])
    """
    numbers = np.ascontiguousarray(numbers)
    keys = np.empty(len(numbers), dtype=np.uint64)
    values = np.empty(len(numbers))
    if pack(numbers, keys):
        keys.sort()
        found = code_packed(keys, numbers, codes, values)
    else:
        found = code_ordered(np.argsort(numbers), numbers, codes, values)
    return values[:found].copy()
