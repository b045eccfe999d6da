"""Trees that split on a feature with many values: the work of rules and exports grows with the number of branches."""

from __future__ import annotations

import sys
import tracemalloc
from collections.abc import Callable
from types import FrameType
from typing import Any

import pandas as pd
import pytest

import explorer as ex
from tests.oracles.many_values import WORK

SIZE = 250
RECIPES = {
    "each_value": ex.ID3.replace(max_depth=2),
    "fractional": ex.C45.replace(max_depth=2),
    "subset": ex.CART.replace(max_depth=3),
}


def dataset(values: int) -> ex.Dataset:
    """Two rows for each of so many values; every seventh value needs a second test."""
    rows = [
        (f"c{code:05d}", float(side), "yes" if (code + side * (code % 7 == 0)) % 2 else "no")
        for code in range(values)
        for side in (0, 1)
    ]
    return ex.Dataset.from_frame(pd.DataFrame(rows, columns=["code", "x", "y"]), "y", ["code", "x"])


def steps_taken(work: Callable[[], object]) -> int:
    """How many instructions Python executes."""
    taken = 0

    def count(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal taken
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        taken += event == "opcode"
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        work()
    finally:
        sys.settrace(before)
    return taken


@pytest.fixture(scope="module")
def grown() -> dict[tuple[str, int], tuple[ex.Tree, ex.Dataset]]:
    cases = {}
    for values in (SIZE, 2 * SIZE):
        data = dataset(values)
        for name, recipe in RECIPES.items():
            cases[name, values] = ex.grow(data, recipe), data
    for work in WORK.values():  # what is done once, such as reading a script, is no work of the tree's
        work(*cases["each_value", SIZE])
    return cases


@pytest.mark.parametrize("recipe", RECIPES)
@pytest.mark.parametrize("work", WORK)
def test_twice_the_values_take_twice_the_work(grown, recipe, work):
    taken = [
        steps_taken(lambda case=grown[recipe, values]: WORK[work](case[0].with_pruned(case[0].is_pruned), case[1]))
        for values in (SIZE, 2 * SIZE)
    ]
    assert taken[1] <= 2.3 * taken[0]


def test_the_tree_has_a_branch_for_every_value(grown):
    for name in ("each_value", "fractional"):
        assert len(grown[name, SIZE][0].node(0).children) == SIZE


def test_predicting_by_rules_takes_no_table_of_rows_times_rules(grown):
    tree, data = grown["each_value", 2 * SIZE]
    rules = ex.rules(tree)
    tracemalloc.start()
    try:
        predicted = rules.predict(data.frame)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert predicted.tolist() == tree.predict(data.frame).tolist()
    assert peak < 8 * data.n_rows * len(rules) / 2


def test_rules_of_many_values_are_merged_to_those_left(grown):
    tree, _ = grown["subset", SIZE]
    for rule in ex.rules(tree):
        on_code = [term for term in rule.terms if term.feature == "code"]
        groups = [
            set(tree.condition(node).branches[branch]) for node, branch in rule.steps if tree.condition(node).branches
        ]
        assert all(set(term.values) == set.intersection(*groups) for term in on_code)
