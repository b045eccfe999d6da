"""Formulas on the pages: what is shown is what the package derives, for the number and the feature picked."""

import re

import pandas as pd
import pytest

import explorer as ex
from explorer import explaining
from pages.grow import candidates_table
from tests.pages.app import fine, measured, opened, picked, texts, uploaded, views, went
from tests.pages.app import tab as tab_of


def mathematics(app):
    """The LaTeX of every formula on the page, its broken lines joined."""
    return [joined(element.value.strip("$\n")) for element in app.latex]


def joined(formula):
    """A formula without the line breaks that the narrow inspector asks for."""
    return re.sub(r" \\\\\[5pt\] &(\\quad)? ?(?=[-+=]|\\approx|\\cdot)", " ", formula)


def formulas(app, tab="Formula"):
    """The node's inspector with its formulas in view."""
    return fine(tab_of(app, "node.tab", tab))


def play_tennis(recipe):
    data = ex.Dataset.from_frame(
        ex.load_sample("play_tennis").frame, "PlayTennis", features=ex.SAMPLES["play_tennis"].features
    )
    return ex.grow(data, recipe), data


def table_of(app):
    return next(frame.value for frame in app.dataframe if frame.key == "candidates")


def test_the_root_of_play_tennis_opens_with_its_gain():
    shown = mathematics(formulas(opened("Grow")))[0]
    assert r"\frac{9}{14} \cdot \log_2\frac{9}{14} \approx 0.940" in shown
    assert r"\approx 0.247\end{aligned}" in shown


def test_the_legend_names_branches_and_classes():
    text = texts(formulas(opened("Grow")).caption)
    assert "**D₁**  Outlook = Sunny · No: 3, Yes: 2" in text


def test_another_feature_and_another_number():
    # Humidity: two branches of seven days, split information 1 bit
    app = formulas(opened("Grow"))
    app = fine(app.selectbox("formula.of.0").set_value("Humidity").run())
    app = fine(app.selectbox("formula.number.gain").set_value("split information").run())
    assert any(
        r"-\frac{7}{14} \cdot \log_2\frac{7}{14} - \frac{7}{14}" in formula and "= 1" in formula
        for formula in mathematics(app)
    )


def test_all_measures_stand_side_by_side_whatever_the_algorithm():
    # Outlook by hand: gain 0.247, split information 1.577, ratio 0.156, Gini decrease 57/490
    for name in ("ID3", "C4.5"):
        row = table_of(fine(measured(picked(opened("Grow"), "grow", name)))).set_index("feature").loc["Outlook"]
        numbers = row[["gain", "split information", "gain ratio", "Gini decrease"]].astype(float).tolist()
        assert numbers == pytest.approx([0.2467498, 1.5774063, 0.1564276, 57 / 490], abs=1e-6)


@pytest.mark.parametrize(("name", "score"), [("ID3", "gain"), ("C4.5", "gain ratio"), ("CART", "Gini decrease")])
def test_the_score_stands_in_front(name, score):
    columns = list(table_of(fine(picked(opened("Grow", data="titanic"), "grow", name))).columns)
    assert columns[:3] == ["feature", score, "split"]


def test_the_mean_gain_is_a_line_with_those_below_it():
    # 0.247, 0.152 reach the mean 0.119; 0.048 and 0.029 do not
    table = table_of(fine(picked(opened("Grow"), "grow", "C4.5")))
    assert table["feature"].tolist() == ["Outlook", "Humidity", "mean gain", "Wind", "Temperature"]
    assert table["gain"][2] == pytest.approx(0.1189837, abs=1e-6)
    assert all("below the mean gain 0.119" in reason for reason in table["verdict"][3:])


def test_the_mean_and_the_margin_have_formulas():
    app = formulas(picked(opened("Grow"), "grow", "C4.5"))
    app = fine(app.selectbox("formula.of.0").set_value("mean gain").run())
    assert any(r"\text{mean gain}" in formula and "0.119" in formula for formula in mathematics(app))
    app = fine(app.selectbox("formula.of.0").set_value("margin of the winner").run())
    assert any(r"\text{margin}" in formula and "0.00459" in formula for formula in mathematics(app))


def test_chi2_has_its_formula():
    tree, data = play_tennis(ex.ID3)
    text = explaining.chi2_formula(tree.node(0), ex.decide(tree, data, 0))
    app = opened("Grow")
    app.session_state["formula.open.chi2"] = True
    assert joined(text.narrow) in mathematics(fine(app.run()))


def test_missing_cells_have_theirs():
    app = opened("Grow", data="golf_missing", recipe="C4.5")
    app.session_state["formula.open.missing"] = True
    app = fine(app.run())
    assert any(r"m_{1} &= 1 \cdot \frac{5}{13}" in formula for formula in mathematics(app))


def test_a_tie_is_reported():
    frame = ex.load_sample("play_tennis").frame
    twice = pd.DataFrame({"Wind": frame["Wind"], "Breeze": frame["Wind"], "PlayTennis": frame["PlayTennis"]})
    app = fine(went(fine(uploaded(opened(), "wind.csv", twice.to_csv(index=False).encode())), "Grow"))
    verdicts = table_of(app).set_index("feature")["verdict"]
    assert verdicts["Wind"] == "✓ chosen; tie: the first column wins"
    assert verdicts["Breeze"] == "tie: an earlier column wins"


def test_a_cell_of_the_file_to_download_is_no_formula():
    frame = ex.load_sample("play_tennis").frame[["Wind", "PlayTennis"]].rename(columns={"Wind": "=1+1"})
    data = ex.Dataset.from_frame(frame, "PlayTennis")
    tree = ex.grow(data, ex.ID3)
    file = candidates_table.csv(ex.decide(tree, data, 0), tree.recipe, False)
    assert file.splitlines()[1].startswith("'=1+1,0.04812703040826")


def test_the_weakest_link_from_the_counts():
    # golden: play tennis by one value against the rest; node 3 has 4 and 1 of 14 days and saves 4/35 with two leaves
    app = opened("Prune", recipe="CART", categorical="one_vs_rest")
    shown = mathematics(fine(tab_of(app, "prune.tab", "Weakest link")))
    assert any(r"\frac{5}{14}" in formula and r"\frac{2}{35} \approx 0.0571" in formula for formula in shown)


@pytest.mark.parametrize(
    ("method", "sign"), [("pessimistic", "e(T_t)"), ("mdl", r"\log_2\binom{14}{5}"), ("cost_complexity", "g(t)")]
)
def test_the_last_step_of_a_method_has_its_formula(method, sign):
    app = fine(opened("Prune", pruning="methods", method=method, data="golf_missing", recipe="C4.5"))
    assert any(sign in formula for formula in mathematics(app))


def test_the_books_reduced_error_counts_melons():
    # Mitchell's order ends with the root, whose removal would take the accuracy from 5/7 to 3/7
    app = fine(opened("Prune", pruning="methods", book="mitchell"))
    assert any(r"\frac{5}{7}" in formula and r"= \frac{3}{7} \approx 0.429" in formula for formula in mathematics(app))


def test_the_grown_tree_has_no_step_to_show():
    assert mathematics(fine(opened("Prune", pruning="methods", method="unpruned"))) == []


def test_without_an_admissible_test_there_is_no_formula():
    app = fine(opened("Grow", min_rows_leaf="8"))
    assert "No split is admissible here" in texts(app.markdown)
    assert mathematics(app) == []
    app = formulas(app)
    assert "No split was tried here." in texts(app.markdown)
    assert mathematics(app) == []
    app = formulas(app, "Thresholds")
    assert "No split is admissible here" in texts(app.markdown)


def test_a_split_that_chi2_stops_is_reported_by_its_own_branches():
    # outlook wins, with five rows in its first branch; the list of candidates need not begin with it then
    data = ex.Dataset.from_frame(ex.load_sample("golf").frame, "class")
    tree = ex.grow(data, ex.C45.replace(chi2_level=0.0))
    decision = ex.decide(tree, data, 0)
    assert decision.chosen is None
    words = [words for symbol, words in explaining.chi2_formula(tree.node(0), decision).legend if "branch 1" in symbol]
    assert words == [f"{decision.best[decision.winner.feature].condition.word(0)} · 5 rows"]


def test_prepruning_has_its_formula():
    app = opened("Grow", prepruning="true", recipe="CART", data="titanic", split="two")
    app.session_state["formula.open.validation"] = True
    assert any(r"\text{accuracy after}" in formula for formula in mathematics(fine(app.run())))


def test_the_table_marks_the_row_whose_formula_is_shown():
    app = fine(picked(opened("Grow"), "grow", "C4.5"))
    names = table_of(app)["feature"].tolist()
    for name in ("Wind", candidates_table.mean_line()):
        app = fine(formulas(app).selectbox("formula.of.0").set_value(name).run())
        app = formulas(app, "Candidates")
        assert app.session_state["candidates"]["selection"]["rows"] == [names.index(name)]
    app = fine(formulas(app).selectbox("formula.of.0").set_value("margin of the winner").run())
    app = formulas(app, "Candidates")
    assert app.session_state["candidates"]["selection"]["rows"] == []


def test_one_gain_and_one_entropy_read_the_same_in_head_sentence_formula_and_scene():
    """Mitchell 1997, section 3.4: H(D) = 0.940, gain(Outlook) = 0.247."""
    app = fine(opened("Grow", step="1"))
    head, sentence = texts(app.markdown), views(app)["grow"]["sentence"]
    assert "entropy 0.940" in head
    assert "gain 0.247, runner-up Humidity 0.152" in head
    assert "gain 0.247, Humidity 0.152" in sentence
    scene = texts(fine(opened("Learn", learn="scene", scene="own")).markdown)
    assert "**0.940**" in scene
    assert "0.2467" not in head + sentence + scene
