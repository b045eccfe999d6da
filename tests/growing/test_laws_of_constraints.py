"""Laws of choices over random tables: grafting is growing, and what changes nothing changes nothing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import explorer as ex
from explorer.compiling import compiling
from explorer.recipe.complete_rows import complete_rows
from tests.oracles import bridge
from tests.oracles.examples import law
from tests.oracles.laws import assert_nearly_same
from tests.oracles.recipes import ENGINE_RECIPES, POLICIES, crossed
from tests.oracles.tables import mixed_data
from tests.oracles.used_trees import drawn_choice, drawn_choices

LAW = law(25)
NONE = ex.Choices()


def drops_all(data: ex.Dataset, recipe: ex.Recipe) -> bool:
    """Whether leaving out rows with missing cells leaves none."""
    return recipe.missing == "drop" and len(complete_rows(data, recipe)) == 0


@pytest.mark.parametrize("policy", POLICIES)
@LAW
@given(st.data())
def test_branches_grown_by_the_kernels_make_the_tree_of_the_definition(policy, data):
    table, recipe = data.draw(crossed(policy, empty_branches=data.draw(st.booleans())))
    assume(not drops_all(table, recipe))
    limits = {"max_depth": [None, 2], "min_impurity_decrease": [None, 0.02, 0.06]}
    recipe = recipe.replace(**{name: data.draw(st.sampled_from(values)) for name, values in limits.items()})
    tree, choices = drawn_choices(data.draw, table, recipe)
    with compiling():
        plain = ex.grow(table, recipe, choices=choices)
    assert_nearly_same(tree, plain)
    assert tree.not_in_force == plain.not_in_force
    assert tree.forced.tolist() == plain.forced.tolist()


@LAW
@given(st.data())
def test_so_they_do_for_numbers(data):
    sample = data.draw(bridge.samples(regression=True))
    recipe = bridge.to_recipe(data.draw(bridge.rules_for(sample, missing="most_common", score="decrease")))
    recipe = recipe.replace(
        missing=data.draw(st.sampled_from(["most_common", "fractional", "surrogate", "own_branch"]))
    )
    table = bridge.to_dataset(sample)
    tree, choices = drawn_choices(data.draw, table, recipe)
    with compiling():
        assert_nearly_same(tree, ex.grow(table, recipe, choices=choices))


LIMITED = {
    "least decrease": ex.CART.replace(min_impurity_decrease=0.01),
    "intervals": ex.ID3.replace(missing="surrogate"),
}


@pytest.mark.parametrize("name", [*ENGINE_RECIPES, *LIMITED])
@pytest.mark.parametrize("target", ["two", "four", "number"])
@pytest.mark.parametrize("missing", [0.0, 0.15])
def test_to_force_what_wins_anyway_changes_nothing(name, target, missing):
    if name == "intervals" and target == "number":
        return
    data, recipe = mixed_data(target, "fractions", missing), (ENGINE_RECIPES | LIMITED)[name].replace(min_rows_leaf=4.0)
    tree = ex.grow(data, recipe)
    for node in np.flatnonzero(tree.feature >= 0)[:6].tolist():
        choices = NONE.force(tree.place(node), tree.condition(node))
        again = ex.grow(data, recipe, choices=choices)
        assert_nearly_same(tree, again)
        assert again.forced.nonzero()[0].tolist() == [node]
        decision = ex.decide(again, data, node)
        assert decision.chosen.gain == pytest.approx(decision.would_win.gain, rel=1e-9)


@pytest.mark.parametrize("name", ENGINE_RECIPES)
@pytest.mark.parametrize("target", ["two", "number"])
def test_to_forbid_at_the_root_is_to_leave_the_feature_out(name, target):
    data, recipe = mixed_data(target, None, 0.1), ENGINE_RECIPES[name].replace(missing="surrogate", min_rows_leaf=4.0)
    feature = data.features[int(ex.grow(data, recipe).feature[0])].name
    forbidden = ex.grow(data, recipe, choices=NONE.forbid((), feature))
    others = [one.name for one in data.features if one.name != feature]
    kinds = {one.name: list(one.categories) or "numeric" for one in (*data.features, data.target)}
    without = ex.grow(ex.Dataset.from_frame(data.frame, target, others, kinds), recipe)
    assert [forbidden.condition(i) for i in range(forbidden.n_nodes_grown)] == [
        without.condition(i) for i in range(without.n_nodes_grown)
    ]
    np.testing.assert_allclose(forbidden.stats, without.stats, rtol=1e-9, atol=1e-9)


@LAW
@given(st.data())
def test_the_order_of_independent_choices_does_not_matter(data):
    table, recipe = data.draw(crossed("fractional"))
    tree = ex.grow(table, recipe)
    assume(tree.child_count[0] > 1)
    first, second = data.draw(st.permutations(list(tree.children_of(0))).map(lambda found: found[:2]))
    below = [
        np.flatnonzero([node in (t, *(s for s, _ in tree.path_to(t))) for t in range(tree.n_nodes_grown)])
        for node in (first, second)
    ]
    made = [
        replace(drawn_choice(data.draw, tree, table), place=tree.place(int(data.draw(st.sampled_from(list(ids))))))
        for ids in below
    ]
    assert_nearly_same(
        ex.grow(table, recipe, choices=ex.Choices(tuple(made))),
        ex.grow(table, recipe, choices=ex.Choices(tuple(made[::-1]))),
    )


@pytest.mark.parametrize("policy", POLICIES)
@LAW
@given(st.data())
def test_trees_with_choices_are_decided_pruned_saved_and_predicted_like_any_other(policy, data):
    table, recipe = data.draw(crossed(policy))
    assume(not drops_all(table, recipe))
    tree, _ = drawn_choices(data.draw, table, recipe)
    for node in range(tree.n_nodes_grown):
        decision, shown = ex.decide(tree, table, node), tree.node(node)
        assert (decision.chosen is None) == shown.is_leaf
        if decision.chosen is not None:
            assert decision.chosen.condition == shown.condition
            below = tree.stats[list(shown.children)]
            assert decision.by_hand == shown.is_forced
            if policy == "most_common":
                np.testing.assert_allclose(decision.chosen.branch_stats, below, atol=1e-9)
    back = bridge.through_json(tree)
    bridge.assert_same_tree(tree, back)
    assert (back.choices, back.not_in_force) == (tree.choices, tree.not_in_force)
    assert back.forced.tolist() == tree.forced.tolist()
    path = ex.cost_complexity_path(tree)
    assert path.subtree(leaves=1).n_leaves == 1
    if policy == "most_common":
        arrived = np.bincount(tree.apply(table), weights=table.weight_of_rows(), minlength=tree.n_nodes_grown)
        np.testing.assert_allclose(arrived[tree.is_leaf], tree.row_stats.sum(axis=1)[tree.is_leaf], atol=1e-9)
