"""The arithmetic that a page shows for a round: it can be worked out, and it comes to the recorded numbers."""

import numpy as np
import pandas as pd
import pytest

import explorer as ex
from explorer.ensembles.formulas import leaf_formula, step_formula, vote_formula
from explorer.ensembles.picture.round_formulas import round_formula
from tests.oracles.formula_checks import assert_agrees

ERROR_STUMP = ex.CART.replace(impurity="error", max_depth=1)


def ten_points() -> ex.Dataset:
    """Li Hang's table 8.1."""
    return ex.Dataset.from_frame(ex.load_sample("lihang_8_1").frame, "y", features=["x"], classes=[-1, 1])


def test_three_rounds_of_li_hang_8_1_in_fractions() -> None:
    boosted = ex.adaboost(ten_points(), ERROR_STUMP, 3, vote="half_log")
    lines = [vote_formula(boosted, member).text.splitlines() for member in boosted.members]
    assert [rounds[0] for rounds in lines] == [
        "ε = 3·1/10 = 3/10 = 0.300",
        "ε = 3·1/14 = 3/14 ≈ 0.214",
        "ε = 4·1/22 = 2/11 ≈ 0.182",
    ]
    assert lines[2][1] == "α = 1/2·ln((1 − ε)/ε) = 1/2·ln((1 − 4·1/22)/(4·1/22)) ≈ 0.752"
    assert lines[0][2].startswith("Z = 2·√(ε·(1 − ε)) = 2·√(3·1/10·(1 − 3·1/10)) ≈ 0.917")
    # The misclassified rows go from 1/10 to 1/6, the others to 1/14: times 5/3 and 5/7.
    assert "= 5/3 ≈" in lines[0][3]
    assert "= 5/7 ≈" in lines[0][4]


def noisy(classes: int = 2, n: int = 40) -> ex.Dataset:
    """Random rows."""
    draw = np.random.default_rng(5)
    frame = pd.DataFrame(draw.normal(size=(n, 3)).round(2), columns=list("abc"))
    score = frame["a"] + draw.normal(size=n)
    frame["y"] = pd.qcut(score, classes, labels=False)
    return ex.Dataset.from_frame(frame, "y", classes=list(range(classes)))


@pytest.mark.parametrize(
    "boosted",
    [
        ex.adaboost(noisy(), n_estimators=4, vote="half_log"),
        ex.adaboost(noisy(), n_estimators=4, learning_rate=0.5),
        ex.adaboost(noisy(3), n_estimators=4),
        ex.c50(noisy(), ex.C45.replace(max_depth=2), trials=4),
        ex.c50(noisy(), ex.C45.replace(max_depth=2), trials=4, update="c50"),
    ],
    ids=["half_log", "samme, shrunk", "samme, 3 classes", "quinlan96", "c50"],
)
def test_votes_and_weights_come_to_the_recorded_numbers(boosted: ex.Ensemble) -> None:
    assert len(boosted.members) >= 2
    for member in boosted.members:
        for formula in vote_formula(boosted, member).formulas:
            assert_agrees(formula, 1.0)


def test_the_factors_of_the_weights_are_those_of_the_next_round() -> None:
    data = noisy()
    boosted = ex.adaboost(data, n_estimators=3, vote="half_log")
    for member, following in zip(boosted.members, boosted.members[1:], strict=False):
        *_, up, down = (formula.value for formula in vote_formula(boosted, member).formulas)
        wrong = member.tree.predict_encoded(data) != data.y
        assert member.weights is not None
        assert following.weights == pytest.approx(member.weights * np.where(wrong, up, down), rel=1e-9)


def numbers() -> ex.Dataset:
    """Random numbers to predict."""
    draw = np.random.default_rng(2)
    frame = pd.DataFrame(draw.normal(size=(30, 3)).round(2), columns=list("abc"))
    return ex.Dataset.from_frame(frame.assign(y=(3 * frame["a"] + draw.normal(size=30)).round(2)), "y")


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(
    ("loss", "classes"),
    [
        ("squared_error", 0),
        ("absolute_error", 0),
        ("huber", 0),
        ("quantile", 0),
        ("log_loss", 2),
        ("log_loss", 3),
        ("exponential", 2),
    ],
)
def test_leaf_values_and_scores_come_to_the_recorded_numbers(loss: str, classes: int, weighted: bool) -> None:
    data = noisy(classes) if classes else numbers()
    if weighted:
        data = data.with_weights(np.arange(data.n_rows) % 3 + 1)
    recipe = ex.CART.replace(max_depth=2)
    boosted = ex.gradient_boost(data, recipe, loss, 3, 0.5, subsample=0.8, alpha=0.7)
    for member in boosted.members:
        for leaf in member.tree.leaves().tolist():
            assert_agrees(leaf_formula(boosted, member, leaf).result, 1.0)
        for row in range(0, data.n_rows, 7):
            derivation = step_formula(boosted, member, data.take([row]))
            code = member.of_class or 0
            assert_agrees(derivation.result, 1.0)
            assert derivation.result.value == pytest.approx(
                boosted.raw(data.take([row]), member.stage)[0, code], abs=1e-12
            )


@pytest.mark.parametrize("loss", ["squared_error", "absolute_error", "huber"])
def test_rows_with_a_missing_value_count_in_part(loss: str) -> None:
    frame = numbers().frame.copy()
    frame.loc[::4, "a"] = np.nan
    data = ex.Dataset.from_frame(frame, "y")
    boosted = ex.gradient_boost(data, ex.CART.replace(max_depth=2, missing="fractional"), loss, 2, 0.5)
    said: list[str] = []
    for member in boosted.members:
        for leaf in member.tree.leaves().tolist():
            derivation = leaf_formula(boosted, member, leaf)
            assert_agrees(derivation.result, 1.0)
            said += derivation.remarks
    assert "Every row counts with its weight." in said


def test_rows_left_out_of_growing_leave_no_formula() -> None:
    frame = numbers().frame.copy()
    frame.loc[::4, "b"] = np.nan
    data = ex.Dataset.from_frame(frame, "y")
    boosted = ex.gradient_boost(data, ex.CART.replace(max_depth=1, missing="drop"), None, 1, 0.5)
    derivation = leaf_formula(boosted, boosted.members[0], 1)
    assert "No formula" in derivation.remarks[0]
    assert derivation.result.value == boosted.members[0].tree.values[1]


def test_the_leaf_of_li_hang_8_2_is_a_mean_of_fractions() -> None:
    data = ex.Dataset.from_frame(ex.load_sample("lihang_8_2_regression").frame, "y")
    boosted = ex.gradient_boost(data, ex.CART.replace(max_depth=1), None, 2, 1.0, base_score=0.0)
    assert leaf_formula(boosted, boosted.members[1], 1).result.text == (
        "γ = (−203/300 − 161/300 − 49/150)/3 = −77/150 ≈ -0.513"
    )


def test_other_members_have_no_such_formula() -> None:
    data = noisy()
    forest = ex.forest(data, n_estimators=2)
    with pytest.raises(ex.InputError, match="no formula"):
        vote_formula(forest, forest.members[0])
    with pytest.raises(ex.InputError, match="no formula"):
        leaf_formula(forest, forest.members[0], 0)


@pytest.mark.parametrize("options", [{}, {"learning_rate": 0.5}, {"vote": "half_log"}])
@pytest.mark.parametrize("classes", [2, 3])
def test_a_saved_vote_follows_from_the_recorded_error(classes: int, options: dict) -> None:
    grown = ex.adaboost(noisy(classes), ex.CART.replace(max_depth=2), 3, **options)
    saved = ex.Ensemble.from_dict(grown.to_dict(with_rows=False))
    for stage, member in enumerate(saved.members, 1):
        error, alpha, *_ = round_formula(saved, stage).formulas
        assert_agrees(alpha, 1.0)
        assert (error.value, alpha.value) == (member.facts["epsilon"], member.vote)


def test_votes_of_another_program_are_shown_as_they_are() -> None:
    from sklearn.ensemble import AdaBoostClassifier

    data = noisy()
    read = ex.Ensemble.from_sklearn(AdaBoostClassifier(n_estimators=3).fit(data.frame[list("abc")], data.frame["y"]))
    midway = ex.Ensemble.from_dict(ex.c50(data, trials=3, update="c50").to_dict(with_rows=False))
    for made in (read, midway):
        for stage, member in enumerate(made.members, 1):
            assert [formula.value for formula in round_formula(made, stage).formulas] == [member.vote]


@pytest.mark.parametrize(("options", "draws"), [({}, 40), ({"max_samples": 10}, 10)])
def test_the_probability_of_being_left_out_counts_the_draws(options: dict, draws: int) -> None:
    data = noisy().with_weights(np.linspace(0.5, 2.0, 40))
    made = ex.bagging(data, n_estimators=2, **options)
    share, expected = round_formula(made, 1).formulas
    assert made.members[0].weights is not None
    assert share.value == pytest.approx((made.members[0].weights == 0).mean())
    assert expected.value == pytest.approx((39 / 40) ** draws)
    pasted = ex.bagging(data, n_estimators=2, bootstrap=False, max_samples=10)
    assert [formula.value for formula in round_formula(pasted, 1).formulas] == [0.75]
