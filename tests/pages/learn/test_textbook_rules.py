"""The scenes on textbooks' rules: every difference that they show, from the definitions."""

import json

import pytest

from pages.learn.path import scene_of
from pages.results.lessons import textbook_rules
from tests.folders import GOLDEN_FOLDER


def numbers_of(scene, step, **chosen):
    return next(each for each in scene_of(scene).steps(chosen) if each.name == step).numbers


def squared(values):
    return sum((value - sum(values) / len(values)) ** 2 for value in values)


def test_strictly_above_the_average_splits_nothing_where_gains_are_equal():
    numbers = numbers_of("growing_rules", "mean gain")
    assert (numbers["gain A"], numbers["gain B"], numbers["average"]) == (1, 1, 1)
    assert (numbers["leaves strictly"], numbers["leaves at least"]) == (1, 2)


def test_the_ratio_alone_takes_a_split_of_13_against_1():
    numbers = numbers_of("growing_rules", "ratio alone")
    assert numbers["ratio temperature"] > numbers["ratio outlook"]
    assert numbers["gain temperature"] < numbers["gain outlook"]
    assert numbers["leaves plain"] > numbers["leaves filtered"]


def test_the_threshold_of_largest_ratio_is_not_that_of_largest_gain():
    """Humidity ≤ 67.5 cuts off one day of Yes from 14 days with 9: split information H(1/14) = 0.371 bits."""
    numbers = numbers_of("growing_rules", "which threshold")
    gain = 0.940286 - 13 / 14 * 0.961237
    assert (numbers["threshold by gain"], numbers["threshold by ratio"]) == (82.5, 67.5)
    assert numbers["its gain"] == pytest.approx(gain, abs=1e-5)
    assert numbers["largest ratio"] == pytest.approx(gain / 0.371232, abs=1e-4)
    assert numbers["largest gain"] > numbers["its gain"]
    assert numbers["its ratio"] < numbers["largest ratio"]


def test_an_empty_branch_is_one_leaf_more_with_the_class_above_it():
    step = next(each for each in scene_of("stopping_rules").steps({}) if each.name == "empty branch")
    assert (step.numbers["leaves with"], step.numbers["leaves without"]) == (9, 8)
    (empty,) = step.picture.marks
    tree = step.picture.tree
    assert tree.weight[empty] == 0
    assert str(tree.node(empty).label) == str(tree.node(int(tree.parent[empty])).label)
    assert step.question.options[step.question.right[0]].startswith(str(tree.node(empty).label))


def test_squared_errors_added_and_multiplied_are_those_of_the_two_sides():
    y = [0.0, 0.0, 3.0, 7.0]
    for threshold, plain, literal in textbook_rules.squared_errors():
        left, right = y[: int(threshold)], y[int(threshold) :]
        assert plain == pytest.approx(squared(left) + squared(right))
        assert literal == pytest.approx(len(left) * squared(left) + len(right) * squared(right))
    sums = textbook_rules.squared_errors()
    assert (min(sums, key=lambda row: row[1])[0], min(sums, key=lambda row: row[2])[0]) == (3.5, 2.5)


def test_groups_and_thresholds_differ_as_the_rules_say():
    groups = numbers_of("growing_rules", "groups")
    assert (groups["leaves one"], groups["leaves subset"]) == (3, 2)
    places = numbers_of("growing_rules", "threshold place")
    assert list(places.values()) == [48, 54, 48]
    again = numbers_of("growing_rules", "once or again")
    assert (again["errors once"], again["errors again"]) == (1, 0)


def test_stopping_early_costs_training_errors():
    assert numbers_of("stopping_rules", "one feature")["errors stopped"] == 2
    loans = numbers_of("stopping_rules", "last feature")
    assert (loans["errors stopped"], loans["errors grown"]) == (2, 0)
    xor = numbers_of("stopping_rules", "zero gain")
    assert (xor["gain A"], xor["leaves stopped"], xor["leaves grown"]) == (pytest.approx(0), 1, 4)


def test_an_unseen_value_gets_the_shares_of_its_rule():
    """Foggy, High, Strong: No below Sunny, Yes below Overcast, No below Rain."""
    shares = numbers_of("stopping_rules", "unseen value")
    assert shares["node"] == pytest.approx(9 / 14)
    assert shares["heaviest"] == 0
    assert shares["fractional"] == pytest.approx(4 / 14)
    assert shares["random"] in (0, 1)


def test_costs_of_the_second_set_are_the_recomputed_scores():
    golden = json.loads((GOLDEN_FOLDER / "golden.json").read_text("utf-8"))["play_tennis"]["attribute_costs_2"]
    numbers = numbers_of("missing_and_costs", "costs", costs="dear")
    for name, score in golden["gain^2/cost"].items():
        assert numbers[f"Tan-Schlimmer {name}"] == pytest.approx(score)
    for name, score in golden["nunez w=1"].items():
        assert numbers[f"Núñez {name}"] == pytest.approx(score)


def test_a_cost_of_zero_is_refused_by_name():
    assert "Wind" in textbook_rules.refused_costs({"Wind": 0.0})


def test_an_unknown_row_is_divided_as_the_known_ones_and_shares_follow_counts():
    assert sorted(textbook_rules.parts_of_unknown()) == pytest.approx([0.4, 0.6])
    assert textbook_rules.presentation_shares() == pytest.approx((3 / 32, 4 / 34))
