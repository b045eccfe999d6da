"""Working memory of one thread, and the columns of its table of results."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from explorer.candidates.quantile_loss import N_SUMS, has_quantiles
from explorer.growing.scans.problem import Problem
from explorer.recipe.parameters import GrowParameters
from explorer.recipe.split_score import BY_SQUARED_SHARE

GAIN, SPLIT_INFO, FIRST, SECOND, N_ADMISSIBLE, DRAWN_THRESHOLD = 0, 1, 2, 3, 4, 5
DIRECTION = DRAWN_THRESHOLD
"""Thresholds that are drawn have no default direction."""
RESULT_WIDTH = 8

LARGEST, FIRST_EQUAL, POSITION, DOUBT, MARGIN, FLOOR, ADMISSIBLE, LEFT_WEIGHT, SIDE, BEST_WIDTH = range(10)
"""What is known of the gains so far: the largest, the first that equals it and its position, whether that is in doubt.

Gains closer than the margin are equal; a second scan ends at the floor. Scans of thresholds add how many of them are
admissible, the weight of the known rows on the left of the best, and the side that its missing rows go to.
"""
UP_TO, UP_TO_WITH_MISSING, ABOVE, ABOVE_WITH_MISSING, N_LOSSES = range(5)
"""The losses of both sides of a threshold, which are the statistics of the rows up to it: they do not add up."""
BLOCK, LANES = 256, 8
"""Weighted rows that are added up at a time, and sums that are bounded at a time."""


class Sums(NamedTuple):
    """What is left of thresholds: weight in all and by class, the last row, and a bound of what they gain.

    [BLOCK], and some room; the bounds are those of admissible thresholds alone, `bits` the same memory as numbers.
    """

    left: NDArray[np.float64]
    first: NDArray[np.float64]
    second: NDArray[np.float64]
    row: NDArray[np.int64]
    bound: NDArray[np.float64]
    bits: NDArray[np.int64]


class ScanBuffers(NamedTuple):
    """What a scan of candidates writes to: the running best, and statistics of branches.

    `left` are the rows before the threshold that have a value, `first` and `second` the branches with missing rows;
    `sums` are those of weighted rows and two classes, `sides` [2, K] the classes of both branches where rows weigh 1.
    """

    best: NDArray[np.float64]
    left: NDArray[np.float64]
    first: NDArray[np.float64]
    second: NDArray[np.float64]
    sums: Sums
    sides: NDArray[np.int64]


class Categories(NamedTuple):
    """The categories present at a node: code, weight, weight of known rows, statistics [C, K], and an order."""

    codes: NDArray[np.int64]
    weights: NDArray[np.float64]
    known_weights: NDArray[np.float64]
    stats: NDArray[np.float64]
    order: NDArray[np.int64]
    order_before: NDArray[np.int64]
    order_keys: NDArray[np.float64]


class Draw(NamedTuple):
    """What a node draws: which features [F], the position of each among its candidates [F], and working memory [F].

    `keys` [n] are those of a column while it has a drawn threshold alone.
    """

    is_drawn: NDArray[np.bool_]
    position: NDArray[np.int64]
    items: NDArray[np.int64]
    keys: NDArray[np.int64]


class LossRoom(NamedTuple):
    """The rows of a node as one feature sees them, where the loss is around a quantile; else empty.

    By rank in the order of the target: `numbers` [n] less the node's quantile, `weights`, `kinds`, `groups`, and the
    `halves` of a test. `order` [n] are the ranks of the rows with a value in the order of the feature. `losses`
    [4, n + 1] are the total losses of both sides of a threshold after so many of these, with and without missing rows;
    `branches` [C] are those of the categories, `sums` [C, 5] those of groups of rows, `of_missing` [1] the loss of the
    rows without a value, `size` [1] how many rows there are.
    """

    numbers: NDArray[np.float64]
    weights: NDArray[np.float64]
    kinds: NDArray[np.int64]
    groups: NDArray[np.int64]
    halves: NDArray[np.int64]
    order: NDArray[np.int64]
    links: NDArray[np.int64]
    losses: NDArray[np.float64]
    branches: NDArray[np.int64]
    sums: NDArray[np.float64]
    of_missing: NDArray[np.float64]
    size: NDArray[np.int64]


def loss_room_for(n: int, most: int) -> LossRoom:
    """Room for so many rows and categories."""
    numbers, weights = np.empty((2, n))
    kinds, groups, halves, order = np.empty((4, n), np.int64)
    return LossRoom(
        numbers, weights, kinds, groups, halves, order,
        links=np.empty((2, n), np.int64),
        losses=np.empty((4, n + 1)),
        branches=np.zeros(most, np.int64),
        sums=np.zeros((max(most, 2), N_SUMS)),
        of_missing=np.zeros(1),
        size=np.zeros(1, np.int64),
    )  # fmt: skip


class Buffers(NamedTuple):
    """Working memory of one thread, so that scanning allocates nothing.

    `results` [F, 8] is the best candidate of every feature, `known` and `missing` the statistics of the rows with and
    without a value, `known_stats` those of a node of known rows alone, `group_weights` [4] the weights of two groups of
    categories, with and without missing rows, `bounds` [3] those of the node by monotone constraints, less its mean,
    and how far rounding may miss them.
    """

    results: NDArray[np.float64]
    scores: NDArray[np.float64]
    scan: ScanBuffers
    categories: Categories
    known: NDArray[np.float64]
    missing: NDArray[np.float64]
    known_stats: NDArray[np.float64]
    group_weights: NDArray[np.float64]
    imputed_categories: NDArray[np.int64]
    medians: NDArray[np.float64]
    weights_below: NDArray[np.float64]
    bounds: NDArray[np.float64]
    residual: NDArray[np.float64]
    """[1]: what rounding leaves of the sum of deviations from the mean, where all complete columns take the same; nan
    where each takes that of its own order."""
    draw: Draw
    loss: LossRoom


def buffers_for(problem: Problem, parameters: GrowParameters) -> Buffers:
    """Fresh working memory for this problem."""
    size = parameters.n_stats
    if parameters.regression:
        size = 2 if parameters.score == BY_SQUARED_SHARE else N_LOSSES if has_quantiles(parameters) else 1
    categorical = problem.n_values[problem.tests != 0]
    most = int(categorical.max(initial=0))
    left, first, second, bound = np.zeros((4, BLOCK + LANES))
    sums = Sums(left, first, second, np.zeros(BLOCK, np.int64), bound, bound.view(np.int64))
    return Buffers(
        results=np.full((len(problem.keys), RESULT_WIDTH), np.nan),
        scores=np.zeros(len(problem.keys)),
        scan=ScanBuffers(
            np.zeros(BEST_WIDTH), np.zeros(size), np.zeros(size), np.zeros(size), sums, np.zeros((2, size), np.int64)
        ),
        categories=Categories(
            codes=np.zeros(most, dtype=np.int64),
            weights=np.zeros(most),
            known_weights=np.zeros(most),
            stats=np.zeros((most, size)),
            order=np.zeros(most, dtype=np.int64),
            order_before=np.zeros(most, dtype=np.int64),
            order_keys=np.zeros(most),
        ),
        known=np.zeros(size),
        missing=np.zeros(size),
        known_stats=np.zeros(parameters.n_stats),
        group_weights=np.zeros(4),
        imputed_categories=np.zeros(size, dtype=np.int64),
        medians=np.zeros(size + 1),
        weights_below=np.zeros(size + 1),
        bounds=np.zeros(3),
        residual=np.full(1, np.nan),
        draw=Draw(
            is_drawn=np.zeros(len(problem.keys), dtype=np.bool_),
            position=np.zeros(len(problem.keys), dtype=np.int64),
            items=np.zeros(len(problem.keys), dtype=np.int64),
            keys=np.empty(problem.keys.shape[1] if parameters.random_thresholds else 0, dtype=np.int64),
        ),
        loss=loss_room_for(problem.keys.shape[1] if has_quantiles(parameters) else 0, most),
    )
