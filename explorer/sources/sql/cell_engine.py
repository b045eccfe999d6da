"""What all engines of ours share: bins are divided into fine codes, and those into values, in the same way."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from explorer.messages import Words
from explorer.sources.counting import Floats, Ints, NodeColumn
from explorer.sources.routing import Routing
from explorer.sources.sql import words


class CellEngine(ABC):
    """The two methods of `CountingEngine` that look closer at some cells, by one that counts what is in them."""

    @abstractmethod
    def _within(
        self,
        text_of: Callable[[int, Sequence[str]], Words],
        routing: Routing,
        wanted: Mapping[NodeColumn, Ints],
        cell: str,
        value: str,
    ) -> dict[NodeColumn, tuple[Floats, Floats]]:
        """Sums by value of the wanted cells; `cell` and `value` are the first letters of columns in SQL."""

    def fine(self, routing: Routing, wanted: Mapping[NodeColumn, Ints]) -> dict[NodeColumn, tuple[Ints, Floats]]:
        """Of the wanted bins of a numeric column at a node: the fine codes that rows have, ascending, and counts."""
        found = self._within(words.fine_words, routing, wanted, "b", "f")
        return {place: (values.astype(np.int64), counts) for place, (values, counts) in found.items()}

    def values(self, routing: Routing, wanted: Mapping[NodeColumn, Ints]) -> dict[NodeColumn, tuple[Floats, Floats]]:
        """Of the wanted fine codes: the different numbers that rows have, ascending, and counts [v, K]."""
        return self._within(words.values_words, routing, wanted, "f", "x")
