"""The formulas of a candidate, step by step from the node's counts to its score (DEFINITIONS sections 2 to 4)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from explorer.candidates.candidates import Candidate
from explorer.candidates.counts import Floats
from explorer.candidates.measures import SPLIT_INFORMATION, judged_stats, measures
from explorer.explaining.formulas import adjusted_p
from explorer.explaining.formulas.adjusted_p import LOG_WORTH, adjusted_p_steps, has_formula, score_meaning
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
from explorer.explaining.formulas.newton import newton_formula, newton_legend, newton_lines
from explorer.explaining.formulas.symbols import Pair, counts_text, exactly, remarks_on, word_symbol
from explorer.formatting import visible
from explorer.messages import message
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

    @property
    def split_symbol(self) -> tuple[str, str]:
        """The split, in text and in LaTeX."""
        return f"A{below(self.index)}", f"A_{{{self.index}}}" if self.index else "A"

    def named(self, symbol: tuple[str, str], meaning: Expression) -> Quantity:
        """A number of this split, as in gain(A)."""
        split, latex_split = self.split_symbol
        return Quantity(f"{symbol[0]}({split})", f"{symbol[1]}({latex_split})", meaning)

    def before(self, kind: str) -> Quantity:
        """Impurity of the rows that the split is evaluated on."""
        return of_rows(kind, *self.rows_symbol(), self.known_stats.tolist(), self.base_for(kind))

    def after(self, kind: str) -> dict[int, Quantity]:
        """Impurity of every branch that rows go down, by its number."""
        stats, base = self.candidate.branch_stats, self.base_for(kind)
        branches = [i for i, weight in enumerate(self.candidate.weights) if weight > 0]
        return {i: of_rows(kind, *self.branch_symbol(i), stats[i].tolist(), base) for i in branches}

    def conditional_entropy(self) -> Quantity:
        """H(D|A): the mean entropy of the branches, weighted by their shares of the rows."""
        after = self.after("entropy")
        terms = [Product((ratio(self.candidate.weights[i], self.known), entropy)) for i, entropy in after.items()]
        (rows, latex_rows), (split, latex_split) = self.rows_symbol(), self.split_symbol
        return Quantity(f"H({rows}|{split})", rf"H({latex_rows} \mid {latex_split})", total(terms))

    def decrease(self, kind: str, squares_shares: bool = False) -> Expression:
        """Impurity before, minus that of the branches weighted by their shares, or by the squares of these."""
        shares = {i: ratio(self.candidate.weights[i], self.known) for i in self.after(kind)}
        terms = [
            Product((squared(shares[i]) if squares_shares else shares[i], after))
            for i, after in self.after(kind).items()
        ]
        return self._times_known_share(difference(self.before(kind), *terms))

    def _times_known_share(self, decrease: Expression) -> Expression:
        if self.candidate.missing_weight > 0:
            return Product((ratio(self.known, self.known + self.candidate.missing_weight), decrease))
        return decrease

    def gain(self, kind: str) -> Quantity:
        """The decrease of an impurity; for the recipe's own, minus the penalty for choosing among thresholds."""
        squares_shares = self._penalised(kind) and self.node.tree.recipe.score == "squared_share_weighting"
        return self._less_penalty(kind, self.decrease(kind, squares_shares))

    def information_gain(self) -> Quantity:
        """The gain as H(D) − H(D|A), the mutual information of class and branch."""
        entropies = difference(self.before("entropy"), self.conditional_entropy())
        return self._less_penalty("entropy", self._times_known_share(entropies))

    def _penalised(self, kind: str) -> bool:
        return bool(self.candidate.n_thresholds) and kind == self.own

    def _less_penalty(self, kind: str, gain: Expression) -> Quantity:
        penalised = self.candidate.n_thresholds
        if self._penalised(kind):
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
            return self.named(
                word_symbol(message("gain ratio")), Quotient(self.gain(self.own), self.split_information())
            )
        if score.compares == OWN_SCORE:
            return SCORE_FORMULAS[score.name](self)
        return self.gain(self.own)

    def cost(self) -> Quantity:
        """What it costs to know the feature."""
        return self.named(word_symbol(message("cost")), Number(self.candidate.cost))

    def impurities(self, kind: str) -> Iterator[Formula]:
        """Formulas of the impurity of the node and of every branch, with the recorded numbers where there are any."""
        before = self.before(kind)
        own = kind == self.own
        yield Formula(before, self.node.impurity if own and self.candidate.missing_weight == 0 else before.value)
        for i, after in self.after(kind).items():
            yield Formula(after, self.candidate.impurities[i] if own else after.value)

    def decreases(self, kind: str, recorded: float) -> Iterator[Formula]:
        """The formula of a decrease with its recorded number; that of entropy after the conditional entropy."""
        squares_shares = self.node.tree.recipe.score == "squared_share_weighting"
        if kind != "entropy" or (squares_shares and self._penalised(kind)):
            yield Formula(self.gain(kind), recorded)
            return
        conditional = self.conditional_entropy()
        yield Formula(conditional, conditional.value)
        yield Formula(self.information_gain(), recorded)

    def legend(self) -> Iterator[Pair]:
        """The split, the rows and the branches."""
        tree = self.node.tree
        yield self.split_symbol[0], message("the split on {feature}", feature=visible(self.candidate.feature))
        yield from self._legend_of_rows(counts_text(tree, self.known_stats.tolist()))
        for i, stats in enumerate(self.candidate.branch_stats):
            words = visible(self.candidate.condition.word(i))
            yield self.branch_symbol(i)[0], f"{words} · {counts_text(tree, stats.tolist())}"

    def _legend_of_rows(self, known: str) -> Iterator[Pair]:
        """The rows of the node, and those of them that have a value; `known` are their counts."""
        rows, node, filled = self.rows_symbol()[0], self.node.id, self.candidate.filled_weight
        if rows != "D":
            missing = exactly(self.candidate.missing_weight)
            all_rows = message(
                "the rows of node {node} · {rows}, {missing} of them with a missing value",
                node=node,
                rows=exactly(self.node.weight),
                missing=missing,
            )
            yield "D", all_rows
            yield rows, message("the rows of D with a known value · {counts}", counts=known)
        elif filled:
            imputed = exactly(filled)
            yield (
                "D",
                message(
                    "the rows of node {node} · {counts}, {filled} of them with an imputed value",
                    node=node,
                    counts=known,
                    filled=imputed,
                ),
            )
        else:
            yield "D", message("the rows of node {node} · {counts}", node=node, counts=known)

    def legend_of_gain(self) -> Iterator[Pair]:
        """What the information gain and the conditional entropy in it are."""
        before, remaining = self.before("entropy").symbol, self.conditional_entropy().symbol
        target, feature = visible(self.node.tree.target), visible(self.candidate.feature)
        if self.candidate.missing_weight > 0 or self._penalised("entropy"):
            gain = message(
                "information gain: the mutual information {before} − {remaining} of {target} and {feature}, corrected",
                before=before,
                remaining=remaining,
                target=target,
                feature=feature,
            )
        else:
            gain = message(
                "information gain = {before} − {remaining} = mutual information of {target} and {feature}",
                before=before,
                remaining=remaining,
                target=target,
                feature=feature,
            )
        yield self.information_gain().symbol, gain
        yield remaining, message("conditional entropy: the mean entropy of the branches, weighted by their rows")

    def legend_of_score(self) -> Iterator[Pair]:
        """The same, and how the score uses the feature's cost."""
        yield from self.legend()
        recipe, test = self.node.tree.recipe, self.candidate.significance
        if recipe.score == "p_value" and test is not None:
            yield from adjusted_p.legend_of_score(test)
        if SCORES[recipe.score].uses_costs:
            feature = visible(self.candidate.feature)
            cost = exactly(self.candidate.cost)
            yield self.cost().symbol, message("{cost}, the cost of measuring {feature}", cost=cost, feature=feature)
        if recipe.score == "nunez":
            weight = exactly(recipe.nunez_w)
            yield "w", message("{weight}, the weight of costs: 0 ignores them, 1 counts them fully", weight=weight)
        if recipe.score == "newton":
            yield from newton_legend(self)

    def remarks(self) -> tuple[str, ...]:
        """Remarks on the counts."""
        counts = [*self.candidate.weights, *self.node.stats.tolist()]
        return remarks_on(self.node.tree, counts if not self.is_regression else self.candidate.weights)


def _score(candidate: CandidateFormulas, meaning: Expression) -> Quantity:
    return candidate.named(word_symbol(message("score")), meaning)


def tan_schlimmer_formula(candidate: CandidateFormulas) -> Quantity:
    """gain²/cost, with the sign of the gain."""
    gain = candidate.gain(candidate.own)
    square = squared(gain) if candidate.candidate.gain >= 0 else difference(Number(0), squared(gain))
    return _score(candidate, Quotient(square, candidate.cost()))


def nunez_formula(candidate: CandidateFormulas) -> Quantity:
    """(2^gain − 1)/(cost + 1)^w, the gain in bits."""
    gain = candidate.gain(candidate.own)
    in_bits = Quotient(gain, logarithm("e", Number(2))) if candidate.base_for(candidate.own) == "e" else gain
    top = difference(Power(Number(2), in_bits), Number(1))
    weight = Quantity("w", "w", Number(candidate.node.tree.recipe.nunez_w))
    return _score(candidate, Quotient(top, Power(total([candidate.cost(), Number(1)]), weight)))


def squared_share_formula(candidate: CandidateFormulas) -> Quantity:
    """Impurity before, minus that of the branches weighted by squared shares; the gain where a penalty applies."""
    if candidate.candidate.n_thresholds:
        return candidate.gain(candidate.own)
    return _score(candidate, candidate.decrease(candidate.own, squares_shares=True))


def p_value_formula(candidate: CandidateFormulas) -> Quantity:
    """−log₁₀ of the adjusted p."""
    test, score = candidate.candidate.significance, candidate.candidate.score
    assert test is not None, "features compete by p-values where there are classes"
    return _score(candidate, score_meaning(test, score or 0.0))


SCORE_FORMULAS: dict[str, Callable[[CandidateFormulas], Quantity]] = {
    "tan_schlimmer": tan_schlimmer_formula,
    "nunez": nunez_formula,
    "squared_share_weighting": squared_share_formula,
    "p_value": p_value_formula,
    "newton": newton_formula,
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
    >>> for formula in derivations["gain"].formulas[-2:]:
    ...     print(formula.text.split(" = ")[:2])
    ['H(D|A)', '5/14·H(D₁) + 4/14·H(D₂) + 5/14·H(D₃)']
    ['gain(A)', 'H(D) − H(D|A)']
    """
    formulas, recipe = CandidateFormulas(node, candidate), node.tree.recipe
    numbers = measures(candidate, recipe, formulas.is_regression)
    steps = {}
    for impurity in IMPURITIES.values():
        if numbers.get(impurity.decrease) is not None:
            recorded = number_of(numbers, impurity.decrease)
            steps[impurity.decrease] = [
                *formulas.impurities(impurity.name),
                *formulas.decreases(impurity.name, recorded),
            ]
    if SPLIT_INFORMATION in numbers:
        information = Formula(formulas.split_information(), candidate.split_info)
        steps[SPLIT_INFORMATION] = [information]
        to_gain = steps[IMPURITIES[formulas.own if formulas.is_regression else "entropy"].decrease]
        if numbers[GAIN_RATIO] is not None and has_ratio(candidate.split_info):
            quotient = formulas.named(
                word_symbol(message("gain ratio")), Quotient(to_gain[-1].quantity, information.quantity)
            )
            steps[GAIN_RATIO] = [*to_gain, information, Formula(quotient, number_of(numbers, GAIN_RATIO))]
    if candidate.significance is not None and has_formula(candidate.significance):
        steps[LOG_WORTH] = adjusted_p_steps(candidate.significance)
    if SCORES[recipe.score].compares == OWN_SCORE and candidate.score is not None:
        to_score = steps[IMPURITIES[formulas.own].decrease]
        if recipe.score == "newton":
            to_score = newton_lines(formulas)
        elif recipe.score == "p_value":
            to_score = steps.get(LOG_WORTH, [])
        steps[OWN_SCORE] = [*to_score, Formula(formulas.score(), candidate.score)]
    own_legend = tuple(formulas.legend())
    legends = dict.fromkeys(steps, own_legend) | {OWN_SCORE: tuple(formulas.legend_of_score())}
    legends[LOG_WORTH] = (*own_legend, *adjusted_p.legend())
    return {
        name: Derivation(tuple(lines), (*_gain_explained(formulas, lines), *legends[name]), formulas.remarks())
        for name, lines in steps.items()
    }


def _gain_explained(formulas: CandidateFormulas, lines: Sequence[Formula]) -> tuple[Pair, ...]:
    """The legend of the information gain, where the formulas have the conditional entropy."""
    has_entropy = any(line.quantity.symbol == formulas.conditional_entropy().symbol for line in lines)
    return tuple(formulas.legend_of_gain()) if has_entropy else ()


def number_of(numbers: dict[str, float | None], name: str) -> float:
    """A number by its name; nan where it is undefined."""
    value = numbers[name]
    return math.nan if value is None else value
