"""The options of growing on the page: each where it means something, with the reason where it does not."""

import pytest

import explorer as ex
from pages.settings import growing_options
from pages.settings.page_settings import GrowSettings
from tests.pages.app import fine, measured, metrics, opened, picked, texts, unfold, went

TWO = {"data": "titanic", "split": "two"}


def shown_fields(app, slot="grow"):
    """The fields that have a widget."""
    widgets = [*app.selectbox, *app.number_input, *app.toggle]
    return {widget.key.split(".", 1)[1] for widget in widgets if (widget.key or "").startswith(f"{slot}.")}


@pytest.mark.parametrize("data", ["titanic", "vote", "auto_mpg", "play_tennis"])
def test_every_option_is_shown_or_its_absence_explained(data):
    app = fine(unfold(opened("Grow", data=data)))
    explained = texts(app.markdown)
    for option in growing_options.OPTIONS:
        assert (option.field in shown_fields(app)) != (f"**{option.label}** needs {option.needs}." in explained)


def test_a_chi2_level_of_001_leaves_play_tennis_a_single_leaf():
    # Outlook: chi2 3.547 with df 2, p = 0.170
    app = fine(unfold(opened("Grow")).number_input("grow.chi2_level").set_value(0.01).run())
    assert metrics(app)["Leaves"] == "1"
    assert app.query_params["chi2_level"] == "0.01"


def test_prepruning_needs_validation_rows_and_says_where_they_come_from():
    app = fine(unfold(opened("Grow")))
    assert "prepruning" not in shown_fields(app)
    assert "**Pre-pruning** needs a validation set. Choose “Training and validation” on the Data page." in texts(
        app.markdown
    )


def test_prepruning_chosen_without_validation_rows_can_be_switched_off():
    app = unfold(opened("Grow", prepruning="true"))
    assert not app.exception
    assert "Choose “Training and validation” on the Data page" in texts(app.error)
    app = fine(app.toggle("grow.prepruning").set_value(False).run())
    assert metrics(app)["Leaves"] == "5"


def leaves_by_the_package(seed):
    """Leaves of the pre-pruned tree on the page's rows, by two lines of the package."""
    sample = ex.SAMPLES["titanic"]
    kinds, features = dict(sample.kinds), sample.features
    data = ex.Dataset.from_frame(ex.load_sample("titanic").frame, sample.target, features=features, kinds=kinds)
    train, valid = data.split(0.7, seed=seed)
    return ex.grow(train, ex.CART.replace(prepruning=True), validation=valid).n_leaves


def test_prepruning_scores_on_the_validation_set_in_force():
    for seed in (0, 1):
        app = fine(opened("Grow", prepruning="true", recipe="CART", seed=str(seed), **TWO))
        assert metrics(app)["Leaves"] == f"{leaves_by_the_package(seed):,}"


def test_a_score_by_entropy_takes_entropy_along():
    app = picked(unfold(opened("Grow")), "grow", "CART")
    app = fine(app.selectbox("grow.score").set_value("gain_ratio").run())
    assert app.query_params["impurity"] == "entropy"
    assert "impurity" not in shown_fields(app)
    assert "mean_gain_filter" in shown_fields(app)


@pytest.mark.parametrize("name", ["ID3", "C4.5"])
def test_scores_by_entropy_are_consistent_already(name):
    assert GrowSettings(name).consistent(ex.CART) == GrowSettings(name)


def test_numbers_are_offered_no_score_of_classes():
    app = fine(unfold(opened("Grow", data="auto_mpg")))
    offered = " ".join(app.selectbox("grow.score").options)
    assert "Squared errors weighed twice" in offered
    assert "Gain ratio" not in offered
    app = fine(app.selectbox("grow.score").set_value("squared_share_weighting").run())
    assert app.query_params["score"] == "squared_share_weighting"


def test_numbers_are_split_by_the_loss_that_is_chosen():
    app = fine(opened("Grow", data="auto_mpg", recipe="CART"))
    assert app.selectbox("grow.impurity").options == ["Variance", "Poisson deviance", "Absolute error", "Quantile loss"]
    app = fine(app.selectbox("grow.impurity").set_value("poisson").run())
    assert app.query_params["impurity"] == "poisson"
    app = unfold(app)
    assert "min_squared_error" not in shown_fields(app)
    app = app.selectbox("grow.score").set_value("newton").run()
    assert "Recipe field 'score' is 'newton'. Allowed: 'decrease' with impurity 'poisson'." in texts(app.error)
    assert "score" not in app.query_params


def test_nunez_offers_how_much_costs_matter():
    app = fine(unfold(opened("Grow")).selectbox("grow.score").set_value("nunez").run())
    assert app.number_input("grow.nunez_w").value == 1.0
    assert fine(app.number_input("grow.nunez_w").set_value(0.5).run()).query_params["nunez_w"] == "0.5"


def test_compare_has_the_same_options():
    app = fine(unfold(opened("Compare", data="titanic"), "left", "right"))
    assert {"score", "chi2_level", "prepruning"} <= shown_fields(app, "left") & shown_fields(app, "right")


def test_choices_that_do_not_suit_the_target_are_named_with_what_they_need():
    text = texts(fine(unfold(opened("Grow", data="auto_mpg"))).markdown)
    scores = "Information gain, Gain ratio, Gain against cost, Adjusted p-value (LogWorth)"
    assert f"**Split criterion**: {scores} needs classes." in text
    assert "**Missing values**: Most common in its class needs classes." in text
    text = texts(fine(unfold(opened("Grow"))).markdown)
    assert "**Split criterion**: Squared errors weighed twice needs a numeric target." in text


def test_bins_can_be_empty_too():
    # petal lengths and widths rise together: below a short petal no wide one is left
    app = fine(unfold(opened("Grow", data="iris", recipe="ID3")))
    before = int(metrics(app)["Leaves"])
    app = fine(app.toggle("grow.empty_branches").set_value(False).run())
    assert int(metrics(app)["Leaves"]) < before


def test_a_charge_in_force_stays_in_sight_when_its_score_is_left():
    query = {"data": "iris", "recipe": "CART", "score": "tan_schlimmer", "release8_penalty": "true"}
    app = fine(unfold(opened("Grow", **query)).selectbox("grow.score").set_value("decrease").run())
    assert app.toggle("grow.release8_penalty").value
    app = fine(app.toggle("grow.release8_penalty").set_value(False).run())
    assert "release8_penalty" not in shown_fields(app)


def test_description_length_can_stop_classes_and_is_in_the_address():
    app = fine(unfold(opened("Grow")).toggle("grow.mdl_stop").set_value(True).run())
    assert metrics(app)["Leaves"] == "1"  # 16.87 bits for a leaf, 23.14 with Outlook
    assert app.query_params["mdl_stop"] == "true"
    assert "mdl_stop" not in shown_fields(fine(unfold(opened("Grow", data="auto_mpg"))))


@pytest.mark.parametrize(
    ("first", "then", "message"),
    [
        (
            {"data": "vote", "recipe": "CART", "missing": "same_class"},
            "auto_mpg",
            "The target is numeric: the tree is now grown with CART.",
        ),
        (
            {"data": "vote", "recipe": "CART", "mdl_stop": "true"},
            "auto_mpg",
            "The target is numeric: the tree is now grown with CART.",
        ),
        (
            {"data": "auto_mpg", "score": "squared_share_weighting"},
            "vote",
            "The target is categorical: the tree is now grown with the default settings.",
        ),
    ],
)
def test_what_another_kind_of_target_rules_out_is_given_up_and_said(first, then, message):
    app = fine(opened("Data", **{**first, "data": then}))
    assert message in texts(app.warning)
    app = fine(went(app, "Grow"))
    assert int(metrics(app)["Leaves"]) > 1


def test_a_number_that_a_link_lets_compete_by_gain_ratio_has_its_table():
    app = fine(measured(opened("Grow", data="lihang_8_2_regression", recipe="CART", score="gain_ratio")))
    result = next(frame.value for frame in app.dataframe if "gain ratio" in frame.value)
    assert result["gain ratio"].iloc[0] == pytest.approx(
        result["variance decrease"].iloc[0] / result["split information"].iloc[0]
    )


def test_the_base_score_in_force_is_shown_and_changes_there_and_back():
    app = fine(unfold(opened("Grow", data="auto_mpg", recipe="CART", score="newton")))
    box = app.selectbox("grow.base_score")
    zero, mean = box.options
    assert box.value == "mean"
    assert zero.startswith("0 ")
    fine(box.select(zero).run())
    assert app.query_params["base_score"] == "none"
    app = fine(app.selectbox("grow.base_score").select(mean).run())
    assert app.selectbox("grow.base_score").value == "mean"
    assert "base_score" not in app.query_params


def test_what_is_folded_away_is_drawn_once_it_is_open():
    app = fine(opened("Grow", data="auto_mpg", recipe="CART", missing="most_common"))
    drawn = shown_fields(app)
    assert {"max_depth", "missing"} <= drawn
    assert not {"max_leaf_nodes", "score"} & drawn
    assert not app.file_uploader
    assert {"max_depth", "missing", "max_leaf_nodes", "score"} <= shown_fields(fine(unfold(app)))
    app = fine(picked(app, "grow", "CART"))
    assert "max_leaf_nodes" in shown_fields(app), "an open fold stays open"
