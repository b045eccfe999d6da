"""The table that the server was started on."""

import pytest

from tests.pages.app import fine, opened, texts


@pytest.fixture
def started(tmp_path, monkeypatch):
    path = tmp_path / "loans.csv"
    rows = (f"{20 + i},{'yes' if i > 20 else 'no'},{i % 2}\n" for i in range(40))
    path.write_text("age,spare,late\n" + "".join(rows), "utf-8")
    monkeypatch.setenv("EXPLORER_OPEN", str(path))
    return path


def test_the_app_opens_on_it_with_its_only_column_of_text_else_the_last(started):
    now = fine(opened()).session_state["settings"]
    assert now.upload
    assert now.target == "spare"
    started.write_text(started.read_text("utf-8").replace("yes", "1").replace("no", "0"), "utf-8")
    assert fine(opened()).session_state["settings"].target == "late"


def test_the_target_named_at_the_start_comes_first(started, monkeypatch):
    monkeypatch.setenv("EXPLORER_TARGET", "spare")
    assert fine(opened("Grow")).session_state["settings"].target == "spare"


def test_the_target_named_at_the_start_comes_before_what_a_session_left(started, monkeypatch):
    monkeypatch.setattr("pages.uploads.browser.cookie", lambda: "k" * 43)
    fine(opened())
    monkeypatch.setenv("EXPLORER_TARGET", "spare")
    assert fine(opened()).session_state["settings"].target == "spare"


def test_a_link_to_another_table_opens_that(started):
    now = fine(opened("Grow", data="golf")).session_state["settings"]
    assert (now.sample, now.upload) == ("golf", "")


def test_one_that_is_gone_is_named_and_the_sample_opens(started):
    started.unlink()
    app = opened()
    assert "'loans.csv' cannot be read: No such file or directory." in texts(app.error)
    assert app.session_state["settings"].sample == "play_tennis"
