"""Drift of columns: PSI over deciles and categories, KS and medians as NumPy and SciPy have them."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import explorer as ex
from explorer.explaining.predict_table import predict_table


def frame_of(random, n, shift=0.0, gaps=0.0):
    shares = [0.4 - shift / 4, 0.3 + shift / 4, 0.2, 0.1]
    frame = pd.DataFrame({"x": random.normal(shift, 1, n).round(2), "z": random.choice(list("abcd"), n, p=shares)})
    frame = frame.where(random.random((n, 2)) >= gaps)
    return frame.assign(few=random.integers(0, 3, n), w=random.integers(1, 4, n), y=random.choice(["p", "q"], n))


def two_tables(seed, **options):
    """A data set of 400 rows, and a table of 300 that has drifted by up to one standard deviation."""
    random = np.random.default_rng(seed)
    before, now = frame_of(random, 400), frame_of(random, 300, shift=random.random(), gaps=0.1)
    return ex.Dataset.from_frame(before, "y", ["x", "z", "few"], kinds={"few": "numeric"}, **options), now


def psi_by_hand(before, now):
    """Σ (q − p)·ln(q/p) over the bins of either table; half a row more in both where only one has any."""
    total, counts = 0.0, [(np.sum(before == each), np.sum(now == each)) for each in np.union1d(before, now)]
    counts = [(a + 0.5, b + 0.5) if not a or not b else (a, b) for a, b in counts]
    n, m = map(sum, zip(*counts, strict=True))
    for a, b in counts:
        total += (b / m - a / n) * math.log(b / m / (a / n))
    return total


def bins_by_hand(column, known):
    """The decile of the first table that each cell falls in, a missing one in a bin of its own."""
    edges = np.quantile(known, np.arange(1, 10) / 10)
    return np.where(np.isnan(column), -1, (column[:, None] > np.unique(edges)).sum(axis=1))


@pytest.mark.parametrize("seed", range(10))
def test_numbers_and_categories_are_compared_as_numpy_and_scipy_do(seed):
    data, now = two_tables(seed)
    found = {each.feature.name: each for each in ex.column_drift(data, now)}
    assert list(found) == sorted(found, key=lambda name: -found[name].psi)
    for name in ("x", "few"):
        before, after = (frame[name].to_numpy(dtype=float) for frame in (data.frame, now))
        known = after[~np.isnan(after)]
        expected = psi_by_hand(bins_by_hand(before, before), bins_by_hand(after, before))
        assert found[name].psi == pytest.approx(expected, abs=1e-12)
        assert found[name].ks == pytest.approx(stats.ks_2samp(before, known).statistic, abs=1e-12)
        medians = [np.quantile(each, 0.5, method="inverted_cdf") for each in (before, known)]
        assert [found[name].before, found[name].now] == medians
        assert found[name].missing == (0, pytest.approx(np.isnan(after).mean()))
    before, after = data.frame["z"], now["z"]
    assert found["z"].psi == pytest.approx(psi_by_hand(before.to_numpy(), after.fillna("–").to_numpy()), abs=1e-12)
    changes = after.value_counts(normalize=True) - before.value_counts(normalize=True)
    assert found["z"].category == changes.abs().idxmax()
    assert found["z"].now - found["z"].before == pytest.approx(changes[found["z"].category])


def test_p_is_that_of_a_table_of_bins():
    data, now = two_tables(1)
    (found,) = (each for each in ex.column_drift(data, now.fillna({"z": "a"})) if each.feature.name == "z")
    counts = [frame["z"].fillna("a").value_counts().sort_index() for frame in (data.frame, now)]
    assert found.p_value == pytest.approx(stats.chi2_contingency(counts, correction=False).pvalue)


def test_a_weight_is_so_many_rows():
    """Medians, shares and PSI; half a row where a bin is empty is as large as a mean row, so there is none here."""
    data, now = two_tables(2)
    weighted = ex.Dataset.from_frame(data.frame, "y", ["x", "z"], weights="w")
    repeated = data.frame.loc[data.frame.index.repeat(data.frame["w"])].reset_index(drop=True)
    now = now[["x", "z"]].dropna()
    for one, many in zip(
        ex.column_drift(weighted, now),
        ex.column_drift(ex.Dataset.from_frame(repeated, "y", ["x", "z"]), now),
        strict=True,
    ):
        assert one.feature.name == many.feature.name
        assert (one.before, one.now, one.category) == pytest.approx((many.before, many.now, many.category))
        assert (one.psi, one.ks) == pytest.approx((many.psi, many.ks), nan_ok=True)


def test_the_same_rows_have_no_drift_and_a_planted_one_is_found_alone():
    random = np.random.default_rng(3)
    before, now = (pd.DataFrame(random.normal(size=(2000, 8)), columns=list("abcdefgh")) for _ in range(2))
    data = ex.Dataset.from_frame(before.assign(y=np.where(before["a"] > 0, "p", "q")), "y")
    same = ex.column_drift(data, before)
    assert [each.psi for each in same] == [0] * 8
    assert not any(each.is_marked for each in same)
    found = ex.column_drift(data, now.assign(e=now["e"] + 0.3))
    assert [each.feature.name for each in found if each.is_marked] == ["e"] == [found[0].feature.name]


def test_values_never_seen_and_columns_without_a_known_cell_are_told_apart():
    data, now = two_tables(4)
    new, empty = ex.column_drift(data, now.assign(z="new", x=np.nan)[["x", "z"]])
    assert {new.feature.name, empty.feature.name} == {"x", "z"}
    new, empty = (new, empty) if new.feature.name == "z" else (empty, new)
    assert (new.category, new.before, new.now) == (None, 0, 1)
    assert (empty.before, empty.now, empty.missing) == (None, None, (0, 1))
    assert empty.is_marked
    assert math.isnan(empty.ks)


def test_levels_are_compared_by_their_order_and_worded_as_cells():
    levels = ["low", "mid", "high"]
    before = pd.DataFrame({"level": ["low", "mid", "mid", "high"] * 10, "y": ["p", "q"] * 20})
    data = ex.Dataset.from_frame(before, "y", kinds={"level": ex.Ordered(levels)})
    (found,) = ex.column_drift(data, pd.DataFrame({"level": ["mid", "high", "high", "other"] * 10}))
    assert (found.before, found.now) == ("mid", "high")
    assert found.ks == pytest.approx(0.75 - 1 / 3)
    assert found.psi == pytest.approx(
        psi_by_hand(np.repeat([0, 1, 2], [10, 20, 10]), np.repeat([1, 2, 9], [10, 20, 10]))
    )


def test_a_table_without_rows_is_refused():
    data, now = two_tables(5)
    with pytest.raises(ex.InputError, match="no rows"):
        ex.column_drift(data, now.iloc[:0])


def test_a_file_has_the_columns_that_the_tree_does_not_test_too():
    frame = ex.load_sample("titanic").frame
    data = ex.Dataset.from_frame(frame, "survived")
    tree = ex.grow(data, ex.CART.replace(max_depth=1))
    file = frame.assign(fare=frame["fare"].map(str).where(frame.index > 0, "free"))
    readable = predict_table(tree, data, file).readable
    assert len(tree.tested_features()) == 1
    found = {each.feature.name: each for each in ex.column_drift(data, readable)}
    assert set(found) == {feature.name for feature in data.features}
    assert found["fare"].missing == (frame["fare"].isna().mean(), pytest.approx(frame["fare"].isna().mean() + 1 / 891))
