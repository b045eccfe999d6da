"""Ways to make a grown tree smaller; every one takes a Tree and gives a Tree with some nodes closed."""

from explorer.prune.path import Path, cost_complexity_path, prune_at_alpha
from explorer.prune.risk import RISKS, node_risk

__all__ = ["RISKS", "Path", "cost_complexity_path", "node_risk", "prune_at_alpha"]
