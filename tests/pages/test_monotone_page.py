"""Monotone constraints and the number of leaves in the rail of the Grow page, in the link and in the script."""

import pytest

import explorer as ex
from pages.results import provenance, trees
from pages.settings.page_settings import GrowSettings
from pages.settings.settings import Settings
from pages.settings.url import settings_from_query
from tests.pages.app import editor, fine, opened, picked, summary, texts, typed, unfold


def constraints(app):
    """The table of constraints."""
    return editor(app, "feature", "prediction")


def has_constraints(app):
    return any(list(frame.value.columns) == ["feature", "prediction"] for frame in app.dataframe)


def test_a_direction_chosen_in_the_rail_constrains_the_tree():
    app = fine(picked(unfold(opened("Grow", data="auto_mpg", missing="most_common", max_depth="4")), "grow", "CART"))
    table = constraints(app)
    line = table.value["feature"].tolist().index("weight")
    app = fine(typed(app, table, **{f"_{line}": {"prediction": "increasing"}}))
    assert app.query_params["monotone"] == '[["weight",1]]'
    assert constraints(app).value["prediction"].tolist()[line] == "increasing"
    settings = Settings(sample="auto_mpg", grow=GrowSettings("CART", (
        ("max_depth", 4), ("missing", "most_common"), ("monotone", (("weight", 1),)),
    )))  # fmt: skip
    tree = trees.grown(settings).tree
    assert f"{tree.n_leaves} leaves" in summary(app)
    assert tree.recipe.monotone == (("weight", 1),)
    assert "monotone={'weight': 1}" in ex.to_script(provenance.of_grown(settings))
    # Back to none.
    app = fine(typed(app, constraints(app), **{f"_{line}": {"prediction": "none"}}))
    assert "monotone" not in app.query_params


def test_the_candidates_name_the_constraint_they_violate():
    settings = Settings(sample="auto_mpg", grow=GrowSettings("CART", (
        ("max_depth", 2), ("missing", "most_common"), ("monotone", (("weight", 1),)),
    )))  # fmt: skip
    rejected = {candidate.rejected for candidate in trees.decision(settings, 0).candidates.of_feature("weight")}
    assert "violates: must increase with weight" in rejected


@pytest.mark.parametrize(("data", "recipe"), [("iris", "CART"), ("play_tennis", "ID3"), ("titanic", "CART")])
def test_where_no_constraint_is_possible_the_table_is_not_there_and_the_page_says_what_it_needs(data, recipe):
    app = fine(picked(unfold(opened("Grow", data=data)), "grow", recipe))
    assert not has_constraints(app)
    assert "Monotone constraints needs a numeric target or two classes" in texts(app.markdown).replace("**", "")


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
