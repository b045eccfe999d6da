"""All pruning methods side by side."""

import inspect

import numpy as np
import pytest

import explorer as ex
from explorer.explaining import STEP_FORMULAS
from explorer.pruning.error_bound import LIMITS
from explorer.pruning.methods import NEEDS, NODE_METHODS
from explorer.pruning.reduced_error import ORDERS, TIES


def test_every_method_with_its_size_and_scores():
    train, valid = ex.Dataset.from_frame(ex.load_sample("credit_g").frame, "class").split(0.7)
    tree = ex.grow(train, ex.C45)
    rows = {row.name: row for row in ex.prune_methods(tree, train, valid)}
    assert list(rows) == [
        "unpruned",
        "cost-complexity, best α",
        "reduced error, best first",
        "reduced error, bottom-up",
        "reduced error, only if better",
        "pessimistic",
        "pessimistic, raising",
        "description length",
    ]
    for row in rows.values():
        assert row.n_leaves == row.tree.n_leaves <= tree.n_leaves
        for part, score in ((train, row.training_score), (valid, row.validation_score)):
            assert score == pytest.approx(np.mean(row.tree.predict(part) == part.frame["class"].to_numpy()))
    assert rows["reduced error, bottom-up"].validation_score == max(row.validation_score for row in rows.values())
    assert rows["pessimistic, raising"].tree.origin is not None


def test_numbers_have_mean_squared_errors_and_fewer_methods():
    train, valid = ex.Dataset.from_frame(ex.load_sample("auto_mpg").frame, "mpg").split(0.7)
    rows = ex.prune_methods(ex.grow(train, ex.CART), train, valid)
    assert [row.name.split(",")[0] for row in rows] == ["unpruned", "cost-complexity"] + 3 * ["reduced error"]
    for row in rows:
        for part, score in ((train, row.training_score), (valid, row.validation_score)):
            assert score == pytest.approx(np.mean((row.tree.predict(part) - part.y) ** 2))
    assert rows[3].validation_score == min(row.validation_score for row in rows)


def test_every_method_that_has_steps_has_formulas_for_them():
    assert {key for key, method in ex.PRUNING_METHODS.items() if method.steps is not None} == set(STEP_FORMULAS)
    assert set(NODE_METHODS) == set(STEP_FORMULAS)


def test_the_registry_offers_what_the_functions_take():
    for key, method in ex.PRUNING_METHODS.items():
        assert method.key == key
        assert set(method.needs) <= set(NEEDS)
        for function in (method.prune, method.steps):
            if function is None:
                continue
            parameters = inspect.signature(function).parameters
            assert set(method.needs) <= set(parameters)
            assert {option.name: option.default for option in method.options}.items() <= {
                name: parameter.default for name, parameter in parameters.items()
            }.items()
            assert getattr(ex, function.__name__) is function
        names = {option.name for option in method.options}
        assert all(set(variant.options) <= names for variant in method.variants)


def test_the_registry_labels_every_value_of_an_option():
    reduced_error, pessimistic = ex.PRUNING_METHODS["reduced_error"], ex.PRUNING_METHODS["pessimistic"]
    assert tuple(reduced_error.values_of("order")) == ORDERS
    assert tuple(reduced_error.values_of("ties")) == TIES
    assert tuple(pessimistic.values_of("limit")) == LIMITS


def test_a_script_passes_what_a_method_needs_by_place_or_by_name():
    assert {key: method.arguments for key, method in NODE_METHODS.items()} == {
        "reduced_error": "tree, valid",
        "pessimistic": "tree, train=train",
        "mdl": "tree, train",
        "newton": "tree",
    }
