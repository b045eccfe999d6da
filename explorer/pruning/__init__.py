"""Ways to make a grown tree smaller; every one takes a Tree and gives a Tree with some nodes closed.

Only raising subtrees moves rows to other nodes and gives a tree numbered anew.
"""

from explorer.pruning.cost_complexity.choose_size import SizeFacts, one_se_position, why_this_size
from explorer.pruning.cost_complexity.fixed_alpha import FixedAlpha, Step, fixed_alpha_steps, fixed_alpha_trees
from explorer.pruning.cost_complexity.path import Path, cost_complexity_path, prune_at_alpha
from explorer.pruning.cost_complexity.risk import RISKS, node_risk
from explorer.pruning.cost_complexity.weakest_links import WeakestLinks, links
from explorer.pruning.error_bound import upper_error
from explorer.pruning.manual import prune_by_hand, pruned_at
from explorer.pruning.mdl import MdlStep, mdl_prune, mdl_steps
from explorer.pruning.methods import PRUNING_METHODS, MethodResult, PruningMethod, prune_methods
from explorer.pruning.node_contributions import Contributions, contributions
from explorer.pruning.pessimistic import pessimistic_prune, pessimistic_steps
from explorer.pruning.pessimistic_step import PessimisticStep
from explorer.pruning.reduced_error import ReducedErrorStep, reduced_error_prune, reduced_error_steps
from explorer.pruning.validation_loss import ValidationLoss, node_validation_losses

__all__ = [
    "PRUNING_METHODS",
    "RISKS",
    "Contributions",
    "FixedAlpha",
    "MdlStep",
    "MethodResult",
    "Path",
    "PessimisticStep",
    "PruningMethod",
    "ReducedErrorStep",
    "SizeFacts",
    "Step",
    "ValidationLoss",
    "WeakestLinks",
    "contributions",
    "cost_complexity_path",
    "fixed_alpha_steps",
    "fixed_alpha_trees",
    "links",
    "mdl_prune",
    "mdl_steps",
    "node_risk",
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
    "upper_error",
    "why_this_size",
]
