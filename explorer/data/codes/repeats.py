"""Rows and columns of a table that repeat earlier ones, found by hashes of their codes."""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.data.codes.feature import Feature
from explorer.data.codes.leaks import SOME_ROWS

_FEWEST_ALIKE, _FEWEST_ROUNDED, _LEAST_ROUNDED = 3, 20, 0.9
"""Values of features that are alike, and of those that are so but for ties; the share of values that ties leave."""
_FEWEST_ROWS_OF_TWO = 20
"""Of fewer rows, two features of two values may agree by chance."""
_MOST_COMPARED, _LOOKED_AT = 200, 64
"""Features of numbers that are compared with each other, and rows that are looked at first."""
USUAL = 0.6
"""How often at least a repeated row has more frequent values than one that is not, where equal rows are usual ones."""
CHANCE = 0.2
"""Equal rows are by chance if it explains at least so large a share of their pairs."""


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


def like_features(features: Sequence[Feature], codes: NDArray[np.int32]) -> Iterator[tuple[str, str]]:
    """Features that a tree splits as an earlier one, with other values, and that one; missing cells are the same.

    Numbers are so in the same order, or in the reverse one, such as prices in two currencies and a logarithm, but for
    ties by rounding; categories where each stands for one of the other feature, and two values of any kind.

    >>> from explorer.data.dataset import Dataset
    >>> import pandas as pd
    >>> prices = pd.DataFrame({"price": [9, 4, 7, 5], "euro": [8.1, 3.6, 6.3, 4.5], "y": list("abab")})
    >>> list(like_features(*Dataset.from_frame(prices, "y").encoded))
    [('euro', 'price')]
    """
    first: dict[bytes, Feature] = {}
    ordered: list[tuple[Feature, NDArray[np.int32]]] = []
    for feature, of_feature in zip(features, codes, strict=True):
        if feature.n_values < _FEWEST_ALIKE:
            continue
        canonical = _in_order(feature, of_feature)
        digest = _digest(feature, canonical)
        other = first.setdefault(digest, feature)
        if other is feature and feature.kind == "numeric" and len(ordered) < _MOST_COMPARED:
            other = next((each for each, of_each in ordered if _rounds(feature, canonical, each, of_each)), feature)
            ordered.append((feature, canonical))
        if other is not feature and not _has_same_values(feature, other):
            yield feature.name, other.name
    yield from _opposites(features, codes)


def _opposites(features: Sequence[Feature], codes: NDArray[np.int32]) -> Iterator[tuple[str, str]]:
    """Features of two values, each of which stands for one of an earlier feature, of text or numbers."""
    pairs = [
        (feature, of_feature) for feature, of_feature in zip(features, codes, strict=True) if feature.n_values == 2
    ]
    if codes.shape[1] < _FEWEST_ROWS_OF_TWO:
        return
    some = [_digest_of_two(of_feature[SOME_ROWS]) for _, of_feature in pairs]
    often, first = Counter(some), dict[bytes, Feature]()
    for (feature, of_feature), digest in zip(pairs, some, strict=True):
        if often[digest] > 1:
            other = first.setdefault(_digest_of_two(of_feature), feature)
            if other is not feature and not (feature.kind == other.kind and _has_same_values(feature, other)):
                yield feature.name, other.name


def _digest_of_two(codes: NDArray[np.int32]) -> bytes:
    """A hash of the codes 0 and 1 that is the same if they change places; 2 is a missing cell."""
    is_first = codes == next(iter(codes[codes < 2]), 0)
    known = np.where(codes < 2, is_first, codes).astype(np.int8)
    return hashlib.blake2b(known.tobytes(), digest_size=16).digest()


def _in_order(feature: Feature, codes: NDArray[np.int32]) -> NDArray[np.int32]:
    """Codes that are equal for features alike: ascending at first, and of categories by their first rows."""
    known = codes[codes < feature.n_values]
    if feature.kind != "numeric":
        by_row = np.full(feature.n_values + 1, feature.n_values, dtype=np.int32)
        values, rows = np.unique(known, return_index=True)
        by_row[values[np.argsort(rows)]] = np.arange(len(values))
        return by_row[codes]
    other = known[np.argmax(known != known[0])] if len(known) else 0
    is_reverse = len(known) > 0 and other < known[0]
    return np.where(codes < feature.n_values, feature.n_values - 1 - codes, codes) if is_reverse else codes


def _rounds(feature: Feature, codes: NDArray[np.int32], other: Feature, others: NDArray[np.int32]) -> bool:
    """Whether one of two numeric features never falls where the other rises, and has nearly as many values."""
    fewer, more = sorted((feature.n_values, other.n_values))
    if fewer < _FEWEST_ROUNDED or fewer < _LEAST_ROUNDED * more:
        return False
    step = max(1, len(codes) // _LOOKED_AT)
    return all(
        _is_monotone(codes[rows], others[rows], feature.n_values, other.n_values)
        for rows in (slice(None, None, step), slice(None))
    )


def _is_monotone(codes: NDArray[np.int32], others: NDArray[np.int32], n_values: int, n_others: int) -> bool:
    is_known = codes < n_values
    if not np.array_equal(is_known, others < n_others):
        return False
    in_order = others[is_known][np.lexsort((others[is_known], codes[is_known]))]
    return bool((np.diff(in_order) >= 0).all())


def are_by_chance(all_codes: Sequence[NDArray[np.int_]]) -> bool:
    """Whether the rows that are equal in all columns, coded [n] from 0 on, would be many by chance (DEFINITIONS 1).

    They are if chance explains at least a fifth of the pairs of equal rows: if the values of one half of the columns
    came to those of the other half at random. Where a half alone is equal in a fifth of all pairs of rows, that says
    little, and they are by chance if there are fewer combinations of values than rows.

    >>> die, coin = np.arange(600) % 6, np.arange(600) // 6 % 2
    >>> are_by_chance([die, coin]), are_by_chance([np.arange(600) // 2, coin])
    (True, False)
    """
    if not all_codes or not len(all_codes[0]):
        return False
    seeds, n_rows = _seeds(len(all_codes)), len(all_codes[0])
    hashed = [_mixed(codes.astype(np.uint64) + seed) for codes, seed in zip(all_codes, seeds, strict=True)]
    by_value = sorted(hashed, key=_equal_pairs)
    halves = [by_value[first::4] + by_value[second::4] for first, second in ((0, 3), (1, 2))]
    pairs, all_pairs = [_equal_pairs(_sum(half)) if half else np.inf for half in halves], n_rows * (n_rows - 1) / 2
    if max(pairs) >= CHANCE * all_pairs:
        return math.prod(len(np.unique(codes)) for codes in all_codes) < n_rows
    return math.prod(pairs) >= CHANCE * all_pairs * _equal_pairs(_sum(hashed))


def have_usual_values(all_codes: Sequence[NDArray[np.int_]]) -> bool:
    """Whether the rows that several are equal to, coded [n] from 0 on, have values that more other rows have, too.

    Cases entered twice are any cases; cases that are equal have the most frequent values of each column. Of two
    different rows, one that is repeated and one that is not, the repeated one has the larger product of 1 + how many
    rows, but for those equal to it, have its value of a column, with a probability of 60 % at least.

    >>> gifts = np.append(np.zeros(40, int), np.arange(50))   # many gave nothing, in one of two years
    >>> have_usual_values([gifts, np.arange(90) % 2]), have_usual_values([np.arange(90) // 2, np.arange(90) % 3])
    (True, False)
    """
    if not all_codes or not len(all_codes[0]):
        return False
    seeds = _seeds(len(all_codes))
    hashes = _sum([_mixed(codes.astype(np.uint64) + seed) for codes, seed in zip(all_codes, seeds, strict=True)])
    _, rows, counts = np.unique(hashes, return_index=True, return_counts=True)
    is_repeated = counts > 1
    n_repeated, n_alone = np.count_nonzero(is_repeated), np.count_nonzero(~is_repeated)
    if not n_repeated or not n_alone:
        return False
    others = [np.bincount(codes)[codes[rows]] - counts for codes in all_codes]
    frequencies = np.sum(np.log1p(others), axis=0)
    alone, usual = np.sort(frequencies[~is_repeated]), frequencies[is_repeated]
    below = (np.searchsorted(alone, usual, "left") + np.searchsorted(alone, usual, "right")).sum() / 2
    return bool(below >= USUAL * n_repeated * n_alone)


def _sum(hashed: Sequence[NDArray[np.uint64]]) -> NDArray[np.uint64]:
    """A hash of each row's values by the hashes of the columns [n]."""
    return np.sum(hashed, axis=0, dtype=np.uint64)


def _equal_pairs(hashes: NDArray[np.uint64]) -> float:
    """How many pairs of rows have one hash."""
    counts = np.unique(hashes, return_counts=True)[1].astype(np.float64)
    return float((counts * (counts - 1) / 2).sum())


def _seeds(n: int) -> NDArray[np.uint64]:
    return np.random.default_rng(0).integers(1, 2**63, size=n, dtype=np.uint64)


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
    seeds = _seeds(len(all_codes) + 1)
    hashes = _mixed(known + seeds[-1])
    for seed, codes in zip(seeds, all_codes, strict=False):
        hashes = _mixed(np.bitwise_xor(hashes, codes.astype(np.uint64) + seed, out=hashes))
    return hashes


def _mixed(hashes: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The hashes with their bits spread, in place: no two become one."""
    hashes *= np.uint64(0x9E3779B97F4A7C15)
    hashes ^= hashes >> np.uint64(29)
    return hashes
