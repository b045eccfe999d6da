"""Convert small models of three libraries to ONNX, and keep the files beside what ONNX Runtime predicts with them.

Run it from the top folder in an environment of its own; continuous integration only reads the result:

    python3.11 -m venv /tmp/new && /tmp/new/bin/pip install onnx onnxruntime skl2onnx onnxmltools pandas \
        scikit-learn lightgbm xgboost
    /tmp/new/bin/python tests/reference/make_onnx_models.py
"""

from __future__ import annotations

import base64
import json
import pathlib
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import lightgbm
import numpy as np
import onnx
import onnxmltools
import onnxruntime
import pandas as pd
import skl2onnx
import xgboost
from onnx import TensorProto, helper
from onnxmltools.convert.common.data_types import FloatTensorType as FloatsOfTools
from skl2onnx.common.data_types import FloatTensorType
from sklearn import ensemble, pipeline, preprocessing, tree

N = 80
NAMES = ["width", "length", "rooms"]
ML = "ai.onnx.ml"


def table() -> tuple[pd.DataFrame, np.ndarray]:
    """80 rows of three numbers, one of them whole, and a score."""
    rng = np.random.default_rng(3)
    frame = pd.DataFrame({"width": rng.normal(size=N).round(2), "length": rng.normal(size=N).round(2)})
    frame["rooms"] = rng.integers(0, 9, N).astype(float)
    score = frame["width"] * 2 - frame["length"] ** 2 + (frame["rooms"] % 3 == 1) * 3 + rng.normal(size=N) / 4
    return frame, score.to_numpy().round(3)


FRAME, SCORE = table()
TWO, THREE = (SCORE > 0).astype(int), np.digitize(SCORE, np.quantile(SCORE, [0.4, 0.7]))
NAMED = np.array(["low", "middle", "very high"])[THREE]


def converted(name: str, convert: Callable[[], Any]) -> Iterator[tuple[str, bytes]]:
    """The file of a converter, if it writes one."""
    try:
        yield name, convert().SerializeToString()
    except (ValueError, KeyError) as error:
        print(name, "is not converted:", type(error).__name__, str(error)[:160])


def of_scikit_learn() -> Iterator[tuple[str, bytes]]:
    """Files of skl2onnx."""
    few = {"n_estimators": 4, "max_depth": 3, "random_state": 0}
    one = {"max_depth": 4, "random_state": 0}
    fitted = {
        "tree, two classes": (tree.DecisionTreeClassifier(**one), TWO),
        "tree, names": (tree.DecisionTreeClassifier(**one), NAMED),
        "tree, numbers": (tree.DecisionTreeRegressor(**one), SCORE),
        "tree, one leaf": (tree.DecisionTreeClassifier(max_depth=1), TWO * 0 + (np.arange(N) < 0)),
        "forest, two classes": (ensemble.RandomForestClassifier(**few), TWO),
        "forest, names": (ensemble.RandomForestClassifier(**few), NAMED),
        "forest, numbers": (ensemble.RandomForestRegressor(**few), SCORE),
        "extra trees": (ensemble.ExtraTreesClassifier(**few), THREE),
        "boosting, two classes": (ensemble.GradientBoostingClassifier(**few), TWO),
        "boosting, three classes": (ensemble.GradientBoostingClassifier(**few), THREE),
        "boosting, numbers": (ensemble.GradientBoostingRegressor(**few), SCORE),
        "histograms, two classes": (ensemble.HistGradientBoostingClassifier(max_iter=4, min_samples_leaf=5), TWO),
        "histograms, names": (ensemble.HistGradientBoostingClassifier(max_iter=3, min_samples_leaf=5), NAMED),
        "histograms, numbers": (ensemble.HistGradientBoostingRegressor(max_iter=4, min_samples_leaf=5), SCORE),
        "AdaBoost": (ensemble.AdaBoostClassifier(n_estimators=3), TWO),
        "two targets": (tree.DecisionTreeRegressor(max_depth=2), np.column_stack([SCORE, -SCORE])),
        "scaled": (pipeline.make_pipeline(preprocessing.StandardScaler(), tree.DecisionTreeClassifier(**one)), TWO),
    }
    together = [("x", FloatTensorType([None, 3]))]
    for name, (estimator, target) in fitted.items():
        if name == "tree, one leaf":
            estimator = tree.DecisionTreeRegressor(max_depth=2)
            target = np.full(N, 2.5)
        estimator.fit(FRAME.to_numpy(), target)
        for mapped in [True, False] if name == "tree, names" else [False]:
            options = {id(estimator): {"zipmap": mapped}} if hasattr(estimator, "classes_") else None
            convert = partial(skl2onnx.to_onnx, estimator, initial_types=together, options=options)
            yield from converted(name + (", mapped" if mapped else ""), convert)
    apart = [(column, FloatTensorType([None, 1])) for column in NAMES[:2]] + [("rooms", FloatTensorType([None, 1]))]
    estimator = tree.DecisionTreeClassifier(**one).fit(FRAME.to_numpy(), TWO)
    steps = pipeline.make_pipeline(preprocessing.FunctionTransformer(), estimator).fit(FRAME, TWO)
    yield from converted("columns apart", partial(skl2onnx.to_onnx, steps, initial_types=apart))


def of_lightgbm() -> Iterator[tuple[str, bytes]]:
    """Files of onnxmltools from LightGBM."""
    few = {"n_estimators": 4, "min_child_samples": 4, "max_depth": 3, "verbose": -1, "n_jobs": 1}
    gaps = FRAME.to_numpy().copy()
    gaps[::5, 1] = np.nan
    cases = {
        "numbers": (lightgbm.LGBMRegressor(**few), FRAME.to_numpy(), SCORE, {}),
        "numbers, missing": (lightgbm.LGBMRegressor(**few), gaps, SCORE, {}),
        "two classes": (lightgbm.LGBMClassifier(**few), gaps, TWO, {}),
        "three classes": (lightgbm.LGBMClassifier(**few), gaps, THREE, {}),
        "names": (lightgbm.LGBMClassifier(**few), gaps, NAMED, {}),
        "poisson": (lightgbm.LGBMRegressor(**few, objective="poisson"), gaps, np.exp(SCORE / 3), {}),
        "categories": (
            lightgbm.LGBMRegressor(**few, min_data_per_group=1, cat_smooth=0.1),
            FRAME.to_numpy(),
            SCORE,
            {"categorical_feature": [2]},
        ),
        "forest": (
            lightgbm.LGBMRegressor(**few, boosting_type="rf", subsample=0.7, subsample_freq=1),
            FRAME.to_numpy(),
            SCORE,
            {},
        ),
    }
    for name, (estimator, rows, target, options) in cases.items():
        estimator.fit(rows, target, **options)
        convert = partial(onnxmltools.convert_lightgbm, estimator, initial_types=[("x", FloatsOfTools([None, 3]))])
        yield from converted(f"LightGBM, {name}", convert)


def of_xgboost() -> Iterator[tuple[str, bytes]]:
    """Files of onnxmltools from XGBoost."""
    few = {"n_estimators": 4, "max_depth": 3, "n_jobs": 1}
    gaps = FRAME.to_numpy().copy()
    gaps[::5, 1] = np.nan
    cases = {
        "numbers": (xgboost.XGBRegressor(**few), SCORE),
        "two classes": (xgboost.XGBClassifier(**few), TWO),
        "three classes": (xgboost.XGBClassifier(**few), THREE),
        "poisson": (xgboost.XGBRegressor(**few, objective="count:poisson"), np.exp(SCORE / 3)),
        "dart": (xgboost.XGBRegressor(**few, booster="dart", rate_drop=0.5), SCORE),
    }
    for name, (estimator, target) in cases.items():
        estimator.fit(gaps, target)
        convert = partial(onnxmltools.convert_xgboost, estimator, initial_types=[("x", FloatsOfTools([None, 3]))])
        yield from converted(f"XGBoost, {name}", convert)


def model_of(node: Any, n_columns: int, outputs: list[Any], version: int, kind: int = TensorProto.FLOAT) -> bytes:
    """A file with one operator."""
    graph = helper.make_graph([node], "trees", [helper.make_tensor_value_info("x", kind, [None, n_columns])], outputs)
    versions = [helper.make_opsetid("", 18), helper.make_opsetid(ML, version)]
    model = helper.make_model(graph, opset_imports=versions, ir_version=9, producer_name="by hand")
    onnx.checker.check_model(model)
    return model.SerializeToString()


def by_hand() -> Iterator[tuple[str, bytes]]:
    """What the format allows and the converters do not write."""
    numbers = [helper.make_tensor_value_info("y", TensorProto.FLOAT, [None, 1])]
    for mode in ("LEQ", "LT", "GTE", "GT", "EQ", "NEQ"):
        for tracks in (0, 1):
            values = [3.0, 0.1] if mode in ("EQ", "NEQ") else [3.0, -0.12]
            node = helper.make_node(
                "TreeEnsembleRegressor",
                ["x"],
                ["y"],
                domain=ML,
                n_targets=1,
                nodes_treeids=[0] * 5,
                nodes_nodeids=[0, 1, 2, 3, 4],
                nodes_featureids=[2, 0, 0, 0, 0],
                nodes_values=[*values, 0.0, 0.0, 0.0],
                nodes_modes=[f"BRANCH_{mode}"] * 2 + ["LEAF"] * 3,
                nodes_truenodeids=[1, 3, 0, 0, 0],
                nodes_falsenodeids=[2, 4, 0, 0, 0],
                nodes_missing_value_tracks_true=[tracks, 1 - tracks, 0, 0, 0],
                target_treeids=[0] * 3,
                target_nodeids=[2, 3, 4],
                target_ids=[0] * 3,
                target_weights=[1.5, 2.5, -4.0],
                base_values=[0.25],
            )
            yield f"by hand, {mode} {tracks}", model_of(node, 3, numbers, 1)
    for name, aggregate, kind, number in (
        ("sum", 1, TensorProto.FLOAT, np.float32),
        ("average", 0, TensorProto.FLOAT, np.float32),
        ("64 bits", 1, TensorProto.DOUBLE, np.float64),
    ):
        node = helper.make_node(
            "TreeEnsemble",
            ["x"],
            ["y"],
            domain=ML,
            n_targets=1,
            aggregate_function=aggregate,
            tree_roots=[0, 2],
            nodes_featureids=[0, 2, 2],
            nodes_splits=onnx.numpy_helper.from_array(np.array([0.1, 0.0, 0.0], dtype=number)),
            nodes_modes=onnx.numpy_helper.from_array(np.array([0, 6, 6], dtype=np.uint8)),
            nodes_truenodeids=[0, 1, 2],
            nodes_trueleafs=[1, 1, 1],
            nodes_falsenodeids=[1, 2, 3],
            nodes_falseleafs=[0, 1, 1],
            nodes_missing_value_tracks_true=[0, 1, 0],
            membership_values=onnx.numpy_helper.from_array(np.array([1, 4, 7, np.nan, 2, 4, np.nan], dtype=number)),
            leaf_targetids=[0] * 4,
            leaf_weights=onnx.numpy_helper.from_array(np.array([10, 20, 1.25, -3], dtype=number)),
        )
        outputs = [helper.make_tensor_value_info("y", kind, [None, 1])]
        yield f"by hand, sets, {name}", model_of(node, 3, outputs, 5, kind)
    for name, post, weights in (
        ("mixed LOGISTIC", "LOGISTIC", [0.5, -1.0]),
        ("positive LOGISTIC", "LOGISTIC", [0.5, 1.0]),
        ("positive NONE", "NONE", [0.25, 0.75]),
        ("mixed NONE", "NONE", [0.5, -1.0]),
        ("mixed SOFTMAX", "SOFTMAX", [0.5, -1.0]),
        ("PROBIT", "PROBIT", [0.25, 0.75]),
    ):
        node = helper.make_node(
            "TreeEnsembleClassifier",
            ["x"],
            ["label", "y"],
            domain=ML,
            nodes_treeids=[0] * 3,
            nodes_nodeids=[0, 1, 2],
            nodes_featureids=[0, 0, 0],
            nodes_values=[0.1, 0.0, 0.0],
            nodes_modes=["BRANCH_LEQ", "LEAF", "LEAF"],
            nodes_truenodeids=[1, 0, 0],
            nodes_falsenodeids=[2, 0, 0],
            class_treeids=[0] * 2,
            class_nodeids=[1, 2],
            class_ids=[0] * 2,
            class_weights=weights,
            classlabels_int64s=[0, 1],
            post_transform=post,
        )
        outputs = [
            helper.make_tensor_value_info("label", TensorProto.INT64, [None]),
            helper.make_tensor_value_info("y", TensorProto.FLOAT, [None, 2]),
        ]
        yield f"by hand, {name}", model_of(node, 3, outputs, 1)


def thresholds_of(model: Any) -> Iterator[tuple[int, float, bool]]:
    """The feature and the threshold of every test, and whether it asks for this number alone."""
    for node in model.graph.node:
        told = {each.name: each for each in node.attribute}
        if "nodes_values" in told:
            alone = [mode in (b"BRANCH_EQ", b"BRANCH_NEQ") for mode in told["nodes_modes"].strings]
            yield from zip(told["nodes_featureids"].ints, told["nodes_values"].floats, alone, strict=True)


def rows_to_predict(model: Any) -> pd.DataFrame:
    """200 rows: those of the table, others with cells missing, and thresholds as 32-bit numbers round them."""
    rng = np.random.default_rng(5)
    rows = FRAME.iloc[rng.integers(0, N, 200)].reset_index(drop=True)
    for column in NAMES:
        rows.loc[rng.random(200) < 0.15, column] = np.nan
    rows.loc[rng.random(200) < 0.1, "rooms"] = 11.0
    told = list(thresholds_of(model))
    for row in rng.permutation(200)[:60] if told else []:
        feature, at, alone = told[int(rng.integers(0, len(told)))]
        at = float(np.clip(at, -1e30, 1e30))
        around = [at, np.nextafter(at, 9e9), np.nextafter(np.float32(at), np.float32(9e9)), at + 1e-9, at - 1e-9]
        rows.loc[row, NAMES[feature]] = float(str(np.float32(at)) if alone else around[int(rng.integers(0, 5))])
    return rows


def runtime_s(data: bytes, rows: pd.DataFrame) -> list[Any]:
    """What ONNX Runtime predicts: numbers, or class probabilities."""
    session = onnxruntime.InferenceSession(data, providers=["CPUExecutionProvider"])
    types = {"tensor(float)": np.float32, "tensor(double)": np.float64}
    if len(session.get_inputs()) == 1:
        fed = {"x": rows.to_numpy().astype(types[session.get_inputs()[0].type])}
    else:
        fed = {each.name: rows[[each.name]].to_numpy().astype(types[each.type]) for each in session.get_inputs()}
    found = session.run(None, fed)[-1]
    if isinstance(found, list):
        return [list(each.values()) for each in found]
    return found.tolist() if found.ndim == 2 and found.shape[1] > 1 else found.ravel().tolist()


def main() -> None:
    warnings.simplefilter("ignore")
    cases = []
    for source in (of_scikit_learn, of_lightgbm, of_xgboost, by_hand):
        for name, data in source():
            rows = rows_to_predict(onnx.load_model_from_string(data))
            predictions = runtime_s(data, rows)
            told = [[None if np.isnan(cell) else cell for cell in rows[column].tolist()] for column in NAMES]
            model = base64.b64encode(data).decode()
            cases.append({"name": name, "model": model, "rows": told, "predictions": predictions})
            print(name, len(data), predictions[:2])
    path = pathlib.Path("tests/reference/foreign") / f"onnxruntime-{onnxruntime.__version__}.json"
    path.write_text(json.dumps(cases, separators=(",", ":")) + "\n", "utf-8")


if __name__ == "__main__":
    main()
