"""Drift: the parts of the splits add up to the PSI of the leaves, and a planted shift is found where it was planted."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import explorer as ex
from explorer.evaluation.drift import drift, psi_by_chance

RECIPES = [
    ex.CART.replace(min_rows_leaf=4),
    ex.C45.replace(min_rows_leaf=3),  # fractional rows
    ex.ID3.replace(max_depth=3, missing="own_branch"),
    ex.CART.replace(min_rows_leaf=4, missing="default_direction", unseen="node"),
]


def frame_of(random, n, shift=0.0, gaps=0.0):
    x, z = random.random((n, 2)).T.round(2), random.choice(5, n, p=np.array([5, 4, 3, 2, 1 + shift]) / (15 + shift))
    frame = pd.DataFrame({"x": x[0] ** (1 + shift), "v": x[1], "z": np.array(list("abcde"))[z]})
    frame["y"] = np.where(frame["x"] + frame["v"] + (z > 2) + random.normal(0, 0.3, n) > 1.2, "p", "q")
    for name in ("x", "z"):
        frame[name] = frame[name].where(random.random(n) >= gaps)
    frame["w"] = random.choice([0.25, 1.0, 3.0], n)
    return frame


def two_tables(seed, n=120):
    """A tree of the first table, and a second one that has drifted; weights and gaps on every second pair."""
    random = np.random.default_rng(seed)
    first, second = (frame_of(random, n, shift, gaps=0.15 * (seed % 2)) for shift in (0.0, random.random()))
    weights = "w" if seed % 4 > 1 else None
    kinds = {"z": list("abcde")}
    before, now = (
        ex.Dataset.from_frame(table, "y", ["x", "v", "z"], weights=weights, kinds=kinds) for table in (first, second)
    )
    return ex.grow(before, RECIPES[seed % len(RECIPES)]), before, now


def leaf_shares(tree, data):
    """The weight that ends in each node, row by row, as shares of all."""
    totals, weights = {}, data.weight_of_rows()
    for row, node, part in zip(*tree.routes(data), strict=True):
        totals[int(node)] = totals.get(int(node), 0.0) + weights[row] * part
    return totals, weights.sum() / len(weights)


def psi_of_leaves(tree, before, now):
    """Σ (q − p)·ln(q/p) over the nodes where rows end; where one table has none, both get half a mean row more."""
    (first, row), (second, other) = leaf_shares(tree, before), leaf_shares(tree, now)
    ends = sorted(first.keys() | second.keys())
    pairs = [(first.get(end, 0.0), second.get(end, 0.0)) for end in ends]
    pairs = [(p + row / 2, q + other / 2) if (p == 0) != (q == 0) else (p, q) for p, q in pairs]
    sums = [sum(side) for side in zip(*pairs, strict=True)]
    return {
        end: (q / sums[1] - p / sums[0]) * math.log(q / sums[1] * sums[0] / p)
        for end, (p, q) in zip(ends, pairs, strict=True)
    }


def assert_adds_up(seeds):
    for seed in seeds:
        tree, before, now = two_tables(seed)
        result, terms = drift(tree, before, now), psi_of_leaves(tree, before, now)
        assert result.psi == pytest.approx(sum(terms.values()), abs=1e-12)
        assert result.part.min() >= -1e-12
        np.testing.assert_allclose(result.term, [terms.get(n, 0.0) for n in range(tree.n_nodes_grown)], atol=1e-12)


def test_the_mean_psi_of_rows_drawn_alike_is_that_of_the_formula():
    draw = np.random.default_rng(0)
    shares = np.array([0.1, 0.2, 0.3, 0.4])
    before, now = (draw.multinomial(n, shares, size=4000) / n for n in (1000, 600))
    psi = ((now - before) * np.log(now / before)).sum(axis=1)
    assert psi.mean() == pytest.approx(psi_by_chance(4, 1000, 600), rel=0.05)


def test_the_parts_of_the_splits_add_up_to_the_psi_of_the_leaves():
    assert_adds_up(range(40))


@pytest.mark.slow
def test_the_parts_of_two_thousand_trees_add_up():
    assert_adds_up(range(40, 2040))


def test_a_part_is_the_divergence_of_the_shares_of_its_branches_both_ways():
    tree, result, _ = simulated(0, planted=True)
    assert (result.shares > 0).all()
    for node in np.flatnonzero(tree.is_inner):
        inside = result.shares[node]
        p, q = (result.shares[list(tree.children_of(node))] / inside).T
        expected = inside[1] * stats.entropy(q, p) + inside[0] * stats.entropy(p, q)
        assert result.part[node] == pytest.approx(expected, abs=1e-12)


def test_p_values_are_those_of_a_table_of_branches_without_weights():
    tree, before, now = two_tables(4, n=500)
    result = drift(tree, before, now)
    rows = np.array([[len(tree.rows_at(data, node)) for node in range(tree.n_nodes_grown)] for data in (before, now)])
    checked = 0
    for node in np.flatnonzero(tree.is_inner):
        table = rows[:, list(tree.children_of(node))]
        if stats.contingency.expected_freq(table).min() >= 5:
            assert result.p_value[node] == pytest.approx(stats.chi2_contingency(table, correction=False).pvalue)
            checked += 1
    assert checked > 3


def test_the_same_rows_have_no_drift_and_a_pruned_tree_is_a_tree_of_its_own():
    tree, before, now = two_tables(8)
    same = drift(tree, before, before)
    assert same.psi == 0.0
    assert not same.is_marked.any()
    assert same.first is None
    pruned = ex.prune_by_hand(tree, [("collapse", int(np.flatnonzero(tree.is_inner)[1]))])
    assert drift(pruned, before, now).psi == pytest.approx(sum(psi_of_leaves(pruned, before, now).values()), abs=1e-12)


def test_only_splits_of_a_pruned_tree_are_tested():
    data = ex.Dataset.from_frame(ex.load_sample("titanic").frame, "survived")
    before, now = data.split(0.5)
    pruned = ex.cost_complexity_path(ex.grow(before, ex.CART)).subtree(leaves=7)
    tested = np.isfinite(drift(pruned, before, now).p_value)
    assert tested[0]
    assert not (tested & ~pruned.is_inner).any()


def test_a_frame_and_a_connected_table_are_rows_too(tmp_path):
    tree, before, now = two_tables(4, n=300)
    frame = now.frame.reset_index(drop=True)
    frame.to_parquet(tmp_path / "now.parquet")
    counted = drift(tree, before, ex.connect(tmp_path / "now.parquet", "y", kinds={"z": list("abcde")}))
    expected = drift(tree, before, now)
    for result in (counted, drift(tree, before, frame)):
        for name in ("shares", "term", "part", "p_value"):
            np.testing.assert_allclose(getattr(result, name), getattr(expected, name), atol=1e-12)


def test_a_table_without_rows_is_refused():
    tree, before, _ = two_tables(0)
    with pytest.raises(ex.InputError, match="no rows"):
        drift(tree, before, before.frame.iloc[:0])


def simulated(seed, planted):
    """A tree of 2,000 rows and 2,000 others; `planted`: at one split, rows of a branch come half as often again."""
    random = np.random.default_rng(seed)
    tables = []
    for n in (2_000, 8_000):
        x = random.random((n, 5))
        y = x[:, 0] + (x[:, 1] > 0.5) * x[:, 2] + random.normal(0, 0.3, n) > 0.9
        tables.append(pd.DataFrame(x, columns=list("abcde")).assign(y=np.where(y, "p", "q")))
    before, pool = (ex.Dataset.from_frame(table, "y") for table in tables)
    tree = ex.grow(before, ex.CART.replace(max_depth=4, min_rows_leaf=50))
    if not planted:
        return tree, drift(tree, before, pool.take(range(2_000))), None
    inner = np.flatnonzero(tree.is_inner & (tree.weight >= 400))
    node = int(random.choice(inner))
    branch = random.choice(tree.children_of(node))
    chance = np.full(pool.n_rows, 0.5)
    chance[tree.rows_at(pool, node)] = 0.3
    chance[tree.rows_at(pool, branch)] = 0.7
    kept = np.flatnonzero(random.random(pool.n_rows) < chance)[:2_000]
    return tree, drift(tree, before, pool.take(kept)), node


def shares_found(seeds):
    """How often the planted split comes first, and how often any is marked without drift."""
    found = [result.first == node for _, result, node in (simulated(seed, planted=True) for seed in seeds)]
    marked = [bool(result.is_marked.any()) for _, result, _ in (simulated(seed, planted=False) for seed in seeds)]
    return np.mean(found), np.mean(marked)


def test_a_planted_shift_is_found_first_and_nothing_is_marked_without_one():
    found, marked = shares_found(range(40))
    assert found >= 0.9
    assert marked <= 0.1


@pytest.mark.slow
def test_a_planted_shift_is_found_in_a_thousand_simulations():
    found, marked = shares_found(range(1_000))
    assert found >= 0.95
    assert marked <= 0.05 + 2 * math.sqrt(0.05 * 0.95 / 1_000), "5 % for all splits together, and two standard errors"
