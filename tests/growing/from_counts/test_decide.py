"""The evidence at a node of a connected table is that from its rows, whether they are fetched or counted."""

import numpy as np
import pytest

import explorer as ex
from explorer.growing import node_search
from tests.oracles.counted_tables import COUNTED, mixed_frame
from tests.oracles.counting_engine import ArrayOrigin, array_source, same_data

RECIPES = {
    "cart": ex.CART.replace(missing="most_common"),
    "own": ex.CART.replace(missing="own_branch", impurity="entropy"),
    "c45": ex.C45.replace(missing="default_direction", min_rows_leaf=2.0),
}


@pytest.mark.parametrize("name", RECIPES)
@pytest.mark.parametrize("regression", [False, True])
def test_a_node_that_is_fetched_lists_the_same_candidates(name, regression):
    ours, theirs = decisions(RECIPES[name], regression)
    for a, b in zip(ours, theirs, strict=True):
        assert (a.unlisted_gain, a.bits, len(a.candidates)) == (None, b.bits, len(b.candidates))
        for one, other in zip(a.candidates, b.candidates, strict=True):
            assert (one.condition, one.rejected, one.is_best) == (other.condition, other.rejected, other.is_best)
            assert one.gain == pytest.approx(other.gain, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("name", RECIPES)
@pytest.mark.parametrize("regression", [False, True])
def test_a_node_that_is_counted_has_the_best_of_every_feature(name, regression, monkeypatch):
    monkeypatch.setattr(node_search, "ROWS_TO_FETCH", 0)
    ours, theirs = decisions(RECIPES[name], regression)
    assert any(decision.unlisted_gain is not None for decision in ours)
    for a, b in zip(ours, theirs, strict=True):
        every_gain = {(c.feature, c.condition): c.gain for c in b.candidates}
        listed = {(c.feature, c.condition) for c in a.candidates}
        unlisted = [gain for key, gain in every_gain.items() if key not in listed]
        if unlisted and a.unlisted_gain is not None:
            assert max(unlisted) <= a.unlisted_gain + 1e-9
        assert list(a.best) == list(b.best)
        for feature, best in a.best.items():
            assert best.condition == b.best[feature].condition
            np.testing.assert_allclose(best.branch_stats, b.best[feature].branch_stats, rtol=1e-9, atol=1e-9)


def decisions(recipe, regression):
    """Those of the first nodes from counts and from rows, of which what every decision says is compared here."""
    if regression and recipe.score == "gain_ratio":
        recipe = recipe.replace(score="decrease", impurity=None)
    recipe = recipe.replace(impurity=None) if regression else recipe
    frame = mixed_frame(3, n=80, missing=0.1, regression=regression)
    source, data = array_source(frame, "goal", **COUNTED), same_data(frame, "goal")
    tree = ex.grow(source, recipe.replace(max_depth=3))
    nodes = range(min(tree.n_nodes_grown, 7))
    ours, theirs = ([ex.decide(tree, rows, node) for node in nodes] for rows in (source, data))
    for a, b in zip(ours, theirs, strict=True):
        assert (a.stop, a.n_rows, a.tie, a.tied, a.absent) == (b.stop, b.n_rows, b.tie, b.tied, b.absent)
        assert [None if c is None else c.condition for c in (a.chosen, a.runner_up)] == [
            None if c is None else c.condition for c in (b.chosen, b.runner_up)
        ]
        assert (a.chi2 is None) == (b.chi2 is None)
        assert a.chi2 is None or a.chi2.p == pytest.approx(b.chi2.p)
    return ours, theirs


def test_a_table_that_changed_is_not_asked(monkeypatch):
    source = array_source(mixed_frame(3, n=40), "goal", **COUNTED)
    tree = ex.grow(source, ex.CART)
    monkeypatch.setattr(ArrayOrigin, "fingerprint", lambda self: "another")
    with pytest.raises(ex.SourceChangedError, match="has changed since it was connected: connect it again"):
        ex.decide(tree, source, 0)


def test_another_table_is_refused():
    source = array_source(mixed_frame(3, n=40), "goal", **COUNTED)
    tree = ex.grow(array_source(mixed_frame(3, n=50), "goal", **COUNTED), ex.CART)
    with pytest.raises(ex.InputError, match="not grown on these rows"):
        ex.decide(tree, source, 0)
