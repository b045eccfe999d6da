"""The catalogue in force, and templates filled in its language.

The choice is kept per context, so that two sessions of one server may speak two languages at once. Whoever keeps a
finished sentence (a cache shared by sessions) must keep one for each language: `current_catalogue().language` names it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TypeVar

from explorer.messages.spacing import filled


@dataclass(frozen=True)
class Catalogue:
    """One language: its code (BCP 47), and its templates by the English ones; a missing template stays English."""

    language: str = "en"
    templates: Mapping[str, str] = field(default_factory=dict)

    def template(self, english: str) -> str:
        """The template in this language."""
        return self.templates.get(english, english)


Made = TypeVar("Made")
ENGLISH = Catalogue()
_IN_FORCE: ContextVar[Catalogue | None] = ContextVar("catalogue", default=None)
_asked: list[Callable[[], Catalogue]] = []


def current_catalogue() -> Catalogue:
    """The catalogue in force: the one chosen in this context, else what `ask_for_catalogue` was given, else English."""
    chosen = _IN_FORCE.get()
    if chosen is not None:
        return chosen
    return _asked[0]() if _asked else ENGLISH


def ask_for_catalogue(choose: Callable[[], Catalogue]) -> None:
    """Have contexts without a choice of their own ask this function each time, instead of an earlier one.

    An app that knows the language of each reader by the thread it works in needs no further choice.
    """
    _asked[:] = [choose]


def use_catalogue(catalogue: Catalogue) -> None:
    """Speak this language from now on, in this context (a thread, a task, a run of a page)."""
    _IN_FORCE.set(catalogue)


@contextmanager
def spoken_in(catalogue: Catalogue) -> Iterator[None]:
    """Speak a language within a block.

    >>> with spoken_in(Catalogue("de", {"{n:,} rows": "{n:,} Zeilen"})):
    ...     plural(14, "{n:,} row", "{n:,} rows")
    '14 Zeilen'
    """
    token = _IN_FORCE.set(catalogue)
    try:
        yield
    finally:
        _IN_FORCE.reset(token)


def in_this_language(make: Callable[[], Made]) -> Callable[[], Made]:
    """A function that does the same wherever it is called, in the language that is in force now.

    >>> with spoken_in(Catalogue("de", {"leaf": "Blatt"})):
    ...     later = in_this_language(lambda: message("leaf"))
    >>> later(), message("leaf")
    ('Blatt', 'leaf')
    """
    catalogue = current_catalogue()

    def made() -> Made:
        with spoken_in(catalogue):
            return make()

    return made


def message(template: str, **fields: object) -> str:
    """The template in the language in force, with its fields filled in as `str.format` does."""
    catalogue = current_catalogue()
    text = catalogue.template(template)
    return filled(text, fields) if catalogue.language.startswith("zh") else text.format(**fields)


def plural(n: float, one: str, many: str, **fields: object) -> str:
    """The template for one, or the one for any other number `n`, which is a field too."""
    return message(one if n == 1 else many, n=n, **fields)
