"""Which rules are shown in which order, by hand on play tennis, and the accuracy of lists against trees."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import explorer as ex
from explorer.explaining.rules.filter import list_accuracy, pick_rules, rule_errors, rule_hits
from explorer.tree import metrics
from tests.oracles.examples import examples
from tests.oracles.recipes import FOUR_RECIPES
from tests.oracles.tables import noisy_table


@pytest.fixture(scope="module")
def tennis():
    data = ex.Dataset.from_frame(ex.load_sample("play_tennis").frame, "PlayTennis")
    return ex.rules(ex.grow(data, ex.ID3))


def conditions(rules):
    return [rule.conditions for rule in rules]


def test_rules_are_sorted_as_chosen_by_rows_or_by_confidence(tennis):
    assert pick_rules(tennis) == tennis.in_order
    by_rows = pick_rules(tennis, "support")[: len(tennis)]
    assert [rule.weight for rule in by_rows] == [4, 3, 3, 2, 2]
    assert by_rows[1] is tennis[0], "of equal ones the one tested first"
    data = ex.Dataset.from_frame(ex.load_sample("play_tennis").frame, "PlayTennis")
    stump = ex.rules(ex.grow(data, ex.ID3.replace(max_depth=1)))
    assert [rule.confidence for rule in pick_rules(stump, "confidence")[:3]] == [1, 3 / 5, 3 / 5]


@pytest.fixture(scope="module")
def one_row_and_sixty():
    """A category of one row, all of it "yes", one of 60 rows, 57 of them "yes", and one of 30 rows, all "no"."""
    rows = [("one", "yes")] + [("sixty", "yes")] * 57 + [("sixty", "no")] * 3 + [("thirty", "no")] * 30
    return ex.Dataset.from_frame(pd.DataFrame(rows, columns=["size", "target"]), "target")


def by_reliability(rules):
    return [(rule.words, round(rule.lower_bound, 3)) for rule in pick_rules(rules, "reliability")[: len(rules)]]


RELIABLE = [("size = thirty", 0.955), ("size = sixty", 0.917), ("size = one", 0.25)]
"""C4.5's limits at 25 %: 0.25^(1/30), 1 − U(3, 60), 0.25^(1/1)."""


def test_a_rule_of_one_row_without_error_does_not_lead_one_of_sixty_rows(one_row_and_sixty):
    tree = ex.grow(one_row_and_sixty, ex.ID3)
    assert by_reliability(ex.rules(tree)) == RELIABLE
    pruned = ex.post_prune_rules(tree, one_row_and_sixty, one_row_and_sixty)
    assert [rule.words for rule in pruned][-1] == "size = sixty", "by the estimate alone, one row of 100 % comes first"
    assert by_reliability(pruned) == RELIABLE


def test_a_class_weight_does_not_count_as_support(one_row_and_sixty):
    heavy = ex.rules(ex.grow(one_row_and_sixty, ex.ID3.replace(class_weights={"yes": 1000.0})))
    assert {rule.words: rule.lower_bound for rule in heavy}["size = one"] == 0.25
    assert {rule.words: rule.weight for rule in heavy}["size = one"] > 1


def test_numbers_have_no_lower_bound_and_stay_in_the_order_of_the_leaves():
    data = ex.Dataset.from_frame(ex.load_sample("auto_mpg").frame, "mpg")
    rules = ex.rules(ex.grow(data, ex.CART.replace(max_depth=2)))
    assert pick_rules(rules, "reliability") == rules.in_order


def test_rules_for_all_other_rows_come_last(tennis):
    last = pick_rules(tennis, "support")[len(tennis) :]
    assert last == (*tennis.otherwise, tennis.default)


def test_filters_leave_what_passes_all_of_them(tennis):
    assert {rule.prediction for rule in pick_rules(tennis, code=0)} == {"No"}
    assert conditions(pick_rules(tennis, least_rows=4, search="overcast")) == [("Outlook = Overcast",)]
    assert [rule.stop for rule in pick_rules(tennis, least_confidence=0.99) if rule.stop] == []
    assert pick_rules(tennis, search="rain STRONG then no") == (tennis[4],)
    assert pick_rules(tennis, search="snow") == ()


def test_an_order_that_there_is_not_is_refused(tennis):
    with pytest.raises(ex.InputError, match="Choose one of order, reliability, support, confidence"):
        pick_rules(tennis, "length")


@examples(10)
@given(seed=st.integers(0, 10_000), recipe=st.sampled_from(FOUR_RECIPES))
def test_a_tree_and_its_rules_are_right_equally_often(seed, recipe):
    train, valid = noisy_table(seed).split(0.6, seed=seed)
    tree = ex.grow(train, recipe)
    assert list_accuracy(ex.rules(tree), valid) == pytest.approx(metrics.score(tree, valid))


@examples(10)
@given(seed=st.integers(0, 10_000), recipe=st.sampled_from(FOUR_RECIPES))
def test_each_rule_is_right_as_often_as_a_count_row_by_row_says(seed, recipe):
    train, valid = noisy_table(seed).split(0.6, seed=seed)
    rule_list = ex.rules(ex.grow(train, recipe))
    expected = np.zeros((len(rule_list.in_order), 2))
    predictions, weights = rule_list.predict(valid), valid.weight_of_rows()
    for row, rule in enumerate(rule_list.apply(valid)):
        if rule >= 0:
            expected[rule] += weights[row] * np.array([1.0, predictions[row] == valid.classes[valid.y[row]]])
    np.testing.assert_allclose(rule_hits(rule_list, valid), expected)


@pytest.mark.parametrize("missing", ["surrogate", "fractional"])
def test_rules_for_numbers_have_deviations_and_validation_errors(missing):
    """Row by row: the standard deviation of the training rows of a rule, and its mean error on the others."""
    frame = pd.DataFrame({"x": [1, 1, 1, 2, 2, 3, 3, 3] * 5, "z": list("ab") * 20, "w": [1.0, 2.0] * 20})
    frame["y"] = np.random.default_rng(0).normal(size=40) * frame["x"] + 5 * (frame["z"] == "a")
    train, valid = ex.Dataset.from_frame(frame, "y", ["x", "z"], weights="w").split(0.6, seed=1)
    rule_list = ex.rules(ex.grow(train, ex.CART.replace(missing=missing, max_depth=2)))
    errors, table = rule_errors(rule_list, valid), rule_list.to_frame()
    hits = dict(zip(rule_list.in_order, map(tuple, errors.tolist()), strict=True))
    of_train, of_valid, csv = rule_list.apply(train), rule_list.apply(valid), rule_list.to_frame(hits)
    for index, rule in enumerate(rule_list):
        y, weights = train.y[of_train == index], train.weight_of_rows()[of_train == index]
        mean = np.average(y, weights=weights)
        assert rule.deviation == pytest.approx(np.sqrt(np.average((y - mean) ** 2, weights=weights)))
        assert table["standard deviation"][index] == rule.deviation
        at = of_valid == index
        weights = valid.weight_of_rows()[at]
        absolute = np.abs(valid.y[at] - rule.prediction)
        assert errors[index] == pytest.approx([weights.sum(), np.average(absolute, weights=weights)])
        assert csv["mean absolute error"][index] == errors[index][1]
    assert csv.iloc[-1][["standard deviation", "mean absolute error"]].isna().all(), "the default has no rows"
