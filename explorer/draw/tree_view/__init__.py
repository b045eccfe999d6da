"""The interactive tree: plain JavaScript, one ES module per concern, and its style sheets.

Whoever shows the view, a page of the app or one that stands alone, takes script and style as one text each, so the
modules are joined here; tests import them one by one. What travels is told at the head of `view.js`; the bytes of trees
and sequences come from `payload.py`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from explorer.draw.palette import class_colours, mean_ends, theme

FOLDER = Path(__file__).parent
ENTRY = "view"
STYLES = ("base", "stage", "outline", "panel", "link", "scores")
MOST_COLOURS = 40
"""Classes beyond these take the colours from the beginning again."""
_IMPORT = re.compile(r'^import \{[^}]*\} from "\./(\w+)\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?!default )", re.MULTILINE)


@cache
def script() -> str:
    """All modules as one script, each after those that it imports, without imports and export marks."""
    texts = [(FOLDER / f"{name}.js").read_text("utf-8") for name in modules()]
    return "// the tree view\n" + "\n".join(_EXPORT.sub("", _IMPORT.sub("", text)) for text in texts)


@cache
def door() -> str:
    """The script that views and carriers are sent with."""
    return "// the door\n" + (FOLDER / "door.js").read_text("utf-8")


def modules(name: str = ENTRY, met: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The names of the modules, each after those that it imports.

    >>> modules("camera")[-1]
    'camera'
    """
    for needed in _IMPORT.findall((FOLDER / f"{name}.js").read_text("utf-8")):
        if needed not in met:
            met = modules(needed, met)
    return (*met, name)


@cache
def style() -> str:
    """All style sheets as one."""
    return "/* the tree view */\n" + "\n".join((FOLDER / f"{name}.css").read_text("utf-8") for name in STYLES)


def look(n_classes: int, palette: str) -> dict[str, Mapping[str, Any]]:
    """The colours of the classes in both themes: the view takes those that suit the page it stands on.

    >>> sorted(look(2, "safe")), len(look(2, "safe")["dark"]["classes"])
    (['dark', 'light'], 2)
    """
    found: dict[str, Mapping[str, Any]] = {}
    for name in ("light", "dark"):
        ground = theme(name)
        found[name] = {
            "classes": class_colours(min(max(n_classes, 2), MOST_COLOURS), name, palette),
            "means": list(mean_ends(name, palette)),
            "quiet": ground.quiet,
            "accent": ground.accent,
        }
    return found
