"""What the loops of subtree raising work on: the nodes as pruning has left them so far, and their training rows."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from explorer.jit import borrowing
from explorer.recipe.split_score import TIE


class Training(NamedTuple):
    """Class and weight of every row [N], and how a leaf predicts.

    `has_whole_rows` says that weights are whole numbers, of which leaves predict the heaviest class.
    `factors` [K] turn growing weights into row weights (empty: they are the same). `costs` [K, K] are those of
    predicting the class of the column, per growing weight of the class of the row (empty: the heaviest class is
    predicted).
    """

    classes: NDArray[np.int32]
    weights: NDArray[np.float64]
    has_whole_rows: bool
    factors: NDArray[np.float64]
    costs: NDArray[np.float64]


class PruningState(NamedTuple):
    """The grown nodes as pruning has left them so far.

    `raised_to` [n] is the child that replaced a node (−1: none). `stats` [n, K] are the class weights of all rows of a
    node, `ending` [n, K] of those that end there without a branch. `as_leaf` [n] are the expected errors of the node as
    a leaf, `expected` [n] those of its subtree, `inside` [n] the part of rows that end above the leaves, `leaves` [n]
    how many there are. `first` [n] is the position of a node in depth-first order, `size` [n] how many nodes its
    subtree has. `rows` [N] lie in the order of the positions where they end, and those of a position begin at `begins`
    [n + 1]: the rows of a node are a segment.
    """

    raised_to: NDArray[np.int64]
    pruned: NDArray[np.bool_]
    stats: NDArray[np.float64]
    ending: NDArray[np.float64]
    as_leaf: NDArray[np.float64]
    expected: NDArray[np.float64]
    inside: NDArray[np.float64]
    leaves: NDArray[np.int64]
    has_new_rows: NDArray[np.bool_]
    first: NDArray[np.int64]
    size: NDArray[np.int64]
    rows: NDArray[np.uint32]
    begins: NDArray[np.int64]


@borrowing
def current_node(raised_to, node):
    """The node that is now in the position of a grown node."""
    while raised_to[node] >= 0:
        node = raised_to[node]
    return node


@borrowing
def is_inner(plan, state, node):
    """Whether a node still has a test."""
    return plan.first_child[node] >= 0 and not state.pruned[node]


@borrowing
def segment_of_node(state, node):
    """The segment of `rows` that a node has."""
    first = state.first[node]
    return state.begins[first], state.begins[first + state.size[node]]


@borrowing
def has_ending_rows(state, node):
    """Whether rows end at a node itself, without a branch."""
    first = state.first[node]
    return state.begins[first + 1] > state.begins[first]


@borrowing
def row_weights(factors, stats):
    """Row weight of class weights [K]."""
    weight = 0.0
    for k in range(stats.size):
        if factors.size == 0:
            weight += stats[k]
        elif factors[k] > 0.0:
            weight += stats[k] / factors[k]
    return weight


@borrowing
def cost_of(costs, stats, k):
    """Expected cost of predicting class k."""
    cost = 0.0
    for j in range(stats.size):
        cost += stats[j] * costs[j, k]
    return cost


@borrowing
def predicted_class(costs, stats):
    """The heaviest class, or that with the lowest expected cost, the first one on a tie."""
    best = 0
    if costs.size == 0:
        largest, whole = 0.0, 0.0
        for weight in stats:
            largest, whole = max(largest, weight), whole + weight
        while stats[best] < largest - TIE * whole:
            best += 1
        return best
    lowest = np.inf
    for k in range(stats.size):
        lowest = min(lowest, cost_of(costs, stats, k))
    while cost_of(costs, stats, best) > lowest * (1.0 + TIE):
        best += 1
    return best


@borrowing
def wrong_and_all(training, stats, counted):
    """Row weight that a leaf with the class weights `stats` [K] predicts wrongly among `counted` [K], and all of it."""
    factors, weight = training.factors, row_weights(training.factors, counted)
    k = predicted_class(training.costs, stats)
    if factors.size == 0:
        return weight - counted[k], weight
    return weight - (counted[k] / factors[k] if factors[k] > 0.0 else 0.0), weight
