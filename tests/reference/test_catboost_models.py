"""Files that CatBoost wrote predict what CatBoost predicted, or are refused for the true reason.

`make_catboost_models.py` has the commands.
"""

import json
import warnings

import numpy as np
import pandas as pd
import pytest

import explorer as ex
from tests.folders import ROOT
from tests.fuzz.models import damaged

CASES = {
    case["name"]: case
    for path in sorted((ROOT / "tests/reference/foreign").glob("catboost-*.json"))
    for case in json.loads(path.read_text("utf-8"))
}
REFUSED = {
    "no pool": "The file does not name the categories of 'kind': write it anew with model.save_model",
    "OnlineCtr": "splits of type 'OnlineCtr', which stand for statistics of the target and cannot be read",
    "MultiClassOneVsAll": "objective is 'MultiClassOneVsAll', which cannot be read. Readable: RMSE",
}
READ = sorted(set(CASES) - set(REFUSED))


def opened(content):
    return ex.open_model(json.dumps(content).encode())


@pytest.mark.parametrize("name", READ)
def test_catboost_s_own_predictions(name):
    case = CASES[name]
    rows, expected, read = pd.DataFrame(case["rows"]), np.array(case["predictions"]), opened(case["content"])
    assert len(rows) == 200
    again = ex.Ensemble.from_dict(json.loads(json.dumps(read.to_dict())))
    for one in (read, again):
        found = one.predict(rows) if one.is_regression else one.predict_proba(rows)
        assert found == pytest.approx(expected, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_what_cannot_be_read_is_refused_by_name(name):
    with pytest.raises(ex.InputError, match=REFUSED[name]):
        opened(CASES[name]["content"])


def test_source_classes_and_note():
    read = opened(CASES["MultiClass, names, depthwise"]["content"])
    assert (read.source, read.classes) == ("CatBoost 1.2.10", ("low", "middle", "very high"))
    assert read.members[0].tree.notes[0].startswith("Opened from a file of CatBoost, which compares 32-bit numbers")
    assert not read.members[0].tree.counts_rows


def test_cases_hold_what_they_are_about():
    text = {name: json.dumps(case["content"]) for name, case in CASES.items()}
    assert "3.4028234663852886e+38" in text["missing or not, max"]
    assert "-3.4028234663852886e+38" in text["missing or not"]
    for name, treatment in (("missing max", "AsTrue"), ("symmetric", "AsFalse"), ("missing never seen", "AsIs")):
        assert treatment in text[name]
    assert '"OneHotFeature"' in text["symmetric"]


def test_damaged_files_are_refused_or_predict_finite_numbers():
    rng, n_read = np.random.default_rng(1), 0
    cases = [CASES[name] for name in ("symmetric", "MultiClass, names, depthwise", "Logloss")]
    frame = pd.DataFrame(cases[0]["rows"]).head(8)
    for number in range(300):
        data = damaged(rng, json.dumps(cases[number % 3]["content"])).encode()
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            try:
                read = ex.open_model(data)
                rows = frame.reindex(columns=[each.name for each in read.features])
                numbers = read.predict(rows) if read.is_regression else read.predict_proba(rows)
            except ex.InputError:
                continue
        assert np.isfinite(numbers).all()
        n_read += 1
    assert n_read >= 30, "some damage leaves a model"
