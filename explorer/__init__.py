"""Decision Tree Explorer: how a decision tree is grown, and how it is cut back.

>>> import explorer as ex
>>> data = ex.Dataset.from_frame(ex.load_sample("play_tennis").frame, target="PlayTennis")
>>> tree = ex.grow(data, ex.ID3)
>>> round(ex.decide(tree, data, 0).chosen.gain, 3)
0.247
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from explorer.agreement import Agreement, Closeness, agreement
from explorer.calibration import LeafCalibration, LeafSizes, leaf_calibration, leaf_sizes
from explorer.candidates import Candidate
from explorer.choices import Choice, Choices, Place, Question
from explorer.compare import Divergence, first_divergence
from explorer.conditions import Condition
from explorer.dataset import Dataset
from explorer.decide import Decision, decide
from explorer.description import description_bits
from explorer.draw.html import to_html
from explorer.draw.svg import to_svg
from explorer.errors import ExplorerError, InputError, Stopped
from explorer.explain import Flip, RowPath, flip, row_path
from explorer.export import to_dot, to_listing, to_python, to_sql, to_text
from explorer.feature_importance import Shuffled, importance, permutation_importance
from explorer.grow import grow
from explorer.learning_curve import LearningCurve, learning_curve
from explorer.node import Node
from explorer.paired import PairedScores, paired_scores
from explorer.parting import missing_ways
from explorer.prune import (
    Path,
    Pruned,
    closed_at,
    cost_complexity_path,
    given_alpha_steps,
    mdl_prune,
    mdl_steps,
    pessimistic_prune,
    pessimistic_steps,
    prune_at_alpha,
    prune_by_hand,
    prune_methods,
    reduced_error_prune,
    reduced_error_steps,
    upper_error,
)
from explorer.read import Table, read_table
from explorer.recipe import C45, CART, ID3, Recipe
from explorer.resample import CrossValidation, cross_validate_path
from explorer.rules import Removal, Rule, RuleList, post_prune_rules, rules
from explorer.samples import SAMPLES, load_sample
from explorer.steering import Standing, standings
from explorer.tree import Tree
from explorer.warm import warm_up

if TYPE_CHECKING:
    from explorer.curves import ClassCurves, class_curves
    from explorer.draw.slider import to_slider
    from explorer.estimators import TreeClassifier, TreeRegressor
    from explorer.report import Provenance, to_report, to_script
    from explorer.scores import Evaluation, evaluation

__all__ = [
    "C45",
    "CART",
    "ID3",
    "SAMPLES",
    "Agreement",
    "Candidate",
    "Choice",
    "Choices",
    "ClassCurves",
    "Closeness",
    "Condition",
    "CrossValidation",
    "Dataset",
    "Decision",
    "Divergence",
    "Evaluation",
    "ExplorerError",
    "Flip",
    "InputError",
    "LeafCalibration",
    "LeafSizes",
    "LearningCurve",
    "Node",
    "PairedScores",
    "Path",
    "Place",
    "Provenance",
    "Pruned",
    "Question",
    "Recipe",
    "Removal",
    "RowPath",
    "Rule",
    "RuleList",
    "Shuffled",
    "Standing",
    "Stopped",
    "Table",
    "Tree",
    "TreeClassifier",
    "TreeRegressor",
    "agreement",
    "class_curves",
    "closed_at",
    "cost_complexity_path",
    "cross_validate_path",
    "decide",
    "description_bits",
    "evaluation",
    "first_divergence",
    "flip",
    "given_alpha_steps",
    "grow",
    "importance",
    "leaf_calibration",
    "leaf_sizes",
    "learning_curve",
    "load_sample",
    "mdl_prune",
    "mdl_steps",
    "missing_ways",
    "paired_scores",
    "permutation_importance",
    "pessimistic_prune",
    "pessimistic_steps",
    "post_prune_rules",
    "prune_at_alpha",
    "prune_by_hand",
    "prune_methods",
    "read_table",
    "reduced_error_prune",
    "reduced_error_steps",
    "row_path",
    "rules",
    "standings",
    "to_dot",
    "to_html",
    "to_listing",
    "to_python",
    "to_report",
    "to_script",
    "to_slider",
    "to_sql",
    "to_svg",
    "to_text",
    "upper_error",
    "warm_up",
]

_LATER = {
    "ClassCurves": "explorer.curves",
    "Evaluation": "explorer.scores",
    "Provenance": "explorer.report",
    "TreeClassifier": "explorer.estimators",
    "TreeRegressor": "explorer.estimators",
    "class_curves": "explorer.curves",
    "evaluation": "explorer.scores",
    "to_report": "explorer.report",
    "to_script": "explorer.report",
    "to_slider": "explorer.draw.slider",
}
"""What needs scikit-learn is imported when it is asked for: importing the package stays fast."""


def __getattr__(name: str) -> Any:
    """The names of `_LATER`."""
    if name not in _LATER:
        raise AttributeError(f"module 'explorer' has no attribute '{name}'")
    return getattr(importlib.import_module(_LATER[name]), name)
