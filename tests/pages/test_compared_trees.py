"""Trees pruned for their comparison, as the reader's own is or by one rule for all, and their decision regions."""

import dataclasses
import time

import numpy as np
import pytest

import explorer as ex
from pages.compare.paired_scores import _key
from pages.results import trees
from pages.results.comparing import comparison
from pages.settings.page_settings import CompareSettings, GrowSettings
from pages.settings.settings import Settings, changed
from tests.pages.app import fine, number_tables, opened, texts, views

TITANIC = {"data": "titanic", "split": "two"}


def titanic():
    sample = ex.SAMPLES["titanic"]
    frame = ex.load_sample("titanic").frame
    return ex.Dataset.from_frame(frame, sample.target, features=sample.features, kinds=sample.kinds).split(0.7, seed=0)


def frames(app, title):
    """The tables that have a column with this heading."""
    return [frame.value for frame in app.dataframe if title in frame.value]


def showing(app, tab):
    """The page with another tab of the inspector open."""
    app.session_state["compare.tab"] = tab
    return app.run()


def opened_at(tab, **query):
    """The page opened with one of its tabs in view."""
    return showing(opened("Compare", **query), tab)


def sizes(app):
    """The leaves of every side, as the table of scores has them."""
    return next(table.value for table in app.table if "Leaves" in table.value.index).loc["Leaves"].tolist()


def titanic_path(recipe):
    return ex.cost_complexity_path(ex.grow(titanic()[0], recipe))


READERS = {**TITANIC, "recipe": "CART", "b.recipe": "C4.5"}
"""The reader's tree is CART's, and it is A."""


class TestPruning:
    """All trees are compared as the reader prunes the own one, or as one rule for all says."""

    def test_without_pruning_all_are_grown_full(self):
        app = fine(opened("Compare", **READERS))
        assert app.selectbox("pruned_alike").value == "full"
        assert app.selectbox("pruned_alike").options == [
            "Pruned, each at its best",
            "Pruned, each by 1-SE",
            "Grown full",
        ]
        assert sizes(app) == [f"{ex.grow(titanic()[0], recipe).n_leaves}" for recipe in (ex.CART, ex.C45)]

    def test_the_reader_s_tree_is_compared_as_it_is_pruned_and_the_other_at_its_size(self):
        train, valid = titanic()
        own = titanic_path(ex.CART).subtree(alpha=0.003)
        other = titanic_path(ex.C45).subtree(leaves=own.n_leaves)
        assert 1 < other.n_leaves <= own.n_leaves < ex.grow(train, ex.CART).n_leaves
        app = fine(opened("Compare", **READERS, alpha="0.003"))
        assert sizes(app) == [str(own.n_leaves), str(other.n_leaves)]
        table = next(table.value for table in app.table if "Leaves" in table.value.index)
        assert table.loc["Leaves grown"].tolist() == [
            f"{ex.grow(train, recipe).n_leaves}" for recipe in (ex.CART, ex.C45)
        ]
        wrong = [(tree.predict_encoded(valid) != valid.y) * 1.0 for tree in (own, other)]
        for column, tree in zip(table, wrong, strict=True):
            assert table[column]["Validation accuracy"].startswith(f"{100 * (1 - tree.mean()):.1f} %")
        assert f"{own.n_leaves} leaves · validation {100 * (1 - wrong[0].mean()):.1f} %" in texts(app.markdown)
        assert f"standard error {100 * (wrong[0] - wrong[1]).std() / np.sqrt(valid.n_rows):.1f} points" in texts(
            app.markdown
        )
        assert f"A is the tree of the Prune page, with {own.n_leaves} leaves" in texts(app.caption)
        for slot, tree in (("left", own), ("right", other)):
            hand = views(app)[slot]["state"]["hand"]
            assert {node for _, node in hand} == set(np.flatnonzero(tree.is_pruned & tree.is_kept).tolist())

    def test_predictions_and_regions_are_those_of_the_pruned_trees(self):
        _, valid = titanic()
        own = titanic_path(ex.CART).subtree(alpha=0.003)
        other = titanic_path(ex.C45).subtree(leaves=own.n_leaves)
        app = fine(opened_at("Predictions", **READERS, alpha="0.003"))
        counts = ex.agreement(own, other, valid).counts
        assert frames(app, "A ↓   B →")[0][["died", "survived"]].to_numpy().tolist() == counts.tolist()
        app = showing(app, "Regions")
        for slot, tree in (("left", own), ("right", other)):
            recipe = tree.recipe
            assert app.select_slider(f"alpha.{slot}").value == titanic_path(recipe).position_of_leaves(tree.n_leaves)

    def test_the_rule_of_the_prune_page_is_that_of_every_tree(self):
        _, valid = titanic()
        paths = [titanic_path(recipe) for recipe in (ex.CART, ex.C45)]
        best = [path.best(path.curve(valid)) for path in paths]
        app = fine(opened("Compare", **READERS, alpha=repr(float(paths[0].alphas[best[0]]))))
        assert sizes(app) == [str(path.n_leaves[at]) for path, at in zip(paths, best, strict=True)]
        assert sizes(app)[0] != sizes(app)[1]
        assert app.selectbox("pruned_alike").value == "best"
        assert "best accuracy by the validation set. A is as on the Prune page." in texts(app.caption)
        app = fine(app.selectbox("pruned_alike").set_value("size").run())
        assert sizes(app)[0] == str(paths[0].n_leaves[best[0]])
        assert "is as on the Prune page" not in texts(app.caption)

    def test_steps_by_hand_are_part_of_the_reader_s_tree(self):
        tree = ex.prune_by_hand(ex.grow(titanic()[0], ex.CART), (("collapse", 1),))
        app = fine(opened("Compare", **READERS, hand="-1"))
        other = titanic_path(ex.C45).subtree(leaves=tree.n_leaves)
        assert sizes(app) == [str(tree.n_leaves), str(other.n_leaves)]
        app = fine(app.selectbox("pruned_alike").set_value("alpha").run())
        assert sizes(app) == [str(tree.n_leaves), str(ex.grow(titanic()[0], ex.C45).n_leaves)]
        assert "steps by hand and no α" in texts(app.caption)

    def test_a_pruned_side_is_said_to_stop_by_pruning(self):
        app = fine(opened("Compare", **READERS, alpha="1", pruned="alpha"))
        assert sizes(app) == ["1", "1"]
        assert "Both are a single leaf." in texts(app.markdown)
        assert "**Leaf**: pruned." in texts(app.markdown)

    @pytest.mark.parametrize("pruned", ["alpha", "best", "full"])
    def test_the_rule_for_all_can_be_another(self, pruned):
        _, valid = titanic()
        paths = [titanic_path(recipe) for recipe in (ex.CART, ex.C45)]
        expected = {
            "alpha": [path.subtree(alpha=0.003) for path in paths],
            "best": [path.subtree(position=path.best(path.curve(valid))) for path in paths],
            "full": [path.tree for path in paths],
        }
        app = fine(opened("Compare", **READERS, alpha="0.003"))
        app = fine(app.selectbox("pruned_alike").set_value(pruned).run())
        assert app.query_params["pruned"] == pruned
        assert sizes(app) == [f"{tree.n_leaves}" for tree in expected[pruned]]

    def test_the_1_se_rule_goes_by_folds_where_no_row_was_left_out(self):
        app = fine(opened("Compare", **READERS, pruned="one_se", folds="5"))
        for _ in range(300):  # the folds are worked on in the background
            if app.table:
                break
            time.sleep(0.1)
            app = fine(app.run())
        folded = [ex.cross_validate_path(titanic()[0], recipe, folds=5) for recipe in (ex.CART, ex.C45)]
        assert sizes(app) == [str(each.path.n_leaves[each.one_se]) for each in folded]
        assert "within one standard error of its best accuracy by 5-fold cross-validation" in texts(app.caption)

    def test_the_folds_of_cross_validation_are_pruned_alike(self):
        settings = Settings(sample="titanic", split="two", alpha=0.003, right=GrowSettings("C4.5"))
        full = dataclasses.replace(settings, compare=CompareSettings(pruned="full"))
        assert _key(settings) != _key(full)

    def test_splits_chosen_by_hand_are_part_of_the_reader_s_tree(self):
        settings = Settings(choices=ex.Choices().force((), "Wind"))
        tennis = ex.Dataset.from_frame(ex.load_sample("play_tennis").frame, "PlayTennis")
        tree = trees.grown(settings, "left").tree
        assert tree.condition(0).feature == "Wind"
        assert tree.n_leaves == ex.grow(tennis, ex.ID3, choices=settings.choices).n_leaves
        other = dataclasses.replace(settings, left=GrowSettings("C4.5"))
        assert trees.grown(other, "left").tree.condition(0).feature == "Outlook"

    def test_another_pruning_clears_what_was_selected(self):
        compare = CompareSettings(cell=(0, 1), row=3, has_chosen_node=True, x_feature="x")
        settings = Settings(compare=compare, right_node=4, node=2)
        now = changed(settings, alpha=0.1)
        assert (now.right_node, now.node, now.compare) == (0, 2, CompareSettings(x_feature="x"))
        assert changed(settings, alpha=None).compare == compare

    def test_a_selected_node_that_is_pruned_away_gives_way_to_the_leaf_above_it(self):
        settings = Settings(sample="titanic", split="two", grow=GrowSettings("CART"), right=GrowSettings("C4.5"))
        own = titanic_path(ex.CART).subtree(alpha=0.003)
        hidden = int(np.flatnonzero(~own.is_kept)[-1])
        compare = CompareSettings(has_chosen_node=True)
        now = comparison.with_selected_nodes(dataclasses.replace(settings, alpha=0.003, node=hidden, compare=compare))
        above = [step for step, _ in own.path_to(hidden) if own.is_kept[step]][-1]
        assert now.node == above

    def test_sides_that_are_not_the_reader_s_tree_are_as_large_as_it(self):
        own = titanic_path(ex.CART).subtree(alpha=0.003)
        app = fine(opened("Compare", **READERS, alpha="0.003", **{"a.recipe": "ID3"}))
        paths = [titanic_path(recipe) for recipe in (ex.ID3, ex.C45)]
        assert sizes(app) == [str(path.subtree(leaves=own.n_leaves).n_leaves) for path in paths]


class TestRegions:
    def test_a_slider_gives_a_tree_an_alpha_of_its_own_in_the_whole_comparison(self):
        query = {"data": "iris", "split": "all", "a.recipe": "C4.5", "b.recipe": "CART"}
        app = fine(opened_at("Regions", **query))
        app = fine(app.select_slider("alpha.right").set_value(1).run())
        assert list(app.query_params) == ["data", "split", "b.alpha", "a.recipe", "b.recipe", "tab"]
        data = ex.Dataset.from_frame(ex.load_sample("iris").frame, "class")
        path = ex.cost_complexity_path(ex.grow(data, ex.CART))
        assert float(app.query_params["b.alpha"]) == path.alphas[1]
        assert app.selectbox("pruned_alike").value == "own"
        assert sizes(showing(app, "Scores")) == [str(ex.grow(data, ex.C45).n_leaves), str(path.n_leaves[1])]
        app = showing(app, "Regions")
        app = fine(app.select_slider("alpha.right").set_value(0).run())
        assert app.selectbox("pruned_alike").value == "full"
        assert "b.alpha" not in app.query_params

    def test_a_slider_leaves_the_other_tree_as_large_as_it_is(self):
        app = fine(opened_at("Regions", **READERS, alpha="0.003"))
        before = [app.select_slider(f"alpha.{slot}").value for slot in ("left", "right")]
        assert min(before) > 0
        app = fine(app.select_slider("alpha.right").set_value(before[1] + 1).run())
        assert [app.select_slider(f"alpha.{slot}").value for slot in ("left", "right")] == [before[0], before[1] + 1]
        assert float(app.query_params["a.alpha"]) == float(titanic_path(ex.CART).alphas[before[0]])

    def test_pictures_stand_below_the_trees_in_place_of_the_candidates(self):
        app = fine(opened_at("Regions", data="iris", split="all"))
        assert number_tables(app) == []
        assert len(app.get("plotly_chart")) == 2
        assert len(number_tables(showing(app, "Scores"))) == 2

    def test_a_tree_of_the_two_axes_is_said_to_be_exact(self):
        query = {"data": "iris", "split": "all", "a.recipe": "CART", "a.max_depth": "2", "b.max_depth": "2"}
        app = fine(opened_at("Regions", **query))
        assert texts(app.caption).count("the regions are exact") == 2

    def test_an_axis_that_is_no_number_is_reported(self):
        app = opened_at("Regions", across="sex", **TITANIC)
        assert not app.exception
        assert "“sex” is not a numeric feature" in texts(app.warning)

    def test_another_axis_can_be_chosen(self):
        app = fine(opened_at("Regions", **TITANIC))
        app = fine(app.selectbox("axis.x_feature").set_value("parch").run())
        assert app.query_params["across"] == "parch"
        assert app.selectbox("axis.x_feature").value == "parch"
