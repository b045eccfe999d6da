"""Breiman's ordering: the categories by their share of a class, the cuts between them, and all groupings."""

from __future__ import annotations

from collections.abc import Iterator

from explorer.drawing.pictures.chart import Axis, Chart, Mark, Panel, Place, dot, line, rect, text
from explorer.formatting import value_text
from explorer.messages import message
from pages.learn.vocabulary.words import Here, add, word
from pages.results.lessons import groupings

_CODE = 1
"""The class whose share orders the categories."""


@word
def cuts(here: Here, feature: str) -> int:
    """How many cuts there are between the sorted categories."""
    return len(groupings.groupings(here.table, feature, _CODE).cuts)


@word
def ordered_class(here: Here) -> str:
    """The class whose share orders the categories."""
    return f"{here.data.target.name} = {value_text(here.data.classes[_CODE])}"


@word
def ordering(here: Here, feature: str, sort: bool = True) -> Chart:
    """The categories with their share of a class, a cut between them, and all groupings on one axis.

    The first place of the slider has them in the table's order, the others sorted by their shares and cut.
    """
    found = groupings.groupings(here.table, feature, _CODE)
    n, low, high = len(found.categories), found.all_values[0], found.all_values[-1]
    title = message("All {n} groupings by their Gini index", n=len(found.all_values))
    strokes = [
        line(f"grouping {at}", ((value, 0), (value, 1)), "quiet", width=1, opacity=0.6)
        for at, value in enumerate(found.all_values)
    ]
    x, y = Axis(low=low, high=high, ticks=()), Axis(low=0, high=1, ticks=())
    places = [Place(said=message("In the table's order"), at=0.0, marks=(tuple(_categories(found, None)), (), ()))]
    for cut, value in enumerate(found.cuts):
        said = message("{name}: {value}", name=message("Gini index"), value=f"{value:.4f}")
        points = [
            dot(f"cut {at}", each, 0.5, "primary" if at == found.best else "text", r=7 if at == cut else 4)
            for at, each in enumerate(found.cuts)
        ]
        marks = tuple(_categories(found, cut)), tuple(points), tuple(_cuts(found, cut))
        places.append(Place(said=said, reading=said, at=-cut - 1.0, marks=marks))
    share = Panel(x=Axis(low=0, high=1, ticks=()), y=Axis(low=-n, high=0, ticks=()), share=12, title=" ")
    spread = Panel(x=x, y=y, marks=tuple(strokes), share=1, title=title)
    cuts = Panel(
        x=Axis(low=low - 0.05 * (high - low), high=high + 0.5 * (high - low), ticks=()),
        y=Axis(low=-n, high=0, ticks=()),
        title=message("Gini index after each cut"),
        share=12,
    )
    rest = Panel(x=x, y=y, share=1, title=" ")
    return Chart(
        says=here.says,
        title=here.heading,
        columns=((share, spread), (cuts, rest)),
        places=tuple(places),
        shown=found.best + 1 if sort else 0,
        slider=message("Cut"),
        along="y",
        shares=(0.62, 0.38),
        wraps=False,
        left=150,
    )


def _categories(found: groupings.Groupings, cut: int | None) -> Iterator[Mark]:
    """The share of the class in every category, by ascending share with a cut after one, or in the table's order."""
    rows = zip(found.categories, found.counts, found.shares, found.places, strict=True)
    for at, (name, count, share, place) in enumerate(rows):
        y = -(place if cut is None else at) - 0.5
        opacity = 0.8 if cut is None else 0.55 if at <= cut else 1.0
        yield rect(f"{name} whole", (0, 1), (y - 0.36, y + 0.36), "quiet", opacity=0.12)
        yield rect(name, (0, share), (y - 0.36, y + 0.36), _CODE, opacity=opacity)
        yield text(f"{name} name", 0, y, name, dx=-10, dy=5, anchor="end", kind="pic-label", most=130)
        yield text(f"{name} text", 1, y, f"{100 * share:.0f} % · {count:g}", dx=-8, dy=5, anchor="end")
    if cut is not None:
        yield line("cut", ((0, -cut - 1), (1, -cut - 1)), "text", dash="5 4")


def _cuts(found: groupings.Groupings, shown: int) -> Iterator[Mark]:
    yield line("cuts", [(value, -at - 1.0) for at, value in enumerate(found.cuts)], "quiet")
    for at, value in enumerate(found.cuts):
        is_best = at == found.best
        yield dot(
            f"cut {at}", value, -at - 1.0, "primary" if is_best else "text", r=7 if at == shown else 4.5, to=at + 1
        )
        kind = "pic-number" if is_best or at == shown else "pic-small"
        yield text(f"text {at}", value, -at - 1.0, f"{value:.4f}", dx=12, dy=5, anchor="start", kind=kind)


add(
    categories=lambda here, feature: cuts(here, feature) + 1,  # How many categories there are.
    # How many pairs of groups there are.
    groupings_of=lambda here, feature: len(groupings.groupings(here.table, feature, _CODE).all_values),
    # The mean impurity after the best cut.
    best_cut=lambda here, feature: min(groupings.groupings(here.table, feature, _CODE).cuts),
    # The mean impurity after the best of all groupings.
    best_grouping=lambda here, feature: groupings.groupings(here.table, feature, _CODE).all_values[0],
)
