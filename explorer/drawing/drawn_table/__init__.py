"""A table that one draws: points of two features that are moved by hand, while the package grows their tree.

`points.py` holds the table, `grown.py` its tree, `tipping.py` what a move changed, `answer.py` all of it as plain
numbers and texts; `view.js` shows them and moves the points.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from explorer.drawing import joined_modules, tree_view

FOLDER = Path(__file__).parent


@cache
def script() -> str:
    """All modules as one script, each after those that it imports."""
    return "// the table that one draws\n" + joined_modules.joined(FOLDER / "view.js")


@cache
def loader() -> str:
    """The script that Streamlit sends with the view: the tree view's, with its own library."""
    return tree_view.loader().replace("decisionTreeLoader", "drawnTableLoader")


@cache
def style() -> str:
    """All style sheets as one."""
    base = (tree_view.FOLDER / "styles" / "base.css").read_text("utf-8")
    own = [file.read_text("utf-8") for file in sorted((FOLDER / "styles").glob("*.css"))]
    return "/* the table that one draws */\n" + "\n".join([base, *own])


@cache
def templates() -> tuple[str, ...]:
    """The English templates of all texts that the view shows."""
    return joined_modules.templates_of(script())


def translations() -> dict[str, str]:
    """These templates in the language in force, by the English ones; empty for English."""
    return joined_modules.translated(templates())
