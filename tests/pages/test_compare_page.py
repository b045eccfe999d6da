"""The Compare page: its numbers are the package's, its choices live in the address, and names are shown as text."""

import dataclasses

import numpy as np
import pandas as pd
import pytest

import explorer as ex
from explorer.evaluation.paired_scores import paired_scores
from pages.compare.paired_scores import _key, difference_text
from pages.grow import candidates_table
from pages.results import comparison, jobs, trees
from pages.settings import url
from pages.settings.page_settings import CompareSettings, GrowSettings
from pages.settings.settings import Settings, changed
from tests.pages.app import fine, opened, texts, views

WATERMELON = ["编号", "色泽", "根蒂", "敲声", "纹理", "脐部", "触感"]
TITANIC = {"data": "titanic", "split": "two"}


def titanic():
    sample = ex.SAMPLES["titanic"]
    frame = ex.load_sample("titanic").frame
    return ex.Dataset.from_frame(frame, sample.target, features=sample.features, kinds=sample.kinds).split(0.7, seed=0)


def frames(app, title):
    """The tables that have a column with this heading."""
    return [frame.value for frame in app.dataframe if title in frame.value]


class TestFirstDifference:
    def test_the_watermelons_with_their_number_included(self):
        query = {"data": "watermelon_2_0", "feature": WATERMELON, "kind": "编号:categorical", "b.recipe": "C4.5"}
        app = fine(opened("Compare", **query))
        sentence = "C4.5 divides that by the split information, 4.087 bits, which leaves 0.244, and splits on 纹理"
        assert f"ID3 splits on 编号: 17 branches, gain 0.998; {sentence}" in texts(app.markdown)

    def test_trees_that_are_the_same(self):
        app = fine(opened("Compare", **{"b.recipe": "C4.5"}))
        assert "They never part: all 3 tests of both ask the same" in texts(app.markdown)

    def test_the_button_selects_the_node_in_both_trees(self):
        app = fine(opened("Compare", **TITANIC))
        app = fine(app.button("show_parting").click().run())
        assert [views(app)[side]["state"]["selected"] for side in ("left", "right")] == [1, 1]

    def test_the_node_s_evidence_is_that_of_the_side_chosen(self):
        app = fine(opened("Compare", **{"data": "golf_missing", "a.recipe": "C4.5", "b.recipe": "CART"}))
        assert "χ² of the best split" in texts(app.caption)
        assert "Rows without a value of outlook here: 1" in texts(app.markdown)
        assert "Surrogate tests" not in texts(app.markdown)
        evidence = app.segmented_control("evidence.of")
        app = fine(evidence.set_value("B: node 0").run())
        assert "Surrogate tests" in texts(app.markdown)


class TestWhoPredictsWhat:
    def test_matrix_and_rows_are_the_package_s(self):
        train, valid = titanic()
        result = ex.agreement(ex.grow(train, ex.ID3), ex.grow(train, ex.CART), valid)
        app = fine(opened("Compare", **TITANIC))
        matrix = frames(app, "B: 0")[0]
        assert matrix[["B: 0", "B: 1"]].to_numpy().tolist() == result.counts.tolist()
        rows = frames(app, "A says")[0]
        assert rows["row"].tolist() == (valid.row_numbers[result.differ] + 1).tolist()
        assert rows["A says"].tolist() == [str(result.classes[code]) for code in result.predictions_a[result.differ]]
        frame = ex.load_sample("titanic").frame
        assert rows["truth"].tolist() == frame["survived"].iloc[rows["row"] - 1].astype(str).tolist()

    def test_a_cell_and_a_row_of_the_address(self):
        train, valid = titanic()
        pair = [ex.grow(train, recipe) for recipe in (ex.ID3, ex.CART)]
        result = ex.agreement(*pair, valid)
        cell_rows = result.rows(1, 0)
        row = int(valid.row_numbers[cell_rows[0]])
        app = fine(opened("Compare", cell="1-0", row=str(row), **TITANIC))
        assert frames(app, "A says")[0]["row"].tolist() == (valid.row_numbers[cell_rows] + 1).tolist()
        first_row = valid.take(cell_rows[:1])
        text = texts(app.markdown)
        assert f"The way of row {row + 1}" in text
        for letter, tree in zip("AB", pair, strict=True):
            node = int(tree.apply(first_row)[0])
            assert f"{letter}, {tree.recipe.name}: " in text
            assert f"→ **{tree.node(node).label}** (node {node})" in text

    def test_the_rows_can_be_named(self):
        app = fine(opened("Compare", **TITANIC))
        app = fine(app.selectbox("cell").set_value("0-1").run())
        assert app.query_params["cell"] == "0-1"
        assert set(frames(app, "A says")[0]["B says"]) == {"1"}

    def test_training_rows_can_be_chosen(self):
        train, _ = titanic()
        app = fine(opened("Compare", judged="train", **TITANIC))
        assert frames(app, "B: 0")[0][["B: 0", "B: 1"]].to_numpy().sum() == train.n_rows

    def test_numbers_are_reported_by_their_differences(self):
        app = fine(opened("Compare", data="auto_mpg"))
        rows = trees.parts(Settings(sample="auto_mpg"))
        first, second = ex.grow(rows.train, ex.CART), ex.grow(rows.train, ex.CART.replace(max_depth=3))
        sizes = np.abs(second.predict(rows.valid) - first.predict(rows.valid))
        text = f"The two predictions of mpg typically lie **{np.median(sizes):.3f}** apart (the median of 119 rows)"
        assert text in texts(app.markdown)
        assert frames(app, "least")[0].shape == (1, 7)

    def test_a_leaf_with_candidates_says_why_it_is_one(self):
        # Outlook's Sunny branch of depth 1: its rows could be split by Humidity, but no deeper split is allowed
        app = fine(opened("Compare", **{"b.recipe": "ID3", "b.max_depth": "1", "b.node": "1", "a.node": "1"}))
        text = texts(app.markdown).split("B: candidates at node 1")[1]
        assert text.startswith("** **A leaf.** Maximum depth reached.")
        assert any("Humidity" in list(frame["feature"]) for frame in frames(app, "feature"))

    def test_long_names_leave_room_for_the_score(self):
        short = pd.DataFrame({"feature": ["Outlook"], "test": ["each value"]})
        assert candidates_table.narrow(short, 2, "gain") == {}
        assert set(candidates_table.narrow(short.assign(test="x" * 300), 2, "gain")) == {"test"}
        assert set(candidates_table.narrow(short, 3, "gain")) == {"gain"}

    def test_all_sides_have_one_scale_of_means(self):
        app = fine(opened("Compare", data="auto_mpg"))
        train = trees.parts(Settings(sample="auto_mpg")).train
        values = [ex.grow(train, recipe).values for recipe in (ex.CART, ex.CART.replace(max_depth=3))]
        whole = [min(map(np.min, values)), max(map(np.max, values))]
        shown = views(app)
        assert shown["left"]["range"] == shown["right"]["range"] == pytest.approx(whole)
        assert views(fine(opened("Compare", data="iris")))["left"]["range"] is None

    def test_a_cell_that_the_table_has_not_is_cleared(self):
        fine(opened("Compare", cell="7-9", row="99999", **TITANIC))


class TestFolds:
    def test_the_sentence_says_who_is_better_and_how_clearly(self):
        tennis = ex.Dataset.from_frame(ex.load_sample("play_tennis").frame, "PlayTennis")
        result = paired_scores(tennis, [ex.ID3, ex.CART], folds=14)
        mean, error = result.difference(0, 1)
        assert mean < 0
        text = difference_text(result, 0, 1, ["ID3", "CART"], False)
        assert text.startswith(f"ID3 gives {-100 * mean:.1f} percentage points fewer wrong answers than CART")
        assert f"(standard error {100 * error:.1f})" in text
        assert ("do not tell the two apart" in text) == (abs(mean) < 2 * error)
        assert difference_text(result, 0, 0, ["ID3", "ID3"], False) == "ID3 and ID3 do equally well."

    def test_the_same_setting_twice_is_reported_once(self):
        query = {"third": "yes", "a.recipe": "ID3", "b.recipe": "CART", "c.recipe": "ID3", "folds": "5"}
        app = opened("Compare", **query)
        settings = url.settings_from_query({key: [value] for key, value in query.items()})[0]
        fine(fine(app).button("paired").click().run())
        pool, key = jobs.pool(), _key(settings)
        with pool.changed:
            assert pool.changed.wait_for(lambda: not pool.look("test session id", key).is_active, 60)
        text = texts(fine(app.run()).markdown)
        assert "A and C are the same setting, so they are told of once." in text
        assert text.count("do equally well") + text.count("percentage points fewer") == 1

    def test_prepruning_is_refused_with_the_reason(self):
        app = fine(opened("Compare", **{**TITANIC, "b.prepruning": "true"}))
        app = app.button("paired").click().run()
        assert "folds have none" in texts(app.error)


class TestRegions:
    def test_each_side_is_pruned_at_its_own_alpha(self):
        app = fine(opened("Compare", data="iris", split="all", **{"a.recipe": "C4.5"}))
        app = fine(app.select_slider("alpha.right").set_value(1).run())
        assert list(app.query_params) == ["data", "split", "b.alpha", "a.recipe"]
        data = ex.Dataset.from_frame(ex.load_sample("iris").frame, "class")
        path = ex.cost_complexity_path(ex.grow(data, ex.CART))
        assert float(app.query_params["b.alpha"]) == path.alphas[1]

    def test_a_tree_of_the_two_axes_is_said_to_be_exact(self):
        query = {"data": "iris", "split": "all", "a.recipe": "CART", "a.max_depth": "2", "b.max_depth": "2"}
        app = fine(opened("Compare", **query))
        assert texts(app.caption).count("the regions are exact") == 2

    def test_an_axis_that_is_no_number_is_reported(self):
        app = opened("Compare", across="sex", **TITANIC)
        assert not app.exception
        assert "“sex” is no numeric feature" in texts(app.warning)


class TestPresets:
    def test_a_setting_as_its_preset_is_named_there_and_another_has_a_column_with_what_it_changed(self):
        app = fine(opened("Compare", **{"b.categorical": "one_vs_rest", "a.missing": "drop"}))
        table = frames(app, "C4.5")[0]
        assert list(table.columns) == ["ID3", "C4.5", "CART", "Setting A", "Setting B"]
        assert [line for line in table.index if table["Setting B"][line] != table["CART"][line]] == [
            "Test of a category"
        ]
        assert [line for line in table.index if table["Setting A"][line] != table["ID3"][line]] == ["Missing cells"]
        app = fine(opened("Compare"))
        assert list(frames(app, "C4.5")[0].columns) == ["ID3 (A)", "C4.5", "CART (B)"]


class TestSettings:
    def test_a_third_setting_is_grown_and_compared_in_pairs(self):
        app = fine(opened("Compare", **TITANIC))
        app = fine(app.button("third.on").click().run())
        assert {"left", "right", "third"} <= set(views(app))
        app = fine(app.segmented_control("pair").set_value("BC").run())
        assert app.query_params["pair"] == "BC"
        assert "C (C4.5), node" in texts(app.markdown)
        app = fine(app.button("third.on").click().run())
        assert "third" not in views(app)
        assert not {"third", "pair"} & set(app.query_params)

    def test_a_setting_that_cannot_be_grown_leaves_the_other_standing(self):
        app = opened("Compare", **{"b.prepruning": "true"})
        assert not app.exception
        assert "Rows for growing" in texts(app.error)
        assert "left" in views(app)
        assert "right" not in views(app)

    def test_address_and_settings_are_each_other_s_inverse(self):
        settings = Settings(
            third=GrowSettings("C4.5", (("max_depth", 3),)),
            third_node=2,
            compare=CompareSettings(True, False, "BC", "train", (0, 2), 17, "a b", "c", (0.1 + 0.2, None, 0.5)),
        )
        assert url.settings_from_query(settings.to_query()) == (settings, [])

    @pytest.mark.parametrize(
        "query", [{"cell": "a-b"}, {"pair": "AD"}, {"row": "-1"}, {"c.alpha": "inf"}, {"third": "x"}]
    )
    def test_a_bad_address_is_reported(self, query):
        settings, problems = url.settings_from_query({key: [text] for key, text in query.items()})
        assert settings == Settings()
        assert len(problems) == 1

    def test_another_tree_clears_what_was_selected_in_it(self):
        compare = CompareSettings(cell=(0, 1), row=3, x_feature="x", alphas=(0.1, 0.2, None))
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
    app = fine(app.switch_page("pages/compare/page.py").run())
    matrix = next(frame.value for frame in app.dataframe if "A ↓   B →" in frame.value)
    assert matrix.shape == (30, 31)
    assert len(set(matrix.columns)) == 31
