"""Ripe watermelons: Zhou's tables by gain and gain ratio, with numbers, and with missing values."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

import explorer as ex
from explorer.drawing.pictures.bars import Bars
from explorer.explaining import candidate_formulas
from explorer.formatting import number_text
from explorer.messages import listing, message
from pages.learn.scenes.feature_bars import asked, feature_bars
from pages.learn.scenes.melon_words import with_meaning
from pages.learn.scenes.step import Chosen, Competition, Number, Question, Scene, Step, TablePicture, TreePicture
from pages.learn.scenes.threshold_cuts import threshold_of, threshold_picture
from pages.results.lessons import melons, trees

_TABLE, _NUMBERS = "watermelon_2_0", "watermelon_3_0"
_COLOUR, _STRIPES, _DENSITY, _SUGAR, _ID = "色泽", "纹理", "密度", "含糖率", "编号"
_MELON = 8
"""The book follows this melon, whose stripes are unknown."""
_MOST_BELOW = 50
_BY_GAIN = (("score", "gain"), ("threshold_at", "midpoint"))
"""ID3 as the book extends it to numbers."""


def steps(chosen: Chosen) -> tuple[Step, ...]:
    """Gains, a tie below the root, split information, thresholds, and missing values."""
    return _gains(), _clear(), _split_information(), _thresholds(), _unknown()


def _source(section: str) -> str:
    return message("Zhou Zhihua, 机器学习 (2016), section {section}", section=section)


def _gain_bars(gains: dict[str, float]) -> Bars:
    return feature_bars(
        gains,
        says=message("Bars with the information gain of every feature."),
        title=message("Information gain, in bits"),
        named=with_meaning,
    )


def _gains_of(decision: ex.Decision) -> dict[str, float]:
    return {feature: candidate.gain for feature, candidate in decision.best.items()}


def _gains() -> Step:
    tree, decision = trees.grown(_TABLE, "ID3"), trees.decision(_TABLE, "ID3")
    gains = _gains_of(decision)
    features = tuple(gains)
    return Step(
        name="gains",
        title=message("17 melons: which one is ripe?"),
        text=message(
            "{ripe} of {n} melons are ripe: the entropy is {entropy}. Six features can be seen, felt or heard.",
            ripe=f"{min(tree.node(0).stats):.0f}",
            n=f"{tree.node(0).weight:.0f}",
            entropy=f"{decision.impurity:.3f}",
        ),
        picture=_gain_bars(gains),
        before=asked(_gain_bars(gains)),
        number=Number(
            message("Gain({feature})", feature=with_meaning(_STRIPES)),
            gains[_STRIPES],
            derivation=candidate_formulas(tree.node(0), decision.best[_STRIPES])["gain"],
        ),
        question=Question(
            message("Which feature says most about ripeness?"),
            tuple(map(with_meaning, features)),
            (features.index(_STRIPES),),
            message("No melon with blurred stripes is ripe, and most with clear stripes are."),
        ),
        competition=Competition(decision, tree),
        numbers={f"gain {feature}": gain for feature, gain in gains.items()} | {"entropy": decision.impurity},
        source=_source("4.2.1"),
    )


def _clear() -> Step:
    tree = trees.grown(_TABLE, "ID3")
    node = max(tree.children_of(0), key=lambda child: tree.node(child).weight)
    decision = trees.decision(_TABLE, "ID3", node)
    gains = _gains_of(decision)
    features, most = tuple(gains), max(gains.values())
    level = [feature for feature in features if most - gains[feature] < 1e-9]
    says = message("The tree of the melons.")
    return Step(
        name="clear stripes",
        title=message("Three features are level"),
        text=message(
            "Among the {n} melons with clear stripes, three features gain {gain} bits each. "
            "Any of them may split the node; here the first column wins.",
            n=f"{tree.node(node).weight:.0f}",
            gain=f"{most:.3f}",
        ),
        picture=TreePicture(tree, says, selected=node, position=2),
        before=TreePicture(tree, says, selected=node, position=1),
        number=Number(
            message("Gain({feature})", feature=with_meaning(level[0])),
            most,
            derivation=candidate_formulas(tree.node(node), decision.best[level[0]])["gain"],
        ),
        question=Question(
            message("Find one of the features that gain most among melons with clear stripes."),
            tuple(map(with_meaning, features)),
            tuple(features.index(feature) for feature in level),
            message("All of {features} gain the same.", features=listing([with_meaning(feature) for feature in level])),
        ),
        competition=Competition(decision, tree),
        numbers={f"gain {feature}": gain for feature, gain in gains.items()},
        source=_source("4.2.1"),
    )


def _split_information() -> Step:
    by_number = melons.root_by_number()
    best = {**trees.decision(_TABLE, "ID3").best, _ID: by_number}
    return Step(
        name="split information",
        title=message("The number of a melon gains most"),
        text=message(
            "A branch for every melon has entropy 0, so the gain is the whole {gain} bits. "
            "Divided by the split information it is {ratio}, less than the {other} of the stripes.",
            gain=f"{by_number.gain:.3f}",
            ratio=f"{by_number.gain_ratio or 0.0:.3f}",
            other=f"{best[_STRIPES].gain_ratio or 0.0:.3f}",
        ),
        picture=TablePicture(
            says=message("Gain, split information and gain ratio of every feature and of the number."),
            columns=(
                message("feature"),
                message("branches"),
                message("gain"),
                message("split information"),
                message("gain ratio"),
            ),
            rows=tuple(
                (
                    with_meaning(feature),
                    str(len(candidate.weights)),
                    f"{candidate.gain:.3f}",
                    f"{candidate.split_info:.3f}",
                    f"{candidate.gain_ratio or 0.0:.4f}",
                )
                for feature, candidate in best.items()
            ),
            lit=(len(best) - 1,),
        ),
        number=Number(
            message("Gain ratio of {feature}", feature=with_meaning(_ID)),
            by_number.gain_ratio or 0.0,
        ),
        numbers={f"split information {feature}": candidate.split_info for feature, candidate in best.items()}
        | {f"gain ratio {feature}": candidate.gain_ratio or 0.0 for feature, candidate in best.items()}
        | {f"gain {_ID}": by_number.gain},
        source=_source("4.2.2"),
    )


def _thresholds() -> Step:
    tree, decision = trees.grown(_NUMBERS, "C4.5", _BY_GAIN), trees.decision(_NUMBERS, "C4.5", 0, _BY_GAIN)
    density, sugar = decision.best[_DENSITY], decision.best[_SUGAR]
    return Step(
        name="numbers",
        title=message("Density and sugar"),
        text=message(
            "Weighed and measured, the melons have two numbers more. The best cut of sugar is {sugar} "
            "with gain {sugar_gain}, that of density {density} with {density_gain}: stripes still win.",
            sugar=number_text(threshold_of(sugar)),
            sugar_gain=f"{sugar.gain:.3f}",
            density=number_text(threshold_of(density)),
            density_gain=f"{density.gain:.3f}",
        ),
        picture=threshold_picture(
            trees.rows(_NUMBERS),
            decision,
            _DENSITY,
            says=message("The gain of every threshold of density above the 17 melons."),
        ),
        number=Number(
            message("Gain({test})", test=f"{_DENSITY} ≤ {number_text(threshold_of(density))}"),
            density.gain,
            derivation=candidate_formulas(tree.node(0), density)["gain"],
        ),
        competition=Competition(decision, tree),
        numbers={
            "gain density": density.gain,
            "threshold density": threshold_of(density),
            "gain sugar": sugar.gain,
            "threshold sugar": threshold_of(sugar),
        },
        source=_source("4.4.1"),
    )


def _unknown() -> Step:
    tree, decision = melons.root_with_unknown()
    gains = _gains_of(decision)
    parts = [Fraction(part).limit_denominator(_MOST_BELOW) for part in melons.parts_of(_MELON)]
    whole = sum(decision.best[_STRIPES].weights)
    return Step(
        name="missing values",
        title=message("13 cells are unknown"),
        text=message(
            "Each gain is worked out on the melons with a value, times their share. "
            "Melon {melon}, its stripes unknown, goes down the three branches with {parts}.",
            melon=_MELON,
            parts=listing([f"{part * whole:.0f}/{whole:.0f}" for part in map(float, parts)]),
        ),
        picture=_gain_bars(gains),
        before=_gain_bars(_gains_of(trees.decision(_TABLE, "ID3"))),
        number=Number(
            message("Gain({feature})", feature=with_meaning(_COLOUR)),
            gains[_COLOUR],
            derivation=candidate_formulas(tree.node(0), decision.best[_COLOUR])["gain"],
        ),
        question=Question(
            message(
                "{n} of 17 melons have a value of {feature}. By what is their gain multiplied?",
                n=f"{whole:.0f}",
                feature=with_meaning(_STRIPES),
            ),
            ("15/17", "17/15", "1"),
            (0,),
            message("A feature that is often unknown says less about all 17 melons."),
        ),
        numbers={f"gain {feature}": gain for feature, gain in gains.items()}
        | {f"part {branch}": float(part) for branch, part in enumerate(parts, 1)}
        | {
            "known colour": sum(decision.best[_COLOUR].weights) / 17,
            "entropy of known colour": _known_entropy(decision),
        },
        source=_source("4.4.2"),
    )


def _known_entropy(decision: ex.Decision) -> float:
    """The entropy of the melons whose colour is known."""
    shares = np.sum(decision.best[_COLOUR].branch_stats, axis=0) / sum(decision.best[_COLOUR].weights)
    return float(-(shares * np.log2(shares)).sum())


SCENE = Scene(
    name="melons",
    title=lambda: message("Ripe watermelons"),
    asks=lambda: message("Which of six features shows that a melon is ripe?"),
    minutes=3,
    steps=steps,
    sample=_TABLE,
    recipe="ID3",
)
