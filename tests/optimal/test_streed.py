"""STreeD on the same tests, column by column of 0 and 1: the same fewest errors, and the same price per leaf.

Runs where `pystreed` is installed (1.4.0 was; it needs no other program).
"""

import numpy as np
import pandas as pd
import pytest

import explorer as ex

pystreed = pytest.importorskip("pystreed")

TABLES = (
    *("play_tennis", "golf", "loan_lihang", "mammals", "watermelon_2_0", "watermelon_3_0", "iris", "penguins"),
    *("play_tennis_noise15", "golf_missing", "loan_a1a2a3", "mushroom"),
    *("titanic", "vote", "car", "credit_g", "seed004_random", "xor_six_rows", "depth_against_size", "fixed_alpha"),
)
"""The twenty built-in tables with classes whose tests STreeD can have as columns."""
RECIPE = ex.CART.replace(categorical="one_vs_rest")


def complete(name: str) -> tuple[ex.Dataset, np.ndarray, np.ndarray]:
    """The rows without missing cells, and every test of them as a column, [rows, tests]."""
    sample, frame = ex.SAMPLES[name], ex.load_sample(name).frame
    features = list(sample.features or [c for c in frame if c not in (sample.target, *sample.left_out)])
    frame = frame.dropna(subset=[*features, sample.target]).reset_index(drop=True)
    data = ex.Dataset.from_frame(frame, sample.target, features, dict(sample.kinds))
    columns = []
    for feature in data.features:
        values = frame[feature.name]
        if feature.kind == "numeric":
            columns += [values <= value for value in np.unique(values)[:-1]]
        else:
            columns += [values.astype(str) == level for level in np.unique(values.astype(str))]
    return data, np.column_stack(columns).astype(int), pd.factorize(frame[sample.target])[0]


@pytest.mark.slow
@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("name", TABLES)
def test_streed_errs_on_as_few_rows(name, depth):
    data, tests, classes = complete(name)
    model = pystreed.STreeDClassifier("accuracy", max_depth=depth, time_limit=120).fit(tests, classes)
    best = ex.best_subtree(data, depth, RECIPE)
    assert best.is_proven
    assert best.loss == (model.predict(tests) != classes).sum()


@pytest.mark.slow
@pytest.mark.parametrize("price", [0.002, 0.01, 0.04])
@pytest.mark.parametrize("name", ["iris", "titanic", "vote", "car"])
def test_streed_pays_as_much_for_errors_and_leaves(name, price):
    data, tests, classes = complete(name)
    model = pystreed.STreeDClassifier("cost-complex-accuracy", max_depth=3, cost_complexity=price, time_limit=120)
    model.fit(tests, classes)
    theirs = (model.predict(tests) != classes).mean() + price * (model.get_n_leaves())
    best = ex.best_subtree(data, 3, RECIPE, price_per_leaf=price)
    assert best.objective / data.n_rows == pytest.approx(theirs, abs=1e-9)
