"""Several files given at once: tables of one shape are offered to be stacked, and each file is accounted for."""

import hashlib

import pytest

from pages.settings.page_settings import GrowSettings
from pages.settings.settings import Settings
from pages.uploads.project import Project, to_text
from tests.pages.app import fine, opened, texts

JAN, FEB, NOTES = b"x,y\n1,a\n2,b\n3,a\n", b"x,y\n4,a\n5,b\n", b"made,on,by,for\n1,2,3,4\n"


@pytest.fixture(autouse=True)
def store(monkeypatch, tmp_path):
    from pages.uploads import browser
    from pages.uploads.limits import Limits
    from pages.uploads.store import Store

    kept = Store(tmp_path / "uploads", Limits())
    monkeypatch.setattr(browser, "store", lambda: kept)


def given(app, *files):
    return app.file_uploader[0].set_value([(name, content, "text/csv") for name, content in files]).run()


def test_files_of_one_shape_are_offered_to_be_stacked_and_are():
    app = fine(given(opened(), ("jan.csv", JAN), ("notes.csv", NOTES), ("feb.csv", FEB)))
    assert "3 files were given at once and are kept as one: 'jan.csv', 'notes.csv', 'feb.csv'." in texts(app.info)
    own = app.session_state["upload"]
    assert (own.table.sheets, own.table.frame.shape) == (("feb.csv", "jan.csv", "notes.csv"), (2, 2))
    app = fine(app.selectbox("file.sheet").select_index(3).run())
    stacked = app.session_state["upload"].table
    assert stacked.frame["x"].tolist() == [4, 5, 1, 2, 3]
    assert stacked.frame["source"].tolist() == ["feb.csv"] * 2 + ["jan.csv"] * 3
    assert any("'notes.csv'" in note for note in stacked.notes), "what is left out is named"


def test_the_same_files_in_another_order_are_the_same_table():
    files = [("jan.csv", JAN), ("feb.csv", FEB)]
    first = given(opened(), *files).session_state["upload"]
    second = given(opened(), *reversed(files)).session_state["upload"]
    assert (first.name, first.fingerprint) == (second.name, second.fingerprint)


def test_names_and_data_of_c45_belong_together():
    names = b"yes, no.\n\nage: continuous.\ncolour: red, green.\n"
    rows = b"1, red, yes\n2, green, no\n3, red, yes\n"
    table = fine(given(opened(), ("try.names", names), ("try.data", rows))).session_state["upload"].table
    assert list(table.frame.columns)[:2] == ["age", "colour"]
    assert len(table.frame) == 3


def test_a_project_is_opened_with_its_file():
    digest = hashlib.sha256(JAN).hexdigest()
    text = to_text(Project(Settings(upload=digest, target="y", grow=GrowSettings("CART")), "jan.csv"))
    app = fine(given(opened(), ("feb.csv", FEB), ("jan.csv", JAN), ("my.project.json", text.encode())))
    settings = app.session_state["settings"]
    assert (settings.upload, settings.grow) == (digest, GrowSettings("CART"))
    assert "Not opened: 'feb.csv'." in texts(app.warning)


def test_the_file_that_a_link_waits_for_is_found_among_several():
    app = opened("Data", file=hashlib.sha256(JAN).hexdigest()[:16], target="y", recipe="CART")
    app = fine(given(app, ("feb.csv", FEB), ("jan.csv", JAN)))
    assert app.session_state["settings"].grow == GrowSettings("CART")
    assert app.session_state["upload"].name == "jan.csv"
