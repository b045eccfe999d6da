"""Constraints on a tree: forced splits, leaves made by hand, forbidden features, and how to undo them."""

from __future__ import annotations

import json
import re

import pandas as pd
import pytest

import explorer as ex
from tests.oracles import bridge
from tests.oracles.examples import law

LAW = law(25)
NONE = ex.Choices()


@pytest.fixture(scope="module")
def tennis() -> ex.Dataset:
    return ex.Dataset.from_frame(ex.load_sample("play_tennis").frame, "PlayTennis")


def node_at(tree: ex.Tree, *path: int) -> ex.Node:
    """The node at the end of a path."""
    node = 0
    for branch in path:
        node = tree.children_of(node)[branch]
    return tree.node(node)


def reasons(tree: ex.Tree) -> list[str]:
    return [one.reason for one in ex.constraint_statuses(tree)]


# -- each kind of choice, by hand ------------------------------------------------------------------------------------


def test_wind_at_the_root_has_the_gain_of_the_books_and_says_what_would_have_won(tennis):
    tree = ex.grow(tennis, ex.ID3, choices=NONE.force((), "Wind"))
    decision = ex.decide(tree, tennis, 0)
    assert tree.node(0).condition.feature == "Wind"
    assert tree.node(0).is_forced
    assert not node_at(tree, 0).is_forced
    assert decision.by_hand
    assert decision.chosen.gain == pytest.approx(0.048, abs=5e-4)
    assert decision.would_win.feature == "Outlook"
    assert decision.would_stop is None
    assert [candidate.feature for candidate in decision.candidates] == ["Outlook", "Humidity", "Wind", "Temperature"]
    assert tree.node(1).stats.tolist() == [2, 6]
    assert tree.node(2).stats.tolist() == [3, 3]


def test_a_leaf_made_by_hand_says_so_and_what_would_have_been_tested(tennis):
    tree = ex.grow(tennis, ex.ID3, choices=NONE.lock((0,)))
    leaf, decision = tree.node(1), ex.decide(tree, tennis, 1)
    assert (leaf.stop_reason, leaf.label) == ("made a leaf by hand", "No")
    assert (decision.chosen, decision.stop_reason) == (None, "made a leaf by hand")
    assert decision.would_win.feature == "Humidity"
    assert tree.n_leaves == 4


def test_lock_at_the_root_leaves_the_root_alone(tennis):
    tree = ex.grow(tennis, ex.CART, choices=NONE.lock(()))
    assert (tree.n_nodes, tree.node(0).stop_reason) == (1, "made a leaf by hand")


def test_a_forbidden_feature_is_named_absent_there_and_below_only(tennis):
    tree = ex.grow(tennis, ex.ID3, choices=NONE.forbid((0,), "Humidity"))
    assert node_at(tree, 0).condition.feature == "Temperature"
    assert ex.decide(tree, tennis, 1).absent["Humidity"] == "forbidden by hand"
    assert "Humidity" in ex.decide(tree, tennis, 3).best


def test_a_grouping_of_ones_own_in_a_tree_of_each_value_leaves_the_feature_to_be_tested_again(tennis):
    tree = ex.grow(tennis, ex.ID3, choices=NONE.force((), "Outlook", categories=["Rain"]))
    condition = tree.node(0).condition
    assert (condition.kind, condition.branches) == ("subset", (("Sunny", "Overcast"), ("Rain",)))
    assert condition.text == "Outlook ∈ {Sunny, Overcast}"
    assert node_at(tree, 0).condition.feature == "Outlook"
    assert "Outlook" in ex.decide(tree, tennis, 1).best


def test_each_value_in_a_tree_of_two_branches(tennis):
    tree = ex.grow(tennis, ex.CART, choices=NONE.force((), "Outlook", test="each_value"))
    assert tree.node(0).condition.kind == "each_value"
    assert [tree.node(child).stats.tolist() for child in tree.node(0).children] == [[3, 2], [0, 4], [2, 3]]
    assert ex.decide(tree, tennis, 1).absent["Outlook"] == "already used on this path"


def test_one_against_the_rest_takes_the_best_value(tennis):
    tree = ex.grow(tennis, ex.CART, choices=NONE.force((), "Outlook", test="one_vs_rest"))
    assert tree.node(0).condition.branches == (("Sunny", "Rain"), ("Overcast",))


def test_a_threshold_of_ones_own_is_kept_to_the_digit():
    data = ex.Dataset.from_frame(ex.load_sample("temperature6").frame, "PlayTennis")
    tree = ex.grow(data, ex.CART, choices=NONE.force((), "Temperature", threshold=50.5))
    decision = ex.decide(tree, data, 0)
    assert tree.node(0).condition.threshold == 50.5
    # N, N | Y, Y, Y, N: 1/2 − 4/6 · (1 − 9/16 − 1/16)
    assert decision.chosen.gain == pytest.approx(1 / 2 - 4 / 6 * 3 / 8)
    assert decision.chosen.gain == pytest.approx(decision.would_win.gain)


def test_a_forced_split_needs_no_leave_of_the_limits(tennis):
    limits = ex.ID3.replace(max_depth=0, chi2_level=0.001, min_rows_leaf=10.0)
    tree = ex.grow(tennis, limits, choices=NONE.force((), "Wind"))
    assert (tree.n_leaves, tree.node(1).stop_reason) == (2, "maximum depth reached")
    assert ex.decide(tree, tennis, 0).would_stop == "maximum depth reached"


def test_a_forced_split_is_not_judged_by_validation_rows(tennis):
    recipe = ex.ID3.replace(prepruning=True)
    forced = ex.grow(tennis, recipe, tennis, choices=NONE.force((), "Wind"))
    assert forced.node(0).condition.feature == "Wind"


# -- the history -----------------------------------------------------------------------------------------------------


def test_choices_are_values():
    choices = NONE.force((0,), "a", threshold=2).lock((1,)).forbid((), "b")
    assert choices.undo() == NONE.force((0,), "a", threshold=2).lock((1,))
    assert choices.without(1) == NONE.force((0,), "a", threshold=2).forbid((), "b")
    assert hash(choices) == hash(ex.Choices(choices.history))
    assert ex.Choices.from_plain(json.loads(json.dumps(choices.to_plain()))) == choices
    scope = {"ex": ex}
    exec(choices.to_code(), scope)
    assert scope["choices"] == choices


def test_undo_gives_the_tree_of_before(tennis):
    choices = NONE.force((), "Wind")
    bridge.assert_same_tree(ex.grow(tennis, ex.ID3), ex.grow(tennis, ex.ID3, choices=choices.undo()))


def test_the_choices_of_other_branches_are_kept(tennis):
    tree = ex.grow(tennis, ex.ID3)
    choices = NONE.force(tree.place(3), "Temperature")
    tree = ex.grow(tennis, ex.ID3, choices=choices.lock(tree.place(1)))
    assert (node_at(tree, 0).is_leaf, node_at(tree, 2).condition.feature) == (True, "Temperature")


def test_a_change_above_puts_a_choice_out_of_force_and_taking_it_back_restores_it(tennis):
    for way in (ex.grow(tennis, ex.ID3).place(1), (0,)):
        choices = NONE.lock(way).force((), "Wind")
        tree = ex.grow(tennis, ex.ID3, choices=choices)
        assert reasons(tree) == ["above it, the tree now splits on Wind", ""]
        assert not node_at(tree, 0).is_leaf
        assert tree.notes[-1] == "1 of 2 choices made by hand is not in force."
        assert reasons(ex.grow(tennis, ex.ID3, choices=choices.without(1))) == [""]


def test_another_algorithm_keeps_the_history(tennis):
    numbers = ex.Dataset.from_frame(ex.load_sample("golf").frame, "class")
    tree = ex.grow(numbers, ex.C45)
    choices = NONE.force(tree.place(1), "humidity", threshold=77.0).lock(tree.place(3))
    assert reasons(ex.grow(numbers, ex.C45, choices=choices)) == ["", ""]
    assert reasons(ex.grow(numbers, ex.ID3.replace(numeric="leave_out"), choices=choices)) == [
        "the settings leave 'humidity' out",
        "",
    ]
    by_intervals = reasons(ex.grow(numbers, ex.ID3, choices=choices))
    assert by_intervals == ["'humidity' splits by intervals here, not at a threshold: give intervals.", ""]


def test_of_contradicting_choices_the_later_one_holds(tennis):
    twice = ex.grow(tennis, ex.ID3, choices=NONE.force((), "Wind").force((), "Humidity").lock((0,)))
    assert (twice.node(0).condition.feature, node_at(twice, 0).is_leaf) == ("Humidity", True)
    assert reasons(twice) == ["a later choice decides about this node", "", ""]
    forbidden = ex.grow(tennis, ex.ID3, choices=NONE.force((), "Wind").forbid((), "Wind"))
    assert reasons(forbidden) == ["a later choice forbids 'Wind' here", ""]
    asked_again = ex.grow(tennis, ex.ID3, choices=NONE.forbid((), "Wind").force((), "Wind"))
    assert (reasons(asked_again), asked_again.node(0).condition.feature) == (["", ""], "Wind")


IMPOSSIBLE = {
    "did you mean 'Humidity'": NONE.force((), "Humidty"),
    "Outlook, Temperature": NONE.forbid((), "x"),
    "no category 'Snow'": NONE.force((), "Outlook", categories=["Snow"]),
    "on either side": NONE.force((), "Outlook", categories=["Sunny", "Overcast", "Rain"]),
    "not at a threshold": NONE.force((), "Outlook", threshold=2),
    "ends at a leaf": NONE.lock((0, 0, 0)),
    "has no branch 8": NONE.lock((7,)),
    "has 1 different value at this node": NONE.force((1,), "Outlook"),
}


@pytest.mark.parametrize("fact", IMPOSSIBLE)
def test_what_is_not_possible_is_refused_with_the_reason(tennis, fact):
    with pytest.raises(ex.InputError, match=fact):
        ex.grow(tennis, ex.ID3, choices=IMPOSSIBLE[fact])


@pytest.mark.parametrize("threshold", [39.9, 90.0, 1000.0])
def test_a_threshold_that_leaves_a_branch_empty_names_the_range(threshold):
    data = ex.Dataset.from_frame(ex.load_sample("temperature6").frame, "PlayTennis")
    with pytest.raises(ex.InputError, match="go from 40 to 90, so give a threshold of at least 40 and"):
        ex.grow(data, ex.CART, choices=NONE.force((), "Temperature", threshold=threshold))
    ex.grow(data, ex.CART, choices=NONE.force((), "Temperature", threshold=40.0))


@pytest.mark.parametrize("content", [
    {}, [{}], [{"op": "lock"}], [{"op": "cut", "path": []}], [{"op": "lock", "path": [-1]}],
    [{"op": "force", "path": [], "feature": "a", "test": "threshold"}], [{"op": "lock", "path": [0], "way": []}],
    [{"op": "force", "path": [], "feature": "a", "threshold": "1"}], [{"op": "forbid", "path": []}], ["x"]],
)  # fmt: skip
def test_saved_choices_that_are_damaged_are_refused(content):
    with pytest.raises(ex.InputError):
        ex.Choices.from_plain(content)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "not JSON (line 1, column 1)"),
        (b'[{"op": "lock",]', "not JSON (line 1, column 16)"),
        (b"\xff\xfe\x00", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b'{"op": "lock", "path": []}', "a list of choices was expected"),
        (b'[{"op": "lock", "path": []}, {"op": "lock"}]', "Choice 2: This is not a saved choice"),
        (b'[{"op": "prune", "path": []}]', "Choice 1: There is no choice called 'prune'"),
        (b'[{"op": "force", "path": [], "feature": "x", "test": "threshold", "threshold": NaN}]', "finite number"),
    ],
)
def test_a_file_that_holds_no_choices_is_refused_with_the_place(content, told):
    with pytest.raises(ex.InputError, match=re.escape(told)):
        ex.Choices.from_json(content)


def test_a_threshold_beyond_all_floats_is_refused():
    whole = {"op": "force", "path": [], "feature": "x", "test": "threshold", "threshold": 10**400}
    with pytest.raises(ex.InputError, match="finite number"):
        ex.Choices.from_plain([whole])


def test_choices_come_back_from_their_file_with_every_sign():
    choices = ex.Choices().force((), '密度 ≤ "x"\n', threshold=0.1 + 0.2).lock((0,)).forbid((1,), "—")
    choices = choices.force((1, 0), "sky", categories=["ä", 2, None, True])
    assert ex.Choices.from_json(choices.to_json().encode("utf-8")) == choices


def test_a_choice_on_a_date_or_a_level_is_told_in_its_own_words():
    frame = pd.DataFrame({"day": [0.0, 40.0, 80.0, 120.0], "size": ["s", "m", "l", "m"], "y": ["a", "a", "b", "b"]})
    kinds = {"size": ex.Ordered(["s", "m", "l"])}
    data = ex.Dataset.from_frame(frame, "y", ["day", "size"], kinds=kinds, days_since={"day": "2023-01-01"})
    for feature, threshold, words in (("day", 60.0, "2023-03-02"), ("size", 2.5, "size ≤ m")):
        choices = ex.Choices().force((), ex.SplitRequest(feature, "threshold", threshold))
        (status,) = ex.constraint_statuses(ex.grow(data, ex.CART, choices=choices))
        assert words in status.text
