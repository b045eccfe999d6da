"""The whole tree on one page, as PDF, and as a PNG picture: the SVG picture, set by the package typst."""

from __future__ import annotations

import re

from explorer.drawing.svg.svg import in_theme
from explorer.export.needed import refuse_without
from explorer.formatting import visible
from explorer.tree.tree import Tree

_SOURCE = """#set page(width: auto, height: auto, margin: 0pt)
#set document(title: sys.inputs.title)
#image(bytes(sys.inputs.picture), format: "svg", width: float(sys.inputs.width) * 1pt, alt: sys.inputs.title)
"""
_SIZE = re.compile(r'^<svg [^>]*?width="([\d.]+)" height="([\d.]+)"')
_POINTS = 0.75
"""Points of a pixel of the picture."""
_LONGEST = 14_400.0
"""Points that a side of a page may have in PDF."""
_SHARP, _MOST_PIXELS = 192.0, 8_000.0
"""Pixels an inch of a small picture, and along the longer side of a large one."""


def to_pdf(tree: Tree, palette: str = "safe", max_depth: int | None = None) -> bytes:
    """The tree as a PDF of one page, as large as the tree: vectors, and texts that can be searched.

    `max_depth` leaves lower nodes out. Raises InputError for too many nodes to draw (see `to_svg`), and without the
    package typst, with the command that installs it.
    """
    refuse_without("PDF")
    return _set(tree, palette, max_depth, "pdf")[0]


def to_png(tree: Tree, palette: str = "safe", max_depth: int | None = None) -> bytes:
    """The tree as a PNG picture, on white: 192 pixels an inch, fewer where a side would have more than 8,000 pixels.

    The same as in `to_pdf` holds for `max_depth` and errors.
    """
    refuse_without("PNG")
    return _set(tree, palette, max_depth, "png")[0]


def png_with_size(tree: Tree, palette: str, max_depth: int | None) -> tuple[bytes, float, float]:
    """The picture with its width and height in points."""
    return _set(tree, palette, max_depth, "png")


def _set(tree: Tree, palette: str, max_depth: int | None, form: str) -> tuple[bytes, float, float]:
    import typst  # is optional

    picture = in_theme(tree, palette, "light", max_depth)
    wide, tall = (_POINTS * float(side) for side in _SIZE.findall(picture)[0])
    scale = min(1.0, _LONGEST / max(wide, tall))
    inputs = {"picture": picture, "width": repr(scale * wide), "title": visible(tree.target)}
    if form == "pdf":
        return typst.compile(_SOURCE.encode(), format="pdf", sys_inputs=inputs), scale * wide, scale * tall
    sharp = min(_SHARP, 72.0 * _MOST_PIXELS / (scale * max(wide, tall)))
    made = typst.compile(_SOURCE.encode(), format="png", ppi=sharp, sys_inputs=inputs)
    return made, scale * wide, scale * tall
