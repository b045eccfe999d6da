"""Ways to make a grown tree smaller; every one takes a Tree and gives a Tree with some nodes closed.

Only raising subtrees moves rows to other nodes and gives a tree numbered anew.
"""

from explorer.prune.by_hand import closed_at, prune_by_hand
from explorer.prune.choose import SizeFacts, one_se_position, why_this_size
from explorer.prune.contributions import Contributions, contributions
from explorer.prune.given_alpha import FixedAlpha, Step, fixed_alpha_trees, given_alpha_steps
from explorer.prune.links import Links, links
from explorer.prune.losses import Losses, losses_on
from explorer.prune.mdl import MdlStep, mdl_prune, mdl_steps
from explorer.prune.methods import Pruned, prune_methods
from explorer.prune.path import Path, cost_complexity_path, prune_at_alpha
from explorer.prune.pessimistic import pessimistic_prune, pessimistic_steps
from explorer.prune.pessimistic_step import PessimisticStep
from explorer.prune.reduced_error import ReducedErrorStep, reduced_error_prune, reduced_error_steps
from explorer.prune.risk import RISKS, node_risk
from explorer.prune.upper_error import upper_error

__all__ = [
    "RISKS",
    "Contributions",
    "FixedAlpha",
    "Links",
    "Losses",
    "MdlStep",
    "Path",
    "PessimisticStep",
    "Pruned",
    "ReducedErrorStep",
    "SizeFacts",
    "Step",
    "closed_at",
    "contributions",
    "cost_complexity_path",
    "fixed_alpha_trees",
    "given_alpha_steps",
    "links",
    "losses_on",
    "mdl_prune",
    "mdl_steps",
    "node_risk",
    "one_se_position",
    "pessimistic_prune",
    "pessimistic_steps",
    "prune_at_alpha",
    "prune_by_hand",
    "prune_methods",
    "reduced_error_prune",
    "reduced_error_steps",
    "upper_error",
    "why_this_size",
]
