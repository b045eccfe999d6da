"""Where greed was paid: the best trees that begin with each candidate, and what every node's own test costs."""

import numpy as np
import pytest

import explorer as ex
from tests.oracles.best_trees import Row, best_objective, random_case


def _rows_at(tree: ex.Tree, case, node: int) -> list[Row]:
    return [case.rows[row] for row in tree.rows_at(case.data, node)]


def check(seed: int) -> None:
    case = random_case(seed)
    terms = type(case.terms)(**{**vars(case.terms), "price": 0.0})
    tree, depth = ex.grow(case.data, case.recipe), max(case.depth, 1)
    price = ex.price_of_greed(tree, case.data, 0, depth)
    assert price.is_proven
    assert price.upper == pytest.approx(min(best_objective(case.rows, terms, depth, None), price.loss), abs=1e-7)
    assert sum(price.paid.values()) == pytest.approx(price.loss - price.upper, abs=1e-6)
    assert all(paid >= -1e-7 for paid in price.paid.values())
    for below in price.candidates:
        forced = ex.grow(
            case.data, case.recipe.replace(max_depth=1), choices=ex.Choices().force((), below.candidate.condition)
        )
        parts = [_rows_at(forced, case, child) for child in forced.children_of(0)]
        wanted = sum(best_objective(part, terms, depth - 1, None) for part in parts if part)
        assert below.lower == below.upper == pytest.approx(wanted, abs=1e-7)
        assert below.greedy >= below.upper - 1e-7


def test_every_candidate_has_the_best_of_all_trees_that_begin_with_it():
    for seed in range(60):
        check(seed)


def test_the_price_of_a_subtree_is_of_its_own_rows():
    sample = ex.SAMPLES["iris"]
    data = ex.Dataset.from_frame(ex.load_sample("iris").frame, sample.target)
    tree = ex.grow(data, ex.CART)
    whole = ex.price_of_greed(tree, data, 0, 3)
    child = int(np.flatnonzero((tree.parent == 0) & (tree.feature >= 0))[0])
    below = ex.price_of_greed(tree, data, child, 2)
    assert {node: paid for node, paid in whole.paid.items() if node != 0} == pytest.approx(below.paid)
    assert (whole.loss, whole.upper) == (4.0, 1.0)  # STreeD 1.4.0: no tree of depth 3 errs on fewer than 1 of 150


def test_without_time_there_are_intervals_and_no_place():
    sample = ex.SAMPLES["credit_g"]
    data = ex.Dataset.from_frame(ex.load_sample("credit_g").frame, sample.target, sample.features, dict(sample.kinds))
    recipe = ex.CART.replace(categorical="one_vs_rest")
    price = ex.price_of_greed(ex.grow(data, recipe), data, 0, 4, seconds=0.2)
    assert not price.is_proven
    assert price.lower < price.upper <= price.loss
    assert price.paid == {}
    assert all(below.lower <= below.upper <= below.greedy for below in price.candidates)


def test_depths_beyond_four_and_missing_cells_are_refused_in_words():
    case = random_case(3)
    with pytest.raises(ex.InputError, match="1 to 4"):
        ex.price_of_greed(ex.grow(case.data, case.recipe), case.data, 0, 5)
    sample = ex.SAMPLES["titanic"]
    data = ex.Dataset.from_frame(ex.load_sample("titanic").frame, sample.target, sample.features, dict(sample.kinds))
    with pytest.raises(ex.InputError, match="'age' has missing cells"):
        ex.price_of_greed(ex.grow(data, ex.CART), data)
