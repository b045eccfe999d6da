"""PMML files of trees predict what JPMML-Evaluator predicted; `make_pmml_models.py` has the commands."""

import json
import warnings

import numpy as np
import pandas as pd
import pytest

import explorer as ex
from tests.folders import ROOT

CASES = {
    case["name"]: case
    for path in sorted((ROOT / "tests/reference/foreign").glob("jpmml-*.json"))
    for case in json.loads(path.read_text("utf-8"))
}


def opened(name):
    return ex.open_model(CASES[name]["model"].encode(), "model.pmml")


@pytest.mark.parametrize("name", sorted(CASES))
def test_jpmml_s_own_predictions(name):
    case, tree = CASES[name], opened(name)
    rows = pd.DataFrame({each.name: case["rows"][each.name] for each in tree.features})
    assert len(rows) == 200
    again = ex.Tree.from_dict(json.loads(json.dumps(tree.to_dict())))
    told = [number for number, each in enumerate(case["predictions"]) if each is not None]
    assert len(told) >= 40
    assert len(told) == 200 or "predicts nothing" in tree.notes[0] or "asIs" not in case["model"]
    for one in (tree, again):
        found = one.predict(rows)[told].tolist()
        expected = [case["predictions"][number] for number in told]
        if not tree.classes:
            assert found == pytest.approx(expected, abs=1e-9)
            continue
        assert [str(label) for label in found] == [str(label) for label, _ in expected]
        shares = [list(of_class.values()) for _, of_class in expected]
        assert one.predict_proba(rows)[told] == pytest.approx(np.array(shares), abs=1e-9)


def test_a_flattened_tree_is_a_chain_and_shares_are_no_counts():
    tree = opened("tree, names")
    assert not tree.counts_rows
    assert tree.source == "PMML"
    assert (np.asarray(tree.child_count)[tree.is_inner] == 2).all()
    assert opened("by hand, lastPrediction").counts_rows
    assert opened("by hand, lastPrediction").stats[0].tolist() == [33, 27]


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        (
            'missingValueStrategy="none"',
            'missingValueStrategy="aggregateNodes"',
            "missingValueStrategy='aggregateNodes'",
        ),
        ("<PMML ", '<!DOCTYPE a [<!ENTITY b "c">]><PMML ', "declares XML entities"),
        ("TreeModel", "RegressionModel", "its model is a 'RegressionModel'"),
        ("isIn", "isAround", "a test has the operator 'isAround'"),
        ("<True/>", "<False/>", "the first node has a test"),
        ('field="width"', 'field="depth"', "column 'depth' is not declared"),
        ('score="no" recordCount="15"', 'score="yes" recordCount="15"', "not those of the largest probability"),
        ("</Node>", "", "is no XML"),
    ],
)
def test_what_cannot_be_read_is_refused_by_name(old, new, why):
    text = CASES["by hand, none"]["model"]
    assert old in text
    with pytest.raises(ex.InputError, match=why):
        ex.open_model(text.replace(old, new).encode())


def test_damaged_files_are_refused_or_predict_finite_numbers():
    rng, n_read = np.random.default_rng(1), 0
    files = [CASES[name]["model"] for name in ("by hand, defaultChild", "by hand, compound none", "tree, names")]
    for number in range(300):
        data = files[number % 3]
        parts = data.split('"') if number % 2 else data.split("<")
        mark = '"' if number % 2 else "<"
        at, other = rng.integers(1, len(parts), 2)
        parts[at] = parts[other] if rng.random() < 0.7 else ""
        data = mark.join(parts)
        if rng.random() < 0.1:
            data = data[: int(rng.integers(1, len(data)))]
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            try:
                read = ex.open_model(data.encode())
                rows = pd.DataFrame(
                    {each.name: ["Rome", "x", None] if each.words else [0.3, 4, None] for each in read.features}
                )
                numbers = read.predict_proba(rows) if read.classes else read.predict(rows)
            except ex.InputError:
                continue
        assert np.isfinite(numbers).all()
        n_read += 1
    assert n_read >= 30, "some damage leaves a model"
