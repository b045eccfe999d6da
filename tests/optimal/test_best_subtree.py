"""The best tree of a depth: against all trees of small tables, and what the search says when it is ended early."""

import numpy as np
import pandas as pd
import pytest

import explorer as ex
from explorer.optimal import search
from tests.oracles.best_trees import random_case


def check(seed: int) -> None:
    case = random_case(seed)
    best, wanted = case.search(), case.objective()
    assert best.is_proven
    assert best.objective == pytest.approx(wanted, abs=1e-7)
    assert best.lower_bound <= best.objective <= best.greedy_loss + 1e-9
    assert best.tree.max_depth <= case.depth
    assert best.tree.n_leaves <= (case.max_leaves or best.tree.n_leaves)
    predicted = best.tree.predict(case.data)
    if case.data.is_regression:
        weights = case.data.weight_of_rows()
        assert (weights * (predicted - case.data.y) ** 2).sum() == pytest.approx(best.loss, abs=1e-7)
    elif case.recipe.costs is None:
        wrong = [str(got) != row["y"] for got, row in zip(predicted, case.rows, strict=True)]
        assert (case.data.weight_of_rows() * wrong).sum() == pytest.approx(best.loss, abs=1e-7)


def test_no_tree_of_a_small_table_is_better():
    for seed in range(150):
        check(seed)


def test_no_tree_is_better_where_pairs_of_values_are_counted(monkeypatch):
    monkeypatch.setattr(search, "pays_to_count", lambda *_: True)
    for seed in range(600, 700):
        check(seed)


@pytest.mark.slow
def test_no_tree_of_many_small_tables_is_better():
    for seed in range(150, 600):
        check(seed)


def test_greed_is_paid_at_the_root_of_xor():
    """B xor D on six rows: ID3 takes A first (gain 0.044, B and D gain 0)."""
    data = ex.Dataset.from_frame(ex.load_sample("xor_six_rows").frame, "class")
    best = ex.best_subtree(data, 2, ex.ID3)
    assert (best.loss, best.greedy_loss, best.tree.n_leaves) == (0.0, 1.0, 4)
    assert [best.tree.node(node).condition.feature for node in (0,)] != ["A"]


def test_a_price_per_leaf_is_the_regularisation_of_streed_and_gosdt():
    """λ = 0.01, 0.04, 0.06, 0.3, 0.45 per leaf and row: one error of 20 rows pays for a leaf up to 0.05."""
    # 20 rows: three leaves err on none, two leaves on one, one leaf on nine.
    frame = pd.DataFrame({"x": range(20), "z": 0, "y": ["p"] * 10 + ["q"] * 9 + ["p"]})
    data = ex.Dataset.from_frame(frame, "y", ["x"])
    found = [ex.best_subtree(data, 3, price_per_leaf=price).tree.n_leaves for price in (0.01, 0.04, 0.06, 0.3, 0.45)]
    assert found == [3, 3, 2, 2, 1]


def _wide(rows: int, seed: int) -> ex.Dataset:
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(rng.normal(size=(rows, 4)), columns=list("abcd"))
    frame["y"] = np.where(frame["a"] * frame["b"] + rng.normal(size=rows) > 0, "p", "q")
    return ex.Dataset.from_frame(frame, "y")


def test_bounds_never_cross_wherever_the_search_is_stopped():
    data = _wide(60, 3)
    final, n_calls = ex.best_subtree(data, 3), []
    ex.best_subtree(data, 3, progress=lambda lower, upper: n_calls.append((lower, upper)))
    assert all(lower <= final.objective <= upper for lower, upper in n_calls)
    assert [lower for lower, _ in n_calls] == sorted(lower for lower, _ in n_calls)
    assert [upper for _, upper in n_calls] == sorted((upper for _, upper in n_calls), reverse=True)
    for moment in np.random.default_rng(5).integers(0, len(n_calls), 50).tolist():
        told = []

        def stop(lower, upper, told=told, moment=moment):
            told.append((lower, upper))
            if len(told) > moment:
                raise ex.Stopped

        early = ex.best_subtree(data, 3, progress=stop)
        assert early.lower_bound <= final.objective <= early.objective
        assert told[-1][0] <= early.lower_bound + 1e-9
        assert early.objective <= told[-1][1]


def test_a_search_without_time_gives_bounds_and_no_certificate():
    early = ex.best_subtree(_wide(300, 4), 4, seconds=0.05)
    assert not early.is_proven
    assert early.lower_bound < early.objective <= early.greedy_loss
    with pytest.raises(ex.InputError, match="nothing is proven"):
        _ = early.certificate


@pytest.mark.parametrize(
    ("depth", "options", "words"),
    [
        (7, {}, "0 to 6"),
        (-1, {}, "0 to 6"),
        (2, {"max_leaves": 0}, "max_leaves"),
        (2, {"price_per_leaf": -1.0}, "price per leaf"),
        (2, {"seconds": 0.0}, "price per leaf"),
        (2, {"recipe": ex.CART.replace(monotone={"a": 1})}, "monotone"),
        (2, {"recipe": ex.CART.replace(max_features=1)}, "at random"),
    ],
)
def test_what_cannot_be_searched_is_refused_in_words(depth, options, words):
    with pytest.raises(ex.InputError, match=words):
        ex.best_subtree(_wide(20, 1), depth, **options)


def test_missing_cells_that_follow_other_rows_are_refused_and_those_of_a_category_are_not():
    frame = pd.DataFrame({"x": ["u", "v", None, "u"] * 4, "n": range(16), "y": list("pqqp") * 4})
    data = ex.Dataset.from_frame(frame, "y", ["x", "n"], {"n": "numeric"})
    with pytest.raises(ex.InputError, match="'x' has missing cells"):
        ex.best_subtree(data, 2)
    assert ex.best_subtree(data, 1, ex.CART.replace(missing="own_branch")).loss == 0.0
    assert ex.best_subtree(data, 1, ex.CART.replace(missing="drop")).loss == 0.0


def test_more_categories_than_groupings_are_tried_of_are_refused():
    frame = pd.DataFrame({"x": [f"v{i % 12}" for i in range(48)], "y": list("pq") * 24})
    data = ex.Dataset.from_frame(frame, "y", ["x"])
    with pytest.raises(ex.InputError, match="12 categories"):
        ex.best_subtree(data, 2)
    assert ex.best_subtree(data, 2, ex.CART.replace(categorical="one_vs_rest")).is_proven
