"""Pruning methods: each takes a Tree and returns a Tree with more nodes pruned.

Only subtree raising moves rows to other nodes and returns a tree numbered anew.
"""

from explorer.pruning.cost_complexity.choose_size import SizeFacts, one_se_position, size_lines, why_this_size
from explorer.pruning.cost_complexity.fixed_alpha import FixedAlpha, Step, fixed_alpha_steps, fixed_alpha_trees
from explorer.pruning.cost_complexity.path import Path, cost_complexity_path, prune_at_alpha
from explorer.pruning.cost_complexity.risk import RISKS, node_risk
from explorer.pruning.cost_complexity.weakest_links import WeakestLinks, links
from explorer.pruning.error_bound import upper_error
from explorer.pruning.manual import prune_by_hand, pruned_at
from explorer.pruning.mdl import MdlStep, mdl_prune, mdl_steps
from explorer.pruning.methods import PRUNING_METHODS, MethodResult, PruningMethod, prune_methods
from explorer.pruning.node_score_terms import NodeScoreTerms, node_score_terms
from explorer.pruning.pessimistic import pessimistic_prune, pessimistic_steps
from explorer.pruning.pessimistic_step import PessimisticStep
from explorer.pruning.reduced_error import ReducedErrorStep, reduced_error_prune, reduced_error_steps
from explorer.pruning.validation_loss import ValidationLoss, node_validation_losses

__all__ = [
    "PRUNING_METHODS",
    "RISKS",
    "FixedAlpha",
    "MdlStep",
    "MethodResult",
    "NodeScoreTerms",
    "Path",
    "PessimisticStep",
    "PruningMethod",
    "ReducedErrorStep",
    "SizeFacts",
    "Step",
    "ValidationLoss",
    "WeakestLinks",
    "cost_complexity_path",
    "fixed_alpha_steps",
    "fixed_alpha_trees",
    "links",
    "mdl_prune",
    "mdl_steps",
    "node_risk",
    "node_score_terms",
    "node_validation_losses",
    "one_se_position",
    "pessimistic_prune",
    "pessimistic_steps",
    "prune_at_alpha",
    "prune_by_hand",
    "prune_methods",
    "pruned_at",
    "reduced_error_prune",
    "reduced_error_steps",
    "size_lines",
    "upper_error",
    "why_this_size",
]
