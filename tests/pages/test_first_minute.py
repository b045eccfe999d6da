"""The first minute: three doors, a tree that can be played, and words that explain themselves."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest

from explorer.messages import chinese, spoken_in
from pages.learn import scene_order
from pages.learn.glossary.term import GROUPS
from pages.widgets import terms
from tests.pages.app import fine, opened, texts, views, went

LINK = re.compile(r'\[[^\]]+\]\((learn\?[^ ]+) "([^"]+)"\)')


def test_show_me_opens_the_short_path_of_fifteen_minutes_where_it_was_left():
    short = scene_order.short_path()
    assert sum(scene.minutes for scene in short) == 15
    app = opened()
    assert "15-minute path" in app.button("show_me").label
    app.button("show_me").click().run()
    app = fine(went(app, "Learn"))
    assert app.query_params["scene"] == short[0].name
    assert app.query_params["short_path"] == "yes"
    assert f"★ 1 of {len(short)} on the 15-minute path" in texts(app.caption)
    app = fine(opened("Learn", learn="scene", scene=short[-1].name, short_path="yes"))
    assert f"★ {len(short)} of {len(short)} on the 15-minute path" in texts(app.caption)
    app = fine(opened("Learn", learn="scene", scene=short[-1].name))
    assert "on the 15-minute path" not in texts(app.caption)
    app = fine(opened("Learn", learn="scene", short_path="yes"))
    assert app.query_params["scene"] == short[0].name


def test_play_with_points_opens_the_canvas():
    app = opened()
    app.button("draw_a_table").click().run()
    assert "learn.drawn" in views(fine(went(app, "Learn")))


def test_the_whole_tree_says_that_it_can_be_played_until_it_was():
    app = opened("Grow")
    assert "▶ shows it grow" in views(app)["grow"]["sentence"]
    app.session_state["growing.moved"] = True
    assert views(app.run())["grow"]["sentence"] == "The whole tree: 5 leaves."


def links(app):
    return dict(found.groups() for element in [*app.markdown, *app.caption] for found in LINK.finditer(element.value))


@pytest.mark.parametrize(
    ("term", "query"),
    [
        (terms.MARGIN, {}),
        (terms.CHI2, {}),
        (terms.NEAR_TIE, {"data": "play_tennis", "node": "0", "recipe": "CART"}),
        (terms.LOG_WORTH, {"recipe": "CART", "score": "p_value"}),
    ],
)
def test_a_word_on_the_page_links_to_its_meaning_in_the_glossary(term, query):
    app = fine(opened("Grow", **query))
    (address, meaning), *_ = [
        (address, meaning)
        for address, meaning in links(app).items()
        if parse_qs(urlsplit(address).query)["find"] == [term]
    ]
    assert meaning == terms.MEANINGS[term]
    target = {key: values[0] for key, values in parse_qs(urlsplit(address).query).items()}
    found = fine(opened("Learn", **target))
    assert found.text_input(key="learn.glossary.search").value == term
    assert meaning in texts(found.markdown)


def test_every_explained_term_is_found_in_the_glossary_in_both_languages():
    every = [term for group in GROUPS.values() for term in group]
    for term in terms.MEANINGS:
        assert [each for each in every if each.matches(term) and each.definition == terms.MEANINGS[term]]
        with spoken_in(chinese()):
            assert [each for each in every if each.matches(term) and each.definition == terms.MEANINGS[term]]
            assert not re.search(r'["\\\[\]]', terms.MEANINGS[term])


CONTROLS = {
    *("arrow_data_frame", "button", "button_group", "checkbox", "download_button", "file_uploader", "multiselect"),
    *("number_input", "page_link", "popover", "radio", "select_slider", "selectbox", "slider", "text_area"),
    *("text_input", "toggle"),
}
FOLDED = {"dialog", "expandable", "expander", "popover", "status"}


def controls(block):
    """The kinds of controls in sight: what is folded away counts once, as what opens it."""
    for child in block.children.values():
        kind = getattr(child, "type", "")
        if kind in FOLDED:
            yield kind
        elif hasattr(child, "children"):
            yield from controls(child)
        elif kind in CONTROLS:
            yield kind


@pytest.mark.parametrize(("page", "before"), [("Data", 39)])
def test_the_first_visit_shows_no_more_controls_than_before(page, before):
    """Counted in commit ba450454: what came since lives in tabs, menus, popovers and the rail."""
    assert len(list(controls(fine(opened(page))._tree))) <= before
