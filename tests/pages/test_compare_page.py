"""The Compare page: its numbers are the package's, its choices live in the address, and names are shown as text."""

import dataclasses

import numpy as np
import pandas as pd
import pytest

import explorer as ex
from explorer.evaluation.paired_scores import paired_scores, scores_on
from explorer.formatting import percent
from pages.compare import side_by_side
from pages.compare.paired_scores import _key, difference_text
from pages.results import jobs, trees
from pages.results.comparing import comparison
from pages.settings import url
from pages.settings.page_settings import CompareSettings, GrowSettings
from pages.settings.settings import Settings, changed
from pages.widgets.page_frame import FADED
from tests.pages.app import fine, number_tables, opened, picked, texts, views, went

WATERMELON = ["编号", "色泽", "根蒂", "敲声", "纹理", "脐部", "触感"]
TITANIC = {"data": "titanic", "split": "two"}
ID3_AND_CART = {"a.recipe": "ID3", "b.recipe": "CART"}


def titanic():
    sample = ex.SAMPLES["titanic"]
    frame = ex.load_sample("titanic").frame
    data = ex.Dataset.from_frame(frame, sample.target, features=sample.features, kinds=sample.kinds)
    return data.with_class_labels(sample.labels).split(0.7, seed=0)


def frames(app, title):
    """The tables that have a column with this heading."""
    return [frame.value for frame in app.dataframe if title in frame.value]


def tables(app, title):
    """The static tables that have a column with this heading."""
    return [table.value for table in app.table if title in table.value]


def showing(app, tab):
    """The page with another tab of the inspector open."""
    app.session_state["compare.tab"] = tab
    return app.run()


def opened_at(tab, **query):
    """The page opened with one of its tabs in view."""
    return showing(opened("Compare", **query), tab)


def algorithms(app):
    """The algorithm of every side on the page, as its button says."""
    return [app.segmented_control(f"{slot}.recipe").value for slot in ("left", "right")]


def nodes(app):
    """The selected node of the left and the right tree."""
    return [views(app)[side]["state"]["selected"] for side in ("left", "right")]


class TestSidesAtFirst:
    """Compare never opens with one algorithm on both sides, unless the reader has chosen so."""

    @pytest.mark.parametrize(("on_grow", "other"), [("ID3", "CART"), ("C4.5", "CART"), ("CART", "C4.5")])
    def test_the_left_side_follows_the_grow_page_and_the_right_one_has_another_algorithm(self, on_grow, other):
        app = fine(picked(fine(opened("Grow")), "grow", on_grow))
        app = fine(went(app, "Compare"))
        assert algorithms(app) == [on_grow, other]
        assert "The trees are identical" not in texts(app.markdown)

    def test_a_side_that_the_reader_has_chosen_stays(self):
        app = fine(picked(fine(opened("Compare")), "right", "ID3"))
        app = fine(went(picked(fine(went(app, "Grow")), "grow", "C4.5"), "Compare"))
        assert algorithms(app) == ["C4.5", "ID3"]

    def test_a_large_table_opens_with_two_algorithms_of_the_same_least_leaf(self):
        app = fine(opened("Compare", **TITANIC))
        assert algorithms(app) == ["CART", "C4.5"]
        settings = Settings(sample="titanic", split="two")
        left, right = (trees.recipe(settings, slot) for slot in ("left", "right"))
        assert left.min_rows_leaf == right.min_rows_leaf == 3  # 0.5 % of 624 training rows

    def test_a_table_of_numbers_opens_with_two_sizes(self):
        app = fine(opened("Compare", data="auto_mpg"))
        assert algorithms(app) == ["CART", "CART"]
        left, right = (trees.recipe(Settings(sample="auto_mpg"), slot) for slot in ("left", "right"))
        assert left != right
        assert "The trees are identical" not in texts(app.markdown)


class TestFirstDifference:
    def test_it_is_one_sentence_with_both_scores_and_the_rival(self):
        app = fine(opened("Compare", **TITANIC, **ID3_AND_CART))
        assert (
            "**First difference.** Node 1 (sex = male): ID3 splits on fare (4 branches, gain 0.044); "
            "CART splits on age ≤ 13 (Gini decrease 0.0234), ahead of fare ≤ 26.14375 (0.0208)."
        ) in texts(app.markdown)

    def test_its_numbers_are_those_of_the_decisions(self):
        train, _ = titanic()
        decision = ex.decide(ex.grow(train, ex.CART), train, 1)
        app = fine(opened("Compare", **TITANIC, **ID3_AND_CART))
        text = texts(app.markdown)
        assert f"splits on age ≤ 13 (Gini decrease {decision.chosen.score:.3g})" in text
        assert f"ahead of fare ≤ 26.14375 ({decision.best['fare'].score:.3g})" in text

    def test_the_page_opens_at_its_node_with_a_ring_and_the_candidates_of_both(self):
        app = fine(opened("Compare", **TITANIC, **ID3_AND_CART))
        assert nodes(app) == [1, 1]
        text = texts(app.markdown)
        for letter in "AB":
            assert f"{letter}: candidates at node 1 (sex = male)" in text
        assert "picked" not in app.query_params

    def test_it_comes_first_even_if_a_node_was_selected_on_the_grow_page(self):
        app = fine(opened("Grow", **TITANIC, node="4"))
        app = fine(went(app, "Compare"))
        assert nodes(app) == [1, 1]
        assert app.query_params["node"] == "4", "the Grow page keeps its node"

    def test_candidates_of_the_root_stand_once_where_it_is_the_first_difference(self):
        app = fine(opened("Compare", data="iris", split="all", **ID3_AND_CART))
        text = texts(app.markdown)
        assert "First difference. Root (node 0): ID3 splits on petallength" in text.replace("*", "")
        assert text.count("A: candidates at the root") == text.count("B: candidates at the root") == 1
        assert [lines[0][0] for lines in number_tables(app)] == ["feature", "feature"]

    def test_a_side_that_stops_says_why(self):
        app = fine(opened("Compare", **{"b.recipe": "ID3", "b.max_depth": "1"}))
        text = texts(app.markdown)
        assert "Node 1 (Outlook = Sunny): A splits on Humidity (2 branches, gain 0.971); B stops (" in text

    def test_the_watermelons_with_their_number_included(self):
        query = {"data": "watermelon_2_0", "feature": WATERMELON, "kind": "编号:categorical", "b.recipe": "C4.5"}
        app = fine(opened_at("Splits", **query))
        sentence = "C4.5 divides that by the split information, 4.087 bits, which leaves 0.244, and splits on 纹理"
        assert f"ID3 splits on 编号: 17 branches, gain 0.998; {sentence}" in texts(app.markdown)
        assert "before it" not in texts(app.caption), "the roots differ: no split is the same"

    def test_trees_that_are_the_same(self):
        app = fine(opened("Compare", **{"b.recipe": "C4.5"}))
        assert "**The trees are identical.** All 3 splits of both send the same rows" in texts(app.markdown)

    def test_the_same_splits_that_share_out_a_missing_cell_differently_are_not_called_identical(self):
        sides = {"a.missing": "most_common", "b.missing": "fractional"}
        stumps = {f"{side}.{key}": value for side in "ab" for key, value in [("recipe", "CART"), ("max_depth", "1")]}
        app = fine(opened("Compare", data="golf_missing", **sides, **stumps))  # one row lacks the root's outlook
        text = texts(app.markdown)
        assert "**The splits are the same.** 1 row with a missing cell is shared out differently." in text
        assert "identical" not in text

    def test_the_button_selects_the_node_in_both_trees(self):
        app = fine(opened("Compare", **TITANIC, **ID3_AND_CART, picked="yes", **{"b.node": "2"}))
        assert nodes(app) == [0, 2]
        app = fine(app.button("show_difference").click().run())
        assert nodes(app) == [1, 1]
        assert "picked" not in app.query_params

    def test_the_node_s_evidence_is_that_of_the_side_chosen(self):
        query = {"data": "golf_missing", "a.recipe": "C4.5", "b.recipe": "CART", "picked": "yes"}
        app = fine(opened_at("Splits", **query))
        assert "χ² of the best split" in texts(app.caption)
        assert "Rows with outlook missing: 1" in texts(app.markdown)
        assert "Surrogate splits" not in texts(app.markdown)
        details = app.segmented_control("details.of")
        app = fine(details.set_value("right").run())
        assert "Surrogate splits" in texts(app.markdown)


class TestPredictions:
    def test_matrix_and_rows_are_the_package_s(self):
        train, valid = titanic()
        result = ex.agreement(ex.grow(train, ex.ID3), ex.grow(train, ex.CART), valid)
        app = fine(opened_at("Predictions", **TITANIC, **ID3_AND_CART))
        matrix = frames(app, "A ↓   B →")[0]
        assert matrix[["died", "survived"]].to_numpy().tolist() == result.counts.tolist()
        rows = frames(app, "A predicts")[0]
        assert rows["row"].tolist() == (valid.row_numbers[result.differ] + 1).tolist()
        assert rows["A predicts"].tolist() == [
            str(result.classes[code]) for code in result.predictions_a[result.differ]
        ]
        frame = ex.load_sample("titanic").frame
        survived = frame["survived"].iloc[rows["row"] - 1]
        assert rows["truth"].tolist() == survived.map({0: "died", 1: "survived"}).tolist()

    def test_a_cell_and_a_row_of_the_address(self):
        train, valid = titanic()
        pair = [ex.grow(train, recipe) for recipe in (ex.ID3, ex.CART)]
        result = ex.agreement(*pair, valid)
        cell_rows = result.rows(1, 0)
        row = int(valid.row_numbers[cell_rows[0]])
        app = fine(opened_at("Predictions", cell="1-0", row=str(row), **TITANIC, **ID3_AND_CART))
        assert frames(app, "A predicts")[0]["row"].tolist() == (valid.row_numbers[cell_rows] + 1).tolist()
        first_row = valid.take(cell_rows[:1])
        text = texts(app.markdown)
        assert f"Decision paths of row {row + 1}" in text
        for letter, tree in zip("AB", pair, strict=True):
            node = int(tree.apply(first_row)[0])
            assert f"{letter}, {tree.recipe.name}: " in text
            assert f"→ **{tree.node(node).label}** (node {node})" in text
        for side, tree in zip(("left", "right"), pair, strict=True):
            steps = [step for step, _ in tree.path_to(int(tree.apply(first_row)[0]))]
            assert [node for node, _ in views(app)[side]["row_path"]][: len(steps)] == steps

    def test_the_rows_of_a_cell_end_in_leaves_that_are_ringed(self):
        train, valid = titanic()
        pair = [ex.grow(train, recipe) for recipe in (ex.ID3, ex.CART)]
        rows = valid.take(ex.agreement(*pair, valid).rows(1, 0))
        settings = Settings(
            sample="titanic",
            split="two",
            left=GrowSettings("ID3"),
            right=GrowSettings("CART"),
            compare=CompareSettings(cell=(1, 0)),
        )
        for slot, tree in zip(("left", "right"), pair, strict=True):
            rings = {mark.node for mark in side_by_side.marks(settings, slot) if mark.kind == "ring"}
            assert rings == {1, *tree.apply(rows).tolist()}, "the leaves, and the first difference"

    def test_the_rows_can_be_named(self):
        app = fine(opened_at("Predictions", **TITANIC))
        app = fine(app.selectbox("cell").set_value("0-1").run())
        assert app.query_params["cell"] == "0-1"
        assert set(frames(app, "A predicts")[0]["B predicts"]) == {"survived"}

    def test_training_rows_can_be_chosen(self):
        train, _ = titanic()
        app = fine(opened_at("Predictions", judged="train", **TITANIC))
        assert frames(app, "A ↓   B →")[0][["died", "survived"]].to_numpy().sum() == train.n_rows

    def test_numbers_are_reported_by_their_differences(self):
        app = fine(opened_at("Predictions", data="auto_mpg"))
        rows = trees.parts(Settings(sample="auto_mpg"))
        first, second = ex.grow(rows.train, ex.CART), ex.grow(rows.train, ex.CART.replace(max_depth=3))
        sizes = np.abs(second.predict(rows.valid) - first.predict(rows.valid))
        text = f"difference between the two predictions of mpg is **{np.median(sizes):.3f}** (119 rows)"
        assert text in texts(app.markdown)
        assert frames(app, "least")[0].shape == (1, 7)

    def test_a_leaf_with_candidates_says_why_it_is_one(self):
        # Outlook's Sunny branch of depth 1: its rows could be split by Humidity, but no deeper split is allowed
        app = fine(opened("Compare", **{"b.recipe": "ID3", "b.max_depth": "1", "b.node": "1", "a.node": "1"}))
        text = texts(app.markdown).split("B: candidates at node 1 (Outlook = Sunny)")[1]
        assert text.startswith("** · **Leaf**: maximum depth reached")
        assert "Humidity" in [line[0] for line in number_tables(app)[1]]

    @pytest.mark.parametrize("third", [{}, {"third": "yes", "c.recipe": "ID3"}])
    def test_candidates_below_the_mean_gain_are_grey_and_the_mean_is_named(self, third):
        # gains of Quinlan's table .2467 .1518 .0481 .0292, mean .1190: the ratio of Wind cannot win
        app = fine(opened("Compare", **{"a.recipe": "C4.5", "b.recipe": "ID3"}, **third))
        (why,) = [caption.value for caption in app.caption if "Grey" in caption.value]
        assert why == "Grey rows do not compete: gain below the mean gain 0.1190."
        (table, *_) = [html.proto.body for html in app.get("html") if 'class="numbers"' in html.proto.body]
        grey = [line for line in table.split("<tr")[2:] if FADED in line]
        assert len(grey) == 2
        assert any("Temperature" in line for line in grey)
        assert any("Wind" in line for line in grey)

    def test_of_three_tables_each_has_the_whole_test_and_its_score(self):
        app = fine(opened("Compare", third="yes"))
        first, second, third = number_tables(app)
        assert first[0] == ["split", "gain"]
        assert second[0] == ["split", "Gini decrease"]
        assert third[0] == ["split", "gain ratio"]
        assert [line[0] for line in first[1:3]] == ["✓ Outlook", "Humidity"], "a value each: the feature says it"
        assert [line[0] for line in second[1:3]] == ["✓ Outlook ∈ {Sunny, Rain}", "Humidity = High"]

    def test_all_sides_have_one_scale_of_means(self):
        app = fine(opened("Compare", data="auto_mpg"))
        train = trees.parts(Settings(sample="auto_mpg")).train
        values = [ex.grow(train, recipe).values for recipe in (ex.CART, ex.CART.replace(max_depth=3))]
        whole = [min(map(np.min, values)), max(map(np.max, values))]
        shown = views(app)
        assert shown["left"]["range"] == shown["right"]["range"] == pytest.approx(whole)
        assert views(fine(opened("Compare", data="iris")))["left"]["range"] is None

    def test_a_cell_that_the_table_has_not_is_cleared(self):
        fine(opened_at("Predictions", cell="7-9", row="99999", **TITANIC))


class TestScores:
    def test_each_score_is_in_points_over_its_baseline(self):
        train, valid = titanic()
        tree = ex.grow(train, ex.ID3)
        right = np.mean(tree.predict(valid) == np.asarray(valid.classes)[valid.y])
        majority = np.mean(valid.y == np.bincount(train.y).argmax())
        app = fine(opened("Compare", **TITANIC, **ID3_AND_CART))
        table = tables(app, "A: ID3")[0]
        assert table.loc["Leaves", "A: ID3"] == f"{tree.n_leaves}"
        assert table.loc["Validation accuracy", "A: ID3"] == (f"{100 * right:.1f} % (+{100 * (right - majority):.1f})")
        assert table.loc["Validation baseline", "A: ID3"] == f"{100 * majority:.1f} %"

    def test_the_difference_on_the_validation_rows_has_an_interval(self):
        train, valid = titanic()
        wrong = [(ex.grow(train, recipe).predict_encoded(valid) != valid.y) * 1.0 for recipe in (ex.ID3, ex.CART)]
        gap = wrong[0] - wrong[1]  # 1 where only ID3 is wrong, −1 where only CART is
        better, worse = ("A: ID3", "B: CART") if gap.mean() < 0 else ("B: CART", "A: ID3")
        mean, error = abs(gap.mean()), gap.std() / np.sqrt(len(gap))
        low, high = (f"{100 * (mean + sign * 2 * error):.1f}".replace("-", "−") for sign in (-1, 1))
        app = fine(opened("Compare", **TITANIC, **ID3_AND_CART))
        assert (
            f"The accuracy of {better} is {100 * mean:.1f} points higher than that of {worse} (standard error "
            f"{100 * error:.1f} points, ± 2 standard errors: {low} to {high} points)."
        ) in texts(app.markdown)

    def test_two_sides_with_the_same_algorithm_are_told_apart_by_their_leaves(self):
        train, _ = titanic()
        sizes = [ex.grow(train, ex.CART.replace(max_depth=depth)).n_leaves for depth in (None, 2)]
        query = {"a.recipe": "CART", "b.recipe": "CART", "b.max_depth": "2"}
        app = fine(opened("Compare", **TITANIC, **query))
        names = [f"A: CART ({sizes[0]} leaves)", f"B: CART ({sizes[1]} leaves)"]
        assert list(tables(app, names[0])[0].columns) == names

    def test_the_time_to_grow_has_no_row_until_it_is_known(self, monkeypatch):
        monkeypatch.setattr(trees, "seconds_to_grow", lambda settings, slot: None if slot == "right" else 0.01)
        table = tables(fine(opened("Compare", **ID3_AND_CART)), "A: ID3")[0]
        assert "Time to grow" not in table.index
        assert "–" not in table.to_numpy()
        monkeypatch.setattr(trees, "seconds_to_grow", lambda settings, slot: 0.01)
        table = tables(fine(opened("Compare", **ID3_AND_CART)), "A: ID3")[0]
        assert table.loc["Time to grow"].tolist() == ["10.0 ms", "10.0 ms"]

    def test_without_validation_rows_the_folds_are_pointed_to(self):
        app = fine(opened("Compare"))
        assert "no validation rows: cross-validation compares" in texts(app.caption)


class TestFolds:
    def test_the_sentence_says_who_is_better_and_how_clearly(self):
        tennis = ex.Dataset.from_frame(ex.load_sample("play_tennis").frame, "PlayTennis")
        result = paired_scores(tennis, [ex.ID3, ex.CART], folds=14)
        mean, error = result.difference(0, 1)
        assert mean < 0
        text = difference_text(result, 0, 1, ["ID3", "CART"], False)
        assert text.startswith(f"The accuracy of ID3 is {-100 * mean:.1f} points higher than that of CART")
        low, high = (f"{100 * (-mean + sign * 2 * error):.1f}".replace("-", "−") for sign in (-1, 1))
        assert f"(standard error {100 * error:.1f} points, ± 2 standard errors: {low} to {high} points)" in text
        assert ("The difference is not clear" in text) == (abs(mean) < 2 * error)
        assert difference_text(result, 0, 0, ["ID3", "ID3"], False) == "ID3 and ID3 have the same accuracy."

    def test_a_lower_mean_squared_error_is_said_of_numbers(self):
        table = ex.load_sample("auto_mpg").frame
        mpg = ex.Dataset.from_frame(table, "mpg", features=ex.SAMPLES["auto_mpg"].features).split(0.7, seed=0)
        result = scores_on([ex.grow(mpg[0], ex.CART), ex.grow(mpg[0], ex.CART.replace(max_depth=1))], mpg[1])
        mean, _ = result.difference(0, 1)
        text = difference_text(result, 0, 1, ["A", "B"], True)
        assert text.startswith(f"The mean squared error of A is {abs(mean):.3f} lower than that of B (standard error")

    def test_the_same_setting_twice_is_reported_once(self):
        query = {"third": "yes", "a.recipe": "ID3", "b.recipe": "CART", "c.recipe": "ID3", "folds": "5"}
        app = opened_at("Cross-validation", **query)
        settings = url.settings_from_query({key: [value] for key, value in query.items()})[0]
        fine(fine(app).button("paired").click().run())
        pool, key = jobs.pool(), _key(settings)
        with pool.changed:
            assert pool.changed.wait_for(lambda: not pool.look("test session id", key).is_active, 60)
        text = texts(fine(app.run()).markdown)
        result = pool.look("test session id", key).result
        (table,) = [element.value for element in app.table if "Standard error" in element.value]
        assert table["Accuracy"].tolist() == [percent(1 - result.loss(side)[0]) for side in range(3)]
        assert "A and C have the same settings." in text
        assert text.count("have the same accuracy") + text.count("The accuracy of") == 1

    def test_prepruning_is_refused_with_the_reason(self):
        query = {**TITANIC, "b.recipe": "CART", "b.prepruning": "true"}
        app = fine(opened_at("Cross-validation", **query))
        app = app.button("paired").click().run()
        assert "folds have none" in texts(app.error)


class TestPresets:
    def test_a_setting_as_its_preset_is_named_there_and_another_has_a_column_with_what_it_changed(self):
        app = fine(opened_at("Settings", **{"b.categorical": "one_vs_rest", "a.missing": "drop"}))
        table = frames(app, "C4.5")[0]
        assert list(table.columns) == ["ID3", "C4.5", "CART", "Settings of A", "Settings of B"]
        assert [line for line in table.index if table["Settings of B"][line] != table["CART"][line]] == [
            "Split of a category"
        ]
        assert [line for line in table.index if table["Settings of A"][line] != table["ID3"][line]] == [
            "Missing values"
        ]
        app = fine(opened_at("Settings"))
        assert list(frames(app, "C4.5")[0].columns) == ["ID3 (A)", "C4.5", "CART (B)"]

    def test_settings_that_differ_stand_side_by_side(self):
        query = {"a.recipe": "CART", "b.recipe": "CART", "b.max_depth": "2"}
        table = tables(fine(opened_at("Settings", **query)), "A: CART")[0]
        assert len(table) == 1
        assert table.iloc[0].tolist() == ["no limit", "2"]
        query = {"a.recipe": "CART", "b.recipe": "CART"}
        assert "All sides have the same settings." in texts(fine(opened_at("Settings", **query)).markdown)


class TestSettings:
    def test_a_third_setting_is_grown_and_compared_in_pairs(self):
        app = fine(opened("Compare", **TITANIC))
        app = fine(app.button("third.on").click().run())
        assert {"left", "right", "third"} <= set(views(app))
        app = fine(app.segmented_control("pair").set_value("BC").run())
        assert app.query_params["pair"] == "BC"
        assert "Show that node" in [button.label for button in app.button]
        assert "C: candidates at" in texts(app.markdown)
        names = [
            comparison.names(Settings(sample="titanic", split="two", compare=CompareSettings(True)))[slot]
            for slot in ("right", "third")
        ]
        assert f"{names[0]} splits on" in texts(app.markdown)
        assert f"{names[1]} splits on" in texts(app.markdown)
        app = fine(app.button("third.on").click().run())
        assert "third" not in views(app)
        assert not {"third", "pair"} & set(app.query_params)

    def test_a_setting_that_cannot_be_grown_leaves_the_other_standing(self):
        app = opened("Compare", **{"b.prepruning": "true"})
        assert not app.exception
        assert texts(app.error).startswith("B: Pre-pruning")
        assert "left" in views(app)
        assert "right" not in views(app)

    def test_address_and_settings_are_each_other_s_inverse(self):
        settings = Settings(
            third=GrowSettings("C4.5", (("max_depth", 3),)),
            third_node=2,
            compare=CompareSettings(
                True, False, "BC", "train", (0, 2), 17, "a b", "c", (0.1 + 0.2, None, 0.5), True, pruned="best"
            ),
        )
        assert url.settings_from_query(settings.to_query()) == (settings, [])

    @pytest.mark.parametrize(
        "query", [{"cell": "a-b"}, {"pair": "AD"}, {"row": "-1"}, {"c.alpha": "inf"}, {"third": "x"}, {"pruned": "x"}]
    )
    def test_a_bad_address_is_reported(self, query):
        settings, problems = url.settings_from_query({key: [text] for key, text in query.items()})
        assert settings == Settings()
        assert len(problems) == 1

    def test_another_tree_clears_what_was_selected_in_it(self):
        compare = CompareSettings(cell=(0, 1), row=3, x_feature="x", alphas=(0.1, 0.2, None), has_chosen_node=True)
        settings = Settings(compare=compare, right_node=4)
        now = changed(settings, right=GrowSettings("C4.5"))
        assert (now.right_node, now.compare) == (0, CompareSettings(x_feature="x", alphas=(0.1, None, None)))
        assert changed(settings, seed=1).compare == CompareSettings(x_feature="x")
        assert changed(settings, target="y").compare == CompareSettings()

    def test_sides_with_one_algorithm_are_called_by_their_letters(self):
        settings = Settings(left=GrowSettings("CART"), right=GrowSettings("CART", (("max_depth", 2),)))
        assert comparison.names(settings) == {"left": "A", "right": "B"}
        assert comparison.names(dataclasses.replace(settings, left=GrowSettings("ID3"))) == {
            "left": "ID3",
            "right": "CART",
        }


def test_thirty_classes_and_names_that_look_alike_or_like_code(tmp_path):
    rng = np.random.default_rng(2)
    names = ["a very long name of a class that goes on and on, number " + str(k) for k in range(30)]
    frame = pd.DataFrame({f"**b** $x$ <i>{'long ' * 20}{j}": rng.integers(0, 4, 300) * 1.0 for j in range(60)})
    frame["y"] = rng.choice(names, 300)
    app = opened()
    app = app.file_uploader[0].upload("odd.csv", frame.to_csv(index=False).encode(), "text/csv").run()
    app = fine(showing(app.switch_page("pages/compare/page.py").run(), "Predictions"))
    matrix = next(frame.value for frame in app.dataframe if "A ↓   B →" in frame.value)
    assert matrix.shape == (30, 31)
    assert len(set(matrix.columns)) == 31
