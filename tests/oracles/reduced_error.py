"""Reduced-error pruning by brute force: every pruning scored, and both orders done literally, in exact fractions."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import explorer as ex


class Scored:
    """A tree's nodes with what validation rows lose at each: rows that pass it (`as_leaf`) and that stop (`own`)."""

    def __init__(self, tree: ex.Tree, valid: ex.Dataset) -> None:
        """Predict every row at every node on its path."""
        self.below = [list(tree.node(t).children) for t in range(tree.n_nodes_grown)]
        self.as_leaf = [Fraction(0)] * tree.n_nodes_grown
        self.own = [Fraction(0)] * tree.n_nodes_grown
        names = [str(name) for name in valid.classes]
        weights = [Fraction(float(w)) for w in valid.weight_of_rows()]
        for row, stop in enumerate(tree.apply(valid).tolist()):
            for node in [stop, *(above for above, _ in tree.path_to(stop))]:
                prediction = tree.node(node).label
                if tree.is_regression:
                    loss = (Fraction(prediction) - Fraction(float(valid.y[row]))) ** 2
                else:
                    loss = Fraction(int(str(prediction) != names[valid.y[row]]))
                self.as_leaf[node] += weights[row] * loss
                self.own[node] += weights[row] * loss if node == stop else 0

    def loss(self, node: int, closed: frozenset[int]) -> Fraction:
        """Loss of the subtree below a node when some nodes are leaves."""
        if node in closed or not self.below[node]:
            return self.as_leaf[node]
        return self.own[node] + sum(self.loss(child, closed) for child in self.below[node])

    def leaves(self, node: int, closed: frozenset[int]) -> list[int]:
        """The leaves below a node."""
        if node in closed or not self.below[node]:
            return [node]
        return [leaf for child in self.below[node] for leaf in self.leaves(child, closed)]

    def inner(self, node: int, closed: frozenset[int]) -> list[int]:
        """The nodes below (and including) a node that still have a test."""
        if node in closed or not self.below[node]:
            return []
        return [node, *(t for child in self.below[node] for t in self.inner(child, closed))]

    def prunings(self, node: int = 0) -> Iterator[frozenset[int]]:
        """Every set of outermost pruned nodes."""
        if not self.below[node]:
            yield frozenset()
            return
        yield frozenset([node])
        for parts in product(*(list(self.prunings(child)) for child in self.below[node])):
            yield frozenset().union(*parts)

    def best_of_all(self) -> frozenset[int]:
        """Of the prunings with the least loss the one with the fewest leaves."""
        return min(self.prunings(), key=lambda closed: (self.loss(0, closed), len(self.leaves(0, closed))))

    def best_first(self, ties: str) -> list[tuple[int, Fraction]]:
        """Remove, again and again, the best of all nodes: (node, decrease of the loss) per removal."""
        removed: list[tuple[int, Fraction]] = []
        while True:
            closed = frozenset(node for node, _ in removed)
            ranked = []
            for node in self.inner(0, closed):
                decrease = self.loss(node, closed) - self.as_leaf[node]
                ranked.append((-decrease, len(self.leaves(0, closed | {node})), node))
            if not ranked:
                return removed
            worse, _, node = min(ranked)
            if worse > 0 or (worse == 0 and ties == "keep"):
                return removed
            removed.append((node, -worse))

    def bottom_up(self, ties: str, node: int = 0) -> frozenset[int]:
        """Decide children, then the node itself."""
        if not self.below[node]:
            return frozenset()
        closed = frozenset[int]().union(*(self.bottom_up(ties, child) for child in self.below[node]))
        gap = self.as_leaf[node] - self.loss(node, closed)
        return frozenset([node]) if gap < 0 or (gap == 0 and ties == "prune") else closed
