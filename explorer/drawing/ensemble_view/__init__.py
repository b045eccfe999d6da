"""The interactive picture of an ensemble: one stage slider moves fit, scores, rows and members, in the browser alone.

Plain JavaScript and a style sheet of its own; slider and mounting are those of `tree_view`, and the modules of `charts`
draw the axes. `records.py` says what a picture is, `payload.py` packs it, the head of `view.js` describes the data of a
view.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from explorer.drawing import tree_view
from explorer.drawing.joined_modules import ViewFiles
from explorer.drawing.palette import root_colours

FOLDER = Path(__file__).parent
_SHARED = tuple(tree_view.FOLDER / "styles" / f"{name}.css" for name in ("base", "panel", "score_curve"))
FILES = ViewFiles(FOLDER / "view.js", (*_SHARED, FOLDER / "styles" / "ensemble.css"), "ensembleViewLoader")
_CHART_COLOURS: Mapping[str, Mapping[str, str]] = {
    "light": {"up": "#4F46B8", "down": "#B07A00", "bad": "#C2185B", "next": "#B8520A", "residual": "#0F7A86"},
    "dark": {"up": "#A9A1FF", "down": "#E8C547", "bad": "#FF6FA3", "next": "#FFA24F", "residual": "#6FD3DC"},
}
"""What goes up and down, what is misclassified, the next tree, and what is left to explain."""


def colour_themes(n_classes: int, palette: str) -> dict[str, Mapping[str, Any]]:
    """The colours of classes, of the features of the roots, and of charts, in the light and the dark theme.

    >>> sorted(colour_themes(2, "safe")["light"])
    ['accent', 'bad', 'classes', 'down', 'means', 'next', 'quiet', 'residual', 'roots', 'up']
    """
    return {
        name: {**colours, **_CHART_COLOURS[name], "roots": root_colours(name)}
        for name, colours in tree_view.colour_themes(n_classes, palette).items()
    }
