"""Drift on the Predict page: the split where the rows of a file part from the training rows."""

import pandas as pd

import explorer as ex
from pages.predict import open_tab
from tests.pages.app import fine, metrics, opened, texts, views


def given(app, frame):
    """The page after a file with these rows was given to the tab for whole files."""
    app.session_state[open_tab.KEY] = "Predict a file"
    content = frame.to_csv(index=False).encode()
    return fine(app.run().file_uploader[0].upload("year.csv", content, "text/csv").run())


def test_the_split_where_a_file_parts_from_the_training_rows_is_named_and_ringed():
    """27 more days under an overcast sky: 31 of 41 instead of 4 of 14, and below it all is alike."""
    days = ex.load_sample("play_tennis").frame
    file = pd.concat([days, pd.DataFrame([days.iloc[2]] * 27)])
    app = given(opened("Predict"), file)
    assert metrics(app)["PSI"] == "0.963"  # (31/41 − 4/14)·(ln(31/41 ÷ 4/14) − ln(10/41 ÷ 10/14))
    assert "100 % of it enters at node 0: Outlook." in texts(app.caption)
    assert [mark["node"] for mark in views(app)["predict"]["marks"]] == [0]
    (line,) = next(frame.value for frame in app.dataframe if "before" in frame.value).to_dict("records")
    assert (line["branch"], line["before"], line["now"]) == ("Outlook = Overcast", "28.6 %", "75.6 %")
    app = given(app, days)
    assert metrics(app)["PSI"] == "0"
    assert "No split divides these rows otherwise than by chance" in texts(app.caption)
