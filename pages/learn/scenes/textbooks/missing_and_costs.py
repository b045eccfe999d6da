"""Where textbooks differ or err: missing cells, costs of features, printed shares and entropies, upper limits."""

from __future__ import annotations

from explorer.drawing.pictures.bars import Bar, Bars
from explorer.drawing.pictures.many_trees.small_trees import SmallTrees, small_tree
from explorer.explaining import candidate_formulas
from explorer.messages import message
from explorer.pruning import upper_error
from pages.learn.scenes.step import Choice, Chosen, Number, Question, Scene, Step
from pages.learn.scenes.textbooks.tables import rows_picture
from pages.results.lessons import textbook_rules, trees

_COSTS = {
    "own": (("Outlook", 1.0), ("Temperature", 3.0), ("Humidity", 5.0), ("Wind", 2.0)),
    "dear": (("Outlook", 10.0), ("Temperature", 1.0), ("Humidity", 1.0), ("Wind", 1.0)),
}
_LIMITS = ("release8", "binomial", "normal")
_PRINTED_SHARE, _PRINTED_ENTROPY = 0.11, 0.9554
"""Two numbers as they are printed."""


def steps(chosen: Chosen) -> tuple[Step, ...]:
    """Ratio with a missing cell, its parts, three strategies, costs, two misprints, and three upper limits."""
    costs = chosen.get("costs", "own")
    return (
        _ratio(),
        _parts(),
        _strategies(),
        _feature_costs(costs if costs in _COSTS else "own"),
        _shares(),
        _entropy(),
        _upper_limits(),
    )


def _numbers_picture(says: str, title: str, bars: tuple[Bar, ...], most: float) -> Bars:
    return Bars(says=says, title=title, bars=bars, most=most)


def _ratio() -> Step:
    tree = trees.grown("golf_missing", "C4.5")
    own = trees.decision("golf_missing", "C4.5").best["outlook"]
    known = trees.decision("golf_missing", "C4.5", 0, (("missing_ratio", "known_rows_only"),)).best["outlook"]
    by_quinlan, by_known = own.gain_ratio or 0.0, known.gain_ratio or 0.0
    return Step(
        name="ratio",
        title=message("Gain ratio with a missing cell"),
        text=message(
            "One of 14 golf days lacks its outlook. Quinlan counts “unknown” as one more group in the split "
            "information; another rule in print uses the 13 known rows only."
        ),
        picture=_numbers_picture(
            message("Bars of the gain ratio of outlook by two rules."),
            message("Gain ratio of outlook"),
            (
                Bar(message("Quinlan 1993"), by_quinlan, f"{by_quinlan:.4f}", True),
                Bar(message("known rows only"), by_known, f"{by_known:.4f}"),
            ),
            0.16,
        ),
        before=rows_picture(trees.rows("golf_missing")),
        number=Number(
            message("Gain ratio of outlook, Quinlan's rule"),
            by_quinlan,
            4,
            candidate_formulas(tree.node(0), own)["gain ratio"],
        ),
        question=Question(
            message("The gain is 13/14 of that of the known rows in both. Which rule gives the larger ratio?"),
            (message("unknown as one more group"), message("known rows only")),
            (1,),
            message(
                "Its split information is smaller: {known:.3f} against {own:.3f}.",
                known=known.split_info,
                own=own.split_info,
            ),
        ),
        numbers={
            "ratio Quinlan": by_quinlan,
            "ratio known": by_known,
            "split info Quinlan": own.split_info,
            "split info known": known.split_info,
        },
        source=message("Quinlan, C4.5: Programs for Machine Learning (1993), section 3.3"),
    )


def _parts() -> Step:
    parts = textbook_rules.parts_of_unknown()
    tree = textbook_rules.grown("one unknown", "C4.5", (("max_depth", 1),))
    return Step(
        name="parts",
        title=message("One row goes down both branches"),
        text=message(
            "With 6 known rows at A = 1 and 4 at A = 0, a row without A goes down with weights 0.6 and 0.4. "
            "A text prints “6 and 6” beside these weights: that cannot be."
        ),
        picture=SmallTrees(
            says=message("A split whose leaves hold ten whole rows and two parts of one row."),
            trees=(small_tree(tree, "parts", message("rows of the two classes in the leaves"), counts=True),),
        ),
        before=rows_picture(textbook_rules.table("one unknown")),
        number=Number(message("Part of the row that goes to A = 1"), max(parts), 1),
        question=Question(
            message("Which counts of known rows give 0.6 and 0.4?"),
            (message("{one} and {group}", one=6, group=6), message("{one} and {group}", one=6, group=4)),
            (1,),
            message("6 and 6 would give a half each."),
        ),
        numbers={"part 1": max(parts), "part 0": min(parts)},
        source=message("Mitchell, Machine Learning (1997), section 3.7.4"),
    )


def _strategies() -> Step:
    words = {
        "most_common": message("most common value"),
        "same_class": message("most common in its class"),
        "fractional": message("divided by weights"),
    }
    found = {policy: textbook_rules.outlook_of(policy) for policy in words}
    return Step(
        name="strategies",
        title=message("Three ways to fill one cell"),
        text=message(
            "The missing outlook becomes the most common value, the most common one among days of its class, or is "
            "divided. One cell changes the gain, and for one rule the root."
        ),
        picture=_numbers_picture(
            message("Bars of the gain of outlook by three rules, with the root of the tree."),
            message("Gain of outlook, and the root"),
            tuple(
                Bar(words[policy], gain, f"{gain:.4f} → {root}", policy == "fractional")
                for policy, (gain, root) in found.items()
            ),
            0.55,
        ),
        number=Number(message("Gain of outlook, divided by weights"), found["fractional"][0], 4),
        numbers={f"gain {policy}": gain for policy, (gain, _) in found.items()},
        source=message("Mitchell, Machine Learning (1997), section 3.7.4"),
    )


def _feature_costs(which: str) -> Step:
    costs = _COSTS[which]
    tan, nunez = (textbook_rules.scores_by_cost(score, costs) for score in ("tan_schlimmer", "nunez"))
    best = max(tan, key=lambda name: tan[name])
    free = {name: (0.0 if name == "Wind" else cost) for name, cost in costs}
    return Step(
        name="costs",
        title=message("Features that cost something"),
        text=message(
            "Tan and Schlimmer divide gain² by the cost; Núñez divides 2^gain − 1 by (cost + 1)^w with w from 0 to 1. "
            "A cost of 0 has no place in the first."
        ),
        picture=Bars(
            says=message("Bars of two scores of the four features."),
            title=message("Gain² / cost, and Núñez's score with w = 1"),
            bars=tuple(
                Bar(f"{name} · {rule}", score, f"{score:.4f}", name == best)
                for name in tan
                for rule, score in (("T–S", tan[name]), ("Núñez", nunez[name]))
            ),
            most=1.2 * max(*tan.values(), *nunez.values()),
        ),
        number=Number(message("Gain² / cost of {feature}", feature=best), tan[best], 4),
        question=Question(
            message("What should a program do when Wind costs 0?"),
            (message("divide by 0"), message("take Wind always"), message("refuse, and say why")),
            (2,),
            textbook_rules.refused_costs(free),
        ),
        choices=(
            Choice(
                "costs",
                message("Costs"),
                {"own": message("1, 3, 5, 2"), "dear": message("10, 1, 1, 1")},
                "own",
            ),
        ),
        numbers={f"Tan-Schlimmer {name}": score for name, score in tan.items()}
        | {f"Núñez {name}": score for name, score in nunez.items()},
        source=message("Tan, Schlimmer (1990); Núñez (1988); Mitchell (1997), section 3.7.5"),
    )


def _shares() -> Step:
    raw, smoothed = textbook_rules.presentation_shares()
    return Step(
        name="printed share",
        title=message("A printed share that does not follow"),
        text=message(
            "In a listing on Caesarean sections a leaf [3+, 29−] is printed with .11 and .89. "
            "Its counts give 3/32; Laplace's rule gives 4/34, also another number."
        ),
        picture=_numbers_picture(
            message("Bars of the share as printed, counted and smoothed."),
            message("Share of sections in a leaf of 3 and 29"),
            (
                Bar(message("printed"), _PRINTED_SHARE, f"{_PRINTED_SHARE:.2f}"),
                Bar(message("counted, 3/32"), raw, f"{raw:.4f}", True),
                Bar(message("Laplace, 4/34"), smoothed, f"{smoothed:.4f}"),
            ),
            0.15,
        ),
        number=Number(message("Share of sections: 3 of 32"), raw, 4),
        numbers={"share": raw, "smoothed": smoothed},
        source=message("Mitchell, Machine Learning (1997), slides to chapter 3"),
    )


def _entropy() -> Step:
    tree, decision = trees.grown("mammals", "ID3"), trees.decision("mammals", "ID3")
    food, birth = decision.best["饮食习性"], decision.best["胎生动物"]
    entropy = next(value for value in food.impurities if abs(value - _PRINTED_ENTROPY) < 0.01)
    return Step(
        name="printed entropy",
        title=message("A misprint, and rounding on the way"),
        text=message(
            "One text prints 0.9554 for an entropy that is 0.9544, 0.6893 for a gain of 0.68939, and log₂ 0 = 0 where "
            "0 · log₂ 0 = 0 is meant. Round once, at the end."
        ),
        picture=_numbers_picture(
            message("Bars of an entropy as printed and as counted."),
            message("Entropy of 3 of 8 rows, in bits"),
            (
                Bar(message("printed"), _PRINTED_ENTROPY, f"{_PRINTED_ENTROPY:.4f}"),
                Bar(message("counted"), entropy, f"{entropy:.4f}", True),
            ),
            1.2,
        ),
        number=Number(
            message("Gain of the feature with the largest gain"),
            birth.gain,
            5,
            candidate_formulas(tree.node(0), birth)["gain"],
        ),
        numbers={"entropy": round(entropy, 4), "gain": birth.gain},
    )


def _upper_limits() -> Step:
    words = {
        "release8": message("C4.5's program"),
        "binomial": message("exact binomial"),
        "normal": message("Weka"),
    }
    limits = {limit: float(upper_error(1, 16, limit=limit)) for limit in _LIMITS}
    leaves = 6 * upper_error(0, 6) + 9 * upper_error(0, 9) + upper_error(0, 1)
    return Step(
        name="upper limits",
        title=message("Three programs, three upper limits"),
        text=message(
            "C4.5 prunes by an upper limit U of the error, 25 % confidence. The book's U(1, 16) = 0.157 is an "
            "approximation in the program; the exact limit is another number."
        ),
        picture=_numbers_picture(
            message("Bars of the upper limit of the error for one wrong row of 16, by three programs."),
            message("U(1, 16): 1 of 16 rows wrong"),
            tuple(Bar(words[limit], value, f"{value:.4f}", limit == "release8") for limit, value in limits.items()),
            0.21,
        ),
        number=Number(message("Errors expected of the leaf: 16 · U(1, 16)"), 16 * limits["release8"]),
        question=Question(
            message(
                "The three leaves below expect {errors:.3f} errors. Do the three limits disagree on pruning?",
                errors=leaves,
            ),
            (message("Yes"), message("No")),
            (1,),
            message(
                "All three limits stay below: at most {most:.3f} errors, so the split becomes a leaf.",
                most=16 * max(limits.values()),
            ),
        ),
        numbers={f"U {limit}": value for limit, value in limits.items()}
        | {"leaf errors": 16 * limits["release8"], "subtree errors": float(leaves)},
        source=message("Quinlan, C4.5: Programs for Machine Learning (1993), section 4.2"),
    )


SCENE = Scene(
    name="missing_and_costs",
    title=lambda: message("Textbooks: missing values, costs"),
    asks=lambda: message("Which printed numbers can one trust?"),
    minutes=4,
    steps=steps,
    sample="golf_missing",
    recipe="C4.5",
)
