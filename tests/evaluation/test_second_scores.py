"""Scores of a second table beside the validation rows, by scikit-learn and scipy."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn import metrics

import explorer as ex
from explorer.evaluation.deciding.second_scores import second_scores
from explorer.explaining.predict_table import predict_table


def table(seed, n, noise):
    draw = np.random.default_rng(seed)
    x = draw.integers(0, 10, n)
    return pd.DataFrame({"x": x, "y": np.where((x > 4) ^ (draw.random(n) < noise), "yes", "no")})


def scored(now):
    valid, data = (ex.Dataset.from_frame(each, "y") for each in (table(1, 300, 0.2), table(0, 400, 0.2)))
    tree = ex.grow(data, ex.CART.replace(max_depth=2))
    predicted = predict_table(tree, data, now)
    return tree, second_scores(tree, valid, predicted.readable, predicted.truth), predicted


@pytest.mark.parametrize("noise", [0.2, 0.35])
def test_scores_are_those_of_scikit_learn_and_the_difference_is_that_of_scipy(noise):
    now = table(2, 500, noise)
    tree, found, predicted = scored(now)
    share, is_yes = tree.predict_proba(now)[:, tree.classes.index("yes")], (now["y"] == "yes").to_numpy()
    assert found.of_rows.scores["auc"].value == pytest.approx(metrics.roc_auc_score(is_yes, share))
    assert found.of_rows.scores["brier"].value == pytest.approx(metrics.brier_score_loss(is_yes, share))
    right = int((tree.predict(now) == now["y"]).sum())
    before = round(300 * ex.evaluate(tree, ex.Dataset.from_frame(table(1, 300, 0.2), "y")).scores["accuracy"].value)
    expected = stats.chi2_contingency([[right, 500 - right], [before, 300 - before]], correction=False).pvalue
    assert found.p_value == pytest.approx(expected)
    assert found.is_beyond_chance == (noise > 0.3)
    assert predicted.missed.tolist() == np.flatnonzero(tree.predict(now) != now["y"]).tolist()


@pytest.mark.parametrize("noise", [0.2, 0.35])
def test_recall_precision_and_profit_at_a_threshold_are_those_of_scikit_learn_and_scipy(noise):
    train, before, now = table(0, 400, 0.2), table(1, 300, 0.2), table(2, 500, noise)
    data, valid = (ex.Dataset.from_frame(each, "y") for each in (train, before))
    tree = ex.grow(data, ex.CART.replace(max_depth=2)).with_threshold("yes", 0.7)
    predicted = predict_table(tree, data, now)
    found = second_scores(tree, valid, predicted.readable, predicted.truth).at_threshold
    pairs = [(each["y"] == "yes", tree.predict(each) == "yes") for each in (before, now)]
    for share, score, of_rows in (
        (found.recall, metrics.recall_score, [(said[own].sum(), own.sum()) for own, said in pairs]),
        (found.precision, metrics.precision_score, [(own[said].sum(), said.sum()) for own, said in pairs]),
    ):
        assert (share.before, share.now) == pytest.approx(tuple(score(own, said) for own, said in pairs))
        counts = [[hits, n - hits] for hits, n in of_rows]
        assert share.p_value == pytest.approx(stats.chi2_contingency(counts, correction=False).pvalue)
    brings = {(True, True): 5.0, (False, True): -1.0, (True, False): -2.0, (False, False): 0.5}
    expected = [np.mean([brings[bool(a), bool(b)] for a, b in zip(own, said, strict=True)]) for own, said in pairs]
    assert found.profits((5.0, -1.0, -2.0, 0.5)) == pytest.approx(expected)


def test_recall_is_not_compared_without_validation_rows_nor_without_a_threshold():
    now = table(2, 60, 0.2)
    data = ex.Dataset.from_frame(table(0, 400, 0.2), "y")
    tree = ex.grow(data, ex.CART.replace(max_depth=2))
    predicted = predict_table(tree, data, now)
    assert second_scores(tree, None, predicted.readable, predicted.truth).at_threshold is None
    found = second_scores(tree.with_threshold("yes", 0.7), None, predicted.readable, predicted.truth).at_threshold
    assert np.isnan([found.recall.before, found.recall.p_value]).all()
    assert 0 < found.recall.now <= 1


def test_a_class_that_the_tree_does_not_know_is_always_wrong_and_rows_without_a_target_do_not_count():
    now = pd.concat([table(2, 60, 0.2), pd.DataFrame({"x": [1, 2, 3], "y": ["odd", "odd", None]})], ignore_index=True)
    tree, found, predicted = scored(now)
    right = int((tree.predict(now.iloc[:60]) == now["y"].iloc[:60]).sum())
    assert found.of_rows.scores["accuracy"].value == pytest.approx(right / 62)
    assert found.of_rows.n_rows == 62
    assert predicted.missed.tolist()[-2:] == [60, 61]


def test_few_rows_are_not_compared():
    assert np.isnan(scored(table(2, 4, 0.2))[1].p_value)


def test_squared_errors_are_compared_by_their_standard_errors():
    draw = np.random.default_rng(0)
    tables = [pd.DataFrame({"x": draw.integers(0, 10, n)}) for n in (200, 150, 120)]
    tables = [
        each.assign(y=each["x"] + draw.normal(0, sd, len(each))) for each, sd in zip(tables, (1, 1, 2), strict=True)
    ]
    train, valid = (ex.Dataset.from_frame(each, "y", kinds={"x": "numeric"}) for each in tables[:2])
    tree = ex.grow(train, ex.CART.replace(max_depth=3))
    predicted = predict_table(tree, train, tables[2])
    found = second_scores(tree, valid, predicted.readable, predicted.truth)
    old, new = (pd.Series((each["y"] - tree.predict(each)) ** 2) for each in tables[1:])
    z = (new.mean() - old.mean()) / np.sqrt(old.sem() ** 2 + new.sem() ** 2)
    assert found.p_value == pytest.approx(2 * stats.norm.sf(z))
    assert found.of_rows.scores["mse"].value == pytest.approx(new.mean())
