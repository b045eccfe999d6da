"""What chance does: significance of a split, rows predicted when left out, and the price of branches with one row."""

from __future__ import annotations

import explorer as ex
from explorer.candidates.adjusted_p import AdjustedP
from explorer.drawing.pictures.bars import Bar, Bars
from explorer.explaining import Derivation, Formula, chi2_formula
from explorer.explaining.formulas.expression import Number as Whole
from explorer.explaining.formulas.expression import Product, Quantity, Sum, ratio
from explorer.explaining.formulas.impurity import logarithm
from explorer.messages import message
from pages.learn.vocabulary.pictures import bar_picture
from pages.learn.vocabulary.words import Derived, Here, add, placed, word
from pages.results.lessons import leave_one_out


@word
def shortly(here: Here, number: Derived) -> Derived:
    """A number with the first and the last line of its derivation, where the lines between are as many as rows."""
    whole = number.derivation
    assert whole is not None
    return Derived(number, Derivation((whole.formulas[0], whole.formulas[-1]), whole.legend[:2]))


@word
def information_of_lone_rows(here: Here, feature: str) -> Derived:
    """The split information of branches with one row each: n · 1/n · log2(1/n), negative."""
    n, value = round(here.tree.node(0).weight), here.decision.best[feature].split_info
    share = ratio(1, n)
    terms = Product((Whole(n), share, logarithm(2, share)))
    formula = Formula(Quantity("SI(A)", r"\mathrm{SI}(A)", Sum(((-1, terms),))), value)
    return Derived(value, Derivation((formula,), (("1/n", message("the share of a branch with one of n rows")),)))


def _tests(here: Here) -> dict[str, AdjustedP]:
    return {name: each.significance for name, each in here.decision.best.items() if each.significance is not None}


def _by_gain(here: Here) -> ex.Decision:
    """The decision by gain, whose winner is tested."""
    return placed(here, {"score": "gain"})[0].decision


@word
def least_by_chance(here: Here) -> str:
    """The feature with the smallest p-value."""
    worths = {name: test.log_worth for name, test in _tests(here).items()}
    return max(worths, key=lambda name: worths[name])


@word
def chi2(here: Here) -> float:
    """Pearson's χ² of the split that gains most."""
    found = _by_gain(here).chi2
    assert found is not None
    return found.statistic


@word
def degrees_of_freedom(here: Here) -> int:
    """Its degrees of freedom."""
    found = _by_gain(here).chi2
    assert found is not None
    return found.df


@word
def bars_of_worth(here: Here) -> Bars:
    """How small the p-value of every feature is: −log₁₀ p."""
    tests = _tests(here)
    least = least_by_chance(here)
    pairs = ((name, test, message("p = {p}", p=f"{test.p:.3f}")) for name, test in tests.items())
    return bar_picture(here, (Bar(name, test.log_worth, text, name == least) for name, test, text in pairs))


add(
    # How many rows are predicted right by a tree of the others.
    right_when_left_out=lambda here: leave_one_out.right_rows(here.table, here.recipe, here.features),
    # The p-value of a feature's split.
    p_value=lambda here, feature: Derived(_tests(here)[feature].p, chi2_formula(here.tree.node(0), _by_gain(here))),
    # The p-values of all features, as numbers of their own.
    each_p_value=lambda here: {f"p {name}": test.p for name, test in _tests(here).items()},
)
