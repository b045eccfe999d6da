"""Zhou's watermelons: split by their number, and with the missing values of table 4.4."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import numpy as np

import explorer as ex
from explorer.drawing.pictures.bars import Bar, Bars
from explorer.explaining import candidate_formulas
from explorer.messages import listing, message
from pages.learn.scenes.step import TablePicture
from pages.learn.vocabulary.pictures import bar_picture
from pages.learn.vocabulary.words import Derived, Here, word
from pages.results.lessons import melons

_NUMBER = "编号"
_MELON = 8
"""The book follows this melon, whose stripes are unknown."""
_MOST_BELOW = 50


def _with_number(here: Here) -> dict[str, ex.Candidate]:
    return {**here.decision.best, _NUMBER: melons.root_by_number()}


@word
def gain_by_number(here: Here) -> float:
    """The gain of one branch a melon."""
    return melons.root_by_number().gain


@word
def gain_ratio_by_number(here: Here) -> float:
    """Its gain ratio."""
    return melons.root_by_number().gain_ratio or 0.0


@word
def each_with_number(here: Here) -> Mapping[str, float]:
    """Split information and gain ratio of every feature and of the number."""
    found = _with_number(here)
    return (
        {f"split information {name}": each.split_info for name, each in found.items()}
        | {f"gain ratio {name}": each.gain_ratio or 0.0 for name, each in found.items()}
        | {f"gain {_NUMBER}": found[_NUMBER].gain}
    )


@word
def table_with_number(here: Here) -> TablePicture:
    """Gain, split information and gain ratio of every feature and of the number."""
    columns = (message("feature"), message("branches"), message("gain"))
    return TablePicture(
        says=here.says,
        columns=(*columns, message("split information"), message("gain ratio")),
        rows=tuple(
            (
                here.named(name),
                str(len(each.weights)),
                f"{each.gain:.3f}",
                f"{each.split_info:.3f}",
                f"{each.gain_ratio or 0.0:.4f}",
            )
            for name, each in _with_number(here).items()
        ),
        lit=(len(here.decision.best),),
    )


def _unknown() -> tuple[ex.Tree, ex.Decision]:
    return melons.root_with_unknown()


@word
def gain_with_unknown(here: Here, feature: str) -> Derived:
    """The gain of a feature where some cells are missing."""
    tree, decision = _unknown()
    best = decision.best[feature]
    return Derived(best.gain, candidate_formulas(tree.node(0), best)["gain"])


@word
def known(here: Here, feature: str) -> float:
    """How many melons have a value of a feature."""
    return float(sum(_unknown()[1].best[feature].weights))


@word
def parts_of_melon(here: Here, feature: str) -> str:
    """In which parts the melon goes down the branches, as fractions of the melons with a value."""
    whole = known(here, feature)
    return listing([f"{part * whole:.0f}/{whole:.0f}" for part in map(float, _parts())])


def _parts() -> list[Fraction]:
    return [Fraction(part).limit_denominator(_MOST_BELOW) for part in melons.parts_of(_MELON)]


@word
def each_with_unknown(here: Here, feature: str) -> Mapping[str, float]:
    """The gains where cells are missing, the parts of the melon, and what is known of a feature."""
    best = _unknown()[1].best
    shares = np.sum(best[feature].branch_stats, axis=0) / sum(best[feature].weights)
    return (
        {f"gain {name}": each.gain for name, each in best.items()}
        | {f"part {branch}": float(part) for branch, part in enumerate(_parts(), 1)}
        | {
            "known colour": known(here, feature) / 17,
            "entropy of known colour": float(-(shares * np.log2(shares)).sum()),
        }
    )


@word
def bars_with_unknown(here: Here) -> Bars:
    """The gains of all features where cells are missing."""
    gains = {name: each.gain for name, each in _unknown()[1].best.items()}
    best = max(gains.values())
    return bar_picture(here, (Bar(here.named(name), gain, "", gain == best) for name, gain in gains.items()))
