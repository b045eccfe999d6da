"""Decision rules: a tree as a list of rules, and C4.5's post-pruning of each rule."""

from explorer.explaining.rules.from_tree import rules
from explorer.explaining.rules.post_prune import post_prune_rules
from explorer.explaining.rules.rule import Estimate, Removal, Rule, RuleList

__all__ = ["Estimate", "Removal", "Rule", "RuleList", "post_prune_rules", "rules"]
