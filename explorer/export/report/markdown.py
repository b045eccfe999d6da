"""A report as Markdown; texts from a table are escaped and stay plain text."""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence

from explorer.export.report.blocks import Block, Grid, Listing, Paragraph, Picture, Points, Section
from explorer.formatting import visible

_MARKS = re.compile(r"([\\`*_\[\]<>|~$&^@#!])")
_LINKS = re.compile(r":(?=\S)|(?<=www)\.", re.IGNORECASE)
_BEGINNING = re.compile(r"^(\d+(?=[.)](\s|$))|(?=[-+](-|\s|$)))")
_RUN = re.compile(r"`+")


def markdown(title: str, sections: Sequence[Section]) -> str:
    """The document, one blank line between its blocks."""
    parts = [f"# {escaped(title)}"]
    for section in sections:
        parts += [f"## {escaped(section.title)}"] if section.title else []
        parts += map(_written, section.blocks)
    return "\n\n".join(parts) + "\n"


def escaped(text: str) -> str:
    r"""Text escaped so that Markdown shows it unchanged: no mark, link, heading, list or HTML begins in it.

    >>> print(escaped("*a* <b>"), escaped("1. no list"), escaped("http://x.y"), escaped("- no point"), escaped("-0.5"))
    \*a\* \<b\> 1\. no list http\://x.y \- no point -0.5
    """
    safe = _LINKS.sub(lambda match: "\\" + match[0], _MARKS.sub(r"\\\1", visible(text)))
    return _BEGINNING.sub(lambda match: match[0] + "\\", safe)


def _written(block: Block) -> str:
    match block:
        case Paragraph(text):
            return escaped(text)
        case Points(texts):
            return "\n".join(f"- {escaped(text)}" for text in texts)
        case Grid(head, rows):
            return "\n".join([_line(head), f"|{' --- |' * len(head)}", *map(_line, rows)])
        case Listing(text, language):
            fence = "`" * max(3, 1 + max(map(len, _RUN.findall(text)), default=0))
            return f"{fence}{language}\n{text.rstrip()}\n{fence}"
        case Picture(svg, caption):
            return f"![{escaped(caption)}](data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode('ascii')})"


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(map(escaped, cells))} |"
