"""Fit small models with LightGBM, and keep their files beside the library's own predictions.

Run it from the top folder in an environment of its own; continuous integration only reads the result:

    python3.11 -m venv /tmp/new && /tmp/new/bin/pip install lightgbm==4.7.0 pandas scikit-learn
    /tmp/new/bin/python tests/reference/make_lightgbm_models.py
"""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd

N = 60
KEPT = {"min_data_in_leaf": 3, "min_data_per_group": 1, "cat_smooth": 1, "verbose": -1, "num_threads": 1, "seed": 3}
RF = {"boosting": "rf", "bagging_freq": 1, "bagging_fraction": 0.6}
CASES = {
    "regression": {},
    "regression, no bias": {"boost_from_average": False},
    "missing none": {"use_missing": False},
    "missing zero": {"zero_as_missing": True},
    "regression_l1": {"objective": "regression_l1"},
    "huber": {"objective": "huber"},
    "fair": {"objective": "fair"},
    "quantile": {"objective": "quantile", "alpha": 0.7},
    "mape": {"objective": "mape"},
    "poisson": {"objective": "poisson"},
    "gamma": {"objective": "gamma"},
    "tweedie": {"objective": "tweedie", "tweedie_variance_power": 1.3},
    "binary": {"objective": "binary"},
    "binary, sigmoid 2": {"objective": "binary", "sigmoid": 2.0},
    "multiclass": {"objective": "multiclass", "num_class": 3},
    "cross_entropy": {"objective": "cross_entropy"},
    "lambdarank": {"objective": "lambdarank"},
    "rf": RF,
    "rf, binary": {"objective": "binary", **RF},
    "rf, multiclass": {"objective": "multiclass", "num_class": 3, **RF},
    "dart": {"boosting": "dart", "drop_rate": 0.5},
    "goss": {"data_sample_strategy": "goss"},
    "one leaf": {"min_data_in_leaf": 1000},
    "codes": {},
    "multiclassova": {"objective": "multiclassova", "num_class": 3},
    "cross_entropy_lambda": {"objective": "cross_entropy_lambda"},
    "sqrt": {"reg_sqrt": True},
    "linear": {"linear_tree": True},
    "ordered": {},
}
POSITIVE = ("poisson", "gamma", "tweedie", "mape", "sqrt")


def table():
    """60 rows: numbers with and without gaps, many zeros, names and whole numbers as categories, and a score."""
    rng = np.random.default_rng(11)
    frame = pd.DataFrame({"width": rng.normal(size=N).round(1), "length": rng.normal(size=N).round(1)})
    frame["kind"] = pd.Categorical(rng.choice([*"dbca", "é <b>"], N), categories=[*"dbca", "é <b>"])
    frame["rooms"] = np.where(rng.random(N) < 0.4, 0, rng.integers(-3, 6, N))
    frame["size"] = pd.Categorical(rng.choice([9, 7, 5], N), categories=[9, 7, 5])
    score = (
        frame["width"] * 2
        - frame["length"] ** 2
        + frame["kind"].cat.codes % 3 * 2
        + frame["rooms"] * (frame["rooms"] < 2)
    )
    score = (score + frame["size"].cat.codes + rng.normal(size=N) / 4).round(3)
    frame.loc[rng.random(N) < 0.2, "length"] = np.nan
    frame.loc[rng.random(N) < 0.1, "kind"] = np.nan
    return frame, score


def rows_to_predict(frame, booster):
    """200 rows: those of the table, moved ones, others with cells missing or unknown, and with thresholds."""
    rng = np.random.default_rng(5)
    rows = frame.iloc[rng.integers(0, N, 200)].reset_index(drop=True).astype({"kind": object, "size": object})
    rows["rooms"] = rows["rooms"].astype(float)
    for name in ("width", "length", "rooms"):
        rows.loc[rng.random(200) < 0.15, name] = np.nan
        rows.loc[rng.random(200) < 0.1, name] = 0.0
        rows.loc[rng.random(200) < 0.1, name] += 0.05
    for name, others in (("kind", ["zzz", None]), ("size", [4, None])):
        rows.loc[rng.random(200) < 0.2, name] = rng.choice(np.array(others, dtype=object))
    tests = booster.trees_to_dataframe().dropna(subset=["split_feature"])
    at = rng.permutation(200)
    tests = tests[tests["decision_type"] == "<="]
    for row, feature, threshold in zip(at, tests["split_feature"], tests["threshold"], strict=False):
        rows.loc[row, feature] = np.nextafter(float(threshold), rng.choice([-np.inf, np.inf]) if row % 3 else 9.0)
    return rows


def labels(name, given, score):
    objective = given.get("objective", name)
    if objective in ("multiclass", "multiclassova", "lambdarank"):
        return np.digitize(score, np.quantile(score, [0.4, 0.7]))
    if objective == "binary":
        return (score > score.median()).astype(int)
    if objective.startswith("cross_entropy"):
        return (score - score.min()) / (score.max() - score.min())
    return score - score.min() + 0.5 if name in POSITIVE else score


def as_trained(frame, rows):
    """The rows with the columns of categories as LightGBM takes them: it recodes them by name."""
    typed = rows.copy()
    for name in ("kind", "size"):
        if isinstance(frame[name].dtype, pd.CategoricalDtype):
            typed[name] = pd.Categorical(rows[name])
    return typed


def case_of(name, given):
    import lightgbm

    frame, score = table()
    if name == "codes":
        frame = frame.assign(kind=frame["kind"].cat.codes, size=frame["size"].cat.codes + 30)
    if name == "ordered":
        frame["size"] = frame["size"].cat.as_ordered()
    if name == "linear":
        frame = frame[["width", "length", "rooms"]]
    options = {"categorical_feature": ["kind", "size"]} if name == "codes" else {}
    if name == "lambdarank":
        options["group"] = [20, 20, 20]
    data = lightgbm.Dataset(frame, labels(name, given, score), **options)
    booster = lightgbm.train({**KEPT, "num_leaves": 5, "learning_rate": 0.3, **given}, data, 4)
    case = {"name": name, "text": booster.model_to_string(), "dump": booster.dump_model()}
    if name in ("linear", "ordered"):
        return case | {"rows": {}, "predictions": []}
    if name == "codes":
        coded = frame.astype({"kind": object, "size": object})
        rows = rows_to_predict(coded, booster).replace({"kind": {"zzz": 17}})
        predictions = booster.predict(rows.astype(float))
    else:
        rows = rows_to_predict(frame, booster)
        predictions = booster.predict(as_trained(frame, rows))
    cells = {column: [None if pd.isna(cell) else cell for cell in rows[column].tolist()] for column in rows}
    return case | {"rows": cells, "predictions": predictions.tolist()}


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    import lightgbm
    from make_foreign_models import write

    write("lightgbm", lightgbm.__version__, [case_of(*item) for item in CASES.items()])
