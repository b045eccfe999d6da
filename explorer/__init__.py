"""Decision Tree Explorer: grow, prune and explain decision trees (ID3, C4.5, CART).

>>> import explorer as ex
>>> data = ex.Dataset.from_frame(ex.load_sample("play_tennis").frame, target="PlayTennis")
>>> tree = ex.grow(data, ex.ID3)
>>> round(ex.decide(tree, data, 0).chosen.gain, 3)
0.247
"""

from __future__ import annotations

import ast
import importlib
import pathlib
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from explorer.candidates.candidates import Candidate
    from explorer.compile_ahead import warm_up
    from explorer.data.budget import Budget
    from explorer.data.codes.scale import Ordered
    from explorer.data.dataset import Dataset
    from explorer.data.read import read_table
    from explorer.data.samples import SAMPLES, load_sample
    from explorer.data.suggestions import Repair, Suggestion, apply_repairs
    from explorer.data.table import Table
    from explorer.drawing.svg.svg import to_svg
    from explorer.drawing.tree_view.html import to_html
    from explorer.drawing.tree_view.pruning_slider import to_slider
    from explorer.ensembles.adaboost import adaboost
    from explorer.ensembles.base_ensemble import Member
    from explorer.ensembles.c50 import c50
    from explorer.ensembles.forest import bagging, extra_trees, forest
    from explorer.ensembles.gradient import gradient_boost
    from explorer.ensembles.members import Ensemble
    from explorer.ensembles.newton import newton_boost
    from explorer.ensembles.open_model import open_model
    from explorer.ensembles.regrown import regrown
    from explorer.ensembles.stability.stability import Stability, stability
    from explorer.ensembles.stability.tree_distance import tree_distance
    from explorer.errors import ColumnError, EngineError, ExplorerError, InputError, SourceChangedError, Stopped
    from explorer.evaluation.comparison.agreement import Agreement, PredictionDifferences, agreement
    from explorer.evaluation.comparison.constraint_costs import ConstraintCost, ConstraintCosts, constraint_costs
    from explorer.evaluation.comparison.first_difference import FirstDifference, first_difference
    from explorer.evaluation.comparison.greedy_and_optimal import GreedyAndOptimal, greedy_and_optimal
    from explorer.evaluation.comparison.recount import recount
    from explorer.evaluation.cross_validation import CrossValidation, cross_validate_path
    from explorer.evaluation.deciding.class_curves import ClassCurves, class_curves
    from explorer.evaluation.deciding.column_drift import ColumnDrift, column_drift
    from explorer.evaluation.deciding.cutoffs import best_cutoffs, cutoff_reaching
    from explorer.evaluation.deciding.gains import gains
    from explorer.evaluation.drift import Drift, drift
    from explorer.evaluation.evaluation import Evaluation, evaluate
    from explorer.evaluation.feature_importance import PermutationImportance, importance, permutation_importance
    from explorer.evaluation.leaf_calibration import LeafCalibration, LeafSizes, leaf_calibration, leaf_sizes
    from explorer.evaluation.learning_curve import LearningCurve, learning_curve
    from explorer.evaluation.near_ties import NearTie, near_tie, near_tie_text, near_ties
    from explorer.evaluation.paired_scores import PairedScores, paired_scores
    from explorer.explaining import Flip, RowPath, flip, flips, row_path
    from explorer.explaining.leaf_spreads import LeafSpread, leaf_spreads
    from explorer.explaining.node_profile import FeatureProfile, MissingPattern, missing_patterns, node_profile
    from explorer.explaining.partial_dependence import PartialDependence, partial_dependence
    from explorer.explaining.rules import Removal, Rule, RuleList, post_prune_rules, rules
    from explorer.explaining.splitting_sentence import splitting_sentence
    from explorer.export import (
        to_c,
        to_dot,
        to_javascript,
        to_listing,
        to_onnx,
        to_pmml,
        to_python,
        to_sklearn,
        to_sql,
        to_text,
    )
    from explorer.export.office import to_pdf, to_png, to_pptx, to_spreadsheet, to_xlsx
    from explorer.export.report import Provenance, to_report, to_script
    from explorer.growing.constraints import ConstraintStatus, constraint_statuses
    from explorer.growing.decide import Decision, decide
    from explorer.growing.description_length import description_bits
    from explorer.growing.grow import grow
    from explorer.growing.growing_steps import GrowingSteps, growing_steps
    from explorer.growing.multi_output import JointDecision, MultiOutputTree, decide_multi_output, grow_multi_output
    from explorer.growing.multi_output_data import MultiOutputData
    from explorer.growing.node_rows import missing_row_branches
    from explorer.growing.shortest_tree import ShortestTree, shortest_tree
    from explorer.optimal.best_subtree import BestSubtree, best_subtree
    from explorer.optimal.check import check_certificate
    from explorer.optimal.price_of_greed import PriceOfGreed, price_of_greed
    from explorer.pruning import (
        PRUNING_METHODS,
        MethodResult,
        Path,
        cost_complexity_path,
        fixed_alpha_steps,
        mdl_prune,
        mdl_steps,
        pessimistic_prune,
        pessimistic_steps,
        prune_at_alpha,
        prune_by_hand,
        prune_methods,
        pruned_at,
        reduced_error_prune,
        reduced_error_steps,
        upper_error,
    )
    from explorer.recipe.condition import Condition, SplitRequest
    from explorer.recipe.recipe import C45, CART, ID3, Recipe
    from explorer.sklearn_api import TreeClassifier, TreeRegressor
    from explorer.sources.origins.connect import connect
    from explorer.sources.source import Source
    from explorer.tree.constraints import Choice, Choices, NodePath
    from explorer.tree.from_sklearn_json import sklearn_snippet
    from explorer.tree.smoothing import Smoothing
    from explorer.tree.tree import Node, Tree

__version__ = "0.2.0"

__all__ = [
    "C45",
    "CART",
    "ID3",
    "PRUNING_METHODS",
    "SAMPLES",
    "Agreement",
    "BestSubtree",
    "Budget",
    "Candidate",
    "Choice",
    "Choices",
    "ClassCurves",
    "ColumnDrift",
    "ColumnError",
    "Condition",
    "ConstraintCost",
    "ConstraintCosts",
    "ConstraintStatus",
    "CrossValidation",
    "Dataset",
    "Decision",
    "Drift",
    "EngineError",
    "Ensemble",
    "Evaluation",
    "ExplorerError",
    "FeatureProfile",
    "FirstDifference",
    "Flip",
    "GreedyAndOptimal",
    "GrowingSteps",
    "InputError",
    "JointDecision",
    "LeafCalibration",
    "LeafSizes",
    "LeafSpread",
    "LearningCurve",
    "Member",
    "MethodResult",
    "MissingPattern",
    "MultiOutputData",
    "MultiOutputTree",
    "NearTie",
    "Node",
    "NodePath",
    "Ordered",
    "PairedScores",
    "PartialDependence",
    "Path",
    "PermutationImportance",
    "PredictionDifferences",
    "PriceOfGreed",
    "Provenance",
    "Recipe",
    "Removal",
    "Repair",
    "RowPath",
    "Rule",
    "RuleList",
    "ShortestTree",
    "Smoothing",
    "Source",
    "SourceChangedError",
    "SplitRequest",
    "Stability",
    "Stopped",
    "Suggestion",
    "Table",
    "Tree",
    "TreeClassifier",
    "TreeRegressor",
    "adaboost",
    "agreement",
    "apply_repairs",
    "bagging",
    "best_cutoffs",
    "best_subtree",
    "c50",
    "check_certificate",
    "class_curves",
    "column_drift",
    "connect",
    "constraint_costs",
    "constraint_statuses",
    "cost_complexity_path",
    "cross_validate_path",
    "cutoff_reaching",
    "decide",
    "decide_multi_output",
    "description_bits",
    "drift",
    "evaluate",
    "extra_trees",
    "first_difference",
    "fixed_alpha_steps",
    "flip",
    "flips",
    "forest",
    "gains",
    "gradient_boost",
    "greedy_and_optimal",
    "grow",
    "grow_multi_output",
    "growing_steps",
    "importance",
    "leaf_calibration",
    "leaf_sizes",
    "leaf_spreads",
    "learning_curve",
    "load_sample",
    "mdl_prune",
    "mdl_steps",
    "missing_patterns",
    "missing_row_branches",
    "near_tie",
    "near_tie_text",
    "near_ties",
    "newton_boost",
    "node_profile",
    "open_model",
    "paired_scores",
    "partial_dependence",
    "permutation_importance",
    "pessimistic_prune",
    "pessimistic_steps",
    "post_prune_rules",
    "price_of_greed",
    "prune_at_alpha",
    "prune_by_hand",
    "prune_methods",
    "pruned_at",
    "read_table",
    "recount",
    "reduced_error_prune",
    "reduced_error_steps",
    "regrown",
    "row_path",
    "rules",
    "shortest_tree",
    "sklearn_snippet",
    "splitting_sentence",
    "stability",
    "to_c",
    "to_dot",
    "to_html",
    "to_javascript",
    "to_listing",
    "to_onnx",
    "to_pdf",
    "to_pmml",
    "to_png",
    "to_pptx",
    "to_python",
    "to_report",
    "to_script",
    "to_sklearn",
    "to_slider",
    "to_spreadsheet",
    "to_sql",
    "to_svg",
    "to_text",
    "to_xlsx",
    "tree_distance",
    "upper_error",
    "warm_up",
]


@cache
def _modules() -> dict[str, str]:
    """The module of every public name: read from the imports above, so that none is written down twice."""
    block = next(node for node in ast.parse(pathlib.Path(__file__).read_text("utf-8")).body if isinstance(node, ast.If))
    imports = [node for node in block.body if isinstance(node, ast.ImportFrom) and node.module]
    return {alias.name: node.module or "" for node in imports for alias in node.names}


def __getattr__(name: str) -> Any:
    """Import a public name, or the function of a registered pruning method, when it is first used.

    So `import explorer` takes no time, and scikit-learn is loaded only by those who need its scores.
    """
    if name.startswith("__"):
        raise AttributeError(f"module 'explorer' has no attribute '{name}'")
    if name in _modules():
        value = getattr(importlib.import_module(_modules()[name]), name)
    else:
        value = _pruning_functions().get(name)
    if value is None:
        raise AttributeError(f"module 'explorer' has no attribute '{name}'")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """The public names."""
    return [*globals(), *__all__]


def _pruning_functions() -> dict[str, Any]:
    """The functions of every registered pruning method, by their names."""
    methods = __getattr__("PRUNING_METHODS").values()
    return {function.__name__: function for method in methods for function in (method.prune, method.steps) if function}
