"""The timeline of growing on the Grow page: order and step in the link, its sentence, guessing each split first."""

import dataclasses
import re

import pytest

from pages.grow import timeline
from pages.results import trees
from pages.settings import url
from pages.settings.page_settings import GrowSettings
from pages.settings.settings import Settings, changed
from pages.settings.view_settings import TimelineSettings
from pages.widgets.tree_view import Shown
from tests.oracles.pack_reader import unpacked
from tests.pages.app import fine, opened, picked, texts, uploaded, views, went

OUTLOOK, SUNNY, RAIN = 0, 1, 3
"""The internal nodes of play tennis under ID3: the root, and the two branches of Outlook that are not pure."""


def settings_of(**query):
    result, problems = url.settings_from_query({key: [value] for key, value in query.items()})
    assert problems == []
    return result


def features(settings):
    """The features of the splits, in the order of the timeline."""
    tree = trees.grown(settings).tree
    return [tree.condition(node).feature for node in timeline.steps_of(settings).nodes]


def reported(app, *command, position=None, selected=None):
    """The page after a report of the view: where slider and selection stand, and a command."""
    kept = [app.session_state["settings"]]
    stands = timeline.position(kept[0]) if position is None else position
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(timeline.session, "read", lambda: kept[-1])
        patch.setattr(timeline.session, "keep", kept.append)
        timeline._moved(Shown(kept[0].node if selected is None else selected, stands))
        if command:
            timeline._command(*command)
    app.session_state["settings"] = kept[-1]
    app = app.run()
    assert not app.exception
    return app


class TestOrder:
    """The order of the steps, which the link keeps."""

    def test_depth_first_is_the_order_of_the_book(self):
        assert features(Settings()) == ["Outlook", "Humidity", "Wind"]
        assert timeline.steps_of(Settings()).nodes == (OUTLOOK, SUNNY, RAIN)

    def test_without_a_step_the_whole_tree_is_shown(self):
        app = fine(opened("Grow"))
        assert views(app)["grow"]["state"]["position"] == 3
        assert "step" not in app.query_params

    @pytest.mark.parametrize("order", ["depth_first", "breadth_first", "best_first"])
    def test_the_order_of_the_link_is_that_of_the_view(self, order):
        app = fine(opened("Grow", order_of_growing=order, step="1"))
        assert views(app)["grow"]["order"] == order
        assert views(app)["grow"]["state"]["position"] == 1
        assert app.query_params["step"] == "1"

    def test_orders_differ_where_a_tree_is_deep_enough(self):
        orders = {order: timeline.steps_of(settings_of(data="titanic", order_of_growing=order)).nodes
                  for order in ("depth_first", "breadth_first", "best_first")}  # fmt: skip
        assert len(set(orders.values())) == 3
        assert len({tuple(sorted(nodes)) for nodes in orders.values()}) == 1

    def test_nodes_split_first_come_first(self):
        settings = settings_of(split_first="0-3")
        assert features(settings) == ["Outlook", "Wind", "Humidity"]
        _, arrays = unpacked(timeline.of(settings).payload)
        assert arrays["focus"].tolist() == [-1, 0, 3, 1]

    def test_nodes_of_a_link_that_do_not_fit_are_left_out(self):
        assert features(settings_of(split_first="3-0")) == ["Outlook", "Humidity", "Wind"]

    def test_a_step_behind_the_last_one_is_the_last_one(self):
        assert views(fine(opened("Grow", step="99")))["grow"]["state"]["position"] == 3

    @pytest.mark.parametrize("query", [{"step": "-1"}, {"order_of_growing": "random"}, {"split_first": "0-x"}])
    def test_a_bad_link_falls_back_and_says_so(self, query):
        app = fine(opened("Data", **query))
        assert texts(app.warning)
        assert not set(query) & set(app.query_params)

    def test_a_tree_that_is_one_leaf_has_no_timeline(self):
        app = fine(opened("Grow", max_depth="0", recipe="CART"))
        assert views(app)["grow"]["sequence"] is None
        assert timeline.of(settings_of(max_depth="0", recipe="CART")) is None


class TestSentence:
    """What happened at a step, in the numbers of Mitchell's book (chapter 3)."""

    @pytest.mark.parametrize(
        ("step", "numbers"),
        [
            (0, ["one leaf with all 14 rows", "entropy 0.940", "predicts Yes"]),
            (1, ["14 rows", "Outlook", "0.247", "Humidity 0.152", "Wind 0.0481", "Temperature 0.0292"]),
            (2, ["Outlook = Sunny", "5 rows", "Humidity", "0.971", "Temperature 0.571", "Wind 0.02"]),
            (3, ["Outlook = Rain", "5 rows", "Wind", "0.971"]),
        ],
    )
    def test_every_step_has_the_book_s_numbers(self, step, numbers):
        view = views(fine(opened("Grow", step=str(step))))["grow"]
        assert view["sentence_of"] == step
        for text in numbers:
            assert text in view["sentence"]


class TestTheView:
    """What the reader does in the view, taken into settings and link."""

    def test_a_step_is_kept_and_the_last_one_is_about_its_split(self):
        app = reported(opened("Grow"), position=2, selected=1)
        assert (app.query_params["step"], app.query_params["node"]) == ("2", "1")
        app = reported(app, position=3)
        assert app.query_params["step"] == "3"
        assert "Wind wins" in views(app)["grow"]["sentence"]

    def test_a_node_selected_in_the_whole_tree_is_no_step(self):
        app = reported(opened("Grow"), position=3, selected=4)
        assert "step" not in app.query_params
        assert "The whole tree: 5 leaves" in views(app)["grow"]["sentence"]

    def test_another_order_keeps_the_step_and_forgets_the_nodes_split_first(self):
        app = reported(opened("Grow", step="2", split_first="0-3"), "order", "breadth_first")
        assert app.query_params["order_of_growing"] == "breadth_first"
        assert app.query_params["step"] == "2"
        assert "split_first" not in app.query_params

    def test_a_node_split_next_is_the_next_step(self):
        app = reported(opened("Grow", step="1"), "split", RAIN)
        assert app.query_params["split_first"] == "0-3"
        assert app.query_params["step"] == "2"
        assert features(app.session_state["settings"]) == ["Outlook", "Wind", "Humidity"]
        assert "Outlook = Rain" in views(app)["grow"]["sentence"]

    def test_asking_begins_with_the_first_split_and_ends_where_it_stands(self):
        app = reported(opened("Grow", node="4"), "ask", True)
        assert (app.query_params["ask_first"], app.query_params["step"]) == ("yes", "1")
        assert "Which feature splits node 0?" in texts(app.markdown)
        app = reported(app, "ask", False, position=1)
        assert "ask_first" not in app.query_params
        assert app.query_params["step"] == "1"

    @pytest.mark.parametrize(("step", "asked"), [("0", "1"), ("1", "2"), ("2", "3"), ("3", "1")])
    def test_asking_goes_on_from_the_steps_taken_and_begins_anew_with_the_whole_tree(self, step, asked):
        app = reported(opened("Grow", step=step), "ask", True, position=int(step))
        assert app.query_params["step"] == asked
        assert asked_of(app)["of"] == int(asked)


class TestGuessing:
    """Ask me first: candidates without numbers, then the numbers and the running score."""

    def asked(self, step="1", **query):
        return fine(opened("Grow", step=step, ask_first="yes", **query))

    def test_the_candidates_have_no_numbers_and_the_other_tabs_are_closed(self):
        app = self.asked()
        keys = [button.key for button in app.button if (button.key or "").startswith("guess.")]
        assert sorted(keys) == [f"guess.0.{name}" for name in ("Humidity", "Outlook", "Temperature", "Wind")]
        assert "Which feature splits node 0?" in texts(app.markdown)
        assert "0.247" not in texts(app.markdown) + texts(app.caption)
        assert "Splits on" not in texts(app.markdown)
        assert not app.tabs
        assert not [frame for frame in app.dataframe if "gain" in frame.value]

    def test_a_right_guess_is_told_with_the_number_and_counted(self):
        app = fine(self.asked().button("guess.0.Outlook").click().run())
        assert texts(app.success) == "Right: Outlook wins with gain 0.247."
        assert "1 of 1 right" in texts(app.markdown)
        assert [frame for frame in app.dataframe if "gain" in frame.value], "the numbers follow"

    def test_a_wrong_guess_is_told_with_both_numbers(self):
        app = self.asked().button("guess.0.Wind").click().run()
        assert not app.exception
        assert texts(app.error) == "No: Outlook wins with gain 0.247; Wind has 0.0481."
        assert "0 of 1 right" in texts(app.markdown)

    def test_the_score_runs_over_the_steps_and_begins_again(self):
        app = self.asked().button("guess.0.Wind").click().run()
        app = reported(app, position=2)
        app = app.button("guess.1.Humidity").click().run()
        assert not app.exception
        assert "1 of 2 right" in texts(app.markdown)
        assert asked_of(app)["answered"] == [1, 2]
        app = fine(app.button("guess.again").click().run())
        assert "of 2 right" not in texts(app.markdown)
        assert asked_of(app)["answered"] == []
        assert (app.query_params["step"], asked_of(app)["of"]) == ("1", 1), "from the first split on"

    def test_the_rows_of_each_branch_are_shown_before_the_guess(self):
        """Quinlan's counts: Sunny has 3 No and 2 Yes, High 4 and 3, Strong 3 and 3."""
        lines = [html.proto.body for html in self.asked().get("html") if "branch-lines" in html.proto.body]
        words = [re.findall(r'title="= ?(\w+)"', line) for line in lines]
        assert words == [["Sunny", "Overcast", "Rain"], ["Hot", "Mild", "Cool"], ["High", "Normal"], ["Weak", "Strong"]]
        counts = [" ".join("".join(pair) for pair in re.findall(r">(No|Yes|) *(\d+)\b", line)) for line in lines]
        assert counts[0] == "No3 Yes2 Yes4 No2 Yes3"
        assert asked_of(self.asked())["branches"][0] == [
            ["= Sunny", [3, 2]],
            ["= Overcast", [0, 4]],
            ["= Rain", [2, 3]],
        ]
        assert counts[2:] == ["No4 Yes3 1 Yes6", "No2 Yes6 No3 Yes3"], "a part too narrow for a class has its number"

    def test_full_screen_has_the_answers_the_verdict_and_the_way_on(self):
        app = self.asked()
        asked = asked_of(app)
        assert (asked["of"], asked["options"], asked["verdict"]) == (
            1,
            ["Outlook", "Temperature", "Humidity", "Wind"],
            "",
        )
        asked = asked_of(fine(app.button("guess.0.Outlook").click().run()))
        assert (asked["options"], asked["verdict"]) == ([], "Right: Outlook wins with gain 0.247.")

    def test_a_guess_made_in_the_view_counts_where_it_is_asked_for(self, monkeypatch):
        app, guesses = self.asked(), []
        monkeypatch.setattr(timeline, "guess", lambda settings, node, feature: guesses.append((node, feature)))
        for feature in ("Wind", "no such feature"):
            reported(app, "guess", feature)
        reported(self.asked("0"), "guess", "Wind")
        assert guesses == [(OUTLOOK, "Wind")]

    def test_the_next_step_is_offered_until_the_last(self):
        app = fine(self.asked().button("guess.0.Outlook").click().run())
        app = fine(app.button("guess.next").click().run())
        assert (app.query_params["step"], app.query_params["node"]) == ("2", str(SUNNY))
        app = fine(self.asked("3").button(f"guess.{RAIN}.Wind").click().run())
        assert "guess.next" not in {button.key for button in app.button}
        assert "That was the last split" in texts(app.markdown)
        assert asked_of(app)["verdict"].endswith("1 of 1 right.")

    def test_means_of_the_branches_are_offered_too(self):
        app = fine(opened("Grow", data="auto_mpg", ask_first="yes", step="1"))
        branches = asked_of(app)["branches"]
        assert len(branches) == len(asked_of(app)["options"])
        assert all(re.search(r"rows, mean [\d.]+ ± ", text) for lines in branches for _, text in lines)

    def test_a_feature_that_ties_is_right(self):
        frame = b"Wind,Breeze,y\n" + b"a,a,p\n" * 4 + b"b,b,q\n" * 4
        app = fine(went(fine(uploaded(opened(step="1", ask_first="yes"), "tie.csv", frame)), "Grow"))
        app.session_state["settings"] = asking(app.session_state["settings"], 1)
        app = fine(app.run().button("guess.0.Breeze").click().run())
        assert texts(app.success).startswith("Right: Breeze ties with Wind at gain")
        assert "1 of 1 right" in texts(app.markdown)

    def test_before_the_first_step_nothing_is_asked(self):
        app = self.asked(step="0")
        assert not [button for button in app.button if (button.key or "").startswith("guess.")]

    def test_another_tree_is_asked_from_its_root_on_and_another_table_ends_the_game(self):
        playing = settings_of(ask_first="yes", step="3")
        other = changed(playing, grow=GrowSettings("CART"))
        assert (other.timeline.asks, timeline.question(other)) == (True, timeline.Question(1, 0))
        assert changed(playing, sample="mammals").timeline == TimelineSettings()
        assert changed(playing, upload="ab12").timeline == TimelineSettings()
        app = fine(opened("Grow", ask_first="yes", data="mammals"))
        assert views(app)["grow"]["state"]["position"] == 1
        assert "Which feature splits node 0?" in texts(app.markdown)

    def test_guesses_belong_to_their_tree(self):
        app = fine(self.asked().button("guess.0.Outlook").click().run())
        app = picked(app, "grow", "CART")
        assert "of 1 right" not in texts(app.markdown)
        assert views(app)["grow"]["ask"]["answered"] == []


def asked_of(app):
    """What the view is to ask."""
    return views(app)["grow"]["ask"]


def asking(settings, step):
    """The settings asking at a step."""
    return changed(settings, timeline=dataclasses.replace(settings.timeline, step=step, asks=True))


class TestAnotherTree:
    """The timeline begins anew with another tree, in the same order."""

    def test_another_algorithm_shows_the_whole_tree_again(self):
        app = fine(picked(opened("Grow", step="1", split_first="0", order_of_growing="best_first"), "grow", "CART"))
        assert not {"step", "split_first"} & set(app.query_params)
        assert app.query_params["order_of_growing"] == "best_first"
        view = views(app)["grow"]
        assert view["state"]["position"] == len(timeline.steps_of(app.session_state["settings"]).nodes)

    def test_another_table_does_too(self):
        app = fine(opened("Data", step="1"))
        app = fine(went(app.button("open.golf").click().run(), "Grow"))
        assert "step" not in app.query_params
