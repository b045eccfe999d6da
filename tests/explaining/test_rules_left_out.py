"""Pruned rules that can never decide are left out, and no row is predicted otherwise for it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

import explorer as ex
from explorer.explaining.rules.containment import split_off_idle
from explorer.tree.tree import Tree
from tests.oracles import used_trees
from tests.oracles.examples import law


def grown(frame: pd.DataFrame, recipe: ex.Recipe = ex.CART) -> tuple[Tree, ex.Dataset]:
    data = ex.Dataset.from_frame(frame, "goal")
    return ex.grow(data, recipe), data


def test_nothing_follows_a_rule_for_all_rows():
    """Of tennis the validation days say No: both rules lose all conditions, and the second never decides."""
    tennis = ex.Dataset.from_frame(ex.load_sample("play_tennis").frame, "PlayTennis")
    no_days = tennis.take(np.flatnonzero(tennis.y == 0))
    listed = ex.post_prune_rules(ex.grow(tennis, ex.ID3), no_days)
    assert [rule.statement for rule in listed] == ["all rows: No"]
    assert [(rule.statement, earlier.statement) for rule, earlier in listed.left_out] == [
        ("all rows: Yes", "all rows: No")
    ]
    assert set(listed.predict(tennis)) == {"No"}


def test_a_narrower_interval_after_a_wider_one_never_decides():
    """x > 4.5 lies within x > 2.5, a test of another node; the wider one after the narrower decides some rows."""
    tree, _ = grown(pd.DataFrame({"x": [1.0, 2, 3, 4, 5, 6], "goal": list("aabbaa")}))
    rules = ex.rules(tree)
    steps = {rule.words: rule.steps for rule in rules}
    assert set(steps) == {"x ≤ 2.5", "2.5 < x ≤ 4.5", "x > 4.5"}
    above = replace(rules[2], steps=steps["2.5 < x ≤ 4.5"][:1])  # x > 2.5
    assert split_off_idle(tree, [above, rules[2]]) == ((above,), ((rules[2], above),))
    assert split_off_idle(tree, [rules[2], above]) == ((rules[2], above), ())


def test_a_rule_that_shares_a_divided_row_with_a_wider_one_stays():
    """A day without outlook is divided: it fulfils neither rule wholly, and its prediction averages both."""
    tennis = ex.Dataset.from_frame(ex.load_sample("play_tennis").frame, "PlayTennis")
    for missing, stays in (("fractional", True), ("most_common", False)):
        tree = ex.grow(tennis, ex.ID3.replace(missing=missing, unseen="node"))
        narrow = ex.rules(tree)[0]
        wide = replace(narrow, steps=narrow.steps[:1])
        kept, _ = split_off_idle(tree, [wide, narrow])
        assert (narrow in kept) == stays, missing


@law(150)
@given(used_trees.grown(), st.data())
def test_what_is_left_out_decides_no_row(case, draw):
    """Rules with some of their tests taken away, in any order: for any row the list predicts as the whole one does."""
    tree, _, rows = case
    own = ex.rules(tree)
    listed = []
    for rule in draw.draw(st.permutations(own.rules + own.otherwise)):
        kept = draw.draw(st.lists(st.booleans(), min_size=len(rule.steps), max_size=len(rule.steps)))
        listed.append(replace(rule, steps=tuple(s for s, is_kept in zip(rule.steps, kept, strict=True) if is_kept)))
    some, idle = split_off_idle(tree, listed)
    assert sorted([*map(id, some), *(id(rule) for rule, _ in idle)]) == sorted(map(id, listed))
    whole, shorter = ex.RuleList(tree, tuple(listed), own.default), ex.RuleList(tree, some, own.default)
    np.testing.assert_array_equal(whole.predict(rows), shorter.predict(rows))
    if not tree.is_regression:
        np.testing.assert_array_equal(whole.predict_proba(rows), shorter.predict_proba(rows))
    firing = np.unique(whole.apply(rows))
    assert not {id(rule) for rule, _ in idle} & {id(whole.in_order[index]) for index in firing if index >= 0}
