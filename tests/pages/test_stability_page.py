"""The tab about stability: the package's numbers, in the link, and said plainly where there is little to say."""

import re

import pandas as pd
import pytest

import explorer as ex
from pages.results import jobs
from pages.results.resampled import stability as results
from pages.settings import url
from pages.settings.page_settings import StabilitySettings
from pages.settings.settings import Settings
from tests.pages.app import PATIENCE, fine, opened, tab, texts, uploaded, views, went


def with_tab(**query):
    app = opened(**query)
    app.session_state["node.tab"] = "Stability"
    return went(app, "Grow")


def grown(app):
    """The page once the trees of the resamples are grown."""
    if not app.button("stability.run").disabled:  # the pool may have the result of another test
        app.button("stability.run").click().run()
    pool = jobs.pool()
    with pool.changed:
        entries = list(pool._entries.values())
        assert pool.changed.wait_for(lambda: not any(entry.is_active for entry in entries), PATIENCE)
    return fine(app.run())


def bars(app):
    """The lines of every group of bars: name and fraction."""
    groups = [html.proto.body for html in app.get("html") if "share-bars" in html.proto.body]
    return [re.findall(r"<span[^>]*>([^<]*)</span>", group) for group in groups]


def test_without_a_result_the_tab_offers_to_grow_the_trees():
    app = fine(with_tab())
    assert app.button("stability.run").label == "Grow 14 trees"
    assert app.selectbox("stability.rows").value == "leave-1-out"
    assert "Would other rows give the same tree?" in texts(app.caption)
    assert views(app)["grow"]["stability"] is None


def test_the_shares_of_the_root_are_those_of_the_package():
    app = grown(fine(with_tab()))
    assert bars(app)[0] == ["Outlook", "11 of 14 (78.6 %)", "Humidity", "3 of 14 (21.4 %)"]
    assert views(app)["grow"]["stability"] is not None
    assert views(app)["grow"]["state"]["stability"] is True
    assert app.button("stability.run").disabled


def test_the_selected_node_says_what_was_split_on_there_instead():
    app = grown(fine(with_tab(node="1", **{"st.rows": "leave-2-out"})))
    tennis = ex.Dataset.from_frame(ex.load_sample("play_tennis").frame, "PlayTennis")
    made = ex.stability(tennis, ex.ID3, "leave-2-out")
    counts = [made.node_counts[1], *(other.count for other in made.alternatives(1))]
    assert [int(text.split()[0]) for text in bars(app)[1][1::2]] == counts
    assert f"Splits on Humidity at the same place in {counts[0]} of 91 trees" in texts(app.markdown)


def test_the_tennis_tables_with_and_without_row_15_stand_side_by_side():
    app = grown(fine(with_tab(**{"st.pair": "yes"})))
    assert app.button("stability.run").label == "Grow 29 trees"
    assert bars(app)[:2] == [["Outlook", "11/14", "Humidity", "3/14"], ["Outlook", "15/15"]]
    without, with_row = (texts(app.markdown).index(words) for words in ("Without row 15", "With row 15"))
    assert without < with_row


def test_thresholds_have_their_quartiles():
    app = grown(fine(with_tab(data="iris", recipe="CART", **{"st.rows": "bootstrap", "st.count": "20"})))
    iris = ex.Dataset.from_frame(ex.load_sample("iris").frame, "class")
    made = ex.stability(iris.split(0.7)[0], ex.CART, 20)
    own, spread = made.tree.threshold[0], made.thresholds[0]
    low, middle, high = (f"{value:.12g}" for value in spread.quartiles)
    sentence = f"Threshold: {own:g}. In the resamples the median is {middle}, and half lie between {low} and {high}."
    assert sentence in texts(app.markdown)


def test_every_setting_survives_the_link():
    chosen = Settings(stability=StabilitySettings("subsample", 50, 7, 5, on_tree=False, pair=True))
    assert url.settings_from_query(chosen.to_query()) == (chosen, [])


def test_the_layer_can_be_hidden_and_its_switch_is_in_the_link():
    app = grown(fine(with_tab()))
    app.toggle("stability.on_tree").set_value(False).run()
    fine(app.run())
    assert views(app)["grow"]["state"]["stability"] is False
    assert app.query_params["st.layer"] == "no"


@pytest.mark.parametrize(("rows", "words"), [(2, "single target value"), (1, "")])
def test_tiny_tables_say_so(rows, words):
    frame = pd.DataFrame({"x": range(rows + 1), "y": ["a", *["b"] * rows]})
    app = fine(uploaded(opened(), "tiny.csv", frame.to_csv(index=False).encode()))
    app.session_state["node.tab"] = "Stability"
    app = grown(fine(went(app, "Grow")))
    assert words in texts(app.caption)


def test_a_table_too_large_to_leave_rows_out_offers_random_resamples():
    app = fine(with_tab(data="mushroom", st_rows="leave-1-out"))
    assert app.selectbox("stability.rows").options == ["Bootstrap samples", "Half of the rows"]


def test_a_tree_that_is_clicked_stands_large_below():
    app = grown(fine(with_tab()))
    pictures = [button for button in app.button if str(button.key).startswith("stability_tree_")]
    assert sum(int(button.label[1:]) for button in pictures) == 14
    other = next(button for button in pictures if button.label == "×1")
    fine(other.click().run())
    tennis = ex.Dataset.from_frame(ex.load_sample("play_tennis").frame, "PlayTennis")
    made = ex.stability(tennis, ex.ID3, "leave-1-out")
    (alone,) = (tree.resamples[0] for tree in made.distinct_trees() if len(tree.resamples) == 1)
    assert f"**The tree of 1 of 14 resamples**, without row {alone + 1}" in texts(app.markdown)
    assert "First difference, node 0: Humidity instead of Outlook." in texts(app.caption)


def test_while_splits_are_guessed_the_layer_is_not_drawn():
    app = grown(fine(with_tab()))
    app.query_params["ask_first"] = "yes"
    again = fine(opened("Grow", ask_first="yes"))
    assert views(again)["grow"]["stability"] is None


def test_the_other_tab_stays_as_it_was():
    app = fine(tab(with_tab(), "node.tab", "Candidates"))
    assert not bars(app)


def test_stopping_in_the_middle_keeps_the_trees_so_far():
    settings = Settings(stability=StabilitySettings("bootstrap", 40, seed=11))

    def stop_at_the_sixth(done, total):
        assert total == 40
        if done == 6:
            raise ex.Stopped

    assert results.known(settings) is None
    with pytest.raises(ex.Stopped):
        results.work(settings)(stop_at_the_sixth)
    made = results.known(settings)
    assert made.n_resamples == 6
    assert made.ended.text == "Stopped after 6 of 40 resamples."
    assert results.work(settings)(lambda *_: None).n_resamples == 40
    assert results.known(settings) is None, "the part is let go when the whole is asked for"
