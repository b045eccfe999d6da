"""Adjusted p-values: reference numbers, scipy as a peer, both layers against each other, and ctree's criterion."""

import json
import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import explorer as ex
from explorer.candidates.adjusted_p import AdjustedP
from explorer.candidates.merging import ways_floating, ways_nominal, ways_ordered
from explorer.compiling import compiling
from explorer.recipe.columns import EACH_VALUE, ONE_VS_REST, SUBSET, THRESHOLD
from explorer.recipe.significance import chi2_of, log_adjusted, log_upper_tail, log_ways
from explorer.recipe.split_score import P_ADJUSTMENTS
from tests.folders import GOLDEN_FOLDER
from tests.oracles.examples import law
from tests.oracles.golden_walk import near
from tests.oracles.laws import assert_nearly_same
from tests.oracles.recipes import POLICIES, crossed

GOLDEN = json.loads((GOLDEN_FOLDER / "golden_ensembles.json").read_text("utf-8"))["adjusted_p"]
BY_P = ex.ID3.replace(score="p_value")
SIDAK, BONFERRONI = P_ADJUSTMENTS["sidak"], P_ADJUSTMENTS["bonferroni"]


def tennis(*features: str) -> ex.Dataset:
    return ex.Dataset.from_frame(ex.load_sample("play_tennis").frame, "PlayTennis", features or None)


def best_at_root(data: ex.Dataset, recipe: ex.Recipe) -> dict[str, ex.Candidate]:
    return ex.decide(ex.grow(data, recipe), data, 0).best


def significance(candidate: ex.Candidate) -> AdjustedP:
    assert candidate.significance is not None
    return candidate.significance


@pytest.mark.parametrize("recipe", [ex.ID3, BY_P])
def test_every_feature_of_play_tennis_has_the_reference_s_p(recipe):
    data = tennis("Day", "Outlook", "Temperature", "Humidity", "Wind")
    for name, golden in GOLDEN["play_tennis_root"].items():
        test = significance(best_at_root(data, recipe)[name])
        assert (test.chi2, test.df, test.p) == (near(golden["chi2"]), golden["df"], near(golden["p"]))
        assert test.log_worth == near(golden["logworth"])
        of_four = replace(test, n_features=4, adjustment=BONFERRONI), replace(test, n_features=4, adjustment=SIDAK)
        assert of_four[0].adjusted == near(golden["bonferroni_over_4_features"])
        assert of_four[1].adjusted == near(golden["sidak_over_4_features(ctree)"])


def test_p_values_hold_ids_back_where_the_gain_does_not():
    data = tennis("Day", "Outlook", "Temperature", "Humidity", "Wind")
    assert ex.grow(data, ex.ID3).condition(0).feature == "Day"
    assert ex.grow(data, ex.C45.replace(mean_gain_filter="off")).condition(0).feature == "Day"
    assert ex.grow(data, BY_P).condition(0).feature == "Humidity"


def test_the_best_pair_of_groups_of_outlook_pays_for_three_ways():
    golden = GOLDEN["outlook_best_two_groups"]
    outlook = best_at_root(tennis("Outlook"), ex.CART.replace(impurity="entropy"))["Outlook"]
    assert golden["group"] in [list(branch) for branch in outlook.condition.branches]
    test = significance(outlook)
    assert (test.chi2, test.p, test.ways) == (near(golden["chi2"]), near(golden["p"]), golden["groupings"])
    assert (test.within, test.log_worth) == (near(golden["bonferroni"]), near(golden["logworth_adjusted"]))


@pytest.mark.parametrize("case", GOLDEN["chaid_multipliers(c levels merged to r groups)"].items())
def test_multipliers_are_chaid_s(case):
    name, golden = case
    categories, groups = (int(part.split("=")[1]) for part in name.split(", "))
    assert ways_nominal(categories, groups) == golden["nominal(Stirling)"]
    assert ways_ordered(categories, groups) == golden["ordinal"]
    assert ways_floating(categories, groups) == golden["ordinal_with_missing"]
    if groups == 2:
        assert math.exp(log_ways(SUBSET, categories)) == pytest.approx(golden["nominal(Stirling)"])
        assert math.exp(log_ways(THRESHOLD, categories)) == pytest.approx(golden["ordinal"])


def test_other_tests_have_as_many_ways_as_there_are_tests():
    assert [round(math.exp(log_ways(ONE_VS_REST, n))) for n in (2, 3, 4)] == [1, 3, 4]
    assert log_ways(EACH_VALUE, 14) == 0.0
    assert log_ways(SUBSET, 2000) == pytest.approx(1999 * math.log(2))


def test_ctree_s_criterion_follows_from_the_same_chi2():
    """partykit 1.2.16: quadratic statistic χ²·(n − 1)/n, p adjusted by 1 − (1 − p)^m."""
    header, statistics, p_values, _ = GOLDEN[
        "ctree_partykit_1.2.16(criterion at the root: quadratic statistic and p adjusted by 1-(1-p)^m)"
    ]
    data = tennis("Outlook", "Temperature", "Humidity", "Wind")
    best = best_at_root(data, ex.ID3)
    expected = zip(header.split(), statistics.split()[1:], p_values.split()[1:], strict=True)
    for name, statistic, p in expected:
        test = significance(best[name])
        of_ctree = test.chi2 * (data.n_rows - 1) / data.n_rows
        assert of_ctree == near(float(statistic))
        log_p = log_upper_tail(of_ctree, test.df)
        assert math.exp(log_adjusted(log_p, 4, SIDAK)) == near(float(p))


def test_the_level_is_compared_with_the_adjusted_p():
    """At the root Humidity has p = 0.0943, over four features 1 − (1 − p)⁴ = 0.3270, by Bonferroni 0.3771."""
    data = tennis()
    for adjustment, p in (("sidak", 0.3270141532), ("bonferroni", 0.3770572274), ("none", 0.0942643068)):
        recipe = BY_P.replace(p_adjustment=adjustment)
        split, stopped = (ex.grow(data, recipe.replace(chi2_level=p + change)) for change in (1e-6, -1e-6))
        assert split.condition(0).feature == "Humidity"
        assert stopped.n_leaves == 1
        assert "not significant" in stopped.node(0).stop_reason
        decision = ex.decide(stopped, data, 0)
        assert decision.stop_reason == stopped.node(0).stop_reason
        assert decision.best["Humidity"].score == near(-math.log10(p))


def test_no_p_is_too_small_for_its_logarithm():
    assert log_upper_tail(5_000.0, 1) == pytest.approx(math.log(2) + stats.norm.logsf(math.sqrt(5_000)), rel=1e-12)
    assert log_upper_tail(5_000.0, 2) == pytest.approx(-2_500.0, rel=1e-12)
    terms = sum(Fraction(500_000**i, math.factorial(i)) for i in range(20))  # 40 degrees: e^−h · Σ h^i/i!, i < 20
    exact = math.log(terms.numerator) - math.log(terms.denominator) - 500_000
    assert log_upper_tail(1e6, 40) == pytest.approx(exact, rel=1e-12)
    assert log_adjusted(-5_000.0, 10, SIDAK) == pytest.approx(-5_000.0 + math.log(10))
    assert log_adjusted(-5_000.0, 10, BONFERRONI) == pytest.approx(-5_000.0 + math.log(10))
    n = 4_000
    frame = pd.DataFrame({"a": np.repeat(["x", "y"], n), "b": np.tile(["x", "y"], n), "t": np.repeat(["p", "q"], n)})
    data = ex.Dataset.from_frame(frame, "t")
    best = best_at_root(data, BY_P)["a"]  # χ² = 8000 with 1 degree: p ≈ 10^−1739
    log_p = math.log(2) + stats.norm.logsf(math.sqrt(2 * n))
    assert best.score == pytest.approx(-log_p / math.log(10) - math.log10(2), rel=1e-9)
    assert best.significance is not None
    assert best.significance.p == 0.0


@law(100)
@given(st.floats(1e-6, 900), st.integers(1, 60))
def test_the_upper_tail_is_scipy_s(statistic, df):
    assert log_upper_tail(statistic, df) == pytest.approx(stats.chi2.logsf(statistic, df), rel=1e-9, abs=1e-12)


@law(60)
@given(st.lists(st.lists(st.integers(0, 9), min_size=3, max_size=3), min_size=2, max_size=5))
def test_chi2_is_scipy_s_without_empty_rows_and_classes(rows):
    table = np.array(rows, dtype=np.float64)
    present = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
    statistic, df = chi2_of(table)
    if min(present.shape, default=0) < 2:
        assert (statistic, df) == (0.0, 0)
        return
    peer = stats.chi2_contingency(present, correction=False)
    assert (statistic, df) == (pytest.approx(peer.statistic, abs=1e-9), peer.dof)


@pytest.mark.parametrize("policy", POLICIES)
@law(12)
@given(st.data())
def test_both_layers_grow_the_same_tree(policy, data):
    adjustment = data.draw(st.sampled_from(sorted(P_ADJUSTMENTS)))
    table, recipe = data.draw(crossed(policy, score="p_value", p_adjustment=adjustment))
    try:
        tree = ex.grow(table, recipe)
    except ex.InputError:
        assert policy == "drop"
        return
    with compiling():
        assert_nearly_same(tree, ex.grow(table, recipe))
    for node in range(tree.n_nodes_grown):
        assert ex.decide(tree, table, node).stop_reason == tree.node(node).stop_reason


def test_large_nodes_are_split_alike():
    """Above the rows of one job the features are searched in threads."""
    random = np.random.default_rng(3)
    frame = pd.DataFrame({name: random.integers(0, 40, 30_000) / 4 for name in "abc"})
    frame["d"] = random.choice(list("uvwxyz"), 30_000)
    frame["t"] = np.where((frame["a"] > 5) & (frame["d"] < "x") | (random.random(30_000) < 0.1), "yes", "no")
    data = ex.Dataset.from_frame(frame, "t")
    recipe = ex.CART.replace(score="p_value", max_depth=3, chi2_level=0.001)
    tree = ex.grow(data, recipe)
    assert {tree.condition(node).feature for node in range(3) if tree.feature[node] >= 0} <= {"a", "d"}
    for node in np.flatnonzero(tree.is_inner):
        decision = ex.decide(tree, data, int(node))
        assert decision.chosen is not None
        assert decision.chosen.condition == tree.condition(int(node))
        assert decision.chosen.score >= 3.0


def test_a_numeric_target_is_refused_with_the_remedy():
    sample = ex.SAMPLES["lihang_8_2_regression"]
    data = ex.Dataset.from_frame(ex.load_sample(sample.key).frame, sample.target, sample.features, sample.kinds)
    with pytest.raises(ex.InputError, match=r"Score 'p_value' tests branches .* use score 'decrease'"):
        ex.grow(data, ex.CART.replace(score="p_value"))
    with pytest.raises(ex.InputError, match="p_adjustment"):
        ex.CART.replace(p_adjustment="holm")
    assert best_at_root(data, ex.CART)["x"].significance is None
