"""No word of the interface is missing in the catalogue: in a language of brackets all that is shown has brackets."""

import re
from contextvars import ContextVar

import pytest
import streamlit as st

import explorer as ex
from explorer.messages import language
from pages.results.cache import results
from tests.oracles.brackets import Bracketed
from tests.pages.app import PAGES, opened, tab

NEVER_TRANSLATED = {
    *(
        "ID",
        "C",
        "CART",
        "CF",
        "MDL",
        "AUC",
        "MSE",
        "CSV",
        "LogWorth",
        "JSON",
        "SVG",
        "PNG",
        "DOT",
        "SQL",
        "Python",
        "Markdown",
    ),
    *(
        "LogWorth",
        "Graphviz",
        "XLSX",
        "Parquet",
        "TSV",
        "HTML",
        "LaTeX",
        "log",
        "gain",
        "scikit",
        "learn",
        "URL",
        "https",
    ),
    *(
        "A",
        "B",
        "C",
        "D",
        "H",
        "R",
        "T",
        "g",
        "t",
        "p",
        "df",
        "x",
        "y",
        "n",
        "K",
        "e",
        "SSE",
        "ȳ",
        "kB",
        "MB",
        "s",
        "ms",
    ),
}
"""Names of algorithms, file formats and signs of mathematics."""
_MATH = re.compile(r"\$\$?.*?\$\$?|:material/\w+:|:\w+(?=\[)|`[^`]*`", re.DOTALL)
_WORD = re.compile(r"[^\W\d_]+")
_KINDS = ("markdown", "caption", "subheader", "header", "info", "warning", "error", "success")
_WIDGETS = (
    *("button", "checkbox", "toggle", "selectbox", "radio", "multiselect", "number_input", "text_input", "text_area"),
    *("slider", "select_slider", "segmented_control", "pills", "color_picker", "file_uploader", "download_button"),
)


def speak(monkeypatch, catalogue):
    """Have the app, which runs in a thread of its own, speak a language from now on."""
    monkeypatch.setattr(language, "_IN_FORCE", ContextVar("catalogue", default=catalogue))
    results().clear()
    st.cache_resource.clear()


@pytest.fixture(autouse=True)
def _bracketed(monkeypatch):
    """The app in a language of brackets; what was cached in it is thrown away again."""
    speak(monkeypatch, Bracketed("xx"))
    yield
    results().clear()
    st.cache_resource.clear()


def without_brackets(text):
    """What stands outside of all brackets."""
    depth, kept = 0, []
    for letter in text:
        depth += letter == "⟦"
        if depth == 0:
            kept.append(letter)
        depth -= letter == "⟧"
    return "".join(kept)


def shown(app):
    """Every text on the page, with what shows it."""
    for kind in _KINDS:
        yield from ((kind, element.value) for element in app.get(kind) if hasattr(element, "value"))
    for kind in _WIDGETS:
        for widget in app.get(kind):
            proto = widget.proto
            for name in ("label", "help", "placeholder"):
                yield f"{kind} {name}", getattr(proto, name, "") or ""
            for option in getattr(proto, "options", ()):
                yield f"{kind} option", option if isinstance(option, str) else getattr(option, "content", "")
    yield from (("tab", each.label) for each in app.tabs)
    yield from (("expander", each.label) for each in app.expander)
    for block in app.get("popover"):
        yield "popover", block.proto.popover.label
        yield "popover help", block.proto.popover.help


def names_of_data(app):
    """The words of the table in use: columns, cells, classes, and what the table is called."""
    settings = app.session_state["settings"]
    sample = ex.SAMPLES[settings.sample]
    frame = ex.load_sample(settings.sample).frame
    cells = {str(cell) for name in frame.columns for cell in frame[name].dropna().unique()[:50]}
    texts = " ".join([*map(str, frame.columns), *cells, sample.title, sample.target, settings.sample])
    return set(_WORD.findall(texts))


def untranslated(app):
    """Words outside of brackets that nobody has excused, with what shows them."""
    known = NEVER_TRANSLATED | names_of_data(app)
    left = set()
    for kind, text in shown(app):
        plain = _MATH.sub(" ", without_brackets(text.replace("\\", "")))
        words = (word.rstrip("₀₁₂₃₄₅₆₇₈₉") for word in _WORD.findall(plain))
        left |= {(word, kind, text[:80]) for word in words if word not in known}
    return left


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
    *(("Prune", "prune.tab", position) for position in (1, 2, 3)),
]


@pytest.mark.parametrize(("page", "key", "position"), PLACES, ids=str)
@pytest.mark.parametrize("data", ["play_tennis", "auto_mpg"])
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
