"""The formulas of a candidate's gain: impurities of the node and its branches, the gain, the split information."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from explorer.candidates.candidates import Candidate
from explorer.candidates.counts import Floats
from explorer.candidates.measures import judged_stats
from explorer.explaining.formulas.derivation import Formula
from explorer.explaining.formulas.expression import Expression, Number, Quantity, difference, ratio, total
from explorer.explaining.formulas.impurity import below, logarithm, of_rows, split_information, squared
from explorer.explaining.formulas.symbols import Pair, counts_text, exactly, remarks_on, word_symbol
from explorer.formatting import visible
from explorer.messages import message
from explorer.recipe.impurity import IMPURITIES
from explorer.tree.tree import Node

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
        return judged_stats(self.candidate, self.own) if has_missing else self.node.stats

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
        terms = [ratio(self.candidate.weights[i], self.known) * entropy for i, entropy in after.items()]
        (rows, latex_rows), (split, latex_split) = self.rows_symbol(), self.split_symbol
        return Quantity(f"H({rows}|{split})", rf"H({latex_rows} \mid {latex_split})", total(terms))

    def decrease(self, kind: str, squares_shares: bool = False) -> Expression:
        """Impurity before, minus that of the branches weighted by their shares, or by the squares of these."""
        shares = {i: ratio(self.candidate.weights[i], self.known) for i in self.after(kind)}
        terms = [(squared(shares[i]) if squares_shares else shares[i]) * after for i, after in self.after(kind).items()]
        return self._times_known_share(difference(self.before(kind), *terms))

    def _times_known_share(self, decrease: Expression) -> Expression:
        if self.candidate.missing_weight > 0:
            return ratio(self.known, self.known + self.candidate.missing_weight) * decrease
        return decrease

    def gain(self, kind: str) -> Quantity:
        """The decrease of an impurity; for the recipe's own, minus the penalty for choosing among thresholds."""
        squares_shares = self._penalised(kind) and self.node.tree.recipe.score == "squared_share_weighting"
        return self._less_penalty(kind, self.decrease(kind, squares_shares))

    def information_gain(self) -> Quantity:
        """The gain as H(D) − H(D|A), the mutual information of class and branch."""
        entropies = self.before("entropy") - self.conditional_entropy()
        return self._less_penalty("entropy", self._times_known_share(entropies))

    def _penalised(self, kind: str) -> bool:
        return bool(self.candidate.n_thresholds) and kind == self.own

    def _less_penalty(self, kind: str, gain: Expression) -> Quantity:
        penalised = self.candidate.n_thresholds
        if self._penalised(kind):
            penalty = logarithm(self.base_for(kind), Number(penalised))
            gain -= penalty / Number(self.node.row_weight)
        return self.named(IMPURITIES[kind].decrease_symbol, gain)

    def split_information(self) -> Quantity:
        """Entropy of the branch sizes, with "missing" as one more branch where the recipe counts it."""
        recipe, missing = self.node.tree.recipe, self.candidate.missing_weight
        counted = recipe.missing == "fractional" and recipe.missing_ratio == "quinlan" and missing > 0
        weights = (*self.candidate.weights, missing) if counted else self.candidate.weights
        return self.named(_SPLIT_INFO, split_information(weights, self.base_for("entropy")))

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

    def remarks(self) -> tuple[str, ...]:
        """Remarks on the counts."""
        counts = [*self.candidate.weights, *self.node.stats.tolist()]
        return remarks_on(self.node.tree, counts if not self.is_regression else self.candidate.weights)
