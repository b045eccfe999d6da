"""Rows and columns of a table that repeat earlier ones, found by hashes of their codes."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.data.codes.feature import Feature
from explorer.data.codes.leaks import SOME_ROWS


def equal_features(features: Sequence[Feature], codes: NDArray[np.int32]) -> Iterator[tuple[str, str]]:
    """Features with the values of an earlier one in every row, missing cells included, and that one; by their hashes.

    Every eighth row tells most features apart.
    """
    some = [_digest(feature, of_feature[SOME_ROWS]) for feature, of_feature in zip(features, codes, strict=True)]
    often = Counter(some)
    first: dict[bytes, list[Feature]] = {}
    for feature, of_feature, digest in zip(features, codes, some, strict=True):
        if often[digest] > 1:
            alike = first.setdefault(_digest(feature, of_feature), [])
            same = next((other for other in alike if _has_same_values(feature, other)), None)
            if same is not None:
                yield feature.name, same.name
            else:
                alike.append(feature)


def _digest(feature: Feature, codes: NDArray[np.int32]) -> bytes:
    """A hash of kind, number of values and codes."""
    head = f"{feature.kind} {feature.n_values} ".encode()
    return hashlib.blake2b(head + np.ascontiguousarray(codes).tobytes(), digest_size=16).digest()


def _has_same_values(feature: Feature, other: Feature) -> bool:
    return np.array_equal(feature.values, other.values) and feature.categories == other.categories


def repeated_rows(all_codes: NDArray[np.int32], y: NDArray[Any]) -> int:
    """How many rows equal an earlier one, by their codes [F, n] and their target [n]."""
    hashes = _row_hashes(all_codes, y)
    hashes.sort()
    return int(np.count_nonzero(hashes[1:] == hashes[:-1]))


def rows_also_in(
    all_codes: NDArray[np.int32], y: NDArray[Any], other_codes: NDArray[np.int32], other_y: NDArray[Any]
) -> int:
    """How many rows equal one of some others, encoded alike.

    >>> rows_also_in(np.array([[0, 1, 1]]), np.array([0, 0, 1]), np.array([[1, 2]]), np.array([1, 0]))
    1
    """
    return int(np.isin(_row_hashes(all_codes, y), _row_hashes(other_codes, other_y)).sum())


def _row_hashes(all_codes: NDArray[np.int32], y: NDArray[Any]) -> NDArray[np.uint64]:
    """64-bit hashes of the rows' codes and target."""
    known = np.ascontiguousarray(y + 0.0 if y.dtype == np.float64 else y.astype(np.int64)).view(np.uint64)
    seeds = np.random.default_rng(0).integers(1, 2**63, size=len(all_codes) + 1, dtype=np.uint64)
    hashes = _mixed(known + seeds[-1])
    for seed, codes in zip(seeds, all_codes, strict=False):
        hashes = _mixed(np.bitwise_xor(hashes, codes.astype(np.uint64) + seed, out=hashes))
    return hashes


def _mixed(hashes: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The hashes with their bits spread, in place: no two become one."""
    hashes *= np.uint64(0x9E3779B97F4A7C15)
    hashes ^= hashes >> np.uint64(29)
    return hashes
