"""What does a split tell? Conditional entropy, information gain and mutual information as areas."""

from __future__ import annotations

from dataclasses import dataclass

import explorer as ex
from explorer.candidates.candidates import Candidate
from explorer.drawing.pictures.split_pictures import Branch, Chords, EntropyOverlap, SplitAreas, Uncertain
from explorer.explaining import Derivation, candidate_formulas
from explorer.formatting import figure
from explorer.messages import message
from pages.learn.scenes.step import Choice, Chosen, Number, Question, Scene, Step
from pages.results.lessons.mixtures import impurity_derivation, root_of

_TABLE, _TARGET = "play_tennis", "PlayTennis"
_FEATURES = ("Outlook", "Humidity", "Wind", "Temperature")
_TWO_WAY = ("Wind", "Humidity")
"""The features with two values."""


@dataclass(frozen=True)
class _Split:
    """A split of all rows on one feature, with what its numbers are called."""

    tree: ex.Tree
    candidate: Candidate
    feature: str
    target: str = _TARGET

    @property
    def before(self) -> float:
        return self.tree.node(0).impurity

    @property
    def after(self) -> float:
        """The conditional entropy."""
        return self.before - self.candidate.gain

    @property
    def branches(self) -> tuple[Branch, ...]:
        parts = zip(
            self.candidate.condition.branches, self.candidate.branch_stats, self.candidate.impurities, strict=True
        )
        return tuple(
            Branch(str(values[0]), tuple(float(count) for count in counts), float(entropy))
            for values, counts, entropy in parts
        )

    @property
    def formulas(self) -> dict[str, Derivation]:
        """Its numbers with all their fractions."""
        return candidate_formulas(self.tree.node(0), self.candidate)

    @property
    def gain(self) -> Derivation:
        """The gain, from the entropies of the branches on."""
        return self.formulas["gain"]

    @property
    def remaining(self) -> Derivation:
        """The same up to the conditional entropy."""
        return Derivation(self.gain.formulas[:-1], self.gain.legend[1:])

    def picture(self, **changes: object) -> SplitAreas:
        """The branches as areas."""
        fields = {
            "says": message("The branches of {feature} as columns, as wide as their shares.", feature=self.feature),
            "classes": self.tree.classes,
            "branches": self.branches,
            "before": self.before,
            "after": self.after,
            "names": {"before": "H(D)", "after": f"H(D|{self.feature})", "gain": message("gain")},
        }
        return SplitAreas(**{**fields, **changes})  # type: ignore[arg-type]


def _split(feature: str, table: str = _TABLE, target: str = _TARGET, impurity: str = "entropy") -> _Split:
    tree, candidate = root_of(table, target, feature, impurity)
    return _Split(tree, candidate, feature, target)


def steps(chosen: Chosen) -> tuple[Step, ...]:
    """From the branches of Outlook to conditional entropy, gain, and what two columns tell about each other."""
    feature = chosen.get("feature", _FEATURES[0])
    return _branches(), _remaining(), _gain(feature), _coin(), _mutual(feature), _chords(chosen.get("two_way", "Wind"))


def _feature_choice() -> Choice:
    return Choice("feature", message("Feature"), {name: name for name in _FEATURES}, _FEATURES[0])


def _branches() -> Step:
    split = _split("Outlook")
    sunny = split.branches[0]
    return Step(
        name="branches",
        title=message("Outlook makes three smaller bags"),
        text=message(
            "Each column is a branch, as wide as its share of the 14 days: 5/14, 4/14 and 5/14. "
            "Overcast is pure, the other two are still mixed."
        ),
        picture=split.picture(has_entropy=False),
        question=Question(
            message(
                "All days have an entropy of {entropy} bits. Is the entropy of Sunny larger or smaller?",
                entropy=f"{split.before:.3f}",
            ),
            (message("larger"), message("smaller"), message("equal")),
            (0,),
            message("2 Yes and 3 No are nearer to half and half. A split can make a single branch more mixed."),
        ),
        number=Number(
            message("Entropy of {bag}, in bits", bag="Sunny"),
            sunny.impurity,
            derivation=impurity_derivation("entropy", sunny.counts, rows="Outlook = Sunny"),
        ),
        numbers={"entropy Sunny": sunny.impurity},
        source=message("Mitchell, Machine Learning (1997), chapter 3"),
    )


def _weighted_sum(split: _Split) -> str:
    """The conditional entropy as a sum: 5/14 · 0.971 + 4/14 · 0 + 5/14 · 0.971."""
    total = sum(split.candidate.weights)
    pairs = zip(split.candidate.weights, split.branches, strict=True)
    return " + ".join(f"{weight:g}/{total:g} · {figure(branch.impurity)}" for weight, branch in pairs)


def _remaining() -> Step:
    split = _split("Outlook")
    unweighted = sum(branch.impurity for branch in split.branches) / len(split.branches)
    total = sum(branch.impurity for branch in split.branches)
    return Step(
        name="remaining",
        title=message("Conditional entropy is an area"),
        text=message(
            "The lower columns are as high as the entropy of their branch. "
            "Their area, width times height, is the mean entropy that is left: the conditional entropy, called "
            "empirical as its shares are counted."
        ),
        picture=split.picture(),
        before=split.picture(asks=True),
        question=Question(
            message("What is H(D|Outlook): {sum}?", sum=_weighted_sum(split)),
            (f"{unweighted:.3f}", f"{split.after:.3f}", f"{total:.3f}"),
            (1,),
            message("Each branch counts by its share of the rows; a plain mean or sum forgets the widths."),
        ),
        number=Number(message("{symbol}, in bits", symbol="H(D|Outlook)"), split.after, derivation=split.remaining),
        numbers={"conditional entropy Outlook": split.after},
    )


def _gain(feature: str) -> Step:
    split = _split(feature)
    return Step(
        name="gain",
        title=message("Level the columns: the strip is the gain"),
        text=message(
            "Levelled, the columns are as high as the conditional entropy. "
            "The strip up to H(D) is the information gain, the mutual information of class and feature."
        ),
        picture=split.picture(is_level=True),
        choices=(_feature_choice(),),
        number=Number(
            message("{symbol}, in bits", symbol=f"Gain({feature})"), split.candidate.gain, derivation=split.gain
        ),
        numbers={
            "entropy": split.before,
            f"conditional entropy {feature}": split.after,
            f"gain {feature}": split.candidate.gain,
        },
        source=message("Quinlan (1986), Induction of decision trees"),
    )


def _coin() -> Step:
    split = _split("Coin", "coin")
    return Step(
        name="coin",
        title=message("Never more, sometimes as much"),
        text=message(
            "Here each day stands twice in the table, once with heads and once with tails. "
            "Coin is independent of the class, so every branch is as mixed as the whole."
        ),
        picture=split.picture(),
        before=split.picture(asks=True),
        question=Question(
            message("Which of these holds for every feature A?"),
            ("H(D|A) < H(D)", "H(D|A) ≤ H(D)", "H(D|A) ≥ H(D)"),
            (1,),
            message("On average a split cannot raise the entropy, but an independent feature leaves it equal."),
        ),
        number=Number(message("{symbol}, in bits", symbol="Gain(Coin)"), split.candidate.gain, derivation=split.gain),
        numbers={"entropy": split.before, "conditional entropy Coin": split.after},
    )


def _mutual(feature: str) -> Step:
    split, back = _split(feature), _split(_TARGET, target=feature)
    return Step(
        name="mutual",
        title=message("Each tells as much about the other"),
        text=message(
            "The two bars overlap by the mutual information. "
            "{feature} tells as much about {target} as {target} tells about {feature}.",
            feature=feature,
            target=_TARGET,
        ),
        picture=EntropyOverlap(
            says=message("Two bars of entropy that overlap by the mutual information."),
            first=Uncertain(f"H({_TARGET})", split.before, f"H({_TARGET}|{feature})", split.after),
            second=Uncertain(f"H({feature})", back.before, f"H({feature}|{_TARGET})", back.after),
            shared=split.candidate.gain,
            shared_label=message("mutual information"),
        ),
        choices=(_feature_choice(),),
        number=Number(
            message("Gain of a split of {feature} by {target}", feature=feature, target=_TARGET),
            back.candidate.gain,
            derivation=back.gain,
        ),
        numbers={
            f"mutual information {feature}": split.candidate.gain,
            f"entropy of {feature}": back.before,
            f"entropy of {feature} given the class": back.after,
        },
    )


def _chords(feature: str) -> Step:
    split, by_error = _split(feature), _split(feature, impurity="error")
    classes = (str(split.tree.classes[0]), str(split.tree.classes[1]))
    counts = tuple(float(count) for count in split.tree.node(0).stats)
    offered = [errors / sum(counts) for errors in range(3)]

    def picture(asks: bool) -> Chords:
        return Chords(
            says=message("The split on {feature} on the curves of entropy and error rate.", feature=feature),
            classes=classes,
            counts=counts,
            branches=split.branches,
            measures=("entropy", "error"),
            decreases=tuple("?" if asks else f"{each.candidate.gain:.3f}" for each in (split, by_error)),
        )

    return Step(
        name="chords",
        title=message("What the error rate does not see"),
        text=message(
            "The branches lie on the curve, their weighted mean on the line between them. "
            "Where the curve bends, the mean lies below the node; along a straight side nothing is gained."
        ),
        picture=picture(asks=False),
        before=picture(asks=True),
        choices=(Choice("two_way", message("Feature"), {name: name for name in _TWO_WAY}, _TWO_WAY[0]),),
        question=Question(
            message("By how much does the split on {feature} lower the error rate?", feature=feature),
            tuple(f"{decrease:.3f}" for decrease in offered),
            tuple(k for k, decrease in enumerate(offered) if abs(decrease - by_error.candidate.gain) < 1e-9),
            message("The errors of the branches, weighted by their rows, are compared with 5/14 before the split."),
        ),
        number=Number(
            message("Decrease of the error rate by {feature}", feature=feature),
            by_error.candidate.gain,
            derivation=by_error.formulas["error decrease"],
        ),
        numbers={f"gain {feature}": split.candidate.gain, f"error decrease {feature}": by_error.candidate.gain},
        source=message("Breiman et al. (1984), section 4.1"),
    )


SCENE = Scene(
    name="information",
    title=lambda: message("What does a split tell?"),
    asks=lambda: message("How do conditional entropy, gain and mutual information belong together?"),
    minutes=4,
    steps=steps,
    sample=_TABLE,
    recipe="ID3",
)
