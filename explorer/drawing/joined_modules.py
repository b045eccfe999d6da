"""The files of a view in the browser: modules joined into one script, style sheets as one, and the texts they show."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from explorer.messages import current_catalogue

_IMPORT = re.compile(r'^import \{([^}]*)\} from "(\.\.?/[\w./]+\.js)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?!default )", re.MULTILINE)
_EXPORTED = re.compile(r"^export (?:async )?(?:function\*?|class|const) (\[[^\]]*\]|\{[^}]*\}|\w+)", re.MULTILINE)
_SAID = re.compile(r'\bsay\(\s*("(?:[^"\\]|\\.)*")')
_COUNTED = re.compile(r'\bsayCount\([^"]*("(?:[^"\\]|\\.)*"),\s*("(?:[^"\\]|\\.)*")')


@cache
def component_file(path: Path) -> str:
    """A script or style sheet for a component; its first line keeps Streamlit from taking the text for a path."""
    return f"/* {path.name} */\n" + path.read_text("utf-8")


def modules(file: Path, listed: tuple[Path, ...] = ()) -> tuple[Path, ...]:
    """The modules that a module needs and itself, each after those that it imports."""
    for _, target in _IMPORT.findall(file.read_text("utf-8")):
        imported = (file.parent / target).resolve()
        if imported not in listed:
            listed = modules(imported, listed)
    return (*listed, file.resolve())


def joined(entry: Path) -> str:
    """All modules as one script: each is a function's body with a scope of its own, which returns what it exports."""
    files = modules(entry)
    names = {file: f"module{index}" for index, file in enumerate(files)}
    return "\n".join([*(_in_own_scope(file, names) for file in files[:-1]), _body(files[-1], names)])


def _in_own_scope(file: Path, names: Mapping[Path, str]) -> str:
    declared = _EXPORTED.findall(file.read_text("utf-8"))
    exported = ", ".join(name for each in declared for name in re.findall(r"\w+", each))
    return f"const {names[file]} = (() => {{\n{_body(file, names)}\nreturn {{ {exported} }};\n}})();"


def _body(file: Path, names: Mapping[Path, str]) -> str:
    """The text of a module that takes what it imports from the modules before it."""

    def taken(found: re.Match[str]) -> str:
        return f"const {{{found[1].replace(' as ', ': ')}}} = {names[(file.parent / found[2]).resolve()]};\n"

    return _EXPORT.sub("", _IMPORT.sub(taken, file.read_text("utf-8")))


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


@dataclass(frozen=True)
class ViewFiles:
    """The files of a view; `library` is the name of the global by which `loader.js` finds the library of such views."""

    entry: Path
    styles: tuple[Path, ...]
    library: str

    @cached_property
    def script(self) -> str:
        """All modules as one script, each after those that it imports."""
        return f"// {self.library}\n{joined(self.entry)}"

    @cached_property
    def loader(self) -> str:
        """The script that Streamlit sends with every view and data component."""
        return component_file(Path(__file__).with_name("loader.js")).replace("viewLoader", self.library)

    @cached_property
    def style(self) -> str:
        """All style sheets as one."""
        return f"/* {self.library} */\n" + "\n".join(file.read_text("utf-8") for file in self.styles)

    @cached_property
    def templates(self) -> tuple[str, ...]:
        """The English templates of all texts that the view shows, as its modules have them."""
        return templates_of(self.script)

    def translations(self) -> dict[str, str]:
        """These templates in the language in force, by the English ones; empty for English."""
        return translated(self.templates)
