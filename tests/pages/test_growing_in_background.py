"""Large tables: the tree is grown in the job pool, with progress and Stop, and the page goes on by itself.

Here every table is large, and growing waits until the test lets it go on.
"""

import threading

import pytest
from streamlit.runtime.scriptrunner import get_script_run_ctx

import explorer as ex
from explorer.evaluation.comparison import first_difference
from pages.layout import growing
from pages.results import jobs, trees
from pages.settings.settings import Settings
from tests.pages.app import fine, in_place_of, nothing_kept, opened, picked, summary, texts, views

PATIENCE = 60
SESSION = "test session id"


class Door:
    """In place of `ex.grow`: waits at a closed door, where it can be stopped."""

    def __init__(self):
        self.open, self.begun, self.recipes, self.grow = threading.Event(), threading.Event(), [], ex.grow

    def __call__(self, data, recipe, validation=None, progress=None, **options):
        self.recipes.append(recipe.name)
        self.begun.set()
        while not self.open.wait(0.01):
            progress(0, data.n_rows)
        return self.grow(data, recipe, validation, progress, **options)


@pytest.fixture(autouse=True)
def _large(monkeypatch):
    """Every table counts as large, and nothing is kept from other tests."""
    yield from nothing_kept(monkeypatch, trees, "MOST_CELLS_AT_ONCE")


@pytest.fixture
def door(monkeypatch):
    yield from in_place_of(monkeypatch, "grow", Door())


def job_ended(app):
    """Wait for the job of the tree, then run the page as its timer would; a fast job has ended before."""
    if growing._JOB not in app.session_state:
        return app.run()
    key = app.session_state[growing._JOB]
    pool = jobs.pool()
    with pool.changed:
        assert pool.changed.wait_for(lambda: not pool.look(SESSION, key).is_active, PATIENCE)
    return app.run()


def test_progress_and_stop_stand_in_place_of_the_tree(door):
    app = fine(opened("Grow", data="iris"))
    assert door.begun.wait(PATIENCE)
    assert "grow" not in views(app)
    assert app.button("growing.stop").label == "Stop"
    assert summary(app) == ""
    door.open.set()
    app = fine(job_ended(app))
    assert "grow" in views(app)
    assert summary(app)


def test_the_rows_that_a_tree_grows_on_are_those_of_the_training_set(door):
    app = fine(opened("Grow", data="iris"))
    assert door.begun.wait(PATIENCE)
    settings = Settings(sample="iris")
    n_train = trees.parts(settings).train.n_rows
    assert n_train < trees.data(settings).n_rows
    app = fine(app.run())
    said = [element.proto.text for element in app.get("progress")]
    assert said == [f"Growing the tree on {n_train} training rows"]


def test_the_page_shows_the_same_tree_as_a_small_table(door):
    door.open.set()
    app = fine(opened("Grow", data="iris"))
    while "grow" not in views(app):
        app = fine(job_ended(app))
    large = summary(app)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(trees, "MOST_CELLS_AT_ONCE", 10**9)
        assert summary(fine(opened("Grow", data="iris"))) == large
    assert door.recipes == ["ID3"]


@pytest.mark.parametrize("page", ["Prune", "Evaluate", "Rules", "Predict", "Compare"])
def test_every_page_that_needs_the_tree_waits_for_it(door, page):
    app = fine(opened(page, data="iris"))
    assert not views(app)
    assert app.button("growing.stop").label == "Stop"
    door.open.set()
    for _ in range(3):
        if not views(app):
            app = fine(job_ended(app))
    assert views(app)


def test_the_trees_of_a_comparison_are_compared_before_anything_is_drawn(door, monkeypatch):
    in_page, walk = [], first_difference.walk_together

    def seen(*args, **kwargs):
        in_page.append(get_script_run_ctx(suppress_warning=True) is not None)
        return walk(*args, **kwargs)

    monkeypatch.setattr(first_difference, "walk_together", seen)
    door.open.set()
    app = fine(opened("Compare", data="iris"))
    while not views(app):
        assert "third.on" not in [button.key for button in app.button], "nothing of the page is there yet"
        app = fine(job_ended(app))
    assert in_page == [False], "walked once, in a job"


def test_stopping_leaves_a_button_that_starts_again(door):
    app = fine(opened("Grow", data="iris"))
    assert door.begun.wait(PATIENCE)
    app = fine(app.button("growing.stop").click().run())
    assert "Stopped." in texts(app.caption)
    assert "grow" not in views(app)
    door.open.set()
    app = fine(app.button("growing.start").click().run())
    assert "grow" in views(fine(job_ended(app)))


def test_another_choice_ends_the_job_and_begins_the_next(door):
    app = fine(opened("Grow", data="iris"))
    assert door.begun.wait(PATIENCE)
    first = app.session_state[growing._JOB]
    app = fine(app.run())  # by now the rows are split, and the settings are there
    app = fine(picked(app, "grow", "CART"))
    assert jobs.pool().look(SESSION, first).state == "stopped"
    assert app.session_state[growing._JOB] != first
    door.open.set()
    app = fine(job_ended(app))
    assert "CART" in summary(app)
    assert door.recipes == ["ID3", "CART"]


def test_a_choice_that_is_there_already_shows_at_once(door):
    door.open.set()
    app = fine(job_ended(opened("Grow", data="iris")))
    app = fine(job_ended(picked(app, "grow", "CART")))
    app = fine(picked(app, "grow", "ID3"))
    assert "ID3" in summary(app)
    assert "growing.stop" not in [button.key for button in app.button]
    assert door.recipes == ["ID3", "CART"]


def test_what_cannot_be_grown_is_reported_beside_the_settings(monkeypatch):
    def refuse(*_, **__):
        raise ex.InputError("This table has no tree. Take another.")

    monkeypatch.setattr(ex, "grow", refuse)
    app = job_ended(opened("Grow", data="iris"))
    assert not app.exception
    assert "This table has no tree." in texts(app.error)
    assert app.segmented_control("grow.recipe").value == "ID3"


def test_a_fault_of_the_work_is_no_traceback(monkeypatch):
    def fail(*_, **__):
        raise MemoryError

    monkeypatch.setattr(ex, "grow", fail)
    app = job_ended(opened("Grow", data="iris"))
    assert not app.exception
    assert "MemoryError" in texts(app.error)


def test_the_data_page_waits_for_the_rows_alone(door):
    app = opened("Data", data="iris")
    while "growing.stop" in [button.key for button in app.button]:
        app = fine(job_ended(app))
    assert [tabs.label for tabs in app.tabs][:1] == ["Columns"]
    assert door.recipes == []


def test_the_job_of_a_session_that_has_left_stops(door):
    app = opened("Grow", data="iris")
    assert door.begun.wait(PATIENCE)
    pool, key = jobs.pool(), app.session_state[growing._JOB]
    entry = pool._entries[key]
    pool.leave(SESSION)
    with pool.changed:
        assert pool.changed.wait_for(lambda: entry.state == "stopped", PATIENCE)


def test_a_small_table_of_many_branches_grows_in_the_pool_too(door, monkeypatch):
    """Its cells are few, the possible copies of its rows are not."""
    monkeypatch.setattr(trees, "MOST_CELLS_AT_ONCE", 1_000)
    assert trees.is_quick(Settings(sample="play_tennis")), "14 rows × (4 features + 3 branches)"
    monkeypatch.setattr(trees, "possible_cells", lambda data, recipe: 2_000 if recipe.name == "CART" else 0)
    app = fine(opened("Compare", data="play_tennis"))
    assert door.begun.wait(PATIENCE)
    assert door.recipes == ["CART"], "the other side needs no job"
    assert app.button("growing.stop").label == "Stop"
    assert app.segmented_control("right.recipe").value == "CART", "another choice ends the job"
    door.open.set()
    while not views(app):
        app = fine(job_ended(app))
    assert len(views(app)) == 2


def test_a_tree_too_large_to_be_shown_leaves_everything_else(monkeypatch):
    monkeypatch.setattr(trees, "MOST_NODES", 5)
    app = job_ended(opened("Grow", data="play_tennis"))
    assert not app.exception
    assert "more than 5 nodes. Column 'Outlook' has a branch for each of 3 values" in texts(app.error)
    assert "growing.stop" not in [button.key for button in app.button]
    grown = []
    monkeypatch.setattr(ex, "grow", lambda *args, **options: grown.append(args))
    assert "more than 5 nodes" in texts(app.run().error), "known, without growing again"
    assert grown == []
    monkeypatch.undo()
    monkeypatch.setattr(trees, "MOST_CELLS_AT_ONCE", 0)
    app = fine(job_ended(picked(app, "grow", "CART")))
    assert "grow" in views(app)


def test_near_ties_of_a_large_table_are_looked_for_in_the_job_which_can_be_stopped(monkeypatch):
    told, near_ties = [], ex.near_ties
    monkeypatch.setattr(ex, "near_ties", lambda *args: told.append(args[3]) or near_ties(*args))
    app = fine(job_ended(fine(opened("Grow", data="iris"))))
    assert "grow" in views(app)
    assert len(told) == 1
    assert told[0] is not None, "the page finds them done"
