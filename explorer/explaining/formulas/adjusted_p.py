"""The formulas of a χ² test and of its adjusted p-value (DEFINITIONS section 5; of ensembles, section 25)."""

from __future__ import annotations

from dataclasses import dataclass

from explorer.candidates.adjusted_p import AdjustedP
from explorer.candidates.candidates import Candidate
from explorer.candidates.counts import Floats
from explorer.candidates.merging import ComparedGroups
from explorer.explaining.formulas.derivation import Formula
from explorer.explaining.formulas.expression import Call, Expression, Number, Product, Quantity, total
from explorer.explaining.formulas.impurity import below, logarithm, squared
from explorer.explaining.formulas.symbols import Pair
from explorer.formatting import figure, number, set_text
from explorer.messages import message, plural
from explorer.recipe.condition import intervals_text
from explorer.recipe.split_score import ADJUST_BONFERRONI, ADJUST_SIDAK

LOG_WORTH = "LogWorth"
"""The key of the derivation of an adjusted p, and the name of −log₁₀ of it."""
MERGES_SHOWN = 8
_FIRST_ORDER = 1e-12
"""Below this p, 1 − (1 − p)^m is m·p in every digit."""


@dataclass(frozen=True)
class Chi2Quantities:
    """χ² of row weights by branch and class, [branches, K]: the expected weights, the statistic, df and p."""

    expected: tuple[Quantity, ...]
    statistic: Quantity
    df: Quantity
    p: Quantity

    @classmethod
    def of(cls, observed: Floats) -> Chi2Quantities:
        """The quantities; empty branches and classes count for nothing."""
        rows, columns = observed.sum(axis=1).tolist(), observed.sum(axis=0).tolist()
        branches, classes = ([i for i, weight in enumerate(side) if weight > 0] for side in (rows, columns))
        cells = [(i, k) for i in branches for k in classes]
        expected = [_expected((i, k), (rows[i], columns[k]), sum(rows)) for i, k in cells]
        terms = [_chi2_term(float(observed[cell]), count) for cell, count in zip(cells, expected, strict=True)]
        statistic = Quantity("χ²", r"\chi^2", total(terms))
        sides = [Number(len(side)) - Number(1) for side in (branches, classes)]
        df = Quantity("df", r"\mathit{df}", Product(tuple(sides)))
        return cls(tuple(expected), statistic, df, Quantity("p", "p", Call("chi2_tail", (df, statistic))))


def _expected(cell: tuple[int, int], margins: tuple[float, float], whole: float) -> Quantity:
    """E of a branch and a class: rows of the branch · rows of the class / all rows."""
    branch, k = cell[0] + 1, cell[1] + 1
    meaning = Product(tuple(Number(margin) for margin in margins)) / Number(whole)
    return Quantity(f"E{below(f'{branch},{k}')}", f"E_{{{branch},{k}}}", meaning)


def _chi2_term(observed: float, expected: Quantity) -> Expression:
    """(O − E)²/E."""
    return squared(Number(observed) - expected) / expected


def has_formula(test: AdjustedP | None) -> bool:
    """Whether there is a p to show: not for a numeric target, and not below the smallest number a computer holds."""
    return test is not None and test.df > 0 and test.p > 0


def adjusted_p_steps(test: AdjustedP) -> list[Formula]:
    """From the expected weights to χ², its p, that p times the ways of cutting the feature, and LogWorth."""
    chi2 = Chi2Quantities.of(test.observed)
    return [
        *(Formula(count, count.value) for count in chi2.expected),
        Formula(chi2.statistic, test.chi2),
        Formula(chi2.df, test.df),
        Formula(chi2.p, test.p),
        Formula(_within(test), test.within),
        Formula(Quantity(LOG_WORTH, r"\mathrm{LogWorth}", _log_worth(_within(test))), test.log_worth),
    ]


def _within(test: AdjustedP) -> Quantity:
    """Bonferroni for the ways of cutting the feature, at most 1."""
    p = Quantity("p", "p", Number(test.p))
    times = Number(test.ways) * p if test.ways > 1 else p
    return Quantity("p′", "p'", Number(1) if test.ways * test.p >= 1 else times)


def _log_worth(p: Quantity) -> Expression:
    """−log₁₀ p, as the logarithm of 1/p."""
    return logarithm("e", Number(1) / p) / logarithm("e", Number(10))


def score_meaning(test: AdjustedP, score: float) -> Expression:
    """LogWorth after the adjustment for the number of features; the number itself where p is too small to write."""
    if not has_formula(test):
        return Number(score)
    p, m = Quantity("p′", "p'", Number(test.within)), Number(test.n_features)
    meaning: Expression = p.meaning
    if test.adjustment == ADJUST_BONFERRONI or (test.adjustment == ADJUST_SIDAK and test.within < _FIRST_ORDER):
        meaning = Number(1) if test.n_features * test.within >= 1 else m * p
    elif test.adjustment == ADJUST_SIDAK:
        meaning = Number(1) - (Number(1) - p) ** m
    return _log_worth(Quantity("p″", "p''", meaning))


def merging_remarks(candidate: Candidate) -> tuple[str, ...]:
    """What values were merged, in turn, and the number of ways that the p counts; nothing where none are merged."""
    if not candidate.merges:
        return ()
    is_of_intervals = candidate.condition.has_intervals
    lines = [_merging_line(pair, is_of_intervals) for pair in candidate.merges[-MERGES_SHOWN:]]
    left_out = len(candidate.merges) - len(lines)
    if left_out:
        lines.insert(0, plural(left_out, "{n:,} pair was merged before.", "{n:,} pairs were merged before."))
    if candidate.significance is not None:
        values, groups = sum(map(len, candidate.condition.branches)), candidate.condition.n_branches
        lines.append(
            message(
                "Ways of merging {values:,} values into {groups:,} groups: {ways} (Kass 1980).",
                values=values,
                groups=groups,
                ways=number(candidate.significance.ways),
            )
        )
    return tuple(lines)


def _merging_line(pair: ComparedGroups, is_of_intervals: bool) -> str:
    first, second = (
        intervals_text(group) if is_of_intervals else set_text(group) for group in (pair.first, pair.second)
    )
    shown = {"first": first, "second": second, "p": figure(pair.p)}
    if pair.is_merged:
        return message("Merged: {first} and {second}, p = {p}.", **shown)
    return message("Not merged: {first} and {second}, the most alike that are left, p = {p}.", **shown)


def legend() -> tuple[Pair, ...]:
    """What the symbols stand for."""
    return (
        ("E", message("expected rows of a branch (first index) and a class (second index), if they were independent")),
        ("p", message("p-value of χ² on the rows with a known value")),
        ("p′", message("p times the number of ways in which the feature could have been cut, at most 1")),
        (LOG_WORTH, message("−log₁₀ of the adjusted p: larger is more significant")),
    )


def legend_of_score(test: AdjustedP) -> tuple[Pair, ...]:
    """The same with the adjustment for the number of features."""
    return (*legend(), ("p″", message("p′ adjusted for the {n} features that compete", n=test.n_features)))
