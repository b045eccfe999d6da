"""Cutoffs of three and more classes: found by enumeration, and one rule everywhere that says a class."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sklearn import metrics

import explorer as ex
from explorer.evaluation.evaluation import row_predictions
from explorer.evaluation.out_of_fold import out_of_fold
from tests.oracles.examples import examples
from tests.oracles.exported_code import by_python, by_sql


def weighted_case(seed: int, missing: bool = False, costs: bool = False) -> tuple[ex.Dataset, ex.Tree]:
    """A table of three or four classes with weights, and a tree that is unsure in its leaves."""
    draw = np.random.default_rng(seed)
    n, n_classes = int(draw.integers(20, 90)), int(draw.integers(3, 5))
    frame = pd.DataFrame({"x": draw.integers(0, 6, n).astype(float), "c": draw.choice(list("abc"), n)})
    signal = frame["x"] / 4 + draw.normal(size=n)
    frame["goal"] = np.array([f"k{k}" for k in range(n_classes)])[
        np.searchsorted(np.quantile(signal, [0.6, 0.8, 0.95][: n_classes - 1]), signal)
    ]
    frame["w"] = draw.choice([0.5, 1.0, 2.0, 3.25], n)
    if missing:
        frame.loc[draw.random(n) < 0.2, "x"] = None
    data = ex.Dataset.from_frame(frame, "goal", weights="w", kinds={"x": "numeric"})
    recipe = (ex.C45 if missing else ex.CART).replace(max_depth=int(draw.integers(1, 5)))
    if costs:
        recipe = recipe.replace(costs={"k0": {"k1": 0.3}, "k1": {"k0": 2.0, "k2": 1.5}, "k2": {"k0": 7.0}})
    return data, ex.grow(data, recipe)


COSTS = {("k0", "k1"): 0.3, ("k1", "k0"): 2.0, ("k1", "k2"): 1.5, ("k2", "k0"): 7.0}


def said_by(shares: np.ndarray, tree: ex.Tree, cutoffs: dict) -> np.ndarray:
    """The classes by the rule's definition; of every list of cutoffs [m, K], where there are several, [m, n]."""
    each = np.array([cutoffs.get(name, 1.0) for name in tree.classes], dtype=object)
    each = np.stack(np.broadcast_arrays(*each), axis=-1).astype(float)
    return np.array(tree.classes, dtype=object)[(shares / each[..., None, :]).argmax(axis=-1)]


def worth(data: ex.Dataset, tree: ex.Tree, said: np.ndarray, score: str) -> np.ndarray:
    """The score of classes said of all rows, [n] or [m, n]."""
    truth, weights = data.frame["goal"].to_numpy(), data.weight_of_rows()
    if score == "cost":
        paid = sum(cost * ((truth == pair[0]) & (said == pair[1])) for pair, cost in costs_of(tree).items())
        return -np.average(paid.astype(float), axis=-1, weights=weights)
    rights, groups = (said == truth).astype(float), [truth == name for name in np.unique(truth)]
    if score == "accuracy":
        return np.average(rights, axis=-1, weights=weights)
    return np.mean([np.average(rights[..., rows], axis=-1, weights=weights[rows]) for rows in groups], axis=0)


def costs_of(tree: ex.Tree) -> dict:
    return {(t, p): COSTS.get((t, p), float(t != p)) for t in tree.classes for p in tree.classes}


def test_the_scores_here_are_those_of_scikit_learn():
    for seed in range(20):
        data, tree = weighted_case(seed)
        said = tree.predict(data)
        theirs = {"sample_weight": data.weight_of_rows()}
        for score, peer in (("accuracy", metrics.accuracy_score), ("mean_recall", metrics.balanced_accuracy_score)):
            expected = peer(data.frame["goal"], said, **theirs)
            assert worth(data, tree, said, score) == pytest.approx(expected, abs=1e-12)


@examples(500)
@example(seed=621208, score="accuracy", missing=True)  # a leaf with the shares of all rows
@given(seed=st.integers(0, 10**6), score=st.sampled_from(["accuracy", "mean_recall", "cost"]), missing=st.booleans())
def test_no_change_of_one_cutoff_is_better(seed, score, missing):
    data, tree = weighted_case(seed, missing, costs=score == "cost")
    shares, cutoffs = tree.predict_proba(data), ex.best_cutoffs(tree, data, score)
    best = worth(data, tree, tree.with_cutoffs(cutoffs).predict(data), score)
    assert best == pytest.approx(worth(data, tree, said_by(shares, tree, cutoffs), score))
    assert best >= worth(data, tree, said_by(shares, tree, {}), score) - 1e-12
    for k, name in enumerate(tree.classes):
        others = np.delete(shares / [cutoffs[each] for each in tree.classes], k, axis=1).max(axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            ratios = np.unique(shares[:, k] / others)
        ratios = ratios[np.isfinite(ratios) & (ratios > 0)]
        changed = said_by(shares, tree, {**cutoffs, name: np.array([*(ratios * (1 - 1e-6)), *(ratios * (1 + 1e-6))])})
        assert worth(data, tree, changed, score).max(initial=-np.inf) <= best + 1e-9


def test_the_best_of_all_cutoffs_together_is_seldom_missed():
    """Three cutoffs on a fine grid of their ratios: no change of one alone is the best of all in nine tables of ten."""
    grid = np.geomspace(0.02, 50, 50)
    cutoffs = np.stack([np.ones(2500), np.repeat(grid, 50), np.tile(grid, 50)], axis=1)
    found = []
    for seed in range(80):
        data, tree = weighted_case(seed)
        if len(tree.classes) != 3:
            continue
        shares, truth = tree.predict_proba(data), np.array([tree.classes.index(name) for name in data.frame["goal"]])
        said = (shares[None] / cutoffs[:, None]).argmax(axis=2)
        most = ((said == truth) @ data.weight_of_rows() / data.weight_of_rows().sum()).max()
        best = tree.with_cutoffs(ex.best_cutoffs(tree, data)).predict(data)
        found.append(worth(data, tree, best, "accuracy") >= most - 1e-9)
    assert len(found) > 30
    assert np.mean(found) >= 0.9


@examples(500)
@given(seed=st.integers(0, 10**6), share=st.floats(0.01, 1.0), code=st.integers(0, 2))
def test_a_share_of_the_rows_is_reached_by_no_higher_cutoff(seed, share, code):
    data, tree = weighted_case(seed)
    name, shares, weights = tree.classes[code], tree.predict_proba(data), data.weight_of_rows()
    cutoff = ex.cutoff_reaching(tree, data, name, share, {tree.classes[0]: 1.0, tree.classes[1]: 0.7})
    fixed = {tree.classes[1]: 0.7}

    def reached(at: float) -> float:
        return float(np.average(said_by(shares, tree, {**fixed, name: at}) == name, weights=weights))

    every = [*np.geomspace(1e-4, 1e4, 400)]
    assert reached(cutoff) >= share - 1e-9 or reached(cutoff) == pytest.approx(max(map(reached, every)))
    higher = [reached(at) for at in every if at > cutoff * 1.0001]
    assert all(each < share or each == pytest.approx(reached(cutoff)) for each in higher)
    fewer = ex.cutoff_reaching(tree, data, name, share, {tree.classes[0]: 1.0, tree.classes[1]: 0.7}, at_most=True)
    assert reached(fewer) <= share + 1e-9 or reached(fewer) == pytest.approx(min(map(reached, every)))
    lower = [reached(at) for at in every if at < fewer * 0.9999]
    assert all(each > share or each == pytest.approx(reached(fewer)) for each in lower)


@examples(500)
@given(
    seed=st.integers(0, 10**6),
    missing=st.booleans(),
    smoothing=st.sampled_from([None, "laplace"]),
    cutoffs=st.lists(st.floats(0.05, 20.0), min_size=4, max_size=4),
)
def test_cutoffs_decide_the_same_everywhere(seed, missing, smoothing, cutoffs):
    data, tree = weighted_case(seed, missing)
    tree = tree.with_smoothing(smoothing)
    given_by_name = dict(zip(tree.classes, cutoffs, strict=False))
    decided = tree.with_cutoffs(given_by_name)
    expected = said_by(tree.predict_proba(data), tree, given_by_name).tolist()
    assert decided.predict(data).tolist() == expected
    np.testing.assert_array_equal(decided.predict_proba(data), tree.predict_proba(data))
    assert by_python(decided, data.frame)[0] == expected
    assert by_sql(decided, data.frame)[0] == expected
    assert ex.rules(decided).predict(data.frame).tolist() == expected
    saved = ex.Tree.from_dict(json.loads(json.dumps(decided.to_dict())))
    assert saved.decision == decided.decision
    assert saved.predict(data).tolist() == expected
    rows = row_predictions(decided, data)
    assert [rows.labels[int(at)] for at in rows.predictions] == expected
    matrix, weights = ex.evaluate(decided, data).confusion, data.weight_of_rows()
    for code, name in enumerate(tree.classes):
        assert matrix[:, code].sum() == pytest.approx(weights[np.array(expected, dtype=object) == name].sum())


@examples(60)
@given(seed=st.integers(0, 10**6), threshold=st.floats(0.05, 0.95))
def test_two_cutoffs_are_one_threshold(seed, threshold):
    draw = np.random.default_rng(seed)
    frame = pd.DataFrame({"x": draw.integers(0, 6, 60), "y": draw.choice(["no", "yes"], 60)})
    data = ex.Dataset.from_frame(frame, "y")
    tree = ex.grow(data, ex.CART.replace(max_depth=2))
    by_cutoffs = tree.with_cutoffs({"yes": threshold, "no": 1 - threshold})
    is_tied = np.isclose(tree.predict_proba(data)[:, 1], threshold, rtol=0, atol=1e-12)
    by_cutoffs, by_threshold = by_cutoffs.predict(data), tree.with_threshold("yes", threshold).predict(data)
    np.testing.assert_array_equal(by_cutoffs[~is_tied], by_threshold[~is_tied])
    if threshold == 0.5:  # no rounding between them
        assert set(by_cutoffs[is_tied]) <= {"no"}, "the first of two classes"
        assert set(by_threshold[is_tied]) <= {"yes"}, "at least the threshold"


def test_rows_left_out_are_decided_by_cutoffs_too():
    data, tree = weighted_case(3)
    cutoffs = {"k1": 0.2, "k2": 0.1}
    found = out_of_fold(data, tree.recipe, folds=range(data.n_rows), decision=tree.with_cutoffs(cutoffs).decision)
    for row in range(0, data.n_rows, 7):
        fold = ex.grow(data.take(np.delete(np.arange(data.n_rows), row)), tree.recipe)
        (expected,) = fold.with_cutoffs({name: cutoffs.get(name, 1.0) for name in fold.classes}).predict(
            data.take([row])
        )
        assert found.predictions.labels[int(found.predictions.predictions[row])] == expected


def test_a_script_and_a_sentence_name_the_cutoffs():
    tree = weighted_case(3)[1].with_cutoffs({"k1": 0.25})
    assert eval(f"tree.{tree.decision.call}", {"tree": tree}).decision == tree.decision
    assert "k1: 0.25" in tree.decision.sentence


@pytest.mark.parametrize(
    ("cutoffs", "fact"),
    [({"k9": 1.0}, "'k9'"), ({"k1": 0.0}, "from 1e-06"), ({"k1": float("nan")}, "must be"), ({"k1": "x"}, "must be")],
)
def test_what_is_no_cutoff_is_refused(cutoffs, fact):
    with pytest.raises(ex.InputError, match=fact):
        weighted_case(3)[1].with_cutoffs(cutoffs)


@pytest.mark.parametrize("cutoffs", [[1.0], "x", [1.0, 2.0, "3"], [1.0, 2.0, -1.0]])
def test_damaged_cutoffs_are_refused(cutoffs):
    content = weighted_case(3)[1].to_dict()
    content["decision"] = {
        "cutoffs": cutoffs + [1.0] * (len(content["classes"]) - len(cutoffs)) if len(cutoffs) > 2 else cutoffs
    }
    with pytest.raises(ex.InputError):
        ex.Tree.from_dict(content)


def test_no_costs_no_score_by_cost():
    data, tree = weighted_case(3)
    with pytest.raises(ex.InputError, match="without costs"):
        ex.best_cutoffs(tree, data, "cost")
    with pytest.raises(ex.InputError, match="no score 'f1'"):
        ex.best_cutoffs(tree, data, "f1")
