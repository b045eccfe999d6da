"""The interactive tree: plain JavaScript, one ES module per concern, and its style sheets.

A page of the app and a page that stands alone take script and style as one text each, so the
modules are joined here; tests import them one by one. The head of `view.js` describes the data of a view; the bytes of
trees and sequences come from `payload.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from explorer.drawing import joined_modules
from explorer.drawing.palette import class_colours, mean_ends, theme

FOLDER = Path(__file__).parent
ENTRY = "view"
STYLES = ("base", "toolbar", "stage", "outline", "panel", "weakest_link", "score_curve", "presenter", "bare")
MOST_COLOURS = 40
"""With more classes, the colours repeat from the first."""


@cache
def script() -> str:
    """All modules as one script, each after those that it imports, without imports and export marks."""
    return "// the tree view\n" + joined_modules.joined(FOLDER / f"{ENTRY}.js")


@cache
def loader() -> str:
    """The script that Streamlit sends with every view and data component."""
    return "// the loader\n" + (FOLDER / "loader.js").read_text("utf-8")


@cache
def style() -> str:
    """All style sheets as one."""
    return "/* the tree view */\n" + "\n".join(
        (FOLDER / "styles" / f"{name}.css").read_text("utf-8") for name in STYLES
    )


@cache
def templates() -> tuple[str, ...]:
    """The English templates of all texts that the view shows, as its modules have them."""
    return joined_modules.templates_of(script())


def translations() -> dict[str, str]:
    """The view's templates in the language in force, by the English ones; empty for English."""
    return joined_modules.translated(templates())


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
