"""A term: its name, its symbol, what it means, and the steps and pages where it appears."""

from __future__ import annotations

from dataclasses import dataclass

from explorer.messages import ENGLISH, Worded, chinese, spoken_in


@dataclass(frozen=True, kw_only=True)
class Term:
    """A term of the field; `links` are "scene/step name", or the name of a page in addresses ("grow")."""

    name: Worded = Worded()
    symbol: str = ""
    definition: Worded = Worded()
    links: tuple[str, ...]

    @property
    def in_english(self) -> str:
        """The English term, whatever the language in force."""
        with spoken_in(ENGLISH):
            return self.name

    @property
    def in_chinese(self) -> str:
        """The Chinese term."""
        with spoken_in(chinese()):
            return self.name

    def matches(self, wanted: str) -> bool:
        """Whether the term has a searched text in it: its names, its symbol, or what it means."""
        texts = (self.in_english, self.in_chinese, self.symbol, self.definition)
        return any(wanted.strip().casefold() in text.casefold() for text in texts)
