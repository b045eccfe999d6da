"""Smoothed probabilities: the textbook's fractions, laws on random tables, scores and exports."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import explorer as ex
from explorer.evaluation.evaluation import row_predictions
from explorer.evaluation.out_of_fold import out_of_fold
from explorer.explaining import probability_formula
from tests.oracles.exported_code import by_python, by_sql

GOLDEN = json.loads(Path("tests/reference/golden/golden_ensembles.json").read_text("utf-8"))["smoothing"]
RULES = {
    "raw": None,
    "laplace": ex.Smoothing("laplace"),
    "m_estimate_m1_root_prior(C5.0 at prediction)": ex.Smoothing("m_estimate", 1),
    "m_estimate_m2_root_prior": ex.Smoothing("m_estimate", 2.0),
}
TENNIS = ex.Dataset.from_frame(ex.load_sample("play_tennis").frame, "PlayTennis")
STUMP = ex.grow(TENNIS, ex.ID3.replace(max_depth=1))


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("leaf", GOLDEN["leaves"], ids=lambda leaf: leaf["leaf"])
def test_leaves_of_play_tennis_have_the_golden_fractions(name, leaf):
    node = next(n for n in (1, 2, 3) if leaf["leaf"] == STUMP.condition(0).word(n - 1))
    tree = STUMP.with_smoothing(RULES[name])
    for code, label in enumerate(tree.classes):
        expected = Fraction(leaf[name][label])
        assert tree.node(node).probabilities[code] == pytest.approx(float(expected), abs=1e-15)
        formula = probability_formula(tree, node, code).result
        assert formula.quantity.exact == expected
        assert formula.value == pytest.approx(float(expected), abs=1e-15)
    np.testing.assert_array_equal(tree.shares, STUMP.shares)


@pytest.mark.parametrize("name", GOLDEN["training_log_loss_nats"])
def test_log_loss_is_the_golden_one(name):
    tree = STUMP.with_smoothing(RULES[name])
    loss = ex.evaluate(tree, TENNIS).scores["log_loss"].value
    assert loss == pytest.approx(GOLDEN["training_log_loss_nats"][name], abs=1e-9)


def test_the_formula_of_overcast_is_the_worked_fraction():
    m_estimate = probability_formula(STUMP.with_smoothing("m_estimate"), 2, 1).result.text
    assert m_estimate == "p(k) = (n(k) + m·π(k))/(n + m) = (4 + 1·9/14)/(4 + 1) = 13/14 ≈ 0.929"
    laplace = probability_formula(STUMP.with_smoothing("laplace"), 2, 1).result.text
    assert laplace.endswith("(4 + 1)/(4 + 2) = 5/6 ≈ 0.833")


def random_tree(seed: int, n_classes: int = 3, missing: bool = False) -> tuple[ex.Dataset, ex.Tree]:
    """A tree of depth 3 on a random table with two features; with `missing`, C4.5's on a table with missing cells."""
    draw = np.random.default_rng(seed)
    x, c = draw.integers(0, 9, 60).astype(float), draw.choice(["u", "v", "w"], 60).astype(object)
    if missing:
        x[draw.random(60) < 0.2] = np.nan
        c[draw.random(60) < 0.2] = None
    frame = pd.DataFrame({"x": x, "c": c, "y": [f"k{k}" for k in draw.integers(0, n_classes, 60)]})
    data = ex.Dataset.from_frame(frame, "y")
    return data, ex.grow(data, (ex.C45 if missing else ex.CART).replace(max_depth=3))


@given(st.integers(0, 10**6), st.sampled_from(["laplace", "m_estimate"]), st.sampled_from([0.5, 1.0, 7.0]))
def test_smoothing_changes_no_prediction_and_keeps_probabilities_positive(seed, method, m):
    data, tree = random_tree(seed, missing=bool(seed % 2))
    smoothed = tree.with_smoothing(ex.Smoothing(method, m))
    assert smoothed.predict(data.frame).tolist() == tree.predict(data.frame).tolist()
    probabilities = smoothed.predict_proba(data)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1.0, atol=1e-12)
    assert (probabilities > 0).all()
    np.testing.assert_array_equal(probabilities, tree.predict_proba(data, ex.Smoothing(method, m)))


@given(st.integers(0, 10**6))
def test_laplace_by_hand_and_the_m_estimate_with_equal_shares(seed):
    _, tree = random_tree(seed)
    counts, k = tree.stats, len(tree.classes)
    expected = (counts + 1) / (counts.sum(axis=1, keepdims=True) + k)
    np.testing.assert_allclose(tree.with_smoothing("laplace").probabilities, expected, atol=1e-15)
    # Laplace's rule is the m-estimate with m = K and a prior of 1/K.
    uniform = ex.Smoothing("m_estimate", k).probabilities(counts, np.full(k, 1 / k))
    np.testing.assert_allclose(uniform, expected, atol=1e-15)


def test_a_class_that_a_leaf_lacks_has_one_of_n_plus_k():
    frame = pd.DataFrame({"x": [1, 1, 1, 2, 2, 3], "y": ["a", "a", "a", "b", "b", "c"]})
    tree = ex.grow(ex.Dataset.from_frame(frame, "y", kinds={"x": "numeric"}), ex.CART).with_smoothing("laplace")
    assert tree.predict_proba(frame[:1])[0].tolist() == pytest.approx([4 / 6, 1 / 6, 1 / 6])


def test_an_empty_branch_has_the_probabilities_of_its_parent():
    frame = pd.DataFrame({"c": ["u", "u", "v", "v", "w"], "d": ["p", "q", "p", "q", "p"], "y": list("aabab")})
    tree = ex.grow(ex.Dataset.from_frame(frame, "y"), ex.ID3).with_smoothing("laplace")
    empty = [n for n in range(tree.n_nodes_grown) if tree.node(n).is_empty]
    for node in empty:
        np.testing.assert_array_equal(tree.probabilities[node], tree.probabilities[tree.parent[node]])
        assert probability_formula(tree, node, 0).result.value == tree.probabilities[node, 0]


def test_class_weights_count_on_the_scale_of_all_rows():
    weighted = ex.grow(TENNIS, ex.ID3.replace(max_depth=1, class_weights={"No": 2.0})).with_smoothing("laplace")
    scale = 14 / 19  # 9 + 2·5 weights stand for 14 rows
    sunny = [2 * 3 * scale + 1, 2 * scale + 1]
    assert weighted.probabilities[1].tolist() == pytest.approx([part / sum(sunny) for part in sunny])


def test_costs_are_taken_out_before_smoothing():
    costs = {"No": {"Yes": 3.0}, "Yes": {"No": 1.0}}
    tree = ex.grow(TENNIS, ex.ID3.replace(max_depth=1, costs=costs)).with_smoothing("m_estimate")
    share = tree.prior_stats[0] / tree.prior_stats[0].sum()
    assert share.tolist() == pytest.approx([5 / 14, 9 / 14])
    expected = (tree.prior_stats + share) / (tree.prior_stats.sum(axis=1, keepdims=True) + 1)
    np.testing.assert_allclose(tree.probabilities, expected, atol=1e-15)


@pytest.mark.parametrize("missing", [False, True], ids=["complete", "with missing cells"])
def test_exported_code_smooths_as_the_tree_does(missing):
    data, tree = random_tree(5, missing=missing)
    tree = tree.with_smoothing(ex.Smoothing("m_estimate", 3))
    predictions, probabilities = by_python(tree, data.frame)
    assert predictions == tree.predict(data.frame).tolist()
    np.testing.assert_allclose(probabilities, tree.predict_proba(data), atol=1e-12)
    predictions, shares = by_sql(tree, data.frame)
    assert predictions == tree.predict(data.frame).tolist()
    np.testing.assert_allclose(shares, tree.with_smoothing(None).predict_proba(data), atol=1e-12)


def test_sql_has_a_column_for_every_probability():
    names = [f'"probability of {name}"' for name in STUMP.classes]
    assert all(name in ex.to_sql(STUMP.with_smoothing("laplace")) for name in names)
    assert not any(name in ex.to_sql(STUMP) for name in names)


def test_text_names_the_probability_of_smoothed_leaves_alone():
    lines = ex.to_text(STUMP.with_smoothing("laplace")).splitlines()
    assert lines[0] == "PlayTennis: Yes (9 of 14, 64.3 %)"
    assert "  Outlook = Overcast: Yes (4 of 4, 100 %), probability 83.3 %" in lines


def test_a_saved_tree_keeps_its_smoothing():
    tree = STUMP.with_smoothing(ex.Smoothing("m_estimate", 2.5))
    again = ex.Tree.from_dict(json.loads(json.dumps(tree.to_dict())))
    assert again.smoothing == ex.Smoothing("m_estimate", 2.5)
    np.testing.assert_array_equal(again.probabilities, tree.probabilities)
    assert "smoothing" not in STUMP.to_dict()
    with pytest.raises(ex.InputError, match="smoothing cannot be read"):
        ex.Tree.from_dict({**tree.to_dict(), "smoothing": "laplace"})


def test_held_out_predictions_are_smoothed_too():
    plain = out_of_fold(TENNIS, ex.ID3, folds=range(14))
    smoothed = out_of_fold(TENNIS, ex.ID3, folds=range(14), smoothing="laplace")
    losses = [result.evaluation.scores["log_loss"].value for result in (plain, smoothed)]
    assert losses[1] < losses[0]
    assert plain.predictions.predictions.tolist() == smoothed.predictions.predictions.tolist()


def test_decision_paths_and_calibration_have_the_smoothed_probability():
    tree = STUMP.with_smoothing("laplace")
    assert ex.row_path(tree, TENNIS, 2).ends[0].share == pytest.approx(5 / 6)
    assert ex.leaf_calibration(tree, TENNIS).predicted[1].tolist() == pytest.approx([1 / 6, 5 / 6])
    assert row_predictions(tree, TENNIS).predictions.tolist() == row_predictions(STUMP, TENNIS).predictions.tolist()


@pytest.mark.parametrize("m", [0, -1.0, float("inf"), float("nan"), "2", True])
def test_an_impossible_m_is_refused(m):
    with pytest.raises(ex.InputError, match="must be a number above 0"):
        ex.Smoothing("m_estimate", m)


def test_other_rules_and_numeric_targets_are_refused():
    with pytest.raises(ex.InputError, match="Choose one of none, laplace, m_estimate"):
        ex.Smoothing("lidstone")
    frame = ex.load_sample("lihang_8_2_regression").frame
    data = ex.Dataset.from_frame(frame, frame.columns[-1])
    with pytest.raises(ex.InputError, match="no class probabilities"):
        ex.grow(data, ex.CART.replace(max_depth=1)).with_smoothing("laplace")


def test_report_and_script_name_the_rule():
    tree = STUMP.with_smoothing(ex.Smoothing("m_estimate", 2.0))
    made = ex.Provenance(ex.load_sample("play_tennis"), TENNIS, tree, (TENNIS,), sample="play_tennis")
    assert "m-estimates with m = 2" in ex.to_report(made, "markdown")
    namespace: dict[str, object] = {}
    exec(compile(ex.to_script(made), "again.py", "exec"), namespace)
    np.testing.assert_array_equal(namespace["tree"].probabilities, tree.probabilities)  # type: ignore[attr-defined]
