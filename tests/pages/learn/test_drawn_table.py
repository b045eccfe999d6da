"""The table that one draws, on its page: kept, put into the link, grown at a question, taken to the Grow page."""

import json
from types import SimpleNamespace

import numpy as np
import pytest

import explorer as ex
from explorer.drawing.drawn_table.points import points_of
from explorer.drawing.drawn_table.presets import PRESETS
from pages.learn.drawn import kept
from pages.settings import session, url
from pages.settings.learn_settings import DrawnSettings, LearnSettings
from pages.settings.settings import Settings
from tests.pages.app import fine, opened, table, views, went

FOUR = "2s5k00" + "3s6k00" + "8c5k01" + "9c7k01"
"""A at x 1 and 1.36, B at 3 and 3.36."""


@pytest.fixture
def state(monkeypatch):
    """The state of a session, without a page."""
    kept_there = {}
    fake = SimpleNamespace(session_state=kept_there)
    monkeypatch.setattr(kept, "st", fake)
    monkeypatch.setattr(session, "st", fake)
    return kept_there


def question(number, **changes):
    return {
        "number": number,
        "points": FOUR,
        "target": "2",
        "algorithm": "CART",
        "depth": 3,
        "path": "",
        "last": True,
    } | changes


def test_a_question_is_answered_with_the_tree_of_its_points(state):
    kept.take(question(1))
    now = kept.drawing()
    assert (now.number, now.table.text(), now.grown.tree.n_leaves) == (1, FOUR, 2)
    assert now.grown.tree.threshold[0] == pytest.approx((1.36 + 3.0) / 2)


def test_a_question_that_was_answered_before_changes_nothing(state):
    kept.take(question(5))
    kept.take(question(5, points=FOUR[:12]))
    assert kept.drawing().table.n_points == 4


def test_a_preset_is_set_by_python_and_told_by_a_new_version(state):
    before = kept.drawing().version
    kept.take(question(1, preset="xor"))
    now = kept.drawing()
    assert now.version == before + 1
    assert now.table.text() == next(preset for preset in PRESETS if preset.name == "xor").drawn().text()
    assert now.changed == [], "there is nothing to compare a new drawing with"


def test_points_of_one_class_have_a_reason_in_place_of_a_tree(state):
    kept.take(question(1, points=FOUR[:12]))
    assert kept.drawing().grown is None
    assert "single value" in kept.drawing().problem
    kept.take(question(2))
    assert kept.drawing().grown is not None


def test_an_empty_canvas_asks_for_points(state):
    kept.take(question(1, points=""))
    assert kept.drawing().problem == "There are no points: draw some on the canvas."
    assert kept.drawing().changed == []


def test_numbers_are_grown_by_cart(state):
    kept.take(question(1, target="number", algorithm="C4.5"))
    assert kept.drawing().grown.tree.recipe.name == "CART"


@pytest.mark.parametrize("wrong", [{"points": "zz"}, {"points": "x" * 12}, {"depth": "deep"}])
def test_what_no_canvas_asks_leaves_the_drawing(state, wrong):
    kept.take(question(1))
    with pytest.raises((ex.InputError, ValueError)):
        kept.take(question(2, **wrong))
    assert kept.drawing().table.text() == FOUR


def test_a_drag_writes_no_link_and_its_end_does(state):
    kept.take(question(1, last=False))
    assert session.read().learn.drawn == DrawnSettings()
    kept.take(question(2, depth=None, algorithm="C4.5"))
    assert session.read().learn.drawn == DrawnSettings(FOUR, "2", "C4.5", 0)
    query = session.read().to_query()
    assert (query["points"], query["drawn_by"], query["drawn_depth"]) == ([FOUR], ["C4.5"], ["0"])


def test_a_drawing_of_the_most_points_is_in_the_link(state):
    kept.take(question(1, points=FOUR * 125))
    query = session.read().to_query()
    assert len(query["points"][0]) == 3_000
    assert url.settings_from_query(query) == (session.read(), [])
    assert kept.drawing().table.n_points == 500


def test_a_step_back_brings_the_drawing_of_that_step(state):
    kept.take(question(1))
    before = session.read()
    kept.take(question(2, points=FOUR[:12]))
    session.keep(before)
    now = kept.drawing()
    assert (now.table.text(), now.number, now.version) == (FOUR, 2, 2), "a new version, which the canvas takes over"


def test_a_link_opens_its_drawing(state):
    session.keep(Settings(learn=LearnSettings(drawn=DrawnSettings(FOUR, "2", "CART", 0))))
    assert (kept.drawing().table.text(), kept.drawing().depth) == (FOUR, None)


def test_a_link_with_marks_that_its_target_does_not_have_opens_the_first_preset(state):
    session.keep(Settings(learn=LearnSettings(drawn=DrawnSettings("8c5k02", "2"))))
    assert kept.drawing().table.text() == PRESETS[0].drawn().text()
    assert "draw them again" in session.take_notices()[0].text


def test_the_drawing_is_taken_to_the_grow_page_with_its_tree():
    app = opened("Learn", learn="draw", points=FOUR, drawn_by="C4.5", drawn_depth="2")
    shown = json.loads(views(fine(app))["learn.drawn"]["answer"])["tree"]
    app.button("drawn.use").click().run()
    fine(app)
    assert table(app) == "drawn table"
    settings = app.session_state["settings"]
    assert (settings.target, settings.features, settings.split) == ("class", ("x", "y"), "all")
    rows_table = app.session_state["upload"].table.frame
    assert np.array_equal(rows_table.to_numpy(), points_of(FOUR, "2").frame().to_numpy())
    data = ex.Dataset.from_frame(rows_table, "class", features=["x", "y"])
    grown = ex.grow(data, ex.C45.replace(max_depth=2))
    assert shown["first"] == grown.first_child.tolist()
    app = went(app, "Learn")
    assert views(fine(app))["learn.drawn"]["drawing"]["points"] == FOUR, "the drawing is still there"


def test_the_data_page_leads_to_the_canvas():
    app = fine(opened())
    app.button("draw_a_table").click().run()
    assert "learn.drawn" in views(fine(app))
