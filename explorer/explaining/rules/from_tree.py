"""A tree as a list of rules: one per leaf (DEFINITIONS section 13)."""

from explorer.explaining.node_rule import terms_of
from explorer.explaining.rules.matching import Step
from explorer.explaining.rules.rule import Rule, RuleList
from explorer.tree.branching import STAY, BranchingRule, branching_rules, ends_of
from explorer.tree.tree import Tree


def rules(tree: Tree) -> RuleList:
    """The open tree as rules that answer every row as the tree does, in the order of the leaves from the first branch.

    Tests on one feature are merged. Rows with a value that has no branch stop at a node above the leaves: there are
    rules for those after the rules of the leaves, and the root's answer is the default.

    >>> from explorer import ID3, Dataset, grow, load_sample
    >>> found = rules(grow(Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis"), ID3))
    >>> found[0].words, found[0].prediction, found[0].weight, len(found), found.default.prediction
    ('Outlook = Sunny and Humidity = High', 'No', 3.0, 5, 'Yes')
    """
    found = branching_rules(tree)
    prediction = _Answers(tree)
    ends = [node for node in ends_of(tree, found) if node or not found]
    return RuleList(
        tree,
        tuple(prediction.rule(node, tree.path_to(node)) for node in ends if node not in found),
        prediction.rule(0, []),
        tuple(prediction.rule(node, tree.path_to(node), found[node]) for node in ends if node in found),
    )


class _Answers:
    """What the nodes of a tree answer, looked up once for all rules."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._values = tree.values.tolist() if tree.is_regression else [tree.classes[code] for code in tree.labels]

    def rule(self, node: int, steps: list[Step], fork: BranchingRule | None = None) -> Rule:
        """The rule that these steps lead to a node; with its `fork` for rows that stop there."""
        tree = self._tree
        return Rule(
            terms=tuple(terms_of(tree, steps)),
            prediction=self._values[node],
            weight=float(tree.weight[node]),
            stats=tuple(tree.stats[node].tolist()),
            shares=() if tree.is_regression else tuple(tree.shares[node].tolist()),
            leaves=(node,),
            steps=(*steps, (node, STAY)) if fork else tuple(steps),
            code=-1 if tree.is_regression else int(tree.labels[node]),
            stop=_why_stopped(fork) if fork else None,
        )


def _why_stopped(fork: BranchingRule) -> str:
    """Which values have no branch at a node, in words."""
    missing = ["missing"] if fork.missing == STAY else []
    others = ["another value"] if fork.unseen == STAY and fork.question.may_meet_unseen else []
    return f"{fork.question.usage.name} is {' or '.join([*missing, *others])}"
