"""ES modules joined into one script for a page of the app or a page that stands alone, and the texts they show."""

from __future__ import annotations

import json
import re
from pathlib import Path

from explorer.messages import current_catalogue

_IMPORT = re.compile(r'^import \{[^}]*\} from "(\.\.?/[\w./]+\.js)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?!default )", re.MULTILINE)
_SAID = re.compile(r'\bsay\(\s*("(?:[^"\\]|\\.)*")')
_COUNTED = re.compile(r'\bsayCount\([^"]*("(?:[^"\\]|\\.)*"),\s*("(?:[^"\\]|\\.)*")')


def modules(file: Path, listed: tuple[Path, ...] = ()) -> tuple[Path, ...]:
    """The modules that a module needs and itself, each after those that it imports."""
    for target in _IMPORT.findall(file.read_text("utf-8")):
        imported = (file.parent / target).resolve()
        if imported not in listed:
            listed = modules(imported, listed)
    return (*listed, file.resolve())


def joined(entry: Path) -> str:
    """All modules as one script, without imports and export marks: their names share one scope."""
    texts = [file.read_text("utf-8") for file in modules(entry)]
    return "\n".join(_EXPORT.sub("", _IMPORT.sub("", text)) for text in texts)


def templates_of(script: str) -> tuple[str, ...]:
    """The English templates of all texts that a script shows, as its modules have them.

    >>> templates_of('say("Best"); sayCount(n, "{n} leaf", "{n} leaves")')
    ('Best', '{n} leaf', '{n} leaves')
    """
    found = [*_SAID.findall(script), *(template for pair in _COUNTED.findall(script) for template in pair)]
    return tuple(dict.fromkeys(json.loads(literal) for literal in found))


def translated(templates: tuple[str, ...]) -> dict[str, str]:
    """The templates in the language in force, by the English ones; empty for English."""
    catalogue = current_catalogue()
    return {english: catalogue.templates[english] for english in templates if english in catalogue.templates}
