"""Which features a node may test, and at which thresholds, where a recipe draws them (ensembles, section 18).

A draw depends on the recipe's `feature_seed` and on the node's path from the root alone: not on threads, not on which
node is grown first. So `decide` finds it again. Both layers call these functions.

The generator is Philox 4x64 with 10 rounds (Salmon et al. 2011), the same as `numpy.random.Philox`: its key is the
seed, its counter (block, hash of the path, which number, purpose).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numba import types
from numba.extending import intrinsic, overload

from explorer.jit import borrowing, kernel

SUBSET_OF_FEATURES, THRESHOLD_OF_FEATURE = 1, 2
"""What a stream is drawn for."""
ALL_FEATURES = 2**31 - 1
"""Instead of a number of features to draw: no draw."""
ROOT_PATH = 0
"""The hash of the root's path."""
_MULTIPLIERS = np.uint64(0xD2E7470EE14C6C93), np.uint64(0xCA5A826395121157)
_KEY_STEPS = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBB67AE8584CAA73B)
_MULTIPLIER_0, _MULTIPLIER_1 = _MULTIPLIERS
_KEY_STEP_0, _KEY_STEP_1 = _KEY_STEPS
_LOW_HALF, _HALF = np.uint64(0xFFFFFFFF), np.uint64(32)
_MIX_1, _MIX_2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_S27, _S30, _S31, _S11 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(11)
_ZERO, _ONE = np.uint64(0), np.uint64(1)


def high_half(a, b):
    """The upper 64 bits of the product of two 64-bit numbers."""
    a_low, a_high, b_low, b_high = a & _LOW_HALF, a >> _HALF, b & _LOW_HALF, b >> _HALF
    low_high = a_low * b_high
    middle = a_high * b_low + ((a_low * b_low) >> _HALF)
    carry = (low_high + (middle & _LOW_HALF)) >> _HALF
    return a_high * b_high + (middle >> _HALF) + carry


@intrinsic
def _high_half_of_product(_context, _a, _b):
    """The same by one multiplication of the processor."""

    def multiply(_context, builder, _signature, numbers):
        wide = type(numbers[0].type)(128)
        product = builder.mul(*(builder.zext(number, wide) for number in numbers))
        return builder.trunc(builder.lshr(product, wide(64)), numbers[0].type)

    return types.uint64(types.uint64, types.uint64), multiply


@overload(high_half, inline="always")
def _compiled_high_half(a, b):
    """What compiled functions call in its place."""
    return lambda a, b: _high_half_of_product(a, b)


@borrowing
def philox(key, block, path, number, purpose):
    """Four random 64-bit numbers: Philox 4x64-10 of the counter (block, path, number, purpose)."""
    c0, c1, c2, c3 = block, path, number, purpose
    k0, k1 = key, _ZERO
    for _ in range(10):
        high_0, low_0 = high_half(_MULTIPLIER_0, c0), _MULTIPLIER_0 * c0
        high_1, low_1 = high_half(_MULTIPLIER_1, c2), _MULTIPLIER_1 * c2
        c0, c1, c2, c3 = high_1 ^ c1 ^ k0, low_1, high_0 ^ c3 ^ k1, low_0
        k0, k1 = k0 + _KEY_STEP_0, k1 + _KEY_STEP_1
    return c0, c1, c2, c3


@kernel
def philox_numbers(key, path, number, purpose, out):
    """Fill `out` [m] as `numpy.random.Philox(key=key, counter=[0, path, number, purpose])` does."""
    for i in range(out.size):
        words = philox(np.uint64(key), np.uint64(i // 4 + 1), np.uint64(path), np.uint64(number), np.uint64(purpose))
        out[i] = words[i % 4]


@kernel
def path_below(path, branch):
    """The hash of a child's path: that of its parent's and of its branch, mixed (SplitMix64's finaliser)."""
    mixed = np.uint64(path) + _KEY_STEP_0 * np.uint64(branch + 1)
    mixed = (mixed ^ (mixed >> _S30)) * _MIX_1
    mixed = (mixed ^ (mixed >> _S27)) * _MIX_2
    return np.int64(mixed ^ (mixed >> _S31))


@kernel
def draw_first(seed, path, n_drawn, items, n_items):
    """Draw some of the first `n_items` items without replacement: they are swapped to the front (Fisher and Yates)."""
    left, c0, c1, c2, c3 = 0, _ZERO, _ZERO, _ZERO, _ZERO
    for i in range(min(n_drawn, n_items)):
        if left == 0:
            c0, c1, c2, c3 = philox(
                np.uint64(seed), np.uint64(i // 4 + 1), np.uint64(path), _ZERO, np.uint64(SUBSET_OF_FEATURES)
            )
            left = 4
        other = i + np.int64(high_half(c0, np.uint64(n_items - i)))
        items[i], items[other] = items[other], items[i]
        c0, c1, c2, left = c1, c2, c3, left - 1


@kernel
def share_of_threshold(seed, path, position):
    """How far along a threshold lies between two numbers, from 0 to 1, for the feature at this position."""
    word = philox(np.uint64(seed), _ONE, np.uint64(path), np.uint64(position), np.uint64(THRESHOLD_OF_FEATURE))[0]
    return np.float64(word >> _S11) * 2.0**-53


@kernel
def threshold_at_share(share, low, high):
    """The threshold that lies so far along in [low, high)."""
    threshold = low * (1.0 - share) + high * share
    return threshold if low <= threshold < high else low


@kernel
def random_threshold(seed, path, position, low, high):
    """A threshold between two numbers, uniform in [low, high), for the feature at this position of the candidates."""
    return threshold_at_share(share_of_threshold(seed, path, position), low, high)


def path_hash(path: Sequence[int]) -> int:
    """The hash of a path, given by its branches from the root.

    >>> path_hash(()) == ROOT_PATH, path_hash((0, 1, 0)) == path_hash((1, 0, 0))
    (True, False)
    """
    hashed = ROOT_PATH
    for branch in path:
        hashed = int(path_below(np.int64(hashed), branch))
    return hashed


def number_of_features(max_features: int | float | str | None, n_features: int) -> int:
    """How many of `n_features` features a node draws; `ALL_FEATURES` for None.

    >>> [number_of_features(rule, 10) for rule in ("sqrt", "log2", 0.25, 4)]
    [3, 3, 2, 4]
    """
    if max_features is None:
        return ALL_FEATURES
    if max_features == "sqrt":
        return max(int(np.sqrt(n_features)), 1)
    if max_features == "log2":
        return max(int(np.log2(n_features)), 1)
    if isinstance(max_features, (int, np.integer)):
        return int(max_features)
    return max(int(float(max_features) * n_features), 1)
