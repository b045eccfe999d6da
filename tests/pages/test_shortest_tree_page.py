"""Compare with the shortest tree: ID3's tree beside it, their first difference, its counts, its ties and its limits."""

import json

import explorer as ex
from pages.compare.shortest_tree import search
from pages.results import jobs
from pages.settings import url
from pages.settings.page_settings import CompareSettings, GrowSettings
from pages.settings.settings import Settings
from tests.pages.app import fine, opened, texts, views

XOR = {"data": "xor_six_rows", "comparison": "shortest"}
PATIENCE = 60


def table(app, heading):
    (found,) = [table.value for table in app.table if heading in table.value]
    return found


def showing(app, tab):
    app.session_state["shortest.tab"] = tab
    return app.run()


def test_both_trees_and_the_first_difference_stand_before_anything_else():
    app = fine(opened("Compare", **XOR))
    assert list(views(app)) == ["greedy", "shortest"]
    shown = texts(app.markdown)
    # gain(A) = H(2/6) − 4/6·H(1/4) − 2/6·1 = 0.9183 − 0.5409 − 0.3333 = 0.0441; B splits 3/3 with 1 of class 1 each
    assert (
        "First difference. Root (node 0): ID3 splits on A (gain 0.0441), the shortest tree on B (gain 0, rank 2 of 4)"
        in (shown.replace("**", ""))
    )
    assert "ID3: 4 tests, depth 3" in shown
    assert "Shortest: 3 tests, depth 2" in shown


def test_counts_are_those_of_the_search_and_stand_beside_the_candidates_of_id3():
    app = fine(opened("Compare", **XOR))
    counts = table(app, "Trees")
    assert counts["Trees"].tolist() == ["1", "5", "65", "293", "469"]
    assert counts["Consistent"].tolist() == ["0", "0", "3", "35", "111"]
    assert "ID3 compares 4 + 3 + 3 + 2 = 12 candidates and never goes back. The exact search covers 65 trees." in texts(
        app.markdown
    )


def test_equally_short_trees_are_looked_at_one_after_the_other():
    app = fine(opened("Compare", **XOR))
    first = views(app)["shortest"]["tree"]
    assert "1 of 3" in texts(app.markdown)
    app = fine(app.button("shortest.to.next").click().run())
    assert "2 of 3" in texts(app.markdown)
    assert views(app)["shortest"]["tree"] != first
    app = fine(app.button("shortest.to.previous").click().run())
    assert views(app)["shortest"]["tree"] == first


def test_the_two_orders_are_two_questions():
    app = fine(opened("Compare", data="depth_against_size", comparison="shortest"))
    assert "has depth 3 and 6 tests; 12 are equally short" in texts(app.markdown)
    app = fine(app.segmented_control("shortest.by").set_value("tests").run())
    assert "has depth 4 and 5 tests; 6 are equally short" in texts(app.markdown)


def test_why_id3_failed_is_its_own_decision_at_the_first_difference():
    app = fine(showing(opened("Compare", **XOR), "Why ID3 failed"))
    (why,) = [frame.value for frame in app.dataframe if "chosen by" in frame.value]
    assert why["feature"].tolist() == ["A", "B", "C", "D"]
    assert why["gain"].round(4).tolist() == [0.0441, 0, 0, 0]
    assert why["chosen by"].tolist() == ["✓ ID3", "✓ shortest tree", "", "shortest tree, below"]


def test_all_trees_of_play_tennis_are_drawn_and_one_is_framed():
    app = fine(showing(opened("Compare", data="play_tennis", comparison="shortest"), "All trees"))
    html = " ".join(element.proto.body for element in app.get("html"))
    assert html.count("<img") == 113
    assert html.count("small-tree consistent") == 1
    assert "The trees are identical" in texts(app.markdown)


def test_without_a_consistent_tree_two_rows_say_why_and_id3_stands_alone():
    app = fine(opened("Compare", data="mammals", comparison="shortest"))
    assert "No tree is consistent: rows 8 and 9 have the same values and different classes" in texts(app.markdown)
    assert list(views(app)) == ["greedy"]


def test_the_sample_is_one_click_away_and_the_tree_opens_on_the_grow_page():
    app = fine(opened("Compare", data="mammals", comparison="shortest"))
    app = fine(app.button("shortest.sample").click().run())
    assert "ID3 splits on A" in texts(app.markdown)
    app = fine(app.button("shortest.open").click().run())
    header = app.session_state["settings"]
    assert [choice.request.feature for choice in header.choices] == ["B", "D", "D"]


def test_a_numeric_target_is_refused_with_the_remedy():
    app = opened("Compare", data="auto_mpg", comparison="shortest")
    assert not app.exception
    assert "choose a categorical target" in texts(app.error)


def test_a_search_that_takes_longer_goes_to_the_pool_and_says_how_far_it_came(monkeypatch):
    monkeypatch.setattr(search, "QUICK", 1e-9)
    monkeypatch.setattr(search, "_at_once", search._at_once.__wrapped__)
    app = opened("Compare", data="watermelon_2_0", comparison="shortest")
    assert not app.exception
    settings = Settings(sample="watermelon_2_0", compare=CompareSettings(mode="shortest"))
    key, pool = f"job {search.key(settings)}", jobs.pool()
    session = next(iter(pool._entries[key].sessions))
    with pool.changed:
        assert pool.changed.wait_for(lambda: not pool.look(session, key).is_active, PATIENCE)
    app = fine(app.run())
    assert list(views(app)) == ["greedy", "shortest"]
    assert "has depth 3 and 5 tests; 6 are equally short" in texts(app.markdown)


def test_a_search_that_was_stopped_can_begin_again(monkeypatch):
    monkeypatch.setattr(search, "QUICK", 1e-9)
    monkeypatch.setattr(search, "_at_once", search._at_once.__wrapped__)
    stopped = jobs.Job("stopped", 3, 10)
    monkeypatch.setattr(jobs.Pool, "look", lambda pool, session, key: stopped)
    app = fine(opened("Compare", data="watermelon_2_0", comparison="shortest"))
    assert "Stopped after 3 of 10 steps" in texts(app.caption)
    assert app.button("shortest.again").label == "Search again"


def test_the_address_keeps_the_comparison():
    settings = Settings(compare=CompareSettings(mode="shortest", shortest_by="tests", shortest_position=2))
    assert url.settings_from_query(settings.to_query()) == (settings, [])
    assert json.dumps(settings.to_query()).count("shortest") == 3


def test_columns_become_categories_by_the_reader_s_id3_or_the_book_s():
    of_cart = Settings(sample="temperature6", grow=GrowSettings("CART", (("max_depth", 3),)))
    assert search.recipe(of_cart) == ex.ID3
    of_id3 = Settings(sample="temperature6", grow=GrowSettings("ID3", (("bins", 6),)))
    assert search.recipe(of_id3).bins == 6
