"""Random tables as users have them: columns of every type, with names that an export uses itself."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import explorer as ex
from tests.oracles.used_trees import NASTY, UNSEEN

NAMES = ["tree node", "share of a", "predicted goal", "leaf", "average", "t", "share0", "select", *NASTY[:9]]
VALUES: list[list[Any]] = [
    [-0.55, 0.11, 0.27, 1.63],
    [0, 1, 2, 3, 4, 5],
    [0.1, 0.1 + 1e-9, 0.1 + 2e-9],
    [1e17, 2e17, 4e17],
    [2**52 + 1, 2**52 + 2, 2**52 + 5],
    [True, False],
    ["red", "it's", "x, y", "Grün"],
    ["1", "2", "10", "3"],
    ["01067", "1067", "00001"],
    ["none", "missing", "yes"],
    ["A", "a", "B"],
]
POLICIES = ["drop", "most_common", "fractional", "surrogate", "own_branch", "default_direction"]


def odd_case(seed: int) -> tuple[ex.Tree, pd.DataFrame]:
    """A tree of any recipe and rows for it: its training rows, the same cells mixed, missing and unseen ones."""
    rng = np.random.default_rng(seed)
    n_rows = int(rng.integers(6, 18))
    names = [str(name) for name in rng.choice(NAMES, int(rng.integers(2, 5)), replace=False)]
    frame = pd.DataFrame({name: _column(rng, n_rows) for name in names[:-1]})
    is_regression = rng.random() < 0.3
    goal = rng.choice([1.5, 2.0, 7.25] if is_regression else ["a", "b", "A"], n_rows)
    goal[:2] = [1.5, 2.0] if is_regression else ["a", "b"]
    recipe = ex.CART if is_regression else [ex.CART, ex.C45, ex.ID3][rng.integers(3)]
    recipe = recipe.replace(
        missing=str(rng.choice(POLICIES)),
        unseen=str(rng.choice(UNSEEN)),
        categorical=str(rng.choice(["each_value", "subset", "one_vs_rest"])),
        numeric=str(rng.choice(["threshold", "bins", "each_value"])),
        threshold_at=str(rng.choice(["midpoint", "observed", "c45"])),
        costs=None if is_regression or rng.random() < 0.7 else {"a": {"b": 3.0}},
    )
    weights = rng.choice([1.0, 0.1, 0.3, 2.0], n_rows)
    tree = ex.grow(ex.Dataset.from_frame(frame.assign(goal=goal), "goal", names[:-1], weights=weights), recipe)
    mixed = frame.apply(lambda column: column.sample(frac=1, random_state=seed).to_numpy())
    rows = pd.concat([frame, mixed], ignore_index=True)
    for name in names[:-1]:
        rows[name] = rows[name].astype(object)
        rows.loc[int(rng.integers(len(rows))), name] = None
        if isinstance(frame[name].dropna().iloc[0], str) and not frame[name].dropna().str.isdecimal().all():
            rows.loc[len(rows) - 2 :, name] = [" red ", "new one"]
    return tree, rows.assign(**{names[-1]: "other"})


def _column(rng: np.random.Generator, n_rows: int) -> pd.Series:
    """Cells of one type, some of them missing; two different ones at least."""
    values = VALUES[rng.integers(len(VALUES))]
    cells = [values[i] for i in rng.integers(len(values), size=n_rows)]
    cells[:2] = values[:2]
    is_missing = rng.random(n_rows) < (0.2 if rng.random() < 0.4 else 0.0)
    is_missing[:2] = False
    return pd.Series([None if gone else cell for cell, gone in zip(cells, is_missing, strict=True)], dtype=object)


def imported_case(seed: int) -> tuple[ex.Tree, pd.DataFrame, list[Any]]:
    """A tree that scikit-learn has fitted on odd numbers, rows for it, and what scikit-learn predicts for them."""
    rng = np.random.default_rng(seed)
    n_rows = int(rng.integers(6, 30))
    names = [str(name) for name in rng.choice(NAMES, int(rng.integers(1, 4)), replace=False)]
    values = [VALUES[i] for i in rng.integers(0, 5, len(names))]
    frame = pd.DataFrame({name: rng.choice(v, n_rows) for name, v in zip(names, values, strict=True)}, dtype=float)
    if rng.random() < 0.5:
        frame = frame.mask(rng.random(frame.shape) < 0.2)
    limits = {"max_leaf_nodes": [None, 4][rng.integers(2)], "splitter": ["best", "random"][rng.integers(2)]}
    if frame.isna().to_numpy().any():
        limits["splitter"] = "best"
    if rng.random() < 0.3:
        fitted = DecisionTreeRegressor(random_state=seed, **limits).fit(frame, rng.choice([1.5, 2.0, 7.25], n_rows))
    else:
        classes = [["b", "a", "A"], [0, 1], [True, False]][rng.integers(3)]
        fitted = DecisionTreeClassifier(random_state=seed, **limits).fit(frame, rng.choice(classes, n_rows))
    rows = pd.concat([frame, frame.apply(lambda column: column.sample(frac=1, random_state=seed).to_numpy())])
    near = fitted.tree_.threshold[np.isfinite(fitted.tree_.threshold)]
    for name in names:
        rows[name] = np.where(
            rng.random(len(rows)) < 0.3, np.nextafter(rng.choice(near, len(rows)), np.inf), rows[name]
        )
    return ex.Tree.from_sklearn(fitted), rows.reset_index(drop=True), fitted.predict(rows).tolist()
