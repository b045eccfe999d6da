"""The formulas of a candidate, step by step from the node's counts to its score (DEFINITIONS sections 2 to 4)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

from explorer.candidates.candidates import Candidate
from explorer.candidates.measures import SPLIT_INFORMATION, measures, ratio_of
from explorer.explaining.formulas import adjusted_p
from explorer.explaining.formulas.adjusted_p import LOG_WORTH, adjusted_p_steps, has_formula, score_meaning
from explorer.explaining.formulas.derivation import Derivation, Formula
from explorer.explaining.formulas.expression import Expression, Number, Quantity, total
from explorer.explaining.formulas.gain import CandidateFormulas
from explorer.explaining.formulas.impurity import logarithm, squared
from explorer.explaining.formulas.newton import newton_formula, newton_legend, newton_lines
from explorer.explaining.formulas.symbols import Pair, exactly, word_symbol
from explorer.formatting import visible
from explorer.messages import message
from explorer.recipe.impurity import IMPURITIES
from explorer.recipe.split_score import GAIN_RATIO, OWN_SCORE, SCORES, has_ratio
from explorer.tree.tree import Node


def _score(candidate: CandidateFormulas, meaning: Expression) -> Quantity:
    return candidate.named(word_symbol(message("score")), meaning)


def tan_schlimmer_formula(candidate: CandidateFormulas) -> Quantity:
    """gain²/cost, with the sign of the gain."""
    gain = candidate.gain(candidate.own)
    square = squared(gain) if candidate.candidate.gain >= 0 else Number(0) - squared(gain)
    return _score(candidate, square / candidate.cost())


def nunez_formula(candidate: CandidateFormulas) -> Quantity:
    """(2^gain − 1)/(cost + 1)^w, the gain in bits."""
    gain = candidate.gain(candidate.own)
    in_bits = gain / logarithm("e", Number(2)) if candidate.base_for(candidate.own) == "e" else gain
    top = Number(2) ** in_bits - Number(1)
    weight = Quantity("w", "w", Number(candidate.node.tree.recipe.nunez_w))
    return _score(candidate, top / total([candidate.cost(), Number(1)]) ** weight)


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


def score_formula(candidate: CandidateFormulas) -> Quantity:
    """What the features compete by, built on the gain."""
    score = SCORES[candidate.node.tree.recipe.score]
    if score.compares == GAIN_RATIO:
        return _gain_ratio(candidate, candidate.gain(candidate.own), candidate.split_information())
    if score.compares == OWN_SCORE:
        return SCORE_FORMULAS[score.name](candidate)
    return candidate.gain(candidate.own)


def _gain_ratio(candidate: CandidateFormulas, gain: Quantity, information: Quantity) -> Quantity:
    return candidate.named(word_symbol(message("gain ratio")), gain / information)


def legend_of_score(candidate: CandidateFormulas) -> Iterator[Pair]:
    """What the signs of the score are, and how it uses the feature's cost."""
    yield from candidate.legend()
    recipe, test = candidate.node.tree.recipe, candidate.candidate.significance
    if recipe.score == "p_value" and test is not None:
        yield from adjusted_p.legend_of_score(test)
    if SCORES[recipe.score].uses_costs:
        feature = visible(candidate.candidate.feature)
        cost = exactly(candidate.candidate.cost)
        yield candidate.cost().symbol, message("{cost}, the cost of measuring {feature}", cost=cost, feature=feature)
    if recipe.score == "nunez":
        weight = exactly(recipe.nunez_w)
        yield "w", message("{weight}, the weight of costs: 0 ignores them, 1 counts them fully", weight=weight)
    if recipe.score == "newton":
        yield from newton_legend(candidate)


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
        to_gain = steps[IMPURITIES[ratio_of(recipe, formulas.is_regression)].decrease]
        if numbers[GAIN_RATIO] is not None and has_ratio(candidate.split_info):
            quotient = _gain_ratio(formulas, to_gain[-1].quantity, information.quantity)
            steps[GAIN_RATIO] = [*to_gain, information, Formula(quotient, number_of(numbers, GAIN_RATIO))]
    if candidate.significance is not None and has_formula(candidate.significance):
        steps[LOG_WORTH] = adjusted_p_steps(candidate.significance)
    if SCORES[recipe.score].compares == OWN_SCORE and candidate.score is not None:
        to_score = steps[IMPURITIES[formulas.own].decrease]
        if recipe.score == "newton":
            to_score = newton_lines(formulas)
        elif recipe.score == "p_value":
            to_score = steps.get(LOG_WORTH, [])
        steps[OWN_SCORE] = [*to_score, Formula(score_formula(formulas), candidate.score)]
    own_legend = tuple(formulas.legend())
    legends = dict.fromkeys(steps, own_legend) | {OWN_SCORE: tuple(legend_of_score(formulas))}
    legends[LOG_WORTH] = (*own_legend, *adjusted_p.legend())
    remarks = (*adjusted_p.merging_remarks(candidate), *formulas.remarks())
    return {
        name: Derivation(tuple(lines), (*_gain_explained(formulas, lines), *legends[name]), remarks)
        for name, lines in steps.items()
    }


def _gain_explained(formulas: CandidateFormulas, lines: Sequence[Formula]) -> tuple[Pair, ...]:
    """The legend of the information gain, where the formulas have the conditional entropy."""
    conditional = formulas.conditional_entropy().symbol
    has_entropy = any(line.quantity.symbol == conditional for line in lines)
    return tuple(formulas.legend_of_gain()) if has_entropy else ()


def number_of(numbers: dict[str, float | None], name: str) -> float:
    """A number by its name; nan where it is undefined."""
    value = numbers[name]
    return math.nan if value is None else value
