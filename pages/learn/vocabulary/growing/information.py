"""What the split of all rows on one feature tells: conditional entropy, gain, and mutual information as areas."""

from __future__ import annotations

from explorer.candidates.candidates import Candidate
from explorer.drawing.pictures.split_pictures import Branch, Chords, EntropyOverlap, SplitAreas, Uncertain
from explorer.explaining import Derivation, candidate_formulas
from explorer.formatting import figure
from explorer.messages import message
from pages.learn.vocabulary.words import Derived, Here, add, word
from pages.results.lessons.mixtures import impurity_derivation, root_of

_TARGET = "PlayTennis"
_ERROR_ROWS = 14
"""Rows of the table whose error rate is split."""


def _split(here: Here, feature: str, target: str = _TARGET, impurity: str = "entropy") -> tuple[float, Candidate]:
    """The impurity of all rows, and their split."""
    tree, candidate = root_of(here.table, target, feature, impurity)
    return tree.node(0).impurity, candidate


def _branches(candidate: Candidate) -> tuple[Branch, ...]:
    parts = zip(candidate.condition.branches, candidate.branch_stats, candidate.impurities, strict=True)
    return tuple(
        Branch(str(values[0]), tuple(float(count) for count in counts), float(entropy))
        for values, counts, entropy in parts
    )


def _derived(here: Here, feature: str, measure: str, target: str = _TARGET, impurity: str = "entropy") -> Derivation:
    tree, candidate = root_of(here.table, target, feature, impurity)
    return candidate_formulas(tree.node(0), candidate)[measure]


@word
def first_branch_entropy(here: Here, feature: str) -> Derived:
    """The entropy of the first branch."""
    branch = _branches(_split(here, feature)[1])[0]
    rows = f"{feature} = {branch.label}"
    return Derived(branch.impurity, impurity_derivation("entropy", branch.counts, rows=rows))


@word
def conditional_entropy(here: Here, feature: str, target: str = _TARGET) -> Derived:
    """The mean entropy of the branches."""
    before, candidate = _split(here, feature, target)
    gain = _derived(here, feature, "gain", target)
    return Derived(before - candidate.gain, Derivation(gain.formulas[:-1], gain.legend[1:]))


@word
def error_decrease(here: Here, feature: str) -> Derived:
    """By how much the split lowers the error rate."""
    gain = _split(here, feature, impurity="error")[1].gain
    return Derived(gain, _derived(here, feature, "error decrease", impurity="error"))


@word
def sum_of_branches(here: Here, feature: str) -> float:
    """The entropies of the branches, added up."""
    return sum(branch.impurity for branch in _branches(_split(here, feature)[1]))


@word
def weighted_sum(here: Here, feature: str) -> str:
    """The conditional entropy as a sum: 5/14 · 0.971 + 4/14 · 0 + 5/14 · 0.971."""
    weights = _split(here, feature)[1].weights
    pairs = zip(weights, _branches(_split(here, feature)[1]), strict=True)
    return " + ".join(f"{weight:g}/{sum(weights):g} · {figure(branch.impurity)}" for weight, branch in pairs)


@word
def areas(here: Here, feature: str, entropy: bool = True, level: bool = False, asks: bool = False) -> SplitAreas:
    """The branches as columns, as wide as their shares of the rows."""
    before, candidate = _split(here, feature)
    return SplitAreas(
        says=here.says,
        classes=tuple(map(str, root_of(here.table, _TARGET, feature)[0].classes)),
        branches=_branches(candidate),
        before=before,
        after=before - candidate.gain,
        names={"before": "H(D)", "after": f"H(D|{feature})", "gain": message("gain")},
        has_entropy=entropy,
        is_level=level,
        asks=asks,
    )


@word
def overlap(here: Here, feature: str, words: str) -> EntropyOverlap:
    """The entropies of class and feature as bars that overlap by what they tell about each other."""
    (before, split), (other, back) = _split(here, feature), _split(here, _TARGET, feature)
    return EntropyOverlap(
        says=here.says,
        first=Uncertain(f"H({_TARGET})", before, f"H({_TARGET}|{feature})", before - split.gain),
        second=Uncertain(f"H({feature})", other, f"H({feature}|{_TARGET})", other - back.gain),
        shared=split.gain,
        shared_label=words,
    )


@word
def chords(here: Here, feature: str, asks: bool = False) -> Chords:
    """A split into two branches on the curves of entropy and error rate."""
    tree, split = root_of(here.table, _TARGET, feature)
    gains = (split.gain, float(error_decrease(here, feature)))
    return Chords(
        says=here.says,
        classes=(str(tree.classes[0]), str(tree.classes[1])),
        counts=tuple(float(count) for count in tree.node(0).stats),
        branches=_branches(split),
        measures=("entropy", "error"),
        decreases=tuple("?" if asks else f"{gain:.3f}" for gain in gains),
    )


add(
    # The entropy before the split.
    split_entropy=lambda here, feature, target=_TARGET: _split(here, feature, target)[0],
    # The gain of the split: what feature and target tell about each other.
    split_gain=lambda here, feature, target=_TARGET: Derived(
        _split(here, feature, target)[1].gain, _derived(here, feature, "gain", target)
    ),
    # The shares of 0, 1, … wrong rows, as texts.
    error_rates=lambda here, most: tuple(f"{errors / _ERROR_ROWS:.3f}" for errors in range(most + 1)),
    # Their plain mean.
    mean_of_branches=lambda here, feature: sum_of_branches(here, feature) / len(_split(here, feature)[1].impurities),
)
