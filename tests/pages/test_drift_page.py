"""Drift on the Predict page: the split where the rows of a file part from the training rows."""

import json
import math

import pandas as pd
import pytest

import explorer as ex
from explorer.formatting import percent
from pages.predict import open_tab
from pages.text import number
from tests.pages.app import cell_chosen, fine, metrics, opened, texts, views


def given(app, frame):
    """The page after a file with these rows was given to the tab for whole files."""
    app.session_state[open_tab.KEY] = "Predict a file"
    content = frame.to_csv(index=False).encode()
    return fine(app.run().file_uploader[0].upload("year.csv", content, "text/csv").run())


def test_a_file_is_compared_with_the_validation_rows_and_its_misses_can_be_listed_alone():
    """300 validation rows of German credit, then the same with every other class turned round."""
    query = {"data": "credit_g", "recipe": "CART", "alpha": "0.004", "split": "two"}
    sample, frame = ex.SAMPLES["credit_g"], ex.load_sample("credit_g").frame
    data = ex.Dataset.from_frame(frame, sample.target, features=sample.features, kinds=sample.kinds)
    valid = frame.iloc[data.split(0.7, seed=0)[1].row_numbers]
    app = given(opened("Predict", **query), valid)
    assert metrics(app)["Accuracy"] == metrics(app)["Validation rows"]
    assert "No difference from the validation rows beyond chance (χ² test of two shares, p = 1" in texts(app.caption)
    by_chance = "(Siddiqi 2006). Over 32 leaves chance alone makes about 0.148."  # 31·(1/700 + 1/300)
    assert by_chance in texts(app.caption)
    assert "Some change: from 0.1 to 0.25" in texts(app.caption)
    assert 0.1 <= float(metrics(app)["PSI"]) < 0.25
    right = float(metrics(app)["Accuracy"].removesuffix(" %")) / 100
    turned = valid.assign(**{sample.target: valid[sample.target].map({"good": "bad", "bad": "good"})})
    app = given(app, turned)
    assert ":orange[Worse than on the validation rows, beyond chance] (χ² test of two shares" in texts(app.caption)
    n_missed = round(300 * right)
    assert app.toggle("second.missed").label == f"Only the {n_missed} misclassified rows"
    app = fine(app.toggle("second.missed").set_value(True).run())
    shown = next(frame.value for frame in app.dataframe if "prediction" in frame.value)
    assert (shown["prediction"] != shown[sample.target]).all()
    assert f"The first 200 of {n_missed} rows." in texts(app.caption)


def test_at_a_threshold_recall_precision_and_profit_stand_beside_those_of_the_validation_rows():
    """The validation rows themselves: all is alike, and profit is what the counts of the matrix bring."""
    sample, frame = ex.SAMPLES["credit_g"], ex.load_sample("credit_g").frame
    data = ex.Dataset.from_frame(frame, sample.target, features=sample.features, kinds=sample.kinds)
    train, valid = data.split(0.7, seed=0)
    tree = ex.grow(train, ex.CART.replace(max_depth=3)).with_threshold("bad", 0.25)
    rows = frame.iloc[valid.row_numbers]
    said, is_bad = tree.predict(rows) == "bad", (rows[sample.target] == "bad").to_numpy()
    recall, precision = percent(float(said[is_bad].mean())), percent(float(is_bad[said].mean()))
    profit = number(float((5 * (said & is_bad) - (said & ~is_bad)).mean()))
    query = {"data": "credit_g", "recipe": "CART", "max_depth": "3", "split": "two"}
    app = given(
        opened("Predict", **query, decide=f"{data.classes.index('bad')}:0.25", **{"e.profit": "5:-1:0:0"}), rows
    )
    shown = texts(app.markdown)
    assert f"| recall | {recall} | {recall} | 1 |" in shown
    assert f"| precision | {precision} | {precision} | 1 |" in shown
    assert f"| profit a row | {profit} | {profit} |  |" in shown
    assert "Accuracy is not its aim" in texts(app.caption)


def test_the_split_where_a_file_parts_from_the_training_rows_is_named_and_ringed():
    """27 more days under an overcast sky: 31 of 41 instead of 4 of 14, and below it all is alike."""
    days = ex.load_sample("play_tennis").frame
    file = pd.concat([days, pd.DataFrame([days.iloc[2]] * 27)])
    app = given(opened("Predict"), file)
    assert "Large change: from 0.25 on" in texts(app.caption)
    assert metrics(app)["PSI"] == "0.963"  # (31/41 − 4/14)·(ln(31/41 ÷ 4/14) − ln(10/41 ÷ 10/14))
    assert "100 % of the leaves' PSI enters at node 0: Outlook." in texts(app.caption)
    assert [mark["node"] for mark in views(app)["predict"]["marks"]] == [0]
    found = table_with(app, "branch").value.iloc[0]
    assert (found["branch"], found["before"], found["now"]) == ("Outlook = Overcast", "28.6 %", "75.6 %")
    assert found["part"] == "100 %"
    # χ² of (4, 10) and (31, 10): 55·(4·10 − 10·31)²/(14·41·35·20)
    assert float(found["p"]) == pytest.approx(math.erfc(math.sqrt(55 * 270**2 / (14 * 41 * 35 * 20) / 2)), rel=5e-3)
    app = given(app, days.assign(PlayTennis=days["PlayTennis"].map({"Yes": "No", "No": "Yes"})))
    assert metrics(app)["PSI"] == "0"
    assert "Little change: below 0.1" in texts(app.caption)
    assert "No split divides these rows otherwise than by chance" in texts(app.caption)
    assert "No leaf differs beyond chance" in texts(app.caption), "they have too few rows"
    leaves = table_with(app, "training").value
    assert {tuple(line) for line in leaves[["training", "now"]].itertuples(index=False)} == {("100 %", "0 %")}


def table_with(app, column):
    return next(frame for frame in app.dataframe if column in frame.value)


def test_a_click_on_a_line_of_drift_or_outcomes_selects_its_node():
    frame = ex.load_sample("titanic").frame
    app = given(opened("Predict", data="titanic", recipe="CART", max_depth="3"), frame[frame["sex"] == "female"])
    for column in ("branch", "training"):
        table = table_with(app, column)
        node = table.value["node"].iloc[1]
        app = fine(cell_chosen(app, table, 1, column))
        assert app.query_params["node"] == str(node) != "0"


def test_every_column_of_a_file_is_compared_and_a_click_selects_the_split_that_tests_it_first():
    """Fares of a second year are half as large again, a column that a tree of depth 2 does not test."""
    sample, frame = ex.SAMPLES["titanic"], ex.load_sample("titanic").frame
    now = frame.assign(fare=frame["fare"] * 1.5, pclass=frame["pclass"].where(frame.index % 4 > 0))
    app = given(opened("Predict", data="titanic", recipe="CART", max_depth="2"), now)
    table = table_with(app, "KS")
    lines = table.value.set_index("feature")
    assert "Columns" in texts(app.caption)
    assert "2 of" in texts(app.caption)
    assert lines.loc["fare", "splits"] == "0"
    assert float(lines.loc["fare", "before"]) == pytest.approx(frame["fare"].median(), rel=0.01)
    assert float(lines.loc["fare", "now"]) == pytest.approx(1.5 * frame["fare"].median(), rel=0.01)
    pclass = next(line for name, line in lines.iterrows() if name.startswith("pclass"))
    assert pclass["missing"] == "0 → 25 %"
    assert list(lines.index).index("fare") < 2
    assert sample.target not in lines.index
    tested = next(
        at for at, count in enumerate(lines["splits"]) if count != "0" and not lines.index[at].startswith("sex")
    )
    app = fine(cell_chosen(app, table, tested, "PSI"))
    assert app.query_params["node"] != "0"
    app = fine(cell_chosen(app, table_with(app, "KS"), list(lines.index).index("fare"), "PSI"))
    assert app.query_params["node"] != "0", "no split tests it"


def test_the_class_that_outcomes_are_shares_of_is_the_predicted_one():
    app = given(opened("Predict"), ex.load_sample("play_tennis").frame)
    assert "predicted" in table_with(app, "training").value
    assert "the share of the predicted class in the leaf" in texts(app.caption)


def column_widths(app, column):
    """Pixels of the columns of the table that has this one."""
    return {name: config.get("width") for name, config in json.loads(table_with(app, column).proto.columns).items()}


def test_columns_are_as_wide_as_their_longest_numbers():
    """Pixels as Chromium measures them in letters of 14 pixels, DejaVu Sans; a cell has 8 on each side of its text."""
    frame = ex.load_sample("titanic").frame
    query = {"data": "titanic", "recipe": "CART", "max_depth": "3"}
    app = given(opened("Predict", **query), frame[frame["sex"] == "female"])
    power, effect, fraction = 77.7, 51.8, 41.9  # 1.56·10⁻¹⁴¹, −0.280, 5.275
    for column in ("branch", "training"):
        assert column_widths(app, column)["p"] >= power + 16
    assert column_widths(app, "PSI")["PSI"] >= fraction + 16
    assert column_widths(app, "KS")["KS"] >= fraction + 16
    app = opened("Prune", **query, node="1")
    app.session_state["prune.tab"] = "Rows"
    assert column_widths(fine(app.run()), "effect")["effect"] >= effect + 16
