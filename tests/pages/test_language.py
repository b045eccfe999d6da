"""The language of the pages: from the browser, from the link, switched in the menu, one for each session."""

import json

import pytest
from streamlit.runtime.context import ContextProxy

from explorer.messages import chinese, languages, spoken_in
from pages.results import rules
from pages.settings.settings import Settings
from tests.oracles.brackets import Bracketed
from tests.oracles.examples import slow
from tests.pages.app import NAMES, fine, heading, opened, tab, views, went
from tests.pages.untranslated import untranslated

PAGE_NAMES = ("数据", "生长", "剪枝", "评估", "规则", "预测", "比较", "集成", "学习")


@pytest.fixture
def chinese_browser(monkeypatch):
    """A browser that prefers Chinese."""
    monkeypatch.setattr(ContextProxy, "locale", property(lambda context: "zh-CN"))


def reading(language):
    """The block in which the testing thread, which hands the widgets' values over, speaks as the page does."""
    return spoken_in(languages.catalogue_of(language))


def switched(app, language):
    """The page after the menu's switch was used."""
    app.session_state["menu"] = True
    app.run()
    (switch,) = [each for each in app.get("button_group") if each.key == "language.chosen"]
    return fine(switch.set_value(language).run())


def document_language(app):
    """What the page is told to name as its language."""
    given = [json.loads(element.proto.json) for element in app.get("bidi_component") if element.proto.json]
    return next(data["language"] for data in given if "presenter" in data)


@pytest.mark.parametrize(("page", "name"), list(zip(NAMES, PAGE_NAMES, strict=True)))
def test_a_link_opens_every_page_in_its_language(page, name):
    with reading("zh"):
        app = fine(opened(page, lang="zh"))
    assert heading(app) == name
    assert app.query_params["lang"] == "zh"
    assert document_language(app) == "zh-Hans"


def test_without_a_language_in_the_link_the_browser_decides(chinese_browser):
    app = opened("Data")
    assert heading(app) == "数据"
    assert "lang" not in app.query_params, "others open the link in their own language"
    assert heading(opened("Data", lang="en")) == "Data"


def test_the_menu_switches_the_language_and_the_link_keeps_it():
    app = opened("Grow")
    assert heading(app) == "Grow"
    assert "lang" not in app.query_params
    app = switched(app, "zh")
    assert heading(app) == "生长"
    assert app.query_params["lang"] == "zh"
    with reading("zh"):
        assert heading(went(app, "Prune")) == "剪枝"
        app = switched(app, "en")
    assert heading(app) == "Prune"
    assert app.query_params["lang"] == "en"


def test_two_sessions_speak_two_languages():
    chinese, english = opened("Data", lang="zh"), opened("Data")
    with reading("zh"):
        assert heading(chinese.run()) == "数据"
    assert heading(english.run()) == "Data"


def test_an_unknown_language_is_refused_in_a_sentence():
    app = opened("Data", lang="xx")
    assert heading(app) == "Data"
    assert "lang = “xx”" in app.warning[0].value.replace("\\", "")


def test_the_tree_view_has_its_texts_in_chinese():
    (english,) = views(opened("Grow")).values()
    with reading("zh"):
        (chinese,) = views(opened("Grow", lang="zh")).values()
    assert not english["messages"]
    assert chinese["messages"]["Find"] == "查找"


@pytest.mark.parametrize(
    ("page", "key", "english", "chinese"),
    [("Grow", "node.tab", "Formula", "公式"), ("Evaluate", "evaluate.tab", "Learning curve", "学习曲线")],
)
def test_the_open_tab_stays_open_in_the_other_language(page, key, english, chinese):
    app = switched(tab(opened(page), key, english), "zh")
    assert app.session_state[key] == chinese
    with reading("zh"):
        app = switched(app, "en")
    assert app.session_state[key] == english


PLACES = [
    *((page, "", 0) for page in NAMES),
    *(slow("Grow", "node.tab", position) for position in (1, 2, 3, 4)),
    *(slow("Prune", "prune.tab", position) for position in (1, 2, 3, 4)),
]


@pytest.mark.parametrize(("page", "key", "position"), PLACES, ids=str)
def test_no_english_is_left_on_a_page_after_the_switch(monkeypatch, page, key, position):
    """What was worked out in English is kept, but not its sentences: the other language brackets all it says."""
    app = opened(page)
    if key:
        app = tab(app, key, [each.label for each in app.tabs][position])
    monkeypatch.setattr(languages, "chinese", lambda: Bracketed("x-brackets"))
    app = switched(app, "zh")
    app.session_state["share"] = True
    with reading("zh"):
        assert untranslated(app.run()) == set()


def test_rules_kept_for_a_reader_of_one_language_are_not_shown_to_another():
    with spoken_in(chinese()):
        first = [rule.stop for rule in rules.own(Settings()).otherwise if rule.stop]
    second = [rule.stop for rule in rules.own(Settings()).otherwise if rule.stop]
    assert len(first) == len(second) > 0
    assert not set(first) & set(second)
    assert all("has another value" in stop for stop in second)
