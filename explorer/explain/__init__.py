"""What a tree says, in words: the rule that leads to a node."""

from explorer.explain.rule import Term, reached_by, rule_terms, rule_words, terms_of

__all__ = ["Term", "reached_by", "rule_terms", "rule_words", "terms_of"]
