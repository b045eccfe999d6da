"""What every node does with a row, in plain values: with a value, without one, and with one that it never saw.

A `Question` sends values down branches; a `Fork` is a node's own question with what becomes of all other rows
(DEFINITIONS section 6). Rules and exports are made of these.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.kernels.route import SPREAD, STAY, training_shares, ways_out
from explorer.tree import Tree
from explorer.usage import Usage

__all__ = ["SPREAD", "STAY", "Fork", "Question", "ends_of", "forks"]


@dataclass(frozen=True)
class Question:
    """A feature and the branch of each of its values: by a threshold `cut` (then branch `sides`), or by code.

    `feature` is the feature's place in the tree, `usage.labels` has the values behind the codes.
    """

    feature: int
    usage: Usage
    cut: float | None
    sides: tuple[int, int]
    branch_of: dict[int, int]

    @property
    def is_open(self) -> bool:
        """Whether there may be values without a branch: always for categories, for bins where one has none."""
        bins = self.usage.test == "bins" and len(self.branch_of) == len(self.usage.edges) + 1
        return self.cut is None and not bins


@dataclass(frozen=True)
class Fork:
    """A node with a test: `missing` and `unseen` are the branch of such rows, or STAY or SPREAD.

    A row without a value asks the `surrogates` first, in order. `shares` are the branches' parts of the training
    weight, by which rows are spread.
    """

    node: int
    question: Question
    children: range
    missing: int
    unseen: int
    surrogates: tuple[Question, ...]
    shares: tuple[float, ...]

    @property
    def ways_out(self) -> set[int]:
        """What may become of rows whose value has no branch or is missing, surrogates aside."""
        return {self.missing, self.unseen} if self.question.is_open else {self.missing}


def forks(tree: Tree) -> dict[int, Fork]:
    """The fork of every open node with a test, by node.

    >>> from explorer import ID3, Dataset, grow
    >>> from explorer.samples import load_sample
    >>> found = forks(grow(Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis"), ID3))
    >>> list(found), [round(14 * share) for share in found[0].shares]
    ([0, 1, 3], [5, 4, 5])
    """
    ways, shares = ways_out(tree).tolist(), training_shares(tree)
    found = {}
    for node in np.flatnonzero(tree.is_inner).tolist():
        children = tree.children_of(node)
        found[node] = Fork(
            node,
            _question_at(tree, node),
            children,
            ways[node][0],
            ways[node][1],
            _surrogates_at(tree, node),
            tuple(shares[children.start : children.stop].tolist()),
        )
    return found


def ends_of(tree: Tree, found: dict[int, Fork]) -> list[int]:
    """The nodes where rows may end: the leaves from the first branch on, then nodes with rows that find no branch."""
    order = list(tree.preorder())
    stopping = [node for node in order if node in found and STAY in found[node].ways_out]
    return [*(node for node in order if node not in found), *stopping]


def _question_at(tree: Tree, node: int) -> Question:
    feature = int(tree.feature[node])
    usage = tree.features[feature]
    if usage.test == "threshold":
        return Question(feature, usage, float(tree.threshold[node]), (0, 1), {})
    pairs = slice(int(tree.cat_offset[node]), int(tree.cat_offset[node + 1]))
    return Question(feature, usage, None, (0, 0), _by_code(usage, tree.cat_code[pairs], tree.cat_branch[pairs]))


def _surrogates_at(tree: Tree, node: int) -> tuple[Question, ...]:
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
        questions.append(Question(feature, usage, None if np.isnan(cut) else cut, sides, by_code))
    return tuple(questions)


def _by_code(usage: Usage, codes: NDArray[np.int32], branches: NDArray[np.int32]) -> dict[int, int]:
    """Branches by code, without that of missing values, which is told apart."""
    pairs = zip(codes.tolist(), branches.tolist(), strict=True)
    return {code: branch for code, branch in pairs if usage.labels[code] is not None}
