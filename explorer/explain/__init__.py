"""What a tree says, in words: the rule of a node, the way of one row, and the smallest change that flips its answer."""

from explorer.explain.flip import Change, Flip, flip
from explorer.explain.path import RowPath, Visit, row_path
from explorer.explain.rule import Term, path_words, reached_by, rule_terms, rule_words

__all__ = [
    "Change",
    "Flip",
    "RowPath",
    "Term",
    "Visit",
    "flip",
    "path_words",
    "reached_by",
    "row_path",
    "rule_terms",
    "rule_words",
]
