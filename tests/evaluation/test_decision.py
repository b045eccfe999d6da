"""Deciding by a threshold: curves against scikit-learn and enumeration, and one rule everywhere that says a class."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics

import explorer as ex
from explorer.evaluation.deciding.gains import most_profitable
from explorer.evaluation.evaluation import row_predictions
from explorer.evaluation.out_of_fold import out_of_fold
from tests.oracles.examples import examples
from tests.oracles.exported_code import by_python, by_sql

TENNIS = ex.Dataset.from_frame(ex.load_sample("play_tennis").frame, "PlayTennis")
STUMP = ex.grow(TENNIS, ex.ID3.replace(max_depth=1))
"""No: 2 of 5 on sunny days wait, 3 of 5; none of 4 overcast; 2 of 5 in rain."""


def weighted_case(seed: int, n_classes: int = 2, missing: bool = False) -> tuple[ex.Dataset, ex.Tree]:
    """A table with weights and a tree of it that is unsure in its leaves, where rows may follow several branches."""
    draw = np.random.default_rng(seed)
    n = int(draw.integers(12, 80))
    frame = pd.DataFrame({"x": draw.integers(0, 6, n).astype(float), "c": draw.choice(list("abc"), n)})
    signal = frame["x"] / 6 + draw.normal(size=n)
    frame["goal"] = np.array([f"k{k}" for k in range(n_classes)])[
        np.searchsorted(np.quantile(signal, np.arange(1, n_classes) / n_classes), signal)
    ]
    frame["w"] = draw.choice([0.5, 1.0, 2.0, 3.25], n)
    if missing:
        frame.loc[draw.random(n) < 0.2, "x"] = None
    data = ex.Dataset.from_frame(frame, "goal", weights="w", kinds={"x": "numeric"})
    recipe = (ex.C45 if missing else ex.CART).replace(max_depth=int(draw.integers(1, 5)))
    return data, ex.grow(data, recipe)


@examples(500)
@given(seed=st.integers(0, 10**6))
def test_ks_gini_f1_lift_brier_and_profit_are_those_of_scikit_learn_and_of_enumeration(seed):
    data, tree = weighted_case(seed)
    own, weights = data.frame["goal"].to_numpy() == "k1", data.weight_of_rows()
    if own.all() or not own.any() or len(tree.classes) < 2:
        return
    share = tree.predict_proba(data)[:, tree.classes.index("k1")]
    curves = ex.class_curves(tree, data, "k1")
    assert curves.gini == pytest.approx(2 * metrics.roc_auc_score(own, share.round(12), sample_weight=weights) - 1)
    chances = [
        (
            np.average(share[own] >= cut - 1e-9, weights=weights[own]),
            np.average(share[~own] >= cut - 1e-9, weights=weights[~own]),
        )
        for cut in curves.thresholds
    ]
    assert curves.ks == pytest.approx(max(hit - alarm for hit, alarm in chances))
    brings = np.random.default_rng(seed).integers(-9, 10, 4).astype(float)
    for position, cut in enumerate(curves.thresholds):
        said = share >= cut - 1e-9
        assert curves.f1[position] == pytest.approx(
            metrics.f1_score(own, said, sample_weight=weights, zero_division=0.0)
        )
        if said.any():
            precision = metrics.precision_score(own, said, sample_weight=weights)
            assert curves.lift[position] == pytest.approx(precision / np.average(own, weights=weights))
        assert curves.accuracy[position] == pytest.approx(metrics.accuracy_score(own, said, sample_weight=weights))
        each = np.select([own & said, ~own & said, own & ~said], brings[:3].tolist(), brings[3])
        assert curves.profit(*brings)[position] == pytest.approx(np.average(each, weights=weights))
    profit = curves.profit(*brings)
    best = curves.best(profit)
    assert profit[best] == pytest.approx(profit.max())
    assert not (profit[1:best] > profit.max() - 1e-13).any(), "of equal thresholds the highest"
    brier = ex.evaluate(tree, data).scores["brier"]
    assert brier.value == pytest.approx(metrics.brier_score_loss(own, share, sample_weight=weights))
    rate = float(np.average(own, weights=weights))
    assert brier.baseline == pytest.approx(rate * (1 - rate))


@examples(500)
@given(seed=st.integers(0, 10**6), n_classes=st.integers(2, 3), missing=st.booleans())
def test_gains_are_those_counted_row_by_row(seed, n_classes, missing):
    data, tree = weighted_case(seed, n_classes, missing)
    truth, weights, code = data.frame["goal"].to_numpy(), data.weight_of_rows(), seed % len(tree.classes)
    counted: dict[int, list[float]] = {}
    for row, node, part in zip(*tree.routes(data), strict=True):
        amounts = counted.setdefault(int(node), [0.0, 0.0])
        amounts[0] += part * weights[row]
        amounts[1] += part * weights[row] * (truth[row] == tree.classes[code])
    total, responses = weights.sum(), weights[truth == tree.classes[code]].sum()
    brings = (3.0, -1.0, -2.0, 0.5)
    table = ex.gains(tree, data, code, brings)
    assert sorted(table["leaf"]) == sorted(counted)
    ranks = [(round(counted[leaf][1] / counted[leaf][0], 9), round(counted[leaf][0], 9)) for leaf in table["leaf"]]
    assert ranks == sorted(ranks, reverse=True), "of equal shares the leaf with more rows"
    so_far, predicted, others = np.zeros(2), 0.0, responses * brings[2] + (total - responses) * brings[3]
    so_far_at = [others / total]
    for leaf, line in zip(table["leaf"], table.to_dict("records"), strict=True):
        rows, own = counted[leaf]
        so_far += counted[leaf]
        assert line["rows"] == pytest.approx(rows)
        assert line["response"] == pytest.approx(own / rows)
        assert line["cumulative share of rows"] == pytest.approx(so_far[0] / total)
        brought = own * brings[0] + (rows - own) * brings[1]
        predicted, others = predicted + brought, others - own * brings[2] - (rows - own) * brings[3]
        assert line["profit"] == pytest.approx(brought / rows)
        assert line["cumulative profit"] == pytest.approx((predicted + others) / total)
        so_far_at.append((predicted + others) / total)
        if responses:
            assert line["index"] == pytest.approx(own / rows / (responses / total))
            assert line["cumulative share of responses"] == pytest.approx(so_far[1] / responses)
            assert line["cumulative index"] == pytest.approx(so_far[1] / so_far[0] / (responses / total))
    n = most_profitable(table, brings)
    assert so_far_at[n] == pytest.approx(max(so_far_at))
    assert max(so_far_at[:n], default=-np.inf) < so_far_at[n] - 1e-13, "of equal numbers the smallest"


def test_a_leaf_of_two_rows_comes_after_one_of_ten_with_the_same_share():
    frame = pd.DataFrame({"x": ["a"] * 2 + ["b"] * 10 + ["c"] * 4, "y": [0, 1] + [0, 1] * 5 + [0] * 4})
    data = ex.Dataset.from_frame(frame, "y")
    table = ex.gains(ex.grow(data, ex.ID3), data, 1)
    assert table["rows"].tolist() == [10.0, 2.0, 4.0]


def test_the_top_share_is_reached_by_no_higher_threshold():
    curves = ex.class_curves(STUMP, TENNIS, "Yes")  # depth 0, 4/14, 9/14, 1
    assert [curves.reaching(share) for share in (0.01, 4 / 14, 0.3, 9 / 14, 1.0)] == [1, 1, 2, 2, 3]


def test_no_threshold_is_best_only_where_no_other_is_as_good():
    curves = ex.class_curves(STUMP, TENNIS, "Yes")
    assert curves.best(curves.profit(0.0, -1.0)) == 1  # the four overcast days cost nothing
    assert curves.best(curves.profit(-1.0, -1.0)) == 0


def test_brier_of_three_classes_is_scikit_learns():
    data, tree = weighted_case(3, n_classes=3)
    order = np.argsort(tree.classes)  # scikit-learn takes names in their order only
    shares = tree.predict_proba(data)[:, order]
    expected = metrics.brier_score_loss(
        data.frame["goal"], shares, sample_weight=data.weight_of_rows(), labels=sorted(tree.classes)
    )
    assert ex.evaluate(tree, data).scores["brier"].value == pytest.approx(expected)


def test_root_mean_squared_error_is_the_root():
    frame = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0], "y": [0.0, 1.0, 5.0, 8.0]})
    data = ex.Dataset.from_frame(frame, "y")
    scores = ex.evaluate(ex.grow(data, ex.CART.replace(max_depth=1)), data).scores
    assert scores["rmse"].value == pytest.approx(((0.25 + 0.25 + 2.25 + 2.25) / 4) ** 0.5)
    assert scores["rmse"].baseline == pytest.approx(scores["mse"].baseline ** 0.5)


@examples(500)
@given(
    seed=st.integers(0, 10**6),
    missing=st.booleans(),
    code=st.sampled_from([0, 1]),
    smoothing=st.sampled_from([None, "laplace", "m_estimate"]),
    place=st.integers(0, 9),
)
def test_a_threshold_decides_the_same_everywhere(seed, missing, code, smoothing, place):
    data, tree = weighted_case(seed, missing=missing)
    if len(tree.classes) < 2:
        return
    tree = tree.with_smoothing(smoothing)
    probabilities = tree.predict_proba(data)[:, code]
    known = np.unique(probabilities[probabilities > 0].round(12))
    threshold = float(known[place % len(known)])
    name, other = tree.classes[code], tree.classes[1 - code]
    decided = tree.with_threshold(name, threshold)
    expected = [name if share >= threshold - 1e-11 else other for share in probabilities]
    assert decided.predict(data).tolist() == expected
    np.testing.assert_array_equal(decided.predict_proba(data), tree.predict_proba(data))
    assert by_python(decided, data.frame)[0] == expected
    assert by_sql(decided, data.frame)[0] == expected
    assert ex.rules(decided).predict(data.frame).tolist() == expected
    assert ex.Tree.from_dict(json.loads(json.dumps(decided.to_dict()))).predict(data).tolist() == expected
    rows = row_predictions(decided, data)
    assert [rows.labels[int(at)] for at in rows.predictions] == expected
    matrix = ex.evaluate(decided, data).confusion
    weights = data.weight_of_rows()
    said = np.array(expected, dtype=object) == name
    assert matrix[:, code].sum() == pytest.approx(weights[said].sum())


def test_a_report_scores_the_decisions_of_the_threshold():
    table, decided = ex.load_sample("play_tennis"), STUMP.with_threshold("Yes", 0.9)
    report = ex.to_report(ex.Provenance(table, TENNIS, decided, (TENNIS,), sample="play_tennis"))
    plain = ex.to_report(ex.Provenance(table, TENNIS, STUMP, (TENNIS,), sample="play_tennis"))
    errors, others = (np.mean(tree.predict(TENNIS) != TENNIS.frame["PlayTennis"]) for tree in (decided, STUMP))
    assert (errors, others) == (5 / 14, 4 / 14), "4 overcast days and the 5 of No are right; else 10 days"
    assert f"{5 / 14:.6f}" in report
    assert f"{4 / 14:.6f}" in plain
    assert f"{4 / 14:.6f}" not in report


def test_rows_left_out_are_decided_by_the_threshold_too():
    decision = STUMP.with_threshold("Yes", 0.9).decision
    found = out_of_fold(TENNIS, STUMP.recipe, folds=range(14), decision=decision)
    for row in range(14):
        tree = ex.grow(TENNIS.take(np.delete(np.arange(14), row)), STUMP.recipe)
        is_sure = tree.predict_proba(TENNIS.take([row]))[0, tree.classes.index("Yes")] >= 0.9
        assert (found.predictions.predictions[row] == found.predictions.labels.index("Yes")) == is_sure


def test_pruning_takes_no_notice_of_a_threshold():
    tree = weighted_case(5)[1]
    path, decided = (
        ex.cost_complexity_path(tree, "error"),
        ex.cost_complexity_path(tree.with_threshold("k1", 0.2), "error"),
    )
    np.testing.assert_array_equal(path.alphas, decided.alphas)


@pytest.mark.parametrize(
    ("name", "threshold", "fact"),
    [
        ("Maybe", 0.5, "'No', 'Yes'"),
        ("Yes", 0.0, "above 0"),
        ("Yes", 1.5, "at most 1"),
        ("Yes", float("nan"), "above 0"),
        ("Yes", "half", "no probability"),
    ],
)
def test_what_is_no_threshold_is_refused(name, threshold, fact):
    with pytest.raises(ex.InputError, match=fact):
        STUMP.with_threshold(name, threshold)


def test_more_classes_have_costs_instead():
    tree = weighted_case(3, n_classes=3)[1]
    with pytest.raises(ex.InputError, match="two classes, but this tree has 3"):
        tree.with_threshold("k1", 0.5)


@pytest.mark.parametrize("decision", [[], {"name": "Yes"}, {"name": "Yes", "threshold": 2}])
def test_a_damaged_decision_is_refused(decision):
    with pytest.raises(ex.InputError):
        ex.Tree.from_dict({**STUMP.to_dict(), "decision": decision})
