"""Losses over the price α of a leaf: of every subtree as a line, and the trees that pruning bottom-up leaves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import sqrt

import numpy as np

import explorer as ex
from explorer.drawing.pictures.chart import Axis, Chart, Mark, Panel, Place, TreePanel, across, dot, line, text
from explorer.drawing.pictures.lesson_tree import lesson_tree
from explorer.formatting import leaves as leaves_text
from explorer.formatting import relation
from explorer.messages import message
from explorer.pruning import FixedAlpha, fixed_alpha_trees
from pages.learn.vocabulary.pruning import exact
from pages.learn.vocabulary.pruning.links import path_of
from pages.learn.vocabulary.words import Here, add, word
from pages.results.lessons import pruning

_MOST_FOR_ALL = 12
"""With more leaves than this, only the lines of the sequence are drawn."""
_STEPS = 100


def _alphas(least: float, most: float, shown: float) -> tuple[list[float], int]:
    """Places of the slider over α, among them the one shown at first, and where that is."""
    found = sorted({*np.linspace(least, most, _STEPS + 1).tolist(), shown})
    return found, found.index(shown)


class _Line:
    """A subtree as a line over α: its risk at 0, its leaves as the slope, and from where on it is the cheapest."""

    def __init__(self, risk: float, leaves: int, pruned: tuple[int, ...], begin: float | None = None) -> None:
        """Keep them."""
        self.risk, self.leaves, self.pruned, self.begin = risk, leaves, pruned, begin

    def loss(self, alpha: float) -> float:
        """R(T) + α·|T|."""
        return self.risk + alpha * self.leaves


def _lines(path: ex.Path, only: tuple[int, ...]) -> list[_Line]:
    """Those of the sequence, or some of them, and with few leaves those of all other subtrees."""
    shown = {position % len(path) for position in only or range(len(path))}
    found = [
        _Line(float(path.risks[at]), int(path.n_leaves[at]), pruning.pruned_nodes(path, at), float(path.alphas[at]))
        for at in sorted(shown)
    ]
    if only or path.n_leaves[0] > _MOST_FOR_ALL:
        return found
    known = {each.pruned for each in found}
    others = pruning.pruned_subtrees(path.tree, path.risk)
    return [*found, *(_Line(each.risk, each.leaves, each.pruned) for each in others if each.pruned not in known)]


@word
def penalties(
    here: Here,
    price: float | None = None,
    only: tuple[int, ...] = (),
    breaks: tuple[float, ...] = (),
    envelope: bool = True,
) -> Chart:
    """The loss of every subtree (with many leaves: of the sequence) as a line over α, which begins at a price.

    `only` has positions in the sequence, `breaks` every α that is written below.
    """
    path = path_of(here)
    most, lines = float(path.alphas[-1]) * 1.25, _lines(path, only)
    begin = sqrt(path.alphas[1] * path.alphas[-1]) if price is None else price
    least = min(each.risk for each in lines)
    highest = max(each.risk for each in lines) + 1.6 * most
    still = [*_line_marks(lines, most, highest), *_break_marks(breaks, least, highest, 0.0, most, 0.42)]
    if envelope and not only:
        still = [_envelope(lines, most), *still]
    alphas, shown = _alphas(0.0, most, begin)
    places = []
    for alpha in alphas:
        best = min(lines, key=lambda each: (round(each.loss(alpha), 9), each.leaves))
        factor, risk, total = f"{alpha:.4f}", f"{best.risk:.3f}", f"{best.loss(alpha):.3f}"
        template = message(
            "α = {alpha}: R(T) + α·|T| = {risk} + {alpha}·{leaves} {sign} {total}",
            alpha=factor,
            risk=risk,
            leaves=best.leaves,
            sign=relation(float(risk) + float(factor) * best.leaves, total),
            total=total,
        )
        drawn = (across("alpha", alpha, least, highest, width=1.5), dot("at", alpha, best.loss(alpha), "primary"))
        marks = (*_shown_line(best, most, highest), *drawn)
        places.append(Place(said=template, reading=template, at=alpha, marks=(marks,), leaves=((), best.pruned)))
    peeks = []
    for each in lines:
        words = message("R(T) + α·|T| = {risk} + α·{leaves}", risk=f"{each.risk:.3f}", leaves=each.leaves)
        marks = _shown_line(each, most, highest)
        peeks.append(Place(said=words, reading=words, marks=(marks,), leaves=((), each.pruned)))
    panel = Panel(
        x=Axis(low=0, high=most, ticks=((0, " "),), title="α"),
        y=Axis(low=least, high=highest, ticks=(), is_drawn=True),
        marks=tuple(still),
        title="R(T) + α·|T|",
    )
    return Chart(
        says=here.says,
        columns=((panel,), (TreePanel(tree=lesson_tree(path.tree), most=130.0 * (path.tree.max_depth + 1)),)),
        places=tuple(places),
        peeks=tuple(peeks),
        shown=shown,
        slider=message("α, the penalty per leaf"),
        left=128,
        shares=(0.55, 0.45),
    )


def _key(each: _Line) -> str:
    return f"line {each.leaves} {each.pruned}"


def _ends(each: _Line, most: float, highest: float) -> tuple[tuple[float, float], tuple[float, float]]:
    end = min(most, (highest - each.risk) / each.leaves)
    return (0.0, each.risk), (end, each.loss(end))


def _line_marks(lines: Sequence[_Line], most: float, highest: float) -> Iterator[Mark]:
    for at, each in enumerate(lines):
        ends, is_cheapest = _ends(each, most, highest), each.begin is not None
        look = {"width": 1.8} if is_cheapest else {"width": 1, "opacity": 0.45}
        yield line(_key(each), ends, "text" if is_cheapest else "quiet", **look)
        yield line(f"{_key(each)} area", ends, "transparent", width=14, peek=at)
        if is_cheapest:
            yield _label(each, 1)


def _label(each: _Line, yields: int) -> Mark:
    words = message("{name}: {value}", name=leaves_text(each.leaves), value=f"{each.risk:.3f}")
    kind = "pic-small" if yields else "pic-small pic-number"
    return text(f"{_key(each)} {yields}", 0, each.risk, words, dx=-8, dy=5, anchor="end", kind=kind, yields=yields)


def _shown_line(each: _Line, most: float, highest: float) -> tuple[Mark, ...]:
    return line(_key(each), _ends(each, most, highest), "primary", width=3.5), _label(each, 0)


def _envelope(lines: Sequence[_Line], most: float) -> Mark:
    kept = sorted((each for each in lines if each.begin is not None), key=lambda each: each.begin or 0.0)
    corners = [(each.begin or 0.0, each.loss(each.begin or 0.0)) for each in kept]
    return line("envelope", [*corners, (most, kept[-1].loss(most))], width=12, opacity=0.22)


def _break_marks(
    breaks: Sequence[float], low: float, high: float, begin: float, span: float, room: float
) -> Iterator[Mark]:
    """Every α at which something changes, written below the axis: on another row within a share of the span."""
    ends = [-np.inf] * len(breaks)
    for at, alpha in enumerate(breaks):
        row = next(row for row, end in enumerate(ends) if alpha - end >= room * span)
        ends[row] = alpha
        yield across(f"break {at}", alpha, low, high, "quiet", dash="3 4", width=1)
        look = {"anchor": "end", "dx": 26} if alpha >= begin + 0.8 * span else {}
        yield text(f"break {at} text", alpha, low, exact.with_decimals(alpha), dy=16 + 14 * row, **look)


def _bottom_up(here: Here, risk: str, made: str) -> list[FixedAlpha]:
    """The trees that pruning bottom-up leaves as α grows, of the table or of made-up rows."""
    return fixed_alpha_trees(pruning.not_nested(made) if made else path_of(here).tree, risk)


@word
def fixed_rules(here: Here, price: float | None = None, both: bool = True, made: str = "", asks: bool = False) -> Chart:
    """The trees that are left by the loss per node and by Breiman's, at a price (None: where the second is larger).

    Below each tree its leaves over α, but while it `asks`.
    """
    titles = {"per_node": message("Loss divided by the node's rows")}
    if both:
        titles["impurity"] = message("Breiman: divided by all rows")
    found = {risk: _bottom_up(here, risk, made) for risk in titles}
    begins = sorted(each.begin for intervals in found.values() for each in intervals[1:])
    least, most, first = 0.6 * begins[0], 1.15 * begins[-1], found["per_node"]
    begin = (first[2].begin + first[3].begin) / 2 if price is None else price
    alphas, shown = ([begin], 0) if asks else _alphas(least, most, begin)
    left = [[_at(intervals, alpha) for intervals in found.values()] for alpha in alphas]
    drawn = lesson_tree(pruning.not_nested(made) if made else path_of(here).tree)
    columns = []
    for rule, (risk, intervals) in enumerate(found.items()):
        note = tuple(leaves_text(each[rule].n_leaves) for each in left)
        tree = TreePanel(tree=drawn, title=titles[risk], note=note, share=2.4, most=440)
        columns.append((tree,) if asks else (tree, _leaves_over(intervals, least, most, 0.4 if both else 0.2)))
    places = []
    for alpha, each in zip(alphas, left, strict=True):
        pruned = [tuple(node for node in one.tree.leaves().tolist() if one.tree.child_count[node]) for one in each]
        marks = [across("alpha", alpha, 0.0, max(of.n_leaves for of in intervals)) for intervals in found.values()]
        words = f"α = {alpha:.4f}"
        places.append(
            Place(
                said=words,
                reading=words,
                at=alpha,
                marks=tuple(part for mark in marks for part in ((), (mark,))),
                leaves=tuple(part for nodes in pruned for part in (nodes, ())),
            )
        )
    return Chart(
        says=here.says,
        columns=tuple(columns),
        places=tuple(places) if not asks else (_without_plots(places[0]),),
        shown=shown,
        slider=message("α, the penalty per leaf"),
        wraps=False,
        left=34,
        right=30,
    )


def _without_plots(place: Place) -> Place:
    """The place where every column has its tree alone."""
    return Place(said=place.said, reading=place.reading, leaves=place.leaves[::2])


def _at(intervals: Sequence[FixedAlpha], alpha: float) -> FixedAlpha:
    """The tree of the last interval that begins at or below α."""
    return [each for each in intervals if each.begin <= alpha + 1e-12][-1]


def _leaves_over(intervals: Sequence[FixedAlpha], least: float, most: float, room: float) -> Panel:
    ends = [*(max(each.begin, least) for each in intervals), most]
    points = [
        point
        for at, each in enumerate(intervals)
        for point in ((ends[at], each.n_leaves), (ends[at + 1], each.n_leaves))
    ]
    begins = [each.begin for each in intervals[1:]]
    sizes = sorted({each.n_leaves for each in intervals})
    return Panel(
        x=Axis(low=least, high=most, ticks=((least, " "),), title=" "),
        y=Axis(low=0, high=max(sizes), ticks=tuple((n, str(n)) for n in sizes), has_lines=False, is_drawn=True),
        marks=(line("leaves", points), *_break_marks(begins, 0.0, 0.0, least, most - least, room)),
        title=message("leaves over α"),
    )


add(
    # The α from which pruning bottom-up leaves another tree.
    begin=lambda here, at, risk="per_node", made="": _bottom_up(here, risk, made)[at].begin,
    # All of them, as numbers of their own: "begin 1".
    each_begin=lambda here, risk="per_node", made="": {
        f"begin {k}": each.begin for k, each in enumerate(_bottom_up(here, risk, made))
    },
)
