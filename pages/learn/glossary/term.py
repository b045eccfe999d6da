"""The terms of the glossary, from the tables of `terms.md`: names, sign, meaning, and where each appears."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from explorer.messages import current_catalogue
from pages.widgets.terms import MEANINGS


@dataclass(frozen=True)
class Term:
    """A term of the field; `links` are "scene/step name", or the name of a page in addresses ("grow")."""

    in_english: str
    in_chinese: str
    symbol: str
    meaning: str
    in_chinese_meaning: str
    links: tuple[str, ...]

    @property
    def definition(self) -> str:
        """What it means, in the language in force."""
        if not self.meaning:
            return next(MEANINGS[name] for name in (self.in_english, self.symbol) if name in MEANINGS)
        catalogue = current_catalogue()
        return self.in_chinese_meaning if catalogue.language.startswith("zh") else catalogue.template(self.meaning)

    def matches(self, wanted: str) -> bool:
        """Whether the term has a searched text in it: its names, its symbol, or what it means."""
        texts = (self.in_english, self.in_chinese, self.symbol, self.definition)
        return any(wanted.strip().casefold() in text.casefold() for text in texts)


def read(text: str) -> Mapping[str, tuple[Term, ...]]:
    r"""The terms by the heading of their table.

    >>> table = r"| bit | 比特 | \|b\| | A unit. | 单位。 | mixed/units, grow |"
    >>> read(f"## impurity\n{table}")["impurity"][0].symbol
    '|b|'
    """
    groups: dict[str, list[Term]] = {}
    for line in text.splitlines():
        if line.startswith("## "):
            groups[line[3:]] = []
        elif line.startswith("| ") and not line.startswith("| English"):
            cells = [cell.strip().replace(r"\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
            english, chinese, symbol, meaning, chinese_meaning, links = cells
            term = Term(english, chinese, symbol, meaning, chinese_meaning, tuple(links.split(", ")))
            groups[list(groups)[-1]].append(term)
    return {name: tuple(terms) for name, terms in groups.items()}


GROUPS = read(Path(__file__).with_name("terms.md").read_text("utf-8"))
"""All terms by subject."""
