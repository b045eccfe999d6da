"""Gradient boosting: Li Hang's example 8.2 in fractions, three losses on one outlier, scikit-learn stage by stage."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import explorer as ex

GOLDEN = json.loads((Path(__file__).parents[1] / "reference/golden/golden_ensembles.json").read_text("utf-8"))[
    "gradient_boosting"
]
SKLEARN = GOLDEN["against_sklearn"]
STUMP = ex.CART.replace(max_depth=1)


def sample(name: str, target: str = "y") -> ex.Dataset:
    """A built-in sample."""
    return ex.Dataset.from_frame(ex.load_sample(name).frame, target)


def fraction(text: str) -> float:
    """A golden fraction as a float."""
    return float(Fraction(text))


def leaf_values(member: ex.Member) -> list[float]:
    """The values of a stump's two leaves."""
    return member.tree.values[1:].tolist()


def test_li_hang_8_2_in_fractions() -> None:
    data = sample("lihang_8_2_regression")
    boosted = ex.gradient_boost(data, STUMP, n_estimators=6, learning_rate=1.0, base_score=0.0)
    for stage, expected in enumerate(GOLDEN["lihang_8_2"]["stages"], 1):
        member = boosted.members[stage - 1]
        assert member.target == pytest.approx(expected["residuals_before"], abs=5e-7)
        assert member.tree.threshold[0] == expected["threshold"]
        assert leaf_values(member) == pytest.approx(
            [fraction(expected["left"]), fraction(expected["right"])], abs=1e-12
        )
        errors = data.y - boosted.predict(data, stage)
        assert float((errors**2).sum()) == pytest.approx(fraction(expected["sse"]), abs=1e-12)
    assert boosted.predict(data) == pytest.approx(GOLDEN["lihang_8_2"]["final_f"], abs=5e-7)


def test_the_books_printed_losses_come_from_rounded_leaves() -> None:
    """1.93 is exact to two places; the later 0.79, 0.47 and 0.30 should be 0.80, 0.48 and 0.31."""
    exact = [fraction(stage["sse"]) for stage in GOLDEN["lihang_8_2"]["stages"]]
    printed = GOLDEN["lihang_8_2"]["published"]["squared_losses"]
    assert round(exact[0], 2) == printed[0]
    assert [round(a, 2) - b for a, b in zip(exact[1:4], printed[1:4], strict=True)] == pytest.approx([0.01] * 3)


def test_starting_at_the_mean_gives_the_same_sums_with_learning_rate_1() -> None:
    data = sample("lihang_8_2_regression")
    zero = ex.gradient_boost(data, STUMP, n_estimators=6, learning_rate=1.0, base_score=0.0)
    mean = ex.gradient_boost(data, STUMP, n_estimators=6, learning_rate=1.0)
    assert mean.start[0] == pytest.approx(7.307)
    assert leaf_values(mean.members[0]) == pytest.approx([-3211 / 3000, 3211 / 2000])
    for stage in range(1, 7):
        assert mean.predict(data, stage) == pytest.approx(zero.predict(data, stage), abs=1e-12)


def outlier8() -> ex.Dataset:
    """Eight points, one of them at 30."""
    table = GOLDEN["outlier8"]
    return ex.Dataset.from_frame(pd.DataFrame({"x": table["x"], "y": table["y"]}), "y")


@pytest.mark.parametrize(
    ("key", "options"),
    [
        ("squared", {"loss": "squared_error"}),
        ("absolute", {"loss": "absolute_error"}),
        ("huber", {"loss": "huber", "delta": 3.0}),
    ],
)
def test_three_losses_on_a_table_with_an_outlier(key: str, options: dict[str, Any]) -> None:
    data, expected = outlier8(), GOLDEN["outlier8"][key]
    boosted = ex.gradient_boost(data, STUMP, n_estimators=3, learning_rate=1.0, **options)
    assert boosted.start[0] == expected["f0"]
    for stage, wanted in enumerate(expected["stages"], 1):
        member = boosted.members[stage - 1]
        assert member.target == pytest.approx(wanted["negative_gradient"], abs=1e-9)
        assert member.tree.threshold[0] == wanted["threshold"]
        assert leaf_values(member) == pytest.approx(wanted["leaf_values"], abs=1e-9)
        predicted = boosted.predict(data, stage)
        assert predicted == pytest.approx(wanted["f"], abs=1e-9)
        assert float(((data.y - predicted) ** 2).sum()) == pytest.approx(wanted["sum_squared"])
        assert float(np.abs(data.y - predicted).sum()) == pytest.approx(wanted["sum_absolute"])


def test_only_the_squared_error_follows_the_outlier_first() -> None:
    first = [
        ex.gradient_boost(outlier8(), STUMP, loss, 1, 1.0, delta=3.0).members[0].tree.threshold[0]
        for loss in ("squared_error", "absolute_error", "huber")
    ]
    assert first == [6.5, 4.5, 4.5]


LOSS_OF = {
    "squared": "squared_error",
    "absolute": "absolute_error",
    "huber": "huber",
    "quantile": "quantile",
    "binary_log_loss": "log_loss",
    "binary_exponential": "exponential",
    "multinomial": "log_loss",
}


def golden_data(key: str) -> ex.Dataset:
    """The table of a golden section."""
    table = SKLEARN[key]
    frame = pd.DataFrame(np.array(table["X"]), columns=["a", "b", "c"])
    if key in ("squared", "absolute", "huber", "quantile"):
        return ex.Dataset.from_frame(frame.assign(y=table["y"]), "y")
    return ex.Dataset.from_frame(frame.assign(y=np.array(table["y"], dtype=int)), "y", classes=sorted(set(table["y"])))


def golden_boosted(key: str, data: ex.Dataset, **options: Any) -> ex.Ensemble:
    """Six rounds of depth 2 with scikit-learn's medians."""
    recipe, alpha = ex.CART.replace(max_depth=2), SKLEARN[key].get("alpha", 0.9)
    return ex.gradient_boost(data, recipe, LOSS_OF[key], 6, 0.5, alpha=alpha, quantiles="lower", **options)


@pytest.mark.parametrize("key", LOSS_OF)
def test_every_loss_as_scikit_learn_stage_by_stage(key: str) -> None:
    table, data = SKLEARN[key], golden_data(key)
    boosted = golden_boosted(key, data)
    assert boosted.start == pytest.approx(np.atleast_1d(table["f0"]), abs=1e-12)
    for stage, scores in table.get("f_after_stage", {}).items():
        assert boosted.raw(data, int(stage))[:, 0] == pytest.approx(scores, abs=1e-9)
    for stage, shares in table.get("probabilities_after_stage", {}).items():
        assert boosted.predict_proba(data, int(stage))[: len(shares)] == pytest.approx(np.array(shares), abs=1e-9)
    if "stage_1_negative_gradient" in table:
        assert boosted.members[0].target == pytest.approx(table["stage_1_negative_gradient"], abs=1e-12)
    for member, delta in zip(boosted.members, table.get("deltas", []), strict=False):
        assert member.facts.get("delta") == (None if delta is None else pytest.approx(delta))


@pytest.mark.parametrize("key", LOSS_OF)
def test_every_loss_as_scikit_learn_live(key: str) -> None:
    from sklearn.ensemble import GradientBoostingClassifier, GradientBoostingRegressor

    data = golden_data(key)
    X, y = np.array(SKLEARN[key]["X"]), np.array(SKLEARN[key]["y"])
    options = {"n_estimators": 6, "learning_rate": 0.5, "max_depth": 2}
    if data.is_regression:
        alpha = SKLEARN[key]["alpha"]
        peer = GradientBoostingRegressor(loss=LOSS_OF[key], alpha=alpha, **options).fit(X, y)
        staged = list(peer.staged_predict(X))
    else:
        peer = GradientBoostingClassifier(loss=LOSS_OF[key], **options).fit(X, y)
        staged = list(peer.staged_predict_proba(X))
    boosted = golden_boosted(key, data)
    for stage, expected in enumerate(staged, 1):
        own = boosted.predict(data, stage) if data.is_regression else boosted.predict_proba(data, stage)
        assert own == pytest.approx(expected, abs=1e-9)


def test_log_loss_by_hand_on_six_temperatures() -> None:
    """F_0 = ln(3/3) = 0, g = ±½, p(1 − p) = ¼: leaves −1/(2/4) = −2 and 1/1 = 1, p = σ(−2) and σ(1)."""
    frame = ex.load_sample("temperature6").frame
    target = frame.columns[-1]
    data = ex.Dataset.from_frame(frame, target, classes=["No", "Yes"])
    boosted = ex.gradient_boost(data, STUMP, "log_loss", 2, 1.0)
    assert boosted.start.tolist() == [0.0]
    for stage, expected in enumerate(SKLEARN["temperature6_logistic_by_hand"]["stages"], 1):
        member = boosted.members[stage - 1]
        assert member.tree.threshold[0] == expected["threshold"]
        assert leaf_values(member) == pytest.approx(expected["leaf_values"], abs=1e-9)
        assert boosted.predict_proba(data, stage)[:, 1] == pytest.approx(expected["p"], abs=1e-9)


@pytest.mark.parametrize("loss", ["squared_error", "huber", "log_loss", "log_loss of 3"])
def test_random_tables_as_scikit_learn_with_row_weights(loss: str) -> None:
    from sklearn.ensemble import GradientBoostingClassifier, GradientBoostingRegressor

    draw = np.random.default_rng(11)
    X, weights = draw.normal(size=(400, 4)), draw.uniform(0.5, 2.0, size=400)
    score = X[:, 0] * 2 + X[:, 1] ** 2 + draw.normal(size=400)
    options = {"n_estimators": 8, "learning_rate": 0.3, "max_depth": 3, "random_state": 0}
    frame = pd.DataFrame(X, columns=list("abcd"))
    if loss in ("squared_error", "huber"):
        peer = GradientBoostingRegressor(loss=loss, **options).fit(X, score, weights)
        data = ex.Dataset.from_frame(frame.assign(y=score), "y", weights=weights)
        expected = peer.predict(X)
    else:
        codes = pd.qcut(score, 3 if loss.endswith("3") else 2, labels=False)
        peer = GradientBoostingClassifier(**options).fit(X, codes, weights)
        data = ex.Dataset.from_frame(frame.assign(y=codes), "y", weights=weights, classes=sorted(set(codes)))
        expected = peer.predict_proba(X)
    boosted = ex.gradient_boost(
        data, ex.CART.replace(max_depth=3), loss.split()[0], n_estimators=8, learning_rate=0.3, quantiles="lower"
    )
    own = boosted.predict(data) if data.is_regression else boosted.predict_proba(data)
    assert own == pytest.approx(expected, abs=1e-9)
