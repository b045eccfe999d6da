"""Rule post-pruning: hand arithmetic on play tennis, and every step held against a slow oracle that knows no tree."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given

import explorer as ex
from explorer.explaining.rules.post_prune import default_rule
from explorer.growing.training_rows import wrong_rows
from tests.oracles import bridge, used_trees
from tests.oracles.examples import law
from tests.oracles.golden_walk import dataset_of

LAW = law(150)
TENNIS = dataset_of("play_tennis")
TREE = ex.grow(TENNIS, ex.ID3)


def days(*rows: tuple[str, str, str, str]) -> ex.Dataset:
    """Validation days: outlook, humidity, wind, class."""
    frame = pd.DataFrame(rows, columns=["Outlook", "Humidity", "Wind", "PlayTennis"]).assign(Temperature="Mild")
    kinds = {feature.name: [*feature.categories, "Fog"] for feature in TENNIS.features}
    return ex.Dataset.from_frame(frame, "PlayTennis", kinds=kinds, features=list(kinds), classes=["No", "Yes"])


def test_play_tennis_by_pessimistic_estimates():
    rules = ex.post_prune_rules(TREE, train=TENNIS)
    assert [(rule.words, rule.prediction, rule.leaves) for rule in rules] == [
        ("Outlook = Overcast", "Yes", (2,)),
        ("Humidity = Normal", "Yes", (5,)),
        ("Outlook = Sunny and Humidity = High", "No", (4,)),
        ("Outlook = Rain and Wind = Weak", "Yes", (6,)),
        ("Outlook = Rain and Wind = Strong", "No", (7,)),
    ]
    one_of_seven = 1 - ex.upper_error(1, 7)
    assert [rule.accuracy for rule in rules] == pytest.approx(
        [0.25 ** (1 / 4), one_of_seven, 0.25 ** (1 / 3), 0.25 ** (1 / 3), 0.25 ** (1 / 2)]
    )
    assert (rules[1].stats, rules[1].weight) == ((1.0, 6.0), 7.0)
    assert (rules.default.prediction, rules.default.weight) == ("Yes", 0.0), "every day fulfils a rule"


def test_each_round_is_described_with_its_numbers():
    rounds = [removal for removal in ex.post_prune_rules(TREE, train=TENNIS).removals if removal.leaf == 5]
    assert [removal.removed for removal in rounds] == [0, None]
    assert rounds[0].conditions == ("Outlook = Sunny", "Humidity = Normal")
    assert [(trial.rows, trial.wrong) for trial in rounds[0].without] == [(7, 1), (5, 3)]
    assert rounds[0].before.accuracy == pytest.approx(0.5)
    assert rounds[1].text == (
        "Node 5, if Humidity = Normal then Yes: 66.2 % (1 of 7 misclassified); without Humidity = Normal: 51.5 % "
        "(5 of 14 misclassified); nothing is removed."
    )


NO_DAYS = days(("Sunny", "High", "Weak", "No"), ("Rain", "High", "Strong", "No"))


def test_ties_take_the_earliest_condition_and_go_on():
    rules = ex.post_prune_rules(TREE, NO_DAYS)
    assert [(rule.words, rule.prediction, rule.accuracy, rule.leaves) for rule in rules] == [
        ("all rows", "No", 1.0, (4, 7)),
    ]
    assert [(rule.words, rule.prediction, rule.accuracy, rule.leaves) for rule, _ in rules.left_out] == [
        ("all rows", "Yes", 0.0, (5, 2, 6)),
    ]
    assert [removal.removed for removal in rules.removals if removal.leaf == 4] == [0, 0]
    assert list(rules.apply(TENNIS)) == [0] * 14


def test_only_if_better_keeps_what_makes_no_difference():
    rules = ex.post_prune_rules(TREE, NO_DAYS, only_if_better=True)
    assert [(rule.words, rule.accuracy) for rule in rules] == [
        ("Outlook = Sunny and Humidity = High", 1.0),
        ("Outlook = Rain and Wind = Strong", 1.0),
        ("Outlook = Sunny and Humidity = Normal", 0.0),
        ("Outlook = Overcast", 0.0),
        ("Outlook = Rain and Wind = Weak", 0.0),
    ]


def test_the_condition_goes_whose_removal_helps_most():
    valid = days(("Rain", "High", "Weak", "No"), ("Sunny", "High", "Weak", "Yes"), ("Sunny", "High", "Strong", "No"))
    first = ex.post_prune_rules(TREE, valid).removals[0]
    assert [first.before.accuracy, *(trial.accuracy for trial in first.without)] == pytest.approx([1 / 2, 2 / 3, 1 / 2])
    assert first.removed == 0


def test_the_first_rule_that_a_row_fulfils_predicts_it():
    rules = ex.post_prune_rules(TREE, train=TENNIS)
    rows = pd.DataFrame(
        [
            ("Rain", "Normal", "Strong"),
            ("Rain", "High", "Strong"),
            ("Fog", "High", "Weak"),
            ("Overcast", "Normal", "Weak"),
        ],
        columns=["Outlook", "Humidity", "Wind"],
    )
    assert list(rules.apply(rows)) == [1, 4, 5, 0]
    assert list(rules.predict(rows)) == ["Yes", "No", "Yes", "Yes"]
    assert rules.predict_proba(rows)[0] == pytest.approx([1 / 7, 6 / 7])


def test_rows_in_parts_take_a_rule_that_they_fulfil_wholly_or_mix():
    tree = ex.grow(TENNIS, ex.ID3.replace(missing="fractional"))
    rules = ex.post_prune_rules(tree, train=TENNIS)
    rows = pd.DataFrame({"Outlook": [None, None], "Humidity": ["Normal", "High"], "Wind": ["Weak", "Weak"]})
    assert rules.predict_proba(rows) == pytest.approx(np.array([[1 / 7, 6 / 7], [5 / 14, 9 / 14]]))
    assert list(rules.predict(rows)) == ["Yes", "Yes"]
    assert list(rules.apply(rows)) == [1, -1]


def test_the_default_speaks_for_the_training_rows_that_no_rule_covers():
    whole = ex.rules(TREE)
    overcast, weak_rain = whole[2], whole[3]
    left = default_rule(TREE, TENNIS, [overcast, weak_rain])
    assert (left.prediction, left.stats, left.shares) == ("No", (5.0, 2.0), pytest.approx((5 / 7, 2 / 7)))
    assert default_rule(TREE, TENNIS, list(whole)).prediction == "Yes"
    assert default_rule(TREE, None, [overcast]).prediction == "Yes"


def test_the_list_counts_validation_rows_the_default_too():
    """Neither day of fog fulfils a rule; the others are as their leaves say, so that no rule loses a condition."""
    fog = [("Fog", "High", "Weak", "Yes"), ("Fog", "High", "Weak", "No")]
    sun = [("Sunny", "High", "Weak", "No"), ("Sunny", "Normal", "Weak", "Yes")]
    rain = [("Rain", "High", "Weak", "Yes"), ("Rain", "High", "Strong", "No")]
    valid = days(*fog, *sun, *rain, ("Overcast", "High", "Weak", "Yes"))
    rules = ex.post_prune_rules(TREE, valid, TENNIS, only_if_better=True)
    assert (rules.default.prediction, rules.default.stats, rules.default.weight) == ("Yes", (1.0, 1.0), 2.0)
    assert rules.default.lower_bound == pytest.approx(1 - ex.upper_error(1, 2))
    assert sum(rule.weight for rule in rules.in_order) == 7
    assert rules.amount_name == "validation rows"
    assert rules.to_frame()["validation rows"].tolist()[-1] == 2


def test_the_ends_of_an_interval_go_one_by_one():
    frame = pd.DataFrame({"x": [1.0, 2, 3, 4, 5, 6], "goal": list("aabbaa")})
    data = ex.Dataset.from_frame(frame, "goal", ["x"])
    rules = ex.post_prune_rules(ex.grow(data, ex.CART), train=data)
    inside = next(removal for removal in rules.removals if removal.prediction == "b")
    assert sorted(inside.conditions) == ["x > 2.5", "x ≤ 4.5"]
    assert "2.5 < x ≤ 4.5" in [rule.words for rule in rules]


def test_what_cannot_be_pruned_is_refused():
    numbers = pd.DataFrame({"x": range(20), "y": np.arange(20.0) ** 2})
    tree = ex.grow(ex.Dataset.from_frame(numbers, "y", ["x"]), ex.CART)
    with pytest.raises(ex.InputError, match="numeric"):
        ex.post_prune_rules(tree, train=TENNIS)
    with pytest.raises(ex.InputError, match="evaluated on rows"):
        ex.post_prune_rules(TREE)
    with pytest.raises(ex.InputError, match="not grown on these rows"):
        ex.post_prune_rules(TREE, train=TENNIS.take(range(7)))


# -- an oracle that prunes lists of Python functions ------------------------------------------------------------------

Test = Callable[[dict], bool]


def oracle_conditions(tree: ex.Tree, leaf: int) -> list[list[Test]]:
    """The tests on the path to a leaf, those on one side of one feature together."""
    conditions: dict[tuple[str, int], list[Test]] = {}
    for node, branch in tree.path_to(leaf):
        condition = tree.condition(node)
        if condition.threshold is not None:
            cut, low = condition.threshold, branch == 0
            conditions.setdefault((condition.feature, branch), []).append(
                lambda row, name=condition.feature, cut=cut, low=low: (row[name] <= cut) == low
            )
        else:
            group = condition.branches[branch]
            conditions.setdefault((condition.feature, -1), []).append(
                lambda row, name=condition.feature, group=group: row[name] in group
            )
    return list(conditions.values())


def oracle_accuracy(conditions: list[list[Test]], prediction: str, rows: list[dict]) -> Fraction:
    """The share of the rows that fulfil all conditions and have the predicted class; 0 without any row."""
    covered = [row for row in rows if all(test(row) for tests in conditions for test in tests)]
    weight = sum(Fraction(row["weight"]) for row in covered)
    right = sum(Fraction(row["weight"]) for row in covered if row["goal"] == prediction)
    return right / weight if weight else Fraction(0)


def oracle_pruned(
    conditions: list[list[Test]], prediction: str, rows: list[dict], only_if_better: bool
) -> list[list[Test]]:
    """Greedy removal, exactly as it is described."""
    while conditions:
        now = oracle_accuracy(conditions, prediction, rows)
        trials = [
            oracle_accuracy(conditions[:i] + conditions[i + 1 :], prediction, rows) for i in range(len(conditions))
        ]
        best = max(trials)
        if best < now or (only_if_better and best == now):
            break
        position = trials.index(best)
        conditions = conditions[:position] + conditions[position + 1 :]
    return conditions


@LAW
@given(bridge.samples(regression=False, missing=False, weights="whole"), used_trees.st.booleans(), used_trees.st.data())
def test_every_rule_is_the_oracles(sample, only_if_better, draw):
    data = bridge.to_dataset(sample)
    tree = ex.grow(data, ex.CART.replace(categorical=draw.draw(used_trees.st.sampled_from(["each_value", "subset"]))))
    chosen = draw.draw(used_trees.st.lists(used_trees.st.sampled_from(range(data.n_rows)), min_size=1, unique=True))
    valid = data.take(sorted(chosen))
    rows = valid.frame.to_dict("records")
    rules = ex.post_prune_rules(tree, valid, only_if_better=only_if_better)
    rule_of = {leaf: rule for rule in (*rules, *(rule for rule, _ in rules.left_out)) for leaf in rule.leaves}
    assert sorted(rule_of) == tree.leaves().tolist()
    ranked = []
    for leaf, _ in ((leaf, None) for rule in ex.rules(tree) for leaf in rule.leaves):
        prediction = tree.node(leaf).label
        kept = oracle_pruned(oracle_conditions(tree, leaf), prediction, rows, only_if_better)
        accuracy = oracle_accuracy(kept, prediction, rows)
        assert rule_of[leaf].accuracy == pytest.approx(float(accuracy))
        ranked.append((-accuracy, len(ranked), kept, prediction))
    assert [rule.accuracy for rule in rules] == sorted((rule.accuracy for rule in rules), reverse=True)
    for row, predicted in zip(bridge.to_frame(sample).to_dict("records"), rules.predict(data), strict=True):
        fitting = (prediction for _, _, kept, prediction in sorted(ranked, key=lambda entry: entry[:2])
                   if all(test(row) for tests in kept for test in tests))  # fmt: skip
        assert predicted == next(fitting)


@LAW
@given(used_trees.grown())
def test_before_pruning_a_rule_has_its_leafs_rows_and_errors(case):
    tree, data, _ = case
    if tree.is_regression or tree.recipe.missing == "same_class":
        return
    errors, weight = wrong_rows(tree, tree.stats)
    seen = set()
    for removal in ex.post_prune_rules(tree, train=data).removals:
        if removal.leaf not in seen and weight[removal.leaf]:
            before, n_rows, n_wrong = removal.before, weight[removal.leaf], errors[removal.leaf]
            assert (before.rows, before.wrong) == pytest.approx((n_rows, n_wrong))
            assert before.accuracy == pytest.approx(1 - ex.upper_error(n_wrong, n_rows))
        seen.add(removal.leaf)
