"""Compiled loops over pairs of trees: which nodes are at the same place, and how differently rows are divided."""

import numpy as np

from explorer.jit import borrowing, kernel
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
    partner = np.full(n_nodes, -1, dtype=np.int64)
    shared = np.zeros(n_nodes)
    is_alike = np.zeros(n_nodes, dtype=np.bool_)
    starts, ends = np.zeros(n_nodes, dtype=np.int64), np.zeros(n_nodes, dtype=np.int64)
    members, other = rows.copy(), np.empty_like(rows)
    branch_a, branch_b = np.empty(rows.size, dtype=np.int64), np.empty(rows.size, dtype=np.int64)
    other_b = np.empty(rows.size, dtype=np.int64)
    for row in rows:
        shared[0] += weights[row]
    partner[0], ends[0] = 0, rows.size
    waiting, n_waiting = np.zeros(n_nodes, dtype=np.int64), 1
    while n_waiting:
        n_waiting -= 1
        a = waiting[n_waiting]
        b = partner[a]
        if plan_a.first_child[a] < 0 or plan_b.first_child[b] < 0:
            continue
        if feature_of_b[plan_b.feature[b]] != plan_a.feature[a]:
            continue
        n_a, n_b = plan_a.child_count[a], plan_b.child_count[b]

        # 1. Order the rows with a known value by their branch in a.
        first = np.zeros(n_a + 1, dtype=np.int64)
        known = 0.0
        for position in range(starts[a], ends[a]):
            row = members[position]
            branch_a[position] = known_branch(plan_a, row, a)
            branch_b[position] = known_branch(plan_b, row, b)
            if branch_a[position] >= n_a or branch_b[position] >= n_b or branch_b[position] < 0:
                branch_a[position] = -1
            if branch_a[position] >= 0:
                first[branch_a[position] + 1] += 1
                known += weights[row]
        for branch in range(n_a):
            first[branch + 1] += first[branch]
        filled = first[:-1].copy()
        for position in range(starts[a], ends[a]):
            if branch_a[position] >= 0:
                target = starts[a] + filled[branch_a[position]]
                other[target], other_b[target] = members[position], branch_b[position]
                filled[branch_a[position]] += 1

        # 2. For every branch of a, the branch of b that most of its weight takes.
        heaviest, overlap = np.full(n_a, -1, dtype=np.int64), np.zeros(n_a)
        owner, by_b = np.full(n_b, -1, dtype=np.int64), np.zeros(n_b)
        for branch in range(n_a):
            begin, end = starts[a] + first[branch], starts[a] + first[branch + 1]
            for position in range(begin, end):
                by_b[other_b[position]] += weights[other[position]]
            for position in range(begin, end):
                if by_b[other_b[position]] > overlap[branch]:
                    heaviest[branch], overlap[branch] = other_b[position], by_b[other_b[position]]
            for position in range(begin, end):
                by_b[other_b[position]] = 0.0
            if heaviest[branch] >= 0:
                rival = owner[heaviest[branch]]
                if rival < 0 or overlap[branch] > overlap[rival]:
                    owner[heaviest[branch]] = branch
        matched = 0.0
        for branch in range(n_a):
            if heaviest[branch] >= 0 and owner[heaviest[branch]] == branch:
                matched += overlap[branch]
        if known == 0.0 or known - matched > (tolerance + 1e-9) * known:
            continue

        # 3. Go on in the branches that correspond, with the rows that take both.
        is_alike[a] = True
        for branch in range(n_a):
            if heaviest[branch] < 0 or owner[heaviest[branch]] != branch:
                continue
            child = plan_a.first_child[a] + branch
            begin, end = starts[a] + first[branch], starts[a] + first[branch + 1]
            kept = begin
            for position in range(begin, end):
                if other_b[position] == heaviest[branch]:
                    members[kept] = other[position]
                    kept += 1
            starts[child], ends[child] = begin, kept
            partner[child], shared[child] = plan_b.first_child[b] + heaviest[branch], overlap[branch]
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
