"""Texts that Weka printed predict what Weka predicted, as far as their rounding lets them (`make_weka_models.py`)."""

import json
import re
import warnings

import numpy as np
import pandas as pd
import pytest

import explorer as ex
from tests.folders import ROOT
from tests.fuzz.mutations import mutated_text

CASES = {
    case["name"]: case
    for path in sorted((ROOT / "tests/reference/foreign").glob("weka-*.json"))
    for case in json.loads(path.read_text("utf-8"))
}
ORDER = {"class": ("low", "middle", "very high"), "two": ("no", "yes (1)")}
HEAD = "J48 pruned tree\n------------------\n\n"


def opened(case):
    return ex.open_model(case["content"].encode(), target=case["target"])


def leaves(case):
    return [line for line in case["content"].splitlines() if line.endswith((")", "]")) and ": " in line]


@pytest.mark.parametrize("name", sorted(CASES))
def test_weka_s_own_predictions(name):
    case, tree = CASES[name], opened(CASES[name])
    rows = pd.DataFrame(case["rows"])
    is_known = rows.notna().all(axis=1).to_numpy()
    assert (len(rows), tree.n_leaves) == (260, max(len(leaves(case)), 1))
    assert is_known.sum() > 50
    assert tree.source.startswith("Weka ")
    if not tree.classes:
        expected = np.array([float(answer[0]) for answer in case["answers"]])
        assert tree.predict(rows) == pytest.approx(expected, abs=0.006), "numbers are printed with two decimals"
        return
    labels = np.array([answer[0] for answer in case["answers"]])
    same = np.asarray(tree.predict(rows)) == labels
    assert same[is_known].all()
    assert tree.classes == ORDER[case["target"]], "as the confusion matrix names them"
    again = ex.Tree.from_dict(json.loads(json.dumps(tree.to_dict())))
    assert again.predict_proba(rows) == pytest.approx(tree.predict_proba(rows), abs=1e-15)
    expected = np.array([[float(share) for share in answer[1:]] for answer in case["answers"]])
    if case["target"] == "two":
        assert same.all()
        assert tree.predict_proba(rows) == pytest.approx(expected, abs=2e-3), "rows are printed with two decimals"
    else:
        assert same.mean() > 0.98
        assert any("not of which" in note for note in tree.notes), "shares of the other classes are not told"
        ends = tree.apply(rows[is_known])
        own = expected[is_known][np.arange(is_known.sum()), tree.labels[ends]]
        told = tree.predict_proba(rows[is_known])[np.arange(is_known.sum()), tree.labels[ends]]
        is_small = tree.weight[ends] < 3
        assert told[~is_small] == pytest.approx(own[~is_small], abs=4e-3)


def test_cases_hold_what_they_are_about():
    content = {name: case["content"] for name, case in CASES.items()}
    assert "kind != b" in content["J48, binary"]
    assert ": low (0.0)" in content["J48"] + content["J48, unpruned"], "empty leaves"
    assert "(0/0) [0/0]" in content["REPTree"]
    tree = opened(CASES["J48"])
    assert {tree.child_count[node] for node in np.flatnonzero(tree.feature >= 0)} >= {2, 5}
    assert (tree.weight[tree.is_leaf] == 0).any()
    assert tree.weight[0] == pytest.approx(200, abs=0.5)
    strict = opened(CASES["REPTree, numbers"])
    assert strict.condition(0).text == "width < 4.25"


def test_parts_of_rows_with_two_decimals_are_a_whole_number_of_rows_in_sum():
    printed = [float(re.search(r"\(([0-9.]+)[^(]*$", line)[1]) for line in leaves(CASES["J48"])]
    assert sum(printed) != pytest.approx(200, abs=1e-6), "rounded"
    tree = opened(CASES["J48"])
    assert tree.weight[0] == pytest.approx(200, abs=1e-8)
    assert sorted(tree.weight[tree.is_leaf]) == pytest.approx(sorted(printed), abs=0.005)
    assert tree.stats.sum(axis=1) == pytest.approx(tree.weight, abs=1e-8)


def test_rounding_is_told():
    assert "thresholds to 6 decimals" in opened(CASES["J48"]).notes[0]
    assert "thresholds to 2 decimals" in opened(CASES["REPTree"]).notes[0]
    assert not opened(CASES["J48"]).counts_rows
    assert opened(CASES["J48, two classes"]).counts_rows


def test_the_buffer_of_the_explorer_and_names_with_brackets_are_read():
    text = "=== Run information ===\n\nScheme: weka.classifiers.trees.J48 -C 0.25\n\n" + HEAD
    text += "my col = u (2): a (b) (5.0/1.0)\nmy col = v:: c (2.0)\n\nNumber of Leaves  : 2\n"
    tree = ex.open_model(text.encode())
    assert tree.condition(0).branches == (("u (2)",), ("v:",))
    assert tree.classes == ("a (b)", "c")
    assert tree.row_stats[1].tolist() == [4.0, 1.0]


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        (
            "a = b: c: d (2.0)\na = e: d (1.0)",
            r"line 'a = b: c: d \(2.0\)' of Weka's tree cannot be read: a name in it",
        ),
        ("a = b = c: d (2.0)\na = b = e: d (1.0)", "a name in it holds a sign"),
        ("x <= 1.5: d (2.0)\nx > 2.5: e (1.0)", "the branches below 'x' are not those of one test"),
        ("x <= 1.5: d (2.0)", "not those of one test"),
        ("x <= one: d (2.0)\nx > one: e (1.0)", "its threshold is no number"),
        ("x <= 1.5: d\nx > 1.5: e (1.0)", r"no numbers of rows such as \(12.0/3.0\)"),
        ("x <= 1.5\n|   |   x > 0: e (1.0)", "do not form a tree"),
        ("x <= 1: d (2)\nx > 1\n|   x = 1: d (1)\n|   x = 2: e (1)", "'x' is compared with numbers and with names"),
        ("", "it has no trees"),
    ],
)
def test_what_cannot_be_read_is_refused_with_the_line(lines, says):
    with pytest.raises(ex.InputError, match=says):
        ex.open_model((HEAD + lines + "\n").encode())


def test_damaged_texts_are_refused_or_predict_finite_numbers():
    rng, n_read, names = np.random.default_rng(1), 0, sorted(CASES)
    for number in range(300):
        case = CASES[names[number % len(names)]]
        data, rows = mutated_text(rng, case["content"].encode()), pd.DataFrame(case["rows"]).head(8)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            try:
                tree = ex.open_model(data)
                frame = rows.reindex(columns=[feature.name for feature in tree.features])
                found = tree.predict_proba(frame) if tree.classes else tree.predict(frame)
            except ex.InputError:
                continue
        assert np.isfinite(found).all()
        n_read += 1
    assert n_read >= 30, "some damage leaves a tree"


def test_what_competed_on_ones_own_rows_sends_missing_cells_down_every_branch():
    case, tree = CASES["J48, two classes"], opened(CASES["J48, two classes"])
    frame = pd.DataFrame(case["rows"]).assign(two=[answer[0] for answer in case["answers"]])
    data = ex.Dataset.from_frame(frame, "two")
    counted = ex.recount(tree, data, ex.C45)
    row, node, part = tree.routes(frame)
    ends = np.bincount(node, weights=part, minlength=tree.n_nodes_grown)
    assert len(row) > len(frame)
    assert ends.sum() == pytest.approx(len(frame))
    assert counted.recipe.missing == "fractional"
    assert ex.decide(counted, data, 0).chosen is not None
