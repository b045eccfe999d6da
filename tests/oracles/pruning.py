"""Pruning by brute force, in plain Python with exact fractions: every pruned subtree, and the weakest link by the book.

The tests' naive peer of the explorer. Trees are nested `Knot`s of whole class counts. A *pruning* is the set of the
nodes that are its leaves, named by breadth-first number. R(t) is a node's risk, g(t) = (R(t) − R(T_t)) / (|T_t| − 1).
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from tests.oracles.handmade import Knot, breadth_first

Pruning = frozenset[int]


class Book:
    """One tree with its risks."""

    def __init__(self, root: Knot, risk: str) -> None:
        """Number the nodes and work out R(t) of each."""
        self.nodes = breadth_first(root)
        self.number = {id(node): i for i, node in enumerate(self.nodes)}
        self.below = [[self.number[id(child)] for child in node.children] for node in self.nodes]
        self.weight = [Fraction(sum(node.stats)) for node in self.nodes]
        self.local = risk == "per_node"
        self.risk = [self._risk(i, risk) for i in range(len(self.nodes))]

    def _risk(self, node: int, risk: str) -> Fraction:
        counts, weight = self.nodes[node].stats, self.weight[node]
        if weight == 0:
            return Fraction(0)
        if risk == "error":
            return (weight - max(counts)) / self.weight[0]
        impurity = 1 - sum((Fraction(count) / weight) ** 2 for count in counts)
        return impurity * {"impurity": weight / self.weight[0], "unnormalised": weight, "per_node": 1}[risk]

    def cost(self, node: int, leaves: Pruning) -> Fraction:
        """R(T_t) of a pruning of the subtree below `node`; "per_node" weighs each leaf by N_l/N_t."""
        shares = {leaf: self.weight[leaf] / self.weight[node] if self.local else 1 for leaf in leaves}
        return sum((share * self.risk[leaf] for leaf, share in shares.items()), Fraction(0))

    def prunings(self, node: int = 0) -> Iterator[Pruning]:
        """Every pruning of the subtree below a node."""
        yield frozenset([node])
        if self.below[node]:
            for parts in product(*(list(self.prunings(child)) for child in self.below[node])):
                yield frozenset().union(*parts)

    def best_pruning(self, alpha: Fraction) -> Pruning:
        """The smallest of the prunings with the least R(T) + α·|T|."""
        return min(self.prunings(), key=lambda leaves: (self.cost(0, leaves) + alpha * len(leaves), len(leaves)))

    def leaves_below(self, node: int, collapsed: set[int]) -> Pruning:
        """The leaves of a subtree in which some nodes have collapsed."""
        if node in collapsed or not self.below[node]:
            return frozenset([node])
        return frozenset().union(*(self.leaves_below(child, collapsed) for child in self.below[node]))

    def inner_below(self, node: int, collapsed: set[int]) -> list[int]:
        """The nodes that still have a test."""
        if node in collapsed or not self.below[node]:
            return []
        return [node, *(i for child in self.below[node] for i in self.inner_below(child, collapsed))]

    def price(self, node: int, collapsed: set[int]) -> Fraction:
        """g(t)."""
        leaves = self.leaves_below(node, collapsed)
        return (self.risk[node] - self.cost(node, leaves)) / (len(leaves) - 1)

    def weakest_links(self) -> list[tuple[Fraction, Pruning]]:
        """The sequence by the book: find the least g, collapse all nodes that have it, repeat to the root."""
        collapsed: set[int] = set()
        sequence = [(Fraction(0), self.leaves_below(0, collapsed))]
        while inner := self.inner_below(0, collapsed):
            prices = {node: self.price(node, collapsed) for node in inner}
            least = min(prices.values())
            collapsed |= {node for node, price in prices.items() if price == least}
            entry = (least, self.leaves_below(0, collapsed))
            if least == sequence[-1][0] and len(sequence) > 1:
                sequence.pop()
            sequence.append(entry)
        return sequence

    def bottom_up(self, alpha: Fraction, node: int = 0) -> Pruning:
        """Collapse from the leaves up wherever R(t) + α ≤ R(T_t) + α·|T_t|."""
        if not self.below[node]:
            return frozenset([node])
        leaves = frozenset[int]().union(*(self.bottom_up(alpha, child) for child in self.below[node]))
        as_subtree = self.cost(node, leaves) + alpha * len(leaves)
        return frozenset([node]) if self.risk[node] + alpha <= as_subtree else leaves


ADDITIVE = ("impurity", "error", "unnormalised")
