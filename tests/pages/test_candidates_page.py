"""What the Grow page says of a split beside its score, and of rows without a value, in the books' numbers."""

import re

import pandas as pd
import pyarrow as pa
import pytest
from PIL import ImageFont

import explorer as ex
from explorer.drawing.svg.text_width import fitted_lines
from pages.grow import candidates_table
from pages.grow.of_columns import column_widths
from pages.results import trees
from pages.settings.settings import Settings
from tests.pages.app import fine, opened, picked, tab, texts, unfold, uploaded, went


def table(app, column):
    """The first table with such a column."""
    return next(frame.value for frame in app.dataframe if column in frame.value)


def test_outlook_s_chi2_is_shown_and_a_level_says_what_it_does():
    captions = texts(fine(opened("Grow")).caption)
    assert "χ² of the best split = 3.547, df = 2, p = 0.170." in captions
    # Šidák over four features: 1 − (1 − exp(−3.5467/2))⁴
    assert "p = 0.170. Adjusted as the best of 4 features: p = 0.525." in captions
    kept = fine(opened("Grow", chi2_level="0.2"))
    assert "p = 0.170: not above 0.200, so the split stays." in texts(kept.caption)
    stopped = fine(opened("Grow", chi2_level="0.05"))
    assert "p = 0.170: above 0.05, so the node stopped." in texts(stopped.caption)
    shallow = fine(opened("Grow", chi2_level="0.2", max_depth="0"))
    assert "so χ² would allow the split." in texts(shallow.caption)


def test_features_below_the_mean_gain_are_not_said_to_be_inadmissible():
    # days of rain: gains 0.971 of Wind, 0.020 of Temperature and of Humidity, mean (0.971 + 2 * 0.020) / 3 = 0.337
    said = texts(fine(opened("Grow", data="play_tennis", recipe="C4.5", node="3")).markdown)
    assert "**Splits on Wind**: gain ratio 1. No other feature competes; Temperature: gain below the mean gain" in said
    assert "gain below the mean gain 0.337" in said


def test_bits_are_shown_where_the_recipe_stops_by_them():
    # a leaf with 5 of 14 exceptions: 2 + log2 15 + log2 2002 bits; Outlook and three leaves: 3 + 3*2 and 14.14
    app = fine(unfold(opened("Grow", mdl_stop="true")))
    text = "2.00 + 14.87 = 16.87 bits as a leaf, 9.00 + 14.14 = 23.14 bits with the best split: no fewer."
    assert text in texts(app.caption)
    assert "**Leaf**: MDL: the split takes no fewer bits" in texts(app.markdown)
    app = fine(app.toggle("grow.mdl_stop").set_value(False).run())
    assert "bits with the best split" not in texts(app.caption)


def test_the_golf_row_without_outlook_goes_down_every_branch_in_thirteenths():
    app = fine(opened("Grow", data="golf_missing", recipe="C4.5", mean_gain_filter="off", score="gain"))
    assert "**Rows with outlook missing: 1**, by the branch they take:" in texts(app.markdown)
    branches = next(f.value for f in app.dataframe if list(f.value) == ["branch", "rows"])
    assert (13 * branches["rows"]).round(9).tolist() == [5, 3, 5]
    # known rows 2:3, 3:0 and 3:2, so χ² = 2.86, p = exp(−1.43); by Šidák over four features 1 − (1 − p)⁴
    adjusted = "On the rows with a known value alone, p = 0.239. Adjusted as the best of 4 features: p = 0.665."
    assert adjusted in texts(app.caption)


def test_surrogates_are_listed_best_first_with_their_agreement():
    app = fine(opened("Grow", data="vote", recipe="CART"))
    result = table(app, "agreement")
    assert result["agreement"].is_monotonic_decreasing
    assert (result["adjusted agreement"] < result["agreement"]).all()
    assert list(result)[1:3] == ["for physician-fee-freeze = y", "for physician-fee-freeze = n"]
    assert set(result.iloc[:, 1]) | set(result.iloc[:, 2]) <= {"= y", "= n"}
    assert (result.iloc[:, 1] != result.iloc[:, 2]).all()
    assert len(result) <= 5
    assert "surrogate" not in texts(fine(opened("Grow", data="vote", recipe="ID3")).markdown).lower()


def test_prepruning_shows_the_validation_score_before_and_after():
    app = fine(opened("Grow", data="titanic", recipe="CART", split="two", prepruning="true"))
    before, after = shown_accuracies(texts(app.caption))
    assert before < after


def shown_accuracies(text):
    """The validation accuracy before and after a split that stays, in per cent."""
    shown = re.search(
        r"Validation accuracy: ([\d.]+) % before the split, ([\d.]+) % after it, so the split stays", text
    )
    return float(shown[1]), float(shown[2])


@pytest.mark.parametrize("score", ["tan_schlimmer", "nunez"])
def test_scores_by_cost_have_columns(score):
    shown = table(fine(opened("Grow", score=score, recipe="CART")), "score")
    assert (shown["cost"] == 1).all()
    assert shown["score"].is_monotonic_decreasing


def test_tan_and_schlimmer_s_score_is_the_gain_squared_at_cost_1():
    shown = table(fine(opened("Grow", score="tan_schlimmer")), "score")
    assert shown["score"].tolist() == pytest.approx((shown["gain"] ** 2).tolist())
    assert "**Splits on Outlook**: score 0.0609" in texts(fine(opened("Grow", score="tan_schlimmer")).markdown)


@pytest.mark.parametrize("policy", ["most_common", "same_class", "fractional", "surrogate", "own_branch", "drop"])
def test_every_policy_for_missing_cells_is_shown_on_the_page(policy):
    app = fine(opened("Grow", data="golf_missing", recipe="C4.5", missing=policy, mean_gain_filter="off"))
    assert app.selectbox("grow.missing").value == policy


BESIDE_BOXES = 311 - 33
"""Pixels of the inspector at 1280 pixels, without the column of boxes."""


def columns_of(names, splits, called="Gini decrease"):
    return column_widths.alone(pd.DataFrame({"feature": names, "split": splits}), called, called)


def dejavu(text):
    """How wide a text is in the cells of a table in a broad font, beside 8 pixels on either side."""
    return ImageFont.truetype("DejaVuSans.ttf", 140).getlength(text) / 10 + 16


@pytest.mark.parametrize("name", ["titanic", "credit_g", "car", "auto_mpg", "penguins", "watermelon_3_0", "iris"])
def test_every_split_and_the_heading_of_its_score_fit_an_inspector_of_a_small_window(name):
    tree = ex.grow(trees.parts(Settings(sample=name)).train, ex.CART)
    decision = trees.decision_of(Settings(sample=name), 0, tree)
    frame, _ = candidates_table.frame_of(decision, tree.recipe, tree.is_regression, every=False)
    score = frame.columns[1]
    found = column_widths.alone(frame, score, score)
    texts_of = column_widths.whole_tests(frame) if found.together else frame["split"].tolist()
    room = found.pixels.get("split", BESIDE_BOXES - found.pixels[score] - found.pixels.get("feature", 0))
    assert found.pixels[score] >= dejavu(score), "the whole heading"
    assert sum(found.pixels.values()) <= BESIDE_BOXES
    if found.lines == 1:
        assert all(dejavu(text) <= room + 2 for text in texts_of if text.isascii())
    shown = [fitted_lines(text, room - 16, 12.6, found.lines) for text in texts_of]
    assert [text for text in shown if text.endswith("…")] == [] or (name, found.lines) == ("credit_g", 4)


def test_the_line_of_the_mean_gain_is_not_cut():
    for letters in range(8, 40):
        found = columns_of(["creatinine of the patient", "mean gain"], ["≤ " + "1" * letters, None], "gain ratio")
        assert found.pixels.get("feature", found.pixels.get("split", 999)) >= dejavu("mean gain"), letters


def test_a_split_without_room_beside_its_feature_stands_with_it_in_one_column():
    assert columns_of(["a"], ["≤ 1"]).pixels.keys() == {"Gini decrease"}
    assert columns_of(["Temperature at noon"], ["≤ 2.5"]).pixels["feature"] >= 79, "a name is cut before a split is"
    together = columns_of(["Temperature at noon"], ["in {Sunny, Overcast, Rain, Snow}"])
    assert together.together
    assert together.lines == 4, "Temperature at / noon in {Sunny, / Overcast, Rain, / Snow}"
    app = fine(opened("Grow", data="credit_g", recipe="CART"))
    shown = next(frame for frame in app.dataframe if frame.key == "candidates")
    assert list(shown.proto.column_order)[:2] == ["split", "Gini decrease"]
    assert shown.value["split"][0] == "checking_status ∈ {<0, 0<=X<200}"
    assert shown.proto.row_height >= 66, "Streamlit wraps texts of rows higher than 4rem"


def test_names_that_begin_alike_are_not_cut_to_the_same_letters():
    def shown(names, letters=11):
        return [name[:letters] for name in column_widths.told_apart(names, letters)]

    assert shown(["feature number 7", "feature number 100"], 9) == ["feat…er 7", "feat… 100"]
    assert shown(["age of the passenger", "fare in pounds"], 17) == ["age of the passen", "fare in pounds"]
    long = [f"days since the first purchase ({part})" for part in ("year", "month", "day")]
    assert shown([*long, "fare"], 9) == ["da…(year)", "d…(month)", "day…(day)", "fare"]


def test_a_name_that_is_cut_ends_in_an_ellipsis_and_its_cell_has_the_whole():
    lines = [f"{n // 3},{n % 3},{'a' if n < 6 else 'b'}" for n in range(12)]
    content = "\n".join(["percentage_of_interest,length_of_term,class", *lines]).encode()
    app = fine(picked(fine(went(fine(uploaded(opened(), "loans.csv", content)), "Grow")), "grow", "CART"))
    shown = next(frame for frame in app.dataframe if frame.key == "candidates")
    assert shown.value["feature"][0] == "percentage_of_interest"
    seen = pa.ipc.open_stream(shown.proto.arrow_data.styler.display_values).read_pandas()
    assert re.fullmatch("percentag.{0,4}…", seen["feature"][0]), list(seen["feature"])


def test_thresholds_begin_with_the_feature_that_was_chosen():
    app = fine(tab(opened("Grow", data="titanic", node="1"), "node.tab", "Thresholds"))
    assert app.selectbox("unfolded.feature").value == "age", "the split of men; the first column is pclass"
    assert app.selectbox("unfolded.feature").options[:2] == ["age", "fare"], "the runner-up is second"


def test_verdicts_are_shown_where_they_say_more_than_the_scores():
    def shown(**query):
        return next(frame.value for frame in fine(opened("Grow", **query)).dataframe if "feature" in frame.value)

    assert "verdict" not in shown()
    assert "split" not in shown(), "every split of ID3 is into each value"
    assert "below the mean gain" in " ".join(shown(recipe="C4.5")["verdict"].dropna())


@pytest.mark.parametrize("address", [{"data": "play_tennis"}, {"data": "titanic", "recipe": "CART"}])
def test_a_projector_shows_the_scores_in_letters_of_the_page_with_their_bars(address):
    (at_the_desk,) = [table for table in fine(opened("Grow", **address)).dataframe if table.key == "candidates"]
    assert "progress" in at_the_desk.proto.columns
    app = fine(opened("Grow", presenter="yes", **address))
    assert not [table for table in app.dataframe if table.key == "candidates"], "drawn on a canvas, in its own letters"
    (html,) = [element.proto.body for element in app.get("html") if "<table" in element.proto.body]
    cells = re.findall(r"<td[^>]*>([^<]*)</td>", html)
    desk, across = at_the_desk.value, len(at_the_desk.value.columns)
    assert cells[::across] == desk["feature"].tolist()
    scores = desk.iloc[:, 1]
    assert list(map(float, cells[1::across])) == pytest.approx(scores.tolist(), rel=0.01)
    bars = [float(share) for share in re.findall(r"--share: ([\d.]+)", html)]
    assert bars == pytest.approx((scores / scores.max()).tolist(), abs=1e-4)


def test_the_table_begins_with_what_decides_and_all_measures_are_a_click_away():
    app = fine(opened("Grow", data="titanic", recipe="CART"))
    shown = next(frame for frame in app.dataframe if frame.key == "candidates").value
    assert list(shown) == ["feature", "Gini decrease", "split"]
    app = fine(app.toggle("candidates.every.box").set_value(True).run())
    every = next(frame for frame in app.dataframe if frame.key == "candidates").value
    assert list(every)[:3] == list(shown)
    assert {"gain", "gain ratio", "split information", "χ²", "branches"} <= set(every)
    app = fine(went(went(app, "Prune"), "Grow"))
    assert app.toggle("candidates.every.box").value, "kept for the session"


def test_rows_of_a_node_are_numbered_from_1_and_the_page_says_which_line_that_is():
    """The days with Outlook = Sunny are D1, D2, D8, D9 and D11 (Mitchell 1997, table 3.2)."""
    app = fine(tab(opened("Grow", node="1"), "node.tab", "Rows"))
    rows = next(frame.value for frame in app.dataframe if "Outlook" in frame.value)
    assert rows.index.tolist() == [1, 2, 8, 9, 11]
    assert "Row 1 is the line below the names of the columns." in texts(app.caption)


@pytest.mark.parametrize(("data", "name"), [("play_tennis", "Branches"), ("golf", "Thresholds")])
def test_a_node_whose_features_have_no_thresholds_has_no_tab_of_that_name(data, name):
    labels = {tab.label for tab in fine(opened("Grow", data=data)).tabs}
    assert labels & {"Branches", "Thresholds"} == {name}


def test_a_pure_node_has_no_chi2():
    """All four overcast days were played: there is nothing to test."""
    assert "χ²" not in " ".join(each.value for each in fine(opened("Grow", node="2")).caption)
