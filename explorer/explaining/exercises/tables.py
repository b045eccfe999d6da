"""Tables for sums by hand: some rows of a larger one, or a small one made by seed."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pandas as pd

from explorer.data.codes.scale import Dates
from explorer.data.dataset import Dataset
from explorer.errors import InputError
from explorer.growing.decide import decide
from explorer.growing.grow import grow
from explorer.messages import message
from explorer.recipe.recipe import ID3

MOST_ROWS, MOST_FEATURES = 17, 5
MOST_VALUES = 5
"""A category or class beyond so many makes too many branches or columns."""
_CLEAR_MARGIN = 0.02
"""In bits; a smaller lead of the best gain is close to a tie."""


def by_hand(data: Dataset, seed: int, rows: Sequence[int] | None = None) -> Dataset:
    """Rows of a table (None: all) that can be worked through by hand: at most 17 complete ones, at most 5 features.

    More rows are sampled by seed and stay in their order. Raises InputError where too little is left.
    """
    draw = random.Random(seed)
    positions = range(data.n_rows) if rows is None else rows
    features = _features_by_hand(data, draw)
    frame = data.frame[[*features, data.target.name]].iloc[list(positions)].dropna()
    if len(frame) > MOST_ROWS:
        frame = frame.iloc[sorted(draw.sample(range(len(frame)), MOST_ROWS - 3))]
    names = [name for name in features if frame[name].nunique() > 1]
    if len(frame) < 4 or not names or frame[data.target.name].nunique() < 2:
        raise InputError(message("Too few different rows are left for an exercise. Choose another table or node."))
    kinds = {feature.name: feature.given_kind for feature in (*data.features, data.target)}
    chosen = {name: kinds[name] for name in (*names, data.target.name)}
    frame = frame[[*names, data.target.name]].reset_index(drop=True)
    return Dataset.from_frame(frame, data.target.name, features=names, kinds=chosen)


def _features_by_hand(data: Dataset, draw: random.Random) -> list[str]:
    """Features with few categories, and numeric ones; of many, some by seed, in their order.

    Dates are none of them: they would stand there as numbers of days.
    """
    some = [feature for feature in data.features if not isinstance(feature.scale, Dates)]
    usable = [feature.name for feature in some if feature.kind == "numeric" or feature.n_values <= MOST_VALUES]
    if len(usable) <= MOST_FEATURES:
        return usable
    drawn = set(draw.sample(usable, MOST_FEATURES))
    return [name for name in usable if name in drawn]


def random_table(seed: int, is_regression: bool = False) -> Dataset:
    """A small table made by seed: 12 rows, three attributes and a numeric column, the best gain ahead of all others.

    >>> random_table(7).n_rows, random_table(7).fingerprint == random_table(7).fingerprint
    (12, True)
    """
    draw = random.Random(seed)
    while True:
        data = _draft(draw, is_regression)
        if data is not None and (is_regression or _is_clear(data)):
            return data


def _draft(draw: random.Random, is_regression: bool) -> Dataset | None:
    """Rows at random in which size and weight say something about the target; None where a value is too rare."""
    colour, size, shape, weight = message("Colour"), message("Size"), message("Shape"), message("Weight")
    target = message("Price") if is_regression else message("Sold")
    colours = [message("red"), message("green"), message("blue")]
    sizes, shapes = [message("small"), message("large")], [message("round"), message("oval")]
    rows = []
    for number in draw.sample(range(20, 60), 12):
        picks = draw.randrange(3), draw.randrange(2), draw.randrange(2)
        score = number / 20 + 2 * picks[1] + (picks[0] == 0) + draw.randrange(3)
        result: object = round(score) if is_regression else (message("yes") if score > 4.0 else message("no"))
        rows.append((colours[picks[0]], sizes[picks[1]], shapes[picks[2]], 2 * number, result))
    frame = pd.DataFrame(rows, columns=[colour, size, shape, weight, target])
    counts = [frame[name].value_counts() for name in (colour, size, shape)]
    has_all = [len(each) for each in counts] == [3, 2, 2] and min(int(each.min()) for each in counts) >= 2
    if not has_all or frame[target].nunique() < 2 or (not is_regression and frame[target].value_counts().min() < 4):
        return None
    kinds = {weight: "numeric", target: "numeric" if is_regression else "categorical"}
    return Dataset.from_frame(frame, target, features=[colour, size, shape, weight], kinds=kinds)


def _is_clear(data: Dataset) -> bool:
    """Whether the best attribute leads clearly, and all of them say something."""
    tree = grow(data, ID3.replace(numeric="leave_out"))
    gains = np.sort([candidate.gain for candidate in decide(tree, data, 0).candidates])[::-1]
    return bool(gains[0] - gains[1] > _CLEAR_MARGIN and gains[-1] > 1e-9 and gains[0] < 0.9)
