"""What went wrong for people who tried the app, and must not come back."""

import pytest

import explorer as ex
from pages.grow import timeline
from pages.results import trees
from pages.settings.settings import Settings, changed
from pages.settings.view_settings import TimelineSettings
from tests.pages.app import fine, opened, views, went

IRIS = ex.load_sample("iris").frame.to_csv(index=False).encode()


@pytest.mark.parametrize("query", [{"pruning": "per_node"}, {"pruning": "methods", "book": "zhou"}])
def test_an_example_of_pruning_gives_way_when_another_table_is_opened(query):
    app = fine(opened("Prune", **query))
    assert "prune" not in views(app)
    app = fine(went(app, "Data"))
    app = fine(app.file_uploader[0].upload("flowers.csv", IRIS, "text/csv").run())
    app = fine(went(app, "Prune"))
    shown = [name for name in views(app) if not name.startswith(("per_node", "book"))]
    assert shown, "the reader's own tree is on the stage"


@pytest.mark.parametrize("way", ["methods", "per_node"])
def test_the_way_of_pruning_begins_anew_with_another_table(way):
    assert changed(Settings(pruning=way), sample="iris").pruning == "slide"


def test_a_file_dropped_on_an_uploader_that_is_about_to_be_replaced_is_read():
    """The browser still shows the uploader of the file before, while the page already counts on the next one."""
    app = fine(opened("Data"))
    app.session_state["file.round"] = app.session_state["file.round"] + 1 if "file.round" in app.session_state else 1
    app = fine(app.file_uploader[0].upload("flowers.csv", IRIS, "text/csv").run())
    assert "flowers.csv" in [heading.value for heading in app.subheader]


def test_splitting_by_hand_begins_with_the_best_feature_not_the_first_column():
    """The node is a leaf, by a limit of depth: nothing was chosen there, and petallength is the third column."""
    app = opened("Grow", data="iris", split="all", recipe="CART", max_depth="0")
    app.session_state["node.tab"] = "Split"
    app = fine(app.run())
    data = ex.Dataset.from_frame(ex.load_sample("iris").frame, "class")
    decision = ex.decide(ex.grow(data, ex.CART.replace(max_depth=0)), data, 0)
    best = max(decision.best.values(), key=lambda candidate: candidate.score)
    assert best.feature != data.features[0].name
    assert app.selectbox("decide.feature.0").value == best.feature


def test_the_link_keeps_the_layout_and_the_pruned_branches():
    app = fine(opened("Prune", data="titanic", layout="right", ghosts="yes", alpha="0.005"))
    state = views(app)["prune"]["state"]
    assert (state["layout"], state["ghosts"]) == ("right", True)
    assert app.query_params["layout"] == "right"
    assert app.query_params["ghosts"] == "yes"


class TestASplitByHandWithinTheTimeline:
    """Growing one split at a time: what is split by hand becomes the next step, and the steps before it stay."""

    def test_the_new_split_is_the_next_step(self):
        before = Settings(node=1, timeline=TimelineSettings(step=1))
        tree = trees.grown(before).tree
        choices = ex.Choices().force(tree.place(1), ex.SplitRequest("Temperature"))
        after = timeline.carried(before, changed(before, choices=choices))
        assert (after.step, after.first) == (2, (0, 1))

    def test_steps_before_it_keep_their_nodes_though_these_have_new_numbers(self):
        """Depth-first, the second step splits node 1 (Sunny); then node 3 (Rain) is split by Humidity, by hand."""
        before = Settings(node=3, timeline=TimelineSettings(step=2))
        tree = trees.grown(before).tree
        choices = ex.Choices().force(tree.place(3), ex.SplitRequest("Humidity"))
        proposed = changed(before, choices=choices)
        after = timeline.carried(before, proposed)
        new = trees.grown(proposed).tree
        assert after.step == 3
        assert [new.node(node).condition.feature for node in after.first] == ["Outlook", "Humidity", "Humidity"]

    def test_a_whole_tree_stays_whole(self):
        before = Settings(node=1)
        choices = ex.Choices().lock(trees.grown(before).tree.place(1))
        assert timeline.carried(before, changed(before, choices=choices)).step is None


@pytest.mark.parametrize(("query", "prunes"), [({}, True), ({"frozen": "yes"}, False)])
def test_nobody_prunes_by_hand_while_the_settings_are_frozen(query, prunes):
    """And the menu, which is on every page, has a lock then."""
    app = fine(opened("Prune", **query))
    assert views(app)["prune"]["by_hand"] is prunes
    menu = next(block for block in app.get("popover") if block.proto.popover.label == "⋯")
    assert (menu.proto.popover.icon == ":material/lock:") is not prunes
