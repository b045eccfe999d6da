"""A whole file predicted on the Predict page: no row and no column of it is lost, and what is unknown is told."""

import json

import pandas as pd

import explorer as ex
from explorer.export.plain_csv import predictions_csv
from pages.predict import open_tab
from pages.settings.settings import changed
from pages.widgets.predicted_file import whole_file
from tests.pages.app import editor, fine, metrics, opened, texts, typed, uploaded, views, went

TITANIC = {"data": "titanic", "recipe": "C4.5"}


def tab_opened(app, name):
    """Open a tab of the inspector, as a click does."""
    app.session_state[open_tab.KEY] = name
    return app.run()


def path_shown(app):
    return dict(views(app)["predict"]["row_path"])


def predictions_shown(app):
    return next(frame.value for frame in app.dataframe if "prediction" in frame.value)


def given(app, name, content):
    return app.file_uploader[0].upload(name, content, "text/csv").run()


def file_tab(**query):
    return fine(tab_opened(opened("Predict", **query), "Predict a file"))


class TestAWholeFile:
    CONTENT = b"Outlook,Humidity,Extra,PlayTennis\nOvercast,High,=1+1,Yes\nHail,High,b,No\nSunny,Normal,c,Yes\n"

    def test_problems_score_and_predictions(self):
        app = fine(given(file_tab(), "more.csv", self.CONTENT))
        warnings = texts(app.warning)
        assert "There is no column 'Wind', so all its values are missing." in warnings
        assert "Column 'Outlook' has 1 cell with a value not seen in training: 'Hail' (row 2)." in warnings
        assert "The tree does not use column 'Extra'. It is kept unchanged." in texts(app.markdown)
        assert predictions_shown(app)["prediction"].tolist() == ["Yes", "Yes", "Yes"]  # hail: the root's prediction
        assert predictions_shown(app)["leaf"].tolist() == [2, 0, 5]
        assert (metrics(app)["Accuracy"], metrics(app)["Majority baseline"]) == ("66.7 %", "66.7 %")

    def test_the_table_of_the_tree_is_said_to_include_the_training_set(self):
        frame = ex.load_sample("play_tennis").frame
        said = "These rows include the training set, so the score is optimistic."
        for rows, is_said in ((frame, True), (frame.iloc[:5], False)):
            app = fine(given(file_tab(), "same.csv", rows.to_csv(index=False).encode()))
            assert (said in texts(app.caption)) is is_said

    def test_rows_that_equal_training_rows_are_counted(self):
        frame = ex.load_sample("play_tennis").frame
        rows = frame.iloc[[8, 2, 2, 0]].assign(Day="new")
        rows.iloc[3, list(frame.columns).index("Wind")] = "Calm"
        app = fine(given(file_tab(), "some.csv", rows.to_csv(index=False).encode()))
        assert "3 of these rows equal a training row in all features and the target" in texts(app.caption)
        app = fine(given(file_tab(), "none.csv", rows.iloc[3:].to_csv(index=False).encode()))
        assert "equal" not in texts(app.caption)

    def test_a_broken_file_loses_nothing(self):
        app = fine(given(file_tab(**{"ask.cells": "0:1"}), "more.csv", self.CONTENT))
        app = given(app, "broken.csv", b"")
        assert "is empty" in texts(app.error)
        assert "The file before is still shown." in texts(app.error)
        assert len(predictions_shown(app)) == 3
        assert "PlayTennis" not in metrics(app), "the row is another matter"
        assert path_shown(app) == {}
        app = fine(tab_opened(app, "Row"))
        assert metrics(app)["PlayTennis"] == "Yes"

    def test_what_names_the_rows_comes_before_their_predictions(self):
        content = b"Outlook,Humidity,Wind,price,who\nSunny,High,Weak,1.5,Ann\nRain,Low,Weak,2.5,Bo\n"
        app = fine(given(file_tab(), "more.csv", content))
        assert list(predictions_shown(app))[:3] == ["who", "prediction", "leaf"]

    def test_a_file_without_the_columns_is_reported_and_another_page_keeps_it(self):
        app = given(file_tab(), "other.csv", b"a,b\n1,2\n")
        assert "none of the columns that the tree splits on (Outlook, Humidity, Wind)" in texts(app.error)
        app = tab_opened(went(fine(went(app, "Grow")), "Predict"), "Predict a file")
        assert "**other.csv** · 1 row" in texts(app.markdown)
        app = fine(app.button("second.forget").click().run())
        assert "other.csv" not in texts(app.markdown)

    def test_a_file_repaired_like_the_table_stays_as_it_was_sent(self):
        rates = pd.DataFrame({"rate": [f"{n}%" for n in range(20)], "class": ["low"] * 10 + ["high"] * 10})
        repair = ex.Repair("per_cent", "rate", {"decimal": ".", "group": ","})
        others = ex.Repair("headers", ""), ex.Repair("blanks", "no such")
        app = fine(uploaded(opened(), "rates.csv", rates.to_csv(index=False).encode()))
        app.session_state["settings"] = changed(app.session_state["settings"], repairs=(repair, *others))
        app = tab_opened(went(fine(app.run()), "Predict"), "Predict a file")
        app = fine(given(app, "more.csv", b"rate,id\n3%,a\n15%,b\nabout 7,c\n"))
        shown = predictions_shown(app)
        assert shown["rate"].tolist() == ["3%", "15%", "about 7"]
        assert shown["prediction"].tolist()[:2] == ["low", "high"]
        assert "1 cell did not fit and is missing now: 'about 7'" in texts(app.warning)
        told = texts(app.markdown)
        assert "Repaired like the table: rate: per cent" in told
        assert "repeated header rows removed" not in told
        assert "Repaired like the table: no such" not in told

    def test_no_cell_of_the_download_is_a_formula(self):
        frame = pd.DataFrame({"=a": ["=1+1", "b"], "x": [-1.5, 2.0]})
        assert predictions_csv(frame, None).splitlines() == ["'=a,x", "'=1+1,-1.5", "b,2.0"]
        assert whole_file.predictions_csv is predictions_csv

    def test_other_spellings_are_matched_and_the_reader_has_a_say(self):
        content = b"outlook,HUMIDITY,breeze,Play Tennis\nSUNNY,high,weak,yes\nrain,High,STRONG,No\n"
        app = fine(given(file_tab(), "more.csv", content))
        (names,) = (box for box in app.expander if box.label.startswith("In your file"))
        assert names.label == "In your file → in the tree · 7 matched · 1 not found"
        columns = editor(app, "file", "tree")
        assert columns.value["file"].tolist() == ["Play Tennis", "outlook", "HUMIDITY", ""]
        assert columns.value["tree"].tolist() == ["PlayTennis", "Outlook", "Humidity", "Wind"]
        assert "There is no column 'Wind'" in texts(app.warning)
        app = fine(typed(app, columns, _3={"file": "breeze"}))
        assert "Wind" not in texts(app.warning)
        assert predictions_shown(app)["prediction"].tolist() == ["No", "No"]  # sunny and high; rain and strong
        assert list(predictions_shown(app))[4:8] == ["outlook", "HUMIDITY", "breeze", "Play Tennis"], "as sent"
        assert metrics(app)["Accuracy"] == "50.0 %"
        assert json.loads(app.query_params["ask.name"]) == ["Wind", "breeze"]
        app = fine(app.selectbox("second.values_of").set_value("Outlook").run())
        values = editor(app, "value", "category")
        assert values.value.values.tolist() == [["SUNNY", "Sunny", 1], ["rain", "Rain", 1]]
        app = fine(typed(app, values, _0={"category": "Overcast"}))
        assert predictions_shown(app)["prediction"].tolist() == ["Yes", "No"]
