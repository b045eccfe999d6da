"""Where textbooks differ on growing: which features compete, how often, in which groups, and where thresholds lie."""

from __future__ import annotations

import pandas as pd

from explorer.drawing.pictures.many_trees.small_trees import SmallTree, SmallTrees, small_tree
from explorer.explaining import candidate_formulas
from explorer.formatting import leaves as leaves_text
from explorer.formatting import number_text
from explorer.messages import message, plural
from pages.learn.scenes.step import Chosen, Competition, Number, Question, Scene, Step
from pages.learn.scenes.textbooks.tables import rows_picture
from pages.learn.scenes.threshold_cuts import cuts_of, threshold_of, threshold_picture
from pages.results.lessons import textbook_rules, trees

_WARM = 50.0
"""A temperature between the observed 48 and 60."""


def steps(chosen: Chosen) -> tuple[Step, ...]:
    """Seven rules, each with another one found in print."""
    first = (_mean_gain(), _ratio_alone(), _which_threshold(), _once())
    return *first, _groups(), _threshold_place(), _squared_errors()


def _beside(says: str, *small: SmallTree) -> SmallTrees:
    return SmallTrees(says=says, trees=small)


def _mean_gain() -> Step:
    rows = textbook_rules.table("two perfect features")
    strict, at_least = (
        textbook_rules.grown("two perfect features", "C4.5", (("mean_gain_filter", how),))
        for how in ("greater", "at_least")
    )
    decision = textbook_rules.decision_of("two perfect features", "C4.5")
    return Step(
        name="mean gain",
        title=message("Above the average gain, or at least?"),
        text=message(
            "C4.5 lets features compete by gain ratio if their gain is at least average (Quinlan 1993). "
            "Another rule found in print says strictly above."
        ),
        picture=_beside(
            message("A leaf by one rule, a tree with one split by the other."),
            small_tree(strict, "other", message("strictly above"), counts=True, note=leaves_text(strict.n_leaves)),
            small_tree(
                at_least, "own", message("at least"), counts=True, note=leaves_text(at_least.n_leaves), is_best=True
            ),
        ),
        before=rows_picture(rows),
        number=Number(message("Average gain of A and B, in bits"), float(decision.mean_gain or 0.0)),
        question=Question(
            message("Features A and B both separate four rows perfectly. What does “strictly above” do?"),
            (message("It takes A"), message("It takes B"), message("It makes a leaf")),
            (2,),
            message("Equal gains are never above their average, so no feature may compete."),
        ),
        competition=Competition(decision, at_least),
        numbers={
            "gain A": decision.best["A"].gain,
            "gain B": decision.best["B"].gain,
            "average": float(decision.mean_gain or 0.0),
            "leaves strictly": float(strict.n_leaves),
            "leaves at least": float(at_least.n_leaves),
            "rows": float(rows.n_rows),
        },
        source=message("Quinlan, C4.5: Programs for Machine Learning (1993), section 2.2"),
    )


def _ratio_alone() -> Step:
    off = (("mean_gain_filter", "off"),)
    plain, filtered = trees.grown("golf", "C4.5", off), trees.grown("golf", "C4.5")
    decision = trees.decision("golf", "C4.5")
    temperature, outlook = decision.best["temperature"], decision.best["outlook"]
    lopsided, even = temperature.gain_ratio or 0.0, outlook.gain_ratio or 0.0
    return Step(
        name="ratio alone",
        title=message("Gain ratio alone, or filtered by gain?"),
        text=message(
            "Some books define C4.5 by the largest gain ratio alone, or above the average ratio, which is the same. "
            "Quinlan asks for an average gain first, since a lopsided split has a small denominator."
        ),
        picture=_beside(
            message("The first levels of two trees for the golf table."),
            small_tree(textbook_rules.top(plain), "plain", message("ratio alone"), note=leaves_text(plain.n_leaves)),
            small_tree(
                textbook_rules.top(filtered),
                "filtered",
                message("average gain first"),
                note=leaves_text(filtered.n_leaves),
                is_best=True,
            ),
        ),
        number=Number(
            message("Gain ratio of temperature, one row against 13"),
            lopsided,
            derivation=candidate_formulas(filtered.node(0), temperature)["gain ratio"],
        ),
        competition=Competition(decision, filtered),
        numbers={
            "ratio temperature": lopsided,
            "ratio outlook": even,
            "gain temperature": temperature.gain,
            "gain outlook": outlook.gain,
            "leaves plain": float(plain.n_leaves),
            "leaves filtered": float(filtered.n_leaves),
        },
        source=message("Quinlan, C4.5: Programs for Machine Learning (1993), section 2.2"),
    )


def _which_threshold() -> Step:
    decision, rows = trees.decision("golf", "C4.5"), trees.rows("golf")
    by_gain = decision.best["humidity"]
    cuts = cuts_of(decision, "humidity")
    by_ratio = max(cuts, key=lambda cut: cut.gain_ratio or 0.0)
    says = message("Gain and gain ratio of every humidity threshold of the golf table.")
    options = [number_text(threshold_of(cut)) for cut in (by_ratio, by_gain)]
    return Step(
        name="which threshold",
        title=message("A threshold by gain, or by gain ratio?"),
        text=message(
            "C4.5 takes the threshold of a number by its gain, and compares features by gain ratio afterwards. "
            "A text in print says to take the threshold by gain ratio too, and two lines later not to."
        ),
        picture=threshold_picture(rows, decision, "humidity", says=says, has_ratio=True, state="answered"),
        before=threshold_picture(rows, decision, "humidity", says=says, state="asked"),
        number=Number(
            message("Gain ratio of {feature}", feature=f"humidity ≤ {options[1]}"),
            by_gain.gain_ratio or 0.0,
            derivation=candidate_formulas(trees.grown("golf", "C4.5").node(0), by_gain)["gain ratio"],
        ),
        question=Question(
            message(
                "Gain says humidity ≤ {threshold}. Which threshold has the larger gain ratio?", threshold=options[1]
            ),
            tuple(options),
            (0,),
            message(
                "It cuts off a single day: ratio {ratio}, though its gain is only {gain}.",
                ratio=f"{by_ratio.gain_ratio or 0.0:.3f}",
                gain=f"{by_ratio.gain:.3f}",
            ),
        ),
        numbers={
            "threshold by gain": threshold_of(by_gain),
            "largest gain": by_gain.gain,
            "its ratio": by_gain.gain_ratio or 0.0,
            "threshold by ratio": threshold_of(by_ratio),
            "its gain": by_ratio.gain,
            "largest ratio": by_ratio.gain_ratio or 0.0,
        },
        source=message("Quinlan, C4.5 (1993), section 2.4"),
    )


def _once() -> Step:
    rows = trees.rows("temperature6")
    once, again = trees.grown("temperature6", "C4.5", (("max_depth", 1),)), trees.grown("temperature6", "C4.5")
    wrong = [textbook_rules.errors(tree, rows) for tree in (once, again)]
    return Step(
        name="once or again",
        title=message("May a number be tested twice?"),
        text=message(
            "“Only CART tests a number again further down” is found in print. "
            "C4.5 does so too: a category is used up by its branches, a number is not."
        ),
        picture=_beside(
            message("A tree that tests temperature once, and one that tests it twice."),
            small_tree(once, "once", message("once"), counts=True, note=_errors(wrong[0])),
            small_tree(again, "again", message("again"), counts=True, note=_errors(wrong[1]), is_best=True),
        ),
        before=rows_picture(rows),
        number=Number(message("Wrong rows when temperature is tested once"), wrong[0], 0),
        question=Question(
            message("No below 54, Yes up to 85, No above. How many thresholds does a tree need?"),
            ("1", "2", "3"),
            (1,),
            message("A single threshold leaves one of the six days wrong."),
        ),
        numbers={"errors once": float(wrong[0]), "errors again": float(wrong[1]), "leaves": float(again.n_leaves)},
        source=message("Quinlan, C4.5 (1993), section 2.4; Mitchell, Machine Learning (1997), section 3.7.2"),
    )


def _errors(n: int) -> str:
    return plural(n, "{n} row wrong", "{n} rows wrong")


def _groups() -> Step:
    one, subset = (textbook_rules.grown("cities", "CART", (("categorical", how),)) for how in ("one_vs_rest", "subset"))
    return Step(
        name="groups",
        title=message("One value against the rest, or any group?"),
        text=message(
            "CART splits categories into two groups of any size (Breiman et al. 1984). "
            "Some books only try one value against all others."
        ),
        picture=_beside(
            message("A tree with three leaves beside one with two."),
            small_tree(one, "one", message("one against the rest"), counts=True, note=leaves_text(one.n_leaves)),
            small_tree(
                subset, "subset", message("any group"), counts=True, note=leaves_text(subset.n_leaves), is_best=True
            ),
        ),
        before=rows_picture(textbook_rules.table("cities")),
        number=Number(message("Leaves with one value against the rest"), one.n_leaves, 0),
        question=Question(
            message("Cities p and q say yes, r and s say no. How many leaves does each rule need?"),
            (
                message("{one} and {group}", one=2, group=2),
                message("{one} and {group}", one=3, group=2),
                message("{one} and {group}", one=4, group=2),
            ),
            (1,),
            message("One value at a time needs two splits; the group of two needs one."),
        ),
        numbers={"leaves one": float(one.n_leaves), "leaves subset": float(subset.n_leaves)},
        source=message("Breiman, Friedman, Olshen, Stone, Classification and Regression Trees (1984), section 4.2"),
    )


def _threshold_place() -> Step:
    places = {"observed": message("observed value"), "midpoint": message("midpoint"), "c45": message("C4.5")}
    grown = {place: trees.grown("temperature6", "CART", (("threshold_at", place),)) for place in places}
    row = pd.DataFrame({"Temperature": [_WARM]})
    thresholds = {place: float(tree.threshold[0]) for place, tree in grown.items()}
    return Step(
        name="threshold place",
        title=message("Where between 48 and 60 is the threshold?"),
        text=message(
            "All rules part 48 from 60. The threshold is the lower value, the midpoint, or (C4.5) the largest value "
            "in the table up to the midpoint."
        ),
        picture=_beside(
            message("Three trees that differ only in their thresholds."),
            *(
                small_tree(
                    tree,
                    place,
                    places[place],
                    note=message("{t}° is {answer}", t=int(_WARM), answer=tree.predict(row)[0]),
                    is_best=place == "midpoint",
                )
                for place, tree in grown.items()
            ),
        ),
        before=rows_picture(trees.rows("temperature6")),
        number=Number(message("The midpoint of 48 and 60"), thresholds["midpoint"], 0),
        question=Question(
            message("Do the three rules predict the same for a day of 50 degrees?"),
            (message("Yes, always"), message("No")),
            (1,),
            message("On the training days they agree; between two values they do not."),
        ),
        numbers={f"threshold {place}": threshold for place, threshold in thresholds.items()},
        source=message("Quinlan, C4.5 (1993), section 2.4; Breiman et al. (1984); Mitchell (1997)"),
    )


def _squared_errors() -> Step:
    sums = textbook_rules.squared_errors()
    best_plain, best_literal = min(sums, key=lambda row: row[1]), min(sums, key=lambda row: row[2])
    return Step(
        name="squared errors",
        title=message("Squared errors: added, or multiplied by rows?"),
        text=message(
            "CART takes the threshold whose two sums of squared errors add up to least. "
            "A formula found in print also multiplies each sum by its rows, which counts them twice."
        ),
        picture=_beside(
            message("The split of least squared error beside the split of the formula in print."),
            small_tree(
                textbook_rules.split_at(best_literal[0]),
                "literal",
                message("multiplied by rows"),
                note="\n".join(f"x ≤ {threshold}: {literal:.3f}" for threshold, _, literal in sums),
            ),
            small_tree(
                textbook_rules.split_at(best_plain[0]),
                "plain",
                message("added up"),
                note="\n".join(f"x ≤ {threshold}: {plain:.3f}" for threshold, plain, _ in sums),
                is_best=True,
            ),
        ),
        before=rows_picture(textbook_rules.table("four numbers")),
        number=Number(message("Least sum of squared errors"), best_plain[1]),
        question=Question(
            message("Four values 0, 0, 3, 7: after which one does the least squared error split?"),
            (message("after the second"), message("after the third")),
            (1,),
            message("It leaves 6, the split after the second leaves 8; multiplied by rows they become 18 and 16."),
        ),
        numbers={f"added {threshold}": plain for threshold, plain, _ in sums}
        | {f"multiplied {threshold}": literal for threshold, _, literal in sums},
        source=message("Breiman, Friedman, Olshen, Stone, Classification and Regression Trees (1984), section 8.3"),
    )


SCENE = Scene(
    name="growing_rules",
    title=lambda: message("Textbooks: how to split"),
    asks=lambda: message("Which rule is C4.5's or CART's, and what does the other one do?"),
    minutes=5,
    steps=steps,
    sample="golf",
    recipe="C4.5",
)
