"""No word of the interface is missing in the catalogue: in a language of brackets all that is shown has brackets."""

from contextvars import ContextVar

import pytest

from explorer.messages import language
from pages.results.cache import results
from tests.oracles.brackets import Bracketed
from tests.oracles.examples import slow
from tests.pages.app import PAGES, opened, tab
from tests.pages.untranslated import untranslated, without_brackets


def speak(monkeypatch, catalogue):
    """Have the app, which runs in a thread of its own, speak a language from now on."""
    monkeypatch.setattr(language, "_IN_FORCE", ContextVar("catalogue", default=catalogue))
    results().clear()


@pytest.fixture(autouse=True)
def _bracketed(monkeypatch):
    """The app in a language of brackets; what was cached in it is thrown away again."""
    speak(monkeypatch, Bracketed("xx"))
    yield
    results().clear()


def opened_at(page, key="", position=0, **query):
    """A page with its menu and its link open, at one of its tabs."""
    app = opened(page, **query)
    for panel in ("share", "menu"):
        app.session_state[panel] = True
    labels = [each.label for each in app.tabs]  # before the menu is open, which has tabs of its own
    app = tab(app, key, labels[position]) if key else app.run()
    assert not app.exception
    return app


PLACES = [
    *((page, "", 0) for page in PAGES),
    *(("Grow", "node.tab", position) for position in (1, 2, 3, 4)),
    *(("Prune", "prune.tab", position) for position in (1, 2, 3, 4)),
]


@pytest.mark.parametrize(("page", "key", "position"), PLACES, ids=str)
@pytest.mark.parametrize("data", ["play_tennis", slow("auto_mpg")])
def test_every_word_of_a_page_is_in_the_catalogue(page, key, position, data):
    assert untranslated(opened_at(page, key, position, data=data)) == set()


@pytest.mark.parametrize("data", ["play_tennis", "auto_mpg"])
def test_every_method_of_pruning_too(data):
    for pruning in ("given", "methods", "per_node"):
        assert untranslated(opened_at("Prune", pruning=pruning, data=data)) == set(), pruning


def test_the_search_finds_what_is_not_translated(monkeypatch):
    assert without_brackets("⟦a ⟦b⟧ c⟧ d") == " d"
    speak(monkeypatch, language.ENGLISH)
    words = {word for word, _, _ in untranslated(opened_at("Grow"))}
    assert {"Candidates", "Algorithm", "entropy", "predicts", "Share", "Download", "rows"} <= words
