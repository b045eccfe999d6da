"""Newton boosting against XGBoost's own trees (reference numbers), and its laws."""

import json

import numpy as np
import pandas as pd
import pytest

import explorer as ex
from tests.folders import ROOT
from tests.oracles.exact_newton import Objective, boosted

GOLDEN = json.loads((ROOT / "tests/reference/golden/golden_ensembles.json").read_text("utf-8"))["xgboost"]
RELATIVE = 1e-5
"""XGBoost counts in float32."""


def runs():
    """Every run of the reference: its table, its target, its parameters and trees."""
    for section in ("x8", "post_pruning", "missing8", "missing_against_present"):
        part = GOLDEN[section]
        for name, run in (part.get("runs") or {"run": part["run"]}).items():
            logistic = run["parameters"]["objective"] == "binary:logistic"
            y = part["y_logistic(y > 2.75)"] if logistic else part["y"]
            yield pytest.param(part["x"], y, run, id=f"{section}, {name}")


def table(x, y, logistic):
    target = np.where(np.array(y) == 1, "one", "none") if logistic else np.array(y, dtype=float)
    frame = pd.DataFrame({"x": np.array(x, dtype=float).reshape(-1), "y": target})
    data = ex.Dataset.from_frame(frame, "y", ["x"])
    return data if logistic else data.with_target(target)  # 0, 1 and 6 would be read as classes


def compare(member, node, expected, path="root"):
    """Walk a tree beside XGBoost's: thresholds, gains, G, H and leaves."""
    tree, stats = member.tree, member.tree.stats[node]
    assert stats[0] == pytest.approx(expected["H"], rel=RELATIVE), path
    assert -stats[0] * stats[1] == pytest.approx(expected["G"], rel=RELATIVE, abs=1e-6), path
    if "leaf" in expected:
        assert tree.node(node).is_leaf, path
        assert member.vote * tree.values[node] == pytest.approx(expected["leaf"], rel=RELATIVE, abs=1e-8), path
        return
    if expected["threshold"] is None:
        assert tree.condition(node).word(0) == "x is missing"
    else:
        assert tree.threshold[node] == pytest.approx(expected["threshold"], rel=RELATIVE), path
    first, second = tree.children_of(node)
    compare(member, first, expected["left"], path + " left")
    compare(member, second, expected["right"], path + " right")


@pytest.mark.parametrize(("x", "y", "run"), list(runs()))
def test_trees_are_those_of_xgboost(x, y, run):
    given = run["parameters"]
    data = table(x, y, given["objective"] == "binary:logistic")
    if not data.is_regression:
        assert data.classes == ("none", "one")
    boosted = ex.newton_boost(
        data, len(run["trees"]), given["reg_lambda"], float(given["gamma"]), given["eta"], given["base_score"],
        given["max_depth"], given["min_child_weight"],
    )  # fmt: skip
    assert len(boosted.members) == len(run["trees"])
    for member, expected in zip(boosted.members, run["trees"], strict=True):
        compare(member, 0, expected)
        if "gain_without_half" in expected:
            chosen = ex.decide(member.tree, member.data(data), 0).chosen
            assert chosen.score == pytest.approx(expected["gain_without_half"], rel=RELATIVE)
            assert chosen.newton.gain / 2 == pytest.approx(expected["gain_of_the_paper"], rel=RELATIVE)


def test_candidates_of_the_root():
    part = GOLDEN["x8"]
    data = table(part["x"], part["y"], False)
    for reg_lambda, key in ((1.0, "gain_lambda_1(without half)"), (0.0, "gain_lambda_0")):
        tree = ex.grow(data, ex.CART.replace(score="newton", reg_lambda=reg_lambda, base_score=0.0, max_depth=2))
        candidates = ex.decide(tree, data, 0).candidates.of_feature("x")
        expected = part["root_candidates"]["rows"]
        assert [c.condition.threshold for c in candidates] == [row["threshold"] for row in expected]
        assert [c.score for c in candidates] == pytest.approx([row[key] for row in expected], abs=1e-8)
        decreases = [8 * c.gain for c in candidates]  # of the variance, for eight rows
        assert decreases == pytest.approx([row["sse_decrease"] for row in expected], abs=1e-8)


def test_base_score_is_estimated():
    facts = GOLDEN["base_score_estimated_when_not_given"]["facts"]
    part = GOLDEN["x8"]
    assert ex.newton_boost(table(part["x"], part["y"], False), 1).start.tolist() == [facts["mean"]]
    logistic = ex.newton_boost(table(part["x"], part["y_logistic(y > 2.75)"], True), 1)
    assert logistic.predict_proba(pd.DataFrame({"x": [1.0]}), stage=0)[0, 1] == facts["share of ones"]


@pytest.mark.parametrize("seed", range(8))
def test_without_lambda_the_tree_is_that_of_the_variance(seed):
    data = random_table(seed)
    tree = ex.grow(data, ex.CART.replace(missing="default_direction"))
    newton = ex.grow(data, ex.CART.replace(missing="default_direction", score="newton", reg_lambda=0.0))
    for name in ("parent", "feature", "threshold", "missing_branch", "cat_code", "cat_branch", "stop"):
        assert np.array_equal(getattr(tree, name), getattr(newton, name), equal_nan=True), name
    assert np.array_equal(tree.values, newton.values)


@pytest.mark.parametrize("seed", range(4))
def test_two_classes_without_lambda_rank_like_gini(seed):
    """Σ G²/H falls by W·ΔGini/(2·p·(1 − p)), whatever the base score p."""
    data = random_table(seed, classes=True)
    for p in (0.5, 0.2):
        tree = ex.grow(data, ex.CART.replace(score="newton", reg_lambda=0.0, base_score=p, missing="default_direction"))
        best = ex.decide(tree, data, 0).best
        assert len(best) == 3
        for candidate in best.values():
            expected = data.weight_of_rows().sum() * candidate.gain / (2 * p * (1 - p))
            assert candidate.score == pytest.approx(expected, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_the_gain_is_what_the_objective_falls_by_twice(seed):
    """Brute force: gain/2 = Obj(one leaf) − Obj(a leaf per branch), Obj = min_v Σ g·v + ½·h·v² + ½·λ·v²."""
    data, reg_lambda = random_table(seed), 2.5
    recipe = ex.CART.replace(score="newton", reg_lambda=reg_lambda, base_score=0.0, missing="default_direction")
    tree = ex.grow(data, recipe)
    g, h = -data.y * data.weight_of_rows(), data.weight_of_rows()

    def objective(rows):
        v = -g[rows].sum() / (h[rows].sum() + reg_lambda)
        return float((g[rows] * v + h[rows] * v * v / 2).sum() + reg_lambda * v * v / 2)

    for node in np.flatnonzero(tree.is_inner)[:10].tolist():
        rows = [tree.rows_at(data, child) for child in (node, *tree.children_of(node))]
        fall = objective(rows[0]) - sum(objective(branch) for branch in rows[1:])
        assert ex.decide(tree, data, node).chosen.score == pytest.approx(2 * fall, rel=1e-8)


def random_table(seed, classes=False):
    rng = np.random.default_rng(seed)
    n = 60
    frame = pd.DataFrame(
        {"a": rng.normal(size=n).round(1), "b": rng.integers(0, 5, n).astype(float), "c": rng.choice(list("uvwx"), n)}
    ).astype({"c": object})
    for name in frame:
        frame.loc[rng.random(n) < 0.15, name] = None
    frame["y"] = rng.choice(["p", "q"], n) if classes else rng.normal(size=n).round(2) + frame["a"].fillna(3)
    return ex.Dataset.from_frame(frame, "y").with_weights(rng.choice([1.0, 2.0], n))


@pytest.mark.parametrize("logistic", [False, True])
@pytest.mark.parametrize("missing", [0.0, 0.15])
@pytest.mark.parametrize("seed", range(8))
def test_random_tables_as_by_the_search_written_down(seed, missing, logistic):
    """20 rows, three features, varied λ, γ and least H, three rounds of depth 3."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(20, 3)).round(1)
    y = rng.permutation(np.arange(20) % 2) if logistic else (x[:, 0] + rng.normal(size=20)).round(3)
    x[rng.random(x.shape) < missing] = np.nan
    objective = Objective(
        rng.choice([0.5, 1.0, 3.0]), rng.choice([0.0, 0.3, 2.0]), rng.choice([0.3, 1.0, 2.0]), max_depth=3
    )
    data = ex.Dataset.from_frame(
        pd.DataFrame(x, columns=list("abc")).assign(y=y), "y", classes=[0, 1] if logistic else None
    )
    made = ex.newton_boost(data, 3, objective.reg_lambda, objective.gamma, 0.4, 0.5, 3, objective.min_child_weight)
    assert made.n_stages == 3
    start = 0.0 if logistic else 0.5
    expected = boosted(x, y, 3, 0.4, start, objective, logistic)
    for stage, scores in enumerate(expected, 1):
        assert made.raw(data, stage)[:, 0] == pytest.approx(scores, abs=1e-9)


def test_three_classes_grow_a_tree_for_each():
    data = ex.Dataset.from_frame(ex.load_sample("iris").frame, "class")
    boosted = ex.newton_boost(data, 3, max_depth=2)
    assert [(member.stage, member.of_class) for member in boosted.members[:4]] == [(1, 0), (1, 1), (1, 2), (2, 0)]
    member = boosted.members[0]
    assert member.weights == pytest.approx(np.full(150, 2 * (1 / 3) * (2 / 3)))  # 2·p·(1 − p), XGBoost's Hessian
    assert member.target.max() == pytest.approx((2 / 3) / (4 / 9))  # −g/h of a setosa: (1 − p)/h
    assert (boosted.predict(data, stage=3) == ex.load_sample("iris").frame["class"]).mean() > 0.94


@pytest.mark.parametrize("classes", [False, True])
def test_a_member_is_the_tree_grown_on_its_own_targets_and_weights(classes):
    """Targets and weights are worked out again when asked for: to the last digit those that the member was grown on."""
    data = random_table(3, classes)
    boosted = ex.newton_boost(data, 4, max_depth=3)
    raw = np.tile(boosted.start, (data.n_rows, 1))
    for member in boosted.members:
        p = 1 / (1 + np.exp(-raw[:, 0]))
        expected = (data.y - p) / (p * (1 - p)) if classes else data.y - raw[:, 0]
        assert member.target == pytest.approx(expected, rel=1e-12)
        tree = ex.grow(member.data(data), boosted.recipe)
        assert np.array_equal(tree.threshold, member.tree.threshold, equal_nan=True)
        assert np.array_equal(tree.values, member.tree.values)
        raw[:, 0] += member.vote * tree.predict(data)


def test_a_stage_is_a_prefix_of_the_next():
    data = random_table(0)
    short, long = (ex.newton_boost(data, n, max_depth=2) for n in (2, 4))
    assert np.array_equal(short.raw(data), long.raw(data, stage=2))


def test_nothing_to_boost_is_said():
    one_class = ex.Dataset.from_frame(pd.DataFrame({"x": [1.0, 2.0], "y": ["a", "b"]}), "y").take(
        np.array([True, False])
    )
    boosted = ex.newton_boost(one_class, 5)
    assert boosted.n_stages == 0
    assert boosted.ended.code in ("one_row", "one_class")
    linear = ex.Dataset.from_frame(pd.DataFrame({"x": [1.0, 2.0, 3.0], "y": [0.5, 1.5, 9.25]}), "y")
    exact = ex.newton_boost(linear, 5, reg_lambda=0.0, learning_rate=1.0)
    assert exact.n_stages == 1
    assert exact.ended.code == "nothing_left_to_fit"


@pytest.mark.parametrize(
    "bad", [{"base_score": 0.0}, {"base_score": 1.5}, {"learning_rate": 0.0}, {"reg_lambda": -1.0}, {"gamma": -1.0}]
)
def test_values_outside_their_range_are_refused(bad):
    data = ex.Dataset.from_frame(ex.load_sample("play_tennis").frame, "PlayTennis")
    with pytest.raises(ex.InputError):
        ex.newton_boost(data, 1, **bad)


def test_more_classes_need_newton_boost():
    data = ex.Dataset.from_frame(ex.load_sample("iris").frame, "class")
    with pytest.raises(ex.InputError, match="3 classes: use newton_boost"):
        ex.grow(data, ex.CART.replace(score="newton"))
