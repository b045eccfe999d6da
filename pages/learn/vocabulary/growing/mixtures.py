"""Bags of balls that are more or less mixed, and the measures of it as curves, as a triangle and as questions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from explorer.drawing.pictures.impurity_pictures import (
    MEASURES,
    Bag,
    Bags,
    ClassQuestions,
    Curve,
    ImpurityCurve,
    ImpurityTriangle,
    PlayBag,
)
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


@word
def impurity_curves(
    here: Here, start: int, words: tuple[str, ...], top: float = 1.0, entropy_times: float = 1.0
) -> ImpurityCurve:
    """The measures as curves over the share of one of two classes."""
    times = (entropy_times, 1.0, 1.0)
    curves = (Curve(*each) for each in zip(MEASURES, words, times, strict=True))
    n = sum(_counts(here, "all"))
    return ImpurityCurve(says=here.says, classes=_classes(here), n=n, start=start, curves=tuple(curves), top=top)


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
    play_bag=lambda here: PlayBag(says=here.says, classes=_classes(here), counts=_counts(here, "all")),
    # Yes/no questions that name the class of a ball, and the balls drawn so far.
    class_questions=lambda here, asks=False: ClassQuestions(
        says=here.says, classes=("A", "B", "C"), counts=_counts(here, "halved"), order=_DRAWN, asks=asks
    ),
)
