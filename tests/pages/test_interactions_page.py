"""Interaction constraints in the rail of the Grow page, in the link, in the line above the tree and in the script."""

import explorer as ex
from pages.results import provenance, trees
from pages.settings.page_settings import GrowSettings
from pages.settings.settings import Settings
from pages.settings.url import settings_from_query
from tests.pages.app import fine, opened, picked, summary, texts, unfold


def chosen(app, position, features):
    """Choose the features of a set."""
    return fine(app.multiselect(f"grow.interactions.{position}").set_value(features).run())


def test_sets_chosen_in_the_rail_constrain_the_tree():
    app = fine(picked(unfold(opened("Grow", data="auto_mpg", missing="most_common", max_depth="4")), "grow", "CART"))
    app = chosen(app, 0, ["weight", "horsepower"])
    assert app.query_params["interactions"] == '[["weight","horsepower"]]'
    assert "interactions: weight, horsepower" in summary(app)
    rest = next(caption.value for caption in app.caption if caption.value.startswith("In no set"))
    assert "cylinders" in rest
    assert "weight" not in rest
    settings = Settings(sample="auto_mpg", grow=GrowSettings("CART", (
        ("interactions", (("weight", "horsepower"),)), ("max_depth", 4), ("missing", "most_common"),
    )))  # fmt: skip
    tree = trees.grown(settings).tree
    assert f"{tree.n_leaves} leaves" in summary(app)
    assert "interactions=(('weight', 'horsepower'),)" in ex.to_script(provenance.of_grown(settings))
    app = chosen(app, 1, ["cylinders", "weight"])
    assert "2 interaction sets" in summary(app)
    # Emptied sets are gone.
    app = chosen(chosen(app, 0, []), 0, [])
    assert "interactions" not in app.query_params


def test_the_candidates_say_beside_what_a_feature_is_not_allowed():
    app = fine(opened("Grow", data="play_tennis", recipe="ID3", interactions='[["Outlook","Wind"]]', node="1"))
    assert "not allowed beside Outlook" in texts(app.markdown) + texts(app.caption)


def test_the_tree_stays_pruned_and_what_the_sets_cost_is_one_click_away():
    query = {"data": "credit_g", "recipe": "CART", "alpha": "0.004", "interactions": '[["age","duration"]]'}
    app = chosen(fine(unfold(opened("Grow", **query, split="two"))), 1, ["housing"])
    assert app.query_params["alpha"] == "0.004"
    assert app.button("interactions.costs").label == "What it costs"


def test_a_link_with_bad_sets_is_refused():
    for text in ('[["weight"],[]]', '[["weight",3]]', '["weight"]', '{"a":1}', "["):
        settings, problems = settings_from_query({"recipe": ["CART"], "interactions": [text]})
        assert dict(settings.grow.changes) == {}
        assert len(problems) == 1
    settings, problems = settings_from_query({"recipe": ["CART"], "interactions": ['[["weight","age"],["age"]]']})
    assert dict(settings.grow.changes) == {"interactions": (("weight", "age"), ("age",))}
    assert not problems


def test_another_table_begins_without_sets():
    growing = GrowSettings("CART", (("interactions", (("weight", "age"),)), ("max_depth", 3)))
    assert growing.with_other_table() == GrowSettings("CART", (("max_depth", 3),))
