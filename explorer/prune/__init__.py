"""Ways to make a grown tree smaller; every one takes a Tree and gives a Tree with some nodes closed."""

from explorer.prune.by_hand import closed_at, prune_by_hand
from explorer.prune.choose import SizeFacts, one_se_position, why_this_size
from explorer.prune.contributions import Contributions, contributions
from explorer.prune.given_alpha import FixedAlpha, Step, fixed_alpha_trees, given_alpha_steps
from explorer.prune.links import Links, links
from explorer.prune.path import Path, cost_complexity_path, prune_at_alpha
from explorer.prune.risk import RISKS, node_risk

__all__ = [
    "RISKS",
    "Contributions",
    "FixedAlpha",
    "Links",
    "Path",
    "SizeFacts",
    "Step",
    "closed_at",
    "contributions",
    "cost_complexity_path",
    "fixed_alpha_trees",
    "given_alpha_steps",
    "links",
    "node_risk",
    "one_se_position",
    "prune_at_alpha",
    "prune_by_hand",
    "why_this_size",
]
