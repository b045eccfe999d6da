"""Files that the libraries wrote predict what the libraries predicted, or are refused for the true reason.

`make_foreign_models.py` has the commands. Predictions agree to 1e-6: XGBoost adds in 32 bits.
"""

import json

import numpy as np
import pandas as pd
import pytest

import explorer as ex
from tests.reference.foreign_cases import XGBOOST, cases_of, predicted, rows_of

REFUSED = {
    "two quantiles": "The model predicts 2 targets at once: fit one for each",
    "two targets": "The model predicts 2 targets at once: fit one for each",
    "several labels": "The model predicts 2 targets at once: fit one for each",
    "vector leaves, two targets": "The model predicts 2 targets at once: fit one for each",
    "dump of categories": "a dump does not name the categories that its splits list. Write it anew",
    "binary:hinge": "The model's objective is 'binary:hinge', which cannot be read",
    "gblinear": "The model's booster is 'gblinear', which cannot be read: fit it with booster='gbtree'",
}
"""Cases of XGBoost that cannot be read, and the words of the reason."""
REFUSED_OF_SKLEARN = {
    "gradient boosting from a line": "starts from another model .init=LinearRegression.: fit it with init=None",
}
WITHOUT_WEIGHTS = "dump of dart"


def read_xgboost(case, **options):
    return ex.Ensemble.from_xgboost_json(json.dumps(case["content"]), **case.get("options", {}), **options)


@pytest.mark.parametrize("case", XGBOOST)
def test_xgboost_s_own_predictions(case):
    if case["name"] in REFUSED:
        with pytest.raises(ex.InputError, match=REFUSED[case["name"]]):
            read_xgboost(case)
        return
    read = read_xgboost(case)
    rows = rows_of(case, read)
    expected = np.array(case.get("all_rounds", case["predictions"]))
    if case["name"] == WITHOUT_WEIGHTS:
        assert np.abs(predicted(read, rows, expected) - expected).max() > 0.1, "a dump keeps no weights"
        return
    assert predicted(read, rows, expected) == pytest.approx(expected, rel=1e-6, abs=1e-6)
    again = ex.Ensemble.from_dict(json.loads(json.dumps(read.to_dict())))
    assert predicted(again, rows, expected) == pytest.approx(expected, rel=1e-6, abs=1e-6)


STOPPED_EARLY = [case for case in XGBOOST if "best" in case.values[0]]


@pytest.mark.parametrize("case", STOPPED_EARLY)
def test_early_stopping_is_named_and_its_rounds_can_be_chosen(case):
    rows, expected = pd.DataFrame(case["rows"]), np.array(case["predictions"])
    every, best = read_xgboost(case), read_xgboost(case, best_only=True)
    last = every.n_stages
    assert best.n_stages == case["best"] < last
    assert predicted(best, rows, expected) == pytest.approx(expected, rel=1e-6, abs=2e-6)
    assert f"round {case['best']} of {last} was the best" in every.ended.text
    assert f"of {last} rounds, those up to the best one, {case['best']}, are kept" in best.ended.text
    assert np.abs(predicted(every, rows, expected) - expected).max() > 0.1


def test_a_model_without_early_stopping_has_no_best_round():
    with pytest.raises(ex.InputError, match="names no best round: it was fitted without early stopping"):
        read_xgboost(XGBOOST[0].values[0], best_only=True)


PARALLEL = [case for case in XGBOOST if case.values[0]["name"] == "dump of parallel trees, three classes"]


@pytest.mark.parametrize("case", PARALLEL)
def test_a_dump_of_several_classes_asks_for_the_trees_of_a_round(case):
    options = {name: value for name, value in case["options"].items() if name != "num_parallel_tree"}
    with pytest.raises(ex.InputError, match="does not hold how many trees a round has for each class"):
        ex.Ensemble.from_xgboost_json(json.dumps(case["content"]), **options)
    with pytest.raises(ex.InputError, match="number of trees does not fit its classes"):
        ex.Ensemble.from_xgboost_json(json.dumps(case["content"]), **options, num_parallel_tree=3)


SKLEARN = cases_of("scikit-learn")


def read_sklearn(case):
    kind = ex.Tree if case["is_tree"] else ex.Ensemble
    return kind.from_sklearn_json(json.dumps(case["content"]))


@pytest.mark.parametrize("case", SKLEARN)
def test_scikit_learn_s_own_predictions(case):
    if case["name"] in REFUSED_OF_SKLEARN:
        with pytest.raises(ex.InputError, match=REFUSED_OF_SKLEARN[case["name"]]):
            read_sklearn(case)
        return
    rows, read = pd.DataFrame(case["rows"]), read_sklearn(case)
    again = type(read).from_dict(json.loads(json.dumps(read.to_dict())))
    for one in (read, again):
        if "shares" not in case:
            assert one.predict(rows) == pytest.approx(case["predictions"], rel=1e-12)
            continue
        assert one.predict(rows).tolist() == case["predictions"], "exactly, at ties too"
        if case["name"] != "adaboost":
            assert one.predict_proba(rows) == pytest.approx(np.array(case["shares"]), abs=1e-12)


TREES = [case for case in SKLEARN if case.values[0]["is_tree"]]


@pytest.mark.parametrize("case", TREES)
def test_exported_python_takes_the_rows_that_scikit_learn_took(case):
    space = {}
    exec(ex.to_python(read_sklearn(case)), space)
    rows = pd.DataFrame(case["rows"]).to_dict("records")
    predictions = [space["predict"](row)[0] for row in rows]
    assert predictions == (case["predictions"] if "shares" in case else pytest.approx(case["predictions"], rel=1e-12))


@pytest.mark.parametrize("case", TREES)
def test_shares_that_were_changed_are_no_counts(case):
    tree = read_sklearn(case)
    assert ("shares_not_counts" in {remark.code for remark in tree.remarks}) == (case["name"] == "tree, increasing")
    assert tree.counts_rows == (case["name"] != "tree, increasing")


def without(case, **changes):
    """The JSON of a case with other fields; None takes one out."""
    content = case["content"] | changes
    return json.dumps({name: value for name, value in content.items() if value is not None})


def test_samme_r_is_recognised_also_where_the_file_does_not_name_it():
    cases = {case.values[0]["name"]: case.values[0] for case in SKLEARN}
    case = cases["adaboost, SAMME.R"]
    read = ex.Ensemble.from_sklearn_json(without(case, algorithm=None))
    assert read.predict_proba(pd.DataFrame(case["rows"])) == pytest.approx(np.array(case["shares"]), abs=1e-12)
    read = ex.Ensemble.from_sklearn_json(without(cases["adaboost"], algorithm=None))
    assert read.predict(pd.DataFrame(cases["adaboost"]["rows"])).tolist() == cases["adaboost"]["predictions"]


@pytest.mark.parametrize(
    "marks", [{"is_categorical_": [False, True, False, False]}, {"n_categories": [-1, 3, -1, -1]}], ids=str
)
def test_trees_of_scikit_learn_on_categories_are_refused(marks):
    with pytest.raises(
        ex.InputError, match="The model splits on categories, which cannot be read: fit it on numeric features only"
    ):
        ex.Tree.from_sklearn_json(without(TREES[0].values[0], **marks))
    numeric = {name: [0] * 4 for name in marks}
    assert ex.Tree.from_sklearn_json(without(TREES[0].values[0], **numeric)).n_leaves > 1


def test_shrunken_shares_are_no_counts():
    # What imodels 3.0.4 leaves of DecisionTreeClassifier(max_depth=2) on iris: HSTreeClassifier with λ = 1 changes
    # `value` and keeps `impurity`.
    content = {
        "children_left": [1, -1, 3, -1, -1], "children_right": [2, -1, 4, -1, -1], "feature": [3, -2, 3, -2, -2],
        "threshold": [0.8, -2.0, 1.75, -2.0, -2.0], "impurity": [2 / 3, 0.0, 0.5, 0.168038, 0.042533],
        "n_node_samples": [150, 50, 100, 54, 46], "criterion": "gini",
        "classes_": ["setosa", "versicolor", "virginica"],
        "value": [[1 / 3] * 3, [0.958333, 0.0208335, 0.0208335], [0.020833, 0.4895835, 0.4895835],
                  [0.020833, 0.859954, 0.119213], [0.020833, 0.054801, 0.924366]], "n_features_in_": 4,
    }  # fmt: skip
    tree = ex.Tree.from_sklearn_json(json.dumps(content))
    remark = next(remark for remark in tree.remarks if remark.code == "shares_not_counts")
    assert remark.text.startswith("The class shares of 4 nodes do not give their impurity")
    assert not tree.counts_rows
    assert tree.shares[1] == pytest.approx([0.958333, 0.020833, 0.020833], abs=1e-6)
