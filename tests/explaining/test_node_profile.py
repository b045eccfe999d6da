"""The profile of a node's rows against SciPy's effect sizes and plain counting."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import explorer as ex
from explorer.explaining.node_profile import node_profile


def table(seed=0, n=200, weights=None):
    random = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {"x": random.random(n).round(1), "v": random.normal(size=n), "z": random.choice(list("abc"), n)}
    )
    frame["y"] = np.where(frame["x"] + (frame["z"] == "b") * 0.4 + random.normal(0, 0.3, n) > 0.7, "p", "q")
    frame["x"] = frame["x"].where(random.random(n) > 0.1)
    return ex.Dataset.from_frame(frame, "y", weights=weights)


@pytest.mark.parametrize("seed", range(4))
def test_effect_sizes_are_scipys(seed):
    data = table(seed)
    tree = ex.grow(data, ex.CART.replace(max_depth=3, min_rows_leaf=5))
    for node in range(1, tree.n_nodes_grown):
        inside = np.isin(np.arange(data.n_rows), tree.rows_at(data, node))
        found = {profile.feature.name: profile for profile in node_profile(tree, data, node)}
        for name in ("x", "v"):
            column = data.frame[name].to_numpy()
            own, others = (side[~np.isnan(side)] for side in (column[inside], column[~inside]))
            u = stats.mannwhitneyu(own, others).statistic
            assert found[name].effect == pytest.approx(2 * u / (len(own) * len(others)) - 1)
            assert found[name].inside == np.sort(own)[(len(own) + 1) // 2 - 1]
            missing = np.isnan(column)
            assert found[name].missing == pytest.approx((missing[inside].mean(), missing[~inside].mean()))
        counts = pd.crosstab(inside, data.frame["z"]).to_numpy()
        assert found["z"].effect == pytest.approx(stats.contingency.association(counts, "cramer"))
        shares = counts[1] / counts[1].sum(), counts[0] / counts[0].sum()
        assert max(abs(shares[0] - shares[1])) == pytest.approx(abs(found["z"].shares[0] - found["z"].shares[1]))


def test_a_row_of_weight_two_is_two_rows_and_the_largest_effect_comes_first():
    data = table(7)
    tree = ex.grow(data, ex.CART.replace(max_depth=2))
    twice = np.random.default_rng(1).integers(1, 3, data.n_rows)
    repeated = ex.Dataset.from_frame(data.frame.loc[np.repeat(np.arange(data.n_rows), twice)], "y")
    weighted = ex.Dataset.from_frame(data.frame, "y", weights=twice)
    by_name = {profile.feature.name: profile for profile in node_profile(tree, repeated, 1)}
    profiles = node_profile(tree, weighted, 1)
    for profile in profiles:
        assert profile.effect == pytest.approx(by_name[profile.feature.name].effect)
        assert profile.inside == by_name[profile.feature.name].inside
    effects = [abs(profile.effect) for profile in profiles]
    assert effects == sorted(effects, reverse=True)


def test_all_rows_have_no_others():
    data = table()
    with pytest.raises(ex.InputError, match="Node 0 has all of these rows, or none"):
        node_profile(ex.grow(data, ex.CART), data, 0)
