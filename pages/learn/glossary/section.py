"""The section: a search, and the terms by subject, each with buttons that open where it appears."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import streamlit as st

from explorer.messages import WordedTable, message
from pages.layout import shell
from pages.learn.glossary.term import GROUPS, Term
from pages.learn.scenes.step import Scene
from pages.settings import session
from pages.settings.settings import Settings, changed
from pages.text import escape_markdown
from pages.widgets.controls import feed, quiet_button

_TITLES = WordedTable(
    {
        "trees": lambda: message("Trees and tables"),
        "impurity": lambda: message("Impurity"),
        "splits": lambda: message("Splits"),
        "missing": lambda: message("Missing values"),
        "pruning": lambda: message("Pruning"),
        "evaluation": lambda: message("Evaluation"),
        "ensembles": lambda: message("Many trees"),
    }
)
PAGES = WordedTable(
    {
        "data": lambda: message("Data"),
        "grow": lambda: message("Grow"),
        "prune": lambda: message("Prune"),
        "evaluate": lambda: message("Evaluate"),
        "rules": lambda: message("Rules"),
        "predict": lambda: message("Predict"),
        "ensembles": lambda: message("Ensembles"),
    }
)
"""The pages that terms link to, by their names in addresses."""
_SEARCH = "learn.glossary.search"
_NAME, _MEANING, _LINKS = 0.27, 0.4, 0.33


def show(settings: Settings, scene_of: Callable[[str], Scene], go_to: Callable[[str, int], None]) -> None:
    """The terms that match the search; `scene_of` gives a scene by its name, `go_to` opens it at a step."""
    with shell.scrolling_page():
        st.markdown(message("### Glossary"))
        wanted = st.text_input(
            message("Search"),
            key=feed(_SEARCH, settings.learn.find),
            on_change=_search,
            placeholder=message("a term, a symbol, or a word"),
            icon=":material/search:",
            label_visibility="collapsed",
            width=420,
        )
        found = {group: [term for term in terms if term.matches(wanted)] for group, terms in GROUPS.items()}
        if not any(found.values()):
            st.info(message("No term matches. Search for a part of a word, in English or Chinese."))
        for group, terms in found.items():
            if terms:
                st.markdown(f"#### {_TITLES[group]}")
                for term in terms:
                    _entry(term, scene_of, go_to)


def _search() -> None:
    settings = session.read()
    session.keep(changed(settings, learn=dataclasses.replace(settings.learn, find=st.session_state[_SEARCH])))


def _entry(term: Term, scene_of: Callable[[str], Scene], go_to: Callable[[str, int], None]) -> None:
    """Both names with the symbol, the meaning, and the links."""
    names, meaning, links = st.columns([_NAME, _MEANING, _LINKS], vertical_alignment="center")
    symbol = f"  \n:gray[{escape_markdown(term.symbol)}]" if term.symbol else ""
    names.markdown(f"**{term.in_english}** · {term.in_chinese}{symbol}")
    meaning.markdown(escape_markdown(term.definition))
    with (
        links,
        st.container(
            horizontal=True,
            gap=None,
            vertical_alignment="center",
            key=f"glossary_links_{term.in_english.replace(' ', '_')}",
        ),
    ):
        for link in term.links:
            _link(term, link, scene_of, go_to)


def _link(term: Term, link: str, scene_of: Callable[[str], Scene], go_to: Callable[[str, int], None]) -> None:
    """A button that opens a scene at its step, or a link to a page."""
    name, _, step = link.partition("/")
    if not step:
        st.page_link(f"pages/{name}/page.py", label=PAGES[name])
        return
    scene = scene_of(name)
    quiet_button(
        escape_markdown(scene.title),
        f"learn.glossary.{term.in_english}.{link}",
        "play_circle",
        lambda: go_to(name, position_of(scene, step)),
    )


def position_of(scene: Scene, step: str) -> int:
    """The position of a step in a scene, by its name; the first where there is none."""
    names = [each.name for each in scene.steps({})]
    return names.index(step) if step in names else 0
