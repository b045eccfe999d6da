"""A threshold that decides: chosen on Evaluate, followed by matrix, rules, predictions, exports and the link."""

import numpy as np
import pytest

import explorer as ex
from explorer.formatting import percent
from pages.results import evaluation, provenance, rules, trees
from pages.settings.settings import Settings, changed
from pages.settings.url import settings_from_query
from tests.pages.app import address_of, all_jobs_ended, cell_chosen, fine, opened, score_of, summary, texts, views, went

STUMP = {"max_depth": "1"}
CURVES = {"e.rows": "train", "e.class": "1", "e.threshold": "1"}


def test_a_threshold_decides_on_every_page_and_a_click_undoes_it():
    app = fine(opened("Evaluate", **CURVES, **STUMP))  # Yes from 4/4 on
    app = fine(app.toggle("decision.on").set_value(True).run())
    assert app.query_params["decide"] == "1:1"
    app = fine(opened("Evaluate", decide="1:1", **{"e.rows": "train"}, **STUMP))
    assert score_of(app, "Accuracy") == "64.3 %", "4 of 9 and all 5 of the others are right"
    app = fine(went(app, "Rules"))
    assert "is predicted from a probability of 100 % on" in texts(app.caption)
    app = fine(went(app, "Predict"))
    app = fine(app.button("decide.off").click().run())
    assert "decide" not in app.query_params


def test_matrix_rules_export_and_script_follow_the_same_threshold():
    settings = changed(Settings(), decide=(1, 1.0), grow=Settings().grow.with_change("max_depth", 1))
    tree = evaluation.evaluated_tree(settings)
    assert tree.predict(ex.load_sample("play_tennis").frame).tolist().count("Yes") == 4
    assert {rule.prediction for rule in rules.own(settings).rules if rule.conditions} == {"Yes", "No"}
    assert trees.tree_payload(settings, decision=tree.decision) != trees.tree_payload(settings), "nodes say so too"
    made = provenance.of_tree(settings, tree)
    assert made.tree.decision == tree.decision
    assert "with_threshold('Yes', 1.0)" in ex.to_script(made)
    assert "from a probability of 100 % on" in ex.to_report(made)


@pytest.mark.parametrize(("page", "is_said"), [("Grow", True), ("Prune", True), ("Compare", True), ("Rules", False)])
@pytest.mark.parametrize(
    ("query", "text"),
    [
        ({"decide": "1:1"}, "threshold not applied here"),
        ({"data": "iris", "recipe": "CART", "decide": "1:1:0.5"}, "cutoffs not applied here"),
    ],
)
def test_a_page_whose_tree_ignores_the_choice_says_so(page, is_said, query, text):
    app = fine(opened(page, **query, **STUMP))
    assert (text in texts(app.markdown)) == is_said


def test_buttons_find_thresholds():
    app = opened("Evaluate", **CURVES, **STUMP)
    app.session_state["decision.find"] = True
    app = fine(app.run())
    app = fine(app.button("decision.accuracy").click().run())
    assert app.query_params["e.threshold"] == "2"  # 4/4 and 3/5: 10 of 14 are right
    assert "precision 77.8 %, accuracy 71.4 %" in texts(app.caption)
    app = fine(app.number_input("decision.share").set_value(25.0).run())
    assert app.query_params["e.threshold"] == "1", "4 of 14 days are the top 25 %"
    assert "The top 25 % takes 28.6 % of the rows. A leaf is not divided." in texts(app.caption)
    app = fine(app.number_input("decision.share").set_value(30.0).run())
    assert "The top 30 % takes 64.3 % of the rows." in texts(app.caption)
    app = fine(went(went(app, "Rules"), "Evaluate"))
    assert app.number_input("decision.share").value == 30.0, "the panel stays open and keeps its number"
    app = fine(app.button("decision.fewer").click().run())
    assert app.query_params["e.threshold"] == "1", "4 of 14 days are 28.6 %"
    app = fine(app.number_input("decision.profit1").set_value(-9.0).run())
    assert app.query_params["e.profit"] == "1:-9:0:0"
    app = fine(app.button("decision.most").click().run()) if not app.button("decision.most").disabled else app
    assert app.query_params["e.threshold"] == "1"


def test_a_threshold_that_lowers_the_accuracy_says_what_it_was_chosen_by():
    """Of play tennis only Overcast is certain: to predict Yes there alone is most precise, right for 9 of 14 days."""
    rows = {"e.rows": "train", "e.class": "1"}
    app = fine(opened("Evaluate", decide="1:1", **{"e.profit": "1:-9:0:0"}, **rows, **STUMP))
    said = texts(app.caption)
    assert "“Yes” is predicted from a probability of 100 % on." in said
    assert "On these rows that is the threshold of the best KS, the most profit (0.2857 a row)." in said, "4/14"
    assert "Accuracy is not its aim" in said
    app = fine(opened("Evaluate", decide="1:0.6", **rows, **STUMP))  # 3/5: the best accuracy
    assert "Accuracy is not its aim" not in texts(app.caption)
    app = fine(opened("Evaluate", decide="1:0.001", **rows, **STUMP))
    assert "it is chosen by hand, or by the share of the rows." in texts(app.caption)
    assert "majority baseline (64.3 %), by the chosen threshold" in summary(app)


def leaves_tab(**query):
    app = opened("Evaluate", **STUMP | query)
    app.session_state["evaluate.tab"] = "Leaves"
    return fine(app.run())


def ringed(app):
    return {mark["node"] for mark in views(app)["evaluate"]["marks"] if mark["kind"] == "ring"}


def gains_of(app):
    return next(frame for frame in app.dataframe if "captured" in frame.value)


def test_the_first_leaves_of_most_profit_are_ringed_and_stay_over_pages():
    """Overcast 4 of 4, rain 3 of 5, sunny 2 of 5 (section 8 of DEFINITIONS)."""
    app = leaves_tab(**{"e.rows": "train", "e.class": "1"})
    assert ringed(app) == set()
    assert gains_of(app).value["leaf"].tolist() == ["2", "3", "1"]
    assert gains_of(app).value["profit"].tolist() == ["1", "0.2", "−0.2"]
    assert gains_of(app).value["profit so far"].tolist() == ["0.286", "0.357", "0.286"]
    assert "training" not in gains_of(app).value, "these are the training rows"
    app = fine(app.button("gains.best").click().run())
    assert (ringed(app), app.number_input("gains.top").value) == ({2, 3}, 2)
    assert "profit 0.3571 a row" in texts(app.caption)
    app = fine(app.number_input("decision.profit1").set_value(-3.0).run())
    assert gains_of(app).value["profit"].tolist() == ["1", "−0.6", "−1.4"]
    app = fine(went(went(app, "Rules"), "Evaluate"))
    assert (ringed(app), app.number_input("gains.top").value) == ({2, 3}, 2)
    app = fine(app.button("gains.best").click().run())
    assert ringed(app) == {2}
    assert ringed(fine(opened("Evaluate", **{"e.first": "2", "e.rows": "train", "e.class": "1"}, **STUMP))) == {2, 3}


def test_a_click_in_the_gains_rings_its_leaf():
    app = leaves_tab(**{"e.rows": "train", "e.class": "1"})
    app = fine(cell_chosen(app, gains_of(app), 1, "rows"))
    assert (ringed(app), app.query_params["node"]) == ({3}, "3")


def test_gains_of_validation_rows_stand_beside_the_training_rows_and_small_leaves_are_named():
    app = leaves_tab(data="titanic", split="two", recipe="CART", max_depth="4", **{"e.class": "1"})
    settings = settings_from_query(address_of(app))[0]
    tree = evaluation.evaluated_tree(settings)
    table = gains_of(app).value
    shares = [tree.shares[int(leaf), 1] for leaf in table["leaf"]]
    assert shares == sorted(shares, reverse=True), "in the tree's own order"
    assert "no leaf is first by luck" in texts(app.caption)
    assert "not optimistic" not in texts(app.caption), "these rows may have chosen the size"
    stats = tree.row_stats[table["leaf"].astype(int)]
    assert table["training"].tolist() == [percent(share) for share in stats[:, 1] / stats.sum(axis=1)]
    first = ex.gains(tree, evaluation.rows(settings), 1, by_training=True)["leaf"].head(3).tolist()
    app = fine(app.number_input("gains.top").set_value(3).run())
    assert (ringed(app), "e.gains" in app.query_params) == (set(first), False)
    app = fine(app.segmented_control("gains.order").set_value(False).run())
    by_response = ex.gains(tree, evaluation.rows(settings), 1)["leaf"].tolist()
    assert app.query_params["e.gains"] == "response"
    assert gains_of(app).value["leaf"].astype(int).tolist() == by_response != table["leaf"].astype(int).tolist()
    assert "Optimistic" in texts(app.caption)
    assert settings_from_query({"e.gains": ["training"]})[0].evaluate.gains_by_training, "links of before"
    app = leaves_tab(**{"e.rows": "train", "e.class": "1"})
    assert "Grey: fewer than 10 rows" in texts(app.caption)
    app = leaves_tab(data="titanic", recipe="CART", **{"e.rows": "train", "e.class": "1"})
    assert "Grey: fewer than 10 rows" not in texts(app.caption)


@pytest.mark.parametrize(("text", "problems"), [("1:0.25", 0), ("0:1", 0), ("1:0", 1), ("2:0.5", 1), ("1:2", 1)])
def test_a_link_with_no_such_threshold_is_told_so(text, problems):
    settings, found = settings_from_query({"decide": [text]})
    assert len(found) == problems
    assert bool(settings.decide) == (not problems)


def test_another_target_forgets_the_threshold():
    assert changed(changed(Settings(), decide=(1, 0.3)), target="Wind").decide == ()


def test_what_each_limit_costs_has_the_numbers_of_the_package():
    app = opened("Evaluate", folds="7", **STUMP)
    app.session_state["evaluate.tab"] = "Importance"
    app.run().button("without.run").click().run()
    all_jobs_ended()
    table = next(frame.value for frame in fine(app.run()).dataframe if "without" in frame.value.columns)
    tennis = ex.Dataset.from_frame(ex.load_sample("play_tennis").frame, "PlayTennis")
    found = ex.constraint_costs(tennis, ex.ID3.replace(max_depth=1), columns=["Outlook"], folds=7)
    depth, outlook = (
        next(cost for cost in found.costs if cost.constraint.field == name) for name in ("max_depth", "column")
    )
    lines = {line["without"]: line for line in table.to_dict("records")}
    assert lines.keys() == {"as it is", "Max. depth", "column Outlook"}
    for name, cost in (("Max. depth", depth), ("column Outlook", outlook)):
        mean, error = (100 * value for value in cost.change)
        assert lines[name]["loss"].replace("−", "-").lstrip("+") == f"{mean:.1f} ± {error:.1f}"
        assert int(lines[name]["leaves"]) == cost.tree.n_leaves


IRIS = {"data": "iris", "recipe": "CART", "max_depth": "1", "e.rows": "train", "e.class": "2", "e.threshold": "1"}


def table_of_cutoffs(app):
    return next(frame.value for frame in app.dataframe if "predicted" in frame.value)


def test_cutoffs_of_three_classes_decide_on_every_page():
    """A stump on iris: setosa, and versicolor tied with virginica, of which a lower cutoff predicts the other."""
    app = opened("Evaluate", **IRIS)
    app.session_state["cutoffs.find"] = True
    app = fine(app.run())
    app = fine(app.number_input("cutoffs.class2").set_value(0.5).run())
    assert app.query_params["decide"] == "1:1:0.5"
    table = table_of_cutoffs(app)
    assert table["predicted"].tolist() == [percent(each) for each in (1 / 3, 0.0, 2 / 3)]
    assert table["recall"].tolist() == [1, 0, 1]
    assert table["precision"].iloc[2] == 0.5
    assert "Accuracy 66.7 %" in texts(app.caption)
    app = fine(app.number_input("cutoffs.share").set_value(30.0).run())
    assert "The top 30 % takes 66.7 % of the rows. A leaf is not divided." in texts(app.caption)
    assert fine(app.button("cutoffs.fewer").click().run()).query_params["decide"].startswith("1:1:")
    assert table_of_cutoffs(app)["predicted"].tolist() == [percent(each) for each in (1 / 3, 2 / 3, 0.0)]
    app = fine(went(went(app, "Rules"), "Evaluate"))
    app = fine(app.number_input("cutoffs.class2").set_value(0.5).run())
    settings, problems = settings_from_query(address_of(app))
    assert not problems
    tree = evaluation.evaluated_tree(settings)
    said = tree.predict(ex.load_sample("iris").frame).tolist()
    assert said.count("Iris-virginica") == 100
    assert {rule.prediction for rule in rules.own(settings).rules} == {"Iris-setosa", "Iris-virginica"}
    made = provenance.of_tree(settings, tree)
    assert "with_cutoffs({'Iris-setosa': 1.0, 'Iris-versicolor': 1.0, 'Iris-virginica': 0.5})" in ex.to_script(made)
    assert "divided by its cutoff" in ex.to_report(made)
    app = fine(went(app, "Predict"))
    assert "divided by its cutoff" in texts(app.caption)
    app = fine(app.button("decide.off").click().run())
    assert "decide" not in app.query_params


def test_buttons_find_cutoffs():
    """Of cars few are good or very good: the likelier class is never one of these in a small tree."""
    query = {"data": "car", "recipe": "CART", "max_depth": "3", "e.rows": "train", "e.class": "2", "e.threshold": "1"}
    app = opened("Evaluate", **query)
    app.session_state["cutoffs.find"] = True
    app = fine(app.run())
    settings = settings_from_query(address_of(app))[0]
    tree, rows = evaluation.evaluated_tree(settings), evaluation.rows(settings)
    expected = ex.best_cutoffs(tree, rows, "mean_recall")
    app = fine(app.button("cutoffs.mean_recall").click().run())
    found = [float(each) for each in address_of(app)["decide"][0].split(":")]
    assert found == pytest.approx(list(expected.values()))
    said = evaluation.evaluated_tree(settings_from_query(address_of(app))[0]).predict(rows)
    assert len(set(said)) > len(set(tree.predict(rows)))
    app = fine(app.number_input("cutoffs.share").set_value(20.0).run())
    said = evaluation.evaluated_tree(settings_from_query(address_of(app))[0]).predict(rows)
    assert (said == tree.classes[2]).mean() >= 0.2


def test_equal_cutoffs_are_none():
    app = opened("Evaluate", decide="1:1:0.5", **IRIS)
    app.session_state["cutoffs.find"] = True
    app = fine(app.run())
    app = fine(app.number_input("cutoffs.class2").set_value(1.0).run())
    assert "decide" not in app.query_params


@pytest.mark.parametrize(
    ("text", "problems"),
    [("1:0.5:2", 0), ("1e-05:1:1", 0), ("1:0:1", 1), ("1:-1:1", 1), ("1:1:1e9", 1)],
)
def test_cutoffs_of_a_link(text, problems):
    settings, found = settings_from_query({"decide": [text]})
    assert len(found) == problems
    assert len(settings.decide) == (0 if problems else 3)


def test_the_costs_of_columns_name_the_surrogate_splits_that_are_lost_with_them():
    """Counted split by split in words, as the inspector of a node lists its surrogates."""
    app = opened("Evaluate", data="titanic", recipe="CART", max_depth="4", split="all", folds="2")
    app.session_state["evaluate.tab"] = "Importance"
    app.run().button("without.run").click().run()
    all_jobs_ended()
    said = texts(fine(app.run()).caption)
    sample = ex.SAMPLES["titanic"]
    frame = ex.load_sample("titanic").frame
    data = ex.Dataset.from_frame(frame, sample.target, features=sample.features, kinds=sample.kinds)
    tree = ex.grow(data, ex.CART.replace(max_depth=4))
    inner = np.flatnonzero(tree.is_inner).tolist()
    asked = [each.feature for node in inner for each in ex.decide(tree, data, node).surrogates]
    assert asked, "the tree has surrogate splits"
    listed = "Without a column the tree also loses its surrogate splits"
    line = next(line for line in said.splitlines() if listed in line)
    for name in {feature.name for feature in tree.features}:
        n = asked.count(name)
        assert (f"{name} at {n} split" in line) == (n > 0)
