"""Names and values of a reader's file are shown as text in the scene of one's own table and in the exercises."""

import dataclasses

import pytest

from tests.pages.app import fine, opened, uploaded, went

HOSTILE = "**x** <img src=x onerror=alert(1)> $y$ :red[z]"
PARTS = ("**x** <img", " $y$ ", ":red[z]")
"""Long names are shortened, so that each of these has to be gone."""
AS_DATA = {"bidi_component", "arrow_data_frame", "dataframe", "table", "selectbox", "multiselect", "code", "text_input"}
"""What Streamlit or a script of ours shows as it is; `test_the_rows_of_an_exercise_are_text` looks into tables."""


def table():
    lines = [f"{HOSTILE},n,class"]
    for row in range(12):
        value, label = f"{HOSTILE} {row % 3}", f"{HOSTILE} {'no' if row % 3 == 1 or row == 11 else 'yes'}"
        lines.append(f"{value},{row},{label}")
    return "\n".join(lines).encode()


def own_table():
    return fine(uploaded(opened("Data"), f"{HOSTILE.replace('/', '')}.csv", table()))


def shown(block):
    """The protobuf texts of all elements that may take a text for Markdown or HTML."""
    for child in block.children.values():
        if hasattr(child, "children"):
            yield str(child.proto)
            yield from shown(child)
        elif child.type not in AS_DATA:
            yield str(child.proto)


def assert_only_text(app):
    """That no name is on the page as it was written; gives how often one is there as text."""
    texts = list(shown(app.main)) + list(shown(app.sidebar))
    for text in texts:
        for part in PARTS:
            assert part not in text
    return sum("onerror" in text for text in texts)


def test_the_scene_of_ones_own_table_shows_names_as_text():
    app = fine(went(own_table(), "Learn"))
    app = fine(app.button("learn.open.own").click().run())
    titles, n_shown = [], []
    for step in range(5):
        moved = app.session_state["settings"]
        app.session_state["settings"] = dataclasses.replace(moved, learn=moved.learn.at("own", step))
        app = fine(app.run())
        n_shown.append(assert_only_text(app))
        titles.append(app.subheader[0].value)
        if any(button.key == "learn.answer.shown" for button in app.button):
            app = fine(app.button("learn.answer.shown").click().run())
            n_shown.append(assert_only_text(app))
    assert len(set(titles)) == 5
    assert sum(map(bool, n_shown)) >= 3, "the names are on the pages"


@pytest.mark.parametrize("kind", ["gain", "gini"])
def test_the_rows_of_an_exercise_are_text(kind):
    app = fine(went(own_table(), "Learn"))
    fine(app.button("learn.open.exercises").click().run())
    app.selectbox("learn.exercise.kind").set_value(kind)
    app = fine(app.run())
    app.selectbox("learn.exercise.table").set_value("own")
    app = fine(app.run())
    assert assert_only_text(app)
    rows = app.table[0].value
    for text in (*rows.columns, *rows.to_numpy().ravel()):
        assert HOSTILE not in text
