"""The Predict page: its predictions are the package's, its form is in the address, and a whole file loses nothing."""

import datetime

import pandas as pd
import pytest
from streamlit.proto.LabelVisibility_pb2 import LabelVisibility

import explorer as ex
from explorer.drawing.tree_view.payload import collapse_steps
from explorer.explaining import few_rows_limit
from explorer.explaining.file_names import FileNames
from explorer.formatting import amount, percent
from pages.predict import counterfactual, open_tab
from pages.results import prediction, source
from pages.settings import url
from pages.settings.page_settings import PredictSettings
from pages.settings.settings import Settings, changed
from tests.oracles.tables import sample_parts
from tests.pages.app import choice_lists, fine, metrics, opened, texts, uploaded, views, went

TITANIC = {"data": "titanic", "recipe": "C4.5"}
COLLAPSED = LabelVisibility.COLLAPSED
AGE = 2  # the position of "age" among the features of titanic


def tab_opened(app, name):
    """Open a tab of the inspector, as a click does."""
    app.session_state[open_tab.KEY] = name
    return app.run()


def path_shown(app):
    return dict(views(app)["predict"]["row_path"])


def test_a_row_goes_down_the_tree_that_a_person_decided():
    data = ex.Dataset.from_frame(ex.load_sample("play_tennis").frame, "PlayTennis")
    choices = ex.Choices().force(ex.NodePath(), "Wind").lock(ex.NodePath((0,), ("Wind = Weak",)))
    link = Settings(choices=choices).to_query()
    app = fine(opened("Predict"))
    assert path_shown(app) == {0: 1.0, 1: 1.0, 4: 1.0}
    app = fine(opened("Predict", **link))
    assert path_shown(app) == {0: 1.0, 1: 1.0}
    assert metrics(app)["PlayTennis"] == "Yes", "6 of the 8 days of weak wind are Yes"
    assert ex.grow(data, ex.ID3, choices=choices).apply(data.frame[:1].assign(Wind="Weak")).tolist() == [1]
    pruned = fine(opened("Predict", **link, alpha="0.9"))
    assert path_shown(pruned) == {0: 1.0}


class TestTheForm:
    @pytest.mark.parametrize(("age", "is_outside"), [("0.41", True), ("0.42", False), ("80", False), ("4960", True)])
    def test_a_number_outside_the_training_range_is_warned_of(self, age, is_outside):
        app = fine(opened("Predict", **TITANIC, **{"ask.cells": f"{AGE}:{age}"}))
        line = ":orange[Outside the training range 0.42 to 80]" if is_outside else ":gray[0.42 to 80]"
        assert f"age  \n:small[{line}]" in texts(app.markdown)

    def test_a_range_has_few_digits_and_holds_every_value(self):
        frame = pd.DataFrame({"km": [0.1, 2.25, 4.5, 20.7, 31.386, 49.5677952] * 20, "left": list("nnnyyy") * 20})
        app = uploaded(opened(), "ways.csv", frame.to_csv(index=False).encode())
        app = fine(went(app, "Predict"))
        assert "km  \n:small[:gray[0.1 to 49.57]]" in texts(app.markdown)
        app = fine(app.number_input("ask.0.number").set_value(49.569).run())
        assert "km  \n:small[:orange[Outside the training range 0.1 to 49.5677952]]" in texts(app.markdown)
        app = fine(app.number_input("ask.0.number").set_value(60.0).run())
        assert "km  \n:small[:orange[Outside the training range 0.1 to 49.57]]" in texts(app.markdown)

    def test_it_begins_with_typical_values(self):
        app = fine(opened("Predict"))
        assert metrics(app)["PlayTennis"] == "No"  # sunny and high
        assert (metrics(app)["Probability"], metrics(app)["Leaf 4"]) == ("100 %", "3 rows")
        assert ":orange-badge[only 3 rows]" in texts(app.markdown), "100 % of so few"
        assert path_shown(app) == {0: 1.0, 1: 1.0, 4: 1.0}
        assert "Outlook = Sunny and Humidity = High. All 3 training rows at this node have class No." in texts(
            app.markdown
        )

    def test_a_choice_changes_prediction_path_node_and_address(self):
        app = fine(opened("Predict"))
        app = fine(app.selectbox("ask.0.choice").set_value("1").run())
        assert metrics(app)["PlayTennis"] == "Yes"  # overcast
        assert path_shown(app) == {0: 1.0, 2: 1.0}
        assert app.query_params["ask.cells"] == "0:1"
        assert views(app)["predict"]["state"]["selected"] == 2

    def test_a_value_never_seen_stops_where_it_is_tested(self):
        app = fine(fine(opened("Predict")).selectbox("ask.0.choice").set_value("new").run())
        assert path_shown(app) == {0: 1.0}
        assert metrics(app)["Node 0"] == "14 rows"
        assert "badge" not in texts(app.markdown)
        app = fine(tab_opened(app, "Decision path"))
        assert "has no branch at this node, so the row stops here." in texts(app.markdown)

    def test_columns_that_the_tree_does_not_test_are_folded_away(self):
        app = fine(opened("Predict"))
        folded = next(expander for expander in app.expander if "does not use" in expander.label)
        assert folded.label == "1 feature that the tree does not use"
        assert [box.key for box in folded.selectbox] == ["ask.1.choice"]  # Temperature

    def test_a_missing_number_takes_all_branches_with_its_weights(self):
        train, _ = sample_parts("titanic")
        tree = ex.grow(train, ex.C45)
        app = fine(opened("Predict", **TITANIC, **{"ask.row": "1"}))  # 38 years old
        assert len(path_shown(app)) == 1 + len(tree.path_to(int(tree.apply(train.take(train.row_numbers == 1))[0])))
        app = fine(app.number_input(f"ask.{AGE}.number").set_value(None).run())
        assert app.query_params["ask.cells"] == f"{AGE}:missing"
        frame = ex.load_sample("titanic").frame.iloc[[1]].assign(age=float("nan"))
        _, nodes, parts = tree.routes(frame)
        shown = path_shown(app)
        assert [shown[node] for node in nodes.tolist()] == pytest.approx(parts.tolist())
        assert metrics(app)["survived"] == ["died", "survived"][tree.predict(frame)[0]]

    @pytest.mark.parametrize("recipe", ["ID3", "C4.5", "CART"])
    def test_a_number_typed_is_the_number_predicted(self, recipe):
        app = fine(opened("Predict", data="iris", recipe=recipe))
        key = next(widget.key for widget in app.number_input if (widget.key or "").endswith(".number"))
        app = fine(app.number_input(key).set_value(4.951).run())
        assert app.query_params["ask.cells"] == f"{key.split('.')[1]}:4.951"

    def test_buttons_lead_back(self):
        app = fine(opened("Predict", **{"ask.row": "2", "ask.cells": "0:0"}))
        app = fine(app.button("ask.undo").click().run())
        assert "ask.cells" not in app.query_params
        assert app.query_params["ask.row"] == "2"
        app = fine(app.button("ask.usual").click().run())
        assert "ask.row" not in app.query_params

    def test_what_an_address_cannot_mean_is_said(self):
        app = opened("Predict", **{"ask.cells": "0:99,1:0"})
        assert "“99”, which is not a value of this table" in texts(app.warning)
        assert metrics(app)["PlayTennis"] == "No"


class TestRowsOfTheTable:
    def test_a_row_shows_its_true_value(self):
        app = fine(opened("Predict", **{"ask.row": "13"}))  # the 14th day: Rain, Strong, No
        assert "Row 14 (training set) is **No** in the table. Predicted correctly." in texts(app.markdown)
        app = fine(app.selectbox("ask.3.choice").set_value("0").run())  # a weak wind
        assert metrics(app)["PlayTennis"] == "Yes"
        assert "Row 14 (training set) is **No** in the table, before your changes." in texts(app.markdown)

    def test_any_row_can_be_named_by_its_number(self):
        app = fine(opened("Predict", **TITANIC))
        app = fine(app.number_input("ask.row").set_value(891).run())
        assert app.query_params["ask.row"] == "890"
        assert "Row 891" in texts(app.markdown)
        app = fine(app.number_input("ask.row").set_value(892).run())
        assert "There is no row 892." in texts(app.warning)
        assert app.query_params["ask.row"] == "890"

    def test_the_test_set_stays_unused(self):
        frame = ex.load_sample("titanic").frame
        sample = ex.SAMPLES["titanic"]
        whole = ex.Dataset.from_frame(frame, sample.target, features=sample.features, kinds=sample.kinds)
        sealed = int(whole.split(0.7, 0.15, seed=0)[2].row_numbers[0])
        app = opened("Predict", **TITANIC, split="three", **{"ask.row": str(sealed)})
        assert f"Row {sealed + 1} is in the test set, which is not used yet" in texts(app.warning)
        assert "in the table" not in texts(app.markdown)


class TestTheTreeThatPredicts:
    def test_without_pruning_there_is_nothing_to_switch(self):
        app = fine(opened("Predict"))
        assert "Predicted by the full tree of 5 leaves. Nothing is pruned." in texts(app.caption)
        assert not [control for control in app.radio if control.key == "ask.tree"]

    def test_alpha_and_manual_steps_of_the_prune_page_cut_it(self):
        app = fine(opened("Predict", hand="-1"))  # the node of sunny days
        assert "the tree of 4 leaves, pruned by hand. The full tree has 5." in texts(app.caption)
        assert path_shown(app) == {0: 1.0, 1: 1.0}
        assert views(app)["predict"]["state"]["hand"] == [["collapse", 1]]
        app = fine(app.radio("ask.tree").set_value(True).run())
        assert app.query_params["ask.tree"] == "full"
        assert path_shown(app) == {0: 1.0, 1: 1.0, 4: 1.0}
        assert views(app)["predict"]["state"]["hand"] == []

    def test_the_root_alone_tests_nothing(self):
        app = fine(opened("Predict", alpha="1"))
        assert metrics(app)["PlayTennis"] == "Yes"
        assert "This tree is a single leaf, so every row gets the same prediction." in texts(app.markdown)
        app = tab_opened(app, "Counterfactual")
        assert "the tree is a single leaf, so it tests none of them" in texts(app.markdown)
        assert not app.multiselect, "there is nothing to keep fixed"

    def test_only_the_uppermost_pruned_nodes_are_steps(self):
        data = ex.Dataset.from_frame(ex.load_sample("play_tennis").frame, "PlayTennis")
        tree = ex.grow(data, ex.ID3)
        closed = [node in (0, 1) for node in range(tree.n_nodes_grown)]
        assert collapse_steps(tree.with_pruned(closed)) == (("collapse", 0),)
        assert collapse_steps(tree) == ()


def changes_offered(**query):
    """The Predict page with its counterfactuals open."""
    return fine(tab_opened(opened("Predict", **query), "Counterfactual"))


class TestCounterfactuals:
    def test_the_change_goes_into_the_form(self):
        app = changes_offered()
        assert "Outlook: Sunny → Overcast" in texts(app.markdown)
        app = fine(app.button("ask.flip.0").click().run())
        assert metrics(app)["PlayTennis"] == "Yes"
        assert app.query_params["ask.cells"] == "0:1"
        assert path_shown(app) == {0: 1.0, 2: 1.0}

    def test_three_alternatives_come_smallest_first_with_the_rows_behind_them(self):
        train, _ = sample_parts("titanic")
        tree = ex.grow(train, ex.C45)
        app = changes_offered(**TITANIC, **{"ask.row": str(train.row_numbers[0])})
        expected = ex.flips(tree, train, 0)
        assert len(expected) == 3
        shown = texts(app.markdown)
        places = [shown.index(f"(node {flip.node}, {amount(flip.weight)} row") for flip in expected]
        assert places == sorted(places)
        limit = few_rows_limit(tree)
        assert shown.count(f"fewer than {amount(limit)}: this prediction is uncertain") == sum(
            flip.weight < limit for flip in expected
        )
        for flip in expected:
            assert f"with probability {percent(flip.share)} (node {flip.node}" in shown

    def test_small_leaves_are_left_out_on_demand(self):
        app = changes_offered(data="titanic", recipe="CART")
        assert "Small leaf" in texts(app.markdown)
        app = fine(app.toggle("ask.large").set_value(True).run())
        assert app.query_params["ask.large"] == "yes"
        assert "Small leaf" not in texts(app.markdown)
        assert "Predicts **survived**" in texts(app.markdown)

    def test_an_alternative_chosen_is_lit_with_a_ring_on_its_leaf(self):
        app = changes_offered()
        assert path_shown(app) == {0: 1.0, 1: 1.0, 4: 1.0}
        assert views(app)["predict"]["marks"] == []
        app = fine(app.button("ask.show.1").click().run())  # Humidity: High → Normal
        assert path_shown(app) == {0: 1.0, 1: 1.0, 5: 1.0}
        ring = {"node": 5, "kind": "ring", "text": "After the change: Yes"}
        assert views(app)["predict"]["marks"] == [ring]
        assert views(app)["predict"]["state"]["selected"] == 5
        assert metrics(app)["PlayTennis"] == "No", "the row itself is as it was"
        app = fine(app.button("ask.show.1").click().run())
        assert path_shown(app) == {0: 1.0, 1: 1.0, 4: 1.0}
        assert views(app)["predict"]["marks"] == []

    def test_what_is_lit_is_the_rows_own_path_in_the_other_tabs(self):
        app = fine(changes_offered().button("ask.show.0").click().run())
        assert path_shown(app) == {0: 1.0, 2: 1.0}
        app = fine(tab_opened(app, "Row"))
        assert path_shown(app) == {0: 1.0, 1: 1.0, 4: 1.0}
        assert views(app)["predict"]["marks"] == []

    def test_what_is_fixed_is_kept(self):
        app = changes_offered(**{"ask.kept": "0"})
        assert "Humidity: High → Normal" in texts(app.markdown)
        assert "Outlook: " not in texts(app.markdown)
        app = changes_offered(**{"ask.kept": "0-2"})
        assert "No change of the other features does it." in texts(app.markdown)

    def test_a_link_about_changes_opens_their_tab(self):
        app = fine(opened("Predict", **{"ask.kept": "0"}))
        assert "Humidity: High → Normal" in texts(app.markdown)

    def test_a_class_can_be_named(self):
        app = changes_offered(data="iris", **{"ask.cells": "2:1,3:0.2"})
        app = fine(app.selectbox("ask.goal").set_value("2").run())
        assert app.query_params["ask.goal"] == "2"
        assert "Predicts **Iris-virginica**" in texts(app.markdown)

    def test_a_number_goes_above_or_below_another(self):
        app = changes_offered(data="auto_mpg", **{"ask.goal": ">35"})
        fine(app.button("ask.flip.0").click().run())
        assert float(metrics(app)["mpg"]) > 35
        assert "The prediction is already" in texts(app.markdown)
        app = app.segmented_control("ask.side").set_value("<").run()
        assert app.query_params["ask.goal"] == "<35"
        fine(app.button("ask.flip.0").click().run())
        assert float(metrics(app)["mpg"]) < 35

    def test_every_counterfactual_offered_changes_the_prediction(self):
        for row in (0, 3, 12, 200):
            for place in range(3):
                app = changes_offered(data="vote", **{"ask.row": str(row), "recipe": "CART"})
                before = metrics(app)["party"]
                assert metrics(fine(app.button(f"ask.flip.{place}").click().run()))["party"] != before


class TestTheAddress:
    @pytest.mark.parametrize(
        "predict",
        [
            PredictSettings(),
            PredictSettings(row=0, cells=((0, "missing"), (3, "-2.5e-07"), (11, "new")), is_full=True),
            PredictSettings(goal="<-3.5", fixed=(0, 4), row_set="train"),
            PredictSettings(goal="2", skips_small=True),
            PredictSettings(names=FileNames((("a", ""), ("b:", "ß,")), (("a", '"x"', "y"),))),
        ],
    )
    def test_it_brings_everything_back(self, predict):
        settings, problems = url.settings_from_query(Settings(predict=predict).to_query())
        assert (settings.predict, problems) == (predict, [])

    @pytest.mark.parametrize(
        ("key", "text"),
        [
            ("ask.cells", "0=1"),
            ("ask.cells", "0:nan"),
            ("ask.goal", "2x"),
            ("ask.kept", "a"),
            ("ask.rows", "test"),
            ("ask.name", '["a"]'),
        ],
    )
    def test_what_it_cannot_mean_is_reported(self, key, text):
        settings, problems = url.settings_from_query({key: [text]})
        assert settings.predict == PredictSettings()
        assert len(problems) == 1
        assert key in problems[0]

    def test_another_table_clears_the_row(self):
        settings = Settings(predict=PredictSettings(row=3, cells=((0, "1"),)))
        assert changed(settings, sample="iris").predict == PredictSettings()
        assert changed(settings, features=("Outlook",)).predict == PredictSettings()
        assert changed(settings, seed=4).predict == settings.predict

    def test_names_from_a_file_are_shown_as_text(self):
        frame = pd.DataFrame({"**x** :red[y]": ["<b>a</b>", "=1", "<b>a</b>", "=1"] * 3, "$t$": ["`p`", "_q_"] * 6})
        app = opened("Data")
        app = fine(app.file_uploader[0].upload("odd.csv", frame.to_csv(index=False).encode(), "text/csv").run())
        app = fine(went(app, "Predict"))
        assert app.selectbox("ask.0.choice").label == "∗∗x∗∗ :\u2060red［y］", "for screen readers, without backslashes"
        assert app.selectbox("ask.0.choice").proto.label_visibility.value == COLLAPSED, "else it would be Markdown"
        assert any(r"\*\*x\*\*" in element.value for element in app.markdown)
        assert app.selectbox("ask.0.choice").options[:2] == ["<b>a</b>", "=1"]


def test_the_parts_of_a_row_come_before_its_other_numbers():
    app = opened("Predict", data="golf", recipe="C4.5", **{"ask.cells": "0:missing"})
    app = fine(tab_opened(app, "Decision path"))
    (path,) = choice_lists(app)
    assert list(path.columns[:3]) == ["node", "branch", "part of the row"]
    assert metrics(app)["Average of"] == "3 leaves"
    assert "outlook is missing" in texts(app.markdown)
    below_root = path[path["branch"].str.startswith("outlook")]
    # 5, 4 and 5 of 14 rows are sunny, overcast and rain
    assert below_root["part of the row"].tolist() == ["35.7 %", "28.6 %", "35.7 %"]


def test_the_unpruned_tree_is_not_described_by_an_alpha():
    app = fine(opened("Evaluate", data="play_tennis"))
    assert "the unpruned tree of 5 leaves" in texts(app.caption)
    assert "the tree of 1 leaf at α = " in texts(fine(opened("Evaluate", data="play_tennis", alpha="0.9")).caption)


def test_a_class_named_like_markdown_is_shown_as_text():
    app = fine(uploaded(opened("Data"), "marks.csv", b"x,y\n1,*no*\n2,*no*\n8,_yes_\n9,_yes_\n"))
    app = fine(went(app, "Predict"))
    assert next(iter(metrics(app).values())) in (r"\*no\*", r"\_yes\_")


def signed_up():
    """Sixty dates, of which year, month and the day itself decide."""
    frame = pd.DataFrame({"signed up": pd.date_range("2023-01-01", periods=60, freq="11D").strftime("%d/%m/%Y")})
    months = enumerate(frame["signed up"].str[3:5])
    return frame.assign(y=[("no", "yes")[(i > 25) ^ (month in ("01", "05", "09"))] for i, month in months])


class TestDates:
    """A column of dates of the reader's own table, repaired with its month and weekday beside it."""

    def test_one_field_stands_for_date_month_and_weekday(self):
        app = uploaded(opened(), "days.csv", signed_up().to_csv(index=False).encode())
        app = fine(went(fine(app.button("suggestions.all").click().run()), "Predict"))
        assert [field.label for field in app.date_input] == ["signed up"]
        assert not [field.label for field in app.number_input if "signed up" in field.label]
        before = texts(app.markdown)
        app = fine(app.date_input[0].set_value(datetime.date(2023, 5, 1)).run())
        assert app.session_state["settings"].predict.cells == ((0, "120"),)
        app = fine(tab_opened(app, "Decision path"))
        assert texts(app.markdown) != before
        assert "signed up ≤ 20" in texts(app.markdown)

    def test_its_parts_follow_it_in_every_change_that_is_offered(self):
        table = ex.Table(signed_up(), (), "days.csv")
        table = ex.apply_repairs(table, [each.repair for each in table.suggestions])
        given = source.Source("days", "days.csv", table, "y", None, ())
        with source.on_table(given):
            settings = changed(Settings(), predict=PredictSettings(cells=((0, "491"), (1, "1999"), (2, "7"))))
            form = prediction.filled_form(settings)
            day = {"signed up": 491.0, "signed up (year)": 2024, "signed up (month)": 5, "signed up (weekday)": 1}
            assert form.cells == day  # 365 + 31 + 29 + 31 + 30 + 5: 6 May 2024, a Monday
            found = counterfactual.alternatives(settings, form)
            assert found.flips
            for flip in found.flips:
                assert [each.feature for each in flip.changes] == ["signed up"]
                assert flip.changes[0].words.startswith("signed up: 2024-05-06 → 20")
                new = datetime.date(2023, 1, 1) + datetime.timedelta(days=flip.changes[0].new)
                row = pd.DataFrame([{**day, "signed up": flip.changes[0].new}])
                row[["signed up (year)", "signed up (month)", "signed up (weekday)"]] = (
                    *(new.year, new.month, new.isoweekday()),
                )
                assert form.tree.predict(row)[0] == flip.prediction != form.path.prediction
