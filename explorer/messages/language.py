"""The catalogue in force, and templates filled in its language.

The choice is kept per context, so that two sessions of one server may speak two languages at once. Whoever keeps a
finished sentence (a cache shared by sessions) must keep one for each language: `current_catalogue().language` names it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Catalogue:
    """One language: its code (BCP 47), and its templates by the English ones; a missing template stays English."""

    language: str = "en"
    templates: Mapping[str, str] = field(default_factory=dict)

    def template(self, english: str) -> str:
        """The template in this language."""
        return self.templates.get(english, english)


ENGLISH = Catalogue()
_IN_FORCE: ContextVar[Catalogue] = ContextVar("catalogue", default=ENGLISH)


def current_catalogue() -> Catalogue:
    """The catalogue in force."""
    return _IN_FORCE.get()


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


def message(template: str, **fields: object) -> str:
    """The template in the language in force, with its fields filled in as `str.format` does."""
    return _IN_FORCE.get().template(template).format(**fields)


def plural(n: float, one: str, many: str, **fields: object) -> str:
    """The template for one, or the one for any other number `n`, which is a field too."""
    return message(one if n == 1 else many, n=n, **fields)
