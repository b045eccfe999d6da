"""Fit small models with CatBoost, and keep their files beside the library's own predictions.

Run it from the top folder in an environment of its own; continuous integration only reads the result:

    python3.11 -m venv /tmp/new && /tmp/new/bin/pip install catboost==1.2.10 pandas
    /tmp/new/bin/python tests/reference/make_catboost_models.py
"""

from __future__ import annotations

import json
import pathlib
import tempfile

import numpy as np
import pandas as pd

N = 60
CASES = {
    "symmetric": {},
    "depthwise": {"grow_policy": "Depthwise"},
    "lossguide": {"grow_policy": "Lossguide", "max_leaves": 5},
    "missing max": {"nan_mode": "Max"},
    "missing max, depthwise": {"nan_mode": "Max", "grow_policy": "Depthwise"},
    "missing never seen": {},
    "missing or not": {},
    "missing or not, max": {"nan_mode": "Max"},
    "MAE": {"loss_function": "MAE"},
    "Quantile": {"loss_function": "Quantile:alpha=0.7"},
    "Poisson": {"loss_function": "Poisson"},
    "Tweedie": {"loss_function": "Tweedie:variance_power=1.3"},
    "Logloss": {"loss_function": "Logloss"},
    "Logloss, names": {"loss_function": "Logloss"},
    "CrossEntropy": {"loss_function": "CrossEntropy"},
    "MultiClass": {"loss_function": "MultiClass"},
    "MultiClass, names, depthwise": {"loss_function": "MultiClass", "grow_policy": "Depthwise"},
    "scale and bias": {},
    "whole numbers as categories": {},
    "no pool": {},
    "OnlineCtr": {"one_hot_max_size": 2},
    "MultiClassOneVsAll": {"loss_function": "MultiClassOneVsAll"},
}


def table(name):
    """60 rows: numbers with and without gaps, five names, and a score."""
    rng = np.random.default_rng(11)
    frame = pd.DataFrame({"width": rng.normal(size=N).round(1), "length": rng.normal(size=N).round(1)})
    frame.insert(0, "kind", rng.choice([*"dbca", "é <b>"], N))
    frame["rooms"] = rng.integers(-3, 6, N)
    score = frame["width"] * 2 - frame["length"] ** 2 + (frame["kind"] == "a") * 3 - (frame["kind"] == "é <b>") * 2
    score = (score + frame["rooms"] * 0.4 + rng.normal(size=N) / 4).round(3)
    if name != "missing never seen":
        gaps = rng.random(N) < 0.3
        frame.loc[gaps, "length"] = np.nan
        if name.startswith("missing or not"):
            score = score / 10 + 6 * gaps
    if name == "whole numbers as categories":
        frame["kind"] = frame["kind"].map({"d": 7, "b": 5, "c": -2, "a": 9, "é <b>": 30})
    return frame, score


def rows_to_predict(frame, borders):
    """200 rows: those of the table, others with cells missing or unknown, and borders as 32-bit numbers round them."""
    rng = np.random.default_rng(5)
    rows = frame.iloc[rng.integers(0, N, 200)].reset_index(drop=True)
    rows["rooms"] = rows["rooms"].astype(float)
    rows.loc[rng.random(200) < 0.3, "length"] = np.nan
    rows.loc[rng.random(200) < 0.2, "kind"] = 4 if rows["kind"].dtype.kind == "i" else "zzz"
    at = rng.permutation(200)[: 2 * len(borders)]
    for row, (feature, border) in zip(at, borders * 2, strict=False):
        moved = [border, np.nextafter(border, 9.0), border + 1e-9, border - 1e-9]
        rows.loc[row, feature] = moved[int(rng.integers(0, 4))] if abs(border) < 1e30 else 0.0
    return rows


def labels(name, loss, score):
    if loss.startswith("MultiClass"):
        codes = np.digitize(score, np.quantile(score, [0.4, 0.7]))
        return np.array(["low", "middle", "very high"])[codes] if "names" in name else codes
    if loss in ("Logloss", "CrossEntropy"):
        codes = (score > score.median()).astype(int)
        return np.array(["no", "yes"])[codes] if "names" in name else codes
    return (score - score.min()).round() if loss.startswith(("Poisson", "Tweedie")) else score


def saved(fitted, pool):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "model.json"
        fitted.save_model(str(path), format="json", pool=pool)
        content = json.loads(path.read_text("utf-8"))
    for long in ("output_options", "training"):
        content["model_info"].pop(long, None)
    return content


def case_of(name, given):
    import catboost

    frame, score = table(name)
    loss = given.get("loss_function", "RMSE")
    is_class = loss.startswith(("Multi", "Logloss", "Cross"))
    kind = catboost.CatBoostClassifier if is_class else catboost.CatBoostRegressor
    common = {"iterations": 3, "depth": 3, "learning_rate": 0.4, "one_hot_max_size": 10, "random_seed": 1}
    fitted = kind(**{**common, "verbose": False, "allow_writing_files": False, "thread_count": 1, **given})
    pool = catboost.Pool(frame, labels(name, loss, score), cat_features=["kind"])
    fitted.fit(pool)
    if name == "scale and bias":
        fitted.set_scale_and_bias(2.0, 1.0)
    content = saved(fitted, None if name == "no pool" else pool)
    floats = content["features_info"]["float_features"]
    borders = [(each["feature_name"], b) for each in floats for b in each["borders"]] if name != "no pool" else []
    rows = rows_to_predict(frame, borders)
    predictions = fitted.predict_proba(rows) if is_class else fitted.predict(rows)
    cells = {column: [None if pd.isna(cell) else cell for cell in rows[column].tolist()] for column in rows}
    return {"name": name, "rows": cells, "predictions": np.asarray(predictions).tolist(), "content": content}


if __name__ == "__main__":
    import catboost
    from make_foreign_models import write

    write("catboost", catboost.__version__, [case_of(*item) for item in CASES.items()])
