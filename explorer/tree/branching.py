"""How every node routes a row, in plain values: with a known, a missing, or an unseen value.

A `BranchTest` maps values to branches; a `BranchingRule` is a node's own test and the branches of all other rows
(DEFINITIONS section 6). Decision rules and exports are made of these.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from explorer.data.codes.scale import NUMBERS, Ordered
from explorer.recipe.columns import FeatureEncoding
from explorer.tree.routing import SPREAD, STAY, branches_for_unknown, training_shares
from explorer.tree.tree import Tree

__all__ = ["SPREAD", "STAY", "BranchTest", "BranchingRule", "branching_rules", "ends_of", "has_spread_rows"]


@dataclass(frozen=True)
class BranchTest:
    """A feature and the branch of each of its values: by a threshold `cut` (then branch `sides`), or by code.

    `feature` is the index of the feature in `tree.features`; `encoding.labels` has the values of the codes.
    """

    feature: int
    encoding: FeatureEncoding
    cut: float | None
    sides: tuple[int, int]
    branch_of: dict[int, int]

    @cached_property
    def codes_of(self) -> dict[int, list[int]]:
        """The codes of each branch; empty for a threshold."""
        codes: dict[int, list[int]] = {}
        for code, branch in self.branch_of.items():
            codes.setdefault(branch, []).append(code)
        return codes

    @property
    def may_meet_unseen(self) -> bool:
        """Whether some value may have no branch: always for categories, for bins where some bin has none."""
        bins = self.encoding.test == "bins" and len(self.branch_of) == len(self.encoding.edges) + 1
        return self.cut is None and not bins


@dataclass(frozen=True)
class BranchingRule:
    """A node with a test: `missing` and `unseen` are the branch of such rows, or STAY or SPREAD.

    A row without a value follows the first of the `surrogates` that has one. `shares` are the branches' shares of the
    training weight, for fractional instances.
    """

    node: int
    test: BranchTest
    children: range
    missing: int
    unseen: int
    surrogates: tuple[BranchTest, ...]
    shares: tuple[float, ...]

    @property
    def branches_for_unknown(self) -> set[int]:
        """The branches of rows whose value has no branch or is missing, surrogates aside."""
        return {self.missing, self.unseen} if self.test.may_meet_unseen else {self.missing}


def branching_rules(tree: Tree, by_level: bool = True) -> dict[int, BranchingRule]:
    """The branching rule of every kept node with a test, by node.

    Ordered levels are tested as categories, as exports read them from cells; or, not `by_level`, as the tree does.

    >>> from explorer import ID3, Dataset, grow
    >>> from explorer.data.samples import load_sample
    >>> branching = branching_rules(grow(Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis"), ID3))
    >>> list(branching), [round(14 * share) for share in branching[0].shares]
    ([0, 1, 3], [5, 4, 5])
    """
    unknown, shares = branches_for_unknown(tree).tolist(), training_shares(tree)
    rules = {}
    for node in np.flatnonzero(tree.is_inner).tolist():
        children = tree.children_of(node)
        rules[node] = BranchingRule(
            node,
            _test_at(tree, node),
            children,
            unknown[node][0],
            unknown[node][1],
            _surrogates_at(tree, node),
            tuple(shares[children.start : children.stop].tolist()),
        )
        if by_level:
            rule = rules[node]
            surrogates = tuple(map(_by_level, rule.surrogates))
            rules[node] = replace(rule, test=_by_level(rule.test), surrogates=surrogates)
    return rules


def ends_of(tree: Tree, rules: dict[int, BranchingRule]) -> list[int]:
    """The nodes where rows may end: the leaves in preorder, then nodes with rows that have no branch."""
    order = list(tree.preorder())
    stopping = [node for node in order if node in rules and STAY in rules[node].branches_for_unknown]
    return [*(node for node in order if node not in rules), *stopping]


def has_spread_rows(tree: Tree) -> bool:
    """Whether rows with a missing cell, or with a value that has no branch, follow several branches."""
    inner = np.flatnonzero(tree.is_inner)
    unknown = branches_for_unknown(tree)[inner]
    lists_values = np.array([each.test != "threshold" for each in tree.features] or [False])[tree.feature[inner]]
    return bool((unknown[:, 0] == SPREAD).any() or (unknown[lists_values, 1] == SPREAD).any())


def _test_at(tree: Tree, node: int) -> BranchTest:
    feature = int(tree.feature[node])
    encoding = tree.features[feature]
    if encoding.test == "threshold":
        return BranchTest(feature, encoding, float(tree.threshold[node]), (0, 1), {})
    pairs = slice(int(tree.cat_offset[node]), int(tree.cat_offset[node + 1]))
    by_code = _by_code(encoding, tree.cat_code[pairs], tree.cat_branch[pairs])
    return BranchTest(feature, encoding, None, (0, 0), by_code)


def _surrogates_at(tree: Tree, node: int) -> tuple[BranchTest, ...]:
    surrogates = tree.surrogates
    if surrogates is None:
        return ()
    tests = []
    for index in range(int(surrogates.offset[node]), int(surrogates.offset[node + 1])):
        feature = int(surrogates.feature[index])
        encoding, cut = tree.features[feature], float(surrogates.cut[index])
        pairs = slice(int(surrogates.pair_offset[index]), int(surrogates.pair_offset[index + 1]))
        by_code = _by_code(encoding, surrogates.code[pairs], surrogates.branch[pairs])
        sides = int(surrogates.below[index]), int(surrogates.above[index])
        tests.append(BranchTest(feature, encoding, None if np.isnan(cut) else cut, sides, by_code))
    return tuple(tests)


def _by_level(test: BranchTest) -> BranchTest:
    """A test of ordered levels as one of categories, which exports read from cells; any other as it is."""
    encoding = test.encoding
    if not isinstance(encoding.scale, Ordered):
        return test
    listed = replace(encoding, kind="categorical", test="subset", labels=encoding.scale.levels, edges=(), scale=NUMBERS)
    ranks = np.arange(1, len(listed.labels) + 1)
    if test.cut is not None:
        branch_of = {code: test.sides[is_above] for code, is_above in enumerate((ranks > test.cut).tolist())}
    else:
        bin_of = enumerate(np.searchsorted(encoding.edges, ranks, side="left").tolist())
        branch_of = {code: test.branch_of[of] for code, of in bin_of if of in test.branch_of}
    return replace(test, encoding=listed, cut=None, branch_of=branch_of)


def _by_code(encoding: FeatureEncoding, codes: NDArray[np.int32], branches: NDArray[np.int32]) -> dict[int, int]:
    """Branches by code, without that of missing values, which is stored separately."""
    pairs = zip(codes.tolist(), branches.tolist(), strict=True)
    return {code: branch for code, branch in pairs if encoding.labels[code] is not None}
