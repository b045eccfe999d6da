"""Numbers: where to cut a numeric feature, and why only changes of class matter."""

from __future__ import annotations

import explorer as ex
from explorer.drawing.pictures.threshold_curve import Mark
from explorer.explaining import Derivation, Formula, candidate_formulas
from explorer.explaining.formulas.expression import Number as Whole
from explorer.explaining.formulas.expression import Quantity, Quotient, total
from explorer.formatting import number_text
from explorer.messages import listing, message
from pages.learn.scenes.step import Choice, Chosen, Number, Question, Scene, Step
from pages.learn.scenes.threshold_cuts import changes_class, cuts_of, threshold_of, threshold_picture
from pages.results.lessons import trees

_SIX, _GOLF = "temperature6", "golf"
_FEATURE = "Temperature"


def steps(chosen: Chosen) -> tuple[Step, ...]:
    """From six temperatures to the thresholds of the golf table."""
    return _midpoints(), _best(chosen.get("warmest", "90")), _changes(), _fourteen_days(chosen), _placement()


def _mitchell() -> str:
    return message("Mitchell, Machine Learning (1997), section 3.7.2")


def _six() -> tuple[ex.Tree, ex.Decision, list[ex.Candidate]]:
    decision = trees.decision(_SIX, "C4.5")
    return trees.grown(_SIX, "C4.5"), decision, cuts_of(decision, _FEATURE)


def _midpoints() -> Step:
    decision, cuts = _six()[1:]
    thresholds = [threshold_of(cut) for cut in cuts]
    return Step(
        name="midpoints",
        title=message("Six values, five thresholds"),
        text=message(
            "Any threshold between two neighbouring values divides the days alike. "
            "So it is enough to try one between each pair: the midpoint. Drag the threshold."
        ),
        picture=threshold_picture(
            trees.rows(_SIX),
            decision,
            _FEATURE,
            says=message("Six days on a line of temperatures, with a threshold to move."),
            has_curve=False,
            shown=thresholds[2],
        ),
        number=Number(message("Midpoint of 48 and 60"), thresholds[1], 0, derivation=_midpoint(48, 60)),
        numbers={f"threshold {number_text(threshold)}": threshold for threshold in thresholds},
        source=_mitchell(),
    )


def _midpoint(below: float, above: float) -> Derivation:
    middle = Quantity("t", "t", Quotient(total([Whole(below), Whole(above)]), Whole(2)))
    return Derivation((Formula(middle, (below + above) / 2),), (("t", message("the threshold between two values")),))


def _best(warmest: str) -> Step:
    data = trees.with_cell(_SIX, _FEATURE, 5, 150.0 if warmest == "150" else 90.0)
    tree = ex.grow(data, ex.C45)
    decision = ex.decide(tree, data, 0)
    cuts = cuts_of(decision, _FEATURE)
    best = max(cuts, key=lambda cut: cut.gain)
    says = message("The gain of every threshold as a curve above the six days.")
    return Step(
        name="best threshold",
        title=message("Every threshold has its gain"),
        text=message(
            "Each midpoint is a test with two branches, and its gain is worked out as for any other. "
            "Before you look: which one leaves the purest sides? "
            "Only the order of the values counts, so an outlier changes no gain."
        ),
        picture=threshold_picture(data, decision, _FEATURE, says=says, state="answered"),
        before=threshold_picture(
            data, decision, _FEATURE, says=says, has_curve=False, shown=threshold_of(cuts[2]), state="asked"
        ),
        number=Number(
            message("Gain({test})", test=f"{_FEATURE} ≤ {number_text(threshold_of(best))}"),
            best.gain,
            derivation=candidate_formulas(tree.node(0), best)["gain"],
        ),
        question=Question(
            message("Which threshold has the largest gain?"),
            tuple(number_text(threshold_of(cut)) for cut in cuts),
            (cuts.index(best),),
            message("Below it both days have No; above it three of four have Yes."),
        ),
        choices=(Choice("warmest", message("Warmest day"), {"90": "90", "150": message("150, an outlier")}, "90"),),
        numbers={f"gain {number_text(threshold_of(cut))}": cut.gain for cut in cuts}
        | {"best": threshold_of(best), "entropy": decision.impurity},
        source=_mitchell(),
    )


def _changes() -> Step:
    tree, decision, cuts = _six()
    data = trees.rows(_SIX)
    values, codes = data.frame[_FEATURE].tolist(), data.y.tolist()
    kept = [cut for cut in cuts if changes_class(values, codes, threshold_of(cut))]
    names = [listing(number_text(threshold_of(cut)) for cut in some) for some in _parted(cuts, kept)]
    says = message("Only two of five thresholds lie between days of different classes.")
    last = kept[-1]
    return Step(
        name="class changes",
        title=message("Only changes of class matter"),
        text=message(
            "The best threshold always lies between rows of different classes, as Fayyad and Irani proved in 1992. "
            "Inside a run of one class, one of its two ends is always at least as good."
        ),
        picture=threshold_picture(
            data, decision, _FEATURE, says=says, marks_changes=True, shown=threshold_of(last), state="answered"
        ),
        before=threshold_picture(data, decision, _FEATURE, says=says, state="asked"),
        number=Number(
            message("Gain({test})", test=f"{_FEATURE} ≤ {number_text(threshold_of(last))}"),
            last.gain,
            derivation=candidate_formulas(tree.node(0), last)["gain"],
        ),
        question=Question(
            message("Which thresholds need no calculation, because they cannot be best?"),
            (names[0], names[1], message("none of them")),
            (1,),
            message(
                "Both days next to these have the same class. Mitchell keeps the other two: {kept}.", kept=names[0]
            ),
        ),
        numbers={"second change": threshold_of(last), "gain of the second change": last.gain},
        source=message("Fayyad and Irani, On the handling of continuous-valued attributes (1992)"),
    )


def _parted(cuts: list[ex.Candidate], kept: list[ex.Candidate]) -> tuple[list[ex.Candidate], list[ex.Candidate]]:
    return kept, [cut for cut in cuts if cut not in kept]


def _fourteen_days(chosen: Chosen) -> Step:
    tree, decision = trees.grown(_GOLF, "C4.5"), trees.decision(_GOLF, "C4.5")
    feature = "temperature" if chosen.get("number") == "temperature" else "humidity"
    cuts = cuts_of(decision, feature)
    best = max(cuts, key=lambda cut: cut.gain)
    outlook = decision.best["outlook"].gain
    return Step(
        name="fourteen days",
        title=message("The same with 14 days"),
        text=message(
            "The golf table has two numbers. The best threshold of each competes with the other features: "
            "both gain less than outlook ({gain}).",
            gain=f"{outlook:.3f}",
        ),
        picture=threshold_picture(
            trees.rows(_GOLF),
            decision,
            feature,
            says=message("The gain of every threshold of {feature} above the 14 days.", feature=feature),
            marks_changes=True,
            state=feature,
        ),
        number=Number(
            message("Gain({test})", test=f"{feature} ≤ {number_text(threshold_of(best))}"),
            best.gain,
            derivation=candidate_formulas(tree.node(0), best)["gain"],
        ),
        choices=(
            Choice("number", message("Feature"), {"humidity": "humidity", "temperature": "temperature"}, "humidity"),
        ),
        numbers={f"gain {number_text(threshold_of(cut))}": cut.gain for cut in cuts}
        | {"gain outlook": outlook, "entropy": decision.impurity},
        source=message("Quinlan, C4.5: Programs for Machine Learning (1993), chapter 2"),
    )


def _placement() -> Step:
    tree, data = trees.grown(_GOLF, "C4.5"), trees.rows(_GOLF)
    node = int(tree.children_of(0)[0])
    decision = trees.decision(_GOLF, "C4.5", node)
    sunny = data.take([row for row, value in enumerate(data.frame["outlook"]) if value == "sunny"])
    places = {at: _threshold_at(at) for at in ("observed", "c45", "midpoint")}
    best = max(cuts_of(decision, "humidity"), key=lambda cut: cut.gain)
    words = {"observed": message("value"), "c45": "C4.5", "midpoint": message("midpoint")}
    says = message("The five sunny days by humidity, and three places for one threshold.")
    return Step(
        name="placement",
        title=message("Midpoint, or a value of the table?"),
        text=message(
            "On sunny days no humidity lies between {below} and 85, so all thresholds there gain the same. "
            "scikit-learn takes the midpoint; C4.5 prints {c45}, a value of the table.",
            below=number_text(places["observed"]),
            c45=number_text(places["c45"]),
        ),
        picture=threshold_picture(
            sunny,
            decision,
            "humidity",
            says=says,
            marks=tuple(Mark(place, f"{words[at]} {number_text(place)}") for at, place in places.items()),
            state="answered",
        ),
        before=threshold_picture(sunny, decision, "humidity", says=says, state="asked"),
        number=Number(
            message("Gain({test})", test=f"humidity ≤ {number_text(threshold_of(best))}"),
            best.gain,
            derivation=candidate_formulas(tree.node(node), best)["gain"],
        ),
        question=Question(
            message("C4.5 prints humidity ≤ 75, but no sunny day has 75. Where does it come from?"),
            (
                message("the largest value of the whole table up to the midpoint"),
                message("the midpoint, rounded down to a multiple of 5"),
                message("the threshold with the largest gain ratio"),
            ),
            (0,),
            message("A sunny day with humidity 76 is above C4.5’s threshold, but below the midpoint."),
        ),
        numbers=places | {"gain": best.gain},
        source=message("Quinlan, C4.5: Programs for Machine Learning (1993), section 2.4"),
    )


def _threshold_at(where: str) -> float:
    """The threshold of the test on sunny days, placed by this rule."""
    tree = trees.grown(_GOLF, "C4.5", (("threshold_at", where),))
    condition = tree.condition(int(tree.children_of(0)[0]))
    assert condition is not None, "sunny days are split on humidity"
    assert condition.threshold is not None, "at a threshold"
    return condition.threshold


SCENE = Scene(
    name="thresholds",
    title=lambda: message("Where to split a number"),
    asks=lambda: message("Where does a tree cut a number?"),
    minutes=4,
    steps=steps,
    sample=_GOLF,
    recipe="C4.5",
)
