"""How mixed is a node? Bags of balls, and entropy, Gini index and error rate against the shares of the classes."""

from __future__ import annotations

from collections.abc import Sequence

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
from pages.learn.scenes.step import Choice, Chosen, Number, Question, Scene, Step
from pages.results.lessons import trees
from pages.results.lessons.mixtures import BITS, NATS, impurity_derivation, impurity_of, root_of

_TABLE = "play_tennis"
_SIX_OF_TEN = (4.0, 6.0)
"""A bag of 10 balls that is more mixed than the 14 days, by class as these are: No, Yes."""
_BALLS_OF_THREE = 12
_HALVED = (4, 2, 2)
"""A bag whose classes are halves of what is left, so that its entropy is reached by yes/no questions."""
_DRAWN = (0, 2, 0, 1, 0, 1, 2, 0)
"""The order in which its balls are drawn, by class."""


def steps(chosen: Chosen) -> tuple[Step, ...]:
    """From a bag of balls to the curves of two classes, the triangle of three, the unit, and what an entropy counts."""
    measure, unit = chosen.get("measure", "entropy"), chosen.get("unit", BITS)
    return _bags(), _play(), _curves(), _scaled(), _triangle(measure), _units(unit), _questions()


def _names() -> dict[str, str]:
    return {"entropy": message("Entropy"), "gini": message("Gini index"), "error": message("Error rate")}


def _days() -> tuple[tuple[str, str], tuple[int, ...]]:
    """The classes of the 14 days, No and Yes, and how many there are of each."""
    root = trees.grown(_TABLE, "ID3")
    return (str(root.classes[0]), str(root.classes[1])), tuple(int(count) for count in root.node(0).stats)


def _classic(counts: Sequence[float]) -> tuple[float, ...]:
    """The counts with Yes first, as books write them."""
    return tuple(reversed(counts))


def _counted(classes: Sequence[str], counts: Sequence[float]) -> str:
    """The counts in words: 9 Yes, 5 No."""
    pairs = zip(_classic(counts), reversed(classes), strict=True)
    return listing(f"{count:g} {name}" for count, name in pairs)


def _bags() -> Step:
    classes, days = _days()
    _, split = root_of(_TABLE, "PlayTennis", "Outlook")
    branches = {
        value: tuple(int(count) for count in counts)
        for (value,), counts in zip(split.condition.branches, split.branch_stats, strict=True)
    }
    bags = {"Overcast": branches["Overcast"], "": days, "Sunny": branches["Sunny"]}
    labels = {"": message("All 14 days"), "Overcast": "Overcast", "Sunny": "Sunny"}
    entropies = {name: impurity_of("entropy", counts) for name, counts in bags.items()}

    def picture(asks: bool) -> Bags:
        return Bags(
            says=message("Three bags of balls, one ball for each day."),
            classes=classes,
            bags=tuple(
                Bag(
                    labels[name],
                    counts,
                    name,
                    "?" if asks else f"{entropies[name]:.3f}",
                    message("bits of entropy"),
                    not asks and name == "Sunny",
                )
                for name, counts in bags.items()
            ),
        )

    return Step(
        name="bags",
        title=message("Which bag is the most mixed?"),
        text=message(
            "A decision tree splits rows by questions until each group, a node, has nearly one class. Here a bag is a "
            "node and a ball a day with tennis (Yes) or not (No); impurity says how mixed the bag is."
        ),
        picture=picture(asks=False),
        before=picture(asks=True),
        question=Question(
            message("Which of the three bags is the most mixed?"),
            tuple(labels[name] for name in bags),
            (2,),
            message("2 of 5 is nearer to half than 5 of 14. Shares decide, not the number of balls."),
        ),
        number=Number(
            message("Entropy of {bag}, in bits", bag="Sunny"),
            entropies["Sunny"],
            derivation=impurity_derivation("entropy", bags["Sunny"], rows="Outlook = Sunny"),
        ),
        numbers={"entropy all": entropies[""], "entropy Sunny": entropies["Sunny"]},
        source=message("Mitchell, Machine Learning (1997), chapter 3"),
    )


def _play() -> Step:
    classes, days = _days()
    return Step(
        name="play",
        title=message("Three measures of one bag"),
        text=message(
            "Drag balls into the bag or out of it: all three measures are 0 for a pure bag and largest for equal "
            "shares. The Gini index is the probability that two balls, drawn with replacement, differ; the error rate "
            "is the share outside the majority."
        ),
        picture=PlayBag(
            says=message(
                "A bag of balls: entropy {entropy} bits, Gini index {gini}, error rate {error}.",
                **{measure: f"{impurity_of(measure, days):.3f}" for measure in MEASURES},
            ),
            classes=classes,
            counts=days,
        ),
        number=Number(
            message("Gini index of {counts}", counts=_counted(classes, days)),
            impurity_of("gini", days),
            derivation=impurity_derivation("gini", _classic(days), rows=message("the 14 days")),
        ),
        numbers={measure: impurity_of(measure, days) for measure in MEASURES},
        source=message("Quinlan (1986) uses entropy, Breiman et al. (1984) the Gini index"),
    )


def _curves() -> Step:
    classes, days = _days()
    names = _names()
    even = (7.0, 7.0)

    def picture(start: int) -> ImpurityCurve:
        return ImpurityCurve(
            says=message("Entropy, Gini index and error rate as curves over the share of Yes."),
            classes=classes,
            n=sum(days),
            start=start,
            curves=tuple(Curve(measure, names[measure]) for measure in MEASURES),
            top=1.0,
        )

    return Step(
        name="curves",
        title=message("From pure to mixed and back"),
        text=message(
            "With two classes, only the share p matters. "
            "Drag the point: the measures are 0 at both ends and largest in the middle."
        ),
        picture=picture(start=7),
        before=picture(start=days[1]),
        question=Question(
            message("How large is the entropy of a bag with {counts}?", counts=_counted(classes, even)),
            (message("0.5 bits"), message("1 bit"), message("2 bits")),
            (1,),
            message("Two equal shares give log₂ 2 = 1 bit. Gini index and error rate reach 1/2."),
        ),
        number=Number(
            message("Entropy of {counts}, in bits", counts=_counted(classes, even)),
            impurity_of("entropy", even),
            derivation=impurity_derivation("entropy", even),
        ),
        numbers={f"largest {measure}": impurity_of(measure, even) for measure in MEASURES},
    )


def _scaled() -> Step:
    classes, days = _days()
    names = _names()
    half = impurity_of("entropy", days) / 2
    return Step(
        name="scaled",
        title=message("Drawn to the same height"),
        text=message(
            "Half the entropy runs close to the Gini index, so the two often choose the same split. "
            "The error rate has straight sides, which makes it blind to some splits."
        ),
        picture=ImpurityCurve(
            says=message("Half the entropy, Gini index and error rate as curves over the share of Yes."),
            classes=classes,
            n=sum(days),
            start=days[1],
            curves=(
                Curve("entropy", message("Entropy / 2"), 0.5),
                *(Curve(each, names[each]) for each in MEASURES[1:]),
            ),
            top=0.5,
        ),
        number=Number(message("Half the entropy of {counts}", counts=_counted(classes, days)), half),
        numbers={"half entropy": half} | {each: impurity_of(each, days) for each in MEASURES[1:]},
        source=message("Hastie, Tibshirani and Friedman, The Elements of Statistical Learning (2009), section 9.2.3"),
    )


def _triangle(measure: str) -> Step:
    names = _names()
    root = trees.grown("iris", "CART")
    first, second, third = (str(label).removeprefix("Iris-") for label in root.classes)
    counts = tuple(root.node(0).stats)
    even = _BALLS_OF_THREE // 3

    def picture(start: tuple[int, int, int]) -> ImpurityTriangle:
        return ImpurityTriangle(
            says=message("A triangle of all mixtures of three classes, dark where they are most mixed."),
            classes=(first, second, third),
            n=_BALLS_OF_THREE,
            start=start,
            measure=measure,
        )

    return Step(
        name="triangle",
        title=message("Three classes make a triangle"),
        text=message(
            "The balls are {n} iris flowers of three species; drag the point to change their shares. "
            "Each corner is a pure bag, the centre has equal shares, and lines join bags that are equally mixed.",
            n=_BALLS_OF_THREE,
        ),
        picture=picture((even, even, even)),
        before=picture((_BALLS_OF_THREE - 4, 3, 1)),
        choices=(Choice("measure", message("Measure"), names, "entropy"),),
        question=Question(
            message("How large can the entropy of three classes get?"),
            (message("1 bit"), message("{value} bits", value="log₂ 3"), message("3 bits")),
            (1,),
            message("Equal shares of K classes have the entropy log₂ K: for three classes 1.585 bits."),
        ),
        number=Number(
            message("{measure} of three equal shares", measure=names[measure]),
            impurity_of(measure, counts),
            derivation=impurity_derivation(measure, counts, rows=message("the flowers of iris, 50 of each species")),
        ),
        numbers={f"largest {measure}": impurity_of(measure, counts)},
    )


def _units(unit: str) -> Step:
    classes, days = _days()
    bags = {"": days, "ten": _SIX_OF_TEN}
    labels = {"": message("9 of 14"), "ten": message("6 of 10")}
    entropies = {(name, each): impurity_of("entropy", bags[name], each) for name in bags for each in (BITS, NATS)}

    def written(name: str, in_unit: str) -> str:
        value = f"{entropies[name, in_unit]:.3f}"
        return message("{value} bits", value=value) if in_unit == BITS else message("{value} nats", value=value)

    other = NATS if unit == BITS else BITS
    return Step(
        name="units",
        title=message("Bits or nats: only the unit"),
        text=message(
            "Logarithms to base 2 give bits, natural logarithms give nats: 1 bit is ln 2 = 0.693 nats. "
            "Every entropy changes by this factor, so the order of bags and splits stays."
        ),
        picture=Bags(
            says=message("Two bags with their entropies in bits and in nats."),
            classes=classes,
            bags=tuple(
                Bag(
                    labels[name],
                    tuple(int(count) for count in counts),
                    name,
                    written(name, unit),
                    f"= {written(name, other)}",
                    name == "ten",
                )
                for name, counts in bags.items()
            ),
        ),
        choices=(Choice("unit", message("Unit"), {BITS: message("bits (log₂)"), NATS: message("nats (ln)")}, BITS),),
        number=Number(
            message("Entropy of {counts}, in bits", counts=_counted(classes, days))
            if unit == BITS
            else message("Entropy of {counts}, in nats", counts=_counted(classes, days)),
            entropies["", unit],
            derivation=impurity_derivation("entropy", _classic(days), unit, message("the 14 days")),
        ),
        numbers={
            "14 days in bits": entropies["", BITS],
            "14 days in nats": entropies["", NATS],
            "6 of 10 in bits": entropies["ten", BITS],
            "6 of 10 in nats": entropies["ten", NATS],
        },
    )


def _questions() -> Step:
    entropy = impurity_of("entropy", _HALVED)

    def picture(asks: bool) -> ClassQuestions:
        return ClassQuestions(
            says=message("Yes/no questions that name the class of a ball, and the balls drawn so far."),
            classes=("A", "B", "C"),
            counts=_HALVED,
            order=_DRAWN,
            asks=asks,
        )

    return Step(
        name="questions",
        title=message("Entropy counts yes/no questions"),
        text=message(
            "Somebody hides a ball, and you ask for its class, the most frequent class first. "
            "The mean number of questions is never below the entropy; here it reaches it."
        ),
        picture=picture(asks=False),
        before=picture(asks=True),
        question=Question(
            message("How many questions does a ball take on average?"),
            ("1.000", f"{entropy:.3f}", "2.000"),
            (1,),
            message("Half of the balls take 1 question, the others 2."),
        ),
        number=Number(
            message("Entropy of {counts}, in bits", counts="4 A, 2 B, 2 C"),
            entropy,
            derivation=impurity_derivation("entropy", _HALVED),
        ),
        numbers={"entropy of questions": entropy},
        source=message("Shannon, A mathematical theory of communication (1948)"),
    )


SCENE = Scene(
    name="mixed",
    title=lambda: message("How mixed is a node?"),
    asks=lambda: message("What do entropy, Gini index and error rate measure?"),
    minutes=3,
    steps=steps,
    on_short_path=True,
    sample=_TABLE,
    recipe="ID3",
)
