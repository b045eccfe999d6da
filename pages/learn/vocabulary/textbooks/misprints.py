"""Missing cells, costs of features, and numbers that are printed wrong, as bars."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from explorer.drawing.pictures.bars import Bar, Bars
from pages.learn.vocabulary.pictures import bar_picture
from pages.learn.vocabulary.words import Here, add, word
from pages.results.lessons import textbook_rules


@word
def bars_of(
    here: Here,
    words: tuple[str, ...],
    values: tuple[float, ...],
    most: float,
    best: int = 0,
    digits: int = 4,
    asks: bool = False,
) -> Bars:
    """Numbers of any kind as bars, one of them in the colour of the best; while it `asks`, without the numbers."""
    pairs = enumerate(zip(words, [0.0] * len(words) if asks else values, strict=True))
    return bar_picture(
        here, (Bar(name, float(value), "", at == best) for at, (name, value) in pairs), most, digits, asks
    )


@word
def bars_of_printed(here: Here, printed: float, words: tuple[str, ...], values: tuple[float, ...], most: float) -> Bars:
    """A number as it is printed, beside what counting gives; the first of these is the right one."""
    name, *names = words
    counted = bars_of(here, tuple(names), values, most)
    return replace(counted, bars=(Bar(name, printed, f"{printed}"), *counted.bars))


@word
def bars_of_policies(here: Here, policies: tuple[str, ...], words: tuple[str, ...]) -> Bars:
    """The gain of outlook by every policy, with the root that the tree then has."""
    found = [textbook_rules.outlook_of(policy) for policy in policies]
    bars = zip(words, found, policies, strict=True)
    made = (Bar(name, gain, f"{gain:.4f} → {root}", of == "fractional") for name, (gain, root), of in bars)
    return bar_picture(here, made, 0.55)


_COSTS = {
    "own": (("Outlook", 1.0), ("Temperature", 3.0), ("Humidity", 5.0), ("Wind", 2.0)),
    "dear": (("Outlook", 10.0), ("Temperature", 1.0), ("Humidity", 1.0), ("Wind", 1.0)),
}


def _by_costs(costs: str) -> tuple[dict[str, float], dict[str, float]]:
    """The scores of Tan and Schlimmer, and of Núñez."""
    scores = (textbook_rules.scores_by_cost(score, _COSTS[costs]) for score in ("tan_schlimmer", "nunez"))
    tan, nunez = scores
    return tan, nunez


@word
def best_by_cost(here: Here, costs: str) -> str:
    """The feature with the largest gain² / cost."""
    tan = _by_costs(costs)[0]
    return max(tan, key=lambda name: tan[name])


@word
def each_score_by_cost(here: Here, costs: str) -> Mapping[str, float]:
    """Both scores of all features, as numbers of their own."""
    tan, nunez = _by_costs(costs)
    return {f"Tan-Schlimmer {name}": score for name, score in tan.items()} | {
        f"Núñez {name}": score for name, score in nunez.items()
    }


@word
def bars_by_cost(here: Here, costs: str) -> Bars:
    """Both scores of all features."""
    best, rules = best_by_cost(here, costs), zip(("T–S", "Núñez"), _by_costs(costs), strict=True)
    found = [(name, rule, scores[name]) for rule, scores in rules for name in scores]
    names = list(dict.fromkeys(name for name, _, _ in found))
    bars = [Bar(f"{name} · {rule}", score, "", name == best) for name, rule, score in found]
    ordered = sorted(bars, key=lambda bar: names.index(bar.label.split(" · ")[0]))
    return bar_picture(here, ordered, 1.2 * max(bar.value for bar in bars), 4)


add(
    largest_part=lambda here: max(textbook_rules.parts_of_unknown()),  # The larger part of the row without a value.
    smallest_part=lambda here: min(textbook_rules.parts_of_unknown()),  # The smaller part of the row without a value.
    # The gain of outlook by a policy for missing values.
    gain_by_policy=lambda here, policy: textbook_rules.outlook_of(policy)[0],
    score_by_cost=lambda here, costs: max(_by_costs(costs)[0].values()),  # Its gain² / cost.
    # What the package says when Wind costs nothing.
    refusal=lambda here, costs: textbook_rules.refused_costs({**dict(_COSTS[costs]), "Wind": 0.0}),
    # The share of sections among 3 of 32 births, or the same smoothed by Laplace's rule.
    section_share=lambda here, smoothed=False: textbook_rules.presentation_shares()[smoothed],
    # The entropy of the branch that comes nearest to a printed number.
    branch_entropy=lambda here, feature, near: min(
        here.decision.best[feature].impurities, key=lambda value: abs(value - near)
    ),
    largest=lambda here, *values: max(values),  # The largest of some numbers.
    rounded=lambda here, value, digits: round(value, digits),  # A number with so many decimals.
)
