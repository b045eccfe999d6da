"""Monotone constraints and the number of leaves in the rail of the Grow page, in the link and in the script."""

import pytest

import explorer as ex
from explorer.evaluation.comparison.constraint_costs import constraints_of
from explorer.formatting import number
from pages.results import jobs, provenance, trees
from pages.settings.page_settings import GrowSettings
from pages.settings.settings import Settings
from pages.settings.url import settings_from_query
from tests.pages.app import address_of, all_jobs_ended, fine, opened, picked, summary, texts, unfold


def directed(app, feature, sign):
    """Choose a feature, then its direction."""
    app = fine(app.selectbox("grow.monotone.feature").set_value(feature).run())
    return fine(app.radio("grow.monotone.direction").set_value(sign).run())


def has_constraints(app):
    return any(radio.key == "grow.monotone.direction" for radio in app.radio)


def test_a_direction_chosen_in_the_rail_constrains_the_tree():
    app = fine(picked(unfold(opened("Grow", data="auto_mpg", missing="most_common", max_depth="4")), "grow", "CART"))
    app = directed(app, "weight", 1)
    assert app.query_params["monotone"] == '[["weight",1]]'
    assert app.radio("grow.monotone.direction").value == 1
    assert "monotone: weight increasing" in summary(app)
    settings = Settings(sample="auto_mpg", grow=GrowSettings("CART", (
        ("max_depth", 4), ("missing", "most_common"), ("monotone", (("weight", 1),)),
    )))  # fmt: skip
    tree = trees.grown(settings).tree
    assert f"{tree.n_leaves} leaves" in summary(app)
    assert tree.recipe.monotone == (("weight", 1),)
    assert "monotone={'weight': 1}" in ex.to_script(provenance.of_grown(settings))
    app = directed(app, "horsepower", -1)
    assert "In force: horsepower decreasing, weight increasing." in texts(app.caption)
    assert app.query_params["monotone"] == '[["horsepower",-1],["weight",1]]'
    # Back to none.
    app = directed(directed(app, "weight", 0), "horsepower", 0)
    assert "monotone" not in app.query_params


def test_a_constraint_leaves_the_tree_pruned_and_its_cost_is_one_click_away():
    query = {"data": "credit_g", "recipe": "CART", "alpha": "0.004", "monotone": '[["age",-1]]', "split": "two"}
    app = directed(fine(unfold(opened("Grow", **query))), "duration", 1)
    assert app.query_params["alpha"] == "0.004", "of the same impurity it is the same cost of a leaf"
    before = jobs_known()
    app = fine(app.button("monotone.costs").click().run())
    first = next(
        markdown.value for markdown in app.markdown if "costs" in markdown.value or "importance" in markdown.value
    )
    assert first == "**What each costs**"
    assert "monotone: duration increasing, age decreasing" in summary(app)
    assert {key.split()[0] for key in jobs_known() - before} == {"without"}, "by the same click"


def jobs_known():
    """The keys of all long work that this process, in which other tests ran, still knows."""
    return {entry.key for entry in jobs.pool()._entries.values()}


def cost_shown(**query):
    """The sentence on what a direction costs, and the costs by the package."""
    app = opened("Evaluate", folds="5", run="without.run", **query)
    app.session_state["evaluate.tab"] = "Importance"
    fine(app.run())
    all_jobs_ended()
    app = fine(app.run())
    settings, _ = settings_from_query(address_of(app))
    recipe, train = trees.recipe(settings), trees.parts(settings).train
    asked = [each for each in constraints_of(recipe) if each.field == "monotone"]
    found = ex.constraint_costs(train, recipe, folds=5, seed=settings.fold_seed, constraints=asked)
    return app, texts(app.markdown), found


def test_the_cost_of_one_direction_stands_in_a_sentence_with_the_numbers_of_the_package():
    query = {"data": "credit_g", "recipe": "CART", "split": "two", "max_depth": "5", "monotone": '[["duration",1]]'}
    app, said, found = cost_shown(**query)
    (cost,) = found.costs
    mean, error = (100 * value for value in cost.change)
    verb = "costs" if mean <= 0 else "saves"
    assert f"**monotone: duration increasing** {verb} **{abs(mean):.1f} ± {error:.1f} points of error rate**" in said
    assert ("no clear difference" in said) == (abs(mean) < 2 * error)
    now, then = found.tree.n_leaves, cost.tree.n_leaves
    assert (f"{now} leaves instead of {then}." if now != then else f"{now} leaves, as without it.") in said
    first = cost.first_difference
    assert f"First difference at node {first.node_a}: " in said
    assert f"{found.tree.node(first.node_a).condition.text} instead of " in said
    app = fine(app.button("without.node0").click().run())
    assert app.query_params.get("node", "0") == str(first.node_a)
    assert not [frame for frame in app.dataframe if "without" in frame.value.columns], "nothing else is grown"
    app = fine(app.button("others.run").click().run())
    all_jobs_ended()
    table = next(frame.value for frame in fine(app.run()).dataframe if "without" in frame.value.columns)
    assert "Max. depth" in table["without"].tolist()
    assert not table["without"].str.contains("monotone").any()


def test_a_direction_that_the_tree_keeps_by_itself_is_said_to_change_nothing():
    query = {"data": "credit_g", "recipe": "CART", "max_depth": "1", "monotone": '[["age",1]]'}
    _, said, found = cost_shown(**query)
    (cost,) = found.costs
    assert cost.first_difference is None
    assert not cost.differences.any()
    assert "**monotone: age increasing** costs nothing: every held-out row is predicted as well without it." in said
    assert "both trees ask the same tests, since the tree keeps to it by itself." in said


def test_the_cost_of_a_direction_for_a_numeric_target_is_in_its_loss():
    query = {"data": "auto_mpg", "recipe": "CART", "missing": "most_common", "max_depth": "2"}
    _, said, found = cost_shown(**query, monotone='[["weight",1]]')
    (cost,) = found.costs
    assert found.metric == "mse"
    assert f"± {number(cost.change[1], 3)} of mean squared error**" in said


@pytest.mark.parametrize("decide", ["", "1:0.3"])
def test_costs_say_that_a_threshold_is_not_applied_to_them(decide):
    app = opened("Evaluate", data="titanic", recipe="CART", monotone="fare:1", missing="most_common", decide=decide)
    app.session_state["evaluate.tab"] = "Importance"
    app = fine(app.run())
    assert "costs**" in texts(app.markdown)
    assert ("threshold not applied here" in texts(app.caption)) == bool(decide)


def test_many_constraints_are_counted_in_the_line_above_the_tree():
    monotone = '[["age",-1],["duration",1],["credit_amount",1]]'
    assert "monotone in 3 features" in summary(opened("Grow", data="credit_g", recipe="CART", monotone=monotone))


def test_the_candidates_name_the_constraint_they_violate():
    settings = Settings(sample="auto_mpg", grow=GrowSettings("CART", (
        ("max_depth", 2), ("missing", "most_common"), ("monotone", (("weight", 1),)),
    )))  # fmt: skip
    rejected = {candidate.rejected for candidate in trees.decision(settings, 0).candidates.of_feature("weight")}
    assert "violates: must increase with weight" in rejected


@pytest.mark.parametrize(("data", "recipe"), [("iris", "CART"), ("play_tennis", "ID3")])
def test_where_no_constraint_is_possible_the_table_is_not_there_and_the_page_says_what_it_needs(data, recipe):
    app = fine(picked(unfold(opened("Grow", data=data)), "grow", recipe))
    assert not has_constraints(app)
    assert "Monotone constraints needs a numeric target or two classes" in texts(app.markdown).replace("**", "")


def test_a_direction_fills_in_missing_values_where_it_needs_that_and_says_so_before():
    """Choose the feature, its direction, and ask for the cost: with the expander four clicks, as without gaps."""
    app = fine(picked(unfold(opened("Grow", data="titanic")), "grow", "CART"))
    said = "Missing values are filled in as well (“Most common value”)"
    assert said in texts(app.caption)
    app = directed(app, "age", 0)
    assert "missing" not in app.query_params, "none is no direction"
    app = directed(app, "age", -1)
    assert app.query_params["monotone"] == '[["age",-1]]'
    assert app.query_params["missing"] == "most_common"
    assert said not in texts(app.caption)
    assert "monotone: age decreasing" in summary(app)
    assert app.button("monotone.costs")


@pytest.mark.parametrize("missing", [None, "own_branch"])
def test_what_was_filled_in_for_a_direction_goes_back_with_the_last_of_them(missing):
    earlier = {} if missing is None else {"missing": missing}
    app = fine(unfold(opened("Grow", data="titanic", recipe="CART", **earlier)))
    grown = summary(app)
    app = directed(directed(app, "age", -1), "fare", 1)
    assert app.query_params["missing"] == "most_common"
    app = directed(app, "fare", 0)
    assert app.query_params["missing"] == "most_common", "age still needs it"
    app = directed(app, "age", 0)
    assert app.query_params.get("missing") == missing
    assert summary(app) == grown


def test_missing_values_filled_in_by_choice_stay_so_without_a_direction():
    app = fine(picked(unfold(opened("Grow", data="titanic", missing="most_common")), "grow", "CART"))
    app = directed(directed(app, "age", -1), "age", 0)
    assert app.query_params["missing"] == "most_common"


def test_a_link_with_a_bad_constraint_is_refused():
    settings, problems = settings_from_query({"recipe": ["CART"], "monotone": ['[["weight",3]]']})
    assert dict(settings.grow.changes) == {}
    assert len(problems) == 1
    settings, problems = settings_from_query({"recipe": ["CART"], "monotone": ['[["weight",-1]]']})
    assert dict(settings.grow.changes) == {"monotone": (("weight", -1),)}
    assert not problems


def test_the_number_of_leaves_is_limited_in_the_rail_and_a_leaf_says_why_it_is_one():
    app = fine(picked(unfold(opened("Grow", data="auto_mpg")), "grow", "CART"))
    app = fine(app.number_input("grow.max_leaf_nodes").set_value(5).run())
    assert "5 leaves" in summary(app)
    assert app.query_params["max_leaf_nodes"] == "5"
    settings = Settings(sample="auto_mpg", grow=GrowSettings("CART", (("max_leaf_nodes", 5),)))
    leaf = int(trees.grown(settings).tree.leaves()[0])
    app = fine(opened("Grow", data="auto_mpg", recipe="CART", max_leaf_nodes="5", node=str(leaf)))
    shown = texts(app.markdown)
    assert "maximum number of leaves reached" in shown
    assert "every split that was made decreases it by at least" in shown
