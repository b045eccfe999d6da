"""Files of XGBoost in Universal Binary JSON open as their JSON does, and damaged ones are refused."""

import base64
import json

import numpy as np
import pandas as pd
import pytest

import explorer as ex
from explorer.foreign.ubjson import parsed_ubjson
from tests.reference.foreign_cases import XGBOOST, predicted, rows_of

CASES = [case for case in XGBOOST if "ubj" in case.values[0]]


@pytest.mark.parametrize("case", CASES)
def test_the_same_values_and_predictions_as_from_json(case):
    data = base64.b64decode(case["ubj"])
    read, same = ex.open_model(data), ex.open_model(json.dumps(case["content"]).encode())
    rows, expected = rows_of(case, read), np.array(case["predictions"])
    assert set(parsed_ubjson(data)["learner"]) == set(case["content"]["learner"])
    assert read.source == same.source
    assert predicted(read, rows, expected) == pytest.approx(expected, rel=1e-6, abs=1e-6)
    assert predicted(read, rows, expected) == pytest.approx(predicted(same, rows, expected), rel=1e-6, abs=1e-6)


def test_both_ends_of_the_versions_are_there():
    assert {case.id.split(" ")[0] for case in CASES} >= {"2.1.4", "3.4.1"}


def test_damaged_files_are_refused_or_predict_finite_numbers():
    rng, n_read = np.random.default_rng(1), 0
    wholes = [base64.b64decode(case.values[0]["ubj"]) for case in CASES if case.values[0]["name"] != "categories"]
    frame = pd.DataFrame(CASES[0].values[0]["rows"]).head(8)
    for number in range(300):
        data = bytearray(wholes[number % len(wholes)])
        for _ in range(int(rng.integers(1, 4))):
            place = int(rng.integers(0, len(data)))
            if rng.random() < 0.2:
                del data[place : place + int(rng.integers(1, 40))]
            else:
                data[place] = int(rng.integers(0, 256))
        try:
            read = ex.open_model(bytes(data))
            rows = frame.reindex(columns=[each.name for each in read.features])
            numbers = read.predict(rows) if read.is_regression else read.predict_proba(rows)
        except ex.InputError:
            continue
        assert np.isfinite(numbers).all()
        n_read += 1
    assert n_read >= 30, "some damage leaves a model"
