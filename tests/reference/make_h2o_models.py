"""Fit small models with H2O, and keep what our lines write of them beside H2O's own predictions.

Run it from the top folder, with Java, in an environment of its own; continuous integration only reads the result:

    python3.11 -m venv /tmp/new && /tmp/new/bin/pip install h2o==3.46.0.12 "pandas<3" pyarrow
    /tmp/new/bin/python tests/reference/make_h2o_models.py
"""

from __future__ import annotations

import json
import os
import pathlib
import tempfile

import h2o
import numpy as np
import pandas as pd
from h2o.estimators import H2OGradientBoostingEstimator, H2ORandomForestEstimator

N = 200
FEATURES = ["width", "city", "rooms"]
GBM, DRF = H2OGradientBoostingEstimator, H2ORandomForestEstimator
SMALL = {"ntrees": 4, "max_depth": 4, "min_rows": 3.0, "seed": 1}
CASES = {
    "GBM, two classes": (GBM, "two", {}),
    "GBM, three classes": (GBM, "label", {}),
    "GBM of numbers": (GBM, "y", {}),
    "GBM, rates": (GBM, "y", {"learn_rate": 0.5, "learn_rate_annealing": 0.9, "sample_rate": 0.7}),
    "GBM, Poisson": (GBM, "count", {"distribution": "poisson"}),
    "GBM, Tweedie": (GBM, "count", {"distribution": "tweedie"}),
    "GBM, Laplace": (GBM, "y", {"distribution": "laplace"}),
    "GBM, Huber": (GBM, "y", {"distribution": "huber"}),
    "GBM, missing or not": (GBM, "y", {}),
    "DRF, two classes": (DRF, "two", {}),
    "DRF of numbers": (DRF, "y", {}),
    "DRF, three classes": (DRF, "label", {}),
    "DRF, double trees": (DRF, "two", {"binomial_double_trees": True}),
    "codes by a threshold": (GBM, "y", {"nbins_cats": 2}),
}


def table(name):
    """200 rows: numbers with gaps, seven names with gaps, whole numbers; classes, counts, numbers."""
    rng = np.random.default_rng(11)
    frame = pd.DataFrame({"width": rng.normal(size=N).round(1), "city": rng.choice([*"dbcaef", "é <b>"], N)})
    frame["rooms"] = rng.integers(-2, 5, N)
    score = frame["width"] * 2 + (frame["city"] == "a") * 3 - frame["city"].isin(["d", "é <b>"]) * 2
    score += (frame["rooms"] == 2) * 2 + rng.normal(size=N) / 3
    gaps = rng.random(N) < 0.2
    score += 9 * gaps * (name == "GBM, missing or not")
    frame["label"] = np.where(score > 2.5, "yes", np.where(score > 0.5, "may be", "no"))
    frame["two"], frame["y"] = np.where(score > 1, "yes", "no"), score.round(3)
    frame["count"] = np.maximum(score.round(), 0.0)
    frame.loc[gaps, "width"] = np.nan
    frame.loc[rng.random(N) < 0.15, "city"] = None
    return frame


def framed(rows):
    """Rows as H2O reads them, in Parquet: its reader of CSV changes the last digit of some numbers."""
    kinds = {column: "enum" if column in ("city", "label", "two") else "numeric" for column in rows}
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "rows.parquet"
        rows.astype({column: float for column, kind in kinds.items() if kind == "numeric"}).to_parquet(path)
        return h2o.import_file(str(path), col_types=kinds)


def rows_to_predict(frame, thresholds):
    """240 rows: those of the table, others with cells missing or unknown, and thresholds with their neighbours."""
    rng = np.random.default_rng(5)
    rows = frame.iloc[rng.integers(0, N, 240)].reset_index(drop=True)[FEATURES].astype({"rooms": float})
    at = rng.permutation(240)[: 8 * len(thresholds)]
    for row, threshold in zip(at, thresholds * 8, strict=False):
        exact = float(np.float32(threshold))
        rows.loc[row, "width"] = [exact, np.nextafter(exact, -99), np.nextafter(exact, 99), threshold][row % 4]
    rows.loc[rng.random(240) < 0.15, "width"] = np.nan
    rows.loc[rng.random(240) < 0.1, "rooms"] = np.nan
    rows.loc[rng.random(240) < 0.15, "city"] = None
    rows.loc[rng.random(240) < 0.1, "city"] = "zzz"
    rows.loc[rng.random(240) < 0.1, "rooms"] = 77.0
    return rows


def written(model):
    """What our lines write."""
    source = pathlib.Path("explorer/foreign/snippets.py").read_text("utf-8")
    lines = source.split('H2O_SNIPPET = """\\\n')[1].split('"""')[0]
    here = pathlib.Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            exec(lines, {"model": model})
            return json.loads(pathlib.Path("model.json").read_text("utf-8"))
        finally:
            os.chdir(here)


def case_of(name, kind, target, given):
    frame = table(name)
    model = kind(**{**SMALL, **given})
    model.train(x=FEATURES, y=target, training_frame=framed(frame))
    content = written(model)
    splits = [
        threshold
        for of_round in content["rounds"]
        for tree in of_round
        for feature, threshold in zip(tree["features"], tree["thresholds"], strict=True)
        if feature == "width" and threshold is not None
    ]
    rows = rows_to_predict(frame, sorted(set(splits)))
    read = framed(rows)
    # H2O keeps some numbers with another last digit: the rows are those that it has.
    lines = read["width"].get_frame_data().splitlines()[1:]
    rows["width"] = [float(line.strip('"')) if line.strip('"') else np.nan for line in lines]
    answers = model.predict(read).as_data_frame()
    numbers = answers["predict"] if target in ("y", "count") else answers.drop(columns="predict")
    cells = {column: [None if pd.isna(cell) else cell for cell in rows[column].tolist()] for column in rows}
    print(name, sum(cell in set(map(float, np.float32(splits))) for cell in cells["width"]))
    return {"name": name, "rows": cells, "predictions": numbers.to_numpy().tolist(), "content": content}


if __name__ == "__main__":
    from make_foreign_models import write

    h2o.init(port=54999, nthreads=1, max_mem_size="2g", log_level="ERRR")
    h2o.no_progress()
    try:
        write("h2o", h2o.__version__, [case_of(name, *case) for name, case in CASES.items()])
    finally:
        h2o.cluster().shutdown()
