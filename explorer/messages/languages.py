"""The languages that the package speaks, and their catalogues: the translations are data files beside this module."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

from explorer.messages.language import ENGLISH, Catalogue

LANGUAGES: Mapping[str, str] = MappingProxyType({"en": "English", "zh": "简体中文"})
"""Each language's code with its own name for itself."""


def catalogue_of(language: str) -> Catalogue:
    """The catalogue of one of the languages; English for any other code.

    >>> catalogue_of("zh").template("entropy")
    '熵'
    """
    return chinese() if language == "zh" else ENGLISH


@cache
def chinese() -> Catalogue:
    """Simplified Chinese, read from its files once.

    >>> from explorer.messages import plural, spoken_in
    >>> with spoken_in(chinese()):
    ...     plural(14, "{n:,} row", "{n:,} rows")
    '14 行'
    """
    templates: dict[str, str] = {}
    for file in sorted(Path(__file__).with_name("chinese").glob("*.json")):
        templates |= json.loads(file.read_text("utf-8"))
    return Catalogue("zh-Hans", MappingProxyType(templates))


def language_for(tag: str | None) -> str:
    """The language for a reader whose browser names this one (a tag of BCP 47): English where there is no closer one.

    >>> language_for("zh-CN"), language_for("de"), language_for(None)
    ('zh', 'en', 'en')
    """
    language = (tag or "").lower().replace("_", "-").split("-")[0]
    return language if language in LANGUAGES else "en"
