"""HistGradientBoosting of scikit-learn: what its file has to hold, and damaged files."""

import json
import warnings

import numpy as np
import pandas as pd
import pytest

import explorer as ex
from tests.fuzz.models import damaged
from tests.reference.foreign_cases import cases_of

CASES = {case.values[0]["name"]: case.values[0] for case in cases_of("scikit-learn-histograms")}


def read(name, **changes):
    content = CASES[f"histograms, {name}"]["content"] | changes
    return ex.open_model(json.dumps(content).encode())


def test_categories_have_their_names_and_leaves_count_rows():
    model = read("three classes")
    assert [each.name for each in model.features] == ["width", "city", "length", "zip"]
    assert [each.labels for each in model.features] == [(), ("a", "b", "c", "d", "é <b>"), (), (7, 30, 50, 90, 100)]
    tree = model.members[0].tree
    assert (tree.counts_rows, tree.weight[0]) == (True, 120)
    assert model.method == "newton_boosting"


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"loss": "hinge"}, "objective is 'hinge', which cannot be read. Readable: squared_error"),
        ({"categories": None}, "does not name the categories: fit the model with scikit-learn 1.4 or later"),
        ({"categories": [["a", "a"], [1]]}, "two categories have the same name"),
        ({"categories": [["a"]]}, "'categories' is not a list of the right length"),
        ({"start": []}, "'start' is not a list of the right length"),
        ({"rounds": [[]]}, "is not a list of the right length"),
    ],
)
def test_what_is_missing_is_named(changes, words):
    with pytest.raises(ex.InputError, match=words):
        read("categories", **changes)


def test_damaged_files_are_refused_or_predict_finite_numbers():
    rng, n_read = np.random.default_rng(1), 0
    names = ["categories", "three classes", "poisson"]
    for number in range(300):
        case = CASES[f"histograms, {names[number % 3]}"]
        frame = pd.DataFrame(case["rows"]).head(8)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            try:
                model = ex.open_model(damaged(rng, json.dumps(case["content"])).encode())
                rows = frame.reindex(columns=[each.name for each in model.features])
                numbers = model.predict(rows) if model.is_regression else model.predict_proba(rows)
            except ex.InputError:
                continue
        assert np.isfinite(numbers).all()
        n_read += 1
    assert n_read >= 30, "some damage leaves a model"
