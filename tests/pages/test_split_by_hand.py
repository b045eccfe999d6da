"""The reader decides nodes on the Grow page: splits, leaves, features forbidden, the history and the link."""

import json

import pytest

import explorer as ex
from pages.grow import split_by_hand
from pages.settings import url
from pages.settings.settings import Settings, changed
from tests.pages.app import fine, metrics, opened, picked, tab, texts, views, went


def panel(app):
    """The app with the panel of the selected node open."""
    return fine(tab(app, "node.tab", "Split"))


def chosen_feature(app, feature, test=None):
    """The panel with a feature chosen, and a kind of test."""
    node = app.session_state["settings"].node
    app = app.selectbox(f"decide.feature.{node}").set_value(feature).run()
    if test is not None:
        control = next(widget for widget in app.segmented_control if widget.key.startswith(f"decide.test.{node}"))
        app = control.set_value(test).run()
    return fine(app)


def plain(app):
    """The choices in the link."""
    result = app.query_params.get("choice", [])
    return [json.loads(text) for text in ([result] if isinstance(result, str) else result)]


def history(app):
    return [text for text in texts(app.markdown).split(":material/") if text.startswith(("check:", "pause:"))]


def test_wind_at_the_root_is_grown_kept_in_the_link_and_taken_back():
    app = chosen_feature(panel(opened("Grow")), "Wind")
    app = fine(app.button("decide.force").click().run())
    assert "**Splits on Wind**, chosen by hand. Without it, “Outlook: each value” would have won." in texts(
        app.markdown
    )
    assert plain(app) == [{"op": "force", "path": [], "way": [], "feature": "Wind", "test": "best"}]
    assert metrics(app)["Leaves"] == str(ex.grow(tennis(), ex.ID3, choices=ex.Choices().force((), "Wind")).n_leaves)
    again = fine(opened("Grow", choice=app.query_params["choice"]))
    assert metrics(again) == metrics(app)
    back = fine(again.button("decided.undo").click().run())
    assert "choice" not in back.query_params
    assert metrics(back) == metrics(opened("Grow"))


def test_a_leaf_made_by_hand_stays_selected():
    app = panel(opened("Grow", node="1"))
    app = fine(app.button("decide.lock").click().run())
    assert metrics(app)["Leaves"] == "4"
    assert app.query_params["node"] == "1"
    assert "**Leaf**: made a leaf by hand. Without it" in texts(app.markdown)
    assert "“Humidity: each value” would have won" in texts(app.markdown)


def test_the_selected_node_is_followed_where_its_number_changes():
    # with a leaf at Outlook = Sunny the ids on the last level begin earlier
    app = panel(opened("Grow", node="1"))
    app = fine(app.button("decide.lock").click().run())
    app.session_state["settings"] = changed(app.session_state["settings"], node=4)
    kept = ex.grow(tennis(), ex.ID3, choices=app.session_state["settings"].choices).place(4).words
    app = fine(app.run().button("decided.undo").click().run())
    assert ex.grow(tennis(), ex.ID3).place(app.session_state["settings"].node).words == kept


def tennis():
    return ex.Dataset.from_frame(ex.load_sample("play_tennis").frame, "PlayTennis")


def test_the_panel_stays_open_across_nodes_and_pages():
    app = panel(opened("Grow"))
    app.session_state["settings"] = changed(app.session_state["settings"], node=1)
    app = fine(app.run())
    assert app.selectbox("decide.feature.1").options, "another node"
    away = fine(went(app, "Prune"))
    assert not [box for box in away.selectbox if box.key.startswith("decide.")]
    assert fine(went(away, "Grow")).selectbox("decide.feature.1").options, "there and back"


def test_what_cannot_be_done_is_reported_beside_the_buttons_and_changes_nothing(monkeypatch):
    def impossible(settings, n_before):
        raise ex.InputError("This recipe leaves '<b>Wind' out.")

    app = chosen_feature(panel(opened("Grow")), "Wind")
    monkeypatch.setattr(split_by_hand, "_checked", impossible)
    app = app.button("decide.force").click().run()
    assert not app.exception
    assert texts(app.error) == "This recipe leaves '<b>Wind' out. Nothing was changed."
    by_hand = next(box for box in app.tabs if box.label == "Split")
    assert len(by_hand.error) == 1, "in the panel, not at the top of the page"
    assert plain(app) == []


def test_a_forbidden_feature_is_out_below():
    app = chosen_feature(panel(opened("Grow", node="1")), "Humidity")
    app = fine(app.button("decide.forbid").click().run())
    assert "Humidity (forbidden by hand)" in texts(tab(app, "node.tab", "Candidates").caption)
    assert "**Splits on Temperature**" in texts(app.markdown)


def test_a_threshold_of_ones_own_shows_its_numbers_before_it_is_taken():
    app = chosen_feature(panel(opened("Grow", data="temperature6", recipe="CART")), "Temperature", "threshold")
    typed = next(widget for widget in app.number_input if widget.key.endswith(".typed"))
    assert (typed.min, typed.max) == (40.0, pytest.approx(90.0))
    app = fine(typed.set_value(75.0).run())
    slider = next(widget for widget in app.slider if widget.key.endswith(".slider"))
    assert slider.value == 75.0
    # N N Y Y | Y N: 1/2 - 4/6 * 1/2 - 2/6 * 1/2 = 0
    numbers = next(table.value for table in app.dataframe if "split" in table.value and len(table.value) == 3)
    assert numbers["split"].tolist()[0] == "Temperature ≤ 75"
    assert numbers["Gini decrease"].tolist()[0] == pytest.approx(0.0)
    app = fine(app.button("decide.force").click().run())
    assert plain(app)[0]["threshold"] == 75.0


def test_a_grouping_of_ones_own():
    app = chosen_feature(panel(opened("Grow")), "Outlook", "grouping")
    sides = next(widget for widget in app.multiselect if widget.key.startswith("decide.grouping"))
    app = fine(sides.set_value([2]).run())
    app = fine(app.button("decide.force").click().run())
    assert plain(app)[0]["categories"] == ["Rain"]
    # Rain: weak, strong; the others: Outlook again, with an empty branch Rain, and under Sunny high, normal
    assert metrics(app)["Leaves"] == "6"


def test_no_category_on_one_side_is_reported_and_cannot_be_taken():
    app = chosen_feature(panel(opened("Grow")), "Outlook", "grouping")
    sides = next(widget for widget in app.multiselect if widget.key.startswith("decide.grouping"))
    app = sides.set_value([]).run()
    assert "leaves a branch empty" in texts(app.warning)
    assert app.button("decide.force").disabled


def test_another_algorithm_keeps_the_history_and_says_what_rests():
    app = opened("Grow", data="golf", recipe="C4.5", choice=json.dumps(
        {"op": "force", "path": [], "way": [], "feature": "humidity", "threshold": 77.0, "test": "threshold"}
    ))  # fmt: skip
    assert len(history(fine(app))) == 1
    app = fine(picked(app, "grow", "ID3"))
    assert "inactive: 'humidity' splits by intervals here" in history(app)[0]
    assert "inactive" not in history(fine(picked(app, "grow", "C4.5")))[0]


def test_each_choice_can_be_taken_back_by_itself():
    lines = [
        {"op": "lock", "path": [branch], "way": [f"Outlook = {name}"]} for branch, name in ((0, "Sunny"), (2, "Rain"))
    ]
    app = fine(opened("Grow", choice=[json.dumps(line) for line in lines]))
    assert metrics(app)["Leaves"] == "3"
    app = fine(app.button("decided.drop.0").click().run())
    assert plain(app) == lines[1:]
    assert "choice" not in fine(app.button("decided.clear").click().run()).query_params


def test_prune_has_the_tree_with_its_choices_and_compare_sets_it_beside_a_plain_one():
    choice = json.dumps({"op": "lock", "path": [], "way": []})
    app = fine(opened("Grow", choice=choice))
    grown = next(iter(views(app).values()))["tree"]
    assert views(fine(went(app, "Prune")))["prune"]["tree"] == grown
    compared = [given["tree"] for given in views(fine(went(app, "Compare"))).values()]
    assert len(compared) == 2
    assert compared.count(grown) == 1


def test_another_target_or_table_forgets_the_choices_and_another_seed_keeps_them():
    settings = Settings(choices=ex.Choices().lock(()))
    assert not changed(settings, sample="golf").choices
    assert not changed(settings, features=("Wind",)).choices
    assert changed(settings, seed=3).choices == settings.choices


@pytest.mark.parametrize("text", ["{", "[]", '{"op":"cut","path":[]}', "[" * 5000, '{"op":"lock","path":[1e99]}'])
def test_an_address_with_damaged_choices_opens_without_them(text):
    settings, problems = url.settings_from_query({"choice": [text]})
    assert settings.choices == ex.Choices()
    assert len(problems) == 1


def test_an_unknown_feature_in_the_address_is_reported():
    app = opened("Grow", choice=json.dumps({"op": "forbid", "path": [], "feature": "<b>x</b>"}))
    assert not app.exception
    assert "names the feature" in texts(app.error)
