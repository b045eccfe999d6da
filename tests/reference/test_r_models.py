"""Files that our lines of R write predict what R predicted, or are refused for the true reason.

`r/make_rpart_models.R` and `r/make_forest_models.R` have the commands.
"""

import copy
import json
import warnings

import numpy as np
import pandas as pd
import pytest

import explorer as ex
from tests.folders import ROOT
from tests.fuzz.models import damaged

CASES = {
    case["name"][0]: case
    for path in sorted((ROOT / "tests/reference/foreign").glob("rpart-*.json"))
    for case in json.loads(path.read_text("utf-8"))
}


def opened(content):
    return ex.open_model(json.dumps(content).encode())


def rows_of(case):
    """The rows that R predicted, as a table holds them."""
    rows = pd.DataFrame(case["rows"])
    rows["isnew"] = rows["isnew"].map({"TRUE": True, "FALSE": False})
    return rows


def asks_surrogates_in_r(tree, rows):
    """Rows that meet a split on categories which does not list theirs: rpart asks surrogate splits (pred_rpart.c)."""
    meets = np.zeros(len(rows), dtype=bool)
    offset = None if tree.surrogates is None else tree.surrogates.offset
    for row, end in enumerate(tree.apply(rows)):
        for node in [*(step for step, _ in tree.path_to(int(end))), *([int(end)] if tree.is_inner[end] else [])]:
            feature, pairs = tree.features[tree.feature[node]], slice(*tree.cat_offset[node : node + 2])
            if feature.test == "threshold" or offset is None or offset[node] == offset[node + 1]:
                continue
            listed = {str(feature.labels[code]) for code in tree.cat_code[pairs]}
            cell = rows[feature.name].iloc[row]
            meets[row] |= not pd.isna(cell) and str(cell) not in listed
    return meets


@pytest.mark.parametrize("name", sorted(CASES))
def test_rpart_s_own_predictions(name):
    case = CASES[name]
    rows, read = rows_of(case), opened(case["content"])
    assert len(rows) == 300
    expected = np.array(case["predictions"]).reshape(len(rows), -1)
    same = ~asks_surrogates_in_r(read, rows)
    assert same.mean() > 0.9
    assert same.all() or "rpart asks the surrogate splits first" in read.notes[-1]
    again = ex.Tree.from_dict(json.loads(json.dumps(read.to_dict())))
    for tree in (read, again):
        found = tree.predict_proba(rows) if tree.classes else tree.predict(rows)[:, None]
        assert found[same] == pytest.approx(expected[same], rel=1e-12, abs=1e-12)
        if tree.classes:
            assert [*tree.predict(rows[same])] == np.array(case["labels"])[same].tolist()


def test_cases_hold_what_they_are_about():
    content = {name: case["content"] for name, case in CASES.items()}
    assert [content[f"usesurrogate {use}"]["control"]["usesurrogate"] for use in (0, 1)] == [[0], [1]]
    assert 2 in content["class"]["csplit"], "levels that a node had no row of"
    levels = [opened(content[name]).features[2].labels for name in ("class", "anova")]
    assert levels == [("d", "b", "c", "a", "é <b>\"'\\ x")] * 2
    for name in ("class", "anova", "poisson"):
        tests = set(content[name]["split"])
        assert {"width", "kind", "size", "isnew", "my col"} <= tests
    both = np.array(content["class"]["splits"]).reshape(5, -1)[1]
    assert {-1, 1} <= set(both.tolist()), "both sides of a threshold go left somewhere"
    rows = rows_of(CASES["numbers only"])
    tree = opened(content["numbers only"])
    cuts = np.nextafter(tree.threshold[tree.feature >= 0], np.inf)
    names = [tree.features[f].name for f in tree.feature[tree.feature >= 0]]
    assert sum((rows[name] == cut).any() for name, cut in zip(names, cuts, strict=True)) >= 10, "rows at thresholds"


def test_counts_priors_costs_and_limits_are_those_of_the_file():
    case = CASES["priors, loss, two classes"]["content"]
    tree, n = opened(case), len(case["node"])
    assert (tree.source, tree.target, tree.classes) == ("rpart 4.1.19", "two", ("no", "yes"))
    yval2 = np.array(case["frame"]["yval2"]).reshape(-1, n)
    assert tree.row_stats[0] == pytest.approx(yval2[1:3, 0])
    assert sorted(tree.row_stats.sum(axis=1)) == pytest.approx(sorted(case["frame"]["n"]))
    assert tree.recipe.costs == (("no", (("yes", 1.0),)), ("yes", (("no", 6.0),)))
    assert (tree.recipe.min_rows_split, tree.recipe.min_rows_leaf, tree.recipe.max_depth) == (8, 3, 30)
    assert tree.recipe.missing == "surrogate"
    assert tree.surrogates.adjusted.max() <= 1.0
    assert tree.condition(0).text.split()[1] in "<∈"


def test_ordered_levels_and_thresholds_of_17_digits_read_as_r_prints_them():
    texts = [
        tree.condition(int(node)).text
        for tree in (opened(CASES[name]["content"]) for name in ("class", "anova", "numbers only"))
        for node in np.flatnonzero(tree.feature >= 0)
    ]
    assert any(text in texts for text in ("size ≤ S", "size ≤ M", "size ≤ L"))
    split = CASES["numbers only"]["content"]["splits"]
    index = np.array(split).reshape(5, -1)[3]
    assert f"width < {index[np.array(CASES['numbers only']['content']['split']) == 'width'][0]:.15g}" in texts


@pytest.mark.parametrize(("name", "says"), [("usesurrogate 0", "surrogate = 0"), ("usesurrogate 1", "surrogate = 1")])
def test_rows_that_stay_are_told(name, says):
    tree = opened(CASES[name]["content"])
    assert any(says in note for note in tree.notes)
    rows = rows_of(CASES[name])
    assert tree.is_inner[tree.apply(rows)].any(), "some rows end at an inner node"


@pytest.mark.parametrize("name", ["class", "anova", "loss"])
def test_what_competed_keeps_surrogates_and_sends_rows_as_r_does(name):
    case, rows = CASES[name], rows_of(CASES[name])
    tree = opened(case["content"])
    target = np.array(case["labels"]) if tree.classes else np.array(case["predictions"])
    frame = rows[rows.columns[::-1]].assign(**{tree.target: target})
    data = ex.Dataset.from_frame(frame, tree.target, kinds={"size": ex.Ordered(["S", "M", "L", "XL"])})
    counted = ex.recount(tree, data, ex.CART)
    assert counted.surrogates.offset.tolist() == tree.surrogates.offset.tolist()
    assert [counted.features[f].name for f in counted.surrogates.feature] == [
        tree.features[f].name for f in tree.surrogates.feature
    ]
    ends = np.bincount(tree.apply(frame), minlength=tree.n_nodes_grown)
    assert counted.weight[tree.is_leaf] == pytest.approx(ends[tree.is_leaf])
    decision = ex.decide(counted, data, 0)
    assert decision.chosen is not None
    assert decision.surrogates


def changed(name, edit):
    content = copy.deepcopy(CASES[name]["content"])
    edit(content)
    return content


@pytest.mark.parametrize(
    ("edit", "says"),
    [
        (lambda c: c.update(r_model=["gbm"]), "class 'gbm', which cannot be read. Readable: rpart, randomForest"),
        (lambda c: c.update(method=["exp"]), "method 'exp', which cannot be read. Readable: class, anova"),
        (lambda c: c["types"].update(width=["Date"]), "'width' of the model is of R's type 'Date'"),
        (lambda c: c["splits"].pop(), "'splits' is not a list of the right length"),
        (lambda c: c.pop("split"), "no model of R"),
        (lambda c: c["node"].__setitem__(1, 7), "do not form a tree"),
        (lambda c: c["levels"].update(kind=["a", "a"]), "the levels of 'kind' are not a list of different texts"),
    ],
)
def test_what_cannot_be_read_is_refused_with_the_reason(edit, says):
    with pytest.raises(ex.InputError, match=says):
        opened(changed("class", edit))


def test_damaged_files_are_refused_or_predict_finite_numbers():
    rng, n_read = np.random.default_rng(1), 0
    cases = [CASES[name] for name in ("root only", "class", "anova", "priors, loss, two classes", "poisson")]
    frame = rows_of(cases[1]).head(8)
    for number in range(300):
        data = damaged(rng, json.dumps(cases[number % 5]["content"])).encode()
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


FORESTS = {
    case["name"][0]: case for case in json.loads((ROOT / "tests/reference/foreign/r-forests.json").read_text("utf-8"))
}
REFUSED = {
    "refused: cutoff": "has a cutoff for each class",
    "refused: ordered": "names of the levels of 'size'",
    "refused: partition": "names of the levels of 'kind': fit ranger with respect.unordered.factors = 'order'",
}


def forest_rows(case, read):
    """The rows as a table holds them: ranger takes truth values for numbers."""
    rows = pd.DataFrame(case["rows"])
    is_logical = any(feature.name == "isnew" and feature.kind == "categorical" for feature in read.features)
    return rows.assign(isnew=rows["isnew"].astype(bool)) if is_logical else rows


@pytest.mark.parametrize("name", sorted(set(FORESTS) - set(REFUSED)))
def test_a_forest_s_own_predictions(name):
    case, read = FORESTS[name], opened(FORESTS[name]["content"])
    rows = forest_rows(case, read)
    assert len(rows) == 240
    expected = np.array(case["predictions"]).reshape(len(rows), -1)
    again = ex.Ensemble.from_dict(json.loads(json.dumps(read.to_dict())))
    for one in (read, again):
        found = one.predict_proba(rows) if one.classes else one.predict(rows)[:, None]
        assert found == pytest.approx(expected, rel=1e-12, abs=1e-12)
    members = [member.tree for member in read.members]
    named = {tree.features[f].name for tree in members for f in tree.feature[tree.feature >= 0]}
    if name != "ranger, numbers only":
        assert "kind" in named, "factors are split"
    assert any(
        (rows[tree.features[f].name] == cut).any()
        for tree in members
        for f, cut in zip(tree.feature, tree.threshold, strict=True)
        if cut == cut
    ), "rows at thresholds"
    assert read.source.split()[0] in ("randomForest", "ranger")
    assert not members[0].counts_rows
    assert any("R refuses rows without a value" in note for note in members[0].notes)
    missing = rows.head(3).assign(width=None)
    assert np.isfinite(read.predict_proba(missing) if read.classes else read.predict(missing)).all()


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_forests_that_cannot_be_read_are_refused_by_name(name):
    with pytest.raises(ex.InputError, match=REFUSED[name]):
        opened(FORESTS[name]["content"])


def test_damaged_forests_are_refused_or_predict_finite_numbers():
    rng, n_read, names = np.random.default_rng(2), 0, sorted(set(FORESTS) - set(REFUSED))
    for number in range(300):
        case = FORESTS[names[number % len(names)]]
        data = damaged(rng, json.dumps(case["content"])).encode()
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            try:
                read = ex.open_model(data)
                rows = forest_rows(case, read).head(8).reindex(columns=[each.name for each in read.features])
                numbers = read.predict(rows) if read.is_regression else read.predict_proba(rows)
            except ex.InputError:
                continue
        assert np.isfinite(numbers).all()
        n_read += 1
    assert n_read >= 30, "some damage leaves a forest"
