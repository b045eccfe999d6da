"""Explanations of a tree: rules, decision paths, counterfactuals, and the formulas behind its numbers."""

from explorer.explaining.counterfactual import Change, Flip, few_rows_limit, flip, flips
from explorer.explaining.decision_path import RowPath, Visit, row_path
from explorer.explaining.formulas.candidate import candidate_formulas
from explorer.explaining.formulas.cost_complexity import fixed_alpha_formula, link_formula
from explorer.explaining.formulas.derivation import Derivation, Formula
from explorer.explaining.formulas.description_length import mdl_formula, split_bits_formula
from explorer.explaining.formulas.node_decision import (
    chi2_formula,
    margin_formula,
    mean_gain_formula,
    missing_formula,
    validation_formula,
)
from explorer.explaining.formulas.other_pruning import expected_errors, pessimistic_formula, reduced_error_formula
from explorer.explaining.formulas.pruning_steps import STEP_FORMULAS, step_formula
from explorer.explaining.formulas.remaining_impurity import remaining_error_formula, remaining_impurity_formula
from explorer.explaining.formulas.smoothing import probability_formula
from explorer.explaining.node_rule import Term, path_words, reached_by, rule_terms, rule_words, terms_of

__all__ = [
    "STEP_FORMULAS",
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
    "few_rows_limit",
    "fixed_alpha_formula",
    "flip",
    "flips",
    "link_formula",
    "margin_formula",
    "mdl_formula",
    "mean_gain_formula",
    "missing_formula",
    "path_words",
    "pessimistic_formula",
    "probability_formula",
    "reached_by",
    "reduced_error_formula",
    "remaining_error_formula",
    "remaining_impurity_formula",
    "row_path",
    "rule_terms",
    "rule_words",
    "split_bits_formula",
    "step_formula",
    "terms_of",
    "validation_formula",
]
