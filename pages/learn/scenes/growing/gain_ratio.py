"""C4.5: the gain ratio and the mean-gain filter, on the mammals and on the golf table."""

from __future__ import annotations

import explorer as ex
from explorer.drawing.pictures.bars import Bars
from explorer.drawing.pictures.row_groups import Division, RowGroups
from explorer.explaining import candidate_formulas
from explorer.formatting import number_text
from explorer.messages import message
from pages.learn.scenes import branches
from pages.learn.scenes.chinese_words import BIRTH, DIET, WATER, in_words, with_meaning
from pages.learn.scenes.derivations import mean_derived
from pages.learn.scenes.feature_bars import feature_bars
from pages.learn.scenes.step import Chosen, Competition, Number, Question, Scene, Step, TreePicture
from pages.learn.scenes.threshold_cuts import threshold_of, threshold_picture
from pages.results.lessons import trees

_TABLE, _RECIPE, _GOLF = "mammals", "C4.5", "golf"
_WITHOUT_FILTER = (("mean_gain_filter", "off"),)


def steps(chosen: Chosen) -> tuple[Step, ...]:
    """From the gains of the mammals to a lone row that the filter keeps out."""
    return _diet(), _gains(), _split_information(), _ratios(), _below(), _lone_row(), _filter()


def _root() -> tuple[ex.Tree, ex.Decision]:
    return trees.grown(_TABLE, _RECIPE), trees.decision(_TABLE, _RECIPE)


def _source() -> str:
    return message("Quinlan, C4.5: Programs for Machine Learning (1993), section 2.2")


def _animals(divisions: tuple[Division, ...], shown: int = 0, state: str = "", has_shares: bool = False) -> RowGroups:
    data = trees.rows(_TABLE)
    return RowGroups(
        says=message("14 animals in the branches of a feature, coloured by whether they are mammals."),
        rows=tuple(map(str, ex.load_sample(_TABLE).frame["名称"])),
        codes=tuple(data.y.tolist()),
        details=branches.details(data, with_meaning),
        classes=tuple(with_meaning(str(value)) for value in data.classes),
        divisions=divisions,
        shown=shown,
        has_shares=has_shares,
        state=state,
    )


def _diet() -> Step:
    tree, decision = _root()
    data, diet = trees.rows(_TABLE), decision.best[DIET]
    divisions = tuple(
        branches.divided(data, each, branches.gain_text(each, decision.impurity), with_meaning)
        for each in decision.best.values()
    )
    labels = [str(group[0]) for group in diet.condition.branches]
    return Step(
        name="diet",
        title=message("14 animals: is it a mammal?"),
        text=message(
            "The table is Chinese; its words stand with their meaning in brackets. "
            "{diet} has three branches: meat, plants, both.",
            diet=with_meaning(DIET),
        ),
        picture=_animals(divisions),
        number=Number(
            message("Gain({feature})", feature=with_meaning(DIET)),
            diet.gain,
            derivation=candidate_formulas(tree.node(0), diet)["gain"],
        ),
        numbers={f"entropy {label}": value for label, value in zip(labels, diet.impurities, strict=True)}
        | {"entropy": decision.impurity, "gain": diet.gain},
    )


def _bars(values: dict[str, float], title: str, out: frozenset[str] = frozenset(), mean: float | None = None) -> Bars:
    return feature_bars(
        values,
        says=message("A number of every feature as a bar."),
        title=title,
        named=with_meaning,
        out=out,
        mark=mean,
        mark_text="" if mean is None else message("mean {value}", value=f"{mean:.3f}"),
    )


def _all_gains(decision: ex.Decision) -> dict[str, float]:
    return {feature: candidate.gain for feature, candidate in decision.best.items()}


def _all_ratios(decision: ex.Decision) -> dict[str, float]:
    return {feature: candidate.gain_ratio or 0.0 for feature, candidate in decision.best.items()}


def _rejected(decision: ex.Decision) -> frozenset[str]:
    return frozenset(name for name, candidate in decision.best.items() if candidate.rejected is not None)


def _gains() -> Step:
    tree, decision = _root()
    gains = _all_gains(decision)
    best = decision.best[BIRTH]
    return Step(
        name="gains",
        title=message("Live birth gains most"),
        text=message(
            "Gain alone is ID3’s measure. {diet} comes second, but it also has the most branches: "
            "more branches are purer by chance alone.",
            diet=with_meaning(DIET),
        ),
        picture=_bars(gains, message("Information gain, in bits")),
        number=Number(
            message("Gain({feature})", feature=with_meaning(BIRTH)),
            best.gain,
            derivation=candidate_formulas(tree.node(0), best)["gain"],
        ),
        numbers={f"gain {feature}": gain for feature, gain in gains.items()},
    )


def _split_information() -> Step:
    tree, decision = _root()
    data = trees.rows(_TABLE)
    divisions = tuple(
        branches.divided(data, each, _information_text(each), with_meaning) for each in decision.best.values()
    )
    asked = tuple(branches.divided(data, each, names=with_meaning) for each in decision.best.values())
    diet = decision.best[DIET]
    return Step(
        name="split information",
        title=message("The entropy of the branch sizes"),
        text=message(
            "The strip shows each branch’s share of the animals. Split information is the entropy of these shares, "
            "whatever the classes; gain ratio = gain / split information."
        ),
        picture=_animals(divisions, state="answered", has_shares=True),
        before=_animals(asked, state="asked", has_shares=True),
        number=Number(
            message("Gain ratio of {feature}", feature=with_meaning(DIET)),
            diet.gain_ratio or 0.0,
            derivation=candidate_formulas(tree.node(0), diet)["gain ratio"],
        ),
        question=Question(
            message("Which feature has the largest split information?"),
            (with_meaning(DIET), with_meaning(BIRTH), with_meaning(WATER)),
            (0,),
            message("Three branches can have more than 1 bit; two equal branches have exactly 1, unequal ones less."),
        ),
        numbers={
            "split information diet": diet.split_info,
            "gain": diet.gain,
            "gain ratio diet": diet.gain_ratio or 0.0,
        },
        source=_source(),
    )


def _information_text(candidate: ex.Candidate) -> str:
    return message(
        "ratio = {gain} / {info} = {ratio}",
        gain=f"{candidate.gain:.3f}",
        info=f"{candidate.split_info:.3f}",
        ratio=f"{candidate.gain_ratio or 0.0:.3f}",
    )


def _ratios() -> Step:
    tree, decision = _root()
    mean = float(decision.mean_gain or 0.0)
    ratios, gains = _all_ratios(decision), _all_gains(decision)
    return Step(
        name="ratios",
        title=message("Only gains above the mean compete"),
        text=message(
            "C4.5 first drops the features whose gain is below the mean gain. "
            "Among the others the largest gain ratio wins: here a single feature is left."
        ),
        picture=_bars(gains, message("Information gain, in bits"), _rejected(decision), mean),
        number=Number(message("Mean of the four gains"), mean, derivation=mean_derived(tree, decision)),
        competition=Competition(decision, tree),
        numbers={"mean gain": mean}
        | {f"gain ratio {feature}": ratio for feature, ratio in ratios.items()}
        | {f"split information {name}": each.split_info for name, each in decision.best.items()},
        source=_source(),
    )


def _below() -> Step:
    tree = trees.grown(_TABLE, _RECIPE)
    node = int(tree.children_of(0)[1])
    decision = trees.decision(_TABLE, _RECIPE, node)
    best = decision.best[WATER]
    features = tuple(decision.best)
    says = message("The tree of the animals.")
    return Step(
        name="below the root",
        title=message("The search goes on below"),
        text=message(
            "Seven animals lay eggs, one of them is a mammal: the platypus 鸭嘴兽. "
            "It has the same values as two fish, so no test can find it."
        ),
        picture=TreePicture(in_words(tree), says, selected=node, position=2),
        before=TreePicture(in_words(tree), says, selected=node, position=1),
        number=Number(
            message("Gain ratio of {feature}", feature=with_meaning(WATER)),
            best.gain_ratio or 0.0,
            derivation=candidate_formulas(tree.node(node), best)["gain ratio"],
        ),
        question=Question(
            message("Which feature splits the animals that lay eggs?"),
            tuple(map(with_meaning, features)),
            (features.index(WATER),),
            message(
                "The only mammal among them lives in water. Its gain is the only one above the mean, {mean}.",
                mean=f"{decision.mean_gain:.3f}",
            ),
        ),
        competition=Competition(decision, tree),
        numbers={"entropy": decision.impurity, "mean gain": float(decision.mean_gain or 0.0)}
        | {f"gain {name}": each.gain for name, each in decision.best.items()}
        | {f"gain ratio {name}": each.gain_ratio or 0.0 for name, each in decision.best.items()},
    )


def _lone_row() -> Step:
    decision = trees.decision(_GOLF, _RECIPE, 0, _WITHOUT_FILTER)
    tree = trees.grown(_GOLF, _RECIPE, _WITHOUT_FILTER)
    best = decision.best["temperature"]
    says = message("Gain and gain ratio of every temperature threshold of the golf table.")
    features = tuple(decision.best)
    return Step(
        name="lone row",
        title=message("The ratio alone loves a lone row"),
        text=message(
            "Split information is small where one branch has nearly all rows. "
            "Dividing by it, the ratio rises at both ends: one day against 13."
        ),
        picture=threshold_picture(
            trees.rows(_GOLF), decision, "temperature", says=says, has_ratio=True, state="answered"
        ),
        before=threshold_picture(trees.rows(_GOLF), decision, "temperature", says=says, state="asked"),
        number=Number(
            message("Gain ratio of {feature}", feature=f"temperature ≤ {number_text(threshold_of(best))}"),
            best.gain_ratio or 0.0,
            derivation=candidate_formulas(tree.node(0), best)["gain ratio"],
        ),
        question=Question(
            message("Gain says outlook. Which feature of the golf table has the largest gain ratio?"),
            features,
            (features.index("temperature"),),
            message(
                "A threshold that cuts off a single day: its ratio {ratio} beats outlook’s {other}.",
                ratio=f"{best.gain_ratio:.3f}",
                other=f"{decision.best['outlook'].gain_ratio:.3f}",
            ),
        ),
        competition=Competition(decision, tree),
        numbers={
            "threshold": threshold_of(best),
            "gain temperature": best.gain,
            "split information temperature": best.split_info,
            "ratio temperature": best.gain_ratio or 0.0,
            "ratio outlook": decision.best["outlook"].gain_ratio or 0.0,
        },
        source=_source(),
    )


def _filter() -> Step:
    tree, decision = trees.grown(_GOLF, _RECIPE), trees.decision(_GOLF, _RECIPE)
    mean = float(decision.mean_gain or 0.0)
    outlook, windy = decision.best["outlook"], decision.best["windy"]
    return Step(
        name="filter",
        title=message("The mean-gain filter keeps it out"),
        text=message(
            "The lone day gains less than the mean, so its high ratio does not count. "
            "Outlook alone is above the mean and splits the root, as in Quinlan’s book."
        ),
        picture=_bars(_all_gains(decision), message("Information gain, in bits"), _rejected(decision), mean),
        number=Number(message("Mean of the four gains"), mean, derivation=mean_derived(tree, decision)),
        competition=Competition(decision, tree),
        numbers={
            "mean gain": mean,
            "gain outlook": outlook.gain,
            "split information outlook": outlook.split_info,
            "ratio outlook": outlook.gain_ratio or 0.0,
            "gain windy": windy.gain,
            "split information windy": windy.split_info,
            "ratio windy": windy.gain_ratio or 0.0,
        },
        source=_source(),
    )


SCENE = Scene(
    name="gain_ratio",
    title=lambda: message("C4.5: gain ratio"),
    asks=lambda: message("Why does C4.5 divide the gain, and why not always?"),
    minutes=5,
    steps=steps,
    sample=_TABLE,
    recipe=_RECIPE,
)
