"""Counts of the bins of sibling nodes: those of the largest are their parent's less those of the others.

Histogram libraries save half of the counting in this way (LightGBM, Ke et al. 2017). It is exact where counts are whole
numbers: classes without a weight column.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from explorer.candidates.counts import Floats
from explorer.growing.from_counts.training_table import TrainingTable
from explorer.sources.routing import Routing

Family = tuple[int, Mapping[int, float]]
"""A parent, and the weights of its children that have rows."""


@dataclass(eq=False)
class SiblingCounts:
    """Counts of the bins of every column at nodes, kept for one level, so that those below can be subtracted."""

    table: TrainingTable
    _above: dict[int, list[Floats]] = field(default_factory=dict)
    _here: dict[int, list[Floats]] = field(default_factory=dict)

    @property
    def are_exact(self) -> bool:
        """Whether differences of counts have no rounding."""
        return not (self.table.parameters.regression or self.table.source.layout.has_weights)

    def begin_level(self, keep: bool) -> None:
        """Go down one level; `keep` says whether the counts above were few enough to be kept."""
        self._above, self._here = (self._here if keep and self.are_exact else {}), {}

    def count(self, routing: Routing, nodes: Sequence[int], families: Iterable[Family]) -> dict[int, list[Floats]]:
        """Counts [codes + 1, K] of every column at some nodes, whose parents and siblings are given."""
        derived = dict(filter(None, (self._derived(family, set(nodes)) for family in families)))
        asked = sorted((set(nodes) - derived.keys()).union(*(others for _, others in derived.values())))
        found = self._ask(routing, asked)
        for node, (parent, others) in derived.items():
            found[node] = [whole.copy() for whole in self._above[parent]]
            for sibling in others:
                for counts, other in zip(found[node], found[sibling], strict=True):
                    counts -= other
        of_nodes = {node: found[node] for node in nodes}
        if self.are_exact:
            self._here.update(of_nodes)
        return of_nodes

    def _derived(self, family: Family, nodes: set[int]) -> tuple[int, tuple[int, list[int]]] | None:
        """The largest child with its parent and siblings, where counting the siblings reads fewer rows than itself."""
        parent, weights = family
        largest = max(weights, key=lambda child: weights[child])
        others = [child for child in weights if child != largest]
        extra = sum(weights[child] for child in others if child not in nodes)
        if parent not in self._above or largest not in nodes or extra >= weights[largest]:
            return None
        return largest, (parent, others)

    def _ask(self, routing: Routing, nodes: Sequence[int]) -> dict[int, list[Floats]]:
        """The same from the engine; those of the root are known."""
        if list(nodes) == [0]:
            return {0: self.table.root_counts}
        codings = self.table.codings
        found = self.table.source.engine.bins(routing, nodes, codings) if nodes else {}
        return {node: [found[node, position] for position in range(len(codings))] for node in nodes}
