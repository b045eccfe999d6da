"""A tree as a list of rules: one per leaf (DEFINITIONS section 13)."""

from explorer.explaining.node_rule import terms_of
from explorer.explaining.rules.matching import Step
from explorer.explaining.rules.rule import Rule, RuleList
from explorer.messages import message
from explorer.pruning.error_bound import lower_accuracy
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
        tuple(nodes.rule(node, tree.path_to(node)) for node in ends if node not in branching),
        nodes.rule(0, []),
        tuple(nodes.rule(node, tree.path_to(node), branching[node]) for node in ends if node in branching),
    )


class _NodePredictions:
    """The predictions of all nodes of a tree, computed once for all rules."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._values = tree.values.tolist() if tree.is_regression else [tree.classes[code] for code in tree.labels]

    def rule(self, node: int, steps: list[Step], branching: BranchingRule | None = None) -> Rule:
        """The rule of a node with these steps; with its branching rule, the rule for rows that stop there."""
        tree = self._tree
        return Rule(
            terms=tuple(terms_of(tree, steps)),
            prediction=self._values[node],
            weight=float(tree.weight[node]),
            stats=tuple(tree.stats[node].tolist()),
            shares=() if tree.is_regression else tuple(tree.shares[node].tolist()),
            leaves=(node,),
            steps=(*steps, (node, STAY)) if branching else tuple(steps),
            code=-1 if tree.is_regression else int(tree.labels[node]),
            stop=_why_stopped(branching) if branching else None,
            lower_bound=self._lower_bound(node),
        )

    def _lower_bound(self, node: int) -> float | None:
        """What the node's training rows, not their class weights, support."""
        if self._tree.is_regression:
            return None
        counts = self._tree.row_stats[node]
        rows = float(counts.sum())
        return lower_accuracy(max(rows - float(counts[self._tree.labels[node]]), 0.0), rows)


def _why_stopped(branching: BranchingRule) -> str:
    """The values that have no branch at a node, as text."""
    feature = branching.test.encoding.name
    if not (branching.unseen == STAY and branching.test.may_meet_unseen):
        return message("{feature} is missing", feature=feature)
    if branching.missing != STAY:
        return message("{feature} has another value", feature=feature)
    return message("{feature} is missing or has another value", feature=feature)
