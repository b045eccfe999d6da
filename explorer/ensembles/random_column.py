"""A column of random numbers beside the features: a yardstick, since what it is worth is worth nothing."""

from __future__ import annotations

import numpy as np

from explorer.data.dataset import Dataset
from explorer.ensembles.sample import ROWS, stream
from explorer.explaining.row_form import free_name
from explorer.messages import message


def with_random_column(data: Dataset, seed: int = 0) -> tuple[Dataset, str]:
    """The same rows with one more numeric feature, uniform on [0, 1), and its name.

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
    kinds = {feature.name: feature.kind for feature in data.features}
    kinds |= {data.target.name: "numeric" if data.is_regression else "categorical", name: "numeric"}
    weights = None if data.weights is None else np.asarray(data.weights)
    return Dataset.from_frame(frame, data.target.name, [*features, name], kinds, weights), name
