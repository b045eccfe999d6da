"""A tree as a list of rules: one per leaf (DEFINITIONS section 13)."""

import numpy as np

from explorer.explaining.node_rule import every_rule
from explorer.explaining.rules.rule import Rule, RuleList
from explorer.messages import message
from explorer.pruning.error_bound import upper_error
from explorer.tree.branching import STAY, BranchingRule, branching_rules, ends_of
from explorer.tree.tree import Tree


def rules(tree: Tree) -> RuleList:
    """The tree as rules that predict the same as the tree for every row, in the order of the leaves (preorder).

    Tests on one feature are merged. Rows with a value that has no branch stop at a node above the leaves: rules for
    these follow the rules of the leaves, and the root's prediction is the default.

    >>> from explorer import ID3, Dataset, grow, load_sample
    >>> listed = rules(grow(Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis"), ID3))
    >>> listed[0].words, listed[0].prediction, listed[0].weight, len(listed), listed.default.prediction
    ('Outlook = Sunny and Humidity = High', 'No', 3.0, 5, 'Yes')
    """
    branching = branching_rules(tree)
    nodes = _NodePredictions(tree)
    ends = [node for node in ends_of(tree, branching) if node or not branching]
    return RuleList(
        tree,
        tuple(nodes.rule(node) for node in ends if node not in branching),
        nodes.rule(0),
        tuple(nodes.rule(node, branching[node]) for node in ends if node in branching),
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

    def rule(self, node: int, branching: BranchingRule | None = None) -> Rule:
        """The rule of a node; with its branching rule, the rule for rows that stop there."""
        tree, steps = self._tree, self._tree.path_to(node)
        return Rule(
            terms=self._terms[node],
            prediction=self._values[node],
            weight=float(tree.weight[node]),
            stats=tuple(tree.stats[node].tolist()),
            shares=() if tree.is_regression else tuple(tree.deciding_shares[node].tolist()),
            leaves=(node,),
            steps=(*steps, (node, STAY)) if branching else tuple(steps),
            code=-1 if tree.is_regression else int(tree.labels[node]),
            stop=_why_stopped(branching) if branching else None,
            lower_bound=None if self._lower_bounds is None else self._lower_bounds[node],
            has_mean=tree.has_deviations,
            counts_rows=tree.counts_rows,
        )


def _lower_bounds(tree: Tree) -> list[float]:
    """The accuracy that the training rows of each node, not their class weights, support, [n]."""
    rows = tree.row_stats.sum(axis=1)
    right = tree.row_stats[np.arange(tree.n_nodes_grown), tree.labels]
    bounds = np.where(rows > 0, 1.0 - upper_error(np.maximum(rows - right, 0.0), rows), 0.0)
    return [float(bound) for bound in bounds]


def _why_stopped(branching: BranchingRule) -> str:
    """The values that have no branch at a node, as text."""
    feature = branching.test.encoding.name
    if not (branching.unseen == STAY and branching.test.may_meet_unseen):
        return message("{feature} is missing", feature=feature)
    if branching.missing != STAY:
        return message("{feature} has another value", feature=feature)
    return message("{feature} is missing or has another value", feature=feature)
