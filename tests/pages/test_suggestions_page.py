"""Suggestions on the Data page: what is listed, what a click does to table, link and tree, and a second file."""

import json
from io import BytesIO

import numpy as np
import pandas as pd
import pytest

import explorer as ex
from pages.data import suggestions
from tests.pages.app import address_of, editor, fine, opened, summary, tab, texts, typed, uploaded, went

LOANS = pd.DataFrame(
    {
        "rate": [f"{5 + number % 17}.5%" for number in range(40)],
        "day": [f"{1 + number % 12:02d}/{1 + number % 11:02d}/2023" for number in range(40)],
        "size": [number % 13 for number in range(40)],
        "paid": [("yes", "Yes", "no", "NO ")[number % 4] for number in range(40)],
    }
)
CSV = LOANS.to_csv(index=False).encode()


def loans():
    return fine(uploaded(opened(), "loans.csv", CSV))


def panel(app):
    """What the panel of suggestions says."""
    place = app.main.get_by_key("suggestions")
    return " ".join([texts([*place.markdown, *place.caption]), *(folded.label for folded in place.expander)])


def buttons(app, what):
    return [button for button in app.button if str(button.key).startswith(f"suggestion.{what}")]


def line(app, words):
    """The button in the line of the panel that holds these words."""
    places = [
        place
        for button in app.button
        if str(button.key).startswith(("suggestion.apply", "suggestion.undo"))
        for place in [app.main.get_by_key(f"suggestion_line_{button.key.rpartition('.')[2]}")]
        if words in texts(place.markdown)
    ]
    assert len(places) == 1
    return places[0]


def types(app):
    frame = next(frame.value for frame in app.dataframe if "role" in frame.value)
    return dict(zip(frame["column"], frame["type"], strict=True))


def test_every_suggestion_has_a_line_with_before_and_after():
    app = loans()
    said = panel(app)
    found = ex.read_table(CSV, "loans.csv").suggestions
    assert {suggestion.column for suggestion in found} == {"rate", "day", "paid"}
    assert "3 columns need a look" in said
    assert len(buttons(app, "apply")) == len(found)
    for suggestion in found:
        assert suggestion.sentence in said
    assert "“5.5%” → 5.5" in said


def test_nothing_is_shown_for_a_tidy_file_and_for_samples():
    for app in (opened(data="car"), uploaded(opened(), "tidy.csv", b"x,y\n1,a\n2,b\n3,a\n4,b\n")):
        assert not [button for button in fine(app).button if str(button.key).startswith("suggestion")]


def test_applying_and_undoing_one_suggestion():
    app = loans()
    assert types(app)["rate"] == "categorical"
    app = fine(line(app, "'rate'").button[0].click().run())
    assert types(app)["rate"] == "numeric"
    assert types(app)["paid"] == "categorical"
    assert json.loads(address_of(app)["repair"][0])[:2] == ["per_cent", "rate"]
    app = fine(line(app, "**rate**: per cent").button[0].click().run())
    assert types(app)["rate"] == "categorical"
    assert "repair" not in address_of(app)


@pytest.mark.parametrize("button", ["one", "all"])
def test_dates_count_from_the_earliest_of_the_whole_file(button):
    days = [str(np.datetime64("2019-01-02") + day % 1800) for day in range(5_000)]
    days[2_501] = "2019-01-01"
    frame = pd.DataFrame({"day": days, "y": ["a", "b"] * 2_500})
    app = fine(uploaded(opened(), "days.csv", frame.to_csv(index=False).encode()))
    key = "suggestions.all" if button == "all" else buttons(app, "apply")[0].key
    app = fine(app.button(key).click().run())
    assert "days since 2019-01-01" in texts(app.markdown)
    first = next(frame.value for frame in tab(app, "table.tabs", "First rows").dataframe if "y" in frame.value)
    assert first["day"].tolist() == days[: len(first)], "the rows are read as dates"


def test_apply_all_leaves_the_questions():
    app = loans()
    app = fine(app.button("suggestions.all").click().run())
    assert types(app)["rate"] == "numeric"
    assert "1 column needs a look" in panel(app)
    assert "2 repairs applied" in panel(app)
    app.session_state["share"] = True
    assert "Repairs in it name the values they change" in texts(fine(app.run()).markdown)
    assert "'day'" in panel(app), "whether the day or the month comes first, only the reader knows"


def test_the_tree_says_which_of_its_columns_wait_for_an_answer():
    content = b"kg;y\n" + b"2.620;a\n146;b\n3.100;a\n99;b\n" * 3
    app = fine(uploaded(opened(), "german.csv", content))
    asks = "The Data page has open questions about 'kg'."
    assert asks in texts(fine(went(app, "Grow")).warning)
    place = line(fine(went(app, "Data")), "'kg'")
    app = place.selectbox[0].select(place.selectbox[0].options[0]).run()
    app = fine(line(app, "'kg'").button[0].click().run())
    assert asks not in texts(fine(went(app, "Grow")).warning)


def test_the_tree_says_how_many_columns_need_a_look():
    def said(app):
        return [link.label for link in fine(went(app, "Grow")).get("page_link") if "look" in link.label]

    app = loans()
    assert said(app) == ["3 columns need a look"]
    app = fine(went(app, "Data").button("suggestions.all").click().run())
    assert said(app) == ["1 column needs a look"]
    assert said(opened(data="titanic")) == []


def test_a_question_is_answered_by_a_choice():
    app = loans()
    place = line(app, "'day'")
    (question,) = place.selectbox
    assert question.value is None
    assert place.button[0].disabled
    assert "“01/01/2023” →" not in texts(place.markdown), "how it is read, nobody has said yet"
    month_first = next(option for option in question.options if option.startswith("Month first, with"))
    app = place.selectbox[0].select(month_first).run()
    (suggestion,) = (one for one in ex.read_table(CSV, "loans.csv").suggestions if one.column == "day")
    chosen = next(one for one in suggestion.alternatives if one.choice == month_first)
    for before, after in suggestion.examples_of(chosen):
        assert f"“{before}” → {after}" in texts(line(app, "'day'").markdown)
    app = fine(line(app, "'day'").button[0].click().run())
    assert '"order":"mdy"' in address_of(app)["repair"][0]
    assert types(app)["day"] == "numeric"


def test_repairs_are_in_the_link_and_a_reload_has_them(monkeypatch):
    key = "k" * 43
    monkeypatch.setattr("pages.uploads.browser.cookie", lambda: key)
    app = fine(loans().button("suggestions.all").click().run())
    again = fine(opened(**address_of(app)))
    assert types(again) == types(app)
    assert panel(again) == panel(app)


@pytest.mark.parametrize("repair", ["", "[", '["per_cent"]', '["no such","a",{}]', '["per_cent",1,{}]', "[" * 9999])
def test_a_damaged_repair_in_a_link_is_refused_with_a_message(repair):
    app = opened(data="golf", repair=repair)
    assert not app.exception
    assert "The link has repair" in texts(app.warning)


def test_a_repair_of_a_column_that_is_not_there_changes_nothing():
    repair = json.dumps(ex.Repair("blanks", "no such").to_plain())
    app = fine(opened(data="golf", repair=repair))
    assert "there is no column 'no such'" in texts(app.markdown)


def test_a_change_after_growing_is_announced_and_choices_about_columns_stay():
    app = went(loans(), "Grow")
    before = summary(app)
    app = went(app, "Data")
    app.session_state["settings"] = suggestions.changed(app.session_state["settings"], features=("rate", "size"))
    app = fine(line(app.run(), "'rate'").button[0].click().run())
    assert "The tree is grown again on the table as it is now." in texts(app.info)
    assert address_of(app)["feature"] == ["rate", "size"]
    assert summary(fine(went(app, "Grow"))) != before


def test_a_column_that_is_a_feature_by_a_repair_alone_joins_a_choice_of_features():
    days = pd.date_range("2024-01-01", periods=60).strftime("%d.%m.%Y")
    frame = pd.DataFrame({"day": days, "size": range(60), "spare": range(60, 0, -1), "paid": ["yes", "no"] * 30})
    app = fine(uploaded(opened(), "days.csv", frame.to_csv(index=False).encode()))
    app.session_state["settings"] = suggestions.changed(app.session_state["settings"], features=("size",))
    app = fine(buttons(fine(app.run()), "apply")[0].click().run())
    chosen = app.session_state["settings"].features
    assert chosen[0] == "size"
    assert "spare" not in chosen, "it was left out by hand"
    assert "day (weekday)" in chosen
    app = fine(buttons(app, "undo")[0].click().run())
    assert app.session_state["settings"].features == ("size",), "day is like an id again"


def test_features_that_a_repair_replaces_are_dropped_from_the_choice():
    settings = suggestions.Settings(target="b", features=("a", "c"), kinds=(("a", "numeric"), ("b", "categorical")))
    assert suggestions._about(settings, {"a", "b", "c"}) == {}
    assert suggestions._about(settings, {"b", "c"}) == {"features": ("c",), "kinds": (("b", "categorical"),)}
    assert suggestions._about(settings, {"d"}) == {"target": "", "features": None, "kinds": ()}


def test_a_repair_after_which_no_tree_can_be_grown_is_refused():
    content = b"x,y\n" + b"".join(b"%d,%s\n" % (i, (b"yes", b"Yes", b"YES")[i % 3]) for i in range(30))
    app = uploaded(opened(), "one.csv", content)
    app = line(app, "'y'").button[0].click().run()
    assert not app.exception
    assert "single value" in panel_errors(app)
    assert "repair" not in address_of(app)


def panel_errors(app):
    return texts(app.main.get_by_key("suggestions").error)


def test_a_second_file_is_repaired_like_the_table():
    app = fine(loans().button("suggestions.all").click().run())
    app = tab(went(app, "Predict"), "predict.tab", "Predict a file")
    app = fine(uploaded(app, "more.csv", LOANS.head(5).assign(rate="x%").to_csv(index=False).encode()))
    notes = texts(app.markdown)
    assert "Repaired like the table: rate: per cent as a number" in notes
    assert "did not fit and are missing now: 'x%'" in texts(app.warning)
    shown = next(frame.value for frame in app.dataframe if "prediction" in frame.value)
    assert set(shown["rate"]) == {"x%"}, "as it was sent"
    assert shown["paid"].tolist() == LOANS["paid"].head(5).tolist()


def test_text_of_a_file_is_never_markup():
    name = "**b** $x$ :red[r] <i>"
    frame = pd.DataFrame({name: [f"{number}.5%" for number in range(12)], "y": ["*p*", "_q_"] * 6})
    app = fine(uploaded(opened(), "odd.csv", frame.to_csv(index=False).encode()))
    app = fine(buttons(app, "apply")[0].click().run())
    assert not [element.value for element in app.markdown if name in element.value]


def test_a_column_that_cannot_be_numbers_says_which_cells_at_the_table():
    rows = [(f"n{number}" if number % 5 == 0 else number, "ab"[number % 2]) for number in range(20)]
    app = uploaded(opened(), "mixed.csv", pd.DataFrame(rows, columns=["x", "y"]).to_csv(index=False).encode())
    table = editor(app, "column", "role")
    app = typed(app, table, _0={"type": "numeric"})
    assert "'x'" in texts(app.main.get_by_key("columns").error)
    assert "Nothing was changed." in texts(app.error)
    cells = next(frame.value for frame in app.dataframe if list(frame.value.columns) == ["row", "cell"])
    assert cells.values.tolist() == [[1, "n0"], [6, "n5"], [11, "n10"], [16, "n15"]]
    assert types(app)["x"] == "categorical"


def sheets():
    """A workbook with two sheets."""
    content = BytesIO()
    with pd.ExcelWriter(content) as book:
        pd.DataFrame({"a": range(6), "b": list("xyxyxy")}).to_excel(book, sheet_name="first", index=False)
        pd.DataFrame({"c": range(8), "d": list("uvuvuvuv")}).to_excel(book, sheet_name="second", index=False)
    return content.getvalue()


def test_another_sheet_of_a_workbook_is_chosen_and_stays_in_the_link(monkeypatch):
    monkeypatch.setattr("pages.uploads.browser.cookie", lambda: "s" * 43)
    app = fine(uploaded(opened(), "book.xlsx", sheets()))
    assert list(types(app)) == ["c", "d"]
    app = fine(app.selectbox("file.sheet").select("first").run())
    assert list(types(app)) == ["a", "b"]
    assert address_of(app)["sheet"] == ["first"]
    assert list(types(fine(opened(**address_of(app))))) == ["a", "b"]


def test_sheets_of_the_same_columns_are_stacked_and_stay_so_in_the_link(monkeypatch):
    monkeypatch.setattr("pages.uploads.browser.cookie", lambda: "s" * 43)
    content = BytesIO()
    with pd.ExcelWriter(content) as book:
        for name, first in (("jan", 0), ("feb", 4)):
            pd.DataFrame({"a": range(first, first + 4), "b": list("xyxy")}).to_excel(book, sheet_name=name, index=False)
    app = fine(uploaded(opened(), "book.xlsx", content.getvalue()))
    everything = app.selectbox("file.sheet").options[-1]
    assert everything == "All with the same columns"
    app = fine(app.selectbox("file.sheet").select_index(2).run())
    assert list(types(app)) == ["a", "b", "source"]
    assert address_of(app)["read"] == ['{"stacked":true}']
    app = fine(opened(**address_of(app)))
    assert list(types(app)) == ["a", "b", "source"]
    app = fine(app.selectbox("file.sheet").select("feb").run())
    assert list(types(app)) == ["a", "b"]


def test_the_header_line_is_chosen():
    app = fine(uploaded(opened(), "titled.csv", b"My table\na,b\n1,x\n2,y\n3,x\n4,y\n"))
    assert list(types(app)) == ["a", "b"]
    app = fine(app.run())
    fed = (app.number_input("file.header"), app.multiselect("file.missing"), app.selectbox("file.separator"))
    assert all(widget.proto.set_value for widget in fed), "a popover that opens later shows what the last run wrote"
    app.number_input("file.header").set_value(3)
    app = fine(app.button("file.again").click().run())
    assert list(types(app)) == ["1", "x"]
    assert address_of(app)["header"] == ["3"]
    app = fine(app.button("file.found").click().run())
    assert list(types(app)) == ["a", "b"]
    assert "header" not in address_of(app)


def test_how_a_text_is_read_is_set_by_hand_and_stays_in_the_link(monkeypatch):
    monkeypatch.setattr("pages.uploads.browser.cookie", lambda: "s" * 43)
    app = fine(uploaded(opened(), "german.csv", b"kg;r;y\n2.620;NA;a\n146;EU;b\n3.100;NA;a\n99;EU;b\n"))
    app.selectbox("file.thousands").select(".")
    app = fine(app.multiselect("file.missing").set_value(["?"]).run())
    assert app.dataframe[0].value["kg"].tolist() == [2620, 146, 3100, 99], "the preview"
    app = fine(app.button("file.again").click().run())
    assert types(app) == {"kg": "numeric", "r": "categorical", "y": "categorical"}
    assert address_of(app)["read"] == ['{"thousands":".","missing":["?"]}']
    app = fine(opened(**address_of(app)))
    assert app.selectbox("file.thousands").value == "."
    app = fine(app.button("file.found").click().run())
    assert "read" not in address_of(app)


def test_columns_of_fixed_width_are_cut_by_hand_beside_a_preview_of_the_cuts(monkeypatch):
    monkeypatch.setattr("pages.uploads.browser.cookie", lambda: "s" * 43)
    app = fine(uploaded(opened(), "fixed.txt", b"n  word   k\n1  a b    3\n22 c     44\n3  d e f  5\n"))
    assert list(types(app)) == ["n", "word", "k"]
    assert any("\n1  │a b   │ 3" in block.value for block in app.code)
    app = app.text_input("file.cuts").set_value("two").run()
    assert app.button("file.again").disabled
    app = fine(app.text_input("file.cuts").set_value("3 8").run())
    assert any("\n22 │c    │ 44" in block.value for block in app.code)
    app = fine(app.button("file.again").click().run())
    assert address_of(app)["read"] == ['{"cuts":[3,8]}']
    assert fine(opened(**address_of(app))).text_input("file.cuts").value == "3, 8"


def test_only_the_encoding_of_a_text_that_declares_its_columns_is_chosen():
    app = fine(uploaded(opened(), "t.tab", "C#gr\u00f6\u00dfe\tcD#y\n1\ta\n2\tb\n3\ta\n4\tb\n".encode("cp850")))
    assert "file.cuts" not in [field.key for field in app.text_input]
    app.selectbox("file.encoding").select("cp850")
    app = fine(app.button("file.again").click().run())
    assert list(types(app)) == ["gr\u00f6\u00dfe", "y"]


def test_a_table_is_pasted():
    app = opened()
    app.text_area("pasted.text").set_value("a\tb\n1\tx\n2\ty\n3\tx\n")
    app = fine(app.button("pasted.open").click().run())
    assert "pasted table" in texts(app.subheader)
    assert not app.session_state["paste"], "the popover is closed"
    assert list(types(app)) == ["a", "b"]
    app.text_area("pasted.text").set_value("  ")
    app = app.button("pasted.open").click().run()
    assert "There is nothing to open" in texts(app.warning)


def test_the_card_of_a_file_has_the_size_of_the_repaired_table():
    repeated = LOANS.to_csv(index=False, header=True)
    app = fine(uploaded(opened(), "twice.csv", (repeated + repeated).encode()))
    card = app.button("open.file").label
    assert "81 × 4" in card, "the line of names stands once more between the rows"
    app = fine(app.button("suggestions.all").click().run())
    assert "80 × 4" in app.button("open.file").label
    assert "80 rows × 4 columns" in texts(app.caption)
