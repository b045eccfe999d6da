"""Slides of a tree: the tree, its scores, its confusion matrix and its rules."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

import numpy as np

from explorer.drawing.svg.svg import drawable_depth
from explorer.evaluation.evaluation import evaluate
from explorer.explaining.rules import rules
from explorer.export.needed import refuse_without
from explorer.export.office.printed import png_with_size
from explorer.export.report.provenance import Provenance
from explorer.export.report.sections import in_short, scores, title
from explorer.formatting import number, percent, shortened, visible
from explorer.messages import message
from explorer.tree.tree import Tree

_WIDE, _TALL, _MARGIN, _TOP = 13.333, 7.5, 0.5, 1.25
"""A slide of 16:9, its margin, and where it begins below its title, in inches."""
_MOST_NODES = 15
"""Nodes of a tree whose texts can be read on a slide."""
_LINES, _MOST_RULES = 10, 40
"""Lines of a table on one slide, and rules on all slides."""
_LETTERS, _MOST_CLASSES = 110, 10


def to_pptx(provenance: Provenance, palette: str = "safe") -> bytes:
    """The tree as slides of PowerPoint (16:9): title, tree, scores, confusion matrix, rules.

    Of a tree with more than 40 nodes the picture shows the upper levels, of more than 40 rules those with the most rows
    are shown; both slides say so. Raises InputError without the packages python-pptx and typst, with the command that
    installs them.
    """
    refuse_without("PPTX")
    from pptx import Presentation  # is optional
    from pptx.util import Inches

    deck = Presentation()
    deck.slide_width, deck.slide_height = Inches(_WIDE), Inches(_TALL)
    first = _slide(deck, title(provenance), layout=0)
    first.placeholders[1].text = visible(in_short(provenance))
    _place(first.placeholders[1], _MARGIN, 4.0, _WIDE - 2 * _MARGIN, 1.5)
    _add_tree(deck, provenance.tree, palette)
    grid = scores(provenance)
    _add_table(deck, message("Scores"), grid.head, grid.rows)
    _add_confusion(deck, provenance)
    _add_rules(deck, provenance.tree)
    made = io.BytesIO()
    deck.save(made)
    return made.getvalue()


def _slide(deck: Any, heading: str, layout: int = 5) -> Any:
    """A new slide with its title; layout 0 is that of a first slide, 5 has a title alone."""
    slide = deck.slides.add_slide(deck.slide_layouts[layout])
    slide.shapes.title.text = visible(heading)
    top, tall = (2.2, 1.6) if layout == 0 else (0.3, 0.8)
    _place(slide.shapes.title, _MARGIN, top, _WIDE - 2 * _MARGIN, tall)
    _letters(slide.shapes.title.text_frame, 40 if layout == 0 else 28, bold=True)
    return slide


def _place(shape: Any, left: float, top: float, wide: float, tall: float) -> None:
    from pptx.util import Inches

    shape.left, shape.top, shape.width, shape.height = Inches(left), Inches(top), Inches(wide), Inches(tall)


def _letters(frame: Any, points: float, bold: bool = False) -> None:
    from pptx.util import Pt

    for paragraph in frame.paragraphs:
        paragraph.font.size, paragraph.font.bold = Pt(points), bold


def readable_depth(tree: Tree) -> int:
    """The largest depth at which a picture has no more nodes than can be read on a slide; at least 1."""
    nodes = np.cumsum(np.bincount(tree.depth[tree.is_kept]))
    return max(1, int(np.searchsorted(nodes, _MOST_NODES, side="right")) - 1)


def _add_tree(deck: Any, tree: Tree, palette: str) -> None:
    """The tree, as large as its slide allows: as much as can be read, then the whole."""
    depth = readable_depth(tree)
    if depth < tree.max_depth:
        _add_picture(deck, message("The tree down to depth {depth}", depth=depth), tree, palette, depth)
    whole = drawable_depth(tree)
    if whole >= tree.max_depth:
        _add_picture(deck, message("The tree"), tree, palette, None)


def _add_picture(deck: Any, heading: str, tree: Tree, palette: str, max_depth: int | None) -> None:
    from pptx.util import Inches

    slide = _slide(deck, heading)
    picture, wide, tall = png_with_size(tree, palette, max_depth)
    room_wide, room_tall = _WIDE - 2 * _MARGIN, _TALL - _TOP - _MARGIN
    scale = min(room_wide / wide, room_tall / tall)
    wide, tall = scale * wide, scale * tall
    left, top = (_WIDE - wide) / 2, _TOP + (room_tall - tall) / 2
    shape = slide.shapes.add_picture(io.BytesIO(picture), *map(Inches, (left, top, wide, tall)))
    shape.name = heading


def _add_table(deck: Any, heading: str, head: Sequence[str], lines: Sequence[Sequence[str]]) -> None:
    """A table, on as many slides as it needs."""
    from pptx.util import Inches

    for begin in range(0, max(len(lines), 1), _LINES):
        shown = [head, *lines[begin : begin + _LINES]]
        slide = _slide(deck, heading)
        size = Inches(_MARGIN), Inches(_TOP), Inches(_WIDE - 2 * _MARGIN), Inches(0.45 * len(shown))
        table = slide.shapes.add_table(len(shown), len(head), *size).table
        _widen(table, shown)
        for i, line in enumerate(shown):
            for j, text in enumerate(line):
                cell = table.cell(i, j)
                cell.text = shortened(visible(text), _LETTERS)
                _letters(cell.text_frame, 14 if len(head) <= 6 else 11, bold=i == 0)


def _widen(table: Any, lines: Sequence[Sequence[str]]) -> None:
    """Columns as wide as their texts are long."""
    from pptx.util import Inches

    letters = [min(max(len(line[j]) for line in lines), 70) + 4 for j in range(len(lines[0]))]
    for column, count in zip(table.columns, letters, strict=True):
        column.width = Inches((_WIDE - 2 * _MARGIN) * count / sum(letters))


def _add_confusion(deck: Any, provenance: Provenance) -> None:
    """The matrix on the validation rows, or on the training rows where there are no others."""
    if provenance.tree.is_regression:
        return
    found = evaluate(provenance.tree, list(provenance.scored_sets.values())[-1])
    if len(found.labels) > _MOST_CLASSES:
        return
    is_held_out = len(provenance.scored_sets) > 1
    heading = message("Confusion matrix, validation set") if is_held_out else message("Confusion matrix, training set")
    head = [message("class"), *(message("predicted {name}", name=name) for name in found.labels)]
    lines = [
        [str(name), *(number(float(weight)) for weight in row)]
        for name, row in zip(found.labels, found.confusion, strict=True)
    ]
    _add_table(deck, heading, head, lines)


def _add_rules(deck: Any, tree: Tree) -> None:
    found = sorted(rules(tree), key=lambda rule: -rule.weight)
    shown = found[:_MOST_RULES]
    heading = message("Rules")
    if len(shown) < len(found):
        heading = message("The {n} rules with the most rows, of {all:,}", n=len(shown), all=len(found))
    head = [message("rule"), message("prediction"), tree.amount_name, message("share")]
    if tree.is_regression:
        del head[-1]
    lines = []
    for rule in shown:
        prediction = number(float(rule.prediction)) if tree.is_regression else str(rule.prediction)
        share = [] if rule.confidence is None else [percent(rule.confidence)]
        lines.append([rule.words, prediction, number(rule.weight), *share])
    _add_table(deck, heading, head, lines)
