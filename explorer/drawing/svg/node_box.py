"""The inside of a node's box as SVG elements: test, class bar or whisker, answer with its shape, rows."""

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


def text(x: float, y: float, words: str, size: float, look: str = "") -> str:
    """A line of text whose baseline begins (or ends, or has its middle) at a point."""
    sized = "" if size == TEXT else f' font-size="{short(size)}"'
    return f'<text x="{short(x)}" y="{short(y)}"{sized}{look}>{escaped(words)}</text>'


def sign(class_code: int, x: float, base: float, colour: str) -> str:
    """A class's shape at the left end of a line of text with this baseline."""
    return f'<path d="{shape_path(class_code, x + 5.5, base - 4.5, 5.5)}" fill="{colour}"/>'


@dataclass(frozen=True, eq=False)
class Boxes:
    """Paints the boxes of one tree; `fills` and `inks` are colours in class order, or of the least and largest mean."""

    deck: NodeTexts
    fills: list[str]
    inks: list[str]
    foreground: str

    @cached_property
    def range(self) -> tuple[float, float]:
        """The least and the largest mean of the open nodes."""
        shown = self.deck.values[self.deck.tree.is_kept]
        return float(shown.min()), float(shown.max())

    def code(self, node: int) -> int:
        """The class that a node answers."""
        return int(self.deck.tree.labels[node])

    def fill(self, node: int) -> str:
        """The colour of a node's answer."""
        if not self.deck.tree.is_regression:
            return self.fills[self.code(node)]
        least, largest = self.range
        return mix(self.fills[0], self.fills[-1], (float(self.deck.values[node]) - least) / ((largest - least) or 1.0))

    def ink(self, node: int) -> str:
        """The colour of text on a node's answer."""
        return text_on(self.fill(node)) if self.deck.tree.is_regression else self.inks[self.code(node)]

    def inner(self, node: int, card: NodeText, frame: PlacedBox) -> str:
        """Test, bar, answer so far and rows."""
        left, right, base = frame.x + PAD, frame.x + frame.width - PAD, frame.y + frame.height - 11.0
        return (
            text(left, frame.y + 20.0, card.heading, TEXT, BOLD)
            + self.bar(node, left, frame.y + 31.0, right - left)
            + self.prediction(node, card, left, base, self.fill(node))
            + text(right, base, card.rows, SMALL, END + QUIET)
        )

    def leaf(self, node: int, card: NodeText, frame: PlacedBox) -> str:
        """Bar, and the answer on a band of its colour."""
        left, right, base = frame.x + PAD, frame.x + frame.width - PAD, frame.y + frame.height - 8.0
        ink = self.ink(node)
        return (
            self.bar(node, left, frame.y + 8.5, right - left)
            + f'<path d="{_band(frame)}" fill="{self.fill(node)}"/><g fill="{ink}">'
            + self.prediction(node, card, left, base, ink, BOLD)
            + text(right, base, card.rows, SMALL, END)
            + "</g>"
        )

    def prediction(self, node: int, card: NodeText, x: float, base: float, colour: str, look: str = "") -> str:
        """The answer behind the shape of its class; a mean has no shape."""
        if self.deck.tree.is_regression:
            return text(x, base, card.prediction, TEXT, look)
        return sign(self.code(node), x, base, colour) + text(x + SIGN, base, card.prediction, TEXT, look)

    def bar(self, node: int, x: float, y: float, length: float) -> str:
        """The class shares as one bar; mean and spread on the tree's scale for regression; dashes without rows."""
        if self.deck.tree.weight[node] == 0:
            line = f"M{short(x)} {short(y + BAR / 2)}h{short(length)}"
            return f'<path d="{line}" stroke="{self.foreground}" stroke-opacity="0.4" stroke-dasharray="3 3"/>'
        if self.deck.tree.is_regression:
            return self.whisker(node, x, y + BAR / 2.0, length)
        lengths = self.deck.tree.shares[node] * length
        starts = x + np.cumsum(lengths) - lengths
        seam = 1.0 if np.count_nonzero(lengths) > 1 else 0.0
        return "".join(
            f'<rect x="{short(starts[k])}" y="{short(y)}" width="{short(max(lengths[k] - seam, 0.5))}" '
            f'height="{short(BAR)}" rx="1.5" fill="{self.fills[k]}"/>'
            for k in np.flatnonzero(lengths > 0).tolist()
        )

    def whisker(self, node: int, x: float, y: float, length: float) -> str:
        """A dot at the mean between the ends of mean ± standard deviation, over the scale."""
        low, high = self.deck.span
        unit = length / (high - low) if high > low else 0.0
        mean, away = float(self.deck.values[node]), float(self.deck.deviations[node])
        start, place, end = (x + (value - low) * unit for value in (mean - away, mean, mean + away))
        ends = "".join(f"M{short(at)} {short(y - 3.5)}v7" for at in (start, end))
        return (
            f'<path d="M{short(x)} {short(y)}h{short(length)}" stroke="{self.foreground}" stroke-opacity="0.25"/>'
            f'<path d="M{short(start)} {short(y)}H{short(end)}{ends}" fill="none" stroke="{self.foreground}" '
            f'stroke-width="1.5"/><circle cx="{short(place)}" cy="{short(y)}" r="4" fill="{self.fill(node)}" '
            f'stroke="{self.foreground}" stroke-width="1.2"/>'
        )


def _band(frame: PlacedBox) -> str:
    """The lower end of a box, with its round corners."""
    x, y, r = frame.x, frame.y + frame.height - BAND, RADIUS
    return (
        f"M{short(x)} {short(y)}h{short(frame.width)}v{short(BAND - r)}a{short(r)} {short(r)} 0 0 1 -{short(r)} "
        f"{short(r)}h-{short(frame.width - 2 * r)}a{short(r)} {short(r)} 0 0 1 -{short(r)} -{short(r)}Z"
    )
