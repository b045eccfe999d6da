"""Files of skops predict what scikit-learn predicted, or are refused for the true reason.

`make_foreign_models.py` has the commands. Nothing here imports skops.
"""

import base64
import io
import json
import sys
import warnings
import zipfile

import numpy as np
import pandas as pd
import pytest

import explorer as ex
from tests.fuzz.models import damaged
from tests.reference.foreign_cases import cases_of

SKOPS = cases_of("skops")
CASES = {case.values[0]["name"]: case.values[0] for case in SKOPS}
FROM_A_LINE = "gradient boosting from a line"


def data_of(case):
    return base64.b64decode(case["content"])


@pytest.mark.parametrize("case", [case for case in SKOPS if case.values[0]["name"] != FROM_A_LINE])
def test_scikit_learn_s_own_predictions(case):
    rows, read = pd.DataFrame(case["rows"]), ex.open_model(data_of(case))
    assert len(rows) == 200
    again = type(read).from_dict(json.loads(json.dumps(read.to_dict())))
    for one in (read, again):
        if "shares" not in case:
            assert one.predict(rows) == pytest.approx(case["predictions"], rel=1e-12)
            continue
        assert one.predict(rows).tolist() == case["predictions"]
        if case["name"] != "adaboost":
            assert one.predict_proba(rows) == pytest.approx(np.array(case["shares"]), abs=1e-12)


def test_the_library_is_named_and_nothing_of_it_is_loaded():
    assert ex.open_model(data_of(CASES["forest"])).source.startswith("scikit-learn 1.")
    assert "skops" not in sys.modules


def test_boosting_from_another_model_is_refused():
    with pytest.raises(ex.InputError, match=r"starts from another model \(init=LinearRegression\)"):
        ex.open_model(data_of(CASES[FROM_A_LINE]))


def changed(name, change):
    """The file of a case with another schema."""
    with zipfile.ZipFile(io.BytesIO(data_of(CASES[name]))) as archive:
        files = {each: archive.read(each) for each in archive.namelist()}
    files["schema.json"] = change(files["schema.json"].decode()).encode("utf-8", "replace")
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for each, content in files.items():
            archive.writestr(each, content)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda text: text.replace('"DecisionTreeClassifier"', '"SVC"', 1), "holds SVC, which cannot be read: save"),
        (lambda text: text.replace(".npy", ".npx"), "a file of numbers is missing. Write it anew with skops.io.dump"),
        (lambda text: text[:100], "the text is not JSON"),
        (lambda text: text.replace('"tree_"', '"wood_"'), "an object of it is of a kind that is not known"),
    ],
)
def test_what_cannot_be_read_is_refused_by_name(change, words):
    with pytest.raises(ex.InputError, match=words):
        ex.open_model(changed("tree", change))


def test_an_array_larger_than_its_file_takes_no_memory():
    case = data_of(CASES["tree"])
    with zipfile.ZipFile(io.BytesIO(case)) as archive:
        files = {each: archive.read(each) for each in archive.namelist()}
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for each, content in files.items():
            start, end = content.find(b"'shape': ("), content.find(b"\n")
            if each.endswith(".npy") and start >= 0:
                header = content[:start] + b"'shape': (99999999999,), }"
                content = header + b" " * (end - len(header)) + content[end:]
            archive.writestr(each, content)
    with pytest.raises(ex.InputError, match="its numbers are damaged"):
        ex.open_model(stream.getvalue())


def test_damaged_files_are_refused_or_predict_finite_numbers():
    rng, n_read = np.random.default_rng(1), 0
    names = ["tree", "gradient boosting", "histograms, categories", "adaboost"]
    for number in range(300):
        name = names[number % 4]
        data = bytearray(data_of(CASES[name]))
        if number % 3:
            data = changed(name, lambda text: damaged(rng, text))
        else:
            data[int(rng.integers(0, len(data)))] = int(rng.integers(0, 256))
        frame = pd.DataFrame(CASES[name]["rows"]).head(8)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            try:
                model = ex.open_model(bytes(data))
                rows = frame.reindex(columns=[each.name for each in model.features])
                numbers = model.predict_proba(rows) if model.classes else model.predict(rows)
            except ex.InputError:
                continue
        assert np.isfinite(numbers).all()
        n_read += 1
    assert n_read >= 30, "some damage leaves a model"
