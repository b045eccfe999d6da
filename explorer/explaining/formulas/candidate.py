"""The formulas of a candidate, step by step from the node's counts to its score (DEFINITIONS sections 2 to 4)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

from explorer.candidates.candidates import Candidate
from explorer.candidates.counts import Floats
from explorer.candidates.measures import SPLIT_INFORMATION, judged_stats, measures
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
from explorer.recipe.impurity import IMPURITIES
from explorer.recipe.split_score import GAIN_RATIO, OWN_SCORE, SCORES, has_ratio
from explorer.tree.node import Node

_SPLIT_INFO = "SI", r"\operatorname{SI}"


@dataclass(frozen=True)
class CandidateFormulas:
    """The formulas of one candidate at its node; `index` numbers it where several candidates are shown together."""

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
    def known_stats(self) -> Floats:
        """Statistics of the rows that the split is evaluated on: all of the node's, or those with a known value."""
        has_missing = self.candidate.missing_weight > 0
        return judged_stats(self.candidate, self.is_regression) if has_missing else self.node.stats

    @property
    def known(self) -> float:
        """Weight of these rows."""
        return float(self.known_stats[0] if self.is_regression else self.known_stats.sum())

    def base_for(self, kind: str) -> int | str:
        """The recipe's logarithm for its own impurity where that has one, else base 2."""
        return self.node.tree.recipe.log_base if kind == self.own and IMPURITIES[kind].in_bits else 2

    def rows_symbol(self) -> tuple[str, str]:
        """The rows evaluated, in text and in LaTeX: D, or the rows of D that have a value."""
        if self.candidate.missing_weight == 0:
            return "D", "D"
        return "D̃" + below(self.index), rf"\tilde{{D}}_{{{self.index}}}" if self.index else r"\tilde{D}"

    def branch_symbol(self, branch: int) -> tuple[str, str]:
        """A branch, in text and in LaTeX."""
        subscript = f"{self.index},{branch + 1}" if self.index else f"{branch + 1}"
        return "D" + below(subscript), f"D_{{{subscript}}}"

    def named(self, symbol: tuple[str, str], meaning: Expression) -> Quantity:
        """A number of this split, as in gain(A)."""
        latex = f"A_{{{self.index}}}" if self.index else "A"
        return Quantity(f"{symbol[0]}(A{below(self.index)})", f"{symbol[1]}({latex})", meaning)

    def before(self, kind: str) -> Quantity:
        """Impurity of the rows that the split is evaluated on."""
        return of_rows(kind, *self.rows_symbol(), self.known_stats.tolist(), self.base_for(kind))

    def after(self, kind: str) -> dict[int, Quantity]:
        """Impurity of every branch that rows go down, by its number."""
        stats, base = self.candidate.branch_stats, self.base_for(kind)
        branches = [i for i, weight in enumerate(self.candidate.weights) if weight > 0]
        return {i: of_rows(kind, *self.branch_symbol(i), stats[i].tolist(), base) for i in branches}

    def decrease(self, kind: str, squares_shares: bool = False) -> Expression:
        """Impurity before, minus that of the branches weighted by their shares, or by the squares of these."""
        shares = {i: ratio(self.candidate.weights[i], self.known) for i in self.after(kind)}
        terms = [
            Product((squared(shares[i]) if squares_shares else shares[i], after))
            for i, after in self.after(kind).items()
        ]
        decrease: Expression = difference(self.before(kind), *terms)
        if self.candidate.missing_weight > 0:
            decrease = Product((ratio(self.known, self.known + self.candidate.missing_weight), decrease))
        return decrease

    def gain(self, kind: str) -> Quantity:
        """The decrease of an impurity; for the recipe's own, minus the penalty for choosing among thresholds."""
        penalised = self.candidate.n_thresholds if kind == self.own else 0
        squares_shares = bool(penalised) and self.node.tree.recipe.score == "squared_share_weighting"
        gain = self.decrease(kind, squares_shares)
        if penalised:
            penalty = logarithm(self.base_for(kind), Number(penalised))
            gain = difference(gain, Quotient(penalty, Number(self.node.row_weight)))
        return self.named(IMPURITIES[kind].decrease_symbol, gain)

    def split_information(self) -> Quantity:
        """Entropy of the branch sizes, with "missing" as one more branch where the recipe counts it."""
        recipe, missing = self.node.tree.recipe, self.candidate.missing_weight
        counted = recipe.missing == "fractional" and recipe.missing_ratio == "quinlan" and missing > 0
        weights = (*self.candidate.weights, missing) if counted else self.candidate.weights
        return self.named(_SPLIT_INFO, split_information(weights, self.base_for("entropy")))

    def score(self) -> Quantity:
        """What the features compete by, built on the gain."""
        score = SCORES[self.node.tree.recipe.score]
        if score.compares == GAIN_RATIO:
            return self.named(_RATIO, Quotient(self.gain(self.own), self.split_information()))
        if score.compares == OWN_SCORE:
            return SCORE_FORMULAS[score.name](self)
        return self.gain(self.own)

    def cost(self) -> Quantity:
        """What it costs to know the feature."""
        return self.named(_COST, Number(self.candidate.cost))

    def impurities(self, kind: str) -> Iterator[Formula]:
        """Formulas of the impurity of the node and of every branch, with the recorded numbers where there are any."""
        before = self.before(kind)
        own = kind == self.own
        yield Formula(before, self.node.impurity if own and self.candidate.missing_weight == 0 else before.value)
        for i, after in self.after(kind).items():
            yield Formula(after, self.candidate.impurities[i] if own else after.value)

    def legend(self) -> Iterator[Pair]:
        """The test, the rows and the branches."""
        tree, (rows, _) = self.node.tree, self.rows_symbol()
        yield f"A{below(self.index)}", f"the test on {visible(self.candidate.feature)}"
        if rows == "D":
            filled = self.candidate.filled_weight
            imputed = f", {exactly(filled)} of them filled in for want of a value" if filled else ""
            yield "D", f"the rows of node {self.node.id} · {counts_text(tree, self.known_stats.tolist())}{imputed}"
        else:
            missing = f"{exactly(self.candidate.missing_weight)} of them without a value"
            yield "D", f"the rows of node {self.node.id} · {exactly(self.node.weight)}, {missing}"
            yield rows, f"those with a value · {counts_text(tree, self.known_stats.tolist())}"
        for i, stats in enumerate(self.candidate.branch_stats):
            words = visible(self.candidate.condition.word(i))
            yield self.branch_symbol(i)[0], f"{words} · {counts_text(tree, stats.tolist())}"

    def legend_of_score(self) -> Iterator[Pair]:
        """The same, and how the score uses the feature's cost."""
        yield from self.legend()
        recipe = self.node.tree.recipe
        if SCORES[recipe.score].uses_costs:
            feature = visible(self.candidate.feature)
            yield self.cost().symbol, f"{exactly(self.candidate.cost)}, the cost of asking {feature}"
        if recipe.score == "nunez":
            yield "w", f"{exactly(recipe.nunez_w)}, how much costs count: from 0, not at all, to 1"

    def remarks(self) -> tuple[str, ...]:
        """Remarks on the counts."""
        counts = [*self.candidate.weights, *self.node.stats.tolist()]
        return remarks_on(self.node.tree, counts if not self.is_regression else self.candidate.weights)


_RATIO = "gain ratio", r"\operatorname{gain\,ratio}"
_SCORE = "score", r"\operatorname{score}"
_COST = "cost", r"\operatorname{cost}"


def tan_schlimmer_formula(candidate: CandidateFormulas) -> Quantity:
    """gain²/cost, with the sign of the gain."""
    gain = candidate.gain(candidate.own)
    square = squared(gain) if candidate.candidate.gain >= 0 else difference(Number(0), squared(gain))
    return candidate.named(_SCORE, Quotient(square, candidate.cost()))


def nunez_formula(candidate: CandidateFormulas) -> Quantity:
    """(2^gain − 1)/(cost + 1)^w, the gain in bits."""
    gain = candidate.gain(candidate.own)
    in_bits = Quotient(gain, logarithm("e", Number(2))) if candidate.base_for(candidate.own) == "e" else gain
    top = difference(Power(Number(2), in_bits), Number(1))
    weight = Quantity("w", "w", Number(candidate.node.tree.recipe.nunez_w))
    return candidate.named(_SCORE, Quotient(top, Power(total([candidate.cost(), Number(1)]), weight)))


def squared_share_formula(candidate: CandidateFormulas) -> Quantity:
    """Impurity before, minus that of the branches weighted by squared shares; the gain where a penalty applies."""
    if candidate.candidate.n_thresholds:
        return candidate.gain(candidate.own)
    return candidate.named(_SCORE, candidate.decrease(candidate.own, squares_shares=True))


SCORE_FORMULAS: dict[str, Callable[[CandidateFormulas], Quantity]] = {
    "tan_schlimmer": tan_schlimmer_formula,
    "nunez": nunez_formula,
    "squared_share_weighting": squared_share_formula,
}
"""The formula of every score that is not the gain or the gain ratio."""


def candidate_formulas(node: Node, candidate: Candidate) -> dict[str, Derivation]:
    """The formulas of a candidate's numbers by the names of `measures`, and "score" where it is a number of its own.

    The node is the one that the candidate competes at. Each derivation begins with the impurities it is built on.

    >>> from explorer import ID3, Dataset, decide, grow, load_sample
    >>> data = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> tree = grow(data, ID3)
    >>> derivations = candidate_formulas(tree.node(0), decide(tree, data, 0).chosen)
    >>> derivations["gain"].formulas[0].text
    'H(D) = −5/14·log2(5/14) − 9/14·log2(9/14) ≈ 0.940'
    >>> derivations["gain"].result.text.split(" = ")[1]
    'H(D) − 5/14·H(D₁) − 4/14·H(D₂) − 5/14·H(D₃)'
    """
    formulas, recipe = CandidateFormulas(node, candidate), node.tree.recipe
    numbers = measures(candidate, recipe, formulas.is_regression)
    steps = {}
    for impurity in IMPURITIES.values():
        if numbers.get(impurity.decrease) is not None:
            gain = Formula(formulas.gain(impurity.name), number_of(numbers, impurity.decrease))
            steps[impurity.decrease] = [*formulas.impurities(impurity.name), gain]
    if SPLIT_INFORMATION in numbers:
        information = Formula(formulas.split_information(), candidate.split_info)
        steps[SPLIT_INFORMATION] = [information]
        to_gain = steps[IMPURITIES[formulas.own if formulas.is_regression else "entropy"].decrease]
        if numbers[GAIN_RATIO] is not None and has_ratio(candidate.split_info):
            quotient = formulas.named(_RATIO, Quotient(to_gain[-1].quantity, information.quantity))
            steps[GAIN_RATIO] = [*to_gain, information, Formula(quotient, number_of(numbers, GAIN_RATIO))]
    if SCORES[recipe.score].compares == OWN_SCORE and candidate.score is not None:
        to_gain = steps[IMPURITIES[formulas.own].decrease]
        steps[OWN_SCORE] = [*to_gain, Formula(formulas.score(), candidate.score)]
    legends = dict.fromkeys(steps, tuple(formulas.legend())) | {OWN_SCORE: tuple(formulas.legend_of_score())}
    remarks = formulas.remarks()
    return {name: Derivation(tuple(lines), legends[name], remarks) for name, lines in steps.items()}


def number_of(numbers: dict[str, float | None], name: str) -> float:
    """A number by its name; nan where it is undefined."""
    value = numbers[name]
    return math.nan if value is None else value
