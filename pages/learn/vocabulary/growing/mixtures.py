"""Bags of balls that are more or less mixed, and the measures of it as curves, as a triangle and as questions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache

from explorer.drawing.pictures.chart import Axis, Chart, Colour, Mark, Panel, Place, across, dot, line
from explorer.drawing.pictures.impurity_pictures import MEASURES, Bag, Bags, ClassQuestions, ImpurityTriangle
from explorer.messages import listing, message
from pages.learn.vocabulary.words import Derived, Here, add, word
from pages.results.lessons.mixtures import BITS, NATS, impurity_derivation, impurity_of, root_of

_BALLS_OF_THREE = 12
_DRAWN = (0, 2, 0, 1, 0, 1, 2, 0)
"""The order in which the balls of three classes are drawn, by class."""
_ROWS: Mapping[str, Sequence[float]] = {"ten": (4, 6), "even": (7, 7), "halved": (4, 2, 2)}
"""Bags of no table; two classes go as No, Yes, and those of the last are halves of what is left."""


def _counts(here: Here, bag: str) -> tuple[int, ...]:
    """The balls of a bag by class: one of no table, a value of Outlook, or all rows."""
    if bag in _ROWS:
        return tuple(map(int, _ROWS[bag]))
    if bag == "all":
        return tuple(int(count) for count in here.tree.node(0).stats)
    _, split = root_of(here.table, "PlayTennis", "Outlook")
    found = zip(split.condition.branches, split.branch_stats, strict=True)
    return next(tuple(int(count) for count in counts) for (value,), counts in found if value == bag)


def _classes(here: Here) -> tuple[str, str]:
    classes = here.tree.classes
    return str(classes[0]), str(classes[1])


@word
def counted(here: Here, bag: str) -> str:
    """The balls of a bag in words, Yes first: 9 Yes, 5 No."""
    pairs = zip(reversed(_counts(here, bag)), reversed(_classes(here)), strict=True)
    return listing(f"{count:g} {name}" for count, name in pairs)


@word
def mixture(here: Here, measure: str, bag: str, rows: str = "", unit: str = BITS, reverse: bool = True) -> Derived:
    """A measure of a bag; `rows` says in its derivation which rows D are, `reverse` writes Yes first."""
    counts = _counts(here, bag)
    shown = tuple(reversed(counts)) if reverse else counts
    return Derived(impurity_of(measure, counts, unit), impurity_derivation(measure, shown, unit, rows))


@word
def three_bags(here: Here, names: tuple[str, ...], words: tuple[str, ...], unit: str, asks: bool = False) -> Bags:
    """Bags of balls with their entropies; the last is the most mixed."""

    def entropy(counts: Sequence[int]) -> tuple[str, str]:
        return "?" if asks else f"{impurity_of('entropy', counts):.3f}", unit

    return _bags(here, names, words, entropy, not asks)


@word
def bags_in_units(here: Here, names: tuple[str, ...], words: tuple[str, ...], unit: str) -> Bags:
    """The same with the entropies in one unit, and below in the other."""
    other = NATS if unit == BITS else BITS
    return _bags(here, names, words, lambda counts: (_in_unit(counts, unit), f"= {_in_unit(counts, other)}"), True)


def _bags(
    here: Here,
    names: tuple[str, ...],
    words: tuple[str, ...],
    texts: Callable[[Sequence[int]], tuple[str, str]],
    marks_last: bool,
) -> Bags:
    """Bags with two texts below each, worked out from its balls."""
    return Bags(
        says=here.says,
        classes=_classes(here),
        bags=tuple(
            Bag(
                label,
                _counts(here, name),
                "" if name == "all" else name,
                *texts(_counts(here, name)),
                marks_last and name == names[-1],
            )
            for name, label in zip(names, words, strict=True)
        ),
    )


def _in_unit(counts: Sequence[float], unit: str) -> str:
    value = f"{impurity_of('entropy', counts, unit):.3f}"
    return message("{value} bits", value=value) if unit == BITS else message("{value} nats", value=value)


COLOURS: Mapping[str, Colour] = {"entropy": "primary", "gini": 2, "error": "quiet"}
"""Those of the measures: apart from those of two classes."""
_STEPS = 48


@cache
def _impurities(measure: str, times: float = 1.0) -> tuple[tuple[float, float], ...]:
    """A measure of two classes at shares of the second from 0 to 1."""
    shares = (step / _STEPS for step in range(_STEPS + 1))
    return tuple((share, times * impurity_of(measure, (1 - share, share))) for share in shares)


def impurity_line(measure: str, times: float = 1.0) -> Mark:
    """A measure over the share of the second of two classes."""
    return line(measure, _impurities(measure, times), COLOURS[measure])


@word
def impurity_curves(
    here: Here, start: int, words: tuple[str, ...], top: float = 1.0, entropy_times: float = 1.0
) -> Chart:
    """The measures as curves over the share of one of two classes, with the balls of the share above them."""
    curves = list(zip(MEASURES, words, (entropy_times, 1.0, 1.0), strict=True))
    classes, n = _classes(here), sum(_counts(here, "all"))
    places = []
    for count in range(n + 1):
        share, balls, marks = count / n, [], []
        for at in range(n):
            code = int(at < count)
            balls.append(dot(f"ball {at}", at + 0.5, 0.5, code, r=17, of="x", sign=classes[code][:1]))
        said = [f"p = {count}/{n} = {share:.3f}"]
        for measure, name, times in curves:
            value = times * impurity_of(measure, (n - count, count))
            marks.append(dot(measure + " point", share, value, COLOURS[measure], edge="background"))
            written = (
                message("{value} bits", value=f"{value:.3f}") if measure == "entropy" and times == 1 else f"{value:.3f}"
            )
            said.append(message("{name}: {value}", name=name, value=written))
        guide = across("guide", share, 0.0, top, dash="3 5", width=1.25)
        places.append(Place(said=listing(said), reading=listing(said), at=share, marks=(tuple(balls), (guide, *marks))))
    quarters = ((0, "0"), (1 / 4, "1/4"), (1 / 2, "1/2"), (3 / 4, "3/4"), (1, "1"))
    plot = Panel(
        x=Axis(
            low=0,
            high=1,
            ticks=quarters,
            has_lines=True,
            title=message("p, the share of {class}", **{"class": classes[1]}),
        ),
        y=Axis(low=0, high=top),
        marks=tuple(impurity_line(measure, times) for measure, _, times in curves),
        share=20,
    )
    strip = Panel(x=Axis(low=0, high=n, ticks=()), y=Axis(low=0, high=1, ticks=()), share=2.4, most=44)
    return Chart(
        says=here.says,
        columns=((strip, plot),),
        places=tuple(places),
        shown=start,
        slider=message("Balls of class {class}", **{"class": classes[1]}),
        legend=tuple((name, COLOURS[measure]) for measure, name, _ in curves),
    )


@word
def triangle(here: Here, measure: str, start: tuple[int, int, int]) -> ImpurityTriangle:
    """All mixtures of three classes, dark where they are most mixed."""
    first, second, third = (str(label).removeprefix("Iris-") for label in here.tree.classes)
    return ImpurityTriangle(
        says=here.says, classes=(first, second, third), n=_BALLS_OF_THREE, start=start, measure=measure
    )


add(
    # The measures of a bag, as numbers of their own.
    each_mixture=lambda here, bag, called="", measures=MEASURES: {
        f"{called}{measure}": impurity_of(measure, _counts(here, bag)) for measure in measures
    },
    # A bag into which the reader drags balls.
    play_bag=lambda here: Bags(
        says=here.says, classes=_classes(here), bags=(Bag("", _counts(here, "all")),), measures=MEASURES
    ),
    # Yes/no questions that name the class of a ball, and the balls drawn so far.
    class_questions=lambda here, asks=False: ClassQuestions(
        says=here.says, classes=("A", "B", "C"), counts=_counts(here, "halved"), order=_DRAWN, asks=asks
    ),
)
