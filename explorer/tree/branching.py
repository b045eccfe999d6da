"""What every node does with a row, in plain values: with a value, without one, and with one that it never saw.

A `BranchTest` sends values down branches; a `BranchingRule` is a node's own test with what becomes of all other rows
(DEFINITIONS section 6). Rules and exports are made of these.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.recipe.columns import FeatureEncoding
from explorer.tree.routing import SPREAD, STAY, branches_for_unknown, training_shares
from explorer.tree.tree import Tree

__all__ = ["SPREAD", "STAY", "BranchTest", "BranchingRule", "branching_rules", "ends_of"]


@dataclass(frozen=True)
class BranchTest:
    """A feature and the branch of each of its values: by a threshold `cut` (then branch `sides`), or by code.

    `feature` is the feature's place in the tree, `usage.labels` has the values behind the codes.
    """

    feature: int
    usage: FeatureEncoding
    cut: float | None
    sides: tuple[int, int]
    branch_of: dict[int, int]

    @property
    def may_meet_unseen(self) -> bool:
        """Whether there may be values without a branch: always for categories, for bins where one has none."""
        bins = self.usage.test == "bins" and len(self.branch_of) == len(self.usage.edges) + 1
        return self.cut is None and not bins


@dataclass(frozen=True)
class BranchingRule:
    """A node with a test: `missing` and `unseen` are the branch of such rows, or STAY or SPREAD.

    A row without a value asks the `surrogates` first, in order. `shares` are the branches' parts of the training
    weight, by which rows are spread.
    """

    node: int
    question: BranchTest
    children: range
    missing: int
    unseen: int
    surrogates: tuple[BranchTest, ...]
    shares: tuple[float, ...]

    @property
    def branches_for_unknown(self) -> set[int]:
        """What may become of rows whose value has no branch or is missing, surrogates aside."""
        return {self.missing, self.unseen} if self.question.may_meet_unseen else {self.missing}


def branching_rules(tree: Tree) -> dict[int, BranchingRule]:
    """The fork of every open node with a test, by node.

    >>> from explorer import ID3, Dataset, grow
    >>> from explorer.data.samples import load_sample
    >>> found = branching_rules(grow(Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis"), ID3))
    >>> list(found), [round(14 * share) for share in found[0].shares]
    ([0, 1, 3], [5, 4, 5])
    """
    ways, shares = branches_for_unknown(tree).tolist(), training_shares(tree)
    found = {}
    for node in np.flatnonzero(tree.is_inner).tolist():
        children = tree.children_of(node)
        found[node] = BranchingRule(
            node,
            _question_at(tree, node),
            children,
            ways[node][0],
            ways[node][1],
            _surrogates_at(tree, node),
            tuple(shares[children.start : children.stop].tolist()),
        )
    return found


def ends_of(tree: Tree, found: dict[int, BranchingRule]) -> list[int]:
    """The nodes where rows may end: the leaves from the first branch on, then nodes with rows that find no branch."""
    order = list(tree.preorder())
    stopping = [node for node in order if node in found and STAY in found[node].branches_for_unknown]
    return [*(node for node in order if node not in found), *stopping]


def _question_at(tree: Tree, node: int) -> BranchTest:
    feature = int(tree.feature[node])
    usage = tree.features[feature]
    if usage.test == "threshold":
        return BranchTest(feature, usage, float(tree.threshold[node]), (0, 1), {})
    pairs = slice(int(tree.cat_offset[node]), int(tree.cat_offset[node + 1]))
    return BranchTest(feature, usage, None, (0, 0), _by_code(usage, tree.cat_code[pairs], tree.cat_branch[pairs]))


def _surrogates_at(tree: Tree, node: int) -> tuple[BranchTest, ...]:
    found = tree.surrogates
    if found is None:
        return ()
    questions = []
    for which in range(int(found.offset[node]), int(found.offset[node + 1])):
        feature = int(found.feature[which])
        usage, cut = tree.features[feature], float(found.cut[which])
        pairs = slice(int(found.pair_offset[which]), int(found.pair_offset[which + 1]))
        by_code = _by_code(usage, found.code[pairs], found.branch[pairs])
        sides = int(found.below[which]), int(found.above[which])
        questions.append(BranchTest(feature, usage, None if np.isnan(cut) else cut, sides, by_code))
    return tuple(questions)


def _by_code(usage: FeatureEncoding, codes: NDArray[np.int32], branches: NDArray[np.int32]) -> dict[int, int]:
    """Branches by code, without that of missing values, which is told apart."""
    pairs = zip(codes.tolist(), branches.tolist(), strict=True)
    return {code: branch for code, branch in pairs if usage.labels[code] is not None}
