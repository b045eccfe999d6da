"""The part of a row by the hash of its key, from the definition."""

import hashlib
from fractions import Fraction


def part_of_key(key: str | int, shares: tuple[float, ...], seed: int) -> int:
    """The first part whose cumulated share lies above md5("{seed}:{key}") as a number from 0 to 1."""
    number = Fraction(int(hashlib.md5(f"{seed}:{key}".encode()).hexdigest(), 16), 2**128)
    ends = [sum(map(Fraction, shares[: i + 1])) for i in range(len(shares))]
    return sum(number >= end for end in ends)
