"""Small pictures of lessons that move from one state to the next: curves, bars, bags of balls, tables.

A picture is a record (`picture.py` and the modules beside it); `view.js` draws it in the browser, by its kind.
"""

from __future__ import annotations

from pathlib import Path

from explorer.drawing import tree_view
from explorer.drawing.joined_modules import ViewFiles

FOLDER = Path(__file__).parent
_STYLES = (tree_view.FOLDER / "styles" / "base.css", *sorted((FOLDER / "styles").glob("*.css")))
FILES = ViewFiles(FOLDER / "view.js", _STYLES, "pictureLoader")
