"""What a split leaves: the impurity of its branches, weighted by their rows, as the books of CART print it."""

from __future__ import annotations

from explorer.candidates.candidates import Candidate
from explorer.explaining.formulas.derivation import Derivation, Formula
from explorer.explaining.formulas.expression import Number, Quantity, ratio, total
from explorer.explaining.formulas.gain import CandidateFormulas
from explorer.recipe.impurity import IMPURITIES
from explorer.tree.tree import Node


def remaining_impurity_formula(node: Node, candidate: Candidate) -> Derivation:
    """The impurities of the branches and their weighted mean, such as Gini(D, A) = 8/15·Gini(D₁) + 7/15·Gini(D₂).

    >>> from explorer import CART, Dataset, decide, grow, load_sample
    >>> data = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> tree = grow(data, CART)
    >>> remaining_impurity_formula(tree.node(0), decide(tree, data, 0).chosen).result.text
    'Gini(D, A) = 10/14·Gini(D₁) + 4/14·Gini(D₂) = 10/14·(1 − (5/10)^2 − (5/10)^2) + 4/14·(1 − (4/4)^2) = 5/14 ≈ 0.357'
    """
    formulas = CandidateFormulas(node, candidate)
    kind = formulas.own
    after = formulas.after(kind)
    terms = [ratio(candidate.weights[i], formulas.known) * impurity for i, impurity in after.items()]
    (text, latex), (rows, latex_rows), (split, latex_split) = (
        IMPURITIES[kind].symbol,
        formulas.rows_symbol(),
        formulas.split_symbol,
    )
    left = Quantity(f"{text}({rows}, {split})", rf"{latex}({latex_rows}, {latex_split})", total(terms))
    lines = [Formula(impurity, candidate.impurities[i]) for i, impurity in after.items()]
    lines.append(Formula(left, candidate.weighted_impurity))
    return Derivation(tuple(lines), tuple(formulas.legend()), formulas.remarks())


def remaining_error_formula(node: Node, candidate: Candidate) -> Derivation:
    """The losses of the two sides of a threshold and their sum m(s), for a numeric target.

    >>> from explorer import CART, Dataset, decide, grow, load_sample
    >>> kinds = {"x": "numeric", "y": "numeric"}
    >>> data = Dataset.from_frame(load_sample("lihang_8_2_regression").frame, "y", kinds=kinds)
    >>> tree = grow(data, CART)
    >>> print(remaining_error_formula(tree.node(0), decide(tree, data, 0).chosen).result.text)
    m(s) = SSE(D₁) + SSE(D₂) = 1.858133 + 0.071875 ≈ 1.930
    """
    formulas = CandidateFormulas(node, candidate)
    errors = []
    for branch, stats in enumerate(candidate.branch_stats):
        text, latex = formulas.branch_symbol(branch)
        sign, latex_sign = IMPURITIES[formulas.own].loss_symbol
        errors.append(Quantity(f"{sign}({text})", f"{latex_sign}({latex})", Number(round(float(stats[2]), 6))))
    left = Quantity("m(s)", "m(s)", total(errors))
    value = float(candidate.branch_stats[:, 2].sum())
    return Derivation((Formula(left, value),), tuple(formulas.legend()), formulas.remarks())
