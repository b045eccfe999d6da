"""Rules: a tree as a list of them, and C4.5's way to prune each rule by itself."""

from explorer.rules.from_tree import rules
from explorer.rules.post_prune import Estimate, Removal, post_prune_rules
from explorer.rules.rule import Rule, RuleList

__all__ = ["Estimate", "Removal", "Rule", "RuleList", "post_prune_rules", "rules"]
