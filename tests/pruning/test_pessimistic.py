"""Pessimistic pruning: published limits, Quinlan's own example, raising by brute force, and laws."""

from threading import Event

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

import explorer as ex
from explorer.pruning import subtree_raising
from explorer.pruning.error_bound import LIMITS, limit_for
from explorer.pruning.raising import row_division
from explorer.pruning.raising.limits import HIGHEST, LOWEST, beta_quantile_pointer, expected_errors
from explorer.pruning.subtree_raising import Raising
from explorer.recipe.impurity import impurity_of
from explorer.threads import using_threads
from tests.oracles import bridge
from tests.oracles.golden_walk import GOLDEN, dataset_of, near
from tests.oracles.handmade import knot, knots, tree_of
from tests.oracles.subtree_raising import Hung, Literal
from tests.oracles.tables import misleading_table, noisy_table

BETA_QUANTILE = beta_quantile_pointer()
ENTRY = GOLDEN["pessimistic_error"]
NAMES = {"release8": "U_c45_release8", "normal": "U_weka", "binomial": "U_exact_binomial"}


@pytest.mark.parametrize("line", ENTRY["values"], ids=lambda v: f"{v['E']} of {v['N']} at {v['CF']}")
@pytest.mark.parametrize("limit", LIMITS)
def test_published_limits(line, limit):
    assert ex.upper_error(line["E"], line["N"], line["CF"], limit) == near(line[NAMES[limit]])


@pytest.mark.parametrize("line", ENTRY["fractional E, extra errors"], ids=lambda v: f"{v['E']} of {v['N']}")
@pytest.mark.parametrize(("limit", "name"), [("release8", "c45_release8"), ("normal", "weka")])
def test_fractional_errors(line, limit, name):
    extra = line["N"] * ex.upper_error(line["E"], line["N"], line["CF"], limit) - line["E"]
    assert extra == near(line[name])


def test_the_example_of_the_book():
    # 6 + 9 + 1 rows, one class but for the last: 6·U(0,6) + 9·U(0,9) + 1·U(0,1) = 3.273 against 16·U(1,16) = 2.512
    tree = tree_of(knot((20, 0), knot((6, 0), (9, 0), (0, 1)), (0, 20)))
    step = ex.pessimistic_steps(tree)[0]
    assert (round(step.upper_below, 3), round(step.upper_as_leaf, 2), step.decision) == (3.273, 2.51, "leaf")
    assert step.text == (
        "Node 2: as a leaf, 1 error in 16 rows and 2.507 expected errors; "
        "with its 3 leaves, 3.273 + 0.1 expected errors: pruned to a leaf."
    )
    assert list(ex.pessimistic_prune(tree).leaves()) == [1, 2, 3]


def test_a_tenth_of_an_error_is_nothing():
    # leaves (2, 1) and (3, 7) as one leaf (5, 8): 0.099 expected errors more than apart; with (3, 8) 0.104 more
    for second, decision in ((7, "leaf"), (8, "kept")):
        step = ex.pessimistic_steps(tree_of(knot((2, 1), (3, second))))[0]
        apart = 3 * ex.upper_error(1, 3) + (3 + second) * ex.upper_error(3, 3 + second)
        more = (6 + second) * ex.upper_error(5, 6 + second) - apart
        assert step.upper_as_leaf - step.upper_below == pytest.approx(more)
        assert 0.09 < more < 0.11
        assert step.decision == decision


@given(st.integers(0, 30), st.integers(1, 60), st.floats(0.01, 0.5))
def test_the_binomial_limit_is_what_its_name_says(errors, more, confidence):
    rows = errors + more
    rate = ex.upper_error(errors, rows, confidence, "binomial")
    assert binom.cdf(errors, rows, rate) == pytest.approx(confidence, rel=1e-6)


@given(st.floats(0, 1), st.floats(0.01, 1e6), st.floats(0.001, 0.5), st.sampled_from(LIMITS))
def test_a_limit_lies_between_the_rate_and_one(share, rows, confidence, limit):
    rate = ex.upper_error(share * rows, rows, confidence, limit)
    assert share * (1 - 1e-9) <= rate <= 1
    assert ex.upper_error(share * rows, rows, confidence / 2, limit) >= rate * (1 - 1e-9)


@given(st.integers(0, 3000), st.integers(0, 3000), st.floats(LOWEST, HIGHEST), st.sampled_from(LIMITS))
def test_no_row_more_lowers_the_expected_errors(errors, right, confidence, limit):
    # Why raising may stop sending rows down once a branch is known to be worse.
    rows = np.array([errors + right, errors + right + 1, errors + right + 1], dtype=np.float64)
    wrong = np.array([errors, errors, errors + 1], dtype=np.float64)
    before, with_right, with_wrong = rows * ex.upper_error(wrong, rows, confidence, limit)
    assert min(with_right, with_wrong) >= before * (1 - 1e-9)


def test_no_rows_no_errors():
    assert ex.upper_error(0, 0) == 0.0
    found = ex.upper_error(np.array([0.0, 1.0, 16.0]), np.array([0.0, 16.0, 16.0]), 0.25, "binomial")
    assert found == pytest.approx([0, 0.1596107137, 1])


@pytest.mark.parametrize(
    ("call", "fact"),
    [
        (lambda: ex.upper_error(2, 1), "errors from 0 up to the number of rows"),
        (lambda: ex.upper_error(-1, 1), "errors from 0"),
        (lambda: ex.upper_error(0, 6, 25), "confidence is 25: give a number between 0 and 1"),
        (lambda: ex.upper_error(0, 6, limit="wilson"), "no limit called 'wilson': choose one of release8"),
        (lambda: ex.pessimistic_prune(tree_of(knot((1, 2), (2, 1))), raising=True), "give them as `train`"),
        (lambda: ex.pessimistic_prune(tree_of(knot((1, 2), (2, 1))), confidence=0), "confidence is 0"),
    ],
)
def test_what_cannot_be_is_refused(call, fact):
    with pytest.raises(ex.InputError, match=fact):
        call()


def test_numeric_targets_and_other_rows_are_refused():
    numbers = ex.Dataset.from_frame(ex.load_sample("lihang_8_2_regression").frame, "y")
    with pytest.raises(ex.InputError, match="target 'y' is numeric"):
        ex.pessimistic_prune(ex.grow(numbers, ex.CART))
    data = dataset_of("golf")
    with pytest.raises(ex.InputError, match="not grown on these rows"):
        ex.pessimistic_prune(ex.grow(data, ex.C45), raising=True, train=data.take(range(9)))


@given(knots(3), st.sampled_from(LIMITS), st.sampled_from([0.05, 0.25, 0.5]))
def test_every_decision_holds_and_the_steps_end_at_the_tree(root, limit, confidence):
    tree = tree_of(root)
    steps = ex.pessimistic_steps(tree, confidence, limit=limit)
    pruned = ex.pessimistic_prune(tree, confidence, limit=limit)
    closed = np.zeros(tree.n_nodes_grown, dtype=bool)
    for step in steps:
        upper = step.rows * ex.upper_error(step.errors, step.rows, confidence, limit)
        assert step.upper_as_leaf == pytest.approx(upper)
        leaves = [t for t in tree.with_pruned(closed).leaves() if step.node in [t, *(a for a, _ in tree.path_to(t))]]
        wrong = [float(tree.weight[t] - tree.stats[t].max()) for t in leaves]
        below = sum(
            tree.weight[t] * ex.upper_error(e, float(tree.weight[t]), confidence, limit)
            for t, e in zip(leaves, wrong, strict=True)
        )
        assert (step.upper_below, step.leaves_below) == (pytest.approx(below), len(leaves))
        assert step.pruned == (upper <= below + 0.1) or upper == pytest.approx(below + 0.1)
        closed[step.node] = step.pruned
    assert list(tree.with_pruned(closed).leaves()) == list(pruned.leaves())
    assert pruned.n_nodes_grown == tree.n_nodes_grown


@st.composite
def noisy(draw):
    """A tree on such a table: about one in ten has subtrees to raise."""
    data = misleading_table(draw(st.integers(0, 10_000)))
    kind = draw(st.sampled_from(["each_value", "one_vs_rest", "subset"]))
    tree = ex.grow(data, ex.C45.replace(missing="drop", categorical=kind, empty_branches=draw(st.booleans())))
    return tree, data, draw(st.sampled_from([0.1, 0.25, 0.5])), draw(st.sampled_from(LIMITS))


@st.composite
def small(draw):
    """A tree on complete rows, its data, a confidence and a limit."""
    sample = draw(bridge.samples(regression=False, missing=False, weights="whole"))
    rules = draw(bridge.rules_for(sample, min_rows_leaf=None, missing="drop"))
    data = bridge.to_dataset(sample)
    tree = ex.grow(data, bridge.to_recipe(rules))
    return tree, data, draw(st.sampled_from([0.1, 0.25, 0.5, 0.9])), draw(st.sampled_from(LIMITS))


def grown():
    """Either."""
    return st.one_of(small(), noisy())


def outline(hung: Hung, counts) -> tuple:
    return hung.id, counts(hung.rows), [outline(branch, counts) for branch in hung.branches]


def outline_of(tree: ex.Tree, node: int = 0) -> tuple:
    here = tree.node(node)
    origin = node if tree.origin is None else int(tree.origin[node])
    return origin, here.stats.tolist(), [outline_of(tree, child) for child in here.children]


@given(grown())
def test_raising_is_what_the_literal_recursion_does(case):
    tree, data, confidence, limit = case
    literal = Literal(tree, data, lambda e, n: n * ex.upper_error(e, n, confidence, limit))
    expected = outline(literal.pruned(literal.root), literal.counts)
    pruned = ex.pessimistic_prune(tree, confidence, raising=True, limit=limit, train=data)
    assert outline_of(pruned) == expected


def test_noisy_tables_do_have_subtrees_to_raise():
    raised = 0
    for seed in range(40):
        data = misleading_table(seed)
        tree = ex.grow(data, ex.C45.replace(missing="drop"))
        steps = ex.pessimistic_steps(tree, raising=True, train=data)
        raised += sum(step.decision == "raised" for step in steps)
    assert raised > 0, "else the laws here say nothing about raising"


@given(grown())
def test_a_raised_tree_is_a_tree_like_any_other(case):
    tree, data, confidence, limit = case
    pruned = ex.pessimistic_prune(tree, confidence, raising=True, limit=limit, train=data)
    stops = pruned.apply(data)
    for node in np.flatnonzero(pruned.is_kept):
        passing = pruned.rows_at(data, int(node))
        counts = np.bincount(data.y[passing], data.weight_of_rows()[passing], minlength=len(data.classes))
        assert pruned.stats[node] == pytest.approx(counts)
        assert pruned.impurity[node] == pytest.approx(impurity_of(tree.recipe.impurity, counts), abs=1e-12)
        before = tree.node(int(pruned.origin[node])).stop_reason
        mixed = before is not None and before.startswith("pure") and np.count_nonzero(counts) > 1
        filled = before is not None and before.startswith("empty") and counts.sum() > 0
        assert (pruned.node(int(node)).stop_reason == "subtree raising brought other rows here") == (mixed or filled)
    assert pruned.is_leaf[stops].all() or tree.recipe.unseen == "node"
    assert (np.diff(pruned.parent) >= 0).all()
    again = bridge.through_json(pruned)
    assert (again.predict(data) == pruned.predict(data)).all()
    assert again.origin.tolist() == pruned.origin.tolist()
    assert ex.to_text(again) == ex.to_text(pruned)


def test_a_raised_tree_keeps_the_scores_of_pre_pruning_of_its_nodes():
    rng = np.random.default_rng(34)
    frame = pd.DataFrame(rng.normal(size=(400, 2)), columns=["a", "b"])
    frame["y"] = np.where((frame["a"] + rng.normal(size=400) > 0) ^ (frame["b"] > 0.5), "yes", "no")
    train, valid = ex.Dataset.from_frame(frame, "y").split(0.6, seed=0)
    tree = ex.grow(train, ex.C45.replace(prepruning=True), validation=valid)
    pruned = ex.pessimistic_prune(tree, raising=True, train=train)
    assert pruned.n_nodes_grown < tree.n_nodes_grown
    np.testing.assert_array_equal(pruned.validation, tree.validation[pruned.origin])


def test_ranks_among_the_values_of_a_whole_table_are_exact_for_a_few_of_its_rows(monkeypatch):
    monkeypatch.setattr(row_division, "MOST_RANKS", 20)
    data = ex.Dataset.from_frame(pd.DataFrame({"x": range(40), "y": ["no"] * 20 + ["yes"] * 20}), "y", ["x"])
    plan = row_division.plan_by_column(ex.grow(data, ex.CART), data.take(range(15, 25)), by_rank=True)
    assert plan.numbers.dtype == np.float64


@given(grown())
def test_steps_of_raising_follow_each_other(case):
    tree, data, confidence, limit = case
    steps = ex.pessimistic_steps(tree, confidence, raising=True, limit=limit, train=data)
    for step in steps:
        best = min(step.upper_below, np.inf if step.upper_raised is None else step.upper_raised)
        assert (step.decision == "leaf") == (step.upper_as_leaf <= best + 0.1)
        assert step.decision != "raised" or (
            step.upper_raised <= step.upper_below + 0.1 and str(step.branch) in step.text
        )


@given(grown(), st.randoms(use_true_random=False))
def test_the_order_of_rows_does_not_matter(case, random):
    tree, data, confidence, limit = case
    rows = list(range(data.n_rows))
    random.shuffle(rows)
    one, other = (
        ex.pessimistic_prune(tree, confidence, raising=True, limit=limit, train=part)
        for part in (data, data.take(rows))
    )
    assert outline_of(one) == outline_of(other)


@given(st.floats(0, 1), st.one_of(st.floats(0.01, 1e6), st.integers(1, 5000)), st.floats(0.001, 0.9))
def test_compiled_estimates_are_those_of_the_formula(share, rows, confidence):
    for limit in LIMITS:
        for errors in (share * rows, np.floor(share * rows)):
            found = expected_errors(limit_for(confidence, limit, 0.1), BETA_QUANTILE, float(errors), float(rows))
            expected = rows * ex.upper_error(errors, rows, confidence, limit)
            assert found == pytest.approx(expected, rel=1e-12, abs=1e-15 * rows)  # 1 − CF^(1/N) loses digits
    assert expected_errors(limit_for(confidence, "normal", 0.1), BETA_QUANTILE, 0.0, 0.0) == 0.0


def test_a_tree_made_before_its_root_became_a_leaf_is_made_anew(monkeypatch):
    data, drafted = misleading_table(16), Event()
    tree = ex.grow(data, ex.C45.replace(missing="drop"))
    by_steps = Raising(tree, data, 0.02, "release8")
    assert by_steps.steps()[-1].decision == "leaf"
    decide, make = Raising._decide, subtree_raising.raised_tree

    def decide_late(self, nodes, keeps_steps):
        assert 0 not in nodes or drafted.wait(60)
        return decide(self, nodes, keeps_steps)

    def make_draft(*arguments):
        made = make(*arguments)
        drafted.set()
        return made

    monkeypatch.setattr(subtree_raising, "ROWS_TOGETHER", 2)
    monkeypatch.setattr(Raising, "_decide", decide_late)
    monkeypatch.setattr(subtree_raising, "raised_tree", make_draft)
    with using_threads(2):
        pruned = Raising(tree, data, 0.02, "release8").run()
    assert drafted.is_set()
    assert outline_of(pruned) == outline_of(by_steps.tree())


@pytest.mark.parametrize("seed", [0, 3, 8])
def test_deciding_side_by_side_is_deciding_one_after_the_other(seed, monkeypatch):
    # in steps every node of a raised branch is decided again; else only those with new rows, in parts of the tree
    data = noisy_table(seed, rows=900)
    tree = ex.grow(data, ex.C45.replace(missing="drop", categorical="one_vs_rest"))
    one_by_one = Raising(tree, data, 0.25, "release8")
    steps = one_by_one.steps()
    monkeypatch.setattr(subtree_raising, "ROWS_TOGETHER", 8)
    monkeypatch.setattr(subtree_raising, "PARTS", 900)
    in_parts = Raising(tree, data, 0.25, "release8")
    pruned = in_parts.run()
    assert len(in_parts.above) > 50
    assert (tree.weight[tree.feature < 0] > 8).any()  # a leaf with as many rows as the nodes that are decided last
    assert any(step.decision == "raised" for step in steps)
    assert outline_of(pruned) == outline_of(one_by_one.tree())
    assert in_parts.state.expected == pytest.approx(one_by_one.state.expected)
