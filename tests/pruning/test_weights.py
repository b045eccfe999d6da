"""Pruning by counts under class weights and costs: rows count by their own weights, and predictions mind the costs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import explorer as ex
from tests.oracles import bridge
from tests.oracles.golden_walk import dataset_of, near
from tests.oracles.tables import misleading_table

WEIGHTS = {"No": 3}
COSTS = {"No": {"Yes": 3}}


@pytest.mark.parametrize("change", [{"class_weights": WEIGHTS}, {"costs": COSTS}])
def test_play_tennis_predicts_no_and_gets_nine_of_fourteen_wrong(change):
    """No weighs 3·5 = 15 against 9, so the root predicts No: 9 of 14 rows are wrong, in both counts of rows."""
    tree = ex.grow(dataset_of("play_tennis"), ex.ID3.replace(**change))
    root = ex.pessimistic_steps(tree)[-1]
    assert (root.rows, root.errors) == (near(14.0), near(9.0))
    assert root.upper_as_leaf == near(14 * ex.upper_error(9, 14))
    assert ex.description_bits(tree).exceptions[0] == near(np.log2(15) + np.log2(2002))  # C(14, 9) = 2002
    assert (ex.mdl_steps(tree)[-1].rows, ex.mdl_steps(tree)[-1].errors) == (near(14.0), near(9.0))


@pytest.mark.parametrize("change", [{"class_weights": {"yes": 2.5, "no": 0.5}}, {"costs": {"yes": {"no": 3}}}])
@given(seed=st.integers(0, 10_000))
def test_a_raised_tree_keeps_growing_weights(change, seed):
    """Every node of a raised tree holds the weights of the rows that pass it, times each class's factor."""
    data = misleading_table(seed)
    assume({"yes", "no"} <= set(data.classes))  # some tables lack a class that is weighed here, which is refused
    tree = ex.grow(data, ex.C45.replace(missing="drop", **change))
    pruned = ex.pessimistic_prune(tree, raising=True, train=data)
    for node in np.flatnonzero(pruned.is_kept):
        passing = pruned.rows_at(data, int(node))
        counts = np.bincount(data.y[passing], data.weight_of_rows()[passing], minlength=len(data.classes))
        assert pruned.stats[node] == pytest.approx(counts * tree.class_factors)
        if counts.any():
            expected = expected_costs(data.classes, counts, change)
            assert expected[pruned.labels[node]] == pytest.approx(expected.min())
    again = bridge.through_json(pruned)
    assert again.labels.tolist() == pruned.labels.tolist()


def expected_costs(classes, counts, change):
    """Σ_j weight_j·C(j→k) of every prediction k, [K]."""
    weights, costs = change.get("class_weights", {}), change.get("costs", {})
    true = [count * weights.get(name, 1) for name, count in zip(classes, counts, strict=True)]
    prices = np.array([[costs.get(j, {}).get(k, 1) * (j != k) for k in classes] for j in classes])
    return np.array(true) @ prices
