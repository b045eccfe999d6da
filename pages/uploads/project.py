"""A project as a file: every choice, the trees kept by name, and, only if asked for, the rows.

Its choices are the parameters of a link, so a project opens what a link opens. `docs/project.md` has the fields.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from dataclasses import dataclass

import explorer as ex
from explorer.json_text import parsed
from explorer.messages import message
from pages.settings.kept import trees
from pages.settings.settings import Settings, understood, with_kept

ENDING = ".project.json"
FORMAT, VERSION = "decision-tree-project", 1
_HEAD = 200
"""The format stands within so many bytes of the beginning."""
_FIELDS = ("format", "version", "file", "settings", "trees", "rows", "sha256")
_HEX = frozenset("0123456789abcdef")


@dataclass(frozen=True)
class Project:
    """The settings with the trees kept, what their file is called ("" without one), and its rows as letters, or ""."""

    settings: Settings
    file: str = ""
    rows: str = ""


def is_project(name: str, content: bytes) -> bool:
    """Whether a file is meant as a project, damaged or not."""
    return name.endswith(ENDING) or FORMAT.encode() in content[:_HEAD]


def to_text(project: Project) -> str:
    """The project as the text of its file."""
    settings = dataclasses.replace(project.settings, kept=(), rows="")
    query = {"data": [settings.sample]} | settings.to_query()
    if settings.upload or settings.connected:
        del query["data"]
    if settings.upload:
        query["file"] = [settings.upload]
    plain: dict[str, object] = {
        "format": FORMAT,
        "version": VERSION,
        "file": project.file,
        "settings": query,
        "trees": [tree.to_plain() for tree in project.settings.kept],
        "rows": project.rows,
    }
    return json.dumps(plain | {"sha256": _check(plain)}, ensure_ascii=False, indent=1)


def from_text(content: bytes) -> Project:
    """The project in a file; InputError for a file that holds none, was changed, or is of a later version."""
    plain = parsed(content, _no_project)
    if not isinstance(plain, dict) or plain.get("format") != FORMAT:
        raise _no_project()
    if type(plain.get("version")) is not int or plain["version"] > VERSION:
        raise ex.InputError(message("The project was saved by a later version of this program: update it to open it."))
    match plain:
        case {"file": str(file), "settings": query, "trees": kept, "rows": str(rows), "sha256": str(check)} if set(
            plain
        ) == set(_FIELDS):
            if check != _checked({field: plain[field] for field in _FIELDS[:-1]}):
                raise _changed()
            return _project(file, query, kept, rows)
    raise _changed()


def _project(file: str, query: object, kept: object, rows: str) -> Project:
    given = {key: list(texts) for key, texts in trees.frozen(query)}
    whole = given.pop("file", [])
    digest = whole[0] if whole else ""
    if whole and (len(whole) != 1 or len(digest) != 64 or not set(digest) <= _HEX):
        raise _changed()
    settings = understood(given)
    settings = dataclasses.replace(settings, upload=digest, kept=trees.from_plain(kept))
    for tree in settings.kept:
        with_kept(settings, tree)
    return Project(settings, file, rows if digest else "")


def _checked(plain: dict[str, object]) -> str:
    """The same of fields that anybody wrote; "" where a text in them is none, or they are nested too deeply."""
    try:
        json.dumps(plain, ensure_ascii=False).encode()
        return _check(plain)
    except (UnicodeEncodeError, RecursionError):
        return ""


def _check(plain: dict[str, object]) -> str:
    """The SHA-256 of the fields, written without spaces and by their names."""
    text = json.dumps(plain, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _no_project() -> ex.InputError:
    return ex.InputError(message("The file holds no project: it was cut, or is of another kind."))


def _changed() -> ex.InputError:
    return ex.InputError(
        message("The project was changed since it was saved. Ask for the file again, or save the project again.")
    )
