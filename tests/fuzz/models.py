"""One case: a damaged model or saved tree is read, and what is read is used. Only `InputError` comes out."""

from __future__ import annotations

import contextlib
import copy
import functools
import io
import json
import math
import warnings
import zipfile
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

import explorer as ex
from explorer.drawing.ensemble_view.payload import picture_payload
from explorer.drawing.tree_view.payload import tree_payload
from explorer.ensembles.picture.of_ensemble import picture_of
from explorer.foreign.scikit_learn_json import SNIPPET as ENSEMBLE_SNIPPET
from explorer.tree.from_sklearn_json import SNIPPET as TREE_SNIPPET
from tests.fuzz.mutations import mutated_text
from tests.fuzz.pipeline import Reached
from tests.fuzz.text_models import opened_pmml, opened_weka, pmml, weka
from tests.fuzz.ydf_files import opened_ydf, ydf

JUNK: tuple[Any, ...] = (
    *(None, True, "", "x", "1", 0, -1, 1, 2.5, 7, 255, 2**31, 2**53 + 1, -(2**63), 10**400, 1e308, -1e308, 5e-324),
    *(math.nan, math.inf, -math.inf, [], {}, [[]], [1, 2], ["a"], [None], {"a": 1}, "y" * 100_000, "\ud800", "1e999"),
)
FRAME = pd.DataFrame(
    {
        "a": [1.0, 2.0, 3.0, np.nan, 5.0, 6.0, 7.0, 8.0],
        "b": [4.0, 4.0, 1.0, 1.0, 2.0, np.nan, 2.0, 3.0],
        "kind": [*list("uvwuvwu"), None],
        "class": list("xyzxyzxy"),
        "y": [1.0, 2.0, 2.5, 7.0, 8.0, 7.5, 3.0, 2.0],
    }
)
Reader = Callable[[str], ex.Tree | ex.Ensemble]


def run_model_case(seed: int, case: int) -> Reached:
    """Run one case; raises whatever is not an `InputError`."""
    rng = np.random.default_rng([seed, case])
    kind = list(SOURCES)[case % len(SOURCES)]
    reader, text = SOURCES[kind]
    stage = "read"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            model = reader(damaged(rng, text()))
            stage = "use"
            use(model)
            stage = "end"
        except ex.InputError as error:
            return Reached(kind, stage, str(error))
    return Reached(kind, stage, "")


def use(model: ex.Tree | ex.Ensemble) -> None:
    """Predict, describe, draw, save and read again."""
    frame = pd.DataFrame({encoding.name: column_of(encoding) for encoding in model.features})
    predicted = model.predict(frame)
    assert len(predicted) == len(frame)
    if model.classes:
        shares = model.predict_proba(frame)
        assert shares.shape == (len(frame), len(model.classes))
        assert np.isfinite(shares).all()
    else:
        assert np.isfinite(predicted.astype(np.float64)).all()
    plain = json.loads(json.dumps(model.to_dict()))
    same = type(model).from_dict(plain)
    assert same.predict(frame).tolist() == predicted.tolist()
    if isinstance(model, ex.Ensemble):
        picture_payload(picture_of(model))
        model.importance()
        model = model.members[0].tree
    tree_payload(model)
    assert ex.rules(model).to_text()
    ex.to_svg(model, max_depth=3)


def column_of(encoding: Any) -> list[object]:
    """Eight values of a feature, some missing, some that the tree does not know."""
    known = [label for label in encoding.labels if label is not None] if encoding.kind == "categorical" else []
    values = [*known[:4], *("a new one", None)] if encoding.kind == "categorical" else [-1e9, 0.5, 1.0, 2.5, 1e9, None]
    return (values * 8)[:8]


def damaged(rng: np.random.Generator, text: str) -> str:
    """The text after some damage to its values, or now and then to its characters."""
    if rng.random() < 0.1:
        return mutated_text(rng, text.encode()).decode("utf-8", "replace")
    content = json.loads(text)
    for _ in range(int(rng.integers(1, 4))):
        content = _changed(rng, content)
    return json.dumps(content)


def _changed(rng: np.random.Generator, content: Any) -> Any:
    """One value of the content is gone, twice there, of another kind, or in another place."""
    holder, key = None, None
    value = content
    while isinstance(value, (dict, list)) and value and (holder is None or rng.random() < 0.85):
        holder, key = value, _some(rng, list(value) if isinstance(value, dict) else range(len(value)))
        value = holder[key]
    if holder is None:
        return copy.deepcopy(_some(rng, JUNK))
    way = int(rng.integers(0, 7))
    if way == 0:
        del holder[key]
    elif way == 1 and isinstance(holder, list):
        holder.insert(key, json.loads(json.dumps(value)))
    elif way == 2 and isinstance(value, (int, float)) and -1e300 < value < 1e300:
        holder[key] = -value if rng.random() < 0.5 else value + int(rng.choice([-1, 1, 100]))
    elif way == 3 and isinstance(holder, list):
        other = int(rng.integers(0, len(holder)))
        holder[key], holder[other] = holder[other], holder[key]
    elif way == 4:
        holder[key] = functools.reduce(lambda inner, _: [inner], range(int(rng.choice([1, 3, 300]))), value)
    elif way == 5 and isinstance(value, list):
        holder[key] = value * int(rng.integers(2, 4)) if rng.random() < 0.5 else value[: len(value) // 2]
    else:
        holder[key] = copy.deepcopy(_some(rng, JUNK))  # further damage changes lists in place
    return content


def _some(rng: np.random.Generator, choices: Any) -> Any:
    return choices[int(rng.integers(0, len(choices)))]


def _data(target: str) -> ex.Dataset:
    return ex.Dataset.from_frame(FRAME, target, ["a", "b", "kind"])


def _xgboost() -> str:
    """Three rounds of stumps on two features, as `save_model` writes them."""
    trees = [
        {
            "left_children": [1, -1, -1],
            "right_children": [2, -1, -1],
            "parents": [2147483647, 0, 0],
            "split_indices": [k % 2, 0, 0],
            "split_conditions": [2.5, 0.5, -0.5],
            "split_type": [0, 0, 0],
            "default_left": [k % 2, 0, 0],
            "sum_hessian": [8.0, 5.0, 3.0],
            "categories_nodes": [],
            "tree_param": {"num_nodes": "3", "size_leaf_vector": "1"},
        }
        for k in range(3)
    ]
    model = {
        "gbtree_model_param": {"num_trees": "3", "num_parallel_tree": "1"},
        "trees": trees,
        "tree_info": [0, 0, 0],
        "iteration_indptr": [0, 1, 2, 3],
        "weight_drop": [1.0, 0.5, 0.25],
    }
    learner = {
        "attributes": {"best_iteration": "1"},
        "feature_names": ["a", "b"],
        "feature_types": ["float", "int"],
        "learner_model_param": {"base_score": "[5E-1]", "num_class": "0", "num_feature": "2", "num_target": "1"},
        "objective": {"name": "binary:logistic"},
        "gradient_booster": {"name": "gbtree", "model": model},
    }
    return json.dumps({"learner": learner, "version": [3, 4, 1]})


def _dump() -> str:
    """Two trees as `get_dump` writes them."""
    leaves = [{"nodeid": 3, "leaf": 0.25, "cover": 2.0}, {"nodeid": 4, "leaf": -1.5, "cover": 1.0}]
    inner = {"nodeid": 1, "depth": 1, "split": "b", "split_condition": 2, "yes": 3, "no": 4, "missing": 4}
    root = {"nodeid": 0, "depth": 0, "split": "a", "split_condition": 1.5, "yes": 1, "no": 2, "missing": 1}
    tree = {**root, "cover": 5.0, "children": [{**inner, "children": leaves}, {"nodeid": 2, "leaf": 0.5}]}
    return json.dumps([tree, {"nodeid": 0, "leaf": 0.125}])


def _lightgbm() -> str:
    """A split on a number and one on categories, twice, as `dump_model` writes them."""
    leaves = [{"leaf_index": k, "leaf_value": k - 0.5, "leaf_weight": 2.0, "leaf_count": k + 1} for k in range(3)]
    common = {"split_gain": 1.0, "default_left": False, "internal_value": 0.0, "internal_weight": 6.0}
    of_kind = {"split_feature": 1, "threshold": "0||2", "decision_type": "==", "missing_type": "None"}
    of_number = {"split_feature": 0, "threshold": 2.5, "decision_type": "<=", "missing_type": "NaN"}
    below = {"split_index": 1, **of_kind, **common, "left_child": leaves[0], "right_child": leaves[1]}
    root = {"split_index": 0, **of_number, **common, "left_child": below, "right_child": leaves[2]}
    model = {
        "name": "tree",
        "version": "v4",
        "num_class": 1,
        "num_tree_per_iteration": 1,
        "max_feature_idx": 1,
        "objective": "binary sigmoid:1",
        "average_output": False,
        "feature_names": ["a", "kind"],
        "feature_infos": {
            "a": {"min_value": 0, "max_value": 9, "values": []},
            "kind": {"min_value": 0, "max_value": 2, "values": [0, 1, 2]},
        },
        "tree_info": [{"tree_index": k, "num_leaves": 3, "num_cat": 1, "tree_structure": root} for k in range(2)],
        "pandas_categorical": [["u", "v", "w"]],
    }
    return json.dumps(model)


def _catboost() -> str:
    """A symmetric tree with a split on a number and one on a category, twice, as `save_model` writes them."""
    number = {"split_type": "FloatFeature", "float_feature_index": 0, "border": 2.5, "split_index": 0}
    kind = {"split_type": "OneHotFeature", "cat_feature_index": 0, "value": -3, "split_index": 1}
    tree = {"splits": [number, kind], "leaf_values": [0.5, -1.0, 0.25, 2.0], "leaf_weights": [3, 2, 2, 1]}
    floats = [{"feature_name": "a", "flat_feature_index": 0, "borders": [2.5], "nan_value_treatment": "AsTrue"}]
    kinds = [{"feature_name": "kind", "flat_feature_index": 1, "values": [-3]}]
    told = {"float_features": floats, "categorical_features": kinds}
    told["cat_features_hash"] = [{"hash": 2**32 - 3, "value": "u"}]
    info = {"params": {"loss_function": {"type": "Logloss"}}, "class_params": {"class_names": ["no", "yes"]}}
    model = {"features_info": told, "model_info": info, "oblivious_trees": [tree, tree], "scale_and_bias": [1, [0.5]]}
    return json.dumps(model)


def _rpart() -> str:
    """A split on a number and one on categories with a surrogate, as the lines of R write them."""
    frame = {
        "var": ["a", "<leaf>", "kind", "<leaf>", "<leaf>"],
        "n": [8, 3, 5, 3, 2],
        "wt": [8, 3, 5, 3, 2],
        "ncompete": [0, 0, 0, 0, 0],
        "nsurrogate": [0, 0, 1, 0, 0],
        "yval2": [1, 1, 2, 2, 1, 4, 3, 1, 0, 1, 4, 0, 4, 3, 1, 0.5, 1, 0.2, 0, 0.5, *[0.5, 0, 0.8, 1, 0.5], *[0.5] * 5],
    }
    model = {
        "r_model": ["rpart"],
        "types": {"class": ["factor"], "a": ["numeric"], "b": ["numeric"], "kind": ["factor"]},
        "version": ["4.1.19"],
        "target": ["class"],
        "method": ["class"],
        "frame": frame,
        "splits": [8, 5, 4, -1, 3, 1, 2.5, 0.6, 0.75, 2.5, 1, 4.5, 0, 0, 0.5],
        "csplit": [1, 2, 3],
        "control": {"minsplit": [2], "minbucket": [1], "maxdepth": [30], "usesurrogate": [2]},
        "parms": {"prior": [0.5, 0.5], "loss": [0, 1, 1, 0], "split": [1]},
        "node": [1, 2, 3, 6, 7],
        "split": ["a", "kind", "b"],
        "weights": ["NULL"],
        "levels": {"kind": ["u", "v", "w"]},
        "classes": ["x", "y"],
    }
    return json.dumps(model)


def _h2o() -> str:
    """A split on a number and one on categories, twice, as our lines write them."""
    tree = {
        "left_children": [1, 3, -1, -1, -1],
        "right_children": [2, 4, -1, -1, -1],
        "features": ["a", "kind", None, None, None],
        "thresholds": [2.5, None, None, None, None],
        "nas": ["LEFT", "RIGHT", None, None, None],
        "predictions": [0.0, 0.0, 0.5, -1.0, 0.25],
        "left_cat_split": [None, ["u", "w"], None, None, None],
        "right_cat_split": [None, ["v"], None, None, None],
    }
    told = {"h2o": "3.46.0.12", "algo": "gbm", "category": "Binomial", "distribution": "bernoulli", "init": 0.25}
    told |= {"target": "y", "names": ["a", "kind", "y"], "domains": [None, ["u", "v", "w"], ["no", "yes"]]}
    return json.dumps(told | {"double": False, "rounds": [[tree], [tree]]})


def _onnx() -> str:
    """Two trees with a threshold and a set of values, as text."""
    from onnx import TensorProto, helper

    node = helper.make_node(
        "TreeEnsembleClassifier",
        ["x"],
        ["label", "y"],
        domain="ai.onnx.ml",
        nodes_treeids=[0, 0, 0, 1, 1, 1],
        nodes_nodeids=[0, 1, 2, 0, 1, 2],
        nodes_featureids=[0, 0, 0, 1, 0, 0],
        nodes_values=[2.5, 0.0, 0.0, 4.0, 0.0, 0.0],
        nodes_modes=["BRANCH_LEQ", "LEAF", "LEAF", "BRANCH_EQ", "LEAF", "LEAF"],
        nodes_truenodeids=[1, 0, 0, 1, 0, 0],
        nodes_falsenodeids=[2, 0, 0, 2, 0, 0],
        class_treeids=[0, 0, 1, 1],
        class_nodeids=[1, 2, 1, 2],
        class_ids=[0, 0, 0, 0],
        class_weights=[0.5, -1.0, 0.25, -0.5],
        classlabels_strings=["no", "yes"],
        post_transform="LOGISTIC",
    )
    ends = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [None, 2]) for name in ("x", "y")]
    graph = helper.make_graph([node], "trees", ends[:1], ends[1:])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("ai.onnx.ml", 1)])
    return onnx_text(model.SerializeToString())


def onnx_text(data: bytes) -> str:
    """An ONNX file as JSON."""
    import onnx
    from google.protobuf import json_format

    text: str = json_format.MessageToJson(onnx.load_model_from_string(data))
    return text


def onnx_bytes(text: str) -> bytes:
    """The file behind the JSON; a damaged one where there is none."""
    import onnx
    from google.protobuf import json_format

    try:
        data: bytes = json_format.Parse(text, onnx.ModelProto()).SerializeToString()
    except (json_format.ParseError, ValueError, RecursionError):
        return b"\x08\x07\x12\x05ai.onnx"
    return data


def _spark() -> str:
    """A pipeline of an index of texts, an assembler and two trees, as plain values."""

    def stage(kind: str, **given: Any) -> dict[str, Any]:
        return {"class": f"org.apache.spark.ml.{kind}", "uid": "u", "sparkVersion": "4.3.0", "paramMap": given}

    def node(number: int, left: int, right: int, feature: int, listed: list[float], arity: int) -> dict[str, Any]:
        split = {"featureIndex": feature, "leftCategoriesOrThreshold": listed, "numCategories": arity}
        stats = {"prediction": float(number % 2), "impurity": 0.5, "impurityStats": [number + 1.0, 2.0]}
        rows = {"rawCount": number + 3, "gain": 0.1, "leftChild": left, "rightChild": right}
        return {"id": number, **stats, **rows, "split": split}

    nodes = [node(0, 1, 2, 0, [2.5], -1), node(1, -1, -1, -1, [], -1), node(2, 3, 4, 1, [0.0, 2.0], 4)]
    nodes += [node(3, -1, -1, -1, [], -1), node(4, -1, -1, -1, [], -1)]
    model = stage("classification.RandomForestClassificationModel", featuresCol="f", labelCol="y")
    files = {
        "metadata/part-0": stage("PipelineModel", stageUids=["i", "v", "m"]),
        "stages/0_i/metadata/part-0": stage(
            "feature.StringIndexerModel", inputCols=["kind"], outputCols=["k"], handleInvalid="keep"
        ),
        "stages/0_i/data/part-0.parquet": [{"labelsArray": [["u", "v", "w"]]}],
        "stages/1_v/metadata/part-0": stage("feature.VectorAssembler", inputCols=["a", "k"], outputCol="f"),
        "stages/2_m/metadata/part-0": model | {"numFeatures": 2, "numClasses": 2, "numTrees": 2},
        "stages/2_m/treesMetadata/part-0.parquet": [{"_1": k, "_2": "{}", "_3": 1.0} for k in range(2)],
        "stages/2_m/data/part-0.parquet": [{"treeID": tree, "nodeData": each} for tree in range(2) for each in nodes],
    }
    return json.dumps(files)


def spark_zip(text: str) -> bytes:
    """The zip of the files behind the text; tables that cannot be written are left out."""
    files, stream = _plain(text), io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("metadata/part-", b"")
        for name, content in files.items() if isinstance(files, dict) else ():
            if not name.endswith("parquet"):
                archive.writestr(name.encode("utf-8", "replace").decode(), json.dumps(content))
                continue
            with contextlib.suppress(
                pa.ArrowException, TypeError, ValueError, LookupError, AttributeError, OverflowError
            ):
                table = io.BytesIO()
                pq.write_table(pa.Table.from_pylist(content), table)
                archive.writestr(name, table.getvalue())
    return stream.getvalue()


def _opened_spark(text: str) -> ex.Tree | ex.Ensemble:
    return ex.open_model(spark_zip(text))


def _opened_onnx(text: str) -> ex.Tree | ex.Ensemble:
    return ex.open_model(onnx_bytes(text))


def _opened(text: str) -> ex.Tree | ex.Ensemble:
    return ex.open_model(text.encode("utf-8", "replace"))


def _by_snippet(snippet: str, name: str, fitted: Any) -> str:
    """What the lines that readers paste into a notebook write for a fitted estimator."""
    written: dict[str, str] = {}

    class Path:
        def __init__(self, _: str) -> None: ...

        def write_text(self, text: str) -> None:
            written["text"] = text

    lines = snippet.replace("import json, pathlib", "import json")
    exec(lines, {"clf": fitted, "pathlib": type("pathlib", (), {"Path": Path})})
    return written["text"]


def _sklearn(name: str, target: str, **options: Any) -> str:
    from sklearn import ensemble, tree

    make = getattr(tree if name.startswith("DecisionTree") else ensemble, name)
    known = FRAME.dropna(subset=["a", "b"])
    fitted = make(random_state=0, **options).fit(known[["a", "b"]], known[target])
    return _by_snippet(TREE_SNIPPET if name.startswith("DecisionTree") else ENSEMBLE_SNIPPET, name, fitted)


def _saved(made: ex.Tree | ex.Ensemble) -> str:
    return json.dumps(made.to_dict())


def _tree_from_dict(text: str) -> ex.Tree:
    return ex.Tree.from_dict(_plain(text))


def _ensemble_from_dict(text: str) -> ex.Ensemble:
    return ex.Ensemble.from_dict(_plain(text))


def _plain(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _dump_reader(text: str) -> ex.Ensemble:
    return ex.Ensemble.from_xgboost_json(text, base_score=0.5)


_COSTS = ex.CART.replace(costs={"x": {"y": 2.0}}, class_weights={"x": 2.0})
SOURCES: Mapping[str, tuple[Reader, Callable[[], str]]] = {
    "xgboost": (ex.Ensemble.from_xgboost_json, functools.cache(_xgboost)),
    "dump": (_dump_reader, functools.cache(_dump)),
    "catboost": (_opened, functools.cache(_catboost)),
    "rpart": (_opened, functools.cache(_rpart)),
    "onnx": (_opened_onnx, functools.cache(_onnx)),
    "spark": (_opened_spark, functools.cache(_spark)),
    "ydf": (opened_ydf, functools.cache(ydf)),
    "lightgbm": (_opened, functools.cache(_lightgbm)),
    "sklearn tree": (
        ex.Tree.from_sklearn_json,
        functools.cache(lambda: _sklearn("DecisionTreeClassifier", "class", max_depth=2)),
    ),
    "sklearn forest": (
        ex.Ensemble.from_sklearn_json,
        functools.cache(lambda: _sklearn("RandomForestClassifier", "class", n_estimators=2)),
    ),
    "sklearn boosting": (
        ex.Ensemble.from_sklearn_json,
        functools.cache(lambda: _sklearn("GradientBoostingClassifier", "class", n_estimators=2, max_depth=1)),
    ),
    "sklearn numbers": (
        ex.Ensemble.from_sklearn_json,
        functools.cache(lambda: _sklearn("GradientBoostingRegressor", "y", n_estimators=2, max_depth=1)),
    ),
    "sklearn votes": (
        ex.Ensemble.from_sklearn_json,
        functools.cache(lambda: _sklearn("AdaBoostClassifier", "class", n_estimators=3)),
    ),
    "sklearn histograms": (
        ex.Ensemble.from_sklearn_json,
        functools.cache(
            lambda: _sklearn(
                "HistGradientBoostingClassifier", "class", max_iter=2, min_samples_leaf=1, categorical_features=[1]
            )
        ),
    ),
    "cart": (_tree_from_dict, functools.cache(lambda: _saved(ex.grow(_data("class"), _COSTS)))),
    "c45": (_tree_from_dict, functools.cache(lambda: _saved(ex.grow(_data("class"), ex.C45)))),
    "bins": (
        _tree_from_dict,
        functools.cache(lambda: _saved(ex.grow(_data("class"), ex.ID3.replace(missing="own_branch")))),
    ),
    "numbers": (_tree_from_dict, functools.cache(lambda: _saved(ex.grow(_data("y"), ex.CART)))),
    "forest": (
        _ensemble_from_dict,
        functools.cache(lambda: _saved(ex.forest(_data("class"), n_estimators=2, seed=0))),
    ),
    "boosting": (
        _ensemble_from_dict,
        functools.cache(lambda: _saved(ex.gradient_boost(_data("class"), n_estimators=2))),
    ),
    "boosted numbers": (
        _ensemble_from_dict,
        functools.cache(lambda: _saved(ex.newton_boost(_data("y"), n_estimators=2))),
    ),
    "adaboost": (_ensemble_from_dict, functools.cache(lambda: _saved(ex.adaboost(_data("class"), n_estimators=3)))),
    "h2o": (_opened, functools.cache(_h2o)),
    "pmml": (opened_pmml, functools.cache(lambda: pmml("lastPrediction"))),
    "pmml votes": (opened_pmml, functools.cache(lambda: pmml("votes with weights"))),
    "pmml chain": (opened_pmml, functools.cache(lambda: pmml("chain, three classes"))),
    "weka": (opened_weka, functools.cache(weka)),
}
"""The readers, and the text of a whole file for each."""
