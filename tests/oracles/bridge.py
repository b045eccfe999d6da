"""From the oracle's tables and rules to the explorer's, tables drawn at random, and the comparison of two trees."""

from __future__ import annotations

import json
from dataclasses import asdict
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import strategies as st

import explorer as ex
from tests.oracles import brute_force

CLASSES = ("red", "green", "blue", "grey")
LETTERS = tuple("abcde")


def to_frame(sample: brute_force.Sample) -> pd.DataFrame:
    """The oracle's table as a frame: feature columns, the target "goal" and the column "weight"."""
    columns = {c.name: pd.Series(c.values, dtype=object if c.categories else float) for c in sample.columns}
    goal = pd.Series(sample.target, dtype=object if sample.classes else float)
    return pd.DataFrame({**columns, "goal": goal, "weight": [float(weight) for weight in sample.weights]})


def to_dataset(sample: brute_force.Sample, weighted: bool = True) -> ex.Dataset:
    """The oracle's table as a data set with all its columns as features."""
    kinds = {c.name: list(c.categories) if c.categories else "numeric" for c in sample.columns}
    kinds["goal"] = list(sample.classes) if sample.classes else "numeric"
    names = [c.name for c in sample.columns]
    return ex.Dataset.from_frame(to_frame(sample), "goal", names, kinds, weights="weight" if weighted else None)


def to_recipe(parameters: brute_force.GrowParameters) -> ex.Recipe:
    """The oracle's settings as a recipe."""
    settings = asdict(parameters)
    settings["min_rows_leaf"] = parameters.min_rows_leaf or 0.0
    return ex.Recipe(name="oracle", **settings)


def numbers() -> st.SearchStrategy[float]:
    """Cell values with many ties, some of them not whole, one far away."""
    return st.one_of(st.integers(-2, 4).map(float), st.sampled_from([0.1, 0.5, 2.25, 1e6]))


@st.composite
def columns(draw: st.DrawFn, name: str, rows: int, missing: bool) -> brute_force.TrainingColumn:
    """One feature of either kind, with or without missing cells."""
    categories = draw(st.sampled_from([None, LETTERS[:2], LETTERS[:3], LETTERS]))
    cell = numbers() if categories is None else st.sampled_from(categories)
    filled = st.one_of(st.none(), cell, cell, cell) if missing else cell
    return brute_force.TrainingColumn(name, tuple(draw(st.lists(filled, min_size=rows, max_size=rows))), categories)


@st.composite
def samples(draw: st.DrawFn, regression: bool | None = None, missing: bool = True, weights: str = "any"):
    """A small table: up to 14 rows and 3 features, two to four classes or a number, whole or fractional weights."""
    rows = draw(st.integers(4, 14))
    features = [draw(columns(f"f{i}", rows, missing)) for i in range(draw(st.integers(1, 3)))]
    numeric = draw(st.booleans()) if regression is None else regression
    classes = None if numeric else CLASSES[: draw(st.integers(2, 4))]
    goal = numbers() if classes is None else st.sampled_from(classes)
    target = draw(st.lists(goal, min_size=rows, max_size=rows).filter(lambda values: len(set(values)) > 1))
    steps = {"one": st.just(4), "whole": st.sampled_from([4, 8, 12]), "any": st.integers(1, 9)}[weights]
    quarters = draw(st.lists(steps, min_size=rows, max_size=rows))
    return brute_force.Sample(tuple(features), tuple(target), tuple(Fraction(q, 4) for q in quarters), classes)


@st.composite
def rules_for(draw: st.DrawFn, sample: brute_force.Sample, **fixed) -> brute_force.GrowParameters:
    """Settings that fit the table's target."""
    impurity = "variance" if sample.classes is None else draw(st.sampled_from(["entropy", "gini", "error"]))
    settings = {
        "impurity": impurity,
        "score": draw(st.sampled_from(["decrease", "gain_ratio"])),
        "mean_gain_filter": draw(st.sampled_from(["at_least", "greater", "off"])),
        "categorical": draw(st.sampled_from(["each_value", "one_vs_rest", "subset"])),
        "threshold_at": draw(st.sampled_from(["midpoint", "observed", "c45"])),
        "missing": draw(st.sampled_from(["most_common", "drop"])),
        "min_rows_leaf": draw(st.sampled_from([None, None, 1.0, 2.0])),
        "min_rows_in": draw(st.sampled_from(["every", "two"])),
        "empty_branches": draw(st.booleans()),
    }
    return brute_force.GrowParameters(**{**settings, **fixed})


def parts_at(tree: ex.Tree, data: ex.Dataset, node: int) -> frozenset[frozenset[int]]:
    """The groups of rows that the children of a node hold."""
    groups = [frozenset(int(row) for row in tree.rows_at(data, child)) for child in tree.node(node).children]
    return frozenset(group for group in groups if group)


def same_numbers(first, second) -> None:
    """Two lists of numbers agree to rounding; nan only beside nan."""
    np.testing.assert_allclose(first, second, rtol=1e-9, atol=1e-9, equal_nan=True)


def through_json(tree: ex.Tree) -> ex.Tree:
    """The tree that comes back from text of strict JSON, which has no nan."""
    return ex.Tree.from_dict(json.loads(json.dumps(tree.to_dict(), allow_nan=False)))


def assert_same_tree(first: ex.Tree, second: ex.Tree) -> None:
    """Two trees have the same nodes, tests and numbers, bit for bit."""
    shape = ["parent", "first_child", "child_count", "depth", "feature", "stop", "is_pruned"]
    tests = ["threshold", "cat_offset", "cat_code", "cat_branch", "missing_branch"]
    for name in [*shape, *tests, "weight", "stats", "impurity", "missing_weight"]:
        np.testing.assert_array_equal(getattr(first, name), getattr(second, name), err_msg=name)


def assert_alike(first: ex.Tree, second: ex.Tree) -> None:
    """Two trees grown from tables that mean the same: the same shape and tests, the numbers equal to rounding."""
    for name in ["parent", "feature", "child_count", "cat_offset", "cat_code", "cat_branch"]:
        np.testing.assert_array_equal(getattr(first, name), getattr(second, name), err_msg=name)
    same_numbers(first.threshold, second.threshold)
    same_numbers(first.weight, second.weight)
    same_numbers(first.stats, second.stats)


def groups_of(branches) -> frozenset[frozenset[str]]:
    """The groups of categories of a test, in no order."""
    return frozenset(frozenset(map(str, group)) for group in branches)


def oracle_candidate(verdict: brute_force.Verdict, column: int, condition: ex.Condition) -> brute_force.Candidate:
    """The oracle's candidate for the explorer's condition."""
    mine = [c for c in verdict.candidates if c.column == column]
    if condition.kind == "threshold":
        return next(c for c in mine if c.threshold == condition.threshold)
    if condition.kind == "each_value":
        return next(iter(mine))
    return next(c for c in mine if groups_of(c.branches) == groups_of(condition.branches))


def walk_beside(
    tree: ex.Tree,
    data: ex.Dataset,
    sample: brute_force.Sample,
    parameters: brute_force.GrowParameters,
    interactions: list[set[str]] | None = None,
) -> int:
    """Compare every node of a tree with the oracle's decision on the same rows; returns how many nodes were seen.

    With `interactions` a path may only test columns that one of these sets holds.
    """
    trained_on = brute_force.training_rows(sample, parameters)
    todo, seen = [(0, trained_on, tuple(range(len(sample.columns))), frozenset[str]())], 0
    while todo:
        node, rows, free, path = todo.pop()
        seen += 1
        for name in () if interactions is None else [sample.columns[number].name for number in free]:
            if path and not any(path | {name} <= together for together in interactions or ()):
                free = tuple(number for number in free if sample.columns[number].name != name)
        assert sorted(tree.rows_at(data, node)) == sorted(rows)
        assert tree.node(node).weight == pytest.approx(float(brute_force.weight_of(sample, rows)))
        if not rows:
            assert tree.node(node).is_leaf
            continue
        verdict = brute_force.decide(sample, trained_on, rows, free, tree.node(node).depth, parameters)
        decision = ex.decide(tree, data, node)
        check_candidates(decision, verdict, sample, parameters)
        check_winner(tree, node, decision, verdict, sample, parameters)
        if tree.node(node).is_leaf:
            continue
        condition = tree.node(node).condition
        column = [c.name for c in sample.columns].index(condition.feature)
        taken = oracle_candidate(verdict, column, condition)
        left = tuple(c for c in free if c != column) if condition.kind == "each_value" else free
        parts = in_order(condition, taken)
        below = path | {condition.feature}
        todo += [(child, part, left, below) for child, part in zip(tree.node(node).children, parts, strict=True)]
    return seen


def in_order(condition: ex.Condition, taken: brute_force.Candidate) -> list[brute_force.Rows]:
    """The oracle's groups of rows in the order of the explorer's branches."""
    if condition.kind == "threshold":
        return list(taken.parts)
    part_of = dict(zip(map(frozenset, taken.branches), taken.parts, strict=True))
    return [part_of[frozenset(map(str, group))] for group in condition.branches]


def check_candidates(
    decision, verdict: brute_force.Verdict, sample: brute_force.Sample, parameters: brute_force.GrowParameters
) -> None:
    """Every candidate that the explorer lists has the oracle's numbers; only dominated bipartitions may be missing."""
    names = [column.name for column in sample.columns]
    for candidate in decision.candidates:
        expected = oracle_candidate(verdict, names.index(candidate.feature), candidate.condition)
        assert candidate.gain == pytest.approx(expected.gain, rel=1e-9, abs=1e-9)
        assert candidate.split_info == pytest.approx(expected.split_info, rel=1e-9, abs=1e-9)
        assert expected.admissible or candidate.rejected, f"{candidate} should be rejected"
    admissible = [c for c in verdict.candidates if c.admissible]
    if parameters.categorical == "subset":
        admissible = [c for c in admissible if c.threshold is not None]
    listed = [c for c in decision.candidates if parameters.categorical != "subset" or c.condition.kind == "threshold"]
    assert len(listed) >= len(admissible)


def check_winner(
    tree, node: int, decision, verdict: brute_force.Verdict, sample, parameters: brute_force.GrowParameters
) -> None:
    """The best of every column and the winner are the oracle's; a tied subset may be another one of equal gain."""
    names = [column.name for column in sample.columns]
    best = {}
    for number, expected in verdict.best.items():
        best_of_feature = decision.best[names[number]]
        best[number] = oracle_candidate(verdict, number, best_of_feature.condition)
        assert best_of_feature.gain == pytest.approx(expected.gain, rel=1e-9, abs=1e-9)
        if best_of_feature.condition.kind != "subset":
            assert best[number] == expected, "the first of the tied tests of a feature"
    scores, mean = brute_force.score_all(best, verdict.many_values, parameters)
    reason = verdict.reason if verdict.reason in BEFORE else brute_force.stop_after(scores, parameters)
    assert tree.node(node).is_leaf == (reason is not None), (reason, tree.node(node).stop_reason)
    if mean is not None and reason not in BEFORE:
        assert decision.mean_gain == pytest.approx(mean, rel=1e-9, abs=1e-9)
    if reason is None:
        scale = 0.0 if parameters.score == "gain_ratio" else tree.node(node).impurity
        winner = list(scores)[brute_force.first_of_the_best(list(scores.values()), scale)]
        assert tree.node(node).condition.feature == names[winner]
        assert oracle_candidate(verdict, winner, tree.node(node).condition) == best[winner]


BEFORE = {"pure", "no feature left", "too few rows", "depth"}
