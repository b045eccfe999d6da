"""Best below each candidate on the Grow page: asked for by a switch, with the places where greed was paid."""

import dataclasses

import pandas as pd
import pytest

from pages.results import evaluation, jobs, trees
from pages.results.many_trees import greed
from pages.settings.page_settings import GrowSettings
from pages.settings.settings import Settings, changed
from tests.pages.app import PATIENCE, SESSION, fine, opened, summary, texts, uploaded, views, went


def asked(**query):
    """The page with the switch on, once the search has ended."""
    return asked_of(fine(opened("Grow", **query)))


def asked_of(app):
    app = fine(app.toggle(key="greed.box").set_value(True).run())
    pool = jobs.pool()
    with pool.changed:
        assert pool.changed.wait_for(lambda: not any(job.is_active for job in pool._entries.values()), PATIENCE)
    return fine(app.run())


def test_nothing_is_searched_before_it_is_asked_for():
    app = fine(opened("Grow"))
    assert not any("best below" in frame.value for frame in app.dataframe)
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


def test_a_long_test_has_one_line():
    far = [0.1234, 1.2345, 2.3456, 3.4567, 4.5678, 5.6789, 6.789, 7.8901] * 5
    frame = pd.DataFrame({"distance to the club (km)": far, "joined": [["no", "yes"][value > 3] for value in far]})
    app = uploaded(opened(), "club.csv", frame.to_csv(index=False).encode())
    app = asked_of(fine(went(app, "Grow")))
    table = next(frame for frame in app.dataframe if "best below" in frame.value)
    assert table.value["split"].tolist() == ["distance to the club (km) ≤ 2.90115"]
    assert table.proto.row_height == 0, "the height of one line"


def test_rows_with_missing_cells_are_left_out_by_one_click():
    app = fine(opened("Grow", data="golf_missing"))
    app = fine(app.toggle(key="greed.box").set_value(True).run())
    assert "The search needs a value in every cell of the columns in use." in texts(app.markdown)
    app = fine(app.button(key="greed.drop").click().run())
    assert "The search needs a value in every cell of the columns in use." not in texts(app.markdown)


def test_leaving_out_rows_keeps_the_settings_and_counts_the_rows_the_tree_is_grown_on():
    """Of the 624 training rows of the Titanic 494 have an age and all else that the tree may use."""
    app = fine(opened("Grow", data="titanic"))
    app = fine(app.toggle(key="greed.box").set_value(True).run())
    app = fine(app.button(key="greed.drop").click().run())
    line = summary(app)
    assert "494 of 624 training + 267 validation rows" in line
    assert "CART, min. samples per leaf 3" in line
    settings = Settings(sample="titanic", grow=GrowSettings("CART", (("min_rows_leaf", 3), ("missing", "drop"))))
    assert trees.grown(settings).tree.weight[0] == 494
    assert trees.recipe(settings, "right") == trees.recipe(Settings(sample="titanic"), "right")
    app = fine(app.button("grow_fully").click().run())
    assert {key: app.query_params[key] for key in app.query_params} == {
        "data": "titanic",
        "recipe": "CART",
        "missing": "drop",
    }


def test_training_scores_are_of_the_rows_that_the_tree_was_grown_on():
    """The class counts of the leaves say how many of the 494 rows the tree predicts rightly."""
    settings = Settings(sample="titanic", grow=GrowSettings("CART", (("min_rows_leaf", 3), ("missing", "drop"))))
    tree = trees.grown(settings).tree
    accuracy = tree.stats[tree.is_leaf].max(axis=1).sum() / 494
    assert trees.curves(settings).train[0] == pytest.approx(accuracy)
    scores = {score.rows: score for score in evaluation.scores(settings)}
    assert scores["training"].value == pytest.approx(accuracy)
    assert scores["training"].baseline == pytest.approx(tree.stats[0].max() / 494)
    on_training = changed(settings, evaluate=dataclasses.replace(settings.evaluate, rows="train"))
    assert evaluation.evaluation(on_training)[0].scores["accuracy"].value == pytest.approx(accuracy)
