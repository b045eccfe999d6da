"""The browser's Back: the address to which it goes, marked by the browser, becomes the settings again."""

import pytest

from pages.settings import url
from pages.settings.settings import Settings
from pages.uploads import browser
from pages.uploads.limits import Limits
from pages.uploads.store import Store
from tests.pages.app import SAMPLE_FILES, fine, opened, picked, summary, texts, uploaded, went

CAR, GOLF = (SAMPLE_FILES.joinpath(f"{name}.csv").read_bytes() for name in ("car", "golf"))


@pytest.fixture(autouse=True)
def store(monkeypatch, tmp_path):
    """A store of this test's own."""
    kept = Store(tmp_path / "uploads", Limits())
    monkeypatch.setattr(browser, "store", lambda: kept)
    return kept


def address(app):
    return {key: app.query_params[key] for key in app.query_params}


def back(app, query):
    """Go to an entry of the history, as the browser tells it."""
    app.query_params.clear()
    for key, value in {**query, url.BACK: "1"}.items():
        app.query_params[key] = value
    return app.run()


def test_a_step_is_a_parameter_of_the_address_and_the_mark_is_none():
    keys = set(Settings().to_query()) | {"file", "table", "sheet", "recipe", "a.recipe", "b.recipe", "c.recipe"}
    assert set(url.STEPS) == keys | {"en.method", "pruning", "r.list", "comparison", "learn", "scene"}
    every = {key: ["x"] for key in url.STEPS}
    assert len(url.settings_from_query(every)[1]) >= 8, "each is read, and most of them refuse this"
    assert url.settings_from_query({url.BACK: ["1"]}) == (Settings(), [])


def test_back_restores_table_algorithm_and_pruning():
    app = fine(opened("Grow", data="iris", recipe="CART", max_depth="2", node="1"))
    before, line = address(app), summary(app)
    app = fine(picked(app, "grow", "ID3"))
    assert summary(app) != line
    app = fine(back(app, before))
    assert (summary(app), address(app)) == (line, before)
    assert app.segmented_control("grow.recipe").value == "CART"
    assert app.number_input("grow.max_depth").value == 2


@pytest.mark.parametrize(
    ("page", "key", "value"),
    [("Prune", "pruning", "methods"), ("Rules", "rules.kind", "pruned"), ("Compare", "compare.mode", "shortest")],
)
def test_back_restores_what_a_page_does(page, key, value):
    app = fine(opened(page, data="play_tennis"))
    before = address(app)
    widget = next(each for each in (*app.radio, *app.button_group) if each.key == key)
    first = widget.value
    app = fine(widget.set_value(value).run())
    assert address(app) != before
    app = fine(back(app, before))
    assert next(each for each in (*app.radio, *app.button_group) if each.key == key).value == first


def test_back_to_the_address_without_parameters_is_the_first_table():
    app = fine(went(opened("Grow", data="iris"), "Grow"))
    assert "Play tennis" in summary(fine(back(app, {})))


def test_back_goes_to_a_file_of_this_session_and_to_one_before_it():
    app = uploaded(opened(), "car.csv", CAR)
    car = address(fine(app))
    app = uploaded(app, "golf.csv", GOLF)
    golf = address(fine(app))
    app = fine(app.button("open.iris").click().run())
    app = fine(back(app, golf))
    assert texts(app.subheader) == "golf.csv"
    assert address(app) == golf
    app = fine(back(app, car))
    assert texts(app.subheader) == "car.csv"
    assert address(app) == car
    assert "file of this view" not in texts(app.info)


def test_back_to_a_file_that_was_removed_says_so():
    app = uploaded(opened(), "car.csv", CAR)
    car = address(fine(app))
    app = fine(app.button("forget").click().run())
    app = back(app, car)
    assert not app.exception
    assert "no longer kept on this server" in texts(app.error)
    assert texts(app.subheader) == "Play tennis?"
    assert texts(fine(uploaded(app, "golf.csv", GOLF)).warning) == "", "nothing waits for the file"


def test_back_forgets_no_use_of_the_test_set():
    query = {"data": "iris", "recipe": "CART", "split": "three"}
    app = fine(opened("Evaluate", **query, opened="0:3:0.9:0.3"))
    app = fine(back(app, query))
    assert address(app)["opened"] == "0:3:0.9:0.3"
    app = fine(back(app, {"data": "titanic"}))
    assert "opened" not in address(app)
    assert address(fine(back(app, query)))["opened"] == "0:3:0.9:0.3"


def test_frozen_settings_stay_where_back_goes():
    app = fine(opened("Grow", data="iris", recipe="CART", frozen="yes"))
    app = fine(back(app, {"data": "titanic", "recipe": "ID3", "frozen": "yes", "node": "2"}))
    assert (address(app)["data"], address(app)["recipe"], address(app)["node"]) == ("iris", "CART", "2")
    assert "The settings are frozen" in texts(app.info)


def test_an_address_that_cannot_be_used_changes_nothing():
    app = fine(opened("Grow", data="iris", recipe="CART"))
    app = back(app, {"data": "titanic", "target": "nowhere"})
    assert not app.exception
    assert "Nothing was changed" in texts(app.error)
    assert address(app)["data"] == "iris"
