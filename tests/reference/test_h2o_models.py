"""What our lines write of models of H2O predicts what H2O predicted, or is refused for the true reason.

`make_h2o_models.py` has the commands.
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
    for path in sorted((ROOT / "tests/reference/foreign").glob("h2o-*.json"))
    for case in json.loads(path.read_text("utf-8"))
}
REFUSED = {
    "DRF, three classes": "forest of H2O has a tree for every class in each round, which cannot be read: fit one for",
    "DRF, double trees": r"fit one for two classes \(binomial_double_trees=False\), or a GBM",
    "codes by a threshold": "where H2OTree lists the categories wrongly: fit it with nbins_cats as large as",
}
READ = sorted(set(CASES) - set(REFUSED))


def opened(content):
    return ex.open_model(json.dumps(content).encode())


def numbers_of(read, rows):
    return read.predict(rows) if read.is_regression else read.predict_proba(rows)


@pytest.mark.parametrize("name", READ)
def test_h2o_s_own_predictions(name):
    case, read = CASES[name], opened(CASES[name]["content"])
    rows, expected = pd.DataFrame(case["rows"]), np.array(case["predictions"])
    expected = expected if expected.ndim > 1 else expected.ravel()
    assert len(rows) == 240
    assert np.ptp(expected, axis=0).max() > 0.05
    for one in (read, ex.Ensemble.from_dict(json.loads(json.dumps(read.to_dict())))):
        assert numbers_of(one, rows) == pytest.approx(expected, rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_what_cannot_be_read_is_refused_by_name(name):
    with pytest.raises(ex.InputError, match=REFUSED[name]):
        opened(CASES[name]["content"])


def test_rows_have_missing_unseen_and_threshold_values():
    rows = pd.DataFrame(CASES["GBM, two classes"]["rows"])
    assert (rows["city"] == "zzz").any()
    assert rows.isna().any().all()
    trees = [tree for of_round in CASES["GBM, two classes"]["content"]["rounds"] for tree in of_round]
    asked = [(f, t) for tree in trees for f, t in zip(tree["features"], tree["thresholds"], strict=True)]
    splits = np.array([t for f, t in asked if f == "width" and t is not None]).astype(np.float32).astype(float)
    assert rows["width"].isin(splits).any()
    assert rows["width"].isin(np.nextafter(splits, -99)).any()


def test_names_classes_and_notes():
    read = opened(CASES["GBM, three classes"]["content"])
    assert (read.target, read.classes, read.source) == ("label", ("may be", "no", "yes"), "H2O 3.46.0.12")
    assert [feature.name for feature in read.features] == ["width", "city", "rooms"]
    tree = read.members[0].tree
    assert not tree.counts_rows
    assert tree.notes[0].startswith("Opened from a file of H2O 3.46.0.12, whose tests read x < threshold; it does not")
    assert len(read.members) == 12


def test_cases_hold_what_they_are_about():
    trees = [tree for of_round in CASES["GBM, missing or not"]["content"]["rounds"] for tree in of_round]
    roots = {(tree["features"][0], tree["thresholds"][0]) for tree in trees}
    assert ("width", None) in roots


def test_other_distributions_are_refused_by_name():
    content = CASES["GBM of numbers"]["content"] | {"distribution": "custom"}
    with pytest.raises(ex.InputError, match=r"objective is 'custom', which cannot be read. Readable: bernoulli"):
        opened(content)


def test_categories_that_are_not_told_are_refused():
    content = json.loads(json.dumps(CASES["GBM, Poisson"]["content"]))
    trees = [tree for of_round in content["rounds"] for tree in of_round]
    empty = [
        (t, k) for t in trees for k, side in enumerate(t["left_cat_split"]) if side == [] == t["right_cat_split"][k]
    ]
    tree, node = empty[0]
    assert tree["nas"][node] == "RIGHT"
    below, end = tree["left_children"][node], len(tree["features"])
    tree["features"][below], tree["left_children"][below], tree["right_children"][below] = "city", end, end + 1
    for name, cells in tree.items():
        cells += [-1, -1] if name.endswith("children") else [0.0, 0.0] if name == "predictions" else [None, None]
    tree["left_cat_split"][below], tree["right_cat_split"][below] = [], []
    with pytest.raises(ex.InputError, match="does not tell the categories of 'city' below a split on whether it is"):
        opened(content)


def test_damaged_files_are_refused_or_predict_finite_numbers():
    rng, n_read = np.random.default_rng(1), 0
    names = ("GBM, two classes", "GBM, three classes", "DRF, two classes", "DRF of numbers")
    rows = pd.DataFrame(CASES[names[0]]["rows"]).head(8)
    for number in range(300):
        data = damaged(rng, json.dumps(CASES[names[number % 4]]["content"])).encode("utf-8", "replace")
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            try:
                read = ex.open_model(data)
                numbers = numbers_of(read, rows.reindex(columns=[each.name for each in read.features]))
            except ex.InputError:
                continue
        assert np.isfinite(numbers).all()
        n_read += 1
    assert n_read >= 30, "some damage leaves a model"
