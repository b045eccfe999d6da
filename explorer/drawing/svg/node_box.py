"""The inside of a node's box as SVG elements: test, class bar or whisker, prediction with its shape, rows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from explorer.drawing.class_shapes import shape_path, short
from explorer.drawing.html_document import escaped
from explorer.drawing.palette import mix, text_on
from explorer.drawing.svg.node_text import BAND, BAR, PAD, SIGN, SMALL, TEXT, NodeText, NodeTexts
from explorer.drawing.svg.placement import PlacedBox

RADIUS = 8.0
BOLD, END, QUIET = ' font-weight="600"', ' text-anchor="end"', ' fill-opacity="0.75"'


def text(x: float, y: float, content: str, size: float, style: str = "") -> str:
    """A line of text whose baseline begins (or ends, or has its middle) at a point; `style` adds attributes."""
    sized = "" if size == TEXT else f' font-size="{short(size)}"'
    return f'<text x="{short(x)}" y="{short(y)}"{sized}{style}>{escaped(content)}</text>'


def sign(class_code: int, x: float, base: float, colour: str) -> str:
    """A class's shape at the left end of a line of text with this baseline."""
    return f'<path d="{shape_path(class_code, x + 5.5, base - 4.5, 5.5)}" fill="{colour}"/>'


@dataclass(frozen=True, eq=False)
class Boxes:
    """Paints the boxes of one tree; `fills` and `inks` are colours in class order, or of the least and largest mean."""

    node_texts: NodeTexts
    fills: list[str]
    inks: list[str]
    foreground: str

    @cached_property
    def range(self) -> tuple[float, float]:
        """The least and the largest mean of the kept nodes."""
        shown = self.node_texts.values[self.node_texts.tree.is_kept]
        return float(shown.min()), float(shown.max())

    def code(self, node: int) -> int:
        """The code of the class that a node predicts."""
        return int(self.node_texts.tree.labels[node])

    def fill(self, node: int) -> str:
        """The colour of a node's prediction."""
        if not self.node_texts.tree.is_regression:
            return self.fills[self.code(node)]
        least, largest = self.range
        return mix(
            self.fills[0], self.fills[-1], (float(self.node_texts.values[node]) - least) / ((largest - least) or 1.0)
        )

    def ink(self, node: int) -> str:
        """The colour of text on the colour of a node's prediction."""
        return text_on(self.fill(node)) if self.node_texts.tree.is_regression else self.inks[self.code(node)]

    def inner(self, node: int, node_text: NodeText, box: PlacedBox) -> str:
        """The box of a split node: test, bar, prediction and rows."""
        left, right, base = box.x + PAD, box.x + box.width - PAD, box.y + box.height - 11.0
        return (
            text(left, box.y + 20.0, node_text.heading, TEXT, BOLD)
            + self.bar(node, left, box.y + 31.0, right - left)
            + self.prediction(node, node_text, left, base, self.fill(node))
            + text(right, base, node_text.rows, SMALL, END + QUIET)
        )

    def leaf(self, node: int, node_text: NodeText, box: PlacedBox) -> str:
        """The box of a leaf: bar, and the prediction on a band of its colour."""
        left, right, base = box.x + PAD, box.x + box.width - PAD, box.y + box.height - 8.0
        ink = self.ink(node)
        return (
            self.bar(node, left, box.y + 8.5, right - left)
            + f'<path d="{_band(box)}" fill="{self.fill(node)}"/><g fill="{ink}">'
            + self.prediction(node, node_text, left, base, ink, BOLD)
            + text(right, base, node_text.rows, SMALL, END)
            + "</g>"
        )

    def prediction(self, node: int, node_text: NodeText, x: float, base: float, colour: str, style: str = "") -> str:
        """The prediction after the shape of its class; a mean has no shape."""
        if self.node_texts.tree.is_regression:
            return text(x, base, node_text.prediction, TEXT, style)
        return sign(self.code(node), x, base, colour) + text(x + SIGN, base, node_text.prediction, TEXT, style)

    def bar(self, node: int, x: float, y: float, length: float) -> str:
        """The class shares as one bar; mean and spread on the tree's scale for regression; dashes without rows."""
        if self.node_texts.tree.weight[node] == 0:
            line = f"M{short(x)} {short(y + BAR / 2)}h{short(length)}"
            return f'<path d="{line}" stroke="{self.foreground}" stroke-opacity="0.4" stroke-dasharray="3 3"/>'
        if self.node_texts.tree.is_regression:
            return self.whisker(node, x, y + BAR / 2.0, length)
        lengths = self.node_texts.tree.shares[node] * length
        starts = x + np.cumsum(lengths) - lengths
        seam = 1.0 if np.count_nonzero(lengths) > 1 else 0.0
        return "".join(
            f'<rect x="{short(starts[k])}" y="{short(y)}" width="{short(max(lengths[k] - seam, 0.5))}" '
            f'height="{short(BAR)}" rx="1.5" fill="{self.fills[k]}"/>'
            for k in np.flatnonzero(lengths > 0).tolist()
        )

    def whisker(self, node: int, x: float, y: float, length: float) -> str:
        """A dot at the mean between the ends of mean ± standard deviation, over the scale."""
        low, high = self.node_texts.span
        unit = length / (high - low) if high > low else 0.0
        mean, deviation = float(self.node_texts.values[node]), float(self.node_texts.deviations[node])
        start, centre, end = (x + (value - low) * unit for value in (mean - deviation, mean, mean + deviation))
        ends = "".join(f"M{short(at)} {short(y - 3.5)}v7" for at in (start, end))
        return (
            f'<path d="M{short(x)} {short(y)}h{short(length)}" stroke="{self.foreground}" stroke-opacity="0.25"/>'
            f'<path d="M{short(start)} {short(y)}H{short(end)}{ends}" fill="none" stroke="{self.foreground}" '
            f'stroke-width="1.5"/><circle cx="{short(centre)}" cy="{short(y)}" r="4" fill="{self.fill(node)}" '
            f'stroke="{self.foreground}" stroke-width="1.2"/>'
        )


def _band(box: PlacedBox) -> str:
    """The lower end of a box, with its round corners."""
    x, y, r = box.x, box.y + box.height - BAND, RADIUS
    return (
        f"M{short(x)} {short(y)}h{short(box.width)}v{short(BAND - r)}a{short(r)} {short(r)} 0 0 1 -{short(r)} "
        f"{short(r)}h-{short(box.width - 2 * r)}a{short(r)} {short(r)} 0 0 1 -{short(r)} -{short(r)}Z"
    )
