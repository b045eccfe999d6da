"""What a tree says: rules, the way of one row and what would flip it, in words; and the arithmetic behind a number."""

from explorer.explain.contest import (
    chi2_formula,
    margin_formula,
    mean_gain_formula,
    missing_formula,
    validation_formula,
)
from explorer.explain.flip import Change, Flip, flip
from explorer.explain.formula import Derivation, Formula
from explorer.explain.growing import candidate_formulas
from explorer.explain.lengths import mdl_formula, split_bits_formula
from explorer.explain.path import RowPath, Visit, row_path
from explorer.explain.pruners import expected_errors, pessimistic_formula, reduced_error_formula
from explorer.explain.pruning import given_alpha_formula, link_formula
from explorer.explain.rule import Term, path_words, reached_by, rule_terms, rule_words, terms_of

__all__ = [
    "Change",
    "Derivation",
    "Flip",
    "Formula",
    "RowPath",
    "Term",
    "Visit",
    "candidate_formulas",
    "chi2_formula",
    "expected_errors",
    "flip",
    "given_alpha_formula",
    "link_formula",
    "margin_formula",
    "mdl_formula",
    "mean_gain_formula",
    "missing_formula",
    "path_words",
    "pessimistic_formula",
    "reached_by",
    "reduced_error_formula",
    "row_path",
    "rule_terms",
    "rule_words",
    "split_bits_formula",
    "terms_of",
    "validation_formula",
]
