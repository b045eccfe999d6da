"""Which rules are shown in which order, by hand on play tennis, and the accuracy of lists against trees."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import explorer as ex
from explorer.explaining.rules.filter import list_accuracy, pick_rules
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
    with pytest.raises(ex.InputError, match="Choose one of order, support, confidence"):
        pick_rules(tennis, "length")


@examples(10)
@given(seed=st.integers(0, 10_000), recipe=st.sampled_from(FOUR_RECIPES))
def test_a_tree_and_its_rules_are_right_equally_often(seed, recipe):
    train, valid = noisy_table(seed).split(0.6, seed=seed)
    tree = ex.grow(train, recipe)
    assert list_accuracy(ex.rules(tree), valid) == pytest.approx(metrics.score(tree, valid))
