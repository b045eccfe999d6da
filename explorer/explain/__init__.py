"""What a tree says, in words: the rule that leads to a node."""

from explorer.explain.rule import Term, path_words, reached_by, rule_terms, rule_words

__all__ = ["Term", "path_words", "reached_by", "rule_terms", "rule_words"]
