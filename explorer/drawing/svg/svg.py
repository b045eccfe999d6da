"""A tree as a self-contained SVG picture, for print and slides: no script, no style sheet, nothing fetched.

All texts pass `escaped`, and boxes are as wide as their texts may get, so nothing overlaps and nothing in a name is
ever interpreted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from explorer.drawing.class_shapes import short
from explorer.drawing.html_document import escaped
from explorer.drawing.palette import LIGHT, class_colours, mean_ends, text_on, theme
from explorer.drawing.svg.node_box import BOLD, QUIET, RADIUS, Boxes, sign, text
from explorer.drawing.svg.node_text import GAP, SIGN, SMALL, TEXT, TITLE, NodeText, NodeTexts
from explorer.drawing.svg.placement import PlacedBox, placed_boxes
from explorer.drawing.svg.text_width import fitted, width
from explorer.errors import InputError
from explorer.formatting import leaves, number
from explorer.messages import current_catalogue, message
from explorer.tree.tree import Tree
from explorer.tree.truncation import expanded, nodes_below, refuse_hidden

FONTS = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'Noto Sans', Arial, 'DejaVu Sans', sans-serif"
_MARGIN, _LINE = 20.0, 24.0
_LEGEND_WIDTH, _LEGEND_CLASSES, _LEGEND_NAME = 460.0, 24, 230.0
_THINNEST, _THICKEST = 1.2, 9.0
MOST_SHOWN = 500
"""Up to this many nodes, a notebook shows a tree as a picture: larger ones are unreadable and make notebooks slow."""
MOST_NODES = 20_000
"""A picture of more nodes is too large for browsers and programs that draw."""
_COLOUR = re.compile(r"#[0-9A-Fa-f]{6}")


def to_svg(
    tree: Tree,
    colours: Sequence[str] | None = None,
    text_colours: Sequence[str] | None = None,
    foreground: str = LIGHT.text,
    background: str | None = None,
    highlight: int | None = None,
    show_ids: bool = False,
    direction: str = "TB",
    max_depth: int | None = None,
) -> str:
    """The tree as an SVG document: tests, class shares (or mean ± spread), predictions, rows.

    Colours are written "#RRGGBB". `colours` and `text_colours` are in class order; a regression tree takes the colours
    of its least and its largest mean. The default is the light theme. Branches are as thick as their
    share of the rows. `highlight` outlines a node and marks its path from the root; `direction` is "TB" (top to bottom)
    or "LR". `max_depth` leaves lower nodes out and counts them; the path to `highlight` is always shown. Raises
    InputError for a node that is pruned away, for colours of another form or too few, for another direction, and for
    more than `MOST_NODES` nodes (20,000, about 20 MB) to draw.

    >>> from explorer import ID3, Dataset, grow
    >>> from explorer.data.samples import load_sample
    >>> picture = to_svg(grow(Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis"), ID3))
    >>> picture[:38], picture.count("<rect data-node=")
    ('<svg xmlns="http://www.w3.org/2000/svg', 8)
    """
    refuse_hidden(tree, highlight)
    fills = list(colours or _own_colours(tree))
    inks = list(text_colours or ())
    _check(tree, fills, inks, [foreground, background or foreground], direction)
    drawn = _cut(tree, max_depth, highlight)
    _refuse_too_many(tree, drawn)
    hidden = np.where(drawn.is_leaf, nodes_below(tree), 0)
    node_texts = NodeTexts(drawn, show_ids, hidden)
    boxes = Boxes(node_texts, fills, inks or [text_on(colour) for colour in fills], foreground)
    return "".join(_Painter(drawn, boxes, background, highlight, direction, _size(tree)).document())


def _cut(tree: Tree, max_depth: int | None, highlight: int | None) -> Tree:
    """The tree without the nodes below a depth, except for the path to a node."""
    if max_depth is None:
        return tree
    shown = np.zeros(tree.n_nodes_grown, dtype=bool)
    shown[list(expanded(tree, None, max_depth, highlight))] = True
    return tree.with_pruned(tree.is_pruned | ~shown)


def _refuse_too_many(tree: Tree, drawn: Tree) -> None:
    if drawn.n_nodes > MOST_NODES:
        raise InputError(
            message(
                "The picture would have {nodes:,} nodes, more than {most:,}. Draw the top of the tree "
                "(max_depth={depth}), prune the tree, or use the web page.",
                nodes=drawn.n_nodes,
                most=MOST_NODES,
                depth=drawable_depth(tree),
            )
        )


def drawable_depth(tree: Tree) -> int:
    """The largest depth to which a picture can show the tree: at most `MOST_NODES` nodes.

    >>> from explorer import ID3, Dataset, grow
    >>> from explorer.data.samples import load_sample
    >>> drawable_depth(grow(Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis"), ID3))
    2
    """
    nodes = np.cumsum(np.bincount(tree.depth[tree.is_kept]))
    return int(np.searchsorted(nodes, MOST_NODES, side="right")) - 1


def _size(tree: Tree) -> str:
    return message(
        "{leaves}, depth {depth}, {rows}",
        leaves=leaves(tree.n_leaves),
        depth=tree.max_depth,
        rows=tree.rows_text(float(tree.weight[0])),
    )


def in_theme(tree: Tree, palette: str = "safe", name: str = "light", max_depth: int | None = None) -> str:
    """The picture on the background of a theme, "light" or "dark", in the colours of a palette."""
    ground = theme(name)
    colours = list(mean_ends(name, palette)) if tree.is_regression else class_colours(len(tree.classes), name, palette)
    return to_svg(tree, colours, foreground=ground.text, background=ground.background, max_depth=max_depth)


def picture_of(tree: Tree) -> str | None:
    """The picture that a notebook shows in the light theme, on white; None beyond `MOST_SHOWN` nodes."""
    return to_svg(tree, background="#FFFFFF") if tree.n_nodes <= MOST_SHOWN else None


def _own_colours(tree: Tree) -> list[str]:
    return list(mean_ends()) if tree.is_regression else class_colours(len(tree.classes))


def _check(tree: Tree, fills: list[str], inks: list[str], others: list[str], direction: str) -> None:
    """InputError for colours of another form or too few, and for an unknown direction."""
    wrong = [colour for colour in (*fills, *inks, *others) if not _COLOUR.fullmatch(colour)]
    if wrong:
        raise InputError(
            message(
                "{colour!r} is not a colour of the form #RRGGBB. Write it with six hexadecimal digits.", colour=wrong[0]
            )
        )
    needed = 2 if tree.is_regression else len(tree.classes)
    if len(fills) < needed or (inks and not tree.is_regression and len(inks) < needed):
        raise InputError(message("The tree needs {n} colours. Give that many.", n=needed))
    if direction not in ("TB", "LR"):
        raise InputError(message("{direction!r} is not a direction. Use 'TB' or 'LR'.", direction=direction))


@dataclass(frozen=True, eq=False)
class _Painter:
    """Puts the boxes, the branches and the legend together."""

    tree: Tree
    boxes: Boxes
    background: str | None
    highlight: int | None
    direction: str
    size: str
    """Leaves, depth and rows of the whole tree."""

    @cached_property
    def thickness(self) -> NDArray[np.float64]:
        """How thick the branch into each node is drawn, [n_grown]."""
        weight = self.tree.weight
        return np.maximum(_THINNEST, _THICKEST * weight / (weight[0] if weight[0] > 0 else 1.0))

    @cached_property
    def path_nodes(self) -> set[int]:
        """The nodes from the root to the highlighted one."""
        if self.highlight is None:
            return set()
        return {node for node, _ in self.tree.path_to(self.highlight)} | {self.highlight}

    def document(self) -> Iterator[str]:
        """The whole document, piece by piece."""
        node_texts = self.boxes.node_texts.by_node()
        boxes, tree_width, tree_height = placed_boxes(self.tree, node_texts, self.direction, self.thickness)
        legend, legend_width, legend_height = self.legend(tree_width)
        wide = max(tree_width, legend_width) + 2 * _MARGIN
        tall = legend_height + tree_height + 2 * _MARGIN
        yield self.opening(wide, tall)
        yield from legend
        yield f'\n<g transform="translate({short((wide - tree_width) / 2)} {short(_MARGIN + legend_height)})">\n'
        yield f'<g fill="none" stroke="{self.boxes.foreground}" stroke-opacity="0.3">\n'
        yield from (self.branch(node, box) for node, box in boxes.items() if node)
        yield "</g>\n"
        yield from (self.node(node, node_texts[node], box) for node, box in boxes.items())
        yield "</g>\n</svg>\n"

    def opening(self, wide: float, tall: float) -> str:
        """The root element's start, title and description for screen readers, and the background."""
        title = message("Decision tree for {target}", target=self.tree.target)
        ground = "" if self.background is None else f'<rect width="100%" height="100%" fill="{self.background}"/>\n'
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{short(wide)}" height="{short(tall)}" '
            f'viewBox="0 0 {short(wide)} {short(tall)}" role="img" xml:space="preserve" '
            f'lang="{current_catalogue().language}" '
            f'font-family="{escaped(FONTS)}" font-size="{short(TEXT)}" fill="{self.boxes.foreground}">\n'
            f"<title>{escaped(title)}</title>\n<desc>{escaped(self.size)}</desc>\n{ground}"
        )

    def legend(self, room: float) -> tuple[list[str], float, float]:
        """The target's name and what colours or whiskers mean, in lines over the tree; with width and height."""
        title = fitted(self.tree.target, 2 * _LEGEND_NAME, TITLE, bold=True)
        base = _MARGIN + TITLE
        parts = [text(_MARGIN, base, title, TITLE, BOLD)]
        x = widest = width(title, TITLE, bold=True)
        for code, name in self.legend_entries():
            indent = 0.0 if code is None else SIGN
            needed = indent + width(name, TEXT)
            x += 1.2 * GAP
            if x + needed > max(room, _LEGEND_WIDTH):
                x, base = 0.0, base + _LINE
            if code is not None:
                parts.append(sign(code, _MARGIN + x, base, self.boxes.fills[code]))
            parts.append(text(_MARGIN + x + indent, base, name, TEXT, QUIET))
            x += needed
            widest = max(widest, x)
        return parts, widest, base - _MARGIN + _LINE

    def legend_entries(self) -> list[tuple[int | None, str]]:
        """The classes present, by code; those beyond a few are counted; for regression the scale of the whiskers."""
        if self.tree.is_regression:
            low, high = (number(end, 4) for end in self.boxes.node_texts.span)
            if not self.tree.has_deviations:
                return [(None, message("prediction, scale from {low} to {high}", low=low, high=high))]
            return [(None, message("mean ± standard deviation, scale from {low} to {high}", low=low, high=high))]
        present = np.flatnonzero(self.tree.stats[0] > 0).tolist()
        shown = present[:_LEGEND_CLASSES]
        named: list[tuple[int | None, str]] = [
            (k, fitted(str(self.tree.classes[k]), _LEGEND_NAME, TEXT)) for k in shown
        ]
        more = len(present) - len(shown)
        return [*named, (None, message("and {n} more", n=more))] if more else named

    def branch(self, node: int, box: PlacedBox) -> str:
        """The curve into a node, as thick as its share of the rows."""
        strong = ' stroke-opacity="0.85"' if node in self.path_nodes else ""
        return f'<path d="{box.curve}" stroke-width="{short(self.thickness[node])}"{strong}/>\n'

    def node(self, node: int, texts: NodeText, placed: PlacedBox) -> str:
        """The box of a node with its content and its branch text; the uncut texts are the tooltip."""
        whole = "\n".join(map(escaped, texts.whole))
        size = (
            f'x="{short(placed.x)}" y="{short(placed.y)}" width="{short(placed.width)}" '
            f'height="{short(placed.height)}" rx="{short(RADIUS)}" stroke="{self.boxes.foreground}"'
        )
        box = f'<rect data-node="{node}" {size} fill-opacity="0.04" stroke-opacity="0.4"/>'
        inside = self.boxes.leaf(node, texts, placed) if texts.is_leaf else self.boxes.inner(node, texts, placed)
        outline = f'<rect {size} fill="none" stroke-width="3"/>' if node == self.highlight else ""
        branch = (
            text(placed.text_x, placed.text_y, texts.branch, SMALL, ' text-anchor="middle"') if texts.branch else ""
        )
        return f"<g><title>{whole}</title>{box}{inside}{outline}{branch}</g>\n"
