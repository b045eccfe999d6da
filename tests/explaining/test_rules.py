"""A tree's rules: the books' lists, and the tree's prediction for every row under every policy."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given

import explorer as ex
from explorer.explaining import rule_words
from explorer.explaining.rules.filter import pick_rules
from explorer.explaining.rules.matching import Rows
from explorer.export.plain_csv import rules_csv
from explorer.recipe.missing import POLICIES
from tests.oracles import used_trees
from tests.oracles.examples import law
from tests.oracles.golden_walk import dataset_of
from tests.oracles.handmade import Knot, tree_of
from tests.oracles.tables import sample_dataset

LAW = law(300)
TENNIS = dataset_of("play_tennis")


def test_play_tennis_has_the_rules_of_the_books():
    rules = ex.rules(ex.grow(TENNIS, ex.ID3))
    assert [(rule.words, rule.prediction, rule.weight, rule.confidence) for rule in rules] == [
        ("Outlook = Sunny and Humidity = High", "No", 3.0, 1.0),
        ("Outlook = Sunny and Humidity = Normal", "Yes", 2.0, 1.0),
        ("Outlook = Overcast", "Yes", 4.0, 1.0),
        ("Outlook = Rain and Wind = Weak", "Yes", 3.0, 1.0),
        ("Outlook = Rain and Wind = Strong", "No", 2.0, 1.0),
    ]
    assert (rules.default.prediction, rules.default.weight, len(rules)) == ("Yes", 14.0, 5)
    assert [rule.leaf for rule in rules] == [4, 5, 2, 6, 7]


def test_rows_that_stop_above_the_leaves_have_rules_behind_the_others():
    rules = ex.rules(ex.grow(TENNIS, ex.ID3))
    assert [(rule.words, rule.prediction) for rule in rules.otherwise] == [
        ("Outlook = Sunny and Humidity has another value", "No"),
        ("Outlook = Rain and Wind has another value", "Yes"),
    ]
    rows = pd.DataFrame(
        {"Outlook": ["Sunny", "Fog", "Rain"], "Humidity": ["Low", "High", "High"], "Wind": ["Weak"] * 3}
    )
    assert list(rules.predict(rows)) == ["No", "Yes", "Yes"]
    assert list(rules.apply(rows)) == [5, 7, 3]


STOPS = ex.CART.replace(unseen="node", min_rows_leaf=1, min_rows_split=2)


def test_a_value_that_earlier_tests_leave_is_named_and_a_rule_that_no_row_can_fulfil_is_left_out():
    """Red is split off first; green has no small training row, so it stops where small ones are blue or grey."""
    frame = pd.DataFrame(
        {
            "colour": ["red"] * 8 + ["blue"] * 4 + ["grey"] * 4 + ["green"] * 4,
            "size": [1.0] * 16 + [9.0] * 4,
            "y": ["a"] * 8 + ["b"] * 4 + ["c"] * 4 + ["d"] * 4,
        }
    )
    tree = ex.grow(ex.Dataset.from_frame(frame, "y"), STOPS, choices=ex.Choices().force((1,), "size"))
    rules = ex.rules(tree)
    assert [rule.words for rule in rules] == [
        "colour = red",
        "colour = blue and size ≤ 5",
        "colour = grey and size ≤ 5",
        "colour ∈ {blue, grey, green} and size > 5",
    ]
    assert [rule.words for rule in rules.otherwise] == ["size ≤ 5 and colour = green"]
    rows = pd.DataFrame({"colour": ["green", "mauve"], "size": [1.0, 1.0]})
    assert list(rules.apply(rows)) == [4, 5], "a colour never seen stops at the root"
    assert list(rules.predict(rows)) == list(tree.predict(rows))
    whole = ex.grow(ex.Dataset.from_frame(frame[:16], "y", ["colour"]), STOPS)
    assert [rule.words for rule in ex.rules(whole).otherwise] == [], "no row is blue or grey and neither"


@pytest.mark.parametrize("missing", ["drop", "surrogate", "own_branch", "fractional"])
def test_no_rule_says_of_a_column_both_a_value_and_another(missing):
    recipe = ex.CART.replace(unseen="node", missing=missing, max_depth=7)
    for key in ("titanic", "credit_g"):
        for rule in ex.rules(ex.grow(sample_dataset(key), recipe)).otherwise:
            assert not [term for term in rule.terms if rule.stop.startswith(f"{term.feature} ")], rule.words


def test_rows_with_missing_cells_are_said_to_be_counted_by_the_policy():
    """Golf without the outlook of one day: one line, only where cells of tested columns are missing."""
    for policy, words in {"surrogate": "where a surrogate split sends it", "fractional": "counts in part"}.items():
        rules = ex.rules(ex.grow(sample_dataset("golf_missing"), ex.C45.replace(missing=policy)))
        *_, gap, note = rules.to_text().splitlines()
        assert gap == ""
        assert words in note
        assert set(rules.to_frame()["missing cells"]) == {POLICIES[policy].label}
        whole = ex.rules(ex.grow(TENNIS, ex.C45.replace(missing=policy)))
        assert whole.missing_note == ""
        assert "missing cells" not in whole.to_frame()
    titanic = sample_dataset("titanic")
    pruned = ex.post_prune_rules(ex.grow(titanic, ex.CART), train=titanic)
    assert pruned.to_text().endswith("or else on the heaviest branch.")


def test_a_pruned_tree_has_the_rules_of_its_leaves():
    tree = ex.grow(TENNIS, ex.ID3)
    rules = ex.rules(ex.prune_by_hand(tree, [("collapse", 1)]))
    assert rules[0].text == "if Outlook = Sunny then No (3 of 5, 60.0 %)"
    assert rules[0].shares == pytest.approx((0.6, 0.4))
    assert len(rules) == 4


def test_a_single_leaf_is_one_rule_for_all_rows():
    tree = tree_of(Knot((3, 1)))
    rules = ex.rules(tree)
    assert (len(rules), rules[0].words, rules[0].prediction) == (1, "all rows", "class 0")
    assert rules.to_text() == "all rows: class 0 (3 of 4, 75.0 %)\nall other rows: class 0 (no rows)"
    assert list(rules.predict(pd.DataFrame({"x": [1, 2]}))) == ["class 0", "class 0"]


def test_a_line_has_no_counts_of_rows_that_do_not_fulfil_its_rule():
    """No row of PlayTennis lacks a branch: the default and the rules for other values have no rows of their own."""
    lines = ex.rules(ex.grow(TENNIS, ex.ID3)).to_text().splitlines()
    assert lines[2] == "if Outlook = Overcast then Yes (4 of 4, 100 %)"
    assert lines[5] == "if Outlook = Sunny and Humidity has another value then No (no rows)"
    assert lines[-1] == "all other rows: Yes (no rows)"


def test_pruned_rules_stand_in_the_order_that_decides_with_their_numbers():
    titanic = ex.Dataset.from_frame(ex.load_sample("titanic").frame, "survived", features=["sex", "age", "pclass"])
    rules = ex.post_prune_rules(ex.grow(titanic, ex.C45), None, titanic)
    for only in (rules.in_order, pick_rules(rules, "support")):
        first, gap, *lines = rules.to_text(only).splitlines()
        assert first == "A row is predicted by the first rule that it fulfils, in the order of the numbers."
        assert gap == ""
        numbers = [int(line[1:].split()[0]) - 1 for line in lines[: len(only)]]
        assert numbers == sorted(rules.in_order.index(rule) for rule in only)
    assert not ex.rules(ex.grow(titanic, ex.C45)).to_text().startswith("#"), "a tree's rules never contradict"


def test_a_quotation_mark_within_a_name_is_shown_as_it_is():
    frame = pd.DataFrame({"airport": ['O"Hare', '"Love" Field', "JFK"] * 4, "y": list("abc") * 4})
    words = {rule.words for rule in ex.rules(ex.grow(ex.Dataset.from_frame(frame, "y"), ex.ID3)).rules}
    assert words == {'airport = O"Hare', r'airport = "\"Love\" Field"', "airport = JFK"}


def test_numbers_have_rules_with_means():
    tree = tree_of(Knot((4, 2.5, 9.0), [Knot((3, 2.0, 0.0)), Knot((1, 4.0, 0.0))]), "variance")
    rules = ex.rules(tree)
    assert rules[0].text == "if f0 = a then 2 ± 0 (3 rows)"
    assert list(rules.predict(pd.DataFrame({"f0": ["b", "a", "new"]}))) == [4.0, 2.0, 2.5]
    assert "confidence" not in rules.to_frame()


def test_the_table_has_a_row_per_rule():
    table = ex.rules(ex.grow(TENNIS, ex.ID3)).to_frame()
    sure = ["confidence", "lower bound"]
    amounts = ["training rows", *sure, "training rows of No", "training rows of Yes"]
    assert list(table) == ["rule", "prediction", *amounts, "leaf"]
    assert table["training rows of Yes"].tolist() == [0, 2, 4, 3, 0, pd.NA, pd.NA, pd.NA], "rows of their own only"
    assert table["lower bound"][2] == pytest.approx(0.25 ** (1 / 4)), "1 − U(0, 4) of C4.5"
    assert ",Yes,4,1," in rules_csv(ex.rules(ex.grow(TENNIS, ex.ID3))), "rows are counted in whole numbers"
    assert table["rule"].iloc[-1] == "all other rows"


def test_the_table_names_weights_where_they_count_no_rows():
    frame = pd.DataFrame({"x": [1, 2], "y": ["a", "b"], "w": [1500.0, 2500.0]})
    table = ex.rules(ex.grow(ex.Dataset.from_frame(frame, "y", ["x"], weights="w"), ex.CART)).to_frame()
    sure = ["confidence", "lower bound"]
    amounts = ["training weight", *sure, "training weight of a", "training weight of b"]
    assert list(table) == ["rule", "prediction", *amounts, "leaf"]
    assert table["training weight"].tolist() == [1500, 2500, pd.NA]


def test_names_cannot_break_lines():
    for name in used_trees.NASTY:
        tree, _ = used_trees.nasty_tree(name)
        rules = ex.rules(tree)
        note = ["", rules.missing_note] if rules.missing_note else []
        assert rules.to_text().splitlines()[len(rules.in_order) :] == note


@LAW
@given(used_trees.grown())
def test_rules_predict_every_row_as_the_tree_does(case):
    tree, _, rows = case
    rules = ex.rules(tree)
    used_trees.assert_rules_predict(rules, tree, rows)
    parts = [np.bincount(tree.routes(rows)[0], minlength=len(rows)) > 1, rules.apply(rows) < 0]
    assert not (parts[1] & ~parts[0]).any(), "only rows in parts are predicted by several rules"


@LAW
@given(used_trees.grown())
def test_every_row_fulfils_exactly_one_rule_or_several_in_parts_that_add_up(case):
    tree, _, rows = case
    known = ex.rules(tree)
    reached = Rows(tree, rows)
    steps, total = [rule.steps for rule in (*known.rules, *known.otherwise)], np.zeros(len(rows))
    for index, match in reached.matches(steps):
        alone = reached.fulfilling(steps[index])
        assert list(match.rows) == list(alone.rows)
        assert match.parts == pytest.approx(alone.parts)
        total[match.rows] += match.parts
    ends_at_root = tree.apply(rows) == 0 if not tree.is_leaf[0] else np.zeros(len(rows), dtype=bool)
    assert total[~ends_at_root] == pytest.approx(1.0)


@pytest.mark.parametrize("recipe", [ex.ID3, ex.C45, ex.CART], ids=lambda recipe: recipe.name)
@pytest.mark.parametrize("key", ["titanic", "credit_g", "watermelon_3_0", "golf_missing", "vote"])
def test_rules_of_built_in_tables_predict_as_the_tree_does(key, recipe):
    data = sample_dataset(key)
    tree = ex.grow(data, recipe.replace(max_depth=6))
    rules = ex.rules(tree)
    assert [rule.words for rule in rules] == [rule_words(tree, rule.leaf) for rule in rules]
    for rows in (data.frame, used_trees.with_holes(data)):
        assert list(rules.predict(rows)) == list(tree.predict(rows))
