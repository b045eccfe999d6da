"""A tree as a list of rules: one per leaf (DEFINITIONS section 13)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from explorer.explaining.node_rule import Term, every_rule
from explorer.explaining.rules.rule import Rule, RuleList
from explorer.messages import message
from explorer.pruning.error_bound import upper_error
from explorer.tree.branching import SPREAD, STAY, BranchingRule, branching_rules, ends_of
from explorer.tree.tree import Tree
from explorer.values import Value


def rules(tree: Tree) -> RuleList:
    """The tree as rules that predict the same as the tree for every row, in the order of the leaves (preorder).

    Tests on one feature are merged. Rows with a value that has no branch stop at a node above the leaves: rules for
    these follow the rules of the leaves, but for those that no row can fulfil. The root's prediction is the default.

    >>> from explorer import ID3, Dataset, grow, load_sample
    >>> listed = rules(grow(Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis"), ID3))
    >>> listed[0].words, listed[0].prediction, listed[0].weight, len(listed), listed.default.prediction
    ('Outlook = Sunny and Humidity = High', 'No', 3.0, 5, 'Yes')
    """
    branching = branching_rules(tree)
    nodes = _NodePredictions(tree)
    ends = [node for node in ends_of(tree, branching) if node or not branching]
    stopping = {node: _stopping(tree, branching, node) for node in ends if node in branching}
    return RuleList(
        tree,
        tuple(nodes.rule(node) for node in ends if node not in branching),
        nodes.rule(0),
        tuple(nodes.stopping_rule(node, values) for node, values in stopping.items() if values is not None),
        has_missing=bool(np.any(tree.missing_weight[tree.is_inner] > 0)),
    )


def root_rule(tree: Tree) -> Rule:
    """The rule of all rows: what the root predicts."""
    return rules(tree.with_pruned(np.arange(tree.n_nodes_grown) == 0)).default


class _NodePredictions:
    """The predictions of all nodes of a tree, computed once for all rules."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._values = tree.values.tolist() if tree.is_regression else [tree.classes[code] for code in tree.labels]
        self._terms = dict(every_rule(tree))
        self._lower_bounds = None if tree.is_regression else _lower_bounds(tree)

    def rule(self, node: int) -> Rule:
        """The rule of a node."""
        tree = self._tree
        return Rule(
            terms=self._terms[node],
            prediction=self._values[node],
            weight=float(tree.weight[node]),
            stats=tuple(tree.stats[node].tolist()),
            shares=() if tree.is_regression else tuple(tree.deciding_shares[node].tolist()),
            leaves=(node,),
            steps=tuple(tree.path_to(node)),
            code=-1 if tree.is_regression else int(tree.labels[node]),
            lower_bound=None if self._lower_bounds is None else self._lower_bounds[node],
            has_mean=tree.has_deviations,
            counts_rows=tree.counts_rows,
            action=tree.node_actions[node],
        )

    def stopping_rule(self, node: int, values: Term | str) -> Rule:
        """The rule for rows that stop at a node with these values; a term has what the tests before it say too."""
        rule = self.rule(node)
        if isinstance(values, Term):
            others = tuple(term for term in rule.terms if term.feature != values.feature)
            rule, values = replace(rule, terms=others), values.words
        return replace(rule, steps=(*rule.steps, (node, STAY)), stop=values)


def _lower_bounds(tree: Tree) -> list[float]:
    """The accuracy that the training rows of each node, not their class weights, support, [n]."""
    rows = tree.row_stats.sum(axis=1)
    right = tree.row_stats[np.arange(tree.n_nodes_grown), tree.labels]
    bounds = np.where(rows > 0, 1.0 - upper_error(np.maximum(rows - right, 0.0), rows), 0.0)
    return [float(bound) for bound in bounds]


def _stopping(tree: Tree, branching: dict[int, BranchingRule], node: int) -> Term | str | None:
    """The values with which rows stop at a node; None where the tests of its feature before it let none come.

    A value that the table does not have stops at the first test of its feature.
    """
    own = branching[node]
    before = [(branching[above], branch) for above, branch in tree.path_to(node)]
    before = [(rule, branch) for rule, branch in before if rule.test.feature == own.test.feature]
    if not before:
        return _without_branch(own)
    labels, values = own.test.encoding.labels, list[Value | None]()
    if own.unseen == STAY:
        come = set.intersection(*(set(rule.test.codes_of.get(branch, ())) for rule, branch in before))
        values = [labels[code] for code in sorted(come - own.test.branch_of.keys())]
    if own.missing == STAY and all(rule.surrogates or rule.missing in (branch, SPREAD) for rule, branch in before):
        values.append(None)
    return Term(own.test.encoding.name, values=tuple(values)) if values else None


def _without_branch(branching: BranchingRule) -> str:
    """The values that have no branch at a node, as text."""
    feature = branching.test.encoding.name
    if not (branching.unseen == STAY and branching.test.may_meet_unseen):
        return message("{feature} is missing", feature=feature)
    if branching.missing != STAY:
        return message("{feature} has another value", feature=feature)
    return message("{feature} is missing or has another value", feature=feature)
