"""What a tree says, in words and in formulas: the rule that leads to a node, and the arithmetic behind a number."""

from explorer.explain.contest import (
    chi2_formula,
    margin_formula,
    mean_gain_formula,
    missing_formula,
    validation_formula,
)
from explorer.explain.formula import Derivation, Formula
from explorer.explain.growing import candidate_formulas
from explorer.explain.pruners import expected_errors, mdl_formula, pessimistic_formula, reduced_error_formula
from explorer.explain.pruning import given_alpha_formula, link_formula
from explorer.explain.rule import Term, reached_by, rule_terms, rule_words

__all__ = [
    "Derivation",
    "Formula",
    "Term",
    "candidate_formulas",
    "chi2_formula",
    "expected_errors",
    "given_alpha_formula",
    "link_formula",
    "margin_formula",
    "mdl_formula",
    "mean_gain_formula",
    "missing_formula",
    "pessimistic_formula",
    "reached_by",
    "reduced_error_formula",
    "rule_terms",
    "rule_words",
    "validation_formula",
]
