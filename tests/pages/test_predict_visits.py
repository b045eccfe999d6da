"""The Predict page reached from another one: the node and tab in force, what is marked, and the order of a file."""

from dataclasses import replace

import pytest

from pages.predict import open_tab
from pages.settings import session
from pages.settings.page_settings import MISSING, GrowSettings, PredictSettings
from pages.settings.settings import Settings
from tests.pages.app import choice_lists, fine, opened, tab, texts, uploaded, views, went


def opened_at(app, name):
    """Open a tab of the inspector, as a click does."""
    app.session_state[open_tab.KEY] = name
    return app.run()


def test_a_node_selected_on_another_page_gives_way_to_the_row():
    app = fine(went(fine(opened("Rules", node="2")), "Predict"))
    assert views(app)["predict"]["state"]["selected"] == 4
    app = fine(went(fine(opened("Rules", node="1")), "Predict"))
    assert views(app)["predict"]["state"]["selected"] == 1, "on the row's path"
    assert views(fine(opened("Predict", node="2")))["predict"]["state"]["selected"] == 2, "of a link"


def test_the_tab_that_was_open_is_open_after_a_visit_to_another_page():
    app = fine(opened_at(fine(opened("Predict")), "Predict a file"))
    app = fine(app.file_uploader[0].upload("more.csv", b"Outlook,Humidity\nSunny,High\n", "text/csv").run())
    for name in ("Decision path", "Predict a file"):
        app = fine(went(fine(went(opened_at(app, name), "Rules")), "Predict"))
        assert any("prediction" in frame.value for frame in app.dataframe) is (name == "Predict a file")


def test_another_table_begins_with_the_first_tab():
    app = fine(went(fine(opened_at(fine(opened("Predict")), "Predict a file")), "Data"))
    app.session_state[session._SETTINGS] = replace(app.session_state[session._SETTINGS], sample="golf")
    app = fine(went(app, "Predict"))
    assert not app.file_uploader


def test_a_path_in_several_parts_has_the_room_of_its_columns(monkeypatch):
    """Golf under C4.5: a day without an outlook goes down three branches."""
    monkeypatch.setattr(open_tab, "current", lambda settings: open_tab.PATH)
    whole = Settings(sample="golf_missing", grow=GrowSettings("C4.5"))
    parted = Settings(sample="golf_missing", grow=GrowSettings("C4.5"), predict=PredictSettings(cells=((0, MISSING),)))
    assert [open_tab.has_wide_table(settings) for settings in (whole, parted)] == [False, True]
    monkeypatch.setattr(open_tab, "current", lambda settings: open_tab.FILE)
    assert open_tab.has_wide_table(whole)


@pytest.mark.parametrize(("node", "line"), [("0", 2), ("1", 1), ("4", 2), ("2", 2)])
def test_the_path_marks_its_leaf_unless_another_node_of_it_is_chosen(node, line):
    (path,) = choice_lists(fine(opened_at(opened("Predict", node=node), "Decision path")))
    assert path["node"].tolist() == ["0", "1", "4"]
    assert path.attrs["chosen"] == line


def test_the_predictions_of_a_file_come_before_the_names_of_its_columns():
    app = fine(opened_at(fine(opened("Predict")), "Predict a file"))
    content = b"Outlook,Humidity,PlayTennis\nOvercast,High,Yes\nHail,High,No\n"
    nodes = list(fine(app.file_uploader[0].upload("more.csv", content, "text/csv").run()).main)
    score = next(place for place, node in enumerate(nodes) if getattr(node, "label", "") == "Accuracy")
    names = next(
        place for place, node in enumerate(nodes) if getattr(node, "label", "").startswith("In your file → in")
    )
    assert score < names


class TestBeforeAFileIsGiven:
    def test_the_columns_that_it_needs_are_named(self):
        app = tab(opened("Predict", recipe="CART", max_depth="2"), "predict.tab", "Predict a file")
        said = texts(fine(app).caption)
        assert "It needs the columns 'Outlook', 'Humidity'." in said
        assert "With 'PlayTennis' the predictions are scored." in said

    def test_a_column_that_a_repair_takes_apart_is_needed_under_its_own_name(self):
        rows = "".join(f"{2000 + n // 2}-01-01,{n % 3},{'a' if n < 20 else 'b'}\n" for n in range(40))
        app = uploaded(opened(), "days.csv", f"day,x,y\n{rows}".encode())
        app = fine(app.button("suggestions.all").click().run())
        app = tab(went(app, "Predict"), "predict.tab", "Predict a file")
        assert "It needs the columns 'day'." in texts(fine(app).caption)
