"""The formulas of a candidate, step by step from the node's counts to its score (DEFINITIONS sections 2 to 4)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from explorer.candidates.candidates import Candidate
from explorer.candidates.counts import Floats
from explorer.candidates.measures import GAIN_RATIO, NAMES, SPLIT_INFORMATION, judged_stats, measures
from explorer.explaining.formulas.derivation import Derivation, Formula
from explorer.explaining.formulas.expression import (
    Expression,
    Number,
    Power,
    Product,
    Quantity,
    Quotient,
    difference,
    ratio,
    total,
)
from explorer.explaining.formulas.impurity import below, logarithm, of_rows, split_information, squared
from explorer.explaining.formulas.symbols import Pair, counts_text, exactly, remarks_on
from explorer.formatting import visible
from explorer.recipe.split_score import has_ratio
from explorer.tree.node import Node

SCORE = "score"
_SPLIT_INFO = "SI", r"\operatorname{SI}"


@dataclass(frozen=True)
class CandidateFormulas:
    """One candidate on its way to formulas: its node, and an index where several candidates are told together."""

    node: Node
    candidate: Candidate
    index: str = ""

    @property
    def is_regression(self) -> bool:
        """Whether branches hold (W, mean, M2)."""
        return self.node.tree.is_regression

    @property
    def own(self) -> str:
        """The impurity that the tree was grown by."""
        return self.node.tree.recipe.impurity_for(self.is_regression)

    @cached_property
    def judged(self) -> Floats:
        """Statistics of the rows that the test is judged by: the node's own where none of them is left out."""
        some = self.candidate.missing_weight > 0
        return judged_stats(self.candidate, self.is_regression) if some else self.node.stats

    @property
    def known(self) -> float:
        """Weight of these rows."""
        return float(self.judged[0] if self.is_regression else self.judged.sum())

    def base_for(self, kind: str) -> int | str:
        """The recipe's logarithm for its own impurity, else base 2."""
        return self.node.tree.recipe.log_base if kind == self.own == "entropy" else 2

    def rows_symbol(self) -> tuple[str, str]:
        """The rows judged, in text and in LaTeX: D, or those of D that have a value."""
        if self.candidate.missing_weight == 0:
            return "D", "D"
        return "D̃" + below(self.index), rf"\tilde{{D}}_{{{self.index}}}" if self.index else r"\tilde{D}"

    def branch_symbol(self, branch: int) -> tuple[str, str]:
        """A branch, in text and in LaTeX."""
        place = f"{self.index},{branch + 1}" if self.index else f"{branch + 1}"
        return "D" + below(place), f"D_{{{place}}}"

    def named(self, symbol: tuple[str, str], meaning: Expression) -> Quantity:
        """A number of this test, as in gain(A)."""
        latex = f"A_{{{self.index}}}" if self.index else "A"
        return Quantity(f"{symbol[0]}(A{below(self.index)})", f"{symbol[1]}({latex})", meaning)

    def before(self, kind: str) -> Quantity:
        """Impurity of the rows that the test is judged by."""
        return of_rows(kind, *self.rows_symbol(), self.judged.tolist(), self.base_for(kind))

    def after(self, kind: str) -> dict[int, Quantity]:
        """Impurity of every branch that rows go down, by its place."""
        stats, base = self.candidate.branch_stats, self.base_for(kind)
        taken = [i for i, weight in enumerate(self.candidate.weights) if weight > 0]
        return {i: of_rows(kind, *self.branch_symbol(i), stats[i].tolist(), base) for i in taken}

    def decrease(self, kind: str, twice: bool = False) -> Expression:
        """Impurity before less that of the branches by their shares (`twice`: by squared shares)."""
        shares = {i: ratio(self.candidate.weights[i], self.known) for i in self.after(kind)}
        terms = [Product((squared(shares[i]) if twice else shares[i], of)) for i, of in self.after(kind).items()]
        found: Expression = difference(self.before(kind), *terms)
        if self.candidate.missing_weight > 0:
            found = Product((ratio(self.known, self.known + self.candidate.missing_weight), found))
        return found

    def gain(self, kind: str) -> Quantity:
        """The decrease of an impurity; of the recipe's own with the price paid for choosing among thresholds."""
        paid = self.candidate.n_thresholds if kind == self.own else 0
        found = self.decrease(kind, twice=bool(paid) and self.node.tree.recipe.score == "squared_share_weighting")
        if paid:
            price = logarithm(self.base_for(kind), Number(paid))
            found = difference(found, Quotient(price, Number(self.node.row_weight)))
        return self.named(_GAINS[kind], found)

    def split_information(self) -> Quantity:
        """Entropy of the branch sizes, "missing" counted as one more where the recipe does."""
        recipe, missing = self.node.tree.recipe, self.candidate.missing_weight
        counted = recipe.missing == "fractional" and recipe.missing_ratio == "quinlan" and missing > 0
        weights = (*self.candidate.weights, missing) if counted else self.candidate.weights
        return self.named(_SPLIT_INFO, split_information(weights, self.base_for("entropy")))

    def score(self) -> Quantity:
        """What the features compete by, built on the gain."""
        recipe, gain = self.node.tree.recipe, self.gain(self.own)
        if recipe.score == "gain_ratio":
            return self.named(_RATIO, Quotient(gain, self.split_information()))
        if recipe.score == "tan_schlimmer":
            square = squared(gain) if self.candidate.gain >= 0 else difference(Number(0), squared(gain))
            return self.named(_SCORE, Quotient(square, self.cost()))
        if recipe.score == "nunez":
            return self.named(_SCORE, self._nunez(gain))
        if recipe.score == "squared_share_weighting" and not self.candidate.n_thresholds:
            return self.named(_SCORE, self.decrease(self.own, twice=True))
        return gain

    def _nunez(self, gain: Quantity) -> Expression:
        """(2^gain − 1)/(cost + 1)^w, the gain in bits."""
        in_bits = Quotient(gain, logarithm("e", Number(2))) if self.base_for(self.own) == "e" else gain
        top = difference(Power(Number(2), in_bits), Number(1))
        weight = Quantity("w", "w", Number(self.node.tree.recipe.nunez_w))
        return Quotient(top, Power(total([self.cost(), Number(1)]), weight))

    def cost(self) -> Quantity:
        """What it costs to ask the feature."""
        return self.named(_COST, Number(self.candidate.cost))

    def impurities(self, kind: str) -> Iterator[Formula]:
        """Formulas of the node's impurity and of every branch's, with the recorded numbers where there are any."""
        before = self.before(kind)
        own = kind == self.own
        yield Formula(before, self.node.impurity if own and self.candidate.missing_weight == 0 else before.value)
        for i, of in self.after(kind).items():
            yield Formula(of, self.candidate.impurities[i] if own else of.value)

    def legend(self) -> Iterator[Pair]:
        """The test, the rows and the branches."""
        tree, (rows, _) = self.node.tree, self.rows_symbol()
        yield f"A{below(self.index)}", f"the test on {visible(self.candidate.feature)}"
        if rows == "D":
            filled = self.candidate.filled_weight
            lacking = f", {exactly(filled)} of them filled in for want of a value" if filled else ""
            yield "D", f"the rows of node {self.node.id} · {counts_text(tree, self.judged.tolist())}{lacking}"
        else:
            missing = f"{exactly(self.candidate.missing_weight)} of them without a value"
            yield "D", f"the rows of node {self.node.id} · {exactly(self.node.weight)}, {missing}"
            yield rows, f"those with a value · {counts_text(tree, self.judged.tolist())}"
        for i, stats in enumerate(self.candidate.branch_stats):
            words = visible(self.candidate.condition.word(i))
            yield self.branch_symbol(i)[0], f"{words} · {counts_text(tree, stats.tolist())}"

    def legend_of_score(self) -> Iterator[Pair]:
        """The same, and what the score makes of the feature's cost."""
        yield from self.legend()
        recipe = self.node.tree.recipe
        if recipe.score in ("tan_schlimmer", "nunez"):
            feature = visible(self.candidate.feature)
            yield self.cost().symbol, f"{exactly(self.candidate.cost)}, the cost of asking {feature}"
        if recipe.score == "nunez":
            yield "w", f"{exactly(recipe.nunez_w)}, how much costs count: from 0, not at all, to 1"

    def remarks(self) -> tuple[str, ...]:
        """What to know of the counts."""
        counts = [*self.candidate.weights, *self.node.stats.tolist()]
        return remarks_on(self.node.tree, counts if not self.is_regression else self.candidate.weights)


_GAINS = {
    "entropy": ("gain", r"\operatorname{gain}"),
    "gini": ("ΔGini", r"\Delta\operatorname{Gini}"),
    "error": ("Δerr", r"\Delta\operatorname{err}"),
    "variance": ("ΔVar", r"\Delta\operatorname{Var}"),
}
_RATIO = "gain ratio", r"\operatorname{gain\,ratio}"
_SCORE = "score", r"\operatorname{score}"
_COST = "cost", r"\operatorname{cost}"


def candidate_formulas(node: Node, candidate: Candidate) -> dict[str, Derivation]:
    """The formulas of each of a candidate's numbers by the names of `measures`, and "score" where that is another.

    The node is the one that the candidate competes at. Each derivation begins with the impurities it is built on.

    >>> from explorer import ID3, Dataset, decide, grow, load_sample
    >>> data = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> tree = grow(data, ID3)
    >>> told = candidate_formulas(tree.node(0), decide(tree, data, 0).chosen)
    >>> told["gain"].formulas[0].text
    'H(D) = −5/14·log2(5/14) − 9/14·log2(9/14) ≈ 0.940'
    >>> told["gain"].result.text.split(" = ")[1]
    'H(D) − 5/14·H(D₁) − 4/14·H(D₂) − 5/14·H(D₃)'
    """
    told = CandidateFormulas(node, candidate)
    recipe = node.tree.recipe
    numbers = measures(candidate, recipe, told.is_regression)
    found = {}
    for kind, name in NAMES.items():
        if numbers.get(name) is not None:
            found[name] = [*told.impurities(kind), Formula(told.gain(kind), number_of(numbers, name))]
    if SPLIT_INFORMATION in numbers:
        information = Formula(told.split_information(), candidate.split_info)
        found[SPLIT_INFORMATION] = [information]
        gain = found[NAMES[told.own if told.is_regression else "entropy"]]
        if numbers[GAIN_RATIO] is not None and has_ratio(candidate.split_info):
            quotient = told.named(_RATIO, Quotient(gain[-1].quantity, information.quantity))
            found[GAIN_RATIO] = [*gain, information, Formula(quotient, number_of(numbers, GAIN_RATIO))]
    if recipe.score in ("tan_schlimmer", "nunez", "squared_share_weighting") and candidate.score is not None:
        found[SCORE] = [*found[NAMES[told.own]], Formula(told.score(), candidate.score)]
    legends = dict.fromkeys(found, tuple(told.legend())) | {SCORE: tuple(told.legend_of_score())}
    return {name: Derivation(tuple(formulas), legends[name], told.remarks()) for name, formulas in found.items()}


def number_of(numbers: dict[str, float | None], name: str) -> float:
    """A number that is there."""
    value = numbers[name]
    return math.nan if value is None else value
