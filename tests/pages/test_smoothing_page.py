"""Smoothed probabilities on the pages: one setting for Evaluate and Predict, in the link and in exports."""

import pytest

import explorer as ex
from pages.results import provenance, pruned_tree, trees
from pages.settings.settings import Settings, changed
from pages.settings.url import settings_from_query
from tests.pages.app import fine, opened, score_of, texts, went

STUMP = {"max_depth": "1"}


def test_evaluate_shows_the_smoothed_log_loss_of_the_golden_stump():
    app = fine(opened("Evaluate", e="", **{"e.rows": "train"}, **STUMP))
    assert score_of(app, "Log loss") == "0.481"
    app = fine(app.selectbox("smoothing").set_value("laplace").run())
    assert score_of(app, "Log loss") == "0.534"
    assert app.query_params["smoothing"] == "laplace"
    app = fine(app.selectbox("smoothing").set_value("m_estimate").run())
    assert score_of(app, "Log loss") == "0.503"


def test_held_out_rows_are_smoothed_too():
    raw = fine(opened("Evaluate", **{"e.rows": "held_out"}))
    smoothed = fine(opened("Evaluate", smoothing="laplace", **{"e.rows": "held_out"}))
    assert score_of(raw, "Log loss") != score_of(smoothed, "Log loss")
    assert score_of(raw, "Accuracy") == score_of(smoothed, "Accuracy")


def test_predict_has_the_same_setting_and_the_worked_fraction():
    app = fine(opened("Evaluate", **STUMP))
    app = fine(app.selectbox("smoothing").set_value("laplace").run())
    app = fine(went(app, "Predict"))
    assert app.selectbox("smoothing").value == "laplace"
    probability = next(metric.value for metric in app.metric if metric.label == "Probability")
    assert probability in ("83.3 %", "57.1 %")  # 5/6 in Overcast, 4/7 in Sunny and Rain
    shown = [element.proto.popover.label for element in app.get("popover")] if app.get("popover") else []
    assert not shown or any("/(" in label for label in shown)


@pytest.mark.parametrize(("max_depth", "label"), [("1", "p = 3/5 = 60.0 %"), ("2", "p = 3/3 = 100 %")])
def test_a_fraction_is_followed_by_the_percent_of_the_head(max_depth, label):
    app = fine(opened("Predict", max_depth=max_depth))  # the typical day is sunny, with high humidity
    assert label in [element.proto.popover.label for element in app.get("popover")]


def test_m_is_asked_for_and_kept():
    app = fine(opened("Predict", smoothing="m_estimate", **STUMP))
    app = fine(app.number_input("smoothing_m").set_value(2.5).run())
    assert app.query_params["smoothing_m"] == "2.5"


def test_a_tree_of_numbers_has_no_such_setting():
    app = fine(opened("Evaluate", data="auto_mpg", smoothing="laplace"))
    assert not [box for box in app.selectbox if box.key == "smoothing"]
    assert not [box for box in fine(went(app, "Predict")).selectbox if box.key == "smoothing"]


def test_the_report_and_exports_know_it_and_pruning_does_not():
    settings = Settings(smoothing="laplace")
    made = provenance.of_pruned(settings, pruned_tree.pruned(settings))
    assert made.tree.smoothing == ex.Smoothing("laplace")
    assert "Laplace" in ex.to_report(made, "markdown")
    assert "with_smoothing" in ex.to_script(made)
    assert trees.grown(settings).tree.smoothing is None


@pytest.mark.parametrize(("query", "problems"), [({"smoothing": "more"}, 1), ({"smoothing_m": "0"}, 1), ({}, 0)])
def test_a_link_with_another_rule_falls_back(query, problems):
    settings, told = settings_from_query({key: [value] for key, value in query.items()})
    assert (settings.smoothing, settings.smoothing_m) == ("none", 1.0)
    assert len(told) == problems


def test_another_rule_clears_the_threshold_on_the_curves():
    settings = changed(Settings(), smoothing="laplace")
    assert changed(settings, smoothing="none").evaluate.threshold == 0


def test_the_text_is_safe():
    app = fine(opened("Predict", smoothing="laplace"))
    assert "None" not in texts(app.caption)


@pytest.mark.parametrize(("row", "label"), [("1", "p = 68.88/68.88 = 100 %"), ("6", "p = 8.75/8.75 = 100 %")])
def test_shares_of_rows_have_few_digits_above_their_formula(row, label):
    app = fine(opened("Predict", data="titanic", recipe="C4.5", **{"ask.row": row}))  # 3995/58 and 35/4 rows
    assert label in [element.proto.popover.label for element in app.get("popover")]
