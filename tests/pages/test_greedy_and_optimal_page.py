"""Greedy growth beside the best tree of the same size on Compare."""

from pages.results import jobs
from tests.pages.app import PATIENCE, fine, opened, texts, views


def found(**query):
    """The page once the search has ended."""
    app = fine(opened("Compare", comparison="optimal", **query))
    if not views(app):
        app = fine(app.button(key="optimal.run").click().run())
    pool = jobs.pool()
    with pool.changed:
        assert pool.changed.wait_for(lambda: not any(job.is_active for job in pool._entries.values()), PATIENCE)
    return fine(app.run())


def test_the_page_says_what_it_searches_and_waits_to_be_asked():
    app = fine(opened("Compare", data="car", comparison="optimal", **{"optimal.depth": "2"}))
    assert "For each number of leaves from 2 to 4: the tree that greedy growth gives" in texts(app.markdown)
    assert not any("greedy and optimal" in str(key) for key in jobs.pool()._entries)
    assert not app.button(key="optimal.run").disabled


def test_both_trees_of_a_size_stand_side_by_side():
    app = found(**{"data": "xor_six_rows", "optimal.depth": "2", "optimal.leaves": "4"})
    assert {"greedy", "optimal"} <= set(views(app))
    assert "Misclassified training rows with 4 leaves: **16.7 %** by greedy growth, **0 %** by the best tree" in texts(
        app.markdown
    )


def test_another_size_is_another_pair():
    app = found(**{"data": "xor_six_rows", "optimal.depth": "2", "optimal.leaves": "4"})
    app = fine(app.select_slider(key="optimal.leaves").set_value(2).run())
    assert "with 2 leaves: 33.3 % by greedy growth, and no tree has less (proven)." in texts(app.markdown)


def test_a_greedy_tree_of_fewer_leaves_is_explained():
    """The three values of Outlook, which ID3 splits play tennis on, are more than two leaves."""
    app = found(**{"data": "play_tennis", "optimal.depth": "2", "optimal.leaves": "2"})
    assert "Greedy growth stays at 1 leaf: its next split would have more leaves than 2, or gain nothing." in texts(
        app.markdown
    )


def test_a_loss_with_class_weights_is_no_share_of_rows():
    query = {"data": "titanic", "recipe": "CART", "optimal.depth": "2", "optimal.leaves": "2"}
    shown = texts(found(**query, class_weights="[[1,2.0]]").markdown)
    assert "Loss per training row with 2 leaves:" in shown
    assert "Misclassified" not in shown
