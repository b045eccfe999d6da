"""Numbers → their distinct values in order, and the position of each row's number among them.

Whole numbers in a short range are counted. Others are sorted by the 32 bits of their rounded values, and those that
agree in these bits by all 64.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from explorer.jit import inner, kernel

_ROW = np.uint64(0xFFFFFFFF)
_ROW_BITS = np.uint64(32)
_MISSING = np.uint32(0xFFFFFFFF)
_SIGN, _SIGN_AT = np.uint32(0x80000000), np.uint32(31)
_DIGIT_BITS = 11
_DIGIT = np.uint64(2**_DIGIT_BITS - 1)
MOST_MOVES = 8
"""Moves per row from which on numbers that agree in 32 bits are better sorted as a whole."""


@inner
def code_whole(numbers, codes, values, code_of):
    """As `code_exact` for whole numbers in a range no wider than the table is long, which need no sort; else −1.

    `code_of` [n] is room.
    """
    lowest, highest = np.inf, -np.inf
    for number in numbers:
        if number != np.floor(number) and not np.isnan(number):
            return -1
        lowest, highest = (number if number < lowest else lowest), (number if number > highest else highest)
    if highest >= lowest and not highest - lowest < numbers.size:  # so too where all are infinite
        return -1
    n_values, code_of = 0, code_of[: np.int64(highest - lowest) + 1 if highest >= lowest else 0]
    code_of[:] = 0
    for number in numbers:
        if not np.isnan(number):
            code_of[np.int64(number - lowest)] = 1
    for step in range(code_of.size):
        if code_of[step]:
            values[n_values], code_of[step] = lowest + float(step), n_values
            n_values += 1
    for row in range(numbers.size):
        number = numbers[row]
        codes[row] = n_values if np.isnan(number) else code_of[np.int64(number - lowest)]
    return n_values


@inner
def pack(numbers, keys, counts):
    """Fill `keys` with (order-preserving 32 bits of the number, row), nan as the largest, and count their digits.

    Returns whether every number is exact in 32 bits; those that are not may have the bits of a neighbour.
    """
    is_exact = True
    for row in range(numbers.size):
        number = numbers[row] + 0.0  # −0.0 becomes 0.0
        bits = _MISSING
        if not np.isnan(number):
            single = np.float32(number)
            is_exact &= np.float64(single) == number
            bits = single.view(np.uint32)
            bits = np.uint32(bits ^ (np.uint32(0) - (bits >> _SIGN_AT) | _SIGN))  # all bits of a negative number
        keys[row] = (np.uint64(bits) << _ROW_BITS) | np.uint64(row)
        for digit in range(3):
            counts[digit, (keys[row] >> np.uint64(32 + _DIGIT_BITS * digit)) & _DIGIT] += np.uint32(1)
    return is_exact


@inner
def sort_packed(keys, spare, counts):
    """Sort packed keys by their numbers, equal ones by row, digit by digit from the last (LSD radix sort: Knuth 5.2.5).

    The sorted keys are in `spare`; `counts` [3, 2048] says how often each digit has each value, and is rewritten.
    """
    source, target = keys, spare
    for digit in range(3):
        place, shift, start = counts[digit], np.uint64(32 + _DIGIT_BITS * digit), np.uint32(0)
        for value in range(place.size):
            count = place[value]
            place[value] = start
            start += count
        for key in source:
            value = (key >> shift) & _DIGIT
            target[place[value]] = key
            place[value] += np.uint32(1)
        source, target = target, source


@inner
def code_exact(keys, codes, values):
    """Write each row's code from sorted keys, and the distinct values in order; returns how many values there are."""
    n_values, last = 0, _MISSING
    for key in keys:
        row, bits = key & _ROW, np.uint32(key >> _ROW_BITS)
        if bits == _MISSING:
            codes[row] = n_values
            continue
        if bits != last:
            values[n_values] = np.uint32(bits ^ (_SIGN if bits >> _SIGN_AT else _MISSING)).view(np.float32)
            n_values, last = n_values + 1, bits
        codes[row] = n_values - 1
    return n_values


@inner
def order_of_packed(keys, numbers, order):
    """Write the rows of sorted keys into `order`, by their numbers in all bits; False where that takes too long."""
    n_moves = 0
    for i in range(keys.size):
        row, bits, at = np.int64(keys[i] & _ROW), keys[i] >> _ROW_BITS, i
        while at > 0 and keys[at - 1] >> _ROW_BITS == bits and numbers[order[at - 1]] > numbers[row]:
            order[at] = order[at - 1]
            at -= 1
            n_moves += 1
        order[at] = row
        if n_moves > MOST_MOVES * keys.size:
            return False
    return True


@kernel
def code_ordered(order, numbers, codes, values):
    """As `code_exact`, from the rows in ascending order of their numbers, nan last."""
    n_values = 0
    for i in range(order.size):
        row = order[i]
        if np.isnan(numbers[row]):
            codes[row] = n_values
            continue
        if n_values == 0 or numbers[row] != values[n_values - 1]:
            values[n_values] = numbers[row] + 0.0
            n_values += 1
        codes[row] = n_values - 1
    return n_values


@kernel
def list_values(numbers, codes, values):
    """The opposite: write the number of every row to the position that is its code; nan's is the last."""
    for row in range(codes.size):
        values[codes[row]] = numbers[row] + 0.0


@kernel
def code_columns(numbers, codes, values, n_values, keys):
    """Write the rank codes and distinct values of columns [F, n], and how many values each column has.

    That is −1 for a column that is still to be coded: by `code_ordered`. `keys` [n] is room.
    """
    counts = np.empty((3, 2**_DIGIT_BITS), np.uint32)
    for column in range(numbers.shape[0]):
        n_values[column] = code_whole(numbers[column], codes[column], values[column], keys.view(np.int32))
        if n_values[column] >= 0:
            continue
        spare = values[column].view(np.uint64)  # a value is written where its key, or one before it, has been read
        counts[:] = 0
        is_exact = pack(numbers[column], keys, counts)
        sort_packed(keys, spare, counts)
        if is_exact:
            n_values[column] = code_exact(spare, codes[column], values[column])
        elif order_of_packed(spare, numbers[column], keys.view(np.int64)):
            n_values[column] = code_ordered(keys.view(np.int64), numbers[column], codes[column], values[column])


@kernel
def code_few(numbers, codes, values):
    """Write each row's code by first appearance, −1 for nan, and the distinct values; returns how many there are.

    That is −1 where there is no room for all in `values`.
    """
    n_values = 0
    for row in range(numbers.size):
        number, code = numbers[row], 0
        while code < n_values and values[code] != number:
            code += 1
        if np.isnan(number):
            code = -1
        elif code == n_values:
            if n_values == values.size:
                return -1
            values[n_values] = number
            n_values += 1
        codes[row] = code
    return n_values


def _code_all(
    numbers: NDArray[np.float64], codes: NDArray[np.int32], values: NDArray[np.float64], keys: NDArray[np.uint64]
) -> list[int]:
    """Write codes and distinct values of columns [F, n] with room for `keys` [n]; returns their numbers of values."""
    n_values = np.empty(len(numbers), dtype=np.int64)
    code_columns(numbers, codes, values, n_values, keys)
    for column in np.flatnonzero(n_values < 0):
        order = np.argsort(numbers[column])
        n_values[column] = code_ordered(order, numbers[column], codes[column], values[column])
    return n_values.tolist()


def rank_codes_of_all(numbers: NDArray[np.float64], codes: NDArray[np.int32]) -> list[NDArray[np.float64]]:
    """`rank_codes` of every column [F, n] in one call.

    >>> codes = np.empty((2, 3), dtype=np.int32)
    >>> numbers = np.array([[5.0, np.nan, -1.0], [0.5, 0.25, 0.5]])
    >>> [values.tolist() for values in rank_codes_of_all(numbers, codes)], codes.tolist()
    ([[-1.0, 5.0], [0.25, 0.5]], [[1, 2, 0], [1, 0, 1]])
    """
    values, keys = np.empty(numbers.shape), np.empty(numbers.shape[1], dtype=np.uint64)
    return [values[column, :n].copy() for column, n in enumerate(_code_all(numbers, codes, values, keys))]


def rank_codes(
    numbers: NDArray[np.float64], codes: NDArray[np.int32], room: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """Write the rank code of every number [n] into `codes`, and return the distinct numbers, ascending.

    nan gets the code one past the last. The distinct numbers are a part of the `room` [2, n], if one is given.

    >>> codes = np.empty(4, dtype=np.int32)
    >>> rank_codes(np.array([5.0, np.nan, -1.0, 5.0]), codes).tolist(), codes.tolist()
    ([-1.0, 5.0], [1, 2, 0, 1])
    """
    values, keys = np.empty((2, len(numbers))) if room is None else room
    (n_values,) = _code_all(np.ascontiguousarray(numbers)[None], codes[None], values[None], keys.view(np.uint64))
    return values[:n_values] if room is not None else values[:n_values].copy()
