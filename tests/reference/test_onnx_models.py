"""ONNX files of several converters predict what ONNX Runtime predicted, or are refused for the true reason.

`make_onnx_models.py` has the commands.
"""

import base64
import json
import warnings

import numpy as np
import onnx
import pandas as pd
import pytest

import explorer as ex
from explorer.foreign.onnx_files import ensemble
from tests.folders import ROOT
from tests.fuzz.models import damaged as damaged_text
from tests.fuzz.models import onnx_bytes, onnx_text

CASES = {
    case["name"]: case
    for path in sorted((ROOT / "tests/reference/foreign").glob("onnxruntime-*.json"))
    for case in json.loads(path.read_text("utf-8"))
}
REFUSED = {
    "AdaBoost": "it holds 3 ensembles of trees",
    "two targets": "The model predicts 2 targets at once: fit one for each",
    "scaled": "columns pass through 'Scaler' before the trees",
    "by hand, mixed NONE": "its scores are no class probabilities",
    "by hand, mixed SOFTMAX": "its scores are no class probabilities",
    "by hand, PROBIT": "its scores are transformed by 'PROBIT'",
}
READ = sorted(set(CASES) - set(REFUSED))


def opened(name):
    return ex.open_model(base64.b64decode(CASES[name]["model"]), "model.onnx")


def rows_of(name, read):
    columns = zip([each.name for each in read.features], CASES[name]["rows"], strict=False)
    return pd.DataFrame({column: pd.Series(cells, dtype=float) for column, cells in columns})


@pytest.mark.parametrize("name", READ)
def test_onnx_runtime_s_own_predictions(name):
    expected, read = np.array(CASES[name]["predictions"], dtype=float), opened(name)
    rows = rows_of(name, read)
    assert len(rows) == 200
    again = type(read).from_dict(json.loads(json.dumps(read.to_dict())))
    for one in (read, again):
        found = one.predict_proba(rows) if one.classes else one.predict(rows)
        assert found == pytest.approx(expected.reshape(found.shape), rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_what_cannot_be_read_is_refused_by_name(name):
    with pytest.raises(ex.InputError, match=REFUSED[name]):
        opened(name)


def test_source_classes_and_note():
    read = opened("forest, names")
    assert (read.source, read.classes) == ("ONNX (skl2onnx 1.20.0)", ("low", "middle", "very high"))
    tree = read.members[0].tree
    assert tree.notes[0].startswith("Opened from an ONNX file, which compares 32-bit numbers")
    assert not tree.counts_rows
    assert (
        opened("by hand, sets, 64 bits")
        .members[0]
        .tree.notes[0]
        .startswith("Opened from an ONNX file, which compares 64-bit numbers")
    )
    assert isinstance(opened("tree, numbers"), ex.Tree)
    assert [each.name for each in opened("columns apart").features] == ["width", "length", "rooms"]


def test_a_chain_of_equal_numbers_is_read_as_one_set():
    tree = opened("LightGBM, categories").members[3].tree
    node = int(np.flatnonzero(tree.feature == 2)[0])
    labels = tree.features[2].labels
    pairs = slice(tree.cat_offset[node], tree.cat_offset[node + 1])
    first = [labels[code] for code in tree.cat_code[pairs][tree.cat_branch[pairs] == 0]]
    assert first == [1.0, 4.0, 7.0]


def test_without_the_package_the_error_names_the_command(monkeypatch):
    monkeypatch.setattr(ensemble, "find_spec", lambda name: None)
    with pytest.raises(ex.InputError, match="needs the package onnx: run 'pip install onnx'"):
        opened("tree, names")


def test_numbers_in_another_file_are_not_looked_for():
    model = onnx.load_model_from_string(base64.b64decode(CASES["by hand, sets, sum"]["model"]))
    splits = next(each.t for each in model.graph.node[0].attribute if each.name == "nodes_splits")
    splits.data_location = onnx.TensorProto.EXTERNAL
    splits.external_data.add(key="location", value="/etc/passwd")
    with pytest.raises(ex.InputError, match="its numbers are in another file"):
        ex.open_model(model.SerializeToString())


def test_a_node_below_itself_is_refused():
    model = onnx.load_model_from_string(base64.b64decode(CASES["by hand, LEQ 0"]["model"]))
    next(each for each in model.graph.node[0].attribute if each.name == "nodes_truenodeids").ints[1] = 1
    with pytest.raises(ex.InputError, match="do not form a tree"):
        ex.open_model(model.SerializeToString())


def test_damaged_files_are_refused_or_predict_finite_numbers():
    rng, n_read = np.random.default_rng(1), 0
    names = ["forest, names", "LightGBM, categories", "XGBoost, two classes", "by hand, sets, sum", "columns apart"]
    files = [base64.b64decode(CASES[name]["model"]) for name in names]
    for number in range(300):
        data = files[number % 5]
        if number % 3:
            data = onnx_bytes(damaged_text(rng, onnx_text(data)))
        else:
            spoilt = bytearray(data[: rng.integers(1, len(data))] if rng.random() < 0.3 else data)
            spoilt[int(rng.integers(0, len(spoilt)))] = int(rng.integers(0, 256))
            data = bytes(spoilt)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            try:
                read = ex.open_model(data)
                rows = pd.DataFrame({each.name: [-1.0, 0.3, 4.0, None] for each in read.features})
                numbers = read.predict_proba(rows) if read.classes else read.predict(rows)
            except ex.InputError:
                continue
        assert np.isfinite(numbers).all()
        n_read += 1
    assert n_read >= 30, "some damage leaves a model"
