"""The Grow and Prune pages under XGBoost's gain: λ ranks anew, γ prunes, and the numbers are those of the package."""

import re

import numpy as np
import pytest

import explorer as ex
from tests.pages.app import fine, opened, texts, unfold


def table(app):
    return next(frame.value for frame in app.dataframe if "gain − γ" in frame.value)


def test_three_columns_stand_side_by_side_and_gamma_is_taken_off():
    app = fine(opened("Grow", recipe="CART", score="newton", reg_lambda="1.0", gamma="0.5", base_score="none"))
    shown = table(app)
    assert list(shown)[:4] == ["feature", "Newton gain", "gain − γ", "Gini decrease"]
    assert np.allclose(shown["Newton gain"] - shown["gain − γ"], 0.5)
    # Humidity: G 0.5 and −2.5 over H 1.75, root G −2 over H 3.5
    first = shown.iloc[0]
    assert first["feature"] == "Humidity"
    assert first["Newton gain"] == pytest.approx(0.5**2 / 2.75 + 2.5**2 / 2.75 - 2**2 / 4.5)
    assert "G −2 · H 3.500 · −G/(H + λ) 0.444" in texts(app.markdown)
    assert "Newton gain: at λ = 1, as XGBoost prints it, without the paper's ½" in texts(app.caption)


def test_without_gamma_the_decrease_stands_beside_the_gain():
    shown = table(fine(opened("Grow", recipe="CART", score="newton", gamma="0.0")))
    assert list(shown)[:4] == ["feature", "Newton gain", "Gini decrease", "gain − γ"]


def test_the_sentence_names_the_gain_that_features_compete_by():
    assert "Newton gain" in texts(fine(opened("Grow", recipe="CART", score="newton")).markdown)


def test_the_slider_ranks_anew_and_the_tree_stays():
    app = fine(opened("Grow", recipe="CART", score="newton", reg_lambda="1.0"))
    before = table(app)
    data = ex.Dataset.from_frame(ex.load_sample("play_tennis").frame, "PlayTennis")
    app = fine(app.select_slider("newton.lambda.1").set_value(50.0).run())
    after = table(app)
    tree = ex.grow(data, ex.CART.replace(score="newton", reg_lambda=50.0))
    best = ex.decide(tree, data, 0).best
    assert after["Newton gain"].tolist() == pytest.approx(sorted((c.score for c in best.values()), reverse=True))
    assert before["Newton gain"].iloc[0] > after["Newton gain"].iloc[0]
    assert "Ranked at λ = 50. The tree was grown at λ = 1." in texts(app.caption)
    app = fine(app.button("newton.grow").click().run())
    assert app.query_params["reg_lambda"] == "50.0"


def test_newton_is_offered_for_two_classes_and_numbers_alone():
    iris = fine(unfold(opened("Grow", data="iris", recipe="CART")))
    assert "Newton gain (XGBoost)" not in iris.selectbox("grow.score").options
    tennis = fine(unfold(opened("Grow", recipe="CART")))
    assert "Newton gain (XGBoost)" in tennis.selectbox("grow.score").options


def test_gamma_prunes_on_the_prune_page():
    chosen = {"recipe": "CART", "score": "newton", "pruning": "methods", "method": "newton"}
    leaves = []
    for gamma in ("0.3", "1.5", "3.0"):
        app = fine(opened("Prune", **chosen, **{"prune.gamma": gamma}))
        methods = next(frame.value for frame in app.dataframe if "method" in frame.value)
        leaves.append(int(methods.set_index("method").loc["Gain below γ (XGBoost)", "leaves"]))
        assert app.number_input("methods.gamma").value == float(gamma)
    data = ex.Dataset.from_frame(ex.load_sample("play_tennis").frame, "PlayTennis")
    tree = ex.grow(data, ex.CART.replace(score="newton"))
    assert leaves == [ex.newton_prune(tree, gamma).n_leaves for gamma in (0.3, 1.5, 3.0)]
    assert leaves[0] > leaves[-1] == 1


def test_the_better_side_of_missing_rows_is_in_the_table():
    """At the root of the penguins the package says which tests take the rows without a value along to the left."""
    app = fine(opened("Grow", data="penguins", recipe="CART", missing="default_direction", split="all", node="0"))
    shown = next(frame.value for frame in app.dataframe if frame.key == "candidates").set_index("feature")["split"]
    table = ex.load_sample("penguins")
    data = ex.Dataset.from_frame(table.frame, "species")
    best = ex.decide(ex.grow(data, ex.CART.replace(missing="default_direction")), data, 0).best
    sides = {name: c.missing_branch for name, c in best.items() if c.missing_branch is not None}
    assert 0 in sides.values()
    assert {name: shown[name].endswith(", or missing") for name in sides} == {n: s == 0 for n, s in sides.items()}
    assert "No missing rows here" not in texts(app.caption)
    tennis = fine(unfold(opened("Grow", data="iris", recipe="CART", missing="default_direction")))
    assert "No missing rows here: no side of" in texts(tennis.caption)


def test_what_rounding_leaves_of_a_root_that_starts_from_the_mean_is_0():
    query = {"recipe": "CART", "score": "newton", "base_score": "mean"}
    for data in ("play_tennis", "auto_mpg"):
        facts = re.search(
            r"G (\S+) · H \S+ · −G/\(H \+ λ\) (\S+)", texts(fine(opened("Grow", data=data, **query)).markdown)
        )
        assert facts is not None
        assert facts.groups() == ("0", "0"), data
