"""What constraints cost: every number is that of trees grown by hand, and the intervals hold what they promise."""

import numpy as np
import pandas as pd
import pytest

import explorer as ex
from explorer.evaluation.comparison.constraint_costs import Constraint, constraint_costs, constraints_of
from explorer.growing.constraints import remembered

LIMITS = {
    "max_depth": 2,
    "min_rows_leaf": 6,
    "min_impurity_decrease": 0.02,
    "max_leaf_nodes": 4,
    "chi2_level": 0.05,
    "class_weights": {"p": 3.0},
    "costs": {"p": {"q": 4.0}},
    "monotone": {"a": 1, "b": -1},
}


def table(seed, n=80, digits=1):
    random = np.random.default_rng(seed)
    x = random.random((n, 3)).round(digits)
    y = np.where(x[:, 0] + random.normal(0, 0.4, n) > x[:, 1], "p", "q")
    return ex.Dataset.from_frame(pd.DataFrame(x, columns=list("abc")).assign(y=y), "y")


def recipe_of(seed):
    random = np.random.default_rng(seed)
    names = random.choice(list(LIMITS), 2, replace=False)
    return ex.CART.replace(**{name: LIMITS[name] for name in names}), float(random.choice([0.0, 0.01]))


def loss_by_hand(data, recipe, alpha, fold_of_row, choices=None, costs=None):
    """The loss of every row under the tree of the other folds: its cost where there are some."""
    losses = np.empty(data.n_rows)
    for fold in np.unique(fold_of_row):
        grown = ex.grow(data.take(fold_of_row != fold), recipe, choices=choices)
        tree = grown if alpha is None else ex.prune_at_alpha(grown, alpha)
        held_out = data.take(fold_of_row == fold)
        predicted, truth = tree.predict(held_out), held_out.frame["y"].to_numpy()
        each = [
            (costs or {}).get(is_true, {}).get(is_said, 1.0) for is_true, is_said in zip(truth, predicted, strict=True)
        ]
        losses[fold_of_row == fold] = np.where(predicted == truth, 0.0, each)
    return losses


def without(recipe, field, subject):
    """The recipe by hand."""
    if subject is None:
        return recipe.replace(**{field: None if field != "min_rows_leaf" else 0.0})
    return recipe.replace(monotone={name: sign for name, sign in LIMITS["monotone"].items() if name != subject})


def assert_as_by_hand(seeds):
    for seed in seeds:
        data, (recipe, alpha) = table(seed), recipe_of(seed)
        fold_of_row = np.arange(data.n_rows) % 4
        found = constraint_costs(data, recipe, columns=["c"], alpha=alpha, folds=fold_of_row)
        costs = {true: dict(row) for true, row in recipe.cost_pairs or ()}
        assert found.metric == ("expected_cost" if costs else "error")
        before = loss_by_hand(data, recipe, alpha, fold_of_row, costs=costs)
        np.testing.assert_array_equal(found.losses, before)
        *others, column = found.costs
        assert [cost.constraint for cost in others] == constraints_of(recipe)
        for cost in others:
            free = without(recipe, cost.constraint.field, cost.constraint.subject)
            after = loss_by_hand(data, free, alpha, fold_of_row, costs=costs)
            np.testing.assert_array_equal(cost.differences, after - before)
            grown = ex.prune_at_alpha(ex.grow(data, free), alpha)
            assert cost.tree.n_leaves == grown.n_leaves
            assert (cost.first_difference is None) == (ex.first_difference(found.tree, grown, data) is None)
        narrow = ex.Dataset.from_frame(data.frame.drop(columns="c"), "y")
        after = loss_by_hand(narrow, recipe, alpha, fold_of_row, costs=costs)
        np.testing.assert_array_equal(column.differences, after - before)


def test_costs_are_those_of_trees_grown_by_hand():
    assert_as_by_hand(range(16))


@pytest.mark.slow
def test_costs_of_five_hundred_recipes_are_those_of_trees_grown_by_hand():
    assert_as_by_hand(range(16, 516))


def test_manual_choices_are_constraints_too():
    """Those in force for all rows hold in every fold that has the same branches above them."""
    data, fold_of_row, recipe = table(3), np.arange(80) % 4, ex.CART.replace(max_depth=3)
    choices = ex.Choices().force((), "c").forbid((1,), "a")

    def loss(chosen):
        whole = ex.grow(data, recipe, choices=chosen)
        return loss_by_hand(data, recipe, None, fold_of_row, remembered(whole))

    found = constraint_costs(data, recipe, choices, folds=fold_of_row).costs[-2:]
    for cost, left in zip(found, (choices.without(0), choices.without(1)), strict=True):
        np.testing.assert_array_equal(cost.differences, loss(left) - loss(choices))


def numbers_table(n=60):
    random = np.random.default_rng(8)
    x = random.random((n, 3)).round(1)
    y = (3 * x[:, 0] - x[:, 1] + random.exponential(0.5, n)).round(2)
    return ex.Dataset.from_frame(pd.DataFrame(x, columns=list("abc")).assign(y=y), "y")


@pytest.mark.parametrize(
    ("impurity", "metric", "loss"),
    [
        ("variance", "mse", lambda excess: excess**2),
        ("absolute_error", "mae", np.abs),
        ("quantile", "quantile_loss", lambda excess: np.where(excess > 0, 0.7 * excess, -0.3 * excess)),
    ],
)
def test_the_loss_of_a_numeric_target_is_that_of_the_impurity(impurity, metric, loss):
    data, fold_of_row = numbers_table(), np.arange(60) % 3
    recipe = ex.CART.replace(impurity=impurity, max_depth=2, min_rows_leaf=3, quantile=0.7)
    found = constraint_costs(data, recipe, folds=fold_of_row, constraints=[Constraint("max_depth")])
    assert found.metric == metric
    (cost,) = found.costs

    def losses(grown_by):
        by_fold = np.empty(60)
        for fold in range(3):
            held_out = fold_of_row == fold
            tree = ex.grow(data.take(~held_out), grown_by)
            by_fold[held_out] = loss(data.y[held_out] - tree.predict(data.take(held_out)))
        return by_fold

    np.testing.assert_allclose(found.losses, losses(recipe))
    np.testing.assert_allclose(cost.differences, losses(recipe.replace(max_depth=None)) - losses(recipe), atol=1e-12)


def test_only_the_constraints_asked_for_are_left_out():
    data, recipe, seen = table(1), ex.CART.replace(max_depth=2, monotone=LIMITS["monotone"]), []
    asked = Constraint("monotone", "b")
    (cost,) = constraint_costs(data, recipe, constraints=[asked], progress=lambda *done: seen.append(done)).costs
    assert cost.constraint == asked
    assert seen[-1] == (12, 12)
    assert cost.tree.n_leaves == ex.grow(data, recipe.replace(monotone=None)).n_leaves, "as it grows"
    whole = next(each for each in constraint_costs(data, recipe).costs if each.constraint == asked)
    np.testing.assert_array_equal(cost.differences, whole.differences)


def test_a_large_table_has_the_same_costs_by_many_threads():
    data, recipe, fold_of_row = table(2, 7_000, digits=2), ex.CART.replace(max_depth=2), np.arange(7_000) % 2
    (cost,) = constraint_costs(data, recipe, folds=fold_of_row).costs
    before, after = (loss_by_hand(data, each, None, fold_of_row) for each in (recipe, ex.CART))
    np.testing.assert_array_equal(cost.differences, after - before)
    assert (
        cost.first_difference.node_a == ex.first_difference(ex.grow(data, recipe), ex.grow(data, ex.CART), data).node_a
    )


def test_progress_counts_every_tree_and_can_stop():
    data, seen = table(0), []
    constraint_costs(data, ex.CART.replace(max_depth=2), progress=lambda *done: seen.append(done))
    assert seen == sorted(seen)
    assert seen[-1] == (12, 12)

    def stop(done, _):
        if done >= 6:
            raise ex.Stopped

    with pytest.raises(ex.Stopped):
        constraint_costs(data, ex.CART.replace(max_depth=2), progress=stop)


def test_a_column_that_is_no_feature_is_refused():
    with pytest.raises(ex.InputError, match="'z'"):
        constraint_costs(table(0), ex.CART, columns=["z"])


def covered(seed, fresh):
    """Whether the change plus and minus two standard errors holds that of the same trees on new rows."""
    data, fold_of_row, recipe = table(seed, 2_000, digits=9), np.arange(2_000) % 5, ex.CART.replace(max_depth=2)
    (cost,) = constraint_costs(data, recipe, folds=fold_of_row).costs
    truth = fresh.frame["y"].to_numpy()
    errors = [
        (ex.grow(data.take(fold_of_row != fold), grown_by).predict(fresh) != truth).mean()
        for grown_by in (ex.CART, recipe)
        for fold in range(5)
    ]
    mean, error = cost.change
    return abs(mean - (np.mean(errors[:5]) - np.mean(errors[5:]))) <= 2 * error


@pytest.mark.slow
def test_two_standard_errors_hold_the_change_in_about_95_of_100_simulations():
    fresh = table(10_000, 50_000, digits=9)
    assert 0.93 <= np.mean([covered(seed, fresh) for seed in range(200)]) <= 0.97
