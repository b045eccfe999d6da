"""A row divided into parts of its weight counts as before, also where rows are counted by their weight (section 9)."""

from __future__ import annotations

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

import explorer as ex
from tests.oracles import bridge
from tests.oracles.examples import law
from tests.oracles.laws import assert_nearly_same

LAW = law(90)
PARTS = [2, 3, 7, 10]
"""Into so many parts: sums of thirds, sevenths and tenths are not those of the rows but for rounding."""
POLICIES = ["drop", "most_common", "fractional", "own_branch", "default_direction"]


@st.composite
def cases(draw: st.DrawFn, regression: bool | None = None, **fixed: object) -> tuple[ex.Dataset, ex.Recipe, int]:
    """A table, a recipe that counts rows by their weight, and the number of parts."""
    sample = draw(bridge.samples(regression=regression, weights=draw(st.sampled_from(["one", "whole", "any"]))))
    has_classes = sample.classes is not None
    changes = {
        "impurity": draw(st.sampled_from(["entropy", "gini", "error"])) if has_classes else None,
        "score": draw(st.sampled_from(["decrease", "gain_ratio", "p_value"])) if has_classes else "decrease",
        "mean_gain_filter": "off",
        "categorical": draw(st.sampled_from(["each_value", "one_vs_rest", "subset"])),
        "threshold_at": draw(st.sampled_from(["midpoint", "observed", "c45"])),
        "missing": draw(st.sampled_from(POLICIES)),
        "min_rows_leaf": draw(st.sampled_from([0.0, 1.0, 2.0])),
        "release8_penalty": has_classes and draw(st.booleans()),
        "chi2_level": draw(st.sampled_from([None, 0.3, 0.8])) if has_classes else None,
        "mdl_stop": has_classes and draw(st.booleans()),
    }
    return bridge.to_dataset(sample), ex.Recipe(**{**changes, **fixed}), draw(st.sampled_from(PARTS))  # type: ignore[arg-type]


def divided(data: ex.Dataset, n: int) -> ex.Dataset:
    """Every row n times where it stands, each with its part of the weight."""
    rows = np.repeat(np.arange(data.n_rows), n)
    return data.take(rows).with_weights(data.weight_of_rows()[rows] / n)


def both(data: ex.Dataset, recipe: ex.Recipe, n: int) -> tuple[ex.Tree, ex.Tree]:
    """The tree of the rows, and that of their parts."""
    try:
        return ex.grow(data, recipe), ex.grow(divided(data, n), recipe)
    except ex.InputError:
        assume(False)
        raise


@LAW
@given(cases())
def test_a_tree_is_the_same(case):
    assert_nearly_same(*both(*case))


@LAW
@given(cases(missing="surrogate", categorical="subset", mdl_stop=False))
def test_surrogates_are_the_same(case):
    assert_nearly_same(*both(*case))


@LAW
@given(
    cases(regression=False, score="decrease", chi2_level=None, mdl_stop=False),
    st.sampled_from(["release8", "binomial", "normal"]),
    st.booleans(),
)
def test_pruning_by_counts_is_the_same(case, limit, raising):
    data, recipe, n = case
    if raising:
        recipe = recipe.replace(missing="most_common")
    trees, tables = both(data, recipe, n), (data, divided(data, n))
    pairs = list(zip(trees, tables, strict=True))
    estimates = [ex.pessimistic_prune(tree, 0.25, raising, limit, rows) for tree, rows in pairs]
    assert_nearly_same(*estimates)
    np.testing.assert_array_equal(*(tree.is_pruned for tree in estimates))
    np.testing.assert_array_equal(*(ex.mdl_prune(tree, rows).is_pruned for tree, rows in pairs))
    steps = [ex.mdl_steps(tree, rows) for tree, rows in pairs]
    bridge.same_numbers(*([step.bits_as_leaf for step in taken] for taken in steps))


@LAW
@given(
    cases(
        score="newton",
        impurity=None,
        missing="default_direction",
        categorical="subset",
        release8_penalty=False,
        chi2_level=None,
        mdl_stop=False,
    ),
    st.sampled_from([0.0, 0.5, 2.0]),
)
def test_newton_trees_are_the_same(case, gamma):
    data, recipe, n = case
    assume(data.is_regression or len(data.classes) == 2)
    trees = both(data, recipe.replace(gamma=gamma), n)
    assert_nearly_same(*trees)
    bridge.same_numbers(*(tree.values for tree in trees))
    np.testing.assert_array_equal(*(ex.newton_prune(tree, 1.0).is_pruned for tree in trees))


@law(30)
@given(cases(), st.sampled_from([0.0, 1.0]))
def test_newton_boosting_is_the_same(case, reg_lambda):
    data, _, n = case
    try:
        few, many = (ex.newton_boost(rows, 4, reg_lambda, gamma=0.1) for rows in (data, divided(data, n)))
    except ex.InputError:
        assume(False)
    assert len(few.members) == len(many.members)
    predict = "predict" if data.is_regression else "predict_proba"
    bridge.same_numbers(*(getattr(ensemble, predict)(data.frame) for ensemble in (few, many)))
