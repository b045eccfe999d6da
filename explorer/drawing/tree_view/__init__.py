"""The interactive tree: plain JavaScript, one ES module per concern, and its style sheets.

A page of the app and a page that stands alone take script and style as one text each, so the
modules are joined here; tests import them one by one. The head of `view.js` describes the data of a view; the bytes of
trees and sequences come from `payload.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from explorer.drawing.joined_modules import ViewFiles
from explorer.drawing.palette import class_colours, mean_ends, theme

FOLDER = Path(__file__).parent
_STYLES = ("base", "toolbar", "stage", "outline", "panel", "weakest_link", "score_curve", "presenter", "bare")
FILES = ViewFiles(
    FOLDER / "view.js", tuple(FOLDER / "styles" / f"{name}.css" for name in _STYLES), "decisionTreeLoader"
)
MOST_COLOURS = 40
"""With more classes, the colours repeat from the first."""


def colour_themes(n_classes: int, palette: str) -> dict[str, Mapping[str, Any]]:
    """The colours of the classes in the light and the dark theme; the view takes those that suit its page.

    >>> sorted(colour_themes(2, "safe")), len(colour_themes(2, "safe")["dark"]["classes"])
    (['dark', 'light'], 2)
    """
    themes: dict[str, Mapping[str, Any]] = {}
    for name in ("light", "dark"):
        ground = theme(name)
        themes[name] = {
            "classes": class_colours(min(max(n_classes, 2), MOST_COLOURS), name, palette),
            "means": list(mean_ends(name, palette)),
            "quiet": ground.quiet,
            "accent": ground.accent,
        }
    return themes
