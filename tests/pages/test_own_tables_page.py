"""What the Data page makes of a reader's own table by itself, and offers by one click: counts, leaks, dates, ids."""

import json

import numpy as np
import pandas as pd

from tests.data.statistics.survey import FOLDER
from tests.oracles.titanic_counts import TITANIC
from tests.pages.app import address_of, editor, fine, opened, summary, texts, typed, uploaded, went

DAYS = pd.date_range("2020-01-05", periods=200, freq="3D")


def of_frame(frame, name="own.csv"):
    return fine(uploaded(opened(), name, frame.to_csv(index=False).encode()))


def roles(app):
    frame = next(frame.value for frame in app.dataframe if "role" in frame.value)
    return dict(zip(frame["column"], frame["role"], strict=True))


def clicked(app, key):
    return fine(next(button for button in app.button if str(button.key).startswith(key)).click().run())


def test_a_table_of_counts_becomes_people_by_one_click():
    app = of_frame(TITANIC)
    assert app.selectbox(key="target").value == "Survived"
    assert "as 'Freq' says, 2,201 in all" in texts(app.markdown)
    app = clicked(app, "suggestion.apply")
    assert json.loads(address_of(app)["repair"][0]) == ["one_row_per_case", "", {"column": "Freq"}]
    assert "2,201 rows × 4 columns" in texts(app.caption)
    assert "Keep one of each" not in [button.label for button in app.button], "people are alike"
    said = summary(fine(went(app, "Grow")))
    assert "1,541 training + 660 validation rows" in said
    assert "rows kept" not in said
    assert "equal a training row" not in texts(fine(went(app, "Evaluate")).caption)


def test_people_row_by_row_are_not_asked_about_as_entered_twice():
    people = TITANIC.loc[TITANIC.index.repeat(TITANIC["Freq"])].drop(columns="Freq")
    app = of_frame(people)
    assert "entered twice" not in texts(app.markdown)
    assert "rows repeat an earlier row in every column." in texts(app.markdown)
    rng = np.random.default_rng(3)
    survey = [rng.integers(0, n, 900) for n in (6, 4, 4, 2, 20)]
    app = of_frame(pd.DataFrame(dict(zip(["age", "beer", "tobacco", "ill", "visits"], survey, strict=True))))
    assert "rows repeat an earlier row in every column." in texts(app.markdown)
    assert "repeated_rows.keep" not in [button.key for button in app.button]
    assert texts(app.markdown).count(" rows repeat ") == 1, "above the table alone"


def test_names_of_units_in_runs_offer_to_split_by_them():
    rng, make = np.random.default_rng(3), np.repeat(np.arange(32), 3)
    frame = pd.DataFrame({"make": [f"m{n}" for n in make], "hp": rng.integers(60, 300, 96), "price": rng.random(96)})
    app = of_frame(frame)
    assert "Split by make" in [button.label for button in app.button]
    assert roles(clicked(app, "repeated_id.split"))["make"] == "groups"


def patients():
    """Who has died has a late day of death, as a registry closes."""
    rng = np.random.default_rng(4)
    died = rng.integers(0, 2, 200).astype(bool)
    days = np.where(died, rng.integers(0, 400, 200), rng.integers(500, 900, 200))
    end = pd.Timestamp("2020-02-01") + pd.to_timedelta(days, "D")
    columns = {"status": np.where(died, "D", "A"), "death": end, "age": rng.integers(20, 80, 200)}
    return pd.DataFrame({**columns, "dose": rng.normal(size=200).round(3)})


def test_a_leak_is_left_out_with_the_parts_of_its_date():
    app = clicked(of_frame(patients()), "suggestions.all")
    assert app.selectbox(key="target").value == "status"
    assert {name for name, role in roles(app).items() if role == "feature"} > {"death", "death (year)", "age"}
    leaks = [place for place in texts(app.markdown).split(":material/") if "'death' alone" in place]
    assert leaks
    app = clicked(app, "leak.leave_out")
    assert {name for name, role in roles(app).items() if role == "feature"} == {"age", "dose"}
    assert "Leave it out" not in [button.label for button in app.button]


def test_one_click_leaves_all_leaks_out_and_twins_share_a_line():
    rng = np.random.default_rng(2)
    sick = rng.integers(0, 2, 200)
    frame = pd.DataFrame({"age": rng.integers(20, 90, 200), "dose": rng.normal(size=200).round(3)})
    frame["ill"] = np.where(sick, "ill", "well")
    frame["cure"] = np.where(sick, "a", "b")
    frame["bill"] = np.where(sick, 900, 40) + rng.integers(0, 9, 200)
    frame["shade"] = np.where(rng.random(200) < 0.5, "dark", "pale")
    frame["tone"] = frame["shade"].map({"dark": "D", "pale": "P"})
    frame["status"] = np.where(sick, "no", "yes")
    app = of_frame(frame)
    lines = [each.value for each in app.markdown if ":material/warning:" in each.value]
    assert any("'ill' alone" in line and "The same holds for 'cure', which a tree splits" in line for line in lines)
    labels = [button.label for button in app.button if str(button.key).startswith("leak.")]
    assert labels == ["Leave them out", "Leave all 4 out", "Leave it out", "Leave it out"]
    app = clicked(app, "leak.all")
    assert {name for name, role in roles(app).items() if role == "feature"} == {"age", "dose", "shade"}
    assert not [button for button in app.button if str(button.key).startswith("leak.")]


def test_a_leak_left_out_before_its_dates_are_read_stays_out():
    frame = patients()
    frame["death"] = frame["death"].dt.to_period("M").dt.start_time  # few values: categories of text
    app = clicked(of_frame(frame), "leak.leave_out")
    assert roles(app)["death"] == "not used"
    app = clicked(app, "suggestions.all")
    assert {name for name, role in roles(app).items() if role == "not used"} == {
        "death",
        "death (year)",
        "death (month)",
    }


def test_a_date_that_was_no_feature_as_text_becomes_one_with_its_parts():
    frame = patients().assign(stay=lambda rows: np.where(rows["status"] == "D", "short", "long"))
    app = clicked(of_frame(frame), "leak.leave_out")
    assert (roles(app)["stay"], roles(app)["death"]) == ("not used", "not used")
    app = clicked(app, "suggestions.all")
    assert (roles(app)["stay"], roles(app)["death (year)"]) == ("not used", "feature")


def sales():
    rng = np.random.default_rng(6)
    return pd.DataFrame({"date": DAYS, "rain": rng.normal(size=200).round(3), "kind": rng.choice(["a", "b"], 200)})


def test_a_date_offers_to_split_by_time_and_sets_are_told_by_their_dates():
    app = of_frame(sales())
    assert "Split by date" not in [button.label for button in app.button], "not yet read as dates"
    app = clicked(app, "suggestions.all")
    assert roles(app)["date (year)"] == "feature"
    app = clicked(app, "repeated_id.split")
    assert (roles(app)["date"], roles(app)["date (year)"]) == ("time", "not used")
    notes = editor(app, "column", "role").value.set_index("column")["note"]
    assert notes["date (year)"] == "left out: later years are in no training row"
    cut = DAYS[139].date(), DAYS[140].date()
    assert f"date: 2020-01-05 to {cut[0]} / {cut[1]} to {DAYS[-1].date()}" in texts(app.caption).replace("\\", "")
    assert "Split by date" not in [button.label for button in app.button]


def test_the_role_of_time_takes_the_year_out_as_the_button_does():
    app = clicked(of_frame(sales()), "suggestions.all")
    table = next(frame for frame in app.dataframe if "role" in frame.value)
    line = table.value["column"].tolist().index("date")
    app = fine(typed(app, table, **{f"_{line}": {"role": "time"}}))
    assert {name: role for name, role in roles(app).items() if role != "feature"} == {
        "date": "time",
        "date (year)": "not used",
        "kind": "target",
    }


def test_times_to_split_at_are_dates_where_a_repair_has_read_them():
    app = clicked(clicked(of_frame(sales()), "suggestions.all"), "repeated_id.split")
    field = next(each for each in app.text_input if str(each.key) == "divide.at.0")
    assert field.placeholder == f"2020-01-05 to {DAYS[-1].date()}"
    app = fine(field.set_value("2021-01-01").run())
    n_before = int((DAYS < "2021-01-01").sum())
    assert f"Training set: {n_before} rows." in texts(app.caption)


def test_meta_columns_of_orange_are_no_features():
    rows = [f"{i * i % 37}\t{'abc'[i % 3]}\t{'yn'[i % 2]}" for i in range(40)]
    content = "\n".join(["x\tpanel\ty", "c\td\td", "\tmeta\tclass", *rows]).encode()
    app = fine(uploaded(opened(), "panel.tab", content))
    assert roles(app) == {"x": "feature", "panel": "not used", "y": "target"}
    assert "Not used as features, since the header calls them meta data: 'panel'." in texts(app.caption)


def test_what_a_file_of_spss_says_of_a_column_stands_beside_it():
    app = fine(uploaded(opened(), "survey.sav", (FOLDER / "survey.sav").read_bytes()))
    lines = editor(app, "column", "role").value
    assert lines.set_index("column")["note"]["trust"].endswith("How much do you trust them?")


def test_a_numeric_id_with_few_repeats_is_no_feature_and_groups_first():
    rng = np.random.default_rng(8)
    frame = pd.DataFrame(
        {"V1": rng.integers(1, 10, 300), "ID": 1000 + np.arange(300) * 7, "y": rng.choice(["a", "b"], 300)}
    )
    frame.loc[290:, "ID"] = frame.loc[:9, "ID"].to_numpy()
    app = of_frame(frame)
    assert roles(app)["ID"] == "not used"
    app = fine(app.selectbox(key="divide").set_value("groups").run())
    by = app.selectbox(key="divide_by")
    assert (by.value, by.options) == ("ID", ["ID", "V1"])


def test_rows_without_a_target_are_told_in_the_head():
    frame = sales().drop(columns="date")
    frame.loc[:6, "kind"] = None
    assert "200 rows × 2 columns, 7 rows left out" in texts(of_frame(frame).caption)


def test_a_small_table_with_numbers_starts_with_cart_and_one_of_categories_as_in_the_books():
    frame = sales().head(60)
    assert "CART" in summary(fine(went(of_frame(frame[["rain", "kind"]]), "Grow")))
    frame = frame.assign(size=["low", "high"] * 30)[["size", "kind"]]
    assert "ID3" in summary(fine(went(of_frame(frame), "Grow")))


def test_no_table_is_called_grown_again_whose_tree_nobody_has_seen():
    app = fine(went(opened(), "Grow"))
    app = fine(uploaded(fine(went(app, "Data")), "sales.csv", sales().to_csv(index=False).encode()))
    assert "is grown again" not in texts(clicked(app, "suggestions.all").info)


def test_that_ids_repeat_is_said_once():
    rng = np.random.default_rng(6)
    frame = pd.DataFrame({"contestant": np.arange(120) % 40, "x": rng.normal(size=120), "won": rng.integers(0, 2, 120)})
    app = of_frame(frame)
    assert "Split by contestant" in [button.label for button in app.button]
    assert (texts(app.markdown) + texts(app.info)).count("rows of one value") == 1
