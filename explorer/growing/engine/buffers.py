"""Working memory of one thread, and the columns of its table of results."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from explorer.growing.engine.problem import Problem
from explorer.recipe.parameters import GrowParameters
from explorer.recipe.split_score import BY_SQUARED_SHARE

GAIN, SPLIT_INFO, FIRST, SECOND, N_ADMISSIBLE = 0, 1, 2, 3, 4
RESULT_WIDTH = 5


class Buffers(NamedTuple):
    """Working memory of one thread, so that scanning allocates nothing."""

    results: NDArray[np.float64]
    scores: NDArray[np.float64]
    state: NDArray[np.float64]
    left: NDArray[np.float64]
    missing: NDArray[np.float64]
    known: NDArray[np.float64]
    one: NDArray[np.float64]
    other: NDArray[np.float64]
    groups: NDArray[np.float64]
    order: NDArray[np.int64]
    order_before: NDArray[np.int64]
    order_keys: NDArray[np.float64]
    category_codes: NDArray[np.int64]
    category_weights: NDArray[np.float64]
    known_weights: NDArray[np.float64]
    category_stats: NDArray[np.float64]
    known_stats: NDArray[np.float64]
    stand_ins: NDArray[np.int64]
    medians: NDArray[np.float64]
    halves: NDArray[np.float64]


def scratch_for(problem: Problem, rules: GrowParameters) -> Buffers:
    """Fresh working memory for this problem."""
    size = (2 if rules.score == BY_SQUARED_SHARE else 1) if rules.regression else rules.n_stats
    categorical = problem.n_values[problem.tests != 0]
    most = int(categorical.max(initial=0))
    return Buffers(
        results=np.full((len(problem.keys), RESULT_WIDTH), np.nan),
        scores=np.zeros(len(problem.keys)),
        state=np.zeros(4),
        left=np.zeros(size),
        missing=np.zeros(size),
        known=np.zeros(size),
        one=np.zeros(size),
        other=np.zeros(size),
        groups=np.zeros(4),
        order=np.zeros(most, dtype=np.int64),
        order_before=np.zeros(most, dtype=np.int64),
        order_keys=np.zeros(most),
        category_codes=np.zeros(most, dtype=np.int64),
        category_weights=np.zeros(most),
        known_weights=np.zeros(most),
        category_stats=np.zeros((most, size)),
        known_stats=np.zeros(rules.n_stats),
        stand_ins=np.zeros(size, dtype=np.int64),
        medians=np.zeros(size + 1),
        halves=np.zeros(size + 1),
    )
