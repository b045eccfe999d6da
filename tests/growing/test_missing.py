"""Every policy for missing cells: the compiled loops against the definition over whole trees, and laws."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import explorer as ex
from explorer.compiling import compiling
from explorer.growing.grow import grow_fast
from explorer.recipe.columns import columns_for
from explorer.threads import using_threads
from tests.oracles import bridge, brute_force
from tests.oracles.examples import examples, law, slow
from tests.oracles.laws import (
    as_weights_and_as_rows,
    assert_evidence,
    assert_nearly_same,
    assert_row_order_changes_nothing,
)
from tests.oracles.recipes import GROUPINGS, POLICIES, recipe_for
from tests.oracles.tables import mixed_data

LAW = law(60)


@pytest.mark.parametrize("missing", [slow(0.1), 0.4])
@pytest.mark.parametrize("weights", [slow(None), "fractions"])
@pytest.mark.parametrize("target", ["two", slow("four"), slow("number")])
@pytest.mark.parametrize("categorical", GROUPINGS)
@pytest.mark.parametrize("policy", POLICIES[2:])
def test_kernels_grow_the_tree_of_the_definition(policy, categorical, target, weights, missing):
    if policy == "same_class" and target == "number":
        return
    data = mixed_data(target, weights, missing)
    for changes in ({}, {"min_rows_leaf": 4.0, "min_rows_in": "two"}):
        recipe = recipe_for(policy, categorical, target, **changes)
        fast = ex.grow(data, recipe, keep_candidates=True)
        with compiling():
            assert_nearly_same(fast, ex.grow(data, recipe))
    assert_evidence(fast, data)


@pytest.mark.parametrize("ratio", ["quinlan", "known_rows_only"])
@pytest.mark.parametrize("threshold_at", ["observed", "c45"])
def test_other_settings_agree_too(ratio, threshold_at):
    data = mixed_data("two", "counts", 0.2)
    recipe = ex.C45.replace(missing_ratio=ratio, threshold_at=threshold_at, release8_penalty=True, min_rows_leaf=2.0)
    fast = ex.grow(data, recipe, keep_candidates=True)
    with compiling():
        assert_nearly_same(fast, ex.grow(data, recipe))
    assert_evidence(fast, data)


@pytest.mark.parametrize("policy", ["fractional", "surrogate", "own_branch"])
def test_number_of_threads_changes_nothing(policy):
    data = mixed_data("two", None, 0.05, rows=45_000)
    recipe = ex.CART.replace(missing=policy, min_rows_leaf=200.0)
    with using_threads(1):
        single = ex.grow(data, recipe)
    for threads in (2, 5):
        with using_threads(threads):
            tree = ex.grow(data, recipe)
        bridge.assert_same_tree(tree, single)
        assert_nearly_same(tree, single)


# -- laws ------------------------------------------------------------------------------------------------------------


@st.composite
def cases(draw: st.DrawFn, weights: str = "one"):
    """A random table with holes, and a recipe of any policy that fits it."""
    sample = draw(bridge.samples(weights=weights))
    rules = draw(bridge.rules_for(sample, missing="most_common"))
    policy = draw(st.sampled_from(POLICIES if sample.classes else [p for p in POLICIES if p != "same_class"]))
    recipe = bridge.to_recipe(rules).replace(missing=policy)
    assume(policy != "drop" or len(brute_force.training_rows(sample, brute_force.GrowParameters(missing="drop"))) > 1)
    return sample, recipe


@LAW
@given(cases(), st.data())
def test_a_whole_weight_is_the_row_repeated_and_weight_0_is_no_row(case, data):
    sample, recipe = case
    as_weight, as_rows = as_weights_and_as_rows(sample, recipe, data)
    frame = bridge.to_frame(sample)
    if as_rows.is_regression:
        bridge.same_numbers(as_weight.predict(frame), as_rows.predict(frame))
    else:
        bridge.same_numbers(as_weight.predict_proba(frame), as_rows.predict_proba(frame))


@LAW
@given(cases(weights="any"))
def test_branches_hold_the_weight_of_their_parent_and_missing_rows_are_accounted_for(case):
    sample, recipe = case
    data = bridge.to_dataset(sample)
    tree = ex.grow(data, recipe)
    used = (
        data
        if recipe.missing != "drop"
        else data.take(brute_force.training_rows(sample, brute_force.GrowParameters(missing="drop")))
    )
    for node in np.flatnonzero(tree.child_count):
        children = list(tree.node(int(node)).children)
        assert tree.weight[children].sum() == pytest.approx(tree.weight[node], rel=1e-12)
        assert sum(ex.missing_row_branches(tree, used, int(node))) == pytest.approx(
            tree.missing_weight[node], abs=1e-12
        )
        if not tree.is_regression:
            np.testing.assert_allclose(tree.stats[children].sum(axis=0), tree.stats[node], atol=1e-12)


@LAW
@given(cases(weights="any"), st.data())
def test_row_order_changes_nothing(case, data):
    assert_row_order_changes_nothing(*case, data)


@LAW
@given(cases(weights="any"))
def test_a_tree_comes_back_from_json_and_words_itself(case):
    sample, recipe = case
    tree = ex.grow(bridge.to_dataset(sample), recipe)
    back = bridge.through_json(tree)
    bridge.assert_same_tree(tree, back)
    assert_nearly_same(tree, back)
    frame = bridge.to_frame(sample)
    np.testing.assert_array_equal(tree.predict(frame), back.predict(frame))
    assert ex.to_text(tree) == ex.to_text(back)
    assert ex.to_dot(tree) == ex.to_dot(back)
    assert ex.to_svg(tree) == ex.to_svg(back)


# -- by hand ---------------------------------------------------------------------------------------------------------

BY_HAND = pd.DataFrame({"x": [1.0, 2, 3, 4, None, None], "y": ["p", "p", "q", "q", "p", "r"]})


def by_hand(policy: str, **changes) -> tuple[ex.Tree, ex.Dataset]:
    """Six rows, two of them without a value."""
    data = ex.Dataset.from_frame(BY_HAND, "y", ["x"], {"x": "numeric"})
    return ex.grow(data, ex.CART.replace(missing=policy, max_depth=1, **changes)), data


def test_a_third_branch_beside_a_threshold():
    tree, data = by_hand("own_branch")
    condition = tree.node(0).condition
    assert [condition.word(i) for i in range(3)] == ["x ≤ 2.5", "x > 2.5", "x is missing"]
    assert tree.stats.tolist() == [[3, 2, 1], [2, 0, 0], [0, 2, 0], [1, 0, 1]]
    chosen = ex.decide(tree, data, 0).chosen
    assert chosen.gain == pytest.approx((1 - (9 + 4 + 1) / 36) - 2 / 6 * 0.5)
    assert chosen.split_info == pytest.approx(np.log2(3))
    assert list(tree.apply(pd.DataFrame({"x": [np.nan, 9.0]}))) == [3, 2]
    assert ex.missing_row_branches(tree, data, 0) == (0, 0, 2)
    assert "x is missing: p (1 of 2, 50.0 %)" in ex.to_text(tree)


@pytest.mark.parametrize(
    ("categorical", "words"), [("each_value", ["= a", "= b", "is missing"]), ("subset", ["= a", "∈ {b, missing}"])]
)
def test_missing_is_a_category_like_any_other(categorical, words):
    frame = pd.DataFrame({"c": ["a", "a", "b", "b", None, None], "y": ["p", "p", "q", "q", "q", "q"]})
    data = ex.Dataset.from_frame(frame, "y", ["c"])
    tree = ex.grow(data, ex.CART.replace(missing="own_branch", categorical=categorical))
    condition = tree.node(0).condition
    assert [condition.branch_word(i) for i in range(condition.n_branches)] == words
    assert tree.missing_weight[0] == 2
    assert list(tree.predict(pd.DataFrame({"c": [None, "a", "None", "missing"]}))) == ["q", "p", "q", "q"]
    assert list(tree.apply(pd.DataFrame({"c": [None, "None"]}))) == [len(words), 0], "a word is no missing cell"


def test_without_missing_rows_there_is_no_branch_for_them():
    data = ex.Dataset.from_frame(BY_HAND.dropna(), "y", ["x"], {"x": "numeric"})
    tree = ex.grow(data, ex.CART.replace(missing="own_branch", unseen="heaviest"))
    assert tree.node(0).condition.n_branches == 2
    assert list(tree.apply(pd.DataFrame({"x": [np.nan]}))) == [1], "an unseen value: the heaviest branch, the first"


def test_same_class_looks_at_the_rows_own_class():
    tree, data = by_hand("same_class")
    assert tree.node(0).condition.threshold == 2.5
    # p has the values 1, 2 (median 1.5: left); r has none, so the median of 1, 2, 3, 4 counts: 2.5, left
    assert tree.stats[1:].tolist() == [[3, 0, 1], [0, 2, 0]]
    assert ex.missing_row_branches(tree, data, 0) == (2, 0)
    assert list(tree.apply(pd.DataFrame({"x": [np.nan]}))) == [1], "at prediction as most_common"


def test_same_class_needs_classes():
    frame = pd.DataFrame({"x": [1.0, 2, None], "y": [0.5, 1.5, 9.5]})
    data = ex.Dataset.from_frame(frame, "y", ["x"], {"y": "numeric"})
    recipe = ex.CART.replace(missing="same_class")
    for grow in (
        lambda: ex.grow(data, recipe),
        lambda: ex.bagging(data, recipe, 2),
        lambda: grow_fast(data, columns_for(data, recipe), recipe),
    ):
        with pytest.raises(ex.InputError, match="same_class"):
            grow()


MIMICKED = pd.DataFrame({
    "x": [1.0, 2, 3, 4, 5, 6, 7, 8, None, None],
    "z": [9.0, 8, 7, 6, 1, 2, 3, 5, 0.0, None],
    "c": ["a", "a", "a", "b", "b", "b", "b", "b", "a", "a"],
    "y": ["p", "p", "p", "p", "q", "q", "q", "q", "p", "p"],
})  # fmt: skip


def test_surrogates_in_rank_with_their_agreement():
    data = ex.Dataset.from_frame(MIMICKED, "y", ["x", "z", "c"], {"x": "numeric", "z": "numeric"})
    tree = ex.grow(data, ex.CART.replace(max_depth=1))
    assert tree.node(0).condition.text == "x ≤ 4.5"
    first, second = ex.decide(tree, data, 0).surrogates
    assert (first.feature, first.condition.threshold, first.to) == ("z", 5.5, (1, 0)), "z ≤ 5.5 goes right, as x > 4.5"
    assert (first.agreement, first.adjusted) == (1.0, 1.0)
    assert (second.feature, second.condition.branches, second.to) == ("c", (("a",), ("b",)), (0, 1))
    assert (second.agreement, second.adjusted) == (7 / 8, 3 / 4)
    # the ninth row goes right by z, the tenth left by c; the gain is over the eight rows with x: 8/10 of 1/2
    assert tree.stats[1:].tolist() == [[5, 0], [1, 4]]
    assert ex.decide(tree, data, 0).chosen.gain == pytest.approx(0.4)
    assert ex.missing_row_branches(tree, data, 0) == (1, 1)
    new = pd.DataFrame({"x": [None] * 3, "z": [9.0, None, None], "c": ["b", "b", None]})
    assert list(tree.apply(new)) == [1, 2, 1], "by z, by c, and down the heaviest branch, of equal ones the first"


def test_surrogates_of_a_test_with_many_branches_send_each_value_where_most_go():
    frame = pd.DataFrame({
        "c": [*"aaabbbddd", None], "v": [*"xxxyyyzzz", "x"], "y": [*"pppqqqrrr", "r"],
    })  # fmt: skip
    data = ex.Dataset.from_frame(frame, "y", ["c", "v"])
    tree = ex.grow(data, ex.CART.replace(categorical="each_value", max_depth=1))
    (found,) = ex.decide(tree, data, 0).surrogates
    assert (found.condition.branches, found.to) == ((("x",), ("y",), ("z",)), (0, 1, 2))
    assert (found.agreement, found.adjusted) == (1.0, 1.0)
    assert tree.stats[1].tolist() == [3, 0, 1]


@pytest.mark.parametrize(("unseen", "ends"), [("node", [0]), ("heaviest", [2]), ("fractional", [1, 2])])
def test_where_an_unseen_category_goes(unseen, ends):
    frame = pd.DataFrame({"c": [*"aabbb"], "y": [*"ppqqq"]})
    tree = ex.grow(ex.Dataset.from_frame(frame, "y", ["c"]), ex.CART.replace(unseen=unseen))
    _, nodes, parts = tree.routes(pd.DataFrame({"c": ["z"]}))
    assert list(nodes) == ends
    assert parts.sum() == pytest.approx(1.0)
    if unseen == "fractional":
        assert tree.predict_proba(pd.DataFrame({"c": ["z"]}))[0] == pytest.approx([0.4, 0.6])


def test_a_random_branch_is_the_same_every_time_and_not_always_the_first():
    frame = pd.DataFrame({"c": [*"abcdefgh"], "y": [*"ppqqrrst"]})
    trees = []
    for shift in range(6):
        table = frame.assign(c=np.roll(frame["c"], shift))
        trees.append(ex.grow(ex.Dataset.from_frame(table, "y", ["c"]), ex.CART.replace(unseen="random")))
    ends = [int(tree.apply(pd.DataFrame({"c": ["z"]}))[0]) for tree in trees]
    assert ends == [int(tree.apply(pd.DataFrame({"c": ["z", "y"]}))[1]) for tree in trees]
    assert all(tree.is_leaf[end] for tree, end in zip(trees, ends, strict=True))


@given(st.sampled_from(POLICIES), st.integers(0, 50))
@examples(40)
def test_training_rows_at_a_node_weigh_what_the_node_weighs(policy, seed):
    from explorer.growing.node_rows import node_rows_at
    from explorer.recipe.complete_rows import training_rows

    data = mixed_data("four", "fractions", 0.2, rows=60 + seed)
    tree = ex.grow(data, ex.CART.replace(missing=policy, max_depth=4, categorical="each_value"))
    used, _ = training_rows(data, tree.recipe)
    for node in range(tree.n_nodes_grown):
        part = node_rows_at(tree, used, node)
        assert part.weights.sum() == pytest.approx(tree.weight[node])
        counts = np.bincount(used.y[part.rows], weights=part.weights, minlength=4)
        assert counts == pytest.approx(tree.stats[node], abs=1e-9)


def test_fractions_are_exact_where_thirds_meet():
    frame = pd.DataFrame({"x": [*"aab", None], "y": [*"ppq", "q"]})
    tree = ex.grow(ex.Dataset.from_frame(frame, "y", ["x"]), ex.C45.replace(empty_branches=False))
    assert tree.stats[1].tolist() == pytest.approx([2.0, float(Fraction(2, 3))])
