"""Large ensembles are grown in the job pool; a stop in the middle keeps the members so far."""

import threading

import pytest

import explorer as ex
from pages.results import ensembles
from pages.results.ensembles import grown, pictures
from tests.pages.app import all_jobs_ended, fine, in_place_of, nothing_kept, opened, texts, views

PATIENCE = 60
SESSION = "test session id"
QUERY = {"data": "play_tennis", "en.method": "gradient_boosting", "en.members": "6"}


class Door:
    """In place of `ex.gradient_boost`: after two rounds it waits at a closed door, where it can be stopped."""

    def __init__(self):
        self.open, self.waits, self.boost = threading.Event(), threading.Event(), ex.gradient_boost

    def __call__(self, data, recipe, progress=None, **options):
        def gate(done, total):
            progress(done, total)
            if done == 2:
                self.waits.set()
                while not self.open.wait(0.01):
                    progress(done, total)

        return self.boost(data, recipe, progress=gate, **options)


@pytest.fixture(autouse=True)
def _large(monkeypatch):
    """Every ensemble counts as large, and nothing is kept from other tests."""
    yield from nothing_kept(monkeypatch, grown, "MOST_AT_ONCE")


@pytest.fixture
def door(monkeypatch):
    yield from in_place_of(monkeypatch, "gradient_boost", Door())


def ended(app):
    """Wait until the job has ended, then run the page as its timer would."""
    all_jobs_ended()
    return app.run()


def test_progress_stands_in_place_of_the_picture_until_the_members_are_there(door):
    app = fine(opened("Ensembles", **QUERY))
    assert door.waits.wait(PATIENCE)
    assert views(app) == {}
    assert app.button("en.stop").label == "Stop"
    door.open.set()
    app = fine(ended(app))
    assert "ensembles" in views(app)
    assert len(ensembles.ensemble(app.session_state["settings"]).members) == 6


def test_a_stop_in_the_middle_keeps_the_members_so_far_and_says_so(door):
    app = fine(opened("Ensembles", **QUERY))
    assert door.waits.wait(PATIENCE)
    app.button("en.stop").click().run()
    app = fine(ended(app))
    assert "Gradient boosting, 2 trees" in texts(app.markdown)
    assert "2 of 6" in texts(app.caption)
    assert "ensembles" in views(app)
    door.open.set()
    app.button("en.again").click().run()
    app = fine(ended(app))
    assert len(ensembles.ensemble(app.session_state["settings"]).members) == 6


def test_another_choice_ends_the_job_before(door):
    app = fine(opened("Ensembles", **QUERY))
    assert door.waits.wait(PATIENCE)
    door.open.set()
    app.number_input("en.members").set_value(3).run()
    app = fine(ended(app))
    assert len(ensembles.ensemble(app.session_state["settings"]).members) == 3


def test_the_picture_is_drawn_in_the_job_and_not_while_the_page_is_empty(door, monkeypatch):
    drawn_by = []
    draw = pictures.picture_of
    monkeypatch.setattr(
        pictures, "picture_of", lambda *given: drawn_by.append(threading.current_thread()) or draw(*given)
    )
    app = fine(opened("Ensembles", **QUERY))
    door.open.set()
    all_jobs_ended()
    assert len(drawn_by) == 1
    fine(app.run())
    assert len(drawn_by) == 1
