"""Random numbers of an ensemble: one Philox stream per member and purpose (DEFINITIONS section 16).

A draw depends on the seed, the member and the purpose alone: not on threads, and not on which member is grown first.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.data.encode import Kind
from explorer.explaining.row_form import free_name
from explorer.messages import message
from explorer.recipe.recipe import Recipe

ROWS, FEATURES, SUBSAMPLE, PERMUTATION = range(4)
"""What a stream is drawn for."""
FEATURE_SEED_BITS = 53
"""Whole numbers of so many bits survive a JSON reader that has floats only."""
MOST_SEED = 2**64 - 1


def stream(seed: int, member: int, purpose: int) -> np.random.Generator:
    """The random numbers of one member for one purpose: Philox with the seed as key and both in its counter.

    >>> stream(0, 3, ROWS).integers(10, size=4).tolist() == stream(0, 3, ROWS).integers(10, size=4).tolist()
    True
    """
    return np.random.Generator(np.random.Philox(key=seed, counter=[0, 0, member, purpose]))


def times_drawn(seed: int, member: int, n_rows: int, n_drawn: int) -> NDArray[np.float64]:
    """How often each of `n_rows` rows is in a sample of `n_drawn` rows drawn with replacement, [n_rows].

    >>> float(times_drawn(0, 1, 14, 14).sum())
    14.0
    """
    rows = stream(seed, member, ROWS).integers(n_rows, size=n_drawn)
    return np.bincount(rows, minlength=n_rows).astype(np.float64)


def times_drawn_once(seed: int, member: int, n_rows: int, n_drawn: int) -> NDArray[np.float64]:
    """1 for each of `n_drawn` rows drawn without replacement, 0 for the others, [n_rows].

    >>> float(times_drawn_once(0, 1, 14, 5).sum())
    5.0
    """
    times = np.zeros(n_rows)
    times[stream(seed, member, SUBSAMPLE).permutation(n_rows)[:n_drawn]] = 1.0
    return times


def feature_seed_of(seed: int, member: int) -> int:
    """The seed from which a member's tree draws the features of its nodes."""
    return int(stream(seed, member, FEATURES).integers(2**FEATURE_SEED_BITS))


def with_own_draws(recipe: Recipe, seed: int, member: int) -> Recipe:
    """The recipe with a `feature_seed` of the member's own, where nodes draw features or thresholds.

    >>> from explorer.recipe.recipe import CART
    >>> with_own_draws(CART, 0, 3) is CART
    True
    """
    if recipe.max_features is None and not recipe.random_thresholds:
        return recipe
    return recipe.replace(feature_seed=feature_seed_of(seed, member))


def with_random_column(data: Dataset, seed: int = 0) -> tuple[Dataset, str]:
    """The same rows with one more numeric feature, uniform on [0, 1), and its name: a yardstick of importance.

    >>> import pandas as pd
    >>> data = Dataset.from_frame(pd.DataFrame({"x": [1, 2, 3], "y": ["a", "b", "a"]}), "y")
    >>> more, name = with_random_column(data)
    >>> name, [feature.name for feature in more.features], more.n_rows
    ('random', ['x', 'random'], 3)
    """
    features = [feature.name for feature in data.features]
    wanted = message("random")
    name = wanted if wanted not in data.frame.columns else free_name(wanted, data.frame.columns)
    numbers = stream(seed, 0, ROWS).random(data.n_rows)
    frame = data.frame[[*features, data.target.name]].assign(**{name: numbers})
    kinds: dict[str, Kind] = {feature.name: feature.given_kind for feature in data.features}
    kinds |= {data.target.name: "numeric" if data.is_regression else "categorical", name: "numeric"}
    weights = None if data.weights is None else np.asarray(data.weights)
    more = Dataset.from_frame(frame, data.target.name, [*features, name], kinds, weights, days_since=data.days_since)
    return replace(more, division=data.division), name
