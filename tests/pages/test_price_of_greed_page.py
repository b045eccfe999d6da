"""Best below each candidate on the Grow page: asked for by a switch, with the places where greed was paid."""

from pages.results import jobs
from pages.results.many_trees import greed
from pages.settings.settings import Settings
from tests.pages.app import PATIENCE, SESSION, fine, opened, texts, views


def asked(**query):
    """The page with the switch on, once the search has ended."""
    app = fine(opened("Grow", **query))
    app = fine(app.toggle(key="greed.box").set_value(True).run())
    pool = jobs.pool()
    with pool.changed:
        assert pool.changed.wait_for(lambda: not any(job.is_active for job in pool._entries.values()), PATIENCE)
    return fine(app.run())


def test_nothing_is_searched_before_it_is_asked_for():
    app = fine(opened("Grow"))
    assert "greed.table" not in {frame.key for frame in app.dataframe}
    assert jobs.pool().look(SESSION, greed.key(Settings(), 0)) is None


def test_the_six_rows_of_xor_were_lost_at_the_root():
    app = asked(data="xor_six_rows")
    app = fine(app.segmented_control(key="greed.depth.choice").set_value(2).run())
    pool = jobs.pool()
    with pool.changed:
        assert pool.changed.wait_for(lambda: not any(job.is_active for job in pool._entries.values()), PATIENCE)
    app = fine(app.run())
    assert "Misclassified within depth 2: **1 row** by greedy growth, **no rows** by the best tree (proven)." in texts(
        app.markdown
    )
    assert "Paid at node 0 (1 row)." in texts(app.markdown)
    table = next(frame.value for frame in app.dataframe if "best below" in frame.value)
    assert dict(zip(table["split"], table["best below"], strict=True)) == {"A": "1", "B": "0", "C": "2", "D": "0"}
    assert [mark["node"] for mark in views(app)["grow"]["marks"] if mark["kind"] == "greed"] == [0]
    app = fine(app.button(key="greed.take").click().run())
    assert "**the root**: split on B" in texts(app.markdown)


def test_rows_with_missing_cells_are_left_out_by_one_click():
    app = fine(opened("Grow", data="golf_missing"))
    app = fine(app.toggle(key="greed.box").set_value(True).run())
    assert "The search needs a value in every cell of the columns in use." in texts(app.markdown)
    app = fine(app.button(key="greed.drop").click().run())
    assert "The search needs a value in every cell of the columns in use." not in texts(app.markdown)
