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


FLOATS = ("XGBoost",)
"""Files that JPMML sums up in 32 bits."""


def opened(name):
    return ex.open_model(CASES[name]["model"].encode(), "model.pmml")


@pytest.mark.parametrize("name", sorted(CASES))
def test_jpmml_s_own_predictions(name):
    case, model = CASES[name], opened(name)
    rows = pd.DataFrame({each.name: case["rows"][each.name] for each in model.features})
    assert len(rows) == 200
    again = type(model).from_dict(json.loads(json.dumps(model.to_dict())))
    told = [number for number, each in enumerate(case["predictions"]) if each is not None]
    notes = model.notes if isinstance(model, ex.Tree) else [each.tree.notes[0] for each in model.members]
    if name == "by hand, votes, no strategy":  # JPMML leaves out the votes of trees that predict nothing
        told = rows.dropna().index.tolist()
    assert len(told) >= 40
    assert len(told) == 200 or any("predicts nothing" in note for note in notes) or "asIs" not in case["model"]
    expected, digits = [case["predictions"][number] for number in told], 1e-6 if name.startswith(FLOATS) else 1e-9
    for one in (model, again):
        found = one.predict(rows)[told].tolist()
        if not one.classes:
            assert found == pytest.approx(expected, abs=digits, rel=digits)
            continue
        shares = np.array([[of_class[key] for key in ordered(of_class, one.classes)] for _, of_class in expected])
        assert one.predict_proba(rows)[told] == pytest.approx(shares, abs=digits)
        is_tie = (shares == shares.max(axis=1, keepdims=True)).sum(axis=1) > 1
        same = np.array([str(label) == str(other) for label, (other, _) in zip(found, expected, strict=True)])
        assert np.all(same | is_tie)
        assert same.all() or "equally many votes" in one.members[0].tree.notes[1]


def ordered(of_class, classes):
    """The names of JPMML's shares in the order of our classes."""
    return [next(key for key in of_class if key.endswith((f"({one})", f"_{one}"))) for one in classes]


def test_a_flattened_tree_is_a_chain_and_shares_are_no_counts():
    tree = opened("tree, names")
    assert not tree.counts_rows
    assert tree.source == "PMML"
    assert (np.asarray(tree.child_count)[tree.is_inner] == 2).all()
    assert opened("by hand, lastPrediction").counts_rows
    assert opened("by hand, lastPrediction").stats[0].tolist() == [33, 27]


ONE_HOT = """<PMML version="4.4"><DataDictionary><DataField name="y" optype="continuous" dataType="double"/>
<DataField name="sex" optype="categorical" dataType="string"><Value value="F"/><Value value="M"/></DataField>
<DataField name="age" optype="continuous" dataType="double"/></DataDictionary>
<TreeModel functionName="regression" missingValueStrategy="nullPrediction"><MiningSchema>
<MiningField name="y" usageType="target"/><MiningField name="sex"/><MiningField name="age"/></MiningSchema>
<Node><True/><Node><SimplePredicate field="sex" operator="equal" value="F"/>
<Node score="1"><SimplePredicate field="age" operator="lessOrEqual" value="INF"/></Node></Node>
<Node score="4"><True/></Node></Node></TreeModel></PMML>"""


def test_rows_for_which_a_file_predicts_nothing_end_at_their_node():
    rows = pd.DataFrame({"sex": ["F", "F", "M", "X", None], "age": [30.0, None, None, 1.0, 1.0]})
    tree = ex.open_model(ONE_HOT.encode())
    assert tree.predict(rows).tolist() == [1, 1, 4, 2.5, 2.5]
    assert "At 2 nodes the file predicts nothing" in tree.notes[0]
    lets_through = ONE_HOT.replace('name="sex"/>', 'name="sex" invalidValueTreatment="asIs"/>')
    assert ex.open_model(lets_through.encode()).predict(rows).tolist() == [1, 1, 4, 4, 2.5]
    with pytest.raises(ex.InputError, match="a leaf predicts nothing"):
        ex.open_model(ONE_HOT.replace(' score="4"', "").encode())


def test_a_branch_for_missing_categories_alone_is_named_so():
    lines = ex.to_text(opened("one-hot, tree, unseen ignored")).splitlines()
    assert sum("city is missing" in line for line in lines) == 2
    assert not any("{}" in line for line in lines)


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


@pytest.mark.parametrize(
    ("name", "old", "new", "why"),
    [
        (
            "sum",
            'Method="sum"',
            'Method="median"',
            "combined by 'median', of which there is no ensemble here, but of '",
        ),
        ("sum", "<True/>\n", '<SimplePredicate field="width" operator="isMissing"/>\n', "segment '1' is not for every"),
        ("sum", 'Method="sum"', 'Method="selectFirst"', "combined by 'selectFirst'"),
        ("sum", "rescaleFactor", 'castInteger="round" rescaleFactor', "castInteger='round'"),
        ("sum", "</TreeModel>", "</TreeModel><TreeModel/>", "it holds 2 models"),
        ("sum", "TreeModel", "RegressionModel", "a segment holds a 'RegressionModel'"),
        ("sum", "Segmentation", "Segments", "'MiningModel' has no 'Segmentation'"),
        ("votes", 'Method="majorityVote"', 'Method="sum"', "combined by 'sum'"),
        ("votes with weights", 'weight="2', 'weight="-2', "weight='-2'"),
        ("chain, share", '"logit"', '"probit"', "normalizationMethod='probit'"),
        ("chain, share", '"score" coeff', '"scores" coeff', "column 'scores' is not declared"),
        ("chain, share", " coefficient=", ' exponent="2" coefficient=', "asks for more than a sum of trees"),
        ("chain, two classes", 'intercept="0"', 'intercept="1"', "normalizationMethod='logit'"),
        ("chain, three classes", 'name="b" coeff', 'name="a" coeff', "a segment is not used, or twice"),
        ("chain, one tree", "</Output>", "</Output><Targets><Target min='0'/></Targets>", "it has min='0'"),
    ],
)
def test_what_no_ensemble_means_is_refused_by_name(name, old, new, why):
    text = CASES[f"by hand, {name}"]["model"]
    assert old in text
    with pytest.raises(ex.InputError, match=why):
        ex.open_model(text.replace(old, new).encode())


def test_a_backslash_in_an_array_escapes_quotation_marks_only():
    told = r'"Rome" "C:\temp" "C:\\temp" "a \"b\""'
    text = CASES["by hand, none"]["model"].replace(r'"Rome" "a \"b\""', told)
    labels = next(each for each in ex.open_model(text.encode()).features if each.name == "city").labels
    assert {r"C:\temp", r"C:\\temp", 'a "b"'} <= set(labels)  # as JPMML-Evaluator 0.16.0 and PyPMML 1.5.8 take them


SINGLE = ("by hand, defaultChild", "by hand, compound none", "tree, names")
TOGETHER = ("by hand, votes with weights", "by hand, sum", "by hand, chain, three classes", "boosting, two classes")


@pytest.mark.parametrize("names", [SINGLE, TOGETHER])
def test_damaged_files_are_refused_or_predict_finite_numbers(names):
    rng, n_read = np.random.default_rng(1), 0
    files = [CASES[name]["model"] for name in names]
    for number in range(300):
        data = files[number % len(files)]
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
