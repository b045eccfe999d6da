"""The errors that C4.5 expects of leaves, by the upper limits of their error rates."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

import explorer as ex
from explorer.drawing.pictures.chart import Axis, Chart, Mark, Panel, Place, TreePanel, dot, line, rect, text
from explorer.drawing.pictures.lesson_tree import lesson_tree
from explorer.explaining import pessimistic_formula
from explorer.formatting import relation
from explorer.messages import message, plural
from explorer.pruning import upper_error
from explorer.pruning.pessimistic_step import SLACK
from pages.learn.scenes.step import TreePicture
from pages.learn.vocabulary.words import Derived, Here, add, word
from pages.results.lessons import pruning

_LEAVES = (6, 9, 1)
"""The rows of Quinlan's three leaves without an error; as one leaf, they have one error in 16 rows."""
_MOST_ROWS = 20
_PERCENT = range(1, 100)
_STEPS = (1, 2, *range(5, 100, 5), 99)
"""Confidences of the curves: each has a dot with words for every number of rows."""


@cache
def _limits(errors: int, rows: tuple[int, ...], percent: int) -> tuple[float, ...]:
    """U(E, N) for several N at a confidence."""
    counts = np.array(rows, dtype=np.float64)
    return tuple(upper_error(np.full_like(counts, errors), counts, percent / 100).tolist())


def _decided(here: Here, confidence: float = 0.25) -> tuple[ex.Tree, tuple[ex.PessimisticStep, ...], int]:
    """The tree of the table (without one, Quinlan's three leaves), what C4.5 decides, and the first that it prunes."""
    tree = here.tree if here.node else pruning.education_spending()
    steps = tuple(ex.pessimistic_steps(tree, confidence))
    return tree, steps, next((at for at, step in enumerate(steps) if step.node == here.node), 0)


@word
def expected(here: Here, as_leaf: bool = False, confidence: float = 0.25) -> Derived:
    """The errors that C4.5 expects below the node (at the root: in Quinlan's subtree), or with a leaf in its place."""
    tree, steps, at = _decided(here, confidence)
    value = steps[at].upper_as_leaf if as_leaf else steps[at].upper_below
    return Derived(value, pessimistic_formula(tree, steps, at, 0.25, "release8") if confidence == 0.25 else None)


@word
def pessimistic_tree(here: Here, words: str) -> TreePicture:
    """The tree after pessimistic pruning, with words at the nodes that are leaves now."""
    left = ex.pessimistic_prune(here.tree).leaves().tolist()
    nodes = tuple(node for node in left if here.tree.child_count[node])
    return TreePicture(here.tree, here.says, pruned=nodes, marks=dict.fromkeys(nodes, words))


def _confidence(percent: int) -> str:
    return message("Confidence CF: {percent} %", percent=percent)


@word
def upper_limits(here: Here, shows: bool = True) -> Chart:
    """The upper limit over the rows of a leaf, a curve each for 0, 1 and 2 errors."""
    places = []
    for percent in _STEPS:
        marks = [mark for errors in (0, 1, 2) for mark in _limit_curve(errors, percent)]
        for rows, limit in zip(_LEAVES, _limits(0, _LEAVES, percent), strict=True):
            marks.append(dot(f"leaf {rows}", rows, limit, 0, r=8, edge="text", quick=True))
            written = message("{name}: {value}", name=f"U(0, {rows})", value=f"{limit:.3f}" if shows else "?")
            marks.append(
                text(f"leaf {rows} text", rows, limit, written, dx=13, dy=-9, anchor="start", kind="pic-number")
            )
        title = message("Upper limit U(E, N) of the error rate, CF = {percent} %", percent=percent)
        places.append(Place(said=_confidence(percent), reading=title, marks=(tuple(marks),)))
    panel = Panel(
        x=Axis(low=0, high=_MOST_ROWS, title=message("rows N")), y=Axis(low=0, high=1, is_drawn=True), title="U(E, N)"
    )
    slider, right = message("Confidence CF"), 80.0
    return Chart(
        says=here.says, columns=((panel,),), places=tuple(places), shown=_STEPS.index(25), slider=slider, right=right
    )


def _limit_curve(errors: int, percent: int) -> tuple[Mark, ...]:
    rows = tuple(range(errors + 1, _MOST_ROWS + 1))
    limits = _limits(errors, rows, percent)
    name = plural(errors, "{n} error", "{n} errors")
    return (
        line(f"curve {errors}", list(zip(rows, limits, strict=True)), errors, quick=True),
        *(
            dot(f"{errors} {n}", n, limit, errors, r=2.5, tip=f"{name}: U({errors}, {n}) = {limit:.3f}")
            for n, limit in zip(rows, limits, strict=True)
        ),
        text(f"name {errors}", _MOST_ROWS, limits[-1], name, dx=8, dy=5, anchor="start"),
    )


@word
def expected_errors(
    here: Here, asks: bool = False, drags: bool = False, is_pruned: bool = False, confidence: float = 0.25
) -> Chart:
    """N·U(E, N) of three leaves, end to end, against that of one leaf in their place; pruned unless it is worse."""
    drawn, percents = lesson_tree(pruning.education_spending()), _PERCENT if drags else (round(100 * confidence),)
    places = []
    for percent in percents:
        limits, (limit,) = _limits(0, _LEAVES, percent), _limits(1, (16,), percent)
        below, leaf = _below(percent), 16 * limit
        prunes = leaf <= below + SLACK if drags else is_pruned
        fields = {"leaf": f"{leaf:.3f}", "below": f"{below:.3f}"}
        reading = message("Expected errors of the subtree: {below}", below=fields["below"])
        if not asks and (drags or prunes):
            keep = message("{leaf} as a leaf, {below} as a subtree: keep", **fields)
            reading = message("{leaf} as a leaf, {below} as a subtree: prune", **fields) if prunes else keep
        marks = tuple(_bars_of_errors(limits, below, None if asks else limit, prunes))
        places.append(
            Place(
                said=_confidence(percent),
                reading=f"{_confidence(percent)} · {reading}" if drags else reading,
                marks=((), marks),
                leaves=((0,) if prunes else (),),
            )
        )
    bars = Panel(
        x=Axis(low=0, high=1.05 * max(_below(percents[0]), 16 / 3), ticks=()),
        y=Axis(low=-2.2, high=0, ticks=()),
        most=150,
    )
    return Chart(
        says=here.says,
        columns=((TreePanel(tree=drawn, most=420), bars),),
        places=tuple(places),
        shown=percents.index(round(100 * confidence)),
        slider=message("Confidence CF"),
        left=20,
        right=90,
    )


def _below(percent: int) -> float:
    return sum(rows * limit for rows, limit in zip(_LEAVES, _limits(0, _LEAVES, percent), strict=True))


def _bars_of_errors(limits: Sequence[float], below: float, limit: float | None, prunes: bool) -> list[Mark]:
    """The bar of the leaves, end to end, and below it that of one leaf, without its number while it is asked for."""
    marks, end = [text("parts", 0, 0, message("As a subtree: N·U(E, N) of each leaf"), dy=-4, anchor="start")], 0.0
    for rows, each in zip(_LEAVES, limits, strict=True):
        start, end = end, end + rows * each
        words = [{"text": f"{rows} · {each:.3f}", "kind": "pic-small"}]
        marks.append(rect(f"part {rows}", (start, end), (-0.05, -0.55), opacity=0.55, inset=1, lines=words))
        marks.append(text(f"name {rows}", (start + end) / 2, -0.55, f"U(0, {rows})", dy=15, yields=1))
    marks.append(text("sum", end, -0.3, f"= {below:.3f}", dx=8, dy=5, anchor="start", kind="pic-number"))
    name = message("As one leaf: {text}", text="U(1, 16)")
    marks.append(text("leaf name", 0, -1.35, name, dy=-4, anchor="start"))
    length = 16 * (limit or 0.0)
    if limit is not None:
        marks.append(rect("leaf", (0, length), (-1.4, -1.9), "primary" if prunes else "quiet", opacity=0.8, inset=1))
    sign = relation(16 * round(limit or 0.0, 3), f"{length:.3f}")
    written = "16 · ?" if limit is None else f"16 · {limit:.3f} {sign} {length:.3f}"
    marks.append(text("leaf sum", length, -1.65, written, dx=8, dy=5, anchor="start", kind="pic-number"))
    return marks


add(
    # The upper limit of the error rate of a leaf.
    upper=lambda here, errors, rows, confidence=0.25, limit="release8": float(
        upper_error(errors, rows, confidence, limit)
    ),
    leaves_left=lambda here: ex.pessimistic_prune(here.tree).n_leaves,  # The leaves after pessimistic pruning.
)
