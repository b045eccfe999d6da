"""Fit small models with Spark ML, and keep their folders beside Spark's own predictions.

Run it from the top folder, with Java, in an environment of its own; continuous integration only reads the result:

    python3.11 -m venv /tmp/new && /tmp/new/bin/pip install pyspark==4.3.0 "pandas<3" pyarrow
    /tmp/new/bin/python tests/reference/make_spark_models.py
"""

from __future__ import annotations

import base64
import os
import pathlib
import sys
import tempfile

import numpy as np
import pandas as pd
from pyspark.ml import Pipeline, classification, feature, regression
from pyspark.ml.linalg import Vectors
from pyspark.sql import SparkSession

N = 120
KEEP = {"handleInvalid": "keep"}
SCHEMA = "width double, city string, rooms double, floor int, label string, y double, weight double"
CASES = {
    "tree": ("DecisionTreeClassifier", {"maxDepth": 4}),
    "tree, not pruned": ("DecisionTreeClassifier", {"maxDepth": 4, "pruneTree": False, "impurity": "entropy"}),
    "tree of numbers": ("DecisionTreeRegressor", {"maxDepth": 4}),
    "tree, weights": ("DecisionTreeClassifier", {"maxDepth": 3, "weightCol": "weight"}),
    "forest": ("RandomForestClassifier", {"numTrees": 4, "maxDepth": 4, "seed": 1}),
    "forest of numbers": ("RandomForestRegressor", {"numTrees": 4, "maxDepth": 4, "seed": 1}),
    "boosting": ("GBTClassifier", {"maxIter": 4, "maxDepth": 3, "seed": 1}),
    "boosting of numbers": ("GBTRegressor", {"maxIter": 4, "maxDepth": 3, "seed": 1, "lossType": "absolute"}),
    "boosting, a step of 1": ("GBTRegressor", {"maxIter": 3, "maxDepth": 2, "stepSize": 1.0}),
    "indexed numbers": ("RandomForestClassifier", {"numTrees": 3, "maxDepth": 4, "seed": 1}),
    "numbers as texts": ("DecisionTreeClassifier", {"maxDepth": 5}),
    "label kept": ("DecisionTreeClassifier", {"maxDepth": 3}),
    "errors": ("DecisionTreeClassifier", {"maxDepth": 4}),
    "without its pipeline": ("RandomForestClassifier", {"numTrees": 3, "maxDepth": 4, "seed": 1}),
    "within pipelines": ("GBTClassifier", {"maxIter": 2, "maxDepth": 3, "seed": 1}),
    "thresholds": ("DecisionTreeClassifier", {"maxDepth": 2}),
    "scaled": ("DecisionTreeClassifier", {"maxDepth": 2}),
    "another model": ("LogisticRegression", {"maxIter": 2}),
}


def table():
    """120 rows: numbers with many and with few values, seven names, three classes."""
    rng = np.random.default_rng(11)
    frame = pd.DataFrame({"width": rng.normal(size=N).round(1), "city": rng.choice([*"dbcaef", "é <b>"], N)})
    frame["rooms"] = rng.choice([-2.5, 0.0, 1.0, 3.0, 7.0], N)
    frame["floor"] = rng.choice([-1, 2, 3, 10], N)
    score = frame["width"] * 2 + (frame["city"] == "a") * 3 - frame["city"].isin(["d", "é <b>"]) * 2
    score += np.abs(frame["rooms"]) / 2 + (frame["floor"] == 2) * 2 + rng.normal(size=N) / 3
    frame["label"] = np.where(score > 2.5, "yes", np.where(score > 0.5, "may be", "no"))
    frame["y"], frame["weight"] = score.round(3), rng.choice([0.5, 1.0, 2.0], N)
    return frame


def rows_to_predict(frame, thresholds, is_whole):
    """240 rows: those of the table, others with cells missing or unknown, and thresholds with their neighbours."""
    rng = np.random.default_rng(5)
    rows = frame.iloc[rng.integers(0, N, 240)].reset_index(drop=True)[["width", "city", "rooms", "floor"]]
    at = rng.permutation(240)[: 6 * len(thresholds)]
    for row, threshold in zip(at, thresholds * 6, strict=False):
        rows.loc[row, "width"] = [threshold, np.nextafter(threshold, 9), np.nextafter(threshold, -9)][row % 3]
    rows["floor"] = rows["floor"].astype(object)
    if not is_whole:
        for column, other in (("width", 1e300), ("city", "zzz"), ("rooms", 99.0), ("floor", 77)):
            rows.loc[rng.random(240) < 0.15, column] = None
            rows.loc[rng.random(240) < 0.1, column] = other
    return rows


def stages(name, estimator, given):
    """The pipeline of a case."""
    invalid = {} if name == "errors" else KEEP
    texts = {"city": "cityCode"} | ({"rooms": "roomsCode", "floor": "floorCode"} if name == "numbers as texts" else {})
    index = feature.StringIndexer(inputCols=list(texts), outputCols=list(texts.values()), **invalid)
    columns = [texts.get(column, column) for column in ("width", "city", "rooms", "floor")]
    last = "features" if name not in ("indexed numbers", "scaled") else "raw"
    found = [index, feature.VectorAssembler(inputCols=columns, outputCol=last, **invalid)]
    if name == "indexed numbers":
        found.append(feature.VectorIndexer(inputCol="raw", outputCol="features", maxCategories=5, **KEEP))
    if name == "scaled":
        found.append(feature.StandardScaler(inputCol="raw", outputCol="features"))
    is_class = not estimator.endswith("Regressor")
    if is_class:
        kept = KEEP if name == "label kept" else {}
        label = feature.StringIndexer(inputCol="label", outputCol="labelCode", stringOrderType="alphabetAsc", **kept)
        found.insert(0, label)
    kind = getattr(classification if is_class else regression, estimator)
    found.append(kind(labelCol="labelCode" if is_class else "y", **given))
    if name == "thresholds":
        found[-1].setThresholds([0.2, 0.3, 0.5])
    if name == "within pipelines":
        names = feature.IndexToString(inputCol="prediction", outputCol="named", labels=["may be", "yes"])
        return [Pipeline(stages=[Pipeline(stages=found[:2]), *found[2:]]), names]
    return found


def files_of(fitted):
    with tempfile.TemporaryDirectory() as folder:
        fitted.write().overwrite().save(f"{folder}/model")
        paths = sorted(path for path in pathlib.Path(folder, "model").rglob("part-*"))
        return {
            str(path.relative_to(f"{folder}/model")): base64.b64encode(path.read_bytes()).decode() for path in paths
        }


def model_within(stages):
    """The fitted model in the last stage, or the last but one."""
    model = stages[-1] if type(stages[-1]).__name__ != "IndexToString" else stages[-2]
    return model_within(model.stages) if hasattr(model, "stages") else model


def thresholds_of(model):
    words = getattr(model, "toDebugString", "")
    found = [line.split("<=")[1].strip(" )") for line in words.splitlines() if "feature 0 <=" in line]
    return sorted({float(word) for word in found})


def case_of(spark, name, estimator, given):
    frame = table()
    if estimator == "GBTClassifier":
        frame = frame[frame["label"] != "no"]
    pipeline = Pipeline(stages=stages(name, estimator, given)).fit(spark.createDataFrame(frame, SCHEMA))
    model = model_within(pipeline.stages)
    rows = rows_to_predict(table(), thresholds_of(model), name == "errors")
    cells = {c: [None if pd.isna(x) else x for x in rows[c].tolist()] for c in rows}
    if name == "without its pipeline":
        order = pipeline.stages[1].labelsArray[0]
        codes = [float("nan") if c is None else order.index(c) if c in order else 9.0 for c in cells["city"]]
        vectors = zip(cells["width"], codes, cells["rooms"], cells["floor"], strict=True)
        lines = [[float("nan") if cell is None else float(cell) for cell in line] for line in vectors]
        predicted = [model.predictProbability(Vectors.dense(line)).toArray().tolist() for line in lines]
        cells = {
            f"x{k}": [None if np.isnan(x) else x for x in column] for k, column in enumerate(zip(*lines, strict=True))
        }
        return {"name": name, "rows": cells, "predictions": predicted, "files": files_of(model)}
    given_rows = [tuple(line) for line in zip(*cells.values(), strict=True)]
    answers = pipeline.transform(
        spark.createDataFrame(given_rows, "width double, city string, rooms double, floor int")
    )
    is_class = not estimator.endswith("Regressor")
    found = [row[0] for row in answers.select("probability" if is_class else "prediction").collect()]
    predicted = [row.toArray().tolist() if is_class else row for row in found]
    return {"name": name, "rows": cells, "predictions": predicted, "files": files_of(pipeline)}


if __name__ == "__main__":
    from make_foreign_models import write

    os.environ |= {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    settings = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
    session = settings.config("spark.sql.shuffle.partitions", "1").getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    write("spark", session.version, [case_of(session, name, *case) for name, case in CASES.items()])
