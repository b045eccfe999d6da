"""Fit small models with YDF, and keep their folders beside YDF's own predictions.

Run it from the top folder in an environment of its own; continuous integration only reads the result:

    python3.11 -m venv /tmp/new && /tmp/new/bin/pip install ydf==0.16.1 "pandas<3"
    /tmp/new/bin/python tests/reference/make_ydf_models.py
"""

from __future__ import annotations

import base64
import pathlib
import tempfile

import numpy as np
import pandas as pd
import ydf

N = 200
FEATURES = ["width", "city", "is_new", "rooms"]
BOOST = {"num_trees": 4, "max_depth": 4, "validation_ratio": 0.0}
FEW = {"num_trees": 4, "max_depth": 6, "compute_oob_performances": False}
NUMBERS = {"label": "y", "task": ydf.Task.REGRESSION}
CASES = {
    "CART": ("CartLearner", {"min_examples": 2}),
    "CART of numbers": ("CartLearner", {"min_examples": 2, **NUMBERS}),
    "forest, votes": ("RandomForestLearner", FEW),
    "forest, shares": ("RandomForestLearner", {**FEW, "winner_take_all": False}),
    "forest of numbers": ("RandomForestLearner", {**FEW, **NUMBERS}),
    "forest, weights": ("RandomForestLearner", {**FEW, "weights": "weight", "winner_take_all": False}),
    "boosting, two classes": ("GradientBoostedTreesLearner", {**BOOST, "label": "two"}),
    "boosting, three classes": ("GradientBoostedTreesLearner", BOOST),
    "boosting of numbers": ("GradientBoostedTreesLearner", {**BOOST, **NUMBERS}),
    "boosting, Poisson": ("GradientBoostedTreesLearner", {**BOOST, **NUMBERS, "label": "count", "loss": "POISSON"}),
    "boosting, mean absolute error": (
        "GradientBoostedTreesLearner",
        {**BOOST, **NUMBERS, "loss": "MEAN_AVERAGE_ERROR"},
    ),
    "boosting, focal": ("GradientBoostedTreesLearner", {**BOOST, "label": "two", "loss": "BINARY_FOCAL_LOSS"}),
    "local imputation": ("CartLearner", {"min_examples": 2, "missing_value_policy": "LOCAL_IMPUTATION"}),
    "is missing": ("CartLearner", {"min_examples": 2, "allow_na_conditions": True, **NUMBERS}),
    "bins": ("CartLearner", {"min_examples": 2, "discretize_numerical_columns": True}),
    "one against the rest": ("RandomForestLearner", {**FEW, "categorical_algorithm": "ONE_HOT"}),
    "numbers as categories": ("RandomForestLearner", {**FEW, **NUMBERS}),
    "oblique": ("CartLearner", {"min_examples": 2, "split_axis": "SPARSE_OBLIQUE"}),
    "words": ("CartLearner", {"min_examples": 2}),
    "isolation": ("IsolationForestLearner", {"num_trees": 2}),
}

SLOW = ("is missing", "local imputation", "one against the rest")
"""Cases for which YDF has no fast engine."""


def table(name):
    """200 rows: numbers with gaps, seven names with gaps, a truth value, whole numbers; classes, counts, numbers."""
    rng = np.random.default_rng(11)
    frame = pd.DataFrame({"width": rng.normal(size=N).round(1), "city": rng.choice([*"dbcaef", "é <b>"], N)})
    frame["is_new"], frame["rooms"] = rng.random(N) < 0.5, rng.integers(-2, 5, N)
    score = frame["width"] * 2 + (frame["city"] == "a") * 3 - frame["city"].isin(["d", "é <b>"]) * 2
    score += frame["is_new"] * 1.5 + (frame["rooms"] == 2) * 2 + rng.normal(size=N) / 3
    gaps = rng.random(N) < 0.2
    score += 6 * gaps * (name == "is missing")
    frame["label"] = np.where(score > 2.5, "yes", np.where(score > 0.5, "may be", "no"))
    frame["two"], frame["y"], frame["count"] = (score > 1) * 1, score.round(3), np.maximum(score.round(), 0.0)
    frame["weight"] = rng.choice([0.5, 1.0, 2.0], N)
    frame.loc[gaps, "width"] = np.nan
    frame.loc[rng.random(N) < 0.15, "city"] = None
    if name == "words":
        frame["words"] = [["new", "large"] if each else ["old", "small"] for each in score > 1]
    return frame


def rows_to_predict(frame, thresholds):
    """240 rows: those of the table, others with cells missing or unknown, and thresholds with their neighbours."""
    rng = np.random.default_rng(5)
    rows = frame.iloc[rng.integers(0, N, 240)].reset_index(drop=True)[FEATURES]
    at = rng.permutation(240)[: 8 * len(thresholds)]
    for row, threshold in zip(at, thresholds * 8, strict=False):
        near = [np.nextafter(np.float32(threshold), np.float32(side)) for side in (-99, 99)]
        moved = [threshold, *map(float, near), np.nextafter(threshold, -99), np.nextafter(threshold, 99)]
        rows.loc[row, "width"] = [*moved, (near[0] + np.float64(threshold)) / 2][row % 6]
    rows.loc[rng.random(240) < 0.15, "width"] = np.nan
    rows.loc[rng.random(240) < 0.15, "city"] = None
    rows.loc[rng.random(240) < 0.1, "city"] = "zzz"
    rows.loc[rng.random(240) < 0.1, "rooms"] = 77
    return rows


def thresholds_of(model):
    """Those of the first feature."""
    found = set()
    for tree in model.get_all_trees():
        waiting = [tree.root]
        while waiting:
            node = waiting.pop()
            if not node.is_leaf:
                waiting += [node.neg_child, node.pos_child]
                condition = node.condition
                if hasattr(condition, "threshold") and getattr(condition, "attribute", None) == 0:
                    found.add(float(condition.threshold))
    return sorted(found)


def files_of(model):
    with tempfile.TemporaryDirectory() as folder:
        model.save(folder)
        paths = sorted(pathlib.Path(folder).iterdir())
        return {path.name: base64.b64encode(path.read_bytes()).decode() for path in paths}


def case_of(name, learner, given):
    frame = table(name)
    features = [*FEATURES, "words"] if name == "words" else FEATURES
    if name == "numbers as categories":
        features = ["width", "city", "is_new", ydf.Feature("rooms", ydf.Semantic.CATEGORICAL)]
    if name == "words":
        features = [*FEATURES, ydf.Feature("words", ydf.Semantic.CATEGORICAL_SET)]
    common = {"features": features, "num_threads": 1, "random_seed": 1, "min_vocab_frequency": 2, "label": "label"}
    if learner == "IsolationForestLearner":
        del common["label"]
    model = getattr(ydf, learner)(**{**common, **given}).train(frame)
    print(name)
    case = {"name": name, "files": files_of(model)}
    if name in ("oblique", "words", "isolation"):
        return case
    rows = rows_to_predict(frame, thresholds_of(model) if name != "bins" else [])
    predicted = model.predict(rows, use_slow_engine=name in SLOW)
    if model.task() == ydf.Task.CLASSIFICATION and predicted.ndim == 1:
        predicted = np.column_stack([1 - predicted.astype(float), predicted])
    cells = {column: [None if pd.isna(cell) else cell for cell in rows[column].tolist()] for column in rows}
    return {**case, "rows": cells, "predictions": predicted.astype(float).round(9).tolist()}


if __name__ == "__main__":
    from make_foreign_models import write

    ydf.verbose(0)
    write("ydf", ydf.__version__, [case_of(name, *case) for name, case in CASES.items()])
