"""Who gets the loan? The 15 applicants of Li Hang by information gain, and the same table by the Gini index."""

from __future__ import annotations

import explorer as ex
from explorer.drawing.pictures.bars import Bar, Bars
from explorer.explaining import candidate_formulas
from explorer.formatting import value_text
from explorer.messages import message
from pages.learn.scenes.chinese_words import JOB, with_meaning
from pages.learn.scenes.feature_bars import asked, feature_bars
from pages.learn.scenes.step import Chosen, Competition, Number, Question, Scene, Step, TreePicture
from pages.results.lessons import trees

_TABLE = "loan_lihang"
_ONE_VALUE = (("categorical", "one_vs_rest"),)


def steps(chosen: Chosen) -> tuple[Step, ...]:
    """The gains at the root, the search below it, the whole tree, and the Gini index of every value."""
    return _gains(), _below(), _whole(), _gini()


def _source(example: str) -> str:
    return message("Li Hang, 统计学习方法 (2nd ed. 2019), table 5.1, example {example}", example=example)


def _gains() -> Step:
    tree, decision = trees.grown(_TABLE, "ID3"), trees.decision(_TABLE, "ID3")
    gains = {feature: candidate.gain for feature, candidate in decision.best.items()}
    features, best = tuple(gains), max(gains, key=lambda feature: gains[feature])
    picture = feature_bars(
        gains,
        says=message("Bars with the information gain of every feature."),
        title=message("Information gain, in bits"),
        named=with_meaning,
    )
    return Step(
        name="gains",
        title=message("15 applicants, four features"),
        text=message(
            "{granted} of {n} applicants get the loan: the entropy is {entropy}. "
            "The gain is what a feature takes from it.",
            granted=f"{max(tree.node(0).stats):.0f}",
            n=f"{tree.node(0).weight:.0f}",
            entropy=f"{decision.impurity:.3f}",
        ),
        picture=picture,
        before=asked(picture),
        number=Number(
            message("Gain({feature})", feature=with_meaning(best)),
            gains[best],
            derivation=candidate_formulas(tree.node(0), decision.best[best])["gain"],
        ),
        question=Question(
            message("Which feature says most about the loan?"),
            tuple(map(with_meaning, features)),
            (features.index(best),),
            message("Every owner of a house gets the loan, so one branch is pure at once."),
        ),
        competition=Competition(decision, tree),
        numbers={f"gain {feature}": gain for feature, gain in gains.items()} | {"entropy": decision.impurity},
        source=_source("5.2"),
    )


def _below() -> Step:
    tree = trees.grown(_TABLE, "ID3")
    node = max(tree.children_of(0), key=lambda child: tree.node(child).impurity)
    decision = trees.decision(_TABLE, "ID3", node)
    gains = {feature: candidate.gain for feature, candidate in decision.best.items()}
    features = tuple(gains)
    says = message("The tree of the loans.")
    return Step(
        name="below the root",
        title=message("Nine applicants without a house"),
        text=message(
            "Their entropy is {entropy}, and three features are left. One of them separates the nine completely.",
            entropy=f"{decision.impurity:.3f}",
        ),
        picture=TreePicture(tree, says, selected=node, position=2),
        before=TreePicture(tree, says, selected=node, position=1),
        number=Number(
            message("Gain({feature})", feature=with_meaning(JOB)),
            gains[JOB],
            derivation=candidate_formulas(tree.node(node), decision.best[JOB])["gain"],
        ),
        question=Question(
            message("Which feature splits the nine applicants without a house?"),
            tuple(map(with_meaning, features)),
            (features.index(JOB),),
            message("Those with a job get the loan, the others do not: the gain is the whole entropy."),
        ),
        competition=Competition(decision, tree),
        numbers={f"gain {feature}": gain for feature, gain in gains.items()} | {"entropy": decision.impurity},
        source=_source("5.3"),
    )


def _whole() -> Step:
    tree = trees.grown(_TABLE, "ID3")
    return Step(
        name="whole tree",
        title=message("Two features are enough"),
        text=message(
            "All leaves are pure. Age and credit are in no test: the tree has chosen among the features, too."
        ),
        picture=TreePicture(tree, message("The whole tree of the loans.")),
        number=Number(message("Leaves of the tree"), tree.n_leaves, 0),
        numbers={"leaves": float(tree.n_leaves)},
        source=_source("5.3"),
    )


def _gini() -> Step:
    tree, decision = trees.grown(_TABLE, "CART", _ONE_VALUE), trees.decision(_TABLE, "CART", 0, _ONE_VALUE)
    ginis = {_value(candidate): candidate.weighted_impurity for candidate in decision.candidates}
    best = decision.chosen
    assert best is not None, "the root is split"
    bars = tuple(
        Bar(
            f"{with_meaning(candidate.feature)} = {with_meaning(_value(candidate)[1])}",
            candidate.weighted_impurity,
            f"{candidate.weighted_impurity:.3f}",
            candidate is best,
        )
        for candidate in decision.candidates
    )
    return Step(
        name="gini",
        title=message("The same table in CART"),
        text=message(
            "CART asks for one value at a time, and takes the question that leaves the smallest Gini index. "
            "Before any question it is {gini}.",
            gini=f"{decision.impurity:.3f}",
        ),
        picture=Bars(
            says=message("Bars with the Gini index that is left by asking for each value."),
            title=message("Gini index after the question"),
            bars=bars,
            most=decision.impurity * 1.15,
        ),
        number=Number(
            message("Decrease of the Gini index"),
            best.gain,
            derivation=candidate_formulas(tree.node(0), best)["Gini decrease"],
        ),
        numbers={f"{feature} = {value}": gini for (feature, value), gini in ginis.items()}
        | {"gini": decision.impurity},
        source=_source("5.4"),
    )


def _value(candidate: ex.Candidate) -> tuple[str, str]:
    """The feature, and the one value asked for: of yes and no the yes."""
    groups = [[value_text(value) for value in group] for group in candidate.condition.branches]
    single = [group[0] for group in groups if len(group) == 1]
    return candidate.feature, "是" if "是" in single else single[0]


SCENE = Scene(
    name="loans",
    title=lambda: message("Who gets the loan?"),
    asks=lambda: message("Which two of four features decide on a loan?"),
    minutes=2,
    steps=steps,
    sample=_TABLE,
    recipe="ID3",
)
