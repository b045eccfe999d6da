"""A table that one draws: points of two features that are moved by hand, while the package grows their tree.

`points.py` holds the table, `grown.py` its tree, `tipping.py` what a move changed, `answer.py` all of it as plain
numbers and texts; `view.js` shows them and moves the points.
"""

from __future__ import annotations

from pathlib import Path

from explorer.drawing import tree_view
from explorer.drawing.joined_modules import ViewFiles

FOLDER = Path(__file__).parent
_STYLES = (tree_view.FOLDER / "styles" / "base.css", *sorted((FOLDER / "styles").glob("*.css")))
FILES = ViewFiles(FOLDER / "view.js", _STYLES, "drawnTableLoader")
