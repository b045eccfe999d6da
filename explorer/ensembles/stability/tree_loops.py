"""Compiled loops over pairs of trees: which nodes are at the same place, and how differently rows are divided."""

import numpy as np

from explorer.jit import borrowing, inner, kernel
from explorer.tree.routing import branch_of_code


@borrowing
def known_branch(plan, row, node):
    """The branch of a row with a value that the split at a node knows, else -1."""
    slot = plan.slot[plan.feature[node]]
    if slot >= 0 and not np.isnan(plan.threshold[node]):
        value = plan.numbers[row, slot]
        if np.isnan(value):
            return -1
        return 0 if value <= plan.threshold[node] else 1
    code = plan.codes[row, -slot - 1]
    return branch_of_code(plan, node, code) if code >= 0 else -1


@inner
def order_by_branch(plan_a, plan_b, a, b, begin, end, weights, members, branches, ordered):
    """The rows at a node of each tree, [begin, end) of `members`, whose branches are known, by their branch in a.

    Into `ordered` [2, n] go the rows and their branches in b; `branches` [2, n] is working memory. Returns their
    weight, and where each branch begins.
    """
    n_a, n_b, known = plan_a.child_count[a], plan_b.child_count[b], 0.0
    first = np.zeros(n_a + 1, dtype=np.int64)
    for position in range(begin, end):
        row = members[position]
        in_a, in_b = known_branch(plan_a, row, a), known_branch(plan_b, row, b)
        is_known = 0 <= in_a < n_a and 0 <= in_b < n_b
        branches[0, position], branches[1, position] = in_a if is_known else -1, in_b
        if is_known:
            first[in_a + 1] += 1
            known += weights[row]
    for branch in range(n_a):
        first[branch + 1] += first[branch]
    filled = first.copy()
    for position in range(begin, end):
        branch = branches[0, position]
        if branch >= 0:
            ordered[0, begin + filled[branch]] = members[position]
            ordered[1, begin + filled[branch]] = branches[1, position]
            filled[branch] += 1
    return known, first


@inner
def pair_branches(begin, first, n_b, ordered, weights):
    """For every branch of a, the branch of b that most of its weight takes, −1 where another one has more of that.

    Returns these, the weight that both share, and the weight of all that correspond.
    """
    n_a = first.size - 1
    heaviest, overlap = np.full(n_a, -1, dtype=np.int64), np.zeros(n_a)
    owner, by_b = np.full(n_b, -1, dtype=np.int64), np.zeros(n_b)
    for branch in range(n_a):
        positions = range(begin + first[branch], begin + first[branch + 1])
        for i in positions:
            by_b[ordered[1, i]] += weights[ordered[0, i]]
        for i in positions:
            if by_b[ordered[1, i]] > overlap[branch]:
                heaviest[branch], overlap[branch] = ordered[1, i], by_b[ordered[1, i]]
        for i in positions:
            by_b[ordered[1, i]] = 0.0
        if heaviest[branch] >= 0:
            rival = owner[heaviest[branch]]
            if rival < 0 or overlap[branch] > overlap[rival]:
                owner[heaviest[branch]] = branch
    matched = 0.0
    for branch in range(n_a):
        if heaviest[branch] >= 0 and owner[heaviest[branch]] == branch:
            matched += overlap[branch]
        else:
            heaviest[branch] = -1
    return heaviest, overlap, matched


@kernel
def matched_nodes(plan_a, plan_b, feature_of_b, rows, weights, tolerance):
    """Walk two trees together along splits alike: for every node of a its partner in b, and the weight shared.

    `feature_of_b` [F'] has the feature of a with the same name, or -1; `rows` [n] are positions of training rows,
    `weights` those of all rows. Gives partner [m] (-1 where b has no node at this place), the weight of the rows that
    reach both nodes [m], and whether the splits there are alike [m]: same feature, and at most the share `tolerance` of
    these rows in branches that do not correspond. A branch of a corresponds to the branch of b with which it shares
    most weight; of two that claim the same branch, the one that shares more.
    """
    n_nodes = plan_a.first_child.size
    partner, shared = np.full(n_nodes, -1, dtype=np.int64), np.zeros(n_nodes)
    is_alike = np.zeros(n_nodes, dtype=np.bool_)
    starts, ends = np.zeros(n_nodes, dtype=np.int64), np.zeros(n_nodes, dtype=np.int64)
    members, ordered = rows.copy(), np.empty((2, rows.size), dtype=np.int64)
    branches = np.empty((2, rows.size), dtype=np.int64)
    for row in rows:
        shared[0] += weights[row]
    partner[0], ends[0] = 0, rows.size
    waiting, n_waiting = np.zeros(n_nodes, dtype=np.int64), 1
    while n_waiting:
        n_waiting -= 1
        a = waiting[n_waiting]
        b, begin = partner[a], starts[a]
        if plan_a.first_child[a] < 0 or plan_b.first_child[b] < 0:
            continue
        if feature_of_b[plan_b.feature[b]] != plan_a.feature[a]:
            continue
        known, first = order_by_branch(plan_a, plan_b, a, b, begin, ends[a], weights, members, branches, ordered)
        heaviest, overlap, matched = pair_branches(begin, first, plan_b.child_count[b], ordered, weights)
        if known == 0.0 or known - matched > (tolerance + 1e-9) * known:
            continue

        # Go on in the branches that correspond, with the rows that take both.
        is_alike[a] = True
        for branch in range(heaviest.size):
            if heaviest[branch] < 0:
                continue
            child, kept = plan_a.first_child[a] + branch, begin + first[branch]
            starts[child] = kept
            for position in range(begin + first[branch], begin + first[branch + 1]):
                if ordered[1, position] == heaviest[branch]:
                    members[kept] = ordered[0, position]
                    kept += 1
            ends[child], partner[child] = kept, plan_b.first_child[b] + heaviest[branch]
            shared[child] = overlap[branch]
            waiting[n_waiting] = child
            n_waiting += 1
    return partner, shared, is_alike


@kernel
def weight_apart(leaves, n_leaves, weights, first_tree, end_tree):
    """For trees first … end - 1 against every later one: weight of the row pairs that one divides and the other not.

    `leaves` [t, n] numbers the leaves of every tree from 0, `n_leaves` [t]. The pairs {i, j} count w_i·w_j. With the
    weights n_ab of the rows in leaf a of one and b of the other, it is (Σ n_a² + Σ n_b²) / 2 - Σ n_ab².
    """
    n_trees, n_rows = leaves.shape
    apart = np.zeros((end_tree - first_tree, n_trees))
    squares = np.zeros(n_trees)
    sums = np.zeros(n_leaves.max())
    for tree in range(n_trees):
        for row in range(n_rows):
            sums[leaves[tree, row]] += weights[row]
        for leaf in range(n_leaves[tree]):
            squares[tree] += sums[leaf] ** 2
            sums[leaf] = 0.0
    order, sorted_weights = np.empty(n_rows, dtype=np.int64), np.empty(n_rows)
    for tree in range(first_tree, end_tree):
        first = np.zeros(n_leaves[tree] + 1, dtype=np.int64)
        for row in range(n_rows):
            first[leaves[tree, row] + 1] += 1
        for leaf in range(n_leaves[tree]):
            first[leaf + 1] += first[leaf]
        filled = first[:-1].copy()
        for row in range(n_rows):
            leaf = leaves[tree, row]
            order[filled[leaf]], sorted_weights[filled[leaf]] = row, weights[row]
            filled[leaf] += 1
        for later in range(tree + 1, n_trees):
            both = 0.0
            for leaf in range(n_leaves[tree]):
                for position in range(first[leaf], first[leaf + 1]):
                    sums[leaves[later, order[position]]] += sorted_weights[position]
                for position in range(first[leaf], first[leaf + 1]):
                    other = leaves[later, order[position]]
                    both += sums[other] ** 2
                    sums[other] = 0.0
            apart[tree - first_tree, later] = max((squares[tree] + squares[later]) / 2 - both, 0.0)
    return apart
