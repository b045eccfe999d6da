"""Small pictures of lessons that move from one state to the next: curves, bars, bags of balls, tables.

A picture is a record (`picture.py` and the modules beside it); `view.js` draws it in the browser, by its kind.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from explorer.drawing import joined_modules, tree_view

FOLDER = Path(__file__).parent
ENTRY = FOLDER / "view.js"


@cache
def script() -> str:
    """All modules as one script, each with names of its own, after those that it imports."""
    return "// pictures of lessons\n" + joined_modules.joined(ENTRY)


@cache
def loader() -> str:
    """The script that Streamlit sends with every picture: the tree view's, with its own library."""
    return tree_view.loader().replace("decisionTreeLoader", "pictureLoader")


@cache
def style() -> str:
    """All style sheets as one."""
    base = (tree_view.FOLDER / "styles" / "base.css").read_text("utf-8")
    own = [file.read_text("utf-8") for file in sorted((FOLDER / "styles").glob("*.css"))]
    return "/* pictures of lessons */\n" + "\n".join([base, *own])


@cache
def templates() -> tuple[str, ...]:
    """The English templates of all texts that the pictures show."""
    return joined_modules.templates_of(script())


def translations() -> dict[str, str]:
    """These templates in the language in force, by the English ones; empty for English."""
    return joined_modules.translated(templates())
