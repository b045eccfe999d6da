"""CHAID's merging of values (ensembles, section 25): by hand, by the definition with fractions, and pip's CHAID."""

import json
import math
import warnings
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import explorer as ex
from explorer.candidates.merging import merge_values, ways_floating, ways_nominal, ways_ordered
from explorer.explaining import candidate_formulas
from explorer.explaining.node_rule import rule_words
from explorer.growing.grow_many import Presorted
from tests.oracles import chaid
from tests.oracles.examples import law
from tests.oracles.exported_code import assert_same_predictions, by_duckdb, by_python, by_typed_sqlite

CHAID = ex.ID3.replace(score="p_value", p_adjustment="none", missing="own_branch", merge_level=0.05, chi2_level=0.05)


def tennis(**changes: object) -> tuple[ex.Tree, ex.Dataset]:
    data = ex.Dataset.from_frame(ex.load_sample("play_tennis").frame, "PlayTennis")
    return ex.grow(data, CHAID.replace(**changes)), data


def test_outlook_is_merged_as_by_hand():
    """Sunny (2, 3) and Rain (3, 2): χ² = 2/5, p = P(|Z| > √0.4) = 0.527; both against Overcast (0, 4): χ² = 28/9."""
    assert chaid.chi2([(2, 3), (3, 2)]) == (Fraction(2, 5), 1)
    assert chaid.chi2([(5, 5), (0, 4)]) == (Fraction(28, 9), 1)
    tree, data = tennis(merge_level=0.1, chi2_level=None)
    outlook = ex.decide(tree, data, 0).best["Outlook"]
    assert outlook.condition.branches == (("Sunny", "Rain"), ("Overcast",))
    assert outlook.condition.word(0) == "Outlook ∈ {Sunny, Rain}"
    test = outlook.significance
    assert test is not None
    p = math.erfc(math.sqrt(14 / 9))  # of χ² with one degree of freedom
    assert (test.chi2, test.df, test.ways) == (pytest.approx(28 / 9), 1, 3)
    assert (test.p, test.within) == (pytest.approx(p), pytest.approx(3 * p))
    steps = merge_values(np.array([[2.0, 3.0], [0.0, 4.0], [3.0, 2.0]]), 0.1).steps
    assert [(step.first, step.second, step.is_merged) for step in steps] == [((0,), (2,), True), ((0, 2), (1,), False)]
    assert math.exp(steps[0].log_p) == pytest.approx(math.erfc(math.sqrt(0.2)))


def test_play_tennis_is_a_leaf_at_the_levels_of_the_paper():
    tree, data = tennis()
    assert tree.n_leaves == 1
    assert set(ex.decide(tree, data, 0).absent) == {"Outlook", "Temperature", "Humidity", "Wind"}
    assert "merged" in ex.decide(tree, data, 0).absent["Wind"]


TABLES = st.lists(st.tuples(*[st.integers(0, 12)] * 3).filter(any), min_size=2, max_size=6)


@law(150)
@given(TABLES, st.floats(0.01, 0.9), st.booleans(), st.booleans())
def test_groups_are_those_of_the_definition(rows, level, is_ordered, has_missing):
    missing = len(rows) - 1 if has_missing and is_ordered else None
    merging = merge_values(np.array(rows, dtype=float), level, is_ordered, missing is not None)
    expected = chaid.merged(rows, level, is_ordered, missing)
    assert [tuple(np.flatnonzero(merging.group_of_value == g)) for g in range(merging.n_groups)] == expected
    assert len(merging.steps) == len(rows) - len(expected) + (len(expected) > 1)


@pytest.mark.parametrize("n_values", [2, 3, 4, 5, 6])
def test_ways_are_all_partitions_that_merging_could_lead_to(n_values):
    for n_groups in range(1, n_values + 1):
        assert ways_nominal(n_values, n_groups) == chaid.ways(n_values, n_groups, False, None)
        assert ways_ordered(n_values, n_groups) == chaid.ways(n_values, n_groups, True, None)
        assert ways_floating(n_values, n_groups) == chaid.ways(n_values, n_groups, True, n_values - 1)


def random_table(seed: int, rows: int = 300, missing: float = 0.1) -> pd.DataFrame:
    random = np.random.default_rng(seed)
    frame = pd.DataFrame({"colour": random.choice(list("abcdef"), rows), "x": random.normal(size=rows)})
    frame["size"] = random.choice(list("SML"), rows)
    odds = frame["colour"].map(dict(zip("abcdef", (0.1, 0.15, 0.5, 0.55, 0.8, 0.12), strict=True)))
    frame["t"] = np.where(random.random(rows) < odds * (frame["x"] > -0.5), "yes", "no")
    for name in ("colour", "x"):
        frame.loc[random.random(rows) < missing, name] = None
    return frame


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("policy", ["own_branch", "most_common", "fractional", "drop"])
def test_every_node_has_the_winner_and_the_groups_of_the_definition(seed, policy):
    """The table of every candidate is merged again with fractions; multiplier, p and winner follow."""
    data = ex.Dataset.from_frame(random_table(seed), "t")
    tree = ex.grow(data, CHAID.replace(missing=policy, bins=5, chi2_level=0.2))
    assert tree.n_leaves > 2
    for node in range(tree.n_nodes_grown):
        decision = ex.decide(tree, data, node)
        best = decision.best
        for candidate in best.values():
            assert candidate.significance is not None
            groups = len(candidate.condition.branches)
            values = sum(map(len, candidate.condition.branches))
            floats = candidate.feature == "x" and any(None in branch for branch in candidate.condition.branches)
            is_ordered = candidate.feature == "x"
            ways = chaid.ways(values, groups, is_ordered, values - 1 if floats else None)
            assert candidate.significance.ways == ways
            assert candidate.significance.within == pytest.approx(min(ways * candidate.significance.p, 1))
        if tree.feature[node] >= 0:
            assert decision.chosen is not None
            assert decision.chosen.condition == tree.condition(node)
            least = min(candidate.significance.within for candidate in best.values() if candidate.significance)
            assert decision.chosen.significance is not None
            assert decision.chosen.significance.within == pytest.approx(least)
            assert least <= 0.2
        elif best and not decision.is_of_file and tree.stop[node] and "significant" in (decision.stop_reason or ""):
            assert min(c.significance.within for c in best.values() if c.significance) > 0.2


@law(40)
@given(TABLES, st.floats(0.02, 0.6))
def test_a_tree_of_one_feature_splits_by_the_definition_s_groups(rows, level):
    lines = [(chr(97 + value), "pqr"[k]) for value, row in enumerate(rows) for k in range(3) for _ in range(row[k])]
    frame = pd.DataFrame(lines, columns=["a", "t"])
    assume(frame["t"].nunique() > 1)
    data = ex.Dataset.from_frame(frame, "t", kinds={"a": "categorical"})
    tree = ex.grow(data, CHAID.replace(merge_level=level, chi2_level=None, max_depth=1))
    groups = chaid.merged(rows, level, False, None)
    condition = tree.condition(0)
    if len(groups) < 2:
        assert condition is None
        return
    assert condition is not None
    assert [tuple(ord(name) - 97 for name in branch) for branch in condition.branches] == groups
    weights = [list(tree.stats[child]) for child in tree.children_of(0)]
    classes = ["pqr".index(str(name)) for name in tree.classes]
    assert weights == [[chaid.total(rows, group)[k] for k in classes] for group in groups]


def test_intervals_next_to_each_other_are_worded_as_one():
    frame = pd.DataFrame({"x": np.arange(80.0), "t": np.where(np.arange(80) < 40, "no", "yes")})
    data = ex.Dataset.from_frame(frame, "t")
    tree = ex.grow(data, CHAID.replace(bins=8))
    condition = tree.condition(0)
    assert condition is not None
    assert [condition.word(branch) for branch in range(2)] == ["x ≤ 39.5", "x > 39.5"]
    assert [rule_words(tree, leaf) for leaf in (1, 2)] == ["x ≤ 39.5", "x > 39.5"]
    assert list(tree.predict(data)) == list(frame["t"])


def test_weight_two_is_the_row_twice():
    frame = random_table(7, 120)
    weights = np.tile([1.0, 2.0, 3.0], 40)
    data = ex.Dataset.from_frame(frame, "t")
    twice = ex.Dataset.from_frame(frame.loc[frame.index.repeat(weights.astype(int))].reset_index(drop=True), "t")
    recipe = CHAID.replace(numeric="leave_out", chi2_level=0.3)
    assert repr(ex.grow(data.with_weights(weights), recipe)) == repr(ex.grow(twice, recipe))


def test_members_of_ensembles_are_merged_too():
    data = ex.Dataset.from_frame(random_table(3), "t")
    weights = np.random.default_rng(0).integers(0, 3, data.n_rows).astype(float)
    grown = Presorted(data, CHAID).grow(weights)
    assert grown.n_leaves > 2
    assert repr(grown) == repr(ex.grow(data.with_weights(weights), CHAID))


def test_what_cannot_merge_says_so():
    with pytest.raises(ex.InputError, match="merge_level"):
        CHAID.replace(merge_level=1.5)
    with pytest.raises(ex.InputError, match="mdl_stop"):
        CHAID.replace(mdl_stop=True)
    number = ex.Dataset.from_frame(pd.DataFrame({"a": list("aabb"), "y": [1.0, 2.0, 3.0, 4.0]}), "y")
    with pytest.raises(ex.InputError, match="merge_level"):
        ex.grow(number, ex.CART.replace(categorical="each_value", merge_level=0.05))
    many = ex.Dataset.from_frame(pd.DataFrame({"a": [f"v{i}" for i in range(600)], "t": list("pq") * 300}), "t")
    with pytest.raises(ex.InputError, match="600 values, but at most 500 are merged"):
        ex.grow(many, CHAID)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("kind", ["nominal", "ordinal"])
def test_groups_and_p_are_those_of_pip_s_chaid(seed, kind):
    """CHAID 5.5.1: no multiplier, so χ², degrees of freedom, p and groups are compared, feature by feature."""
    with warnings.catch_warnings():  # it warns that it can draw no graphs
        warnings.simplefilter("ignore")
        peer = pytest.importorskip("CHAID")
    random = np.random.default_rng(seed)
    frame = pd.DataFrame({"a": random.integers(0, 7, 400)})
    odds = random.random(7)[frame["a"]]
    frame["t"] = np.where(random.random(400) < odds, "yes", np.where(random.random(400) < 0.3, "maybe", "no"))
    grown = peer.Tree.from_pandas_df(
        frame, {"a": kind}, "t", alpha_merge=0.05, max_depth=1, min_child_node_size=1, min_parent_node_size=2
    )
    split = grown.tree_store[0].split
    kinds = {"a": "categorical" if kind == "nominal" else "numeric"}
    data = ex.Dataset.from_frame(frame, "t", kinds=kinds)
    tree = ex.grow(data, CHAID.replace(numeric="each_value", chi2_level=None, max_depth=1))
    chosen = ex.decide(tree, data, 0).chosen
    assert chosen is not None
    assert chosen.significance is not None
    groups = {frozenset(map(int, branch)) for branch in chosen.condition.branches}
    assert groups == {frozenset(map(int, group)) for group in split.splits}
    assert (chosen.significance.chi2, chosen.significance.df) == (pytest.approx(split.score), split.dof)
    assert chosen.significance.p == pytest.approx(split.p)


def test_play_tennis_has_the_groups_and_p_that_pip_s_chaid_printed():
    """CHAID 5.5.1 on play tennis, alpha_merge 0.1: Outlook 3.111111, df 1, p 0.077760; Humidity 2.8, p 0.094264."""
    tree, data = tennis(merge_level=0.1, chi2_level=None)
    tests = {name: best.significance for name, best in ex.decide(tree, data, 0).best.items()}
    shown = {name: (round(test.chi2, 6), test.df, round(test.p, 6)) for name, test in tests.items() if test}
    assert shown == {"Outlook": (3.111111, 1, 0.07776), "Humidity": (2.8, 1, 0.094264)}


@pytest.mark.parametrize("policy", ["own_branch", "most_common", "fractional", "surrogate"])
def test_exports_and_saved_trees_predict_as_the_tree(policy):
    frame = random_table(2, 400)
    data = ex.Dataset.from_frame(frame, "t")
    tree = ex.grow(data, CHAID.replace(missing=policy, bins=5, chi2_level=0.3))
    assert any(condition.has_groups for node in range(tree.n_nodes_grown) if (condition := tree.condition(node)))
    saved = ex.Tree.from_dict(json.loads(json.dumps(tree.to_dict())))
    assert (saved.recipe, repr(saved)) == (tree.recipe, repr(tree))
    rows = frame.drop(columns="t")
    rows.loc[0, "colour"] = "a colour without training rows"
    assert list(saved.predict(rows)) == list(tree.predict(rows))
    for run in (by_python, by_typed_sqlite, by_duckdb):
        assert_same_predictions(tree, rows, run)


def test_a_split_by_hand_may_divide_every_value():
    """The recipe merges Outlook to nothing at 0.05; a person's split has a branch for each of its three values."""
    tree, data = tennis()
    with pytest.raises(ex.InputError, match="merged"):
        ex.grow(data, tree.recipe, choices=ex.Choices().force((), "Outlook"))
    forced = ex.grow(data, tree.recipe, choices=ex.Choices().force((), "Outlook", test="each_value"))
    condition = forced.condition(0)
    assert condition is not None
    assert condition.branches == (("Sunny",), ("Overcast",), ("Rain",))


def test_a_chosen_test_with_groups_is_found_again():
    data = ex.Dataset.from_frame(random_table(2, 400), "t")
    tree = ex.grow(data, CHAID)
    condition = tree.condition(0)
    assert condition is not None
    assert condition.has_groups
    forced = ex.grow(data, tree.recipe, choices=ex.Choices().force((), condition))
    assert forced.condition(0) == condition
    decision = ex.decide(forced, data, 0)
    assert decision.chosen is not None
    assert decision.chosen.condition == condition


def test_the_formula_names_the_pairs_in_turn_and_the_ways():
    tree, data = tennis(merge_level=0.1, chi2_level=None)
    outlook = ex.decide(tree, data, 0).best["Outlook"]
    assert candidate_formulas(tree.node(0), outlook)["LogWorth"].remarks == (
        "Merged: {Sunny} and {Rain}, p = 0.527.",
        "Not merged: {Sunny, Rain} and {Overcast}, the most alike that are left, p = 0.0778.",
        "Ways of merging 3 values into 2 groups: 3 (Kass 1980).",
    )
