"""Trees with constraints wherever trees are used: rules, exports, stops, formulas, comparison, learning curves."""

import numpy as np
import pytest
from hypothesis import given

import explorer as ex
from explorer import explaining
from tests.oracles import used_trees
from tests.oracles.examples import law
from tests.oracles.exported_code import assert_same_predictions, by_python, by_sql
from tests.oracles.tables import sample_dataset

LAW = law(60)
TENNIS = sample_dataset("play_tennis")
WIND = ex.Choices().force((), "Wind")


@LAW
@given(used_trees.grown(by_hand=True))
def test_rules_python_and_sql_predict_as_the_tree(case):
    tree, rows = case[0], case[2].drop(columns=["goal", "weight"])
    assert_same_predictions(tree, rows, by_python)
    assert_same_predictions(tree, rows, by_sql)
    used_trees.assert_rules_predict(ex.rules(tree), tree, rows)


@LAW
@given(used_trees.grown(by_hand=True))
def test_a_decision_has_the_bits_that_the_tree_has_by_itself(case):
    tree, data, _ = case
    if tree.is_regression:
        return
    bits = ex.description_bits(tree, data)
    for node in np.flatnonzero(tree.feature >= 0).tolist():
        told, below = ex.decide(tree, data, node).bits, list(tree.children_of(node))
        assert told is not None
        assert told.as_leaf == pytest.approx(bits.as_leaf[node])
        assert told.as_split == pytest.approx(bits.as_split[node] + bits.as_leaf[below].sum())


def test_a_forced_split_stays_where_bits_are_against_it():
    # as a leaf the root takes 16.87 bits, less than with any split: without Wind asked for it is one
    recipe = ex.ID3.replace(mdl_stop=True)
    assert ex.grow(TENNIS, recipe).n_leaves == 1
    tree = ex.grow(TENNIS, recipe, choices=WIND)
    decision = ex.decide(tree, TENNIS, 0)
    assert (tree.node(0).condition.feature, decision.by_hand) == ("Wind", True)
    assert decision.would_stop == "MDL: the split takes no fewer bits than a leaf with its exceptions"
    # 1 + log2 4 features + two leaves of 2 bits; 2 of 8 and 3 of 6 wrong: log2 9 + log2 28 + log2 7 + log2 20
    assert (decision.bits.tree_as_split, decision.bits.exceptions_as_split) == pytest.approx(
        (7.0, np.log2(9 * 28 * 7 * 20))
    )


@pytest.mark.parametrize("key", ["play_tennis", "car", "vote"])
@pytest.mark.parametrize("stop", [{}, {"chi2_level": 0.05}, {"chi2_level": 0.2}, {"mdl_stop": True}], ids=str)
def test_what_would_have_come_is_what_comes_without_the_choice(key, stop):
    data, recipe = sample_dataset(key), ex.C45.replace(max_depth=2, **stop)
    plain = ex.grow(data, recipe)
    for node in range(plain.n_nodes_grown):
        if plain.node(node).is_empty:
            continue
        without, place = ex.decide(plain, data, node), plain.place(node)
        forced = ex.Choices().force(place, list(without.best or without.absent)[-1])
        for choices in (ex.Choices().lock(place), forced):
            tree = ex.grow(data, recipe, choices=choices)
            (found,) = ex.constraint_statuses(tree)
            if found.is_in_force:
                decision = ex.decide(tree, data, found.node)
                assert decision.would_stop == without.stop_reason
                assert decision.would_win == without.chosen
                assert decision.tied == without.tied


def test_chi2_is_that_of_the_forced_split():
    # Wind parts No 5, Yes 9 into 2, 6 and 3, 3: χ² = 14·(2·3 − 6·3)²/(5·9·8·6)
    tree = ex.grow(TENNIS, ex.ID3, choices=WIND)
    decision = ex.decide(tree, TENNIS, 0)
    assert decision.chi2.statistic == pytest.approx(14 * 12**2 / (5 * 9 * 8 * 6))
    told = explaining.chi2_formula(tree.node(0), decision)
    values = [formula.value for formula in told.formulas]
    assert values[:5] == pytest.approx([5 * 8 / 14, 9 * 8 / 14, 5 * 6 / 14, 9 * 6 / 14, 14 / 15])
    assert ("branch 1", "Wind = Weak · 8 rows") in told.legend


def test_where_a_choice_parts_two_trees_it_is_the_reason():
    plain, forced = ex.grow(TENNIS, ex.ID3), ex.grow(TENNIS, ex.ID3, choices=WIND)
    assert ex.first_difference(plain, forced, TENNIS, ("mine", "yours")).sentence == (
        "yours splits on Wind: 2 branches, gain 0.0481, chosen by hand; otherwise Outlook would have won with gain "
        "0.247. mine splits on Outlook: 3 branches, gain 0.247."
    )
    locked = ex.grow(TENNIS, ex.ID3, choices=ex.Choices().lock((0,)))
    found = ex.first_difference(plain, locked, TENNIS)
    assert (found.node_a, found.node_b) == (1, 1)
    assert found.sentence == (
        "B stops here (made a leaf by hand); otherwise Humidity would have won with gain 0.971. "
        "A splits on Humidity: 2 branches, gain 0.971."
    )
    both = ex.first_difference(forced, ex.grow(TENNIS, ex.ID3, choices=ex.Choices().lock(())), TENNIS).sentence
    assert both == "A splits on Wind: 2 branches, gain 0.0481, chosen by hand; B stops here (made a leaf by hand)."


def test_a_pruned_choice_is_no_reason():
    forced = ex.grow(TENNIS, ex.ID3, choices=WIND)
    found = ex.first_difference(forced, forced.with_pruned(np.arange(forced.n_nodes_grown) == 0), TENNIS)
    assert found.sentence == "B stops here (pruned); A splits on Wind: 2 branches, gain 0.0481."


def test_learning_curves_keep_what_was_decided():
    found = ex.learning_curve(TENNIS, ex.ID3, [0.5, 1.0], np.arange(14) % 2, choices=ex.Choices().lock(()))
    assert found.n_leaves.tolist() == [1.0, 1.0]
    assert ex.learning_curve(TENNIS, ex.ID3, [0.5, 1.0], np.arange(14) % 2).n_leaves.min() > 1
