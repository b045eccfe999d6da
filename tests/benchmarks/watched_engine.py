"""An engine that counts, with a note of every call: how long it took and, by level, into how many bins it looked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from explorer.sources.counting import Coding, CountingEngine, EndGroups, Layout, NodeColumn, NodeTarget, RowBlock
from explorer.sources.level_report import LevelReport
from explorer.sources.routing import Routing
from explorer.sources.source import Source
from tests.benchmarks.process_account import Account


@dataclass
class Level:
    """What one level of the tree needed. A bin is tried where a node has rows in it, and alive where it is looked into.

    Parts are the fine codes of which values were fetched; rows are counted once per node and column.
    """

    nodes: int = 0
    tried: int = 0
    alive: int = 0
    rows_in_bins: int = 0
    parts: int = 0
    rows_in_parts: int = 0
    values: int = 0
    rows_fetched: int = 0
    account: Account = field(default_factory=Account)


@dataclass(eq=False)
class WatchedEngine:
    """The same engine; `levels` by the depth of the nodes that it was asked about."""

    engine: CountingEngine
    layout: Layout
    levels: dict[int, Level] = field(default_factory=dict)

    def level_of(self, routing: Routing, nodes: Sequence[int]) -> Level:
        """The level of these nodes; the deepest, should they be of several."""
        depth = {0: 0}
        for test in routing.tests:
            depth |= dict.fromkeys(test.children, depth[test.node] + 1)
        return self.levels.setdefault(max((depth[node] for node in nodes), default=0), Level())

    def targets(self, routing: Routing, nodes: Sequence[int]) -> dict[int, NodeTarget]:
        with self.level_of(routing, nodes).account.step("targets"):
            return self.engine.targets(routing, nodes)

    def bins(self, routing: Routing, nodes: Sequence[int], codings: Sequence[Coding]) -> dict[tuple[int, int], Any]:
        level = self.level_of(routing, nodes)
        with level.account.step("bins"):
            return self.engine.bins(routing, nodes, codings)

    def fine(self, routing: Routing, wanted: Mapping[NodeColumn, Any]) -> dict[NodeColumn, Any]:
        level = self.level_of(routing, [node for node, _ in wanted])
        with level.account.step("fine"):
            return self.engine.fine(routing, wanted)

    def take_report(self, report: LevelReport) -> None:
        """Note what growing says of a level: the counts of some nodes it works out, without asking for them."""
        level = self.levels.setdefault(report.depth, Level())
        level.nodes, level.tried, level.alive = report.nodes, report.bins, report.bins_alive
        level.rows_in_bins = report.rows_alive

    def values(self, routing: Routing, wanted: Mapping[NodeColumn, Any]) -> dict[NodeColumn, Any]:
        level = self.level_of(routing, [node for node, _ in wanted])
        with level.account.step("values"):
            numbers = self.engine.values(routing, wanted)
        level.parts += sum(len(codes) for codes in wanted.values())
        level.values += sum(len(values) for values, _ in numbers.values())
        level.rows_in_parts += int(sum(self.rows_of(counts).sum() for _, counts in numbers.values()))
        return numbers

    def rows(self, routing: Routing, nodes: Sequence[int]) -> dict[int, RowBlock]:
        level = self.level_of(routing, nodes)
        with level.account.step("rows"):
            blocks = self.engine.rows(routing, nodes)
        level.rows_fetched += sum(len(block.y) for block in blocks.values())
        return blocks

    def ends(self, routing: Routing) -> EndGroups:
        return self.engine.ends(routing)

    def close(self) -> None:
        self.engine.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.engine, name)

    def rows_of(self, counts: np.ndarray) -> np.ndarray:
        """The weight in each cell, from counts by class or (W, Σ, Σ²)."""
        return counts[..., 0] if self.layout.target.kind == "numeric" else counts.sum(axis=-1)


def watched(source: Source) -> WatchedEngine:
    """Put a watch in the place of the engine of a source and all its parts."""
    table = source.workspace.table
    watch = WatchedEngine(table.engine, table.layout)
    source.workspace._table = table._replace(engine=watch)
    return watch
